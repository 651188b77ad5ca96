//! What a topic's events say to whom. Anybody reads what it is and what came of its runs; the owner reads who was asked;
//! what a debater brought is for nobody (DEL-C22).

use enza_kernel::floor::{Line, Tone, Who};
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;

use super::command::DebateOutcome;
use super::event::{SkipReason, TopicEvent};
use crate::words::words;

pub(super) fn shows(event: &TopicEvent, reader: &Reader) -> bool {
    match event {
        TopicEvent::BriefTaken { .. } => false,
        TopicEvent::DebateOpened { .. } | TopicEvent::DebateEnded { .. } => true,
        // These name the owner, or debaters who were asked and did not come.
        TopicEvent::Begun { .. }
        | TopicEvent::Edited { .. }
        | TopicEvent::Configured { .. }
        | TopicEvent::Paused
        | TopicEvent::Resumed
        | TopicEvent::Archived { .. }
        | TopicEvent::RunBegun { .. }
        | TopicEvent::Drawn { .. }
        | TopicEvent::Summoned { .. }
        | TopicEvent::SummonAnswered { .. }
        | TopicEvent::GivenUp { .. }
        | TopicEvent::RunSkipped { .. }
        | TopicEvent::Convened { .. }
        | TopicEvent::DebateNotOpened { .. }
        | TopicEvent::NextAccepted { .. }
        | TopicEvent::NextDropped { .. }
        | TopicEvent::ErrandEnded { .. } => reader.is_host(),
    }
}

pub(super) fn line(event: &TopicEvent, reader: &Reader, lang: Lang) -> Option<Line> {
    let words = words(lang);
    let line = |tone, text: String| Some(Line { who: Who::Session, tone, text, gate: None });
    let note = |text: String| line(Tone::Note, text);
    let to_host = |text: &str| if reader.is_host() { note(text.to_owned()) } else { None };
    match event {
        TopicEvent::Begun { listing, .. } => note(words.fill("topic.begun", &[("title", &listing.title)])),
        TopicEvent::Edited { listing } => note(words.fill("topic.edited", &[("title", &listing.title)])),
        TopicEvent::Configured { .. } => to_host(words.say("topic.configured")),
        TopicEvent::Paused => to_host(words.say("topic.paused")),
        TopicEvent::Resumed => to_host(words.say("topic.resumed")),
        TopicEvent::Archived { .. } => note(words.say("topic.archived").to_owned()),
        TopicEvent::RunBegun { run, .. } => {
            let missed = run.start.map_or(0, |start| start.missed);
            match missed {
                0 => to_host(words.say("topic.run_begun")),
                count => to_host(&words.fill("topic.run_late", &[("count", &count)])),
            }
        }
        TopicEvent::RunSkipped { why, .. } => to_host(&skipped(lang, *why)),
        TopicEvent::DebateOpened { .. } => note(words.say("topic.debate_opened").to_owned()),
        TopicEvent::DebateNotOpened { .. } if reader.is_host() => {
            line(Tone::Trouble, words.say("topic.debate_not_opened").to_owned())
        }
        TopicEvent::DebateEnded { outcome, .. } => match outcome {
            DebateOutcome::Completed => line(Tone::Done, words.say("topic.debate_completed").to_owned()),
            DebateOutcome::Cancelled => note(words.say("topic.debate_cancelled").to_owned()),
        },
        TopicEvent::NextAccepted { next, .. } => note(words.fill("topic.next_accepted", &[("title", &next.title)])),
        TopicEvent::NextDropped { .. } => to_host(words.say("topic.next_dropped")),
        TopicEvent::DebateNotOpened { .. }
        | TopicEvent::Drawn { .. }
        | TopicEvent::Summoned { .. }
        | TopicEvent::SummonAnswered { .. }
        | TopicEvent::BriefTaken { .. }
        | TopicEvent::GivenUp { .. }
        | TopicEvent::Convened { .. }
        | TopicEvent::ErrandEnded { .. } => None,
    }
}

/// Why there was no debate.
pub(super) fn skipped(lang: Lang, why: SkipReason) -> String {
    match why {
        SkipReason::TooFew { count } => words(lang).fill("topic.too_few", &[("count", &count)]),
        SkipReason::DebateUnderWay => words(lang).say("topic.debate_under_way").to_owned(),
        SkipReason::RunUnderWay => words(lang).say("topic.run_under_way").to_owned(),
    }
}
