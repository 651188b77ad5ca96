//! The till: a small shop with every part an application can have.
//!
//! A clerk talks with a customer, looks things up, takes notes, charges cards (once, never twice), pays
//! out only through a gate, and has an auditor in a child thread who alone knows the floor price. There
//! is a budget and a timer. Simulation, crash tests and benchmarks run it, because it owes the world
//! more kinds of work in a few events than any real application does. Tills send each other parcels and open branches
//! (`parcels`). `face` is what people see of it. It may have several people at it, with notes of their own (`seats`): the walk
//! over every way out of the server looks for those.

mod face;
mod parcels;
mod record;
mod refusal;
mod seats;

pub use parcels::{PARCELS, Parcels};
pub use record::{Command, Event, State};

use std::sync::LazyLock;
use std::time::Duration;

use serde_json::json;

use crate::agent::{
    self, Agent, AgentApplication, CallEnd, CallVerdict, CallWork, Step, ThreadEvent, ThreadFailure, Threads,
};
use crate::application::{Application, Draft, Entry, Phase, PromptRef, Row, Standing};
use crate::budget::Ledger;
use crate::conversation::{Reply, Request, ToolCall, ToolSpec};
use crate::effect::{AskModel, Effect, Outcome, Safety, Wake};
use crate::errand::Reach;
use crate::floor::{Floor, Line, Opening};
use crate::gate::{Gate, GateState, Given, Points, Risk, Verdict as Yes};
use crate::limits::MESSAGE;
use crate::prompt::{Layout, Section};
use crate::reader::{Following, Reader};
use crate::refusal::CommonRefusal;
use crate::table::{Column, DomainTable, Index, Source};
use crate::text::Lang;
use crate::time::Now;
use crate::words::Catalogue;

pub use refusal::Refusal;
pub use seats::{Audience, Seat, SeatCommand, SeatEvent, Seats};

/// The clerk's thread.
pub const CLERK: &str = "clerk";
/// The auditor's thread.
pub const AUDITOR: &str = "auditor";

/// Tills that were closed, and why.
pub const CLOSINGS: DomainTable = DomainTable {
    name: "closings",
    of: "closings",
    columns: &[Column::text("till").from(Source::Session).required(), Column::text("why").required()],
    indexes: &[Index::over("idx_closings_why", &["why"]), Index::over("idx_closings_till", &["till"]).unique()],
};

/// What it and its agents are called.
static ABOUT: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::built_in(&[include_str!("about.toml")]));

/// The application.
pub struct Till {
    clerk: Agent,
    auditor: Agent,
    idle: Duration,
}

impl Till {
    /// A till that closes by itself after so long without a word.
    pub fn new(idle: Duration) -> Self {
        let tools = [
            ("lookup", "Looks something up; changes nothing."),
            ("charge", "Charges the customer's card. Never repeated."),
            ("pay", "Pays out, after a person's yes."),
            ("note", "Takes a note."),
            ("audit", "Has the auditor look at the deal."),
            ("ask", "Asks the customer a question and waits."),
        ];
        let spec = |(name, description): (&str, &str)| ToolSpec {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters: json!({"type": "object"}),
        };
        let clerk = Agent {
            layout_ceiling: 200,
            max_output: 600,
            window: 4_000,
            ..Agent::new(CLERK, tools.into_iter().map(spec).collect())
        };
        let verdict = spec(("verdict", "Says whether the deal is sound. Ends the audit."));
        let auditor = Agent {
            layout_ceiling: 200,
            max_output: 300,
            rounds: 3,
            keeps_thoughts: true,
            ..Agent::new(AUDITOR, vec![verdict])
        };
        Self { clerk, auditor, idle }
    }
}

impl Application for Till {
    type State = State;
    type Event = Event;
    type Command = Command;
    type Refusal = Refusal;

    const NAME: &'static str = "till";
    const REACH: Reach = Reach { tells: &["till"], looks: &[PARCELS] };
    const SHARED: bool = true;

