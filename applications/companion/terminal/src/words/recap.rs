//! What a person is told on coming back to a session.

use enza_companion::{Event, Note};
use enza_kernel::text::{Lang, unpunctuated};

use super::orders::with_orders;
use super::words;

/// Above the last exchanges.
pub fn head(lang: Lang, count: usize) -> String {
    match count {
        0 => words(lang).say("recap.head_none").to_owned(),
        1 => words(lang).say("recap.head_one").to_owned(),
        _ => words(lang).fill("recap.head_many", &[("count", &count)]),
    }
}

/// Before what the person said.
pub fn you(lang: Lang) -> &'static str {
    words(lang).say("recap.you")
}

/// Lines that are not shown.
pub fn more(lang: Lang, lines: usize) -> String {
    words(lang).fill("recap.more", &[("lines", &lines)])
}

/// What is being worked on.
pub fn task(lang: Lang, title: &str) -> String {
    words(lang).fill("recap.task", &[("title", &title)])
}

/// A question that was not answered.
pub fn asked(lang: Lang, question: &str) -> String {
    words(lang).fill("recap.asked", &[("question", &question)])
}

/// What goes on behind.
pub fn behind(lang: Lang, titles: &[&str]) -> String {
    let titles: Vec<&str> = titles.iter().map(|title| unpunctuated(title)).collect();
    let titles = titles.join(lang.pick("、", "; "));
    words(lang).fill("recap.behind", &[("titles", &titles)])
}

/// What a note says of something that still holds, with the orders behind it.
pub fn ordered(lang: Lang, note: &Note) -> String {
    let event = Event::Noted { desk: 0, note: note.clone() };
    with_orders(lang, &event, &note.say(lang))
}
