//! The line that an event adds to the conversation, made from the event alone.

use enza_kernel::agent::{Step, ThreadEvent};
use enza_kernel::floor::{Line, Tone, Who};
use enza_kernel::gate::Verdict as Yes;
use enza_kernel::text::Lang;

use super::event::Event;
use super::note::Note;
use super::share;
use super::task::Ending;
use super::words;
use crate::words::words;
use enza_work::{NotRestored, Receipt, RestoreResult};

/// What an event says to whoever follows the session.
pub(super) fn line(event: &Event, lang: Lang) -> Option<Line> {
    let note = |text: String| Some(Line { who: Who::Session, tone: Tone::Note, text, gate: None });
    match event {
        Event::Heard { text, .. } | Event::Queued { text, .. } => {
            Some(Line { who: Who::Person(None), tone: Tone::Said, text: text.clone(), gate: None })
        }
        Event::Spoke { text, .. } => Some(Line {
            who: Who::Agent(super::COMMANDER.to_owned()),
            tone: Tone::Said,
            text: text.clone(),
            gate: None,
        }),
        Event::Noted { note: said, .. } => {
            let tone = match said {
                Note::Loop
                | Note::RoundsSpent { .. }
                | Note::GivenUp { .. }
                | Note::Idle
                | Note::NoModel { .. }
                | Note::Unknown { .. }
                | Note::ChangedSince { .. }
                | Note::NotKept { .. }
                | Note::ChecksFailed { .. }
                | Note::BudgetEnded { .. }
                | Note::PutBack { .. }
                | Note::Failed { .. } => Tone::Trouble,
                Note::Mismatch(_)
                | Note::Doubt(_)
                | Note::Denied { .. }
                | Note::AwaitsAcceptance
                | Note::PlanAwaits
                | Note::Took { .. }
                | Note::TooLong { .. } => Tone::Note,
                // For the audit alone (G2): it changes nothing for the person.
                Note::PatternMissing => return None,
            };
            Some(Line { who: Who::Session, tone, text: words::note(lang, said), gate: None })
        }
        Event::GateOpened { gate, .. } => {
            Some(Line { who: Who::Session, tone: Tone::Said, text: gate.ask.intent.clone(), gate: Some(gate.clone()) })
        }
        Event::GateAnswered { answer, shares, .. } if !shares.is_empty() => {
            note(share::say(lang, Some(answer.by.as_str()).filter(|by| *by != "local"), shares))
        }
        Event::GateAnswered { answer, .. } => note(match answer.verdict {
            // Whoever is alone with it has no name.
            Yes::Yes if answer.by == "local" => words(lang).say("transcript.yours_yes").to_owned(),
            Yes::No if answer.by == "local" && answer.note.is_none() => {
                words(lang).say("transcript.yours_no_go_on").to_owned()
            }
            Yes::No if answer.by == "local" => words(lang).say("transcript.yours_no").to_owned(),
            Yes::Yes => words(lang).fill("transcript.theirs_yes", &[("by", &answer.by)]),
            Yes::No => words(lang).fill("transcript.theirs_no", &[("by", &answer.by)]),
        }),
        Event::MoveRefused { to, why, .. } => {
            let said = enza_kernel::application::Reason::say(why, lang);
            note(format!("{to}: {}", said.in_one()))
        }
        Event::OrderEnded { receipt, .. } => done(lang, receipt).and_then(note),
        Event::TaskEnded { ending, .. } => {
            let text = match ending {
                Ending::Accepted => words(lang).say("transcript.accepted"),
                Ending::Answered => return None,
                Ending::LeftBehind => words(lang).say("transcript.left_behind"),
                Ending::Stopped => words(lang).say("transcript.stopped"),
                Ending::Reset | Ending::TakenBack => words(lang).say("transcript.reset"),
            };
            Some(Line { who: Who::Session, tone: Tone::Done, text: text.to_owned(), gate: None })
        }
        Event::TakenBack { restored, .. } => note(taken_back(lang, restored)),
        Event::Renamed { title } => note(words(lang).fill("transcript.renamed", &[("title", &title)])),
        Event::Committed { commit } => note(words(lang).fill("transcript.committed", &[("commit", &commit)])),
        Event::CommitFailed { why } => {
            Some(Line { who: Who::Session, tone: Tone::Trouble, text: why.clone(), gate: None })
        }
        Event::Forbidden { constraint } => {
            note(words(lang).fill("transcript.forbidden", &[("text", &constraint.text)]))
        }
        Event::RuleKept { rule, .. } => note(words(lang).fill("transcript.rule_kept", &[("rule", &rule.say())])),
        Event::RuleWritten { at, .. } => note(words(lang).fill("transcript.rule_written", &[("at", &at)])),
        Event::RuleNotWritten { why, .. } => {
            let text = words(lang).fill("transcript.rule_not_written", &[("why", &why)]);
            Some(Line { who: Who::Session, tone: Tone::Trouble, text, gate: None })
        }
        Event::ModeSet { mode } => note(words(lang).fill("transcript.mode_set", &[("mode", &mode.say(lang))])),
        Event::Stepped(Step { what: ThreadEvent::Compacted { dropped, .. }, .. }) => {
            note(words(lang).fill("transcript.summarised", &[("dropped", &dropped)]))
        }
        Event::Stepped(Step { what: ThreadEvent::Lightened { .. }, .. }) => {
            note(words(lang).say("transcript.left_out").to_owned())
        }
        Event::Opened(_)
        | Event::DeskSet { .. }
        | Event::Stepped(_)
        | Event::Judged { .. }
        | Event::Obeyed { .. }
        | Event::Asked { .. }
        | Event::Idled { .. }
        | Event::PutBack { .. }
        | Event::Minded { .. }
        | Event::TaskBegun { .. }
        | Event::Planned { .. }
        | Event::Moved { .. }
        | Event::StatusSet { .. }
        | Event::Completed { .. }
        | Event::CallSet { .. }
        | Event::Wanted { .. }
        | Event::Decided { .. }
        | Event::CarriedOn { .. }
        | Event::CheckedAgain { .. }
        | Event::OrderStarted { .. }
        | Event::OrderLost { .. }
        | Event::BatchEnded { .. }
        | Event::Granted { .. }
        | Event::GateWithdrawn { .. }
        | Event::Reviewed { .. }
        | Event::Recovered { .. }
        | Event::RuleForgotten { .. }
        | Event::Lifted { .. }
        | Event::SentBack { .. }
        | Event::BroughtForward { .. }
        | Event::DeskCleared { .. }
        | Event::TakingBack { .. }
        | Event::Committing { .. }
        | Event::BudgetRaised { .. }
        | Event::Closed => None,
    }
}

