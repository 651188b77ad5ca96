//! Operations on their way: what a reply wants, what may be done of it, and the orders that do it.
//!
//! Everything wanted in one reply is looked at, decided, asked for and done together. Which prepared change belongs to
//! which want is decided here and nowhere else, since consent hangs on it.

use enza_kernel::effect::Key;
use serde::{Deserialize, Serialize};

use super::action::Operation;
use super::command::Pick;
use super::consent::{Decision, is_change};
use enza_work::{Change, Fault, PreparedChange, Receipt};

/// Operations on their way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    pub wants: Vec<Want>,
    /// What may be done, once it was decided.
    pub decisions: Vec<Decision>,
    pub stage: Stage,
    /// The orders under way or done, in order.
    pub orders: Vec<OrderState>,
    pub prepared: Vec<PreparedChange>,
    /// What the person took of them, where not everything.
    pub picks: Vec<Pick>,
    /// What commands changed although it may not be changed, and is put back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub put_back: Vec<Change>,
    /// Closed paths that the person has opened for these operations alone (G22).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub granted: Vec<String>,
    /// Paths outside that the person has opened to the commands among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<String>,
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
    pub operation: Operation,
    /// The path, the command in one line, or the tool.
    pub target: String,
    pub why: String,
}

/// An order on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OrderState {
    /// Its name as an effect.
    pub key: Key,
    pub does: OrderKind,
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
pub enum OrderKind {
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
    /// Puts back what commands changed against the rules, from this place of the list on.
    PutBack(u32),
    /// Sees what a command left behind whose end nobody saw: the order at this place of the list.
    Recover(u32),
}

impl Batch {
    /// Whether every order has come to its end.
    pub(super) fn is_settled(&self) -> bool {
        self.orders.iter().all(|order| order.receipt.is_some() || order.lost)
    }

    /// The order that has begun to do something and has not come to its end.
    pub(super) fn under_way(&self) -> Option<&OrderState> {
        let is_doing = matches!(self.stage, Stage::Doing | Stage::Checking);
        self.orders.iter().find(|order| order.receipt.is_none() && !order.lost).filter(|_| is_doing)
    }

    /// The places of the wants that a person is asked about.
    pub(super) fn asked(&self) -> impl Iterator<Item = usize> {
        let decisions = self.decisions.iter().enumerate();
        decisions.filter(|(_, decision)| **decision == Decision::Asked).map(|(place, _)| place)
    }

    /// The wants that may be done, with their places.
    pub(super) fn allowed(&self) -> impl Iterator<Item = (u32, &Want)> {
        let is_allowed = |place: usize| matches!(self.decisions.get(place), Some(Decision::Allowed(_)));
        self.wants
            .iter()
            .enumerate()
            .filter(move |(place, _)| is_allowed(*place))
            .map(|(place, want)| (place as u32, want))
    }

    /// The prepared changes of one want. A file that was asked for under another name, by a link or a roundabout path,
    /// belongs to whoever named it so; one that nobody is seen to have named belongs to every want that changes files, so
    /// that nothing is decided by the want it came with alone.
    pub(super) fn changes_of(&self, place: usize) -> impl Iterator<Item = &PreparedChange> {
        self.prepared.iter().filter(move |one| self.is_of(place, one))
    }

    /// Whether a prepared change is one of a want's.
    pub fn is_of(&self, place: usize, prepared: &PreparedChange) -> bool {
        let names = |want: &Want, one: &PreparedChange| {
            is_change(want.operation) && want.operation != Operation::Patch && want.names(one)
        };
        let is_named = |one: &PreparedChange| self.wants.iter().any(|want| names(want, one));
        let has_patch = self.wants.iter().any(|want| want.operation == Operation::Patch);
        match self.wants.get(place) {
            Some(want) if !is_change(want.operation) => false,
            // A patch names nothing itself. Where others have named every change, it is in some of theirs.
            Some(want) if want.operation == Operation::Patch => {
                !is_named(prepared) || self.prepared.iter().all(is_named)
            }
            Some(want) => want.names(prepared) || (!is_named(prepared) && !has_patch),
            None => false,
        }
    }

    /// What is denied is not prepared any longer: it is neither shown nor picked nor made with what is allowed beside it. What
    /// a person picked of the rest stays picked, by its new place.
    pub(super) fn drop_denied(&mut self) {
        let denied: Vec<usize> =
            (0..self.decisions.len()).filter(|place| matches!(self.decisions[*place], Decision::Denied(_))).collect();
        let is_kept = |one: &PreparedChange| !denied.iter().any(|place| self.is_of(*place, one));
        let kept: Vec<usize> = (0..self.prepared.len()).filter(|place| is_kept(&self.prepared[*place])).collect();
        self.picks.retain_mut(|pick| match kept.iter().position(|place| *place == pick.file as usize) {
            Some(place) => {
                pick.file = place as u32;
                true
            }
            None => false,
        });
        self.prepared = kept.into_iter().map(|place| self.prepared[place].clone()).collect();
    }

    /// Whether a command among them was kept from reading something.
    pub(super) fn has_kept_command(&self) -> bool {
        self.orders.iter().any(|order| matches!(order.does, OrderKind::Run(_)) && order.closed().is_some())
    }

    /// Whether any change to files may be made.
    pub(super) fn allows_change(&self) -> bool {
        self.allowed().any(|(_, want)| is_change(want.operation))
    }

    /// Whether a person picked some of the changes and it is not yet worked out what that comes to.
    pub(super) fn must_choose(&self) -> bool {
        let is_chosen = self.orders.iter().any(|order| order.does == OrderKind::Choose);
        self.allows_change() && !self.picks.is_empty() && !is_chosen
    }
}

impl OrderState {
    /// Whether it changes files by itself.
    pub(super) fn touches_files(&self) -> bool {
        matches!(self.does, OrderKind::Make | OrderKind::PutBack(_))
    }

    /// The closed path that a look, a preparation or a command ran into, with what is said about it.
    pub(super) fn closed(&self) -> Option<(&str, &Fault)> {
        let fault = match self.receipt.as_deref()? {
            Receipt::Refused(fault) => fault,
            Receipt::Ran(ran) => ran.kept_from.as_deref()?,
            _ => return None,
        };
        match (self.does, fault) {
            (OrderKind::Run(_), Fault::KeptFrom { path }) => Some((path, fault)),
            (
                OrderKind::Look(_) | OrderKind::Prepare,
                Fault::OutsideToRead { path }
                | Fault::OutsideToWrite { path }
                | Fault::Secret { path }
                | Fault::Closed { path },
            ) => Some((path, fault)),
            _ => None,
        }
    }
}

impl Want {
    /// Whether a prepared change is to the file or in the folder that this names.
    fn names(&self, prepared: &PreparedChange) -> bool {
        let target = plain(&self.target);
        let is_there = |path: &str| {
            let path = plain(path);
            path == target || path.strip_prefix(&target).is_some_and(|rest| rest.starts_with('/'))
        };
        std::iter::once(prepared.change.path.as_str()).chain(prepared.asked_as()).any(is_there)
    }
}

/// A path without the parts that lead nowhere.
fn plain(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}
