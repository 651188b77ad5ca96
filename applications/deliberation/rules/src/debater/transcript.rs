//! What an event adds to the history of a debater, as its owner reads it. Made from the event alone.

use enza_kernel::floor::{Line, Tone, Who};
use enza_kernel::text::Lang;

use super::agents::{REFLECTION, SPEAKER, STRATEGIST};
use super::event::{DebaterEvent, PersonaAuthor, PersonaChange, TrialSide};
use super::growth_log;
use crate::words::words;

pub(super) fn line(event: &DebaterEvent, lang: Lang) -> Option<Line> {
    let words = words(lang);
    match event {
        DebaterEvent::Opened { name, .. } => Some(note(words.fill("debater.opened", &[("name", name)]))),
        DebaterEvent::Born { by: PersonaAuthor::Model, .. } => Some(done(words.say("debater.born").to_owned())),
        DebaterEvent::Born { by: PersonaAuthor::Rule, .. } => Some(done(words.say("debater.born_by_rule").to_owned())),
        DebaterEvent::Renamed { card, .. } => Some(note(words.fill("debater.renamed", &[("name", &card.name)]))),
        DebaterEvent::StatusSet { card, .. } => {
            let status = card.status.called(lang);
            Some(note(words.fill("debater.status_set", &[("status", &status)])))
        }
        DebaterEvent::KnowledgeAdded { entry, .. } => {
            Some(note(words.fill("debater.knowledge_added", &[("title", &entry.title)])))
        }
        DebaterEvent::KnowledgeEdited { entry } => {
            Some(note(words.fill("debater.knowledge_edited", &[("title", &entry.title)])))
        }
        DebaterEvent::KnowledgeRemoved { entry, .. } => {
            Some(note(words.fill("debater.knowledge_removed", &[("title", &entry.title)])))
        }
        DebaterEvent::SeatHeld { title, .. } => Some(note(words.fill("debater.seat_held", &[("title", title)]))),
        DebaterEvent::SeatReleased { .. } => Some(note(words.say("debater.seat_released").to_owned())),
        DebaterEvent::DebateCompleted { title, .. } => {
            Some(done(words.fill("debater.debate_completed", &[("title", title)])))
        }
        DebaterEvent::Reflected { reflection } => Some(agent(REFLECTION, reflection.question.clone())),
        DebaterEvent::FeedbackGiven { feedback, .. } | DebaterEvent::FeedbackEdited { feedback } => {
            Some(Line { who: Who::Person(None), tone: Tone::Said, text: feedback.content.clone(), gate: None })
        }
        DebaterEvent::Grown { change, .. } => Some(done(changed(words.say("debater.grown"), change, lang))),
        DebaterEvent::TakenBack { change, .. } => Some(note(changed(words.say("debater.taken_back"), change, lang))),
        DebaterEvent::GrowthFailed { .. } => Some(trouble(words.say("debater.growth_failed").to_owned())),
        DebaterEvent::TrialBegun { .. } => Some(note(words.say("debater.trial_begun").to_owned())),
        DebaterEvent::TrialStrategy { strategy, .. } => Some(agent(STRATEGIST, strategy.clone())),
        DebaterEvent::TrialSaid { side, sentence, .. } => {
            let label = match side {
                TrialSide::With => words.say("debater.trial_with"),
                TrialSide::Without => words.say("debater.trial_without"),
            };
            Some(agent(SPEAKER, format!("{label}\n{sentence}")))
        }
        DebaterEvent::TrialFailed { .. } => Some(trouble(words.say("debater.trial_failed").to_owned())),
        DebaterEvent::Retired { .. } => Some(note(words.say("debater.retired").to_owned())),
        DebaterEvent::Briefed { .. }
        | DebaterEvent::SeatStarted { .. }
        | DebaterEvent::SeatGivenUp { .. }
        | DebaterEvent::GrowthBegun { .. }
        | DebaterEvent::ErrandEnded { .. }
        | DebaterEvent::Stepped(_) => None,
    }
}

/// What happened, from which level to which, and what was gained and lost.
fn changed(what: &str, change: &PersonaChange, lang: Lang) -> String {
    let Some(diff) = growth_log::diff(change) else { return what.to_owned() };
    let heading = format!("{what} {}", growth_log::step(&diff));
    [heading].into_iter().chain(growth_log::lines(&diff, lang)).collect::<Vec<_>>().join("\n")
}

fn agent(name: &str, text: String) -> Line {
    Line { who: Who::Agent(name.to_owned()), tone: Tone::Said, text, gate: None }
}

fn note(text: String) -> Line {
    session(Tone::Note, text)
}

fn done(text: String) -> Line {
    session(Tone::Done, text)
}

fn trouble(text: String) -> Line {
    session(Tone::Trouble, text)
}

fn session(tone: Tone, text: String) -> Line {
    Line { who: Who::Session, tone, text, gate: None }
}
