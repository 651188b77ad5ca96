//! Fills in a form by talking: a greeter finds out where the respondent is at home, an architect decides the order, an
//! interviewer asks, a reviewer checks that nothing is missing.
//!
//! Two rules carry the whole, and code holds them, never a prompt: no field is passed without a review, and nothing is
//! submitted while a required field is not done. Which field is asked is decided here, not by a model; a model only
//! finds the words. What a rule can read needs no model at all. When every field is done a gate asks the respondent for
//! a yes, and the submission is delivered.
//!
//! Making forms, and showing any of this, belongs to others.

mod codes;
mod command;
mod commands;
mod delivery;
mod event;
mod evolve;
mod findings;
mod floor;
mod flow;
mod form;
mod formats;
mod locale;
mod phrase;
mod plan;
mod prompts;
mod refusal;
mod rows;
mod state;
mod tools;
mod transcript;
mod understudy;
mod values;
mod words;

use std::time::Duration;

use enza_kernel::agent::{self, Agent, AgentApplication, CallVerdict, Step, ThreadEvent, ThreadFailure, Threads};
use enza_kernel::application::{Application, Draft, Entry, Phase, PromptRef, Row, Standing};
use enza_kernel::conversation::{Calling, Reply, Request, ToolCall};
use enza_kernel::effect::{AskModel, Effect, Outcome, Wake};
use enza_kernel::floor::{Floor, Line, Opening};
use enza_kernel::gate::Given;
use enza_kernel::moves::Table;
use enza_kernel::reader::{Following, Reader, ReaderRole};
use enza_kernel::schema::schema_of;
use enza_kernel::text::Lang;
use enza_kernel::time::{Now, Timestamp};
use enza_kernel::words::Catalogue;
use serde_json::{Value, json};

pub use codes::CODES;
pub use command::{Bootstrap, Command, DeliveryWay, Open};
pub use delivery::DELIVER;
pub use event::{AbandonReason, DecidedBy, Event, GatePurpose, Source, Submission, SubmittedAnswer};
pub use findings::{Finding, Stance};
pub use form::{
    Choice, Condition, FACT, Fact, Field, Form, FormFault, Group, Kind, MOST_FACTS, MOST_FIELDS, MOST_ITEMS, OneOrMore,
    Order, USUAL_FOLLOW_UPS,
};
pub use formats::{Loss, Remark, apply_ui_schema, read_json_schema, to_json_schema};
pub use locale::{
    FALLBACK_ZONE, Locale, countries, country_name, country_of_language, is_zone, is_zone_of, language_name, languages,
    primary, read_country, read_language, zone_of, zones_of,
};
pub use phrase::unpunctuated;
pub use plan::{Plan, Planned};
pub use refusal::Refusal;
pub use state::{
    AgentStackEntry, FactDefinition, FieldRecord, FormField, INTERVIEWER, MainSessionState, SessionForm, Stage, State,
};
pub use understudy::understudy;
pub use values::{Absence, ReadContext, ValueFault, labelled, read, read_absence, retracts, sentence_of, show};

use flow::start;
use state::{ARCHITECT, GREETER, REVIEWER};

/// After this long without a word from the respondent, an interview counts as given up.
pub const IDLE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
const IDLE_TIMER: &str = "idle";

/// The interview.
#[derive(Debug, Clone)]
pub struct Interview {
    fields: Table,
    greeter: Agent,
    architect: Agent,
    interviewer: Agent,
    reviewer: Agent,
}

impl Interview {
    /// The interview with its built-in table of moves.
    pub fn new() -> Self {
        let fields = Table::parse(include_str!("fields.toml")).expect("the built-in table is sound; a test loads it");
        Self {
            fields,
            greeter: tools::greeter(),
            architect: tools::architect(),
            interviewer: tools::interviewer(),
            reviewer: tools::reviewer(),
        }
    }
}

impl Default for Interview {
    fn default() -> Self {
        Self::new()
    }
}

impl Application for Interview {
    type State = State;
    type Event = Event;
    type Command = Command;
    type Refusal = Refusal;

