//! The companion: a careful partner on a folder of code.
//!
//! A commander's call reads the request and proposes; code decides, by a table of moves with one move for each utterance,
//! by rules of consent, and by what the person forbade. Whatever touches the folder is prepared first, shown, and done
//! exactly as shown after a person's yes; what was done can be taken back. Talk goes on while a task runs, and both have
//! one owner: this session.
//!
//! Files and commands belong to the workshop, keys and screens to whoever shows this.

mod accept;
mod action;
mod agent_state;
mod batch;
mod choice;
mod codes;
mod command;
mod commands;
mod commit;
mod consent;
mod constraints;
mod event;
mod evolve;
mod floor;
mod flow;
mod gate_answer;
mod keep_rule;
mod latest;
mod leeway;
mod memory;
mod note;
mod orders;
mod prompts;
mod refusal;
mod reply;
mod reply_schema;
mod risk;
mod settings;
mod share;
mod state;
mod steps;
mod task;
mod transcript;
mod turned_down;
mod understudy;
mod verdict;
mod words;

use enza_kernel::agent::{
    self, Agent, AgentApplication, CallVerdict as Called, Step as Stepped, ThreadFailure, Threads,
};
use enza_kernel::application::{Application, Draft, Entry, Phase, PromptRef, Standing};
use enza_kernel::conversation::{Message, Reply, Request, Role, Sampling, ToolCall};
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::floor::{Floor, Line};
use enza_kernel::gate::Given;
use enza_kernel::moves::Table;
use enza_kernel::prompt::hollow;
use enza_kernel::reader::Reader;
use enza_kernel::schema::schema_of;
use enza_kernel::text::Lang;
use enza_kernel::time::{Now, Timestamp};
use enza_kernel::words::Catalogue;
use serde_json::{Value, json};

pub use accept::Acceptable;
pub use action::{Action, Operation};
pub use agent_state::{AgentState, Delta, ITEM, LINE, Mismatch};
pub use batch::{Batch, OrderKind, OrderState, Stage, Want};
pub use codes::CODES;
pub use command::{Attached, Command, Instruction, Open, Pick, When};
pub use commit::PendingCommit;
pub use consent::{Decision, Rule, Ruling, Scope, Subject, decide as may, is_change};
pub use constraints::Constraint;
pub use event::{Event, Opened};
pub use flow::message::WORDS;
pub use keep_rule::{KeepRule, PendingRule};
pub use latest::Latest;
pub use memory::{Memory, Unfinished};
pub use note::Note;
pub use refusal::Refusal;
pub use reply::reply_so_far;
pub use risk::RiskTable;
pub use settings::{CheckCommand, Mode, Settings, Template, Tokens};
pub use share::{Share, Taken, say as say_shares};
pub use state::{DetachedOrder, Exchange, MoveRecord, PendingUndo, Queued, State, StoppingRun, Turn};
pub use steps::{DONE, Status, Step, StepsFault, table};
pub use task::{ActionSpec, Assignment, Ending, ModelCall, Procedure, Task};
pub use turned_down::TurnedDown;
pub use understudy::understudy;
pub use verdict::{Approval, NextStep, Pattern, Plan, Rating, Review, Verdict};
pub use words::{budget_ended, denial};

/// The role that understands requests, and the name under which the companion speaks.
pub const COMMANDER: &str = "commander";

/// The most tokens of one reply, and the fewest that it is still asked for with near the end of a budget.
const MOST_OUTPUT: u32 = 4_000;
const LEAST_OUTPUT: u32 = 1_000;
/// A ceiling above every setting of `rounds`: what stops a task is the setting.
const ROUNDS: u32 = 1_000;

/// The companion.
#[derive(Debug, Clone)]
pub struct Companion {
    steps: Table,
    roles: [Agent; 4],
}

impl Companion {
    /// The companion with its built-in table of moves.
    pub fn new() -> Self {
        Self::with_steps(steps::built_in())
    }

    /// The companion with a table of one's own (DUCK-79).
    pub fn with_steps(steps: Table) -> Self {
        let role = |procedure: Option<Procedure>| Agent {
            output: Some(reply_schema::of(procedure)),
            // Work on files wants the likeliest word, not a new one.
            sampling: Sampling { temperature: Some(0.2), ..Sampling::default() },
            rounds: ROUNDS,
            max_output: MOST_OUTPUT,
            least_output: Some(LEAST_OUTPUT),
            layout_ceiling: prompts::CEILING,
            ..Agent::new(procedure.map_or(COMMANDER, Procedure::role), Vec::new())
        };
        let all = [None, Some(Procedure::Planning), Some(Procedure::Execution), Some(Procedure::Review)];
        Self { steps, roles: all.map(role) }
    }
}

impl Default for Companion {
    fn default() -> Self {
        Self::new()
    }
}

impl Application for Companion {
    type State = State;
    type Event = Event;
    type Command = Command;
    type Refusal = Refusal;

