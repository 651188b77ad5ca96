//! A reception: a porter answers visitors, and rings for whoever they want to see.

use enza_kernel::agent::{self, Agent, AgentApplication, CallVerdict, Step, ThreadFailure, Threads};
use enza_kernel::application::{Application, Draft, Entry, Phase, PromptRef, Reason, Standing};
use enza_kernel::conversation::{Request, ToolCall, ToolSpec};
use enza_kernel::effect::{AskModel, Effect, Outcome, Safety};
use enza_kernel::limits::{MESSAGE, TextRefusal};
use enza_kernel::prompt::{Layout, Section};
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::Now;
use serde::{Deserialize, Serialize};
use serde_json::json;

const PORTER: &str = "porter";

/// What a visitor may ask for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Open the door.
    Open,
    Say {
        text: String,
    },
    /// Let a porter who failed try again.
    Retry,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The door was opened.
    Opened { visitor: String },
    /// Nobody knows whether the bell rang.
    BellUncertain,
    /// Something happened in the porter's thread.
    Stepped(Step),
}

/// What rules and the next prompt need.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct State {
    visitor: String,
    uncertain: bool,
    cast: Threads,
}

/// Why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The door is open already.
    AlreadyOpen,
    /// The porter is busy, or the door is shut.
    NotYourTurn,
    /// Nothing has failed.
    NothingToRetry,
    /// The text does not fit.
    Text(TextRefusal),
}

impl Reason for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::AlreadyOpen => "reception-already-open",
            Self::NotYourTurn => "not-your-turn",
            Self::NothingToRetry => "nothing-to-retry",
            Self::Text(unfit) => unfit.code(),
        }
    }

    fn say(&self, lang: Lang) -> Said {
        let (message, hint) = match self {
            Self::Text(unfit) => return unfit.say(lang),
            Self::AlreadyOpen => lang.pick(
                ("扉はもう開いています。", "そのまま話してください。"),
                ("The door is open already.", "Just speak."),
            ),
            Self::NotYourTurn => lang.pick(
                ("受付係はいま話を聞けません。", "少し待ってください。"),
                ("The porter cannot listen now.", "Wait a moment."),
            ),
            Self::NothingToRetry => lang.pick(
                ("失敗したものはありません。", "続けて話してください。"),
                ("Nothing has failed.", "Go on speaking."),
            ),
        };
        Said::new(message, hint)
    }
}

/// The application.
pub struct Reception {
    porter: Agent,
}

impl Default for Reception {
    /// A reception with one porter.
    fn default() -> Self {
        let ring = ToolSpec {
            name: "ring".to_owned(),
            description: "Rings for a person in the house. Never repeated.".to_owned(),
            parameters: json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}),
        };
        let ask = ToolSpec {
            name: "ask".to_owned(),
            description: "Asks the visitor a question and waits.".to_owned(),
            parameters: json!({"type": "object", "properties": {"question": {"type": "string"}}}),
        };
        Self { porter: Agent { max_output: 300, ..Agent::new(PORTER, vec![ring, ask]) } }
    }
}

impl Application for Reception {
    type State = State;
    type Event = Event;
    type Command = Command;
    type Refusal = Refusal;

    const NAME: &'static str = "reception";

    fn evolve(state: &mut State, entry: &Entry<Event>) {
        match &entry.event {
            Event::Opened { visitor } => state.visitor.clone_from(visitor),
            Event::BellUncertain => state.uncertain = true,
            Event::Stepped(step) => state.cast.evolve(entry.seq, step),
        }
    }

    fn decide(&self, state: &State, command: Command, now: &Now) -> Result<Vec<Event>, Refusal> {
        let mut draft = Draft::new(self, state, now);
        match command {
            Command::Open => open(&mut draft)?,
            Command::Say { text } => say(&mut draft, &text)?,
            Command::Retry => retry(&mut draft)?,
        }
        Ok(draft.into_events())
    }

    fn due(&self, state: &State) -> Vec<Effect> {
        state.cast.due(self, state)
    }

