//! What was said in a session, line by line, and who is at work on the next.

use enza_kernel::about::About;
use enza_kernel::floor::Who;
use maud::{Markup, html};

use super::lines::{LinePage, PlacedLine};
use super::viewer::{Viewer, Voices};
use crate::actions::sessions::{SessionView, Work};
use crate::design::{Message, Speaker, message};
use crate::words::Words;

/// A stretch of the conversation, with the way to what came before.
pub fn conversation(viewer: &Viewer, about: About<'_>, stretch: &LinePage) -> Markup {
    let words = viewer.words;
    html! {
        @if let Some(before) = stretch.older {
            p.older { a href={ (viewer.page()) "?before=" (before) } { (words.say("session.older")) } }
        }
        div.lines #lines role="log" aria-label=(words.say("session.conversation")) { (lines(viewer, about, &stretch.lines)) }
    }
}

/// Lines, in order.
pub(super) fn lines(viewer: &Viewer, about: About<'_>, placed: &[PlacedLine]) -> Markup {
    html! { @for one in placed { (line(viewer, about, one)) } }
}

fn line(viewer: &Viewer, about: About<'_>, placed: &PlacedLine) -> Markup {
    let (who, name) = speaker(viewer, about, &placed.line.who);
    let said =
        Message { who, name: &name, tone: placed.line.tone, text: &placed.line.text, at: placed.at, seq: placed.seq };
    message(viewer.words, &said)
}

fn speaker(viewer: &Viewer, about: About<'_>, who: &Who) -> (Speaker, String) {
    let words = viewer.words;
    match (who, viewer.voices()) {
        (Who::Person(Some(name)), Voices::Own) => (Speaker::Person, name.clone()),
        (Who::Person(_), Voices::Own | Voices::Sides(_)) => (Speaker::Person, words.say("session.you").to_owned()),
        (Who::Agent(name), Voices::Own) => (Speaker::Agent, about.agent(name, words.0).to_owned()),
        (Who::Agent(_), Voices::Sides(voices)) => (Speaker::Agent, voices.agents.to_owned()),
        (Who::Session, Voices::Own) => (Speaker::Session, words.say("session.itself").to_owned()),
        (Who::Session, Voices::Sides(voices)) => (Speaker::Session, voices.session.to_owned()),
    }
}

/// Who is at work, as far as that is anything to the viewer.
pub(super) fn at_work(viewer: &Viewer, about: About<'_>, view: &SessionView) -> Markup {
    html! {
        @if !view.at_work.is_empty() {
            p.at-work {
                span.dots aria-hidden="true" { span {} span {} span {} }
                @match viewer.voices() {
                    Voices::Own => (workers(viewer.words, about, &view.at_work)),
                    Voices::Sides(voices) => (voices.at_work),
                }
            }
        }
    }
}

fn workers(words: Words, about: About<'_>, at_work: &[Work]) -> Markup {
    html! {
        @for (place, work) in at_work.iter().enumerate() {
            @if place > 0 { (words.say("session.and")) }
            (worker(words, about, work))
        }
        " " (words.say("session.at_work"))
    }
}

fn worker(words: Words, about: About<'_>, work: &Work) -> Markup {
    match work {
        Work::Agent { agent: name, thread } => html! { strong data-thread=(thread) { (about.agent(name, words.0)) } },
        Work::Tool { tool } => html! { strong { (about.tool(tool, words.0)) } },
    }
}
