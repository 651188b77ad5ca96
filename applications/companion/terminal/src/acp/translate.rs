//! What an editor is told of each event, live or when an old session is shown again.
//!
//! The state is folded along, since an event alone does not say which operation it belongs to. Nothing else is kept, so
//! the same log always gives the same telling.

use std::collections::BTreeMap;
use std::path::PathBuf;

use enza_companion::{Batch, Companion, Event, Mode, Note, OrderKind, Plan, State, Step, Task};
use enza_kernel::application::{Application as _, Entry};
use enza_kernel::effect::Key;
use enza_kernel::floor::{Tone, Who};
use enza_kernel::gate::Gate;
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_work::Receipt;

use super::super::known_instructions::KnownInstructions;
use super::calls::{self, Calls};
use super::updates::{Call, PlanStep, TextBlock, Update};
use crate::words::acp as words;
use crate::words::orders::with_orders;

/// Whether the person's own words are told, too: an editor knows those that were just typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Playback {
    /// As it happens.
    Live,
    /// Again, from the beginning.
    Again,
}

/// What was told so far.
pub struct EventTranslator {
    /// The state after the last event.
    pub state: State,
    /// The last event.
    pub seen: Seq,
    /// What the model knows of the project's instructions.
    pub instructed: KnownInstructions,
    lang: Lang,
    contents: PathBuf,
    calls: BTreeMap<u32, Calls>,
}

impl EventTranslator {
    /// Nothing yet; contents of files are in this folder.
    pub fn new(lang: Lang, contents: PathBuf) -> Self {
        Self {
            state: State::default(),
            seen: Seq::START,
            instructed: KnownInstructions::default(),
            lang,
            contents,
            calls: BTreeMap::new(),
        }
    }

    /// Takes an event in, and gives what is to be told of it.
    pub fn take(&mut self, entry: &Entry<Event>, telling: Playback) -> Vec<Update> {
        let before = self.before(&entry.event);
        Companion::evolve(&mut self.state, entry);
        self.seen = entry.seq;
        self.told(entry, before, telling)
    }

    /// What a person is asked at a gate.
    pub fn asked(&self, gate: &Gate) -> Option<Call> {
        let asks = |desk: &&Task| desk.gate.as_ref().is_some_and(|one| one.gate().id == gate.id);
        let desk = self.state.desks.iter().find(asks)?;
        let (calls, batch) = (self.calls.get(&desk.id)?, desk.batch.as_ref()?);
        Some(calls.asked(self.lang, &self.state.folder, &self.contents, batch, gate))
    }

    /// The operations under way, and which of them an order belongs to, before the event is taken in.
    fn before(&self, event: &Event) -> Option<(u32, Batch, Option<OrderKind>)> {
        let (desk, order) = if let Event::OrderEnded { order, .. } | Event::OrderLost { order, .. } = event {
            (self.task_of(*order)?, Some(*order))
        } else if let Event::BatchEnded { desk } = event {
            (self.state.task(*desk)?, None)
        } else {
            return None;
        };
        let batch = desk.batch.clone()?;
        let does = order.and_then(|key| batch.orders.iter().find(|one| one.key == key)).map(|one| one.does);
        Some((desk.id, batch, does))
    }

    fn task_of(&self, order: Key) -> Option<&Task> {
        let has =
            |desk: &&Task| desk.batch.as_ref().is_some_and(|batch| batch.orders.iter().any(|one| one.key == order));
        self.state.desks.iter().find(has)
    }

    fn told(
        &mut self,
        entry: &Entry<Event>,
        before: Option<(u32, Batch, Option<OrderKind>)>,
        telling: Playback,
    ) -> Vec<Update> {
        match &entry.event {
            Event::Heard { text, .. } => match telling {
                Playback::Live => Vec::new(),
                Playback::Again => vec![Update::Heard { content: TextBlock::of(text) }],
            },
            Event::Spoke { text, .. } => vec![Update::Said { content: paragraph(text) }],
            Event::Wanted { desk, wants, .. } => {
                let actions = self.state.task(*desk).and_then(|desk| desk.verdict.as_ref());
                let actions = actions.map(|verdict| verdict.actions.as_slice());
                let (calls, begun) = Calls::wanted(self.lang, &self.state.folder, entry.seq, wants, actions);
                self.calls.insert(*desk, calls);
                begun.into_iter().map(Update::Wanted).collect()
            }
            Event::Decided { desk, decisions } => {
                let lang = self.lang;
                updates(self.calls.get_mut(desk).map(|calls| calls.decided(lang, decisions)))
            }
            Event::CarriedOn { desk } => updates(self.calls.get(desk).map(Calls::begun)),
            Event::OrderEnded { order, receipt } => match before {
                Some((desk, batch, Some(does))) => self.ended(desk, &batch, does, *order, receipt),
                Some((_, _, None)) | None => self.line(entry),
            },
            Event::OrderLost { .. } | Event::BatchEnded { .. } => match before {
                Some((desk, _, _)) => {
                    let why = words::not_done(self.lang);
                    updates(self.calls.get_mut(&desk).map(|calls| calls.given_up(why)))
                }
                None => Vec::new(),
            },
            Event::Planned { plan, .. } => vec![steps(plan, "pending")],
            Event::Moved { desk, .. } => self.plan(*desk).into_iter().collect(),
            Event::ModeSet { mode } => vec![Update::Mode { current_mode_id: mode_word(*mode) }],
            // The turn ends with it as an error, which is told once.
            Event::Noted { desk, note: Note::NoModel { .. } }
                if *desk == self.state.focus && matches!(telling, Playback::Live) =>
            {
                Vec::new()
            }
            Event::Noted { .. }
            | Event::TaskEnded { .. }
            | Event::TakenBack { .. }
            | Event::MoveRefused { .. }
            | Event::Forbidden { .. }
            | Event::Committed { .. }
            | Event::CommitFailed { .. }
            | Event::RuleWritten { .. }
            | Event::RuleNotWritten { .. }
            | Event::RuleKept { .. } => self.line(entry),
            // The editor has asked itself, or shows it with the operation.
            Event::GateOpened { .. }
            | Event::GateAnswered { .. }
            | Event::Granted { .. }
            | Event::GateWithdrawn { .. } => Vec::new(),
            Event::Opened(_)
            | Event::Queued { .. }
            | Event::DeskSet { .. }
            | Event::Stepped(_)
            | Event::Judged { .. }
            | Event::Obeyed { .. }
            | Event::Asked { .. }
            | Event::Idled { .. }
            | Event::PutBack { .. }
            | Event::Minded { .. }
            | Event::TaskBegun { .. }
            | Event::StatusSet { .. }
            | Event::Completed { .. }
            | Event::CallSet { .. }
            | Event::CheckedAgain { .. }
            | Event::OrderStarted { .. }
            | Event::Reviewed { .. }
            | Event::Recovered { .. }
            | Event::RuleForgotten { .. }
            | Event::Lifted { .. }
            | Event::SentBack { .. }
            | Event::BroughtForward { .. }
            | Event::DeskCleared { .. }
            | Event::TakingBack { .. }
            | Event::Renamed { .. }
            | Event::Committing { .. }
            | Event::BudgetRaised { .. }
            | Event::Closed => Vec::new(),
        }
    }