    fn about() -> &'static Catalogue {
        &ABOUT
    }

    fn evolve(state: &mut State, entry: &Entry<Event>) {
        state.parcels.evolve(entry.seq, &entry.event);
        match &entry.event {
            Event::Opened { owner, budget, floor, idle_at } => {
                state.owner.clone_from(owner);
                state.floor.clone_from(floor);
                state.cast.ledger = budget.map_or_else(Ledger::default, Ledger::limited);
                state.heard_at = entry.at;
                state.idle_at = Some(*idle_at);
            }
            Event::Spoke { idle_at } => {
                state.heard_at = entry.at;
                state.idle_at = Some(*idle_at);
            }
            Event::Agent(step) => state.cast.evolve(entry.seq, step),
            Event::Noted => state.notes += 1,
            Event::GateOpened { gate, call } => state.gate = Some((GateState::Open(gate.clone()), call.clone())),
            Event::GateAnswered { answer } => {
                if let Some((gate, _)) = &mut state.gate {
                    gate.close(answer);
                }
            }
            Event::LeftUnknown { .. } => state.unknown += 1,
            Event::Closed { why } => {
                state.closed = Some(why.clone());
                state.cast.threads.clear();
                state.idle_at = None;
            }
            Event::ParcelSent { .. }
            | Event::BranchPlanned { .. }
            | Event::CountBegun
            | Event::ParcelArrived { .. }
            | Event::ParcelCameBack { .. }
            | Event::BranchOpened { .. }
            | Event::Counted { .. }
            | Event::ParcelTaken { .. } => {}
            Event::Seats(event) => state.seats.evolve(event),
        }
    }

    fn decide(&self, state: &State, command: Command, now: &Now) -> Result<Vec<Event>, Refusal> {
        let mut draft = Draft::new(self, state, now);
        if !matches!(command, Command::Seats(_)) {
            seats::only_the_owner(&draft)?;
        }
        match command {
            Command::Open { budget, floor } => self.open(&mut draft, budget, floor)?,
            Command::Say { text } => self.say(&mut draft, &text)?,
            Command::Answer { gate, verdict } => self.answer(&mut draft, &gate, verdict)?,
            Command::Retry => self.retry(&mut draft)?,
            Command::Send { to, parcel } => parcels::send(&mut draft, Event::ParcelSent { to, parcel })?,
            Command::Take { parcel } => parcels::take(&mut draft, parcel)?,
            Command::Branch { session } => parcels::send(&mut draft, Event::BranchPlanned { session })?,
            Command::Count => parcels::send(&mut draft, Event::CountBegun)?,
            Command::Close => close(&mut draft, "asked to")?,
            Command::Seats(command) => seats::decide(&mut draft, command)?,
        }
        Ok(draft.into_events())
    }

    fn due(&self, state: &State) -> Vec<Effect> {
        let mut due = state.cast.due(self, state);
        due.extend(state.parcels.due());
        due.extend(state.idle_at.map(|at| Effect::Wake(Wake { name: "idle".to_owned(), at })));
        due
    }

    fn request(&self, state: &State, ask: &AskModel) -> Request {
        let layout = Layout::new(100_000).layer(
            "shop",
            200,
            [
                Section::new("role", "You work at a till. Be brief and exact."),
                Section::new("floor price", state.floor.clone()).only_for([AUDITOR]),
                Section::new("notes", format!("{} notes so far", state.notes)).fresh(),
            ],
        );
        state.cast.request(self.agent(&ask.agent), &ask.thread, &layout)
    }

    fn settle(&self, state: &State, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<Event> {
        let mut draft = Draft::new(self, state, now);
        match effect {
            Effect::Wake(_) => {
                let _ = close(&mut draft, "too quiet");
            }
            Effect::RunErrand(errand) => parcels::settle(&mut draft, errand, outcome),
            Effect::AskModel(_) | Effect::RunTool(_) => {
                agent::settle(&mut draft, effect, outcome);
            }
        }
        draft.into_events()
    }

    fn standing(state: &State) -> Standing {
        let open_gate = state.gate.as_ref().and_then(|(gate, _)| gate.open());
        let failed = state.cast.threads.values().any(|thread| thread.standing.is_failed());
        let (phase, waiting_for) = match (&state.closed, open_gate) {
            (Some(_), _) => (Phase::Ended, None),
            (None, Some(gate)) => (Phase::Gate, Some(gate.ask.intent.clone())),
            (None, None) if failed => (Phase::Stuck, Some("the clerk needs help".to_owned())),
            (None, None) => (Phase::Waiting, Some("the customer".to_owned())),
        };
        Standing { phase, title: format!("till of {}", state.owner), waiting_for }
    }

    fn rows(entry: &Entry<Event>) -> Vec<Row> {
        match &entry.event {
            Event::Closed { why } => vec![Row {
                table: "closings".to_owned(),
                key: "closing".to_owned(),
                content: Some(json!({"why": why})),
            }],
            Event::ParcelTaken { parcel, from } => vec![parcels::row(parcel, from)],
            Event::Opened { .. }
            | Event::Spoke { .. }
            | Event::Agent(_)
            | Event::Noted
            | Event::GateOpened { .. }
            | Event::GateAnswered { .. }
            | Event::ParcelSent { .. }
            | Event::BranchPlanned { .. }
            | Event::CountBegun
            | Event::ParcelArrived { .. }
            | Event::ParcelCameBack { .. }
            | Event::BranchOpened { .. }
            | Event::Counted { .. }
            | Event::LeftUnknown { .. }
            | Event::Seats(_) => Vec::new(),
        }
    }

    fn shown_tables() -> &'static [DomainTable] {
        &[CLOSINGS]
    }

    fn prompt_of(event: &Event) -> Option<PromptRef> {
        match event {
            Event::Agent(step) => step.prompt(),
            Event::Opened { .. }
            | Event::Spoke { .. }
            | Event::Noted
            | Event::GateOpened { .. }
            | Event::GateAnswered { .. }
            | Event::LeftUnknown { .. }
            | Event::ParcelSent { .. }
            | Event::BranchPlanned { .. }
            | Event::CountBegun
            | Event::ParcelArrived { .. }
            | Event::ParcelCameBack { .. }
            | Event::BranchOpened { .. }
            | Event::Counted { .. }
            | Event::ParcelTaken { .. }
            | Event::Closed { .. }
            | Event::Seats(_) => None,
        }
    }

    fn understudy(&self, request: &Request) -> Option<Reply> {
        Some(face::understudy(request))
    }

    fn reader(state: &State, person: Option<&str>, is_owner: bool) -> Option<Reader> {
        seats::reader(&state.seats, person, is_owner)
    }

    fn line(entry: &Entry<Event>, reader: &Reader, lang: Lang) -> Option<Line> {
        face::line(&entry.event, reader, lang)
    }

    fn floor(&self, state: &State, reader: &Reader, lang: Lang) -> Floor {
        if reader.is_host() { face::floor(state, reader, lang) } else { seats::floor(&state.seats, reader, lang) }
    }

    fn shows(entry: &Entry<Event>, reader: &Reader) -> bool {
        seats::shows(&entry.event, reader)
    }

    fn shows_state(state: &State, reader: &Reader) -> bool {
        seats::shows_state(&state.seats, reader)
    }

    fn shows_prompt(thread: &str, reader: &Reader) -> bool {
        seats::shows_thread(thread, reader)
    }

    fn follows(thread: &str, reader: &Reader) -> Following {
        seats::follows(thread, reader)
    }

    fn answer_gate(gate: &str, given: Given) -> Option<Command> {
        let (verdict, _) = given.plain()?;
        Some(Command::Answer { gate: gate.to_owned(), verdict })
    }

    fn openings(&self, lang: Lang) -> Vec<Opening> {
        face::openings(lang)
    }
}

