//! What was said in a session, line by line, and who is at work on the next.

use enza_kernel::about::About;
use enza_kernel::floor::Who;
use maud::{Markup, html};

use super::lines::{LinePage, PlacedLine};
use crate::actions::sessions::{SessionView, Work};
use crate::design::{Message, Speaker, message};
use crate::words::Words;

/// A stretch of the conversation, with the way to what came before.
pub(super) fn conversation(words: Words, about: About<'_>, view: &SessionView, stretch: &LinePage) -> Markup {
    html! {
        @if let Some(before) = stretch.older {
            p.older {
                a href={ "/sessions/" (view.row.id) "?before=" (before) } data-older { (words.say("session.older")) }
            }
        }
        div.lines #lines role="log" aria-label=(words.say("session.conversation")) { (lines(words, about, &stretch.lines)) }
    }
}

/// Lines, in order.
pub(super) fn lines(words: Words, about: About<'_>, placed: &[PlacedLine]) -> Markup {
    html! { @for one in placed { (line(words, about, one)) } }
}

fn line(words: Words, about: About<'_>, placed: &PlacedLine) -> Markup {
    let (who, name) = speaker(words, about, &placed.line.who);
    let said =
        Message { who, name: &name, tone: placed.line.tone, text: &placed.line.text, at: placed.at, seq: placed.seq };
    message(words, &said)
}

fn speaker(words: Words, about: About<'_>, who: &Who) -> (Speaker, String) {
    match who {
        Who::Person(Some(name)) => (Speaker::Person, name.clone()),
        Who::Person(None) => (Speaker::Person, words.say("session.you").to_owned()),
        Who::Agent(name) => (Speaker::Agent, about.agent(name, words.0).to_owned()),
        Who::Session => (Speaker::Session, words.say("session.itself").to_owned()),
    }
}

/// Who is at work, by name.
pub(super) fn at_work(words: Words, about: About<'_>, view: &SessionView) -> Markup {
    html! {
        @if !view.at_work.is_empty() {
            p.at-work {
                span.dots aria-hidden="true" { span {} span {} span {} }
                @for (place, work) in view.at_work.iter().enumerate() {
                    @if place > 0 { (words.say("session.and")) }
                    (worker(words, about, work))
                }
                " " (words.say("session.at_work"))
            }
        }
    }
}

fn worker(words: Words, about: About<'_>, work: &Work) -> Markup {
    match work {
        Work::Agent { agent: name, thread } => html! { strong data-thread=(thread) { (about.agent(name, words.0)) } },
        Work::Tool { tool } => html! { strong { (about.tool(tool, words.0)) } },
    }
}
