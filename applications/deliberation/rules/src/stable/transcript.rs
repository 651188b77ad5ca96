//! What an event adds to the history of a stable, as its owner reads it.

use enza_kernel::floor::{Line, Tone, Who};
use enza_kernel::text::Lang;

use super::command::TutorialOutcome;
use super::event::StableEvent;
use crate::words::words;

pub(super) fn line(event: &StableEvent, lang: Lang) -> Option<Line> {
    let words = words(lang);
    let say = |tone, text: String| Some(Line { who: Who::Session, tone, text, gate: None });
    match event {
        StableEvent::DebaterPlanned { name, .. } => say(Tone::Note, words.fill("stable.planned", &[("name", name)])),
        StableEvent::DebaterFailed { .. } => say(Tone::Trouble, words.say("stable.failed").to_owned()),
        StableEvent::Renamed { name, .. } => say(Tone::Note, words.fill("stable.renamed", &[("name", name)])),
        StableEvent::StatusSet { status, .. } => {
            let status = status.called(lang);
            say(Tone::Note, words.fill("stable.status_set", &[("status", &status)]))
        }
        StableEvent::ChangeDeclined { code, .. } => match code.as_str() {
            "debater-seated" => say(Tone::Trouble, words.say("stable.declined_seated").to_owned()),
            _ => say(Tone::Trouble, words.say("stable.declined").to_owned()),
        },
        StableEvent::DebaterDeleted { .. } => say(Tone::Note, words.say("stable.deleted").to_owned()),
        StableEvent::TutorialBegun { title, .. } => {
            say(Tone::Note, words.fill("stable.tutorial_begun", &[("title", title)]))
        }
        StableEvent::TutorialFailed { .. } => say(Tone::Trouble, words.say("stable.tutorial_failed").to_owned()),
        StableEvent::TutorialEnded { outcome: TutorialOutcome::Completed, .. } => {
            say(Tone::Done, words.say("stable.tutorial_completed").to_owned())
        }
        StableEvent::TutorialEnded { outcome: TutorialOutcome::Cancelled, .. } => {
            say(Tone::Note, words.say("stable.tutorial_cancelled").to_owned())
        }
        StableEvent::Opened { .. }
        | StableEvent::DebaterReady { .. }
        | StableEvent::RenameAsked { .. }
        | StableEvent::StatusAsked { .. }
        | StableEvent::TutorialSeated { .. }
        | StableEvent::TutorialOpened { .. }
        | StableEvent::ErrandEnded { .. } => None,
    }
}
