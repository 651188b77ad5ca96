//! The parlour: the smallest application one can talk with.
//!
//! One thread, no tools. A reply that reached its limit is taken as it is: the benchmark wants short replies of any
//! kind, where a real application would have them written again.

use enza_kernel::agent::{self, Agent, AgentApplication, CallVerdict, Step, ThreadFailure, ThreadState as At, Threads};
use enza_kernel::application::{Application, Draft, Entry, Phase, PromptRef, Reason, Standing};
use enza_kernel::conversation::{Request, Stop, ToolCall};
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::prompt::{Layout, Section};
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::Now;
use serde::{Deserialize, Serialize};

use super::script::{FRESH, MAX_OUTPUT, SAMPLING, STABLE, fresh};

/// The one thread, and who speaks in it.
const GUIDE: &str = "guide";
/// More than the conversation takes: it is never summarised.
const WINDOW: u64 = 100_000;

/// The application.
pub struct Chat {
    guide: Agent,
}

impl Chat {
    pub fn new() -> Self {
        let usual = Agent::new(GUIDE, Vec::new());
        Self { guide: Agent { sampling: SAMPLING, max_output: MAX_OUTPUT, window: WINDOW, ..usual } }
    }
}

/// The state.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct State {
    cast: Threads,
    turns: usize,
    failure: Option<String>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// Something in the thread.
    Agent(Step),
    /// The visitor spoke.
    Asked,
    /// No reply could be had.
    Failed { why: String },
}

/// What may be asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Open the parlour.
    Open {},
    Say {
        text: String,
    },
}

/// Why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The guide is not free.
    NotFree,
}

impl Reason for Refusal {
    fn code(&self) -> &'static str {
        "not-your-turn"
    }

    fn say(&self, lang: Lang) -> Said {
        Said::new(lang.pick("いま答えられません。", "The guide is not free."), lang.pick("待ってください。", "Wait."))
    }
}

impl Application for Chat {
    type State = State;
    type Event = Event;
    type Command = Command;
    type Refusal = Refusal;

    const NAME: &'static str = "parlour";

    fn evolve(state: &mut State, entry: &Entry<Event>) {
        match &entry.event {
            Event::Agent(step) => state.cast.evolve(entry.seq, step),
            Event::Asked => state.turns += 1,
            Event::Failed { why } => state.failure = Some(why.clone()),
        }
    }

    fn decide(&self, state: &State, command: Command, now: &Now) -> Result<Vec<Event>, Refusal> {
        let mut draft = Draft::new(self, state, now);
        match command {
            Command::Open {} => agent::start(&mut draft, GUIDE, GUIDE, ""),
            Command::Say { text } => {
                if state.cast.threads.get(GUIDE).is_none_or(|thread| thread.standing != At::Resting) {
                    return Err(Refusal::NotFree);
                }
                draft.record(Event::Asked);
                agent::hear(&mut draft, GUIDE, &text);
            }
        }
        Ok(draft.into_events())
    }

    fn due(&self, state: &State) -> Vec<Effect> {
        state.cast.due(self, state)
    }

    fn request(&self, state: &State, ask: &AskModel) -> Request {
        let stable = STABLE.map(|(name, text)| Section::new(name, text));
        let layout = Layout::new(WINDOW).layer("house", 2_000, stable).layer(
            "moment",
            200,
            [Section::new(FRESH, fresh(state.turns)).fresh()],
        );
        state.cast.request(&self.guide, &ask.thread, &layout)
    }

    fn settle(&self, state: &State, effect: &Effect, mut outcome: Outcome, now: &Now) -> Vec<Event> {
        let mut draft = Draft::new(self, state, now);
        if let Outcome::Replied { reply, .. } = &mut outcome {
            reply.stop = Stop::Finished;
        }
        agent::settle(&mut draft, effect, outcome);
        draft.into_events()
    }

    fn standing(state: &State) -> Standing {
        let phase = if state.failure.is_some() { Phase::Stuck } else { Phase::Waiting };
        Standing { phase, title: "a visit".to_owned(), waiting_for: state.failure.clone() }
    }

    fn prompt_of(event: &Event) -> Option<PromptRef> {
        match event {
            Event::Agent(step) => step.prompt(),
            Event::Asked | Event::Failed { .. } => None,
        }
    }
}

impl AgentApplication for Chat {
    fn threads(state: &State) -> &Threads {
        &state.cast
    }

    fn step(step: Step) -> Event {
        Event::Agent(step)
    }

    fn agent(&self, _name: &str) -> &Agent {
        &self.guide
    }

    fn remaining(&self, _state: &State, _thread: &str) -> Vec<String> {
        Vec::new()
    }

    fn call(&self, _draft: &mut Draft<'_, Self>, _thread: &str, call: &ToolCall) -> CallVerdict {
        CallVerdict::Refuse(format!("{} is not at hand.", call.tool))
    }

    fn failed(&self, draft: &mut Draft<'_, Self>, _thread: &str, failure: &ThreadFailure) {
        draft.record(Event::Failed { why: failure.to_string() });
    }

    fn summary(&self, _state: &State, _thread: &str) -> String {
        String::new()
    }
}
