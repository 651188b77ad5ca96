//! A session of the companion, rebuilt from its events.
//!
//! Bounded: the threads are compacted, lists have their limits, contents of files are never here. It is copied for every
//! decision, so what grows with a session is shared between copies. One owner of everything: the talk, what goes on behind
//! and questions aside are tasks of the same session, so whatever one of them did, the other sees (DUCK-48).

use std::collections::BTreeSet;
use std::sync::Arc;

use enza_kernel::agent::{ThreadFailure, ThreadState, Threads};
use enza_kernel::effect::Key;
use enza_kernel::text::Lang;
use enza_kernel::time::{Seq, Timestamp};
use serde::{Deserialize, Serialize};

use super::batch::{Batch, OrderState, Stage};
use super::command::{Attached, Instruction};
use super::commit::PendingCommit;
use super::consent::Rule;
use super::constraints::Constraint;
use super::keep_rule::PendingRule;
use super::latest::Latest;
use super::memory::Memory;
use super::settings::{Mode, Settings};
use super::steps::{Status, Step};
use super::task::{Assignment, Task};
use enza_work::{Bounds, Change, Offered, Run};

/// How many turns can be taken back.
pub(super) const MOST_TURNS: usize = 200;
/// How many moves are remembered (DUCK-80, G42).
pub(super) const MOST_MOVES: usize = 200;
/// How many exchanges the main prompt shows (DUCK-21).
pub(super) const EXCHANGES: usize = 3;
/// How many exchanges are kept at greater length, and how much of each side, in characters.
pub(super) const TALKS: usize = 8;
pub(super) const LONG: usize = 1_500;
/// How many messages may wait for their turn.
pub(super) const MOST_QUEUED: usize = 20;

/// A session.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct State {
    pub owner: String,
    /// The folder of work.
    pub folder: String,
    /// The language of prompts and messages.
    pub lang: Option<Lang>,
    pub settings: Settings,
    /// What the project tells its helpers.
    pub instructions: Vec<Instruction>,
    /// The names of what was in the folder when it began.
    pub map: String,
    /// The session's short name.
    pub name: String,
    /// Tools of connected servers.
    pub tools: Vec<Offered>,
    /// Whether a person can be asked.
    pub attended: bool,
    /// The threads, and the one ledger of all of them.
    pub cast: Threads,
    /// Every piece of work.
    pub desks: Vec<Task>,
    pub focus: u32,
    pub desks_made: u32,
    /// What is carried over.
    pub memory: Memory,
    /// The latest exchanges, the newest last.
    pub recent: Vec<Exchange>,
    /// The same at greater length, for talk that goes on at another place.
    pub talk: Latest<Exchange>,
    /// Rules of this session.
    pub rules: Vec<Rule>,
    /// What the person forbade.
    pub constraints: Vec<Constraint>,
    /// Messages that wait for their turn.
    pub queue: Vec<Queued>,
    /// The turns that can be taken back, the newest last.
    pub turns: Latest<Turn>,
    /// How many turns there have been.
    pub turn: u32,
    /// Changes that are being taken back.
    pub taking_back: Option<PendingUndo>,
    /// Files that were changed and are not committed.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub uncommitted: Arc<BTreeSet<String>>,
    /// A commit on its way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub committing: Option<PendingCommit>,
    /// What the last accepted task was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_task: Option<String>,
    /// What touched the folder when the person broke in: changes are made to the end, a command is stopped. Either belongs to
    /// the turn, and nothing else touches the folder before it is over.
    #[serde(default)]
    pub leaving: Vec<DetachedOrder>,
    /// Rules for the project that are still to be written down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<PendingRule>,
    /// The latest moves, refused ones too.
    pub moves: Latest<MoveRecord>,
    /// How many gates there have been.
    pub gates: u32,
    /// How many plans were made.
    pub plans: u32,
    /// When anything last happened.
    pub changed: Timestamp,
    /// What a person calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The first words of the person, by which it is known until it is called something.
    pub began_with: String,
    /// Whether it is over.
    pub closed: bool,
}

/// What was said and what was replied, each in one line of at most 100 characters (G39).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    #[serde(default)]
    pub turn: u32,
    pub said: String,
    pub replied: String,
}

/// A message that waits for its turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queued {
    pub text: String,
    pub files: Vec<Attached>,
}

