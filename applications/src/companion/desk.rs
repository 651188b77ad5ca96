//! One piece of work: what is held in mind about it, where it stands, and what is being done for it.
//!
//! The talk has a desk, a task sent to the background keeps its own, and a question asked beside the work gets one that
//! can only look. Each has a thread of its own; the session is the one owner of all of them (DUCK-44, DUCK-45), so there
//! is nothing to keep in step.

use enza_kernel::effect::Key;
use enza_kernel::gate::{GateState, Risk};
use enza_kernel::moves::Mover;
use enza_kernel::review::Review as Rounds;
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::action::{Action, Operation};
use super::agent_state::AgentState;
use super::command::Pick;
use super::consent::Decision;
use super::steps::{Status, Step};
use super::verdict::{Plan, Review, Verdict};
use super::work::{Prepared, Receipt};

/// One piece of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Desk {
    /// Its number; its task goes by the same.
    pub id: u32,
    /// What is held in mind.
    pub mind: AgentState,
    /// Its step, by the table.
    pub at: Mover,
    /// How it is going.
    pub status: Status,
    /// The task, while there is one.
    pub task: Option<Work>,
    /// The model call that comes next, or is under way.
    pub call: Call,
    /// What the model last decided, while it is acted upon.
    pub verdict: Option<Box<Verdict>>,
    /// Whether it has been acted upon.
    pub obeyed: bool,
    /// The operations that it asked for.
    pub batch: Option<Batch>,
    /// The question that waits for a person.
    pub gate: Option<GateState>,
    /// Whether it only answers a question beside the work.
    pub aside: bool,
    /// What the person last said to it.
    pub said: String,
    /// When its step last changed.
    pub moved_at: Timestamp,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// What it is called.
    pub title: String,
    /// Its plan, under its name.
    pub plan: Option<(String, Plan)>,
    /// What the plan asks for, by its name (DUCK-124).
    pub specs: Vec<ActionSpec>,
    /// How often a failure led back to planning.
    pub recoveries: u32,
    /// Model calls since a person last spoke.
    pub rounds: u32,
    /// Digests of what was last wanted and came of it, to see that it goes in circles.
    pub traces: Vec<String>,
    /// Files changed so far.
    pub changed: u32,
    /// Reviews and how often they sent the work back.
    pub reviews: Rounds,
    /// The last review.
    pub review: Option<Review>,
    /// What a model called the risk of it.
    pub raised: Option<Risk>,
}

/// One thing that a plan asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionSpec {
    /// Of which kind: `implement`.
    pub kind: String,
    /// The file, where it is known.
    pub path: Option<String>,
    /// What is done.
    pub description: String,
    /// Whether it may be left out.
    pub optional: bool,
}

/// Which model call comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// The commander's: base and main.
    #[default]
    Main,
    /// A procedure under the commander's eyes: base, main and specialized.
    WithMain(Procedure),
    /// A further call inside a task: base and specialized.
    Alone(Procedure),
}

/// Which procedure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Procedure {
    /// Make a plan.
    Planning,
    /// Carry it out.
    Execution,
    /// Look at what came of it.
    Review,
}

/// Operations on their way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// What is wanted.
    pub wants: Vec<Want>,
    /// What may be done, once it was decided.
    pub decisions: Vec<Decision>,
    /// How far it is.
    pub stage: Stage,
    /// The orders under way or done, in order.
    pub orders: Vec<Ordered>,
    /// What the changes would do.
    pub prepared: Vec<Prepared>,
    /// What the person took of them, where not everything.
    pub picks: Vec<Pick>,
}

/// How far operations are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Looked at and prepared; nothing is touched.
    Preparing,
    /// A person is asked.
    Asking,
    /// Being done.
    Doing,
    /// The project's own checks.
    Checking,
}

/// One thing that a model wants, as it is remembered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Want {
    /// What is done.
    pub operation: Operation,
    /// The path, the command in one line, or the tool.
    pub target: String,
    /// Why.
    pub why: String,
}

/// An order on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ordered {
    /// Its name as an effect.
    pub key: Key,
    /// What it does.
    pub does: Does,
    /// The mark of the attempt whose start is recorded.
    pub started: Option<String>,
    /// What came of it; none while it is under way.
    pub receipt: Option<Box<Receipt>>,
    /// Whether nobody knows how it ended.
    pub lost: bool,
}

/// What an order does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Does {
    /// Looks: the action at this place of the verdict.
    Look(u32),
    /// Prepares all changes of the verdict.
    Prepare,
    /// Works out what a person picked.
    Choose,
    /// Makes the changes.
    Make,
    /// Runs the command at this place of the verdict.
    Run(u32),
    /// Uses the tool at this place of the verdict.
    Tool(u32),
    /// Runs one of the project's checks.
    Check(u32),
}

/// How a task came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The person accepted the result.
    Accepted,
    /// There was nothing to do.
    Answered,
    /// The person stopped it.
    Stopped,
    /// It was cleared away.
    Reset,
}

impl Desk {
    /// An empty desk: PLANNING and waiting for a word (G9).
    pub(super) fn new(id: u32, aside: bool) -> Self {
        Self {
            id,
            mind: AgentState::default(),
            at: Mover::at_state(Step::Planning.word()),
            status: Status::RequiresUserInput,
            task: None,
            call: Call::Main,
            verdict: None,
            obeyed: false,
            batch: None,
            gate: None,
            aside,
            said: String::new(),
            moved_at: Timestamp::default(),
        }
    }

    /// The thread in which it is talked about.
    pub fn thread(&self) -> String {
        format!("desk-{}", self.id)
    }

    /// Its step. The end of a task is no step: then it is where the next one begins.
    pub fn step(&self) -> Step {
        Step::from_word(self.at.at()).unwrap_or_default()
    }

    /// The wanted actions at these places of the verdict.
    pub(super) fn action(&self, place: u32) -> Option<&Action> {
        self.verdict.as_ref()?.actions.get(place as usize)
    }
}

impl Call {
    /// The role that speaks, which may have a model of its own.
    pub fn role(self) -> &'static str {
        match self {
            Self::Main => "commander",
            Self::WithMain(procedure) | Self::Alone(procedure) => procedure.role(),
        }
    }

    /// Its procedure, if it has one.
    pub fn procedure(self) -> Option<Procedure> {
        match self {
            Self::Main => None,
            Self::WithMain(procedure) | Self::Alone(procedure) => Some(procedure),
        }
    }
}

impl Procedure {
    /// The role that carries it out.
    pub fn role(self) -> &'static str {
        match self {
            Self::Planning => "planner",
            Self::Execution => "executor",
            Self::Review => "reviewer",
        }
    }
}

impl Batch {
    /// Whether every order has come to its end.
    pub(super) fn is_settled(&self) -> bool {
        self.orders.iter().all(|order| order.receipt.is_some() || order.lost)
    }
}

impl Work {
    /// A task that has just begun.
    pub(super) fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            plan: None,
            specs: Vec::new(),
            recoveries: 0,
            rounds: 0,
            traces: Vec::new(),
            changed: 0,
            reviews: Rounds::new(MOST_SENT_BACK),
            review: None,
            raised: None,
        }
    }
}

/// How often a review may send work back before a person looks.
const MOST_SENT_BACK: u32 = 2;
