//! What a person is told on coming back to a session.

use enza_companion::{Event, Note};
use enza_kernel::text::Lang;

use super::orders::with_orders;

/// Above the last exchanges.
pub fn head(lang: Lang, count: usize) -> String {
    match count {
        0 => lang.pick("まだ返事のない会話です。", "Nothing has been answered yet.").to_owned(),
        1 => lang.pick("前回のやりとり", "The last exchange").to_owned(),
        _ => lang.pick(format!("これまでのやりとり(最後の{count}件)"), format!("The last {count} exchanges")),
    }
}

/// Before what the person said.
pub fn you(lang: Lang) -> &'static str {
    lang.pick("あなた: ", "You: ")
}

/// Lines that are not shown.
pub fn more(lang: Lang, lines: usize) -> String {
    lang.pick(format!("… あと{lines}行(全文は /export)"), format!("… {lines} more lines (/export writes all)"))
}

/// What is being worked on.
pub fn task(lang: Lang, title: &str) -> String {
    lang.pick(format!("作業: {title}"), format!("Task: {title}"))
}

/// A question that was not answered.
pub fn asked(lang: Lang, question: &str) -> String {
    lang.pick(format!("返事を待っている質問: {question}"), format!("It waits for your answer: {question}"))
}

/// What goes on behind.
pub fn behind(lang: Lang, titles: &[&str]) -> String {
    let titles = titles.join(lang.pick("、", "; "));
    lang.pick(format!("背景の作業: {titles}(/tasks)"), format!("Behind: {titles} (/tasks)"))
}

/// What a note says of something that still holds, with the orders behind it.
pub fn ordered(lang: Lang, note: &Note) -> String {
    let event = Event::Noted { desk: 0, note: note.clone() };
    with_orders(lang, &event, &note.say(lang))
}