/// A turn: from one word of the person to the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Its number, from 1.
    pub number: u32,
    /// The last event before it: a session forked there knows nothing of it.
    pub before: Seq,
    pub said: String,
    /// What was changed in it, the oldest first.
    pub changes: Vec<Change>,
    /// The event that told of each of them. Work that goes on behind belongs to an older turn than what is done meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told_at: Vec<Seq>,
    /// The files whose changes were taken back, once that has been done: it stays to be seen, and to be forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_back: Option<Vec<String>>,
}

/// Changes that are being taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingUndo {
    /// Its name as an effect.
    pub key: Key,
    /// The first turn that is taken back.
    pub turn: u32,
    /// What is taken back.
    pub changes: Vec<Change>,
}

/// An order that nobody waits for any longer. Changes are made all the same, since half a change is worse than either.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DetachedOrder {
    /// Its name as an effect.
    pub key: Key,
    /// The piece of work that it was done for.
    #[serde(default)]
    pub desk: u32,
    /// The turn that it belongs to.
    #[serde(default)]
    pub turn: u32,
    pub changes: Vec<Change>,
    /// Whether it is not made but put back, since it was forbidden while it was being made.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub back: bool,
    /// The command that is being stopped, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopping: Option<StoppingRun>,
    /// The run of a command whose end nobody saw, where it is to be found out what it left behind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovers: Option<Key>,
}

/// A command that is being stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoppingRun {
    pub run: Run,
    /// The mark of the attempt whose start is recorded.
    pub started: String,
    /// The name of the order to end it, until that was heard.
    pub halt: Option<Key>,
    /// Paths outside that were opened to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub granted: Vec<String>,
}

/// A move, made or refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Which piece of work.
    pub desk: u32,
    /// From where.
    pub from: String,
    pub to: String,
    pub trigger: String,
    /// Whether it was made.
    pub made: bool,
    pub at: Timestamp,
}

impl Turn {
    /// Takes in changes that an event told of.
    pub(super) fn add(&mut self, changes: Vec<Change>, seq: Seq) {
        self.told_at.extend(changes.iter().map(|_| seq));
        self.changes.extend(changes);
    }

    /// Forgets changes that were put back.
    pub(super) fn forget(&mut self, is_forgotten: impl Fn(&Change) -> bool) {
        let kept: Vec<(Seq, Change)> = self
            .told()
            .filter(|(_, change)| !is_forgotten(change))
            .map(|(seq, change)| (seq, change.clone()))
            .collect();
        (self.told_at, self.changes) = kept.into_iter().unzip();
    }

    /// Its changes are taken back.
    pub(super) fn take_back(&mut self) {
        let paths = self.taken_back.get_or_insert_default();
        self.told_at.clear();
        for change in self.changes.drain(..) {
            if !paths.contains(&change.path) {
                paths.push(change.path);
            }
        }
    }

    /// Its changes, each with the event that told of it.
    fn told(&self) -> impl Iterator<Item = (Seq, &Change)> {
        self.told_at.iter().copied().zip(&self.changes)
    }
}

impl State {
    /// The language of prompts and messages.
    pub fn lang(&self) -> Lang {
        self.lang.unwrap_or(Lang::En)
    }

    /// A piece of work.
    pub fn task(&self, id: u32) -> Option<&Task> {
        self.desks.iter().find(|task| task.id == id)
    }

    pub(super) fn task_mut(&mut self, id: u32) -> Option<&mut Task> {
        self.desks.iter_mut().find(|task| task.id == id)
    }

    /// The piece of work in front.
    pub fn front(&self) -> Option<&Task> {
        self.task(self.focus)
    }

    /// The piece of work whose thread this is.
    pub fn task_of(&self, thread: &str) -> Option<&Task> {
        self.desks.iter().find(|task| task.thread() == thread)
    }

    /// The piece of work and the place in its batch of an order.
    pub(super) fn find_order(&self, key: Key) -> Option<(&Task, usize)> {
        self.desks.iter().find_map(|task| {
            let place = task.batch.as_ref()?.orders.iter().position(|order| order.key == key)?;
            Some((task, place))
        })
    }

