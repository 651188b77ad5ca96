//! Accepted work is committed where the folder is under git: on a person's word, or by their setting, never unasked.
//!
//! Only files that this session changed are in it, and of these only what is not committed yet. What the person has
//! staged or changed besides stays as it is.

use std::collections::BTreeSet;
use std::sync::Arc;

use enza_kernel::application::Draft;
use enza_kernel::effect::{Key, Outcome};
use enza_kernel::limits::{self, Limit};
use serde::{Deserialize, Serialize};

use super::event::Event;
use super::refusal::Refusal;
use super::state::State;
use super::{Companion, words};
use enza_work::{Change, Job, Receipt};

/// What a person may write as the message of a commit.
const MESSAGE: Limit = Limit { name: "message", graphemes: 2_000, bytes: 8_000 };
/// How long a message is that we make ourselves, in characters.
const SUBJECT: usize = 72;
/// How long the line at the end of a message may be, in characters.
const MOST_ATTRIBUTION: usize = 200;

/// A commit on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingCommit {
    /// Its name as an effect.
    pub key: Key,
    /// The mark of the attempt whose start is recorded.
    pub started: Option<String>,
    pub message: String,
    pub paths: Vec<String>,
}

impl PendingCommit {
    /// The order for it.
    pub(super) fn job(&self) -> Job {
        Job::Commit { paths: self.paths.clone(), message: self.message.clone() }
    }
}

/// Files that were changed and are not committed.
pub(super) fn remember(uncommitted: &mut Arc<BTreeSet<String>>, changes: &[Change]) {
    let paths = changes.iter().flat_map(|change| std::iter::once(&change.path).chain(&change.to));
    let new: Vec<&String> = paths.filter(|path| !path.starts_with('/') && !uncommitted.contains(*path)).collect();
    if !new.is_empty() {
        Arc::make_mut(uncommitted).extend(new.into_iter().cloned());
    }
}

/// Files that are as they were committed, or as they were before.
pub(super) fn forget(uncommitted: &mut Arc<BTreeSet<String>>, paths: &[String]) {
    Arc::make_mut(uncommitted).retain(|path| !paths.contains(path));
}

/// A person asks for a commit.
pub(super) fn commit(draft: &mut Draft<'_, Companion>, message: Option<String>) -> Result<(), Refusal> {
    let is_busy = draft.state.desks.iter().any(|task| draft.state.is_busy(task));
    if is_busy || draft.state.is_changing_files() {
        return Err(Refusal::Busy);
    }
    if draft.state.uncommitted.is_empty() {
        return Err(Refusal::NothingToCommit);
    }
    let message = message.filter(|message| !message.trim().is_empty());
    let message = message.map(|message| MESSAGE.check(&message)).transpose().map_err(Refusal::Text)?;
    let message = attributed(message.unwrap_or_else(|| subject(&draft.state)), &draft.state);
    let paths = draft.state.uncommitted.iter().cloned().collect();
    draft.record(Event::Committing { message, paths });
    Ok(())
}

/// A result was accepted: it is committed, if that is what the person set.
pub(super) fn commit_if_set(draft: &mut Draft<'_, Companion>) {
    if draft.state.settings.commit {
        // Nothing to commit, or other work under way: the person can still ask for it.
        let _ = commit(draft, None);
    }
}

/// The message with the line that the person wants at the end of it, as a trailer.
fn attributed(message: String, state: &State) -> String {
    let line = state.settings.attribution.as_deref().map(|line| limits::one_line(line, MOST_ATTRIBUTION));
    match line.filter(|line| !line.is_empty()) {
        Some(line) => format!("{}\n\n{line}", message.trim_end()),
        None => message,
    }
}

/// What the work was about, in one line.
fn subject(state: &State) -> String {
    let said = state.turns.iter().rev().find(|turn| !turn.changes.is_empty()).map(|turn| turn.said.clone());
    limits::one_line(state.last_task.as_ref().or(said.as_ref()).map_or("", String::as_str), SUBJECT)
}

/// Takes in what came of a commit.
pub(super) fn settle(draft: &mut Draft<'_, Companion>, key: Key, outcome: Outcome) {
    let lang = draft.state.lang();
    match outcome {
        Outcome::Starting { mark } => draft.record(Event::OrderStarted { order: key, mark }),
        Outcome::Returned { text } => match serde_json::from_str(&text) {
            Ok(Receipt::Committed(commit)) => draft.record(Event::Committed { commit }),
            Ok(Receipt::Refused(fault)) => {
                let said = fault.say(lang);
                draft.record(Event::CommitFailed { why: said.in_one() });
            }
            Ok(_) => draft.record(Event::CommitFailed { why: text }),
            Err(why) => draft.record(Event::CommitFailed { why: why.to_string() }),
        },
        Outcome::ToolFailed { why } => draft.record(Event::CommitFailed { why }),
        Outcome::Unknown => draft.record(Event::CommitFailed { why: words::lost(lang).to_owned() }),
        Outcome::Replied { .. }
        | Outcome::Unanswered { .. }
        | Outcome::TooLong { .. }
        | Outcome::CallsLost { .. }
        | Outcome::Delivered { .. }
        | Outcome::Declined { .. }
        | Outcome::Found { .. }
        | Outcome::Rang => {}
    }
}