    const NAME: &'static str = "interview";
    /// Version 2 knows greeter and architect, kinds and groups; version 3 whole numbers and files that were taken in. What
    /// older ones wrote reads as it did.
    const EVENT_VERSION: u16 = 3;
    const STATE_VERSION: u16 = 4;

    fn about() -> &'static Catalogue {
        &words::ABOUT
    }

    fn evolve(state: &mut State, entry: &Entry<Event>) {
        evolve::evolve(state, entry);
    }

    fn decide(&self, state: &State, command: Command, now: &Now) -> Result<Vec<Event>, Refusal> {
        let mut draft = Draft::new(self, state, now);
        commands::decide(&mut draft, command)?;
        Ok(draft.into_events())
    }

    fn due(&self, state: &State) -> Vec<Effect> {
        let mut due = match state.stage {
            Stage::Greeting | Stage::Planning | Stage::Interviewing => state.cast.due(self, state),
            Stage::Delivering => delivery::due(state).into_iter().collect(),
            Stage::New | Stage::Confirming | Stage::Choosing | Stage::Delivered | Stage::Abandoned => Vec::new(),
        };
        due.extend(idle_until(state).map(|at| Effect::Wake(Wake { name: IDLE_TIMER.to_owned(), at })));
        due
    }

    fn request(&self, state: &State, ask: &AskModel) -> Request {
        let brief = prompts::brief(state, &ask.agent, &ask.thread);
        Request {
            calling: brief.as_ref().map_or(Calling::Any, |brief| tools::calling_for(brief.next)),
            task: brief.map(|brief| json!(brief)),
            ..state.cast.request(self.agent(&ask.agent), &ask.thread, &prompts::layout(state, &ask.agent, &ask.thread))
        }
    }

    fn understudy(&self, request: &Request) -> Option<Reply> {
        Some(understudy(request))
    }

    fn settle(&self, state: &State, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<Event> {
        let mut draft = Draft::new(self, state, now);
        match effect {
            Effect::AskModel(_) => {
                if state.stage.is_spoken() || outcome.is_only_a_cost() {
                    agent::settle(&mut draft, effect, outcome);
                }
            }
            Effect::RunTool(run) => delivery::settle(&mut draft, run, outcome),
            Effect::RunErrand(_) => {}
            Effect::Wake(wake) if wake.name == delivery::AGAIN => delivery::on_timer(&mut draft),
            Effect::Wake(_) => {
                if idle_until(state).is_some_and(|at| now.time >= at) {
                    draft.record(Event::Abandoned { why: AbandonReason::Idle });
                }
            }
        }
        draft.into_events()
    }

    fn standing(state: &State) -> Standing {
        let (phase, waiting_for) = phase(state);
        Standing { phase, title: state.form.title.clone(), waiting_for }
    }

    fn rows(entry: &Entry<Event>) -> Vec<Row> {
        rows::rows(entry)
    }

    fn prompt_of(event: &Event) -> Option<PromptRef> {
        let Event::Stepped(step) = event else { return None };
        step.prompt()
    }

    fn tables(&self) -> Vec<&Table> {
        vec![&self.fields]
    }

    fn line(entry: &Entry<Event>, _reader: &Reader, lang: Lang) -> Option<Line> {
        transcript::line(&entry.event, lang)
    }

    /// A respondent is a guest of the interview: what is said to them they hear as it is written.
    fn follows(_thread: &str, reader: &Reader) -> Following {
        match reader.role {
            ReaderRole::Host => Following::Whole,
            ReaderRole::Guest => Following::Spoken,
            ReaderRole::SeatHolder | ReaderRole::Spectator => Following::Nothing,
        }
    }

    fn floor(&self, state: &State, _reader: &Reader, lang: Lang) -> Floor {
        floor::floor(self, state, lang)
    }

    fn answer_gate(gate: &str, given: Given) -> Option<Command> {
        let (verdict, note) = given.plain()?;
        Some(Command::Confirm { gate: gate.to_owned(), verdict, note })
    }

    fn openings(&self, lang: Lang) -> Vec<Opening> {
        floor::openings(lang)
    }

    fn spoken(tool: &str) -> Option<&'static str> {
        (tool == tools::ASK).then_some("question")
    }

    fn commands() -> Value {
        schema_of::<Command>()
    }
}