    /// Whether a piece of work is being worked on, by a model or in the folder.
    pub fn is_busy(&self, task: &Task) -> bool {
        let thread = self.cast.threads.get(&task.thread());
        let asks = thread.is_some_and(|thread| thread.asking().is_some());
        asks || task.batch.as_ref().is_some_and(|batch| batch.stage != Stage::Asking)
    }

    /// Whether something besides the pieces of work touches the folder.
    pub(super) fn works_in_folder(&self) -> bool {
        self.taking_back.is_some() || self.committing.is_some()
    }

    /// The order that is being carried out in the folder: of all pieces of work one at a time touches it. It is the oldest
    /// that is open, so none that comes later takes the folder from it in the middle.
    pub(super) fn running_order(&self) -> Option<(&Task, &OrderState)> {
        if self.works_in_folder() || !self.leaving.is_empty() {
            return None;
        }
        let open = self.desks.iter().filter_map(|task| Some((task, task.batch.as_ref()?.under_way()?)));
        open.min_by_key(|(_, order)| order.key)
    }

    /// Whether files are being changed or taken back right now. Commands of a person's or a model's choosing count only while
    /// they are being stopped.
    pub fn is_changing_files(&self) -> bool {
        let makes = |batch: &Batch| batch.orders.iter().any(|order| order.touches_files() && order.receipt.is_none());
        self.works_in_folder()
            || !self.leaving.is_empty()
            || self.desks.iter().filter_map(|task| task.batch.as_ref()).any(makes)
    }

    /// Why a piece of work cannot go on by itself.
    pub fn failure(&self, task: &Task) -> Option<&ThreadFailure> {
        match &self.cast.threads.get(&task.thread())?.standing {
            ThreadState::Failed { failure } => Some(failure),
            ThreadState::Resting | ThreadState::Asking { .. } | ThreadState::Acting { .. } => None,
        }
    }

    /// The project's checks that fail in whatever is under way, as one types them.
    pub fn red_checks(&self) -> Vec<String> {
        self.desks.iter().filter_map(|task| task.task.as_ref()).flat_map(|work| work.red.clone()).collect()
    }

    /// Whether files of a task have changed and the project's checks were not run to their end since. While nothing may be
    /// changed they are not run either.
    pub(super) fn is_unchecked(&self, work: &Assignment) -> bool {
        work.unchecked && !self.settings.checks.is_empty() && self.settings.mode != Mode::Plan
    }

    /// The rules that hold: those of the settings, then those of the session.
    pub fn all_rules(&self) -> Vec<Rule> {
        self.settings.rules.iter().chain(&self.rules).cloned().collect()
    }

    /// How far the workshop may go under the rules that hold.
    pub fn bounds(&self) -> Bounds {
        self.settings.bounds_under(&self.all_rules())
    }

    /// What the person forbade that this path runs into.
    pub fn forbidden(&self, path: &str) -> Option<&Constraint> {
        self.constraints.iter().find(|constraint| constraint.forbids(path))
    }

    /// The turn that something changed for a piece of work belongs to: the one in which a person last spoke to it.
    pub(super) fn turn_of(&mut self, task: u32) -> Option<&mut Turn> {
        let number = self.task(task).map(|task| task.turn);
        self.turns.find_mut(|turn| Some(turn.number) == number)
    }

    /// Every change of a turn and of those after it, in the order in which they were made.
    pub(super) fn changes_since(&self, turn: u32) -> Vec<Change> {
        let turns = self.turns.iter().filter(|one| one.number >= turn);
        let mut changes: Vec<(Seq, &Change)> = turns.flat_map(|one| one.told()).collect();
        changes.sort_by_key(|(seq, _)| *seq);
        changes.into_iter().map(|(_, change)| change.clone()).collect()
    }

    /// Those of some changes that may not be made: by what a person forbade, or by a rule.
    pub(super) fn forbidden_changes(&self, changes: &[Change]) -> Vec<Change> {
        let rules = self.all_rules();
        let may_not = |path: &str| self.forbidden(path).is_some() || rules.iter().any(|rule| rule.denies_change(path));
        let is_against = |change: &&Change| may_not(&change.path) || change.to.as_deref().is_some_and(may_not);
        changes.iter().filter(is_against).cloned().collect()
    }

    /// Step and status of the piece of work in front.
    pub fn position(&self) -> (Step, Status) {
        self.front().map_or((Step::default(), Status::default()), |task| (task.step(), task.status))
    }
}
