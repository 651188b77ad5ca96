//! What is carried from one session in a folder to the next, in a file beside the data: memory, what was forbidden, where
//! the work stood, and which session was the last.
//!
//! Sessions of a folder may run side by side, be gone on with in any order, and be killed. So nothing is written over: each
//! adds what it has to say, under a lock, to what the others said (`word` for what is forbidden). A session that ended
//! before it could carry is read again from its log. The file goes by a digest of the folder's path, so that nothing is
//! ever written into the project. It is complete or not there; one that cannot be read is put aside.

mod file;
mod prohibition;

use std::io;
use std::path::Path;

use enza_companion::{Constraint, Memory, State, Task, Unfinished};
use enza_kernel::time::Seq;
use enza_runtime::engine::Engine;
use enza_runtime::seams::store::{Recorded, SessionId};
use serde::{Deserialize, Serialize};

pub use file::read;
pub use prohibition::{ProhibitionStatus, is_said_in};

/// How many sessions a folder knows by what they carried.
const MOST_SESSIONS: usize = 50;

/// What is kept about a folder.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FolderMemory {
    /// The folder, for whoever looks at the file.
    pub folder: String,
    /// The last session.
    pub session: Option<String>,
    /// What is remembered; what is forbidden in it is made from the words.
    pub memory: Memory,
    /// The last word about everything that was ever forbidden.
    pub words: Vec<ProhibitionStatus>,
    /// The session whose work was left unfinished.
    pub unfinished_in: Option<String>,
    /// What each session has carried so far, the latest last.
    sessions: Vec<CarriedSession>,
}

/// What a session has carried so far.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct CarriedSession {
    session: String,
    /// The last event whose words are in.
    seen: Seq,
    /// What was forbidden in it then, in its order.
    forbidden: Vec<Constraint>,
    /// What it remembered when that was last taken in.
    counted: Memory,
}

/// Carries what was said in a session and what it remembers. What other sessions carried stays, unless this one has lifted it.
pub async fn save(engine: &Engine, kept_in: &Path, session: &SessionId, state: &State) -> io::Result<()> {
    take_in(engine, kept_in, &state.folder, session, |carried| {
        carried.remember(session, state);
        // One in which nothing was said yet is not what anybody wants to go on with.
        if state.turn > 0 || carried.session.is_none() {
            carried.session = Some(session.to_string());
        }
    })
    .await
}

/// What is carried, with what sessions said that were killed before they could carry it, or were spoken to elsewhere.
pub async fn caught_up(engine: &Engine, kept_in: &Path, folder: &str) -> io::Result<FolderMemory> {
    for CarriedSession { session, seen, .. } in read(kept_in, folder).sessions {
        let session = SessionId::of(session);
        let row = engine.store().find(&session).await.map_err(io::Error::other)?;
        if row.is_some_and(|row| row.head > seen) {
            take_in(engine, kept_in, folder, &session, |_| {}).await?;
        }
    }
    Ok(read(kept_in, folder))
}

/// Takes in what a session's log says beyond what is known of it, and changes what else is to be changed.
async fn take_in(
    engine: &Engine,
    kept_in: &Path,
    folder: &str,
    session: &SessionId,
    further: impl Fn(&mut FolderMemory),
) -> io::Result<()> {
    let mut from = read(kept_in, folder).seen(session);
    loop {
        // Before the lock, which is never held while something is waited for.
        let events = engine.store().events(session, from, usize::MAX).await.map_err(io::Error::other)?;
        let known = file::change(kept_in, folder, |carried| {
            let seen = carried.seen(session);
            if seen >= from {
                carried.hear(session, &events);
                further(carried);
            }
            seen
        })?;
        if known >= from {
            return Ok(());
        }
        // Someone put the file aside meanwhile.
        from = known;
    }
}

impl FolderMemory {
    /// What is forbidden in the folder, in the order in which it was said.
    pub fn forbidden(&self) -> Vec<String> {
        let mut holding: Vec<&ProhibitionStatus> = self.words.iter().filter(|word| word.holds).collect();
        holding.sort_by_key(|word| word.at);
        holding.into_iter().map(|word| word.text.clone()).collect()
    }

    /// Whether something was forbidden once and has been lifted since.
    pub fn is_lifted(&self, text: &str) -> bool {
        self.words.iter().any(|word| word.text == text && !word.holds)
    }

    fn seen(&self, session: &SessionId) -> Seq {
        self.sessions.iter().find(|known| known.session == session.as_str()).map_or(Seq::START, |known| known.seen)
    }

    /// What is known of a session, the latest from now on. What one that is new here remembers is what all remember.
    fn take(&mut self, session: &SessionId) -> CarriedSession {
        let place = self.sessions.iter().position(|known| known.session == session.as_str());
        place.map(|place| self.sessions.remove(place)).unwrap_or_else(|| CarriedSession {
            session: session.to_string(),
            counted: self.memory.clone(),
            ..CarriedSession::default()
        })
    }

    fn put(&mut self, known: CarriedSession) {
        self.sessions.push(known);
        let surplus = self.sessions.len().saturating_sub(MOST_SESSIONS);
        self.sessions.drain(..surplus);
    }

    /// What a session said about what is forbidden.
    fn hear(&mut self, session: &SessionId, events: &[Recorded]) {
        let mut known = self.take(session);
        for recorded in events.iter().filter(|recorded| recorded.seq > known.seen) {
            let said = prohibition::said(&mut known.forbidden, recorded);
            said.into_iter().for_each(|word| prohibition::take_in(&mut self.words, word));
        }
        known.seen = events.last().map_or(known.seen, |last| last.seq.max(known.seen));
        self.put(known);
    }

    /// What a session remembers, and where its work stands.
    fn remember(&mut self, session: &SessionId, state: &State) {
        let mut known = self.take(session);
        self.memory.take_in(&state.memory, &known.counted);
        known.counted.clone_from(&state.memory);
        self.put(known);
        let is_own = self.unfinished_in.as_deref() == Some(session.as_str());
        if let Some(left) = state.front().and_then(unfinished) {
            (self.memory.unfinished, self.unfinished_in) = (Some(left), Some(session.to_string()));
        } else if is_own || was_taken_up(self.memory.unfinished.as_ref(), state) {
            (self.memory.unfinished, self.unfinished_in) = (None, None);
        }
    }
}

/// Where work stands that was begun.
fn unfinished(desk: &Task) -> Option<Unfinished> {
    let is_begun = desk.task.is_some() && !desk.mind.goal.is_empty();
    is_begun.then(|| Unfinished {
        goal: desk.mind.goal.clone(),
        why_now: desk.mind.why_now.clone(),
        plan_brief: desk.mind.plan_brief.clone(),
        open_questions: desk.mind.open_questions.clone(),
        constraints: desk.mind.constraints.clone(),
        decision_log: desk.mind.decision_log.clone(),
    })
}

/// Whether a session was opened with this work and no longer has it in mind.
fn was_taken_up(left: Option<&Unfinished>, state: &State) -> bool {
    let has_it = |goal: &str| state.front().is_some_and(|desk| desk.mind.goal == goal);
    left.is_some_and(|left| state.memory.unfinished.as_ref() == Some(left) && !has_it(&left.goal))
}

#[cfg(test)]
mod tests;
