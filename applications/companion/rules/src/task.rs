//! One piece of work: what is held in mind about it, where it stands, and what is being done for it.
//!
//! The talk is a task, what is sent to the background goes on as its own, and a question asked beside the work is one that
//! can only look. Each has a thread of its own; the session is the one owner of all of them (DUCK-44, DUCK-45), so there
//! is nothing to keep in step.

use enza_kernel::gate::{GateState, Risk};
use enza_kernel::moves::{Mover, NotMoved};
use enza_kernel::review::Review as Rounds;
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::action::Action;
use super::agent_state::AgentState;
use super::batch::Batch;
use super::steps::{Status, Step};
use super::turned_down::{self, TurnedDown};
use super::verdict::{Plan, Review, Verdict};

/// One piece of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Its number; what it was assigned goes by the same.
    pub id: u32,
    /// What is held in mind.
    pub mind: AgentState,
    /// Its step, by the table.
    pub at: Mover,
    pub status: Status,
    /// What it was assigned, while there is something.
    pub task: Option<Assignment>,
    /// The model call that comes next, or is under way.
    pub call: ModelCall,
    /// What the model last decided, while it is acted upon.
    pub verdict: Option<Box<Verdict>>,
    /// Whether it has been acted upon.
    pub obeyed: bool,
    /// The operations that it asked for.
    pub batch: Option<Batch>,
    /// Model calls since a person last spoke.
    pub rounds: u32,
    /// Digests of what was wanted since then, to see that it goes in circles.
    pub traces: Vec<String>,
    /// The question that waits for a person.
    pub gate: Option<GateState>,
    /// Whether it only answers a question beside the work.
    pub aside: bool,
    /// What the person last said to it.
    pub said: String,
    /// The turn in which they did: what is changed for it belongs to that turn.
    #[serde(default)]
    pub turn: u32,
    /// What was last asked of the person, until they speak again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// How often the model went on in a row without doing anything.
    #[serde(default)]
    pub idle: u32,
    /// The last move that was refused, where to and why, until the next call has been told (G16).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<(String, NotMoved)>,
    /// When its step last changed.
    pub moved_at: Timestamp,
}

/// What a task is about, from its title to its last review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    pub title: String,
    /// Its plan, under its name.
    pub plan: Option<(String, Plan)>,
    /// The plan of the one of its steps that is being carried out, where that has one (G47).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<(String, Plan)>,
    /// What the plan asks for, by its name (DUCK-124).
    pub specs: Vec<ActionSpec>,
    /// How often a failure led back to planning.
    pub recoveries: u32,
    /// Files changed so far.
    pub changed: u32,
    /// The project's checks that failed since files last changed, as one types them: with any, the task is not done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub red: Vec<String>,
    /// The turn in which they were last run.
    #[serde(default)]
    pub checked: u32,
    /// Whether files have changed since the last of them came to its end: then nobody knows what they say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unchecked: bool,
    /// Reviews and how often they sent the work back.
    pub reviews: Rounds,
    /// The last review.
    pub review: Option<Review>,
    /// What a model called the risk of it.
    pub raised: Option<Risk>,
    /// What a person turned down in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turned_down: Vec<TurnedDown>,
    /// The turn in which it began.
    #[serde(default)]
    pub since: u32,
}

/// One thing that a plan asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionSpec {
    /// Of which kind: `implement`.
    pub kind: String,
    /// The file, where it is known.
    pub path: Option<String>,
    pub description: String,
    /// Whether it may be left out.
    pub optional: bool,
}

/// Which model call comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelCall {
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
    /// The turns it was done in were taken back.
    TakenBack,
    /// The person went on to something else, and nobody accepted the result.
    LeftBehind,
}

impl Task {
    /// An empty task: PLANNING and waiting for a word (G9).
    pub(super) fn new(id: u32, aside: bool) -> Self {
        Self {
            id,
            mind: AgentState::default(),
            at: Mover::at_state(Step::Planning.word()),
            status: Status::RequiresUserInput,
            task: None,
            call: ModelCall::Main,
            verdict: None,
            obeyed: false,
            batch: None,
            rounds: 0,
            traces: Vec::new(),
            gate: None,
            aside,
            said: String::new(),
            turn: 0,
            asked: None,
            idle: 0,
            refused: None,
            moved_at: Timestamp::default(),
        }
    }

    /// The thread in which it is talked about. Recorded threads keep this name.
    pub fn thread(&self) -> String {
        format!("desk-{}", self.id)
    }

    /// Its step. The end of a task is no step: then it is where the next one begins.
    pub fn step(&self) -> Step {
        Step::from_word(self.at.at()).unwrap_or_default()
    }

    /// Whether there is a plan of which nothing has been carried out.
    pub(super) fn is_only_planned(&self) -> bool {
        self.task.as_ref().is_some_and(|work| work.plan.is_some() && work.changed == 0)
    }

    /// The procedure that mends what a review found: the plan's, as long as there is only a plan.
    pub(super) fn repair_procedure(&self) -> Procedure {
        let is_review = self.call.procedure() == Some(Procedure::Review);
        if is_review && self.is_only_planned() { Procedure::Planning } else { Procedure::Execution }
    }

    /// How often exactly this was wanted since a person last spoke.
    pub(super) fn wanted(&self, trace: &str) -> usize {
        self.traces.iter().filter(|known| *known == trace).count()
    }

    /// Whether a person has turned down in this task what is wanted at this place of a batch.
    pub(super) fn has_turned_down(&self, batch: &Batch, place: usize) -> bool {
        let known = self.task.as_ref().map_or(&[][..], |work| &work.turned_down);
        !known.is_empty()
            && TurnedDown::of(self, batch, place).is_some_and(|one| known.iter().any(|known| known.is(&one)))
    }

    /// The wanted actions at these places of the verdict.
    pub(super) fn action(&self, place: u32) -> Option<&Action> {
        self.verdict.as_ref()?.actions.get(place as usize)
    }
}

impl ModelCall {
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

impl Assignment {
    /// Remembers what a person turned down.
    pub(super) fn turn_down(&mut self, one: TurnedDown) {
        self.turned_down.retain(|known| !known.is(&one));
        self.turned_down.push(one);
        let surplus = self.turned_down.len().saturating_sub(turned_down::MOST);
        self.turned_down.drain(..surplus);
    }

    /// What it made was taken back in part, or was to be: the checks spoke of other files.
    pub(super) fn doubt_checks(&mut self, restored: bool) {
        self.checked = 0;
        self.unchecked |= restored && (self.changed > 0 || !self.red.is_empty());
    }

    /// A task that has just begun.
    pub(super) fn new(title: &str, since: u32) -> Self {
        Self {
            title: title.to_owned(),
            plan: None,
            part: None,
            specs: Vec::new(),
            recoveries: 0,
            changed: 0,
            red: Vec::new(),
            checked: 0,
            unchecked: false,
            reviews: Rounds::new(MOST_SENT_BACK),
            review: None,
            raised: None,
            turned_down: Vec::new(),
            since,
        }
    }
}

/// How often a review may send work back before a person looks.
const MOST_SENT_BACK: u32 = 2;