    fn request(&self, state: &State, ask: &AskModel) -> Request {
        let role = Section::new("role", "You are the porter of a quiet house. Be brief and kind.");
        let visitor = Section::new("visitor", format!("The visitor is {}.", state.visitor));
        let layout = Layout::new(16_000).layer("house", 400, [role, visitor]);
        state.cast.request(self.agent(&ask.agent), &ask.thread, &layout)
    }

    fn settle(&self, state: &State, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<Event> {
        let mut draft = Draft::new(self, state, now);
        agent::settle(&mut draft, effect, outcome);
        draft.into_events()
    }

    fn standing(state: &State) -> Standing {
        let failed = state.cast.threads.values().any(|thread| thread.standing.is_failed());
        let (phase, waiting_for) = match (failed, state.uncertain) {
            (true, true | false) => (Phase::Stuck, "the porter needs help".to_owned()),
            (false, true) => (Phase::Waiting, "the visitor; look whether the bell rang".to_owned()),
            (false, false) => (Phase::Waiting, "the visitor".to_owned()),
        };
        Standing { phase, title: format!("Reception for {}", state.visitor), waiting_for: Some(waiting_for) }
    }

    fn prompt_of(event: &Event) -> Option<PromptRef> {
        match event {
            Event::Stepped(step) => step.prompt(),
            Event::Opened { .. } | Event::BellUncertain => None,
        }
    }
}

fn open(draft: &mut Draft<'_, Reception>) -> Result<(), Refusal> {
    if draft.state.cast.threads.contains_key(PORTER) {
        return Err(Refusal::AlreadyOpen);
    }
    let visitor = draft.now().by.person().unwrap_or("someone").to_owned();
    draft.record(Event::Opened { visitor });
    // Without a first word the thread rests until it is spoken to.
    agent::start(draft, PORTER, PORTER, "");
    Ok(())
}

fn say(draft: &mut Draft<'_, Reception>, text: &str) -> Result<(), Refusal> {
    let thread = draft.state.cast.threads.get(PORTER).ok_or(Refusal::NotYourTurn)?;
    if thread.standing != agent::ThreadState::Resting && thread.open_question().is_none() {
        return Err(Refusal::NotYourTurn);
    }
    let text = MESSAGE.check(text).map_err(Refusal::Text)?;
    agent::hear(draft, PORTER, &text);
    Ok(())
}

fn retry(draft: &mut Draft<'_, Reception>) -> Result<(), Refusal> {
    let thread = draft.state.cast.threads.get(PORTER).ok_or(Refusal::NothingToRetry)?;
    if !thread.standing.is_failed() {
        return Err(Refusal::NothingToRetry);
    }
    draft.record(Event::Stepped(Step { thread: PORTER.to_owned(), what: agent::ThreadEvent::Retried }));
    agent::enforce_limits(draft);
    Ok(())
}

impl AgentApplication for Reception {
    fn threads(state: &State) -> &Threads {
        &state.cast
    }

    fn step(step: Step) -> Event {
        Event::Stepped(step)
    }

    fn agent(&self, _name: &str) -> &Agent {
        &self.porter
    }

    fn remaining(&self, _state: &State, _thread: &str) -> Vec<String> {
        Vec::new()
    }

    fn call(&self, _draft: &mut Draft<'_, Self>, _thread: &str, call: &ToolCall) -> CallVerdict {
        match call.tool.as_str() {
            "ring" => CallVerdict::Act(Safety::Once),
            "ask" => CallVerdict::Ask(call.arguments["question"].as_str().unwrap_or_default().to_owned()),
            other => CallVerdict::Refuse(format!("{other} is not at hand.")),
        }
    }

    /// Nothing to record: the failed thread is in the state, and `standing` shows it.
    fn failed(&self, _draft: &mut Draft<'_, Self>, _thread: &str, _failure: &ThreadFailure) {}

    fn unknown(&self, draft: &mut Draft<'_, Self>, _thread: &str, _call: &ToolCall) {
        draft.record(Event::BellUncertain);
    }

    fn summary(&self, state: &State, _thread: &str) -> String {
        format!("Earlier talk with {} was left out.", state.visitor)
    }
}
