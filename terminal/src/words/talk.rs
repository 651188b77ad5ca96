//! What a talk in a session says of its own accord.

use enza_kernel::text::{Lang, Said};

use super::words;

/// Before what is typed.
pub const PROMPT: &str = "> ";

/// Whoever types.
pub fn you(lang: Lang) -> &'static str {
    words(lang).say("talk.you")
}

/// Someone is at work.
pub fn at_work(lang: Lang) -> &'static str {
    words(lang).say("talk.at_work")
}

/// How to answer a gate.
pub fn gate_answers(lang: Lang) -> &'static str {
    words(lang).say("talk.gate_answers")
}

/// An answer came before its question was shown.
pub fn too_early(lang: Lang, is_put_back: bool) -> &'static str {
    if is_put_back {
        return words(lang).say("talk.too_early_kept");
    }
    words(lang).say("talk.too_early")
}

/// There is more than is shown.
pub fn more(lang: Lang) -> &'static str {
    words(lang).say("talk.more")
}

/// There is nothing on the floor.
pub fn nothing(lang: Lang) -> &'static str {
    words(lang).say("talk.nothing")
}

/// How far it has come.
pub fn progress(lang: Lang, done: usize, total: usize) -> String {
    words(lang).fill("talk.progress", &[("done", &done), ("total", &total)])
}

/// Something grave is asked once more.
pub fn asks_again(lang: Lang, label: &str, about: Option<&str>) -> String {
    let about = about.map(|about| format!("{about}\n")).unwrap_or_default();
    words(lang).fill("talk.asks_again", &[("about", &about), ("label", &label)])
}

/// It was not done.
pub fn left_undone(lang: Lang) -> &'static str {
    words(lang).say("talk.left_undone")
}

/// There is no such order.
pub fn unknown(lang: Lang, order: &str) -> String {
    words(lang).fill("talk.unknown", &[("order", &order)])
}

/// Words where nothing can be said.
pub fn nothing_to_say(lang: Lang) -> &'static str {
    words(lang).say("talk.nothing_to_say")
}

/// The orders.
pub fn help(lang: Lang) -> &'static str {
    words(lang).say("talk.help")
}

/// The session is over.
pub fn ended(lang: Lang) -> &'static str {
    words(lang).say("talk.ended")
}

/// The person left.
pub fn left(lang: Lang, session: &str) -> String {
    words(lang).fill("talk.left", &[("session", &session)])
}

/// A session was opened.
pub fn opened(lang: Lang, session: &str) -> String {
    words(lang).fill("talk.opened", &[("session", &session)])
}

/// An application has no such ready-made way to begin.
pub fn no_opening(lang: Lang, application: &str, known: &[String], begins: Option<&str>) -> Said {
    let message = words(lang).fill("talk.no_opening", &[("application", &application)]);
    let named = (!known.is_empty()).then(|| {
        let known = known.join(", ");
        words(lang).fill("talk.no_opening_opening_may_be", &[("known", &known)])
    });
    let command = words(lang).say("talk.no_opening_the_command_that").to_owned();
    let own = begins.map(|begins| words(lang).fill("talk.no_opening_or", &[("begins", &begins)]));
    let gap = lang.pick("", " ");
    Said::new(message, [named, Some(command), own].into_iter().flatten().collect::<Vec<_>>().join(gap))
}
