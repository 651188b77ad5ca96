//! What an event adds to the conversation, as a person reads it.
//!
//! Made from the event alone. What the agents do among themselves stays out, except that a review says what it found:
//! a respondent should know why something is asked again.

use enza_kernel::agent::ThreadEvent;
use enza_kernel::floor::{Line, Tone, Who};
use enza_kernel::gate::{Answer, Verdict};
use enza_kernel::review::ReviewStep;
use enza_kernel::text::Lang;

use super::event::{AbandonReason, Event, Source};
use super::findings::Finding;
use super::state::{INTERVIEWER, REVIEWER};
use super::values::file_name;
use super::words;
use crate::words::words;

pub(super) fn line(event: &Event, lang: Lang) -> Option<Line> {
    match event {
        Event::Opened { form, .. } => Some(session(Tone::Note, words::opened(lang, form))),
        Event::AnswerGiven { text, source: Source::Question, .. } => Some(person(told(text))),
        Event::AnswerGiven { text, source: Source::Filled, .. } => {
            let text = told(text);
            Some(person(words(lang).fill("transcript.answer_given", &[("text", &text)])))
        }
        // The words stand in the message that they were a part of; what a link brings nobody has said.
        Event::AnswerGiven { source: Source::Aside | Source::Link, .. } => None,
        Event::Greeted { text } => Some(person(text.clone())),
        Event::FieldDeclined { absence, .. } => Some(person(format!("({})", absence.say(lang)))),
        Event::FieldSetAside { label, .. } => Some(session(Tone::Note, words::set_aside(lang, label))),
        Event::Reviewed { step, finding, .. } => step.as_ref().and_then(|step| reviewed(step, finding, lang)),
        Event::HelpAsked { text, .. } => Some(agent(INTERVIEWER, Tone::Said, text.clone())),
        Event::FieldReopened { field_id, label, because_of } => {
            let label = if label.is_empty() { field_id } else { label };
            Some(session(Tone::Note, words::reopened(lang, label, because_of.as_deref())))
        }
        Event::Gathered { missing } => Some(session(Tone::Said, words::still_missing(lang, missing))),
        Event::GateOpened { gate, .. } => {
            Some(Line { gate: Some(gate.clone()), ..session(Tone::Said, gate.ask.intent.clone()) })
        }
        Event::GateAnswered { answer } => Some(person(answered(answer, lang))),
        Event::Submitted { .. } => Some(session(Tone::Note, words::submitted(lang))),
        Event::DeliveryFailed { again: None, .. } => Some(session(Tone::Trouble, words::undelivered(lang))),
        Event::DeliveryFailed { again: Some(_), .. } => None,
        Event::Delivered { .. } => Some(session(Tone::Done, words::delivered(lang))),
        Event::BudgetRaised { budget } => Some(session(Tone::Note, words::budget_raised(lang, *budget))),
        Event::Abandoned { why: AbandonReason::Respondent } => Some(session(Tone::Note, words::given_up(lang))),
        Event::Abandoned { why: AbandonReason::Idle } => Some(session(Tone::Note, words::gone_quiet(lang))),
        Event::Stepped(step) => match &step.what {
            ThreadEvent::CallAsks { words, .. } => Some(agent(&step.thread, Tone::Said, words.to_string())),
            ThreadEvent::Failed { failure } => Some(session(Tone::Trouble, words::stuck(lang, failure))),
            ThreadEvent::Began { .. }
            | ThreadEvent::Heard { .. }
            | ThreadEvent::Replied { .. }
            | ThreadEvent::CallQueued { .. }
            | ThreadEvent::CallStarted { .. }
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
        Event::Settled { .. }
        | Event::Planned { .. }
        | Event::FieldTaken { .. }
        | Event::FieldMoved { .. }
        | Event::FileTaken { .. }
        | Event::FileLeft { .. }
        | Event::FieldClosed { .. }
        | Event::ItemAdded { .. }
        | Event::MoreAsked { .. }
        | Event::DeliveryRequeued
        | Event::DeliveryStarted { .. }
        | Event::DeliveryLost => None,
    }
}

fn reviewed(step: &ReviewStep, finding: &Finding, lang: Lang) -> Option<Line> {
    let feedback = match step {
        ReviewStep::Passed => return None,
        // Without a value the respondent is asked for help next, and told the same.
        ReviewStep::Escalated { .. } if finding.value().is_none() => return None,
        ReviewStep::SentBack { feedback } | ReviewStep::Escalated { feedback } => feedback,
    };
    words::still_lacking(lang, feedback).map(|text| agent(REVIEWER, Tone::Note, text))
}

/// What was said; of a file, its name without the digest that it is kept by.
fn told(text: &str) -> String {
    file_name(text).unwrap_or(text).to_owned()
}

fn answered(answer: &Answer, lang: Lang) -> String {
    let verdict = match answer.verdict {
        Verdict::Yes => words(lang).say("transcript.yes"),
        Verdict::No => words(lang).say("transcript.no"),
    };
    match &answer.note {
        Some(note) => format!("{verdict}: {note}"),
        None => verdict.to_owned(),
    }
}

fn person(text: String) -> Line {
    Line { who: Who::Person(None), tone: Tone::Said, text, gate: None }
}

fn agent(name: &str, tone: Tone, text: String) -> Line {
    Line { who: Who::Agent(name.to_owned()), tone, text, gate: None }
}

fn session(tone: Tone, text: String) -> Line {
    Line { who: Who::Session, tone, text, gate: None }
}
