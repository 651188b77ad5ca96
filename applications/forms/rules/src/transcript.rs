//! What an event adds to the history of a form, as its owner reads it.
//!
//! Made from the event alone. Respondents' names, tokens and secrets stay out. So does the letting in of a respondent:
//! what counts is what arrives.

use enza_kernel::agent::ThreadEvent;
use enza_kernel::floor::{Line, Tone, Who};
use enza_kernel::text::Lang;

use super::event::{Author, Event};
use super::state::ARCHITECT;
use super::webhook::Webhook;
use super::words;

pub(super) fn line(event: &Event, lang: Lang) -> Option<Line> {
    match event {
        Event::Begun { card, .. } => Some(note(words::begun(lang, &card.title))),
        Event::Edited { by: Author::Owner, card, .. } => Some(note(words::edited(lang, card))),
        Event::Edited { by: Author::Architect, form, card } => {
            let who = Who::Agent(ARCHITECT.to_owned());
            Some(Line { who, tone: Tone::Said, text: words::written(lang, form, card), gate: None })
        }
        Event::Described { sentence } => {
            Some(Line { who: Who::Person(None), tone: Tone::Said, text: sentence.clone(), gate: None })
        }
        Event::Published { card, .. } => Some(session(Tone::Done, words::published(lang, card))),
        Event::Closed { why, .. } => Some(note(words::closed(lang, *why))),
        Event::Reopened { .. } => Some(note(words::reopened(lang))),
        Event::RulesSet { .. } => Some(note(words::rules_set(lang))),
        Event::WebhookSet { webhook } => Some(note(words::webhook_set(lang, webhook.as_ref().and_then(Webhook::host)))),
        Event::LinkMade { kind, note: remark, .. } => Some(note(words::link_made(lang, *kind, remark))),
        Event::LinkRevoked { note: remark, .. } => Some(note(words::link_revoked(lang, remark))),
        Event::Received { count, .. } => Some(note(words::received(lang, *count))),
        Event::Stepped(step) => match &step.what {
            ThreadEvent::Failed { failure } => Some(session(Tone::Trouble, words::stuck(lang, failure))),
            ThreadEvent::Began { .. }
            | ThreadEvent::Heard { .. }
            | ThreadEvent::Replied { .. }
            | ThreadEvent::CallQueued { .. }
            | ThreadEvent::CallStarted { .. }
            | ThreadEvent::CallAsks { .. }
            | ThreadEvent::CallGated { .. }
            | ThreadEvent::CallDelegated { .. }
            | ThreadEvent::CallEnded { .. }
            | ThreadEvent::Nudged { .. }
            | ThreadEvent::Rested
            | ThreadEvent::Closed
            | ThreadEvent::Lightened { .. }
            | ThreadEvent::Compacted { .. }
            | ThreadEvent::Overran { .. }
            | ThreadEvent::CallsLost { .. }
            | ThreadEvent::Retried => None,
        },
        Event::Forgotten { copies, why, .. } if *copies > 0 => Some(note(words::copies_gone(lang, *copies, *why)?)),
        Event::Admitted { .. } | Event::Forgotten { .. } => None,
    }
}

fn note(text: String) -> Line {
    session(Tone::Note, text)
}

fn session(tone: Tone, text: String) -> Line {
    Line { who: Who::Session, tone, text, gate: None }
}