impl Till {
    fn open(&self, draft: &mut Draft<'_, Self>, budget: Option<u64>, floor: String) -> Result<(), Refusal> {
        if draft.state.idle_at.is_some() || draft.state.closed.is_some() {
            return Err(Refusal::Common(CommonRefusal::AlreadyOpen));
        }
        let owner = draft.now().by.person().unwrap_or("nobody").to_owned();
        let idle_at = draft.now().time + self.idle;
        draft.record(Event::Opened { owner, budget, floor, idle_at });
        agent::start(draft, CLERK, CLERK, "");
        Ok(())
    }

    fn say(&self, draft: &mut Draft<'_, Self>, text: &str) -> Result<(), Refusal> {
        let thread = draft.state.cast.threads.get(CLERK).ok_or(Refusal::Common(CommonRefusal::NotOpen))?;
        let listens = thread.standing == agent::ThreadState::Resting || thread.open_question().is_some();
        if !listens {
            return Err(Refusal::NotYourTurn);
        }
        let text = MESSAGE.check(text).map_err(Refusal::Unfit)?;
        draft.record(Event::Spoke { idle_at: draft.now().time + self.idle });
        agent::hear(draft, CLERK, &text);
        Ok(())
    }

    fn answer(&self, draft: &mut Draft<'_, Self>, id: &str, verdict: Yes) -> Result<(), Refusal> {
        let (gate, call) = draft.state.gate.clone().ok_or(Refusal::Common(CommonRefusal::NoSuchGate))?;
        if gate.gate().id != id {
            return Err(Refusal::Common(CommonRefusal::NoSuchGate));
        }
        let answer = gate.answer(verdict, None, &draft.state.owner, draft.now()).map_err(Refusal::Gate)?;
        draft.record(Event::GateAnswered { answer });
        let what = match verdict {
            Yes::Yes => ThreadEvent::CallQueued { call, safety: Safety::Once },
            Yes::No => ThreadEvent::CallEnded { call, text: "The person said no.".into(), end: CallEnd::Error },
        };
        draft.record(Event::Agent(Step { thread: CLERK.to_owned(), what }));
        agent::enforce_limits(draft);
        Ok(())
    }

