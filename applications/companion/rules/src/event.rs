//! What happened in a session of the companion.
//!
//! This is a table: one flat list of facts, because a fact's name and fields are its form in the log, and old logs are
//! read for ever. What a fact changes is `evolve`'s, what a person sees of it is `lines`'. A fact that has gone out of
//! use stays here; a new field has a default.

use enza_kernel::agent;
use enza_kernel::effect::Key;
use enza_kernel::gate::{Answer, Gate};
use enza_kernel::moves::{MoveKind, NotMoved};
use serde::{Deserialize, Serialize};

use super::agent_state::Delta;
use super::batch::Want;
use super::command::{Attached, Open, Pick, When};
use super::consent::{Decision, Rule, Scope};
use super::constraints::Constraint;
use super::note::Note;
use super::settings::Mode;
use super::share::Share;
use super::steps::Status;
use super::task::{Ending, ModelCall};
use super::verdict::{Plan, Review, Verdict};
use enza_work::{Change, Receipt, RestoreResult};

/// A recorded fact. `desk` is the number of the task that it belongs to: what is recorded keeps its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The session began.
    Opened(Box<Opened>),
    /// A person spoke and is being answered. A new turn.
    Heard {
        /// The piece of work that hears it.
        desk: u32,
        text: String,
        when: When,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<Attached>,
    },
    /// A person spoke while work was under way; it waits for its turn.
    Queued {
        text: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<Attached>,
    },
    /// A piece of work got a place of its own: the first, one beside it, or one in the background.
    DeskSet {
        desk: u32,
        /// Whether it only answers and changes nothing.
        aside: bool,
    },
    /// Something happened in a thread.
    Stepped(agent::Step),
    /// A model's reply was read.
    Judged {
        /// Which piece of work.
        desk: u32,
        verdict: Box<Verdict>,
    },
    /// What was decided is being acted upon.
    Obeyed {
        /// Which piece of work.
        desk: u32,
    },
    /// The person was told something by the model.
    Spoke {
        /// Which piece of work.
        desk: u32,
        text: String,
    },
    /// The model asked the person something.
    Asked {
        /// Which piece of work.
        desk: u32,
        /// The question, in one line.
        question: String,
    },
    /// The model wanted to go on, and did nothing.
    Idled {
        /// Which piece of work.
        desk: u32,
    },
    /// Commands changed what may not be changed: it is put back.
    PutBack {
        /// Which piece of work.
        desk: u32,
        /// What is put back.
        changes: Vec<Change>,
    },
    /// The person was told something by the rules.
    Noted {
        /// Which piece of work.
        desk: u32,
        note: Note,
    },
    /// What is held in mind changed.
    Minded {
        /// Which piece of work.
        desk: u32,
        delta: Delta,
        /// Fields that were cut to their limit.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cut: Vec<String>,
    },
    /// A task began, at PLANNING and in progress.
    TaskBegun {
        /// Which piece of work.
        desk: u32,
        title: String,
    },
    /// A task came to its end.
    TaskEnded {
        /// Which piece of work.
        desk: u32,
        ending: Ending,
    },
    /// A plan was made.
    Planned {
        /// Which piece of work.
        desk: u32,
        /// The plan's name in `context_refs`.
        plan_id: String,
        plan: Plan,
    },
    /// The step changed.
    Moved {
        /// Which piece of work.
        desk: u32,
        /// By which list of the table.
        way: MoveKind,
        /// From where.
        from: String,
        to: String,
        /// What brought it about.
        trigger: String,
    },
    MoveRefused {
        /// Which piece of work.
        desk: u32,
        to: String,
        why: NotMoved,
        trigger: String,
    },
    /// The status changed.
    StatusSet {
        /// Which piece of work.
        desk: u32,
        status: Status,
    },
    /// Work came to its end and counts as an utterance: one move may follow.
    Completed {
        /// Which piece of work.
        desk: u32,
    },
    /// Which model call comes next.
    CallSet {
        /// Which piece of work.
        desk: u32,
        call: ModelCall,
    },
    /// Operations are to be carried out.
    Wanted {
        /// Which piece of work.
        desk: u32,
        wants: Vec<Want>,
        /// The digest of them, to see that the same is not tried for ever.
        trace: String,
    },
    /// It was decided what may be done.
    Decided {
        /// Which piece of work.
        desk: u32,
        /// For each want, in order.
        decisions: Vec<Decision>,
    },
    /// The operations that may be done are being done.
    CarriedOn {
        /// Which piece of work.
        desk: u32,
    },
    /// The project's checks are run once more, since a person may have changed something.
    CheckedAgain {
        /// Which piece of work.
        desk: u32,
    },
    /// An order that must not be repeated is about to be carried out.
    OrderStarted {
        order: Key,
        /// The attempt's mark.
        mark: String,
    },
    /// An order came to its end.
    OrderEnded {
        order: Key,
        receipt: Box<Receipt>,
    },
    /// Nobody knows how an order ended.
    OrderLost {
        order: Key,
        /// Whether it is found out what it left behind, where it was a command.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        recovers: bool,
    },
    /// The operations of a piece of work came to their end, or were given up.
    BatchEnded {
        /// Which piece of work.
        desk: u32,
    },
    /// A person is asked.
    GateOpened {
        /// Which piece of work.
        desk: u32,
        gate: Gate,
    },
    /// A person answered.
    GateAnswered {
        /// Which piece of work.
        desk: u32,
        answer: Answer,
        /// How long it counts.
        #[serde(default)]
        scope: Scope,
        /// Where not everything is taken as it is.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        picks: Vec<Pick>,
        /// The places of what was asked for and of which nothing is taken.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left: Vec<u32>,
        /// What was taken of each thing, where not everything was.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        shares: Vec<Share>,
    },
    /// A person opened closed paths for the operations under way, and for nothing else.
    Granted {
        /// Which piece of work.
        desk: u32,
        /// The paths, letter by letter.
        paths: Vec<String>,
    },
    /// A question was taken off, because the work was stopped or the files changed.
    GateWithdrawn {
        /// Which piece of work.
        desk: u32,
    },
    /// A review came in.
    Reviewed {
        /// Which piece of work.
        desk: u32,
        review: Review,
    },
    /// A failure led back to planning, and counts.
    Recovered {
        /// Which piece of work.
        desk: u32,
        /// What went wrong.
        error: String,
    },
    RuleKept {
        rule: Rule,
        scope: Scope,
    },
    /// A rule for the project was written down.
    RuleWritten {
        order: Key,
        at: String,
    },
    /// A rule for the project could not be written down; it holds for this session.
    RuleNotWritten {
        order: Key,
        why: String,
    },
    /// A rule of the session is gone.
    RuleForgotten {
        /// Its place in the list.
        place: u32,
    },
    /// A person forbade something.
    Forbidden {
        constraint: Constraint,
    },
    /// What was forbidden is lifted.
    Lifted {
        /// Its place in the list.
        place: u32,
    },
    /// The task in front goes on in the background.
    SentBack {
        /// Which piece of work.
        desk: u32,
    },
    /// A piece of work is in front.
    BroughtForward {
        /// Which piece of work.
        desk: u32,
    },
    /// A piece of work is over and its place is free.
    DeskCleared {
        desk: u32,
    },
    /// Changes are being taken back.
    TakingBack {
        /// The first turn that is taken back.
        turn: u32,
        /// What is taken back, the oldest first.
        changes: Vec<Change>,
    },
    /// Changes were taken back.
    TakenBack {
        /// The first turn that was taken back.
        turn: u32,
        restored: RestoreResult,
    },
    /// The session is called something.
    Renamed {
        title: String,
    },
    /// Changed files are being committed.
    Committing {
        message: String,
        paths: Vec<String>,
    },
    Committed {
        /// The commit, by its name.
        commit: String,
    },
    /// They were not committed.
    CommitFailed {
        why: String,
    },
    /// How it behaves was changed.
    ModeSet {
        mode: Mode,
    },
    /// More tokens are allowed.
    BudgetRaised {
        tokens: u64,
    },
    /// The session is over.
    Closed,
}

/// How a session began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    pub owner: String,
    /// When, as a person reads it.
    pub on: String,
    #[serde(flatten)]
    pub open: Open,
}