/// What was done in the folder, in one line.
fn done(lang: Lang, receipt: &Receipt) -> Option<String> {
    match receipt {
        Receipt::Listed(listed) => Some(words(lang).fill("transcript.listed", &[("entries", &listed.entries)])),
        Receipt::Read(read) => Some(words(lang).fill("transcript.read", &[("path", &read.path)])),
        Receipt::Found(found) => Some(words(lang).fill("transcript.found", &[("matches", &found.matches)])),
        Receipt::Made(changes) => {
            let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
            Some(words(lang).fill("transcript.made", &[("paths", &lang.list(&paths))]))
        }
        Receipt::Ran(ran) => {
            let beyond = ran.besides(lang).map(|line| format!("\n{line}")).unwrap_or_default();
            Some(format!("{}\n{}{beyond}", ran.ended.say(lang), ran.output))
        }
        Receipt::Used(text) => Some(text.clone()),
        Receipt::Prepared(_) | Receipt::Restored(_) | Receipt::Halted | Receipt::Committed(_) | Receipt::Refused(_) => {
            None
        }
    }
}

fn taken_back(lang: Lang, restored: &RestoreResult) -> String {
    let mut lines = vec![match restored.restored.is_empty() {
        true => words(lang).say("transcript.restored_nothing").to_owned(),
        false => words(lang).fill("transcript.restored", &[("restored", &lang.list(&restored.restored))]),
    }];
    for (path, why) in &restored.kept {
        let why = match why {
            NotRestored::ChangedSince => words(lang).say("transcript.changed_since"),
            NotRestored::Forgotten => words(lang).say("transcript.forgotten"),
            NotRestored::Unreachable => words(lang).say("transcript.unreachable"),
        };
        lines.push(format!("{path}: {why}"));
    }
    if !restored.set_aside.is_empty() {
        lines.push(words(lang).say("transcript.restored_beside").to_owned());
        lines.extend(restored.set_aside.iter().map(|(path, at)| format!("{path}: {at}")));
    }
    lines.join("\n")
}