    const NAME: &'static str = "companion";
    const EVENT_VERSION: u16 = 4;
    const STATE_VERSION: u16 = 8;

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
        if state.closed {
            return Vec::new();
        }
        let mut due = state.cast.due(self, state);
        due.extend(orders::due(state));
        due.extend(keep_rule::due(state));
        due
    }

    fn request(&self, state: &State, ask: &AskModel) -> Request {
        let (layout, cuts) = prompts::layout(state, &ask.thread);
        let agent = self.agent(&ask.agent);
        let mut request = state.cast.request(agent, &ask.thread, &layout);
        // The reply may take what was set aside for it, which is less near the end of a budget.
        let messages = state.cast.threads.get(&ask.thread).map_or(0, |thread| thread.tokens);
        let left = ask.reserve.saturating_sub(self.layout_tokens(state, agent, &ask.thread) + messages);
        request.max_output = u32::try_from(left).unwrap_or(u32::MAX).clamp(1, request.max_output);
        request.cuts.extend(cuts);
        let said = state.task_of(&ask.thread).map_or("", |task| &task.said);
        request.task = Some(json!({ "said": said, "lang": state.lang() }));
        request
    }

    fn settle(&self, state: &State, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<Event> {
        let mut draft = Draft::new(self, state, now);
        match effect {
            Effect::AskModel(_) => {
                if agent::settle(&mut draft, effect, outcome) {
                    flow::advance_all(&mut draft);
                }
            }
            Effect::RunTool(run) => orders::settle(&mut draft, run, outcome),
            Effect::RunErrand(_) | Effect::Wake(_) => {}
        }
        draft.into_events()
    }

    fn standing(state: &State) -> Standing {
        let begun = if state.began_with.is_empty() { &state.folder } else { &state.began_with };
        let title = state.title.as_ref().unwrap_or(begun).clone();
        let (phase, waiting_for) = phase(state);
        Standing { phase, title, waiting_for }
    }

    fn logged(state: &State, event: &Event) -> Option<String> {
        steps::synced(state, event)
    }

    fn prompt_of(event: &Event) -> Option<PromptRef> {
        let Event::Stepped(step) = event else { return None };
        step.prompt()
    }

    fn tables(&self) -> Vec<&Table> {
        vec![&self.steps]
    }

    fn line(entry: &Entry<Event>, _reader: &Reader, lang: Lang) -> Option<Line> {
        transcript::line(&entry.event, lang)
    }

    fn floor(&self, state: &State, _reader: &Reader, lang: Lang) -> Floor {
        floor::floor(self, state, lang)
    }

    fn answer_gate(gate: &str, given: Given) -> Option<Command> {
        Some(gate_answer::command(gate, given))
    }

    fn understudy(&self, request: &Request) -> Option<Reply> {
        Some(understudy(request))
    }

    fn commands() -> Value {
        schema_of::<Command>()
    }
}

impl AgentApplication for Companion {
    fn threads(state: &State) -> &Threads {
        &state.cast
    }

    fn step(step: Stepped) -> Event {
        Event::Stepped(step)
    }

    fn agent(&self, name: &str) -> &Agent {
        self.roles.iter().find(|role| role.name == name).unwrap_or(&self.roles[0])
    }

    fn remaining(&self, _state: &State, _thread: &str) -> Vec<String> {
        Vec::new()
    }

    fn call(&self, _draft: &mut Draft<'_, Self>, _thread: &str, _call: &ToolCall) -> Called {
        Called::Refuse("Answer with the JSON object alone; put operations in actions.".to_owned())
    }

    fn said(&self, draft: &mut Draft<'_, Self>, thread: &str, text: &str) -> Result<(), String> {
        flow::dispatch::read_reply(draft, thread, text)
    }

    fn failed(&self, draft: &mut Draft<'_, Self>, thread: &str, failure: &ThreadFailure) {
        let Some(task) = draft.state.task_of(thread).map(|task| task.id) else { return };
        let note = Self::failure_note(&draft.state, failure);
        draft.record(Event::Noted { desk: task, note });
        flow::set_status(draft, task, Status::Error);
        flow::transition::fall_back(draft, task);
    }

    fn summary(&self, state: &State, thread: &str) -> String {
        prompts::summary(state, state.task_of(thread))
    }

    fn window(&self, state: &State, _agent: &Agent) -> u64 {
        state.settings.window
    }

    fn layout_tokens(&self, state: &State, agent: &Agent, thread: &str) -> u64 {
        prompts::tokens(state, agent, thread)
    }

    /// Results of operations stand in fences; they are the evidence that goes first (DUCK-106, G37).
    fn without_evidence(&self, message: &Message) -> Option<String> {
        (message.role == Role::Session).then(|| hollow(&message.text)).flatten()
    }
}

impl Companion {
    /// What a person is told of a call that cannot be made, or of which nothing came.
    pub fn failure_note(state: &State, failure: &ThreadFailure) -> Note {
        match failure {
            ThreadFailure::BudgetExhausted { need, .. } => {
                let ledger = &state.cast.ledger;
                Note::BudgetEnded { spent: ledger.spent, limit: ledger.limit.unwrap_or_default(), need: *need }
            }
            ThreadFailure::Unanswered { why } => Note::NoModel { why: why.clone() },
            ThreadFailure::RoundsExhausted { .. } | ThreadFailure::Malformed { .. } => {
                Note::NoModel { why: failure.to_string() }
            }
        }
    }
}

fn phase(state: &State) -> (Phase, Option<String>) {
    if state.closed {
        return (Phase::Ended, None);
    }
    if state.desks.iter().any(|task| state.is_busy(task)) || state.is_changing_files() {
        return (Phase::Working, None);
    }
    if let Some(gate) = Companion::open_gate(state) {
        return (Phase::Gate, Some(gate.ask.intent.clone()));
    }
    if let Some(failure) = state.front().and_then(|task| state.failure(task)) {
        return (Phase::Stuck, Some(failure.to_string()));
    }
    (Phase::Waiting, None)
}

/// A day as a person writes it, from the time of a decision.
fn day(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.0)
        .map_or_else(|_| String::new(), |time| time.to_zoned(jiff::tz::TimeZone::UTC).date().to_string())
}