    /// An order came to its end.
    fn ended(&mut self, desk: u32, batch: &Batch, does: OrderKind, order: Key, receipt: &Receipt) -> Vec<Update> {
        let lang = self.lang;
        let Some(calls) = self.calls.get_mut(&desk) else { return Vec::new() };
        let told = match (does, receipt) {
            (OrderKind::Look(place) | OrderKind::Run(place) | OrderKind::Tool(place), _) => {
                calls.ended(lang, place, receipt).into_iter().collect()
            }
            (OrderKind::Prepare | OrderKind::Choose, Receipt::Prepared(prepared)) => {
                calls.prepared(&self.state.folder, &self.contents, batch, prepared)
            }
            (OrderKind::Prepare | OrderKind::Choose | OrderKind::Make, _) => calls.made(lang, batch, receipt),
            // The note at the end says what was put back, and what a lost command changed.
            (OrderKind::PutBack(_) | OrderKind::Recover(_), _) => Vec::new(),
            (OrderKind::Check(place), _) => {
                let checks = &self.state.settings.checks;
                let name = checks.get(place as usize).map_or("check", |check| check.name.as_str());
                return vec![Update::Wanted(calls::check(lang, format!("check-{order}"), name, receipt))];
            }
        };
        updates(Some(told))
    }

    /// The plan of a piece of work, as far as its step says. A plan knows no progress of its own steps.
    fn plan(&self, desk: u32) -> Option<Update> {
        let desk = self.state.task(desk)?;
        let (_, plan) = desk.task.as_ref()?.plan.as_ref()?;
        Some(steps(
            plan,
            match desk.step() {
                Step::Planning | Step::AwaitingApproval => "pending",
                Step::Execution => "in_progress",
                // What fails its checks is not done.
                Step::Review if desk.task.as_ref().is_some_and(|work| !work.red.is_empty()) => "in_progress",
                Step::Review => "completed",
            },
        ))
    }

    /// What the application says of it, in one line.
    fn line(&self, entry: &Entry<Event>) -> Vec<Update> {
        let Some(line) = Companion::line(entry, &Reader::host(), self.lang) else { return Vec::new() };
        let content = paragraph(&with_orders(self.lang, &entry.event, &line.text));
        let must_be_seen = matches!(
            entry.event,
            Event::Noted {
                note: Note::AwaitsAcceptance | Note::PlanAwaits | Note::Idle | Note::Denied { .. } | Note::Doubt(_),
                ..
            } | Event::TakenBack { .. }
        );
        match (line.who, line.tone) {
            (Who::Session, Tone::Note) if !must_be_seen => vec![Update::Noted { content }],
            (Who::Session, Tone::Note | Tone::Said | Tone::Done | Tone::Trouble)
            | (Who::Agent(_) | Who::Person(_), _) => {
                vec![Update::Said { content }]
            }
        }
    }
}

/// The word for a mode.
pub fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Ask => "ask",
        Mode::Plan => "plan",
        Mode::AcceptEdits => "accept_edits",
    }
}

/// Editors join what is said one after the other, so each thing said ends its paragraph.
fn paragraph(text: &str) -> TextBlock {
    TextBlock::of(format!("{}\n\n", text.trim_end()))
}

fn steps(plan: &Plan, status: &'static str) -> Update {
    let step = |content: &String| PlanStep { content: content.clone(), priority: "medium", status };
    Update::Plan { entries: plan.steps.iter().map(step).collect() }
}

fn updates(calls: Option<Vec<Call>>) -> Vec<Update> {
    calls.into_iter().flatten().map(Update::Further).collect()
}
