//! The line that an event adds to the conversation, made from the event alone.

use enza_kernel::floor::{Line, Tone, Who};
use enza_kernel::gate::Verdict as Yes;
use enza_kernel::text::Lang;

use super::desk::Ending;
use super::event::{Event, Note};
use super::words;
use super::work::{Kept, Receipt, Restored};

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
                | Note::GivenUp { .. }
                | Note::NoModel { .. }
                | Note::Unknown { .. }
                | Note::ChangedSince { .. }
                | Note::Failed { .. } => Tone::Trouble,
                Note::Mismatch(_)
                | Note::Doubt(_)
                | Note::Denied { .. }
                | Note::AwaitsAcceptance
                | Note::PatternMissing => Tone::Note,
            };
            Some(Line { who: Who::Session, tone, text: words::note(lang, said), gate: None })
        }
        Event::GateOpened { gate, .. } => {
            Some(Line { who: Who::Session, tone: Tone::Said, text: gate.ask.intent.clone(), gate: Some(gate.clone()) })
        }
        Event::GateAnswered { answer, .. } => note(match answer.verdict {
            Yes::Yes => lang.pick(format!("{}さんが承認しました。", answer.by), format!("{} said yes.", answer.by)),
            Yes::No => lang.pick(format!("{}さんが断りました。", answer.by), format!("{} said no.", answer.by)),
        }),
        Event::MoveRefused { to, why, .. } => {
            let said = enza_kernel::application::Reason::say(why, lang);
            note(format!("{to}: {} {}", said.message, said.hint))
        }
        Event::OrderEnded { receipt, .. } => done(lang, receipt).and_then(note),
        Event::TaskEnded { ending, .. } => {
            let text = match ending {
                Ending::Accepted => lang.pick("作業が完了しました。", "The task is done."),
                Ending::Answered => return None,
                Ending::Stopped => lang.pick("作業を止めました。", "The task was stopped."),
                Ending::Reset => lang.pick("作業を取りやめ、最初に戻しました。", "The task was cleared away."),
            };
            Some(Line { who: Who::Session, tone: Tone::Done, text: text.to_owned(), gate: None })
        }
        Event::TakenBack { restored, .. } => note(taken_back(lang, restored)),
        Event::Forbidden { constraint } => note(lang.pick(
            format!("制約として守ります: {}", constraint.text),
            format!("Kept as a constraint: {}", constraint.text),
        )),
        Event::RuleKept { rule, .. } => {
            note(lang.pick(format!("ルール: {}", rule.say()), format!("Rule: {}", rule.say())))
        }
        Event::ModeSet { mode } => {
            note(lang.pick(format!("モード: {}", mode.say(lang)), format!("Mode: {}", mode.say(lang))))
        }
        Event::Opened(_)
        | Event::DeskSet { .. }
        | Event::Stepped(_)
        | Event::Judged { .. }
        | Event::Obeyed { .. }
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
        | Event::OrderStarted { .. }
        | Event::OrderLost { .. }
        | Event::BatchEnded { .. }
        | Event::GateWithdrawn { .. }
        | Event::Reviewed { .. }
        | Event::Recovered { .. }
        | Event::RuleForgotten { .. }
        | Event::Lifted { .. }
        | Event::SentBack { .. }
        | Event::BroughtForward { .. }
        | Event::DeskCleared { .. }
        | Event::TakingBack { .. }
        | Event::BudgetRaised { .. }
        | Event::Closed => None,
    }
}

/// What was done in the folder, in one line.
fn done(lang: Lang, receipt: &Receipt) -> Option<String> {
    match receipt {
        Receipt::Listed(listed) => {
            Some(lang.pick(format!("一覧: {}件", listed.entries), format!("Listed {} entries", listed.entries)))
        }
        Receipt::Read(read) => Some(lang.pick(format!("読みました: {}", read.path), format!("Read {}", read.path))),
        Receipt::Found(found) => {
            Some(lang.pick(format!("検索: {}件", found.matches), format!("Found {} lines", found.matches)))
        }
        Receipt::Made(changes) => {
            let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
            Some(lang.pick(format!("変更しました: {}", paths.join("、")), format!("Changed {}", paths.join(", "))))
        }
        Receipt::Ran(ran) => Some(format!("{:?}\n{}", ran.ended, ran.output)),
        Receipt::Used(text) => Some(text.clone()),
        Receipt::Prepared(_) | Receipt::Restored(_) | Receipt::Refused(_) => None,
    }
}

fn taken_back(lang: Lang, restored: &Restored) -> String {
    let mut lines = vec![lang.pick(
        format!("{}件を元に戻しました。", restored.restored.len()),
        format!("Taken back: {}.", restored.restored.len()),
    )];
    for (path, why) in &restored.kept {
        let why = match why {
            Kept::ChangedSince => lang.pick(
                "そのあとで手が加えられているため、そのままにしました",
                "left as it is, since it was changed afterwards",
            ),
            Kept::Forgotten => lang.pick("元の内容がもう残っていません", "what it held before is no longer kept"),
            Kept::Unreachable => lang.pick("変更できませんでした", "it could not be changed"),
        };
        lines.push(format!("{path}: {why}"));
    }
    lines.join("\n")
}
