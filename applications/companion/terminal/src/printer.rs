//! What happens in a session, as it is shown: lines for a person, or one JSON value on each line for a script.
//!
//! The words come from the application; here it is decided only what is shown at all, and how. Text from models and files
//! has its control characters taken out.

use enza_companion::{Companion, Event};
use enza_kernel::application::{Application as _, Entry};
use enza_kernel::floor::{Tone, Who};
use enza_kernel::reader::Reader;
use enza_terminal::screen::{Screen, fold};
use enza_terminal::trouble::Trouble;
use enza_work::Receipt;
use serde_json::{Value, json};

use super::gate;
use super::partial_reply::PartialReply;
use crate::words;
use crate::words::orders::with_orders;

/// How things are shown.
#[derive(Clone, Copy)]
pub struct Printer<'a> {
    pub screen: &'a Screen,
    /// Whether words take the place of signs, for those who hear the screen.
    pub plain: bool,
}

impl Printer<'_> {
    /// Shows an event, if there is something to be seen of it.
    pub fn event(&self, entry: &Entry<Event>) -> Result<(), Trouble> {
        if self.screen.json {
            return as_json(entry, self.screen).map_or(Ok(()), |value| self.screen.value(&value));
        }
        self.text(entry).map_or(Ok(()), |text| self.screen.say(&text))
    }

    /// What a person sees of an event.
    pub fn text(&self, entry: &Entry<Event>) -> Option<String> {
        let screen = self.screen;
        if let Event::GateOpened { gate, .. } = &entry.event {
            return Some(gate::show(screen, gate, gate::FIRST));
        }
        if let Event::OrderEnded { receipt, .. } = &entry.event
            && let Receipt::Ran(ran) = &**receipt
        {
            return Some(self.note(&words::named_run(screen.lang, ran)));
        }
        let line = Companion::line(entry, &Reader::host(), screen.lang)?;
        let text = with_orders(screen.lang, &entry.event, &line.text);
        match (line.who, line.tone) {
            // What was typed stands there already; what waits for its turn is confirmed.
            (Who::Person(_), _) => {
                let Event::Queued { text, .. } = &entry.event else { return None };
                Some(self.note(&words::queued(screen.lang, text)))
            }
            (Who::Agent(_), _) => {
                let text = match self.plain {
                    true => format!("{}: {}", words::speaks(screen.lang), line.text),
                    false => line.text,
                };
                Some(format!("\n{}", self.folded(&text)))
            }
            (Who::Session, Tone::Said | Tone::Note) => Some(self.note(&text)),
            (Who::Session, Tone::Done) => Some(screen.paint.good(&self.signed("✓ ", words::DONE, &text))),
            (Who::Session, Tone::Trouble) => Some(screen.paint.warn(&self.signed("! ", words::TROUBLE, &text))),
        }
    }

    /// Words that are being written, as they will stand once they are whole, the reason faintly before them.
    pub fn words(&self, writing: &PartialReply) -> Vec<String> {
        let paint = self.screen.paint;
        if writing.reply().is_empty() {
            return fold(writing.rationale(), self.screen.width()).iter().map(|line| paint.faint(line)).collect();
        }
        let words = self.folded(writing.reply());
        std::iter::once(String::new()).chain(words.lines().map(ToOwned::to_owned)).collect()
    }

    /// Something noted along the way.
    pub fn note(&self, text: &str) -> String {
        let sign = if self.plain { "" } else { "· " };
        let lines = fold(text, self.screen.width().saturating_sub(2));
        let lines: Vec<String> = lines.iter().map(|line| self.screen.paint.faint(&format!("  {line}"))).collect();
        let text = lines.join("\n");
        if sign.is_empty() { text } else { text.replacen("  ", sign, 1) }
    }

    /// Something that wants a look, in lines that fit.
    pub fn warning(&self, text: &str) -> String {
        let lines = fold(text, self.screen.width());
        lines.iter().map(|line| self.screen.paint.warn(line)).collect::<Vec<_>>().join("\n")
    }

    fn signed(&self, sign: &str, word: &str, text: &str) -> String {
        let head = if self.plain { words::words(self.screen.lang).say(word) } else { sign };
        self.folded(&format!("{head}{text}"))
    }

    /// In lines that fit; an empty line between paragraphs stays one.
    fn folded(&self, text: &str) -> String {
        let fold =
            |line: &str| if line.trim().is_empty() { vec![String::new()] } else { fold(line, self.screen.width()) };
        text.lines().flat_map(fold).collect::<Vec<_>>().join("\n")
    }
}

/// An event as a script sees it.
fn as_json(entry: &Entry<Event>, screen: &Screen) -> Option<Value> {
    let value = match &entry.event {
        Event::Heard { text, .. } => json!({"kind": "heard", "text": text}),
        Event::Spoke { text, desk } => json!({"kind": "said", "task": desk, "text": text}),
        Event::GateOpened { gate, desk } => json!({"kind": "gate", "task": desk, "gate": gate}),
        Event::GateAnswered { answer, scope, shares, .. } => {
            json!({"kind": "answered", "answer": answer, "scope": scope, "taken": shares})
        }
        Event::Planned { plan, .. } => json!({"kind": "planned", "plan": plan}),
        Event::Reviewed { review, .. } => json!({"kind": "reviewed", "review": review}),
        Event::Moved { from, to, trigger, .. } => json!({"kind": "moved", "from": from, "to": to, "by": trigger}),
        Event::TaskEnded { ending, .. } => json!({"kind": "task_ended", "ending": ending}),
        Event::TakenBack { turn, restored } => json!({"kind": "taken_back", "turn": turn, "restored": restored}),
        Event::OrderEnded { receipt, .. } => match &**receipt {
            Receipt::Made(changes) => json!({"kind": "changed", "changes": changes}),
            Receipt::Ran(ran) => json!({"kind": "ran", "ran": ran}),
            Receipt::Listed(_) | Receipt::Read(_) | Receipt::Found(_) | Receipt::Used(_) => {
                json!({"kind": "noted", "text": Companion::line(entry, &Reader::host(), screen.lang)?.text})
            }
            Receipt::Prepared(_)
            | Receipt::Restored(_)
            | Receipt::Halted
            | Receipt::Committed(_)
            | Receipt::Refused(_) => return None,
        },
        Event::Opened(_)
        | Event::Queued { .. }
        | Event::DeskSet { .. }
        | Event::Stepped(_)
        | Event::Judged { .. }
        | Event::Obeyed { .. }
        | Event::Asked { .. }
        | Event::Idled { .. }
        | Event::PutBack { .. }
        | Event::Noted { .. }
        | Event::Minded { .. }
        | Event::TaskBegun { .. }
        | Event::MoveRefused { .. }
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
        | Event::Recovered { .. }
        | Event::RuleKept { .. }
        | Event::RuleWritten { .. }
        | Event::RuleNotWritten { .. }
        | Event::RuleForgotten { .. }
        | Event::Forbidden { .. }
        | Event::Lifted { .. }
        | Event::SentBack { .. }
        | Event::BroughtForward { .. }
        | Event::DeskCleared { .. }
        | Event::TakingBack { .. }
        | Event::Renamed { .. }
        | Event::Committing { .. }
        | Event::Committed { .. }
        | Event::CommitFailed { .. }
        | Event::ModeSet { .. }
        | Event::BudgetRaised { .. }
        | Event::Closed => {
            let line = Companion::line(entry, &Reader::host(), screen.lang)?;
            json!({"kind": "noted", "tone": line.tone, "text": line.text})
        }
    };
    let mut value = value;
    value["seq"] = json!(entry.seq);
    Some(value)
}