    fn retry(&self, draft: &mut Draft<'_, Self>) -> Result<(), Refusal> {
        let failed: Vec<_> =
            draft.state.cast.threads.iter().filter(|(_, thread)| thread.standing.is_failed()).collect();
        let (name, _) = failed.first().ok_or(Refusal::Common(CommonRefusal::NothingToRetry))?;
        let step = Step { thread: (*name).clone(), what: ThreadEvent::Retried };
        draft.record(Event::Agent(step));
        agent::enforce_limits(draft);
        Ok(())
    }
}

fn close(draft: &mut Draft<'_, Till>, why: &str) -> Result<(), Refusal> {
    if draft.state.idle_at.is_none() {
        return Err(Refusal::Common(CommonRefusal::NotOpen));
    }
    draft.record(Event::Closed { why: why.to_owned() });
    Ok(())
}

impl AgentApplication for Till {
    fn threads(state: &State) -> &Threads {
        &state.cast
    }

    fn step(step: Step) -> Event {
        Event::Agent(step)
    }

    fn agent(&self, name: &str) -> &Agent {
        if name == AUDITOR { &self.auditor } else { &self.clerk }
    }

    fn remaining(&self, _state: &State, thread: &str) -> Vec<String> {
        if thread == AUDITOR { vec!["Give your verdict using verdict".to_owned()] } else { Vec::new() }
    }

    fn call(&self, draft: &mut Draft<'_, Self>, thread: &str, call: &ToolCall) -> CallVerdict {
        if seats::is_a_seats(thread) {
            return CallVerdict::Refuse("Nothing is at hand where somebody takes notes.".to_owned());
        }
        match call.tool.as_str() {
            "lookup" => CallVerdict::Act(Safety::Repeatable),
            "charge" => CallVerdict::Act(Safety::Once),
            "pay" => self.open_gate(draft, call),
            "note" => {
                draft.record(Event::Noted);
                CallVerdict::Answer("noted".to_owned())
            }
            "audit" => self.start_audit(draft),
            "ask" => CallVerdict::Ask(String::new()),
            "verdict" => {
                end_audit(draft, &call.arguments.to_string(), CallEnd::Done);
                CallVerdict::Finish
            }
            other => CallVerdict::Refuse(format!("{other} is not at hand.")),
        }
    }

    fn failed(&self, draft: &mut Draft<'_, Self>, thread: &str, failure: &ThreadFailure) {
        if thread == AUDITOR {
            draft.record(Event::Agent(Step { thread: AUDITOR.to_owned(), what: ThreadEvent::Closed }));
            end_audit(draft, &format!("The audit failed: {failure}."), CallEnd::Error);
        }
    }

    fn unknown(&self, draft: &mut Draft<'_, Self>, _thread: &str, call: &ToolCall) {
        draft.record(Event::LeftUnknown { call: call.id.clone() });
    }

    fn summary(&self, state: &State, _thread: &str) -> String {
        format!("Earlier talk was left out. {} notes were taken.", state.notes)
    }
}

impl Till {
    fn open_gate(&self, draft: &mut Draft<'_, Self>, call: &ToolCall) -> CallVerdict {
        if draft.state.gate.as_ref().is_some_and(|(gate, _)| gate.open().is_some()) {
            return CallVerdict::Refuse("Another payment waits for a person's yes.".to_owned());
        }
        let ask = Points { intent: format!("pay {}", call.arguments), ..Points::default() };
        let id = format!("g{}", draft.state.cast.replies);
        let gate = Gate { id, ask, risk: Risk::High, expires: None, may_answer: Vec::new() };
        draft.record(Event::GateOpened { gate, call: call.id.clone() });
        CallVerdict::Gate
    }

    fn start_audit(&self, draft: &mut Draft<'_, Self>) -> CallVerdict {
        if draft.state.cast.threads.contains_key(AUDITOR) {
            return CallVerdict::Refuse("The auditor is at work already.".to_owned());
        }
        let words = format!("Audit the deal. {} notes were taken.", draft.state.notes);
        draft.record(Event::Agent(Step {
            thread: AUDITOR.to_owned(),
            what: ThreadEvent::Began { agent: AUDITOR.to_owned(), text: words.into() },
        }));
        CallVerdict::Delegate
    }
}

/// Hands the audit's result to the clerk's open call.
fn end_audit(draft: &mut Draft<'_, Till>, text: &str, end: CallEnd) {
    let Some(clerk) = draft.state.cast.threads.get(CLERK) else { return };
    let Some(call) = clerk.pending().iter().find(|pending| pending.work == CallWork::Child) else { return };
    let what = ThreadEvent::CallEnded { call: call.call.id.clone(), text: text.into(), end };
    draft.record(Event::Agent(Step { thread: CLERK.to_owned(), what }));
}