impl AgentApplication for Interview {
    fn threads(state: &State) -> &Threads {
        &state.cast
    }

    fn step(step: Step) -> Event {
        Event::Stepped(step)
    }

    fn agent(&self, name: &str) -> &Agent {
        match name {
            GREETER => &self.greeter,
            ARCHITECT => &self.architect,
            REVIEWER => &self.reviewer,
            _ => &self.interviewer,
        }
    }

    fn remaining(&self, state: &State, thread: &str) -> Vec<String> {
        let task = match thread {
            GREETER => return greeter_tasks(state),
            ARCHITECT => "Create the plan using create_plan",
            INTERVIEWER => match state.current() {
                None => return Vec::new(),
                Some((_, record)) if record.unreviewed => "Run subtask(reviewer) on the last answer",
                Some(_) => "Ask about the current field using ask",
            },
            _ => "Return the result using review",
        };
        vec![task.to_owned()]
    }

    fn call(&self, draft: &mut Draft<'_, Self>, thread: &str, call: &ToolCall) -> CallVerdict {
        tools::call(draft, thread, call)
    }

    /// Without a plan the form's own order will do. Of the others there is nothing to record: the failed thread is in
    /// the state, and `standing` shows it until it is told to try again.
    fn failed(&self, draft: &mut Draft<'_, Self>, thread: &str, _failure: &ThreadFailure) {
        if thread == ARCHITECT {
            draft.record(flow::step(ARCHITECT, ThreadEvent::Closed));
            let as_written = Plan::as_written(&draft.state.form);
            // From the beginning every move that this makes is in the table.
            let planned = start::planned(draft, as_written, DecidedBy::Rule);
            debug_assert!(planned.is_ok(), "{planned:?}");
        }
    }

    fn summary(&self, state: &State, thread: &str) -> String {
        let agent = state.cast.threads.get(thread).map_or("", |thread| thread.agent.as_str());
        match prompts::subject(state, agent, thread) {
            Some(record) => prompts::so_far(state, record),
            None => prompts::greeting(state),
        }
    }
}

/// What the greeter still has to do, in the order of the document.
fn greeter_tasks(state: &State) -> Vec<String> {
    let Bootstrap { language, country, timezone } = &state.bootstrap;
    let tasks = [
        (language.is_none(), "Set the user language using set_language"),
        (country.is_none(), "Set the user country using set_country"),
        (timezone.is_none(), "Set the timezone using set_timezone"),
    ];
    tasks.into_iter().filter(|(is_missing, _)| *is_missing).map(|(_, task)| task.to_owned()).collect()
}

fn phase(state: &State) -> (Phase, Option<String>) {
    let lang = state.lang();
    match state.stage {
        Stage::New => (Phase::Waiting, None),
        // Of several reviews one may have failed while another is still under way.
        Stage::Greeting | Stage::Planning | Stage::Interviewing if is_asking(state) => (Phase::Working, None),
        Stage::Greeting | Stage::Planning | Stage::Interviewing => match (state.failure(), state.question()) {
            (Some(failure), _) => (Phase::Stuck, Some(words::stuck(lang, failure))),
            (None, Some(question)) => (Phase::Waiting, Some(question.to_owned())),
            (None, None) => (Phase::Working, None),
        },
        Stage::Choosing => (Phase::Waiting, Some(words::which_field(lang, &state.required_not_done()))),
        Stage::Confirming | Stage::Delivering => match (state.gate(), state.is_undelivered()) {
            (Some(gate), _) => (Phase::Gate, Some(gate.ask.intent.clone())),
            (None, true) => (Phase::Stuck, Some(words::undelivered(lang))),
            (None, false) if state.delivers_again().is_some() => (Phase::Waiting, None),
            (None, false) => (Phase::Working, None),
        },
        Stage::Delivered | Stage::Abandoned => (Phase::Ended, None),
    }
}

fn is_asking(state: &State) -> bool {
    state.cast.threads.values().any(|thread| thread.asking().is_some())
}

/// When the interview counts as given up. What is submitted never does.
fn idle_until(state: &State) -> Option<Timestamp> {
    state.stage.is_open().then_some(state.seen + IDLE)
}
