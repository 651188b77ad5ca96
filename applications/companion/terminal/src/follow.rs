//! Follows a session: every event as it comes, the words of replies as they are written, and where the session stands.
//!
//! Words are kept by the thread in which they are written, until the event with the whole reply, or the end of the call.
//! Nothing is kept here that the log does not have, so a run can be killed and gone on with.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use enza_companion::{Companion, Event, State};
use enza_kernel::application::{Entry, Phase};
use enza_kernel::time::Seq;
use enza_runtime::engine::{Engine, Feed, FeedItem};
use enza_runtime::seams::model::Piece;
use enza_runtime::seams::store::SessionId;
use enza_terminal::trouble::Trouble;

use super::partial_reply::PartialReply;

/// How long we wait for the next event before we look where the session stands.
const LOOK: Duration = Duration::from_millis(120);

/// The longest that is waited for changes to files on leaving.
const LONGEST_CHANGE: Duration = Duration::from_secs(10);

/// Someone who follows a session.
pub struct Follower<'a> {
    engine: &'a Engine,
    session: SessionId,
    feed: Feed,
    seen: Seq,
    writing: BTreeMap<String, PartialReply>,
    since: Instant,
}

/// What came next.
pub enum Seen {
    Event(Box<Entry<Event>>),
    /// A piece of a reply, in this thread.
    Written(String),
    /// Nothing for a moment.
    Quiet,
    /// The session was deleted.
    Gone,
}

/// Where a session stands.
pub struct SessionStatus {
    pub phase: Phase,
    /// Whether everything that happened has been seen.
    pub is_seen: bool,
    /// Whether everything that happened has been seen and nothing is owed.
    pub rests: bool,
    pub waiting_for: Option<String>,
    pub state: State,
}

impl<'a> Follower<'a> {
    /// A session, from behind an event on.
    pub fn from(engine: &'a Engine, session: &SessionId, seen: Seq) -> Self {
        let feed = engine.watch(session, seen);
        Self { engine, session: session.clone(), feed, seen, writing: BTreeMap::new(), since: Instant::now() }
    }

    /// The engine in which it is followed.
    pub fn engine(&self) -> &'a Engine {
        self.engine
    }

    /// What comes next.
    pub async fn next(&mut self) -> Result<Seen, Trouble> {
        match tokio::time::timeout(LOOK, self.feed.next()).await {
            Ok(Ok(FeedItem::Event(recorded))) => {
                (self.seen, self.since) = (recorded.seq, Instant::now());
                let Ok(entry) = recorded.entry::<Companion>() else { return Ok(Seen::Quiet) };
                if let Event::Stepped(step) = &entry.event {
                    self.writing.remove(&step.thread);
                }
                Ok(Seen::Event(Box::new(entry)))
            }
            Ok(Ok(FeedItem::Delta { thread, piece })) => {
                self.take(&thread, &piece);
                Ok(Seen::Written(thread))
            }
            // What is being written comes again from its beginning.
            Ok(Ok(FeedItem::Skipped)) => {
                self.writing.clear();
                Ok(Seen::Quiet)
            }
            Err(_) => Ok(Seen::Quiet),
            Ok(Ok(FeedItem::Gone)) => Ok(Seen::Gone),
            Ok(Err(failure)) if failure.may_retry() => {
                tokio::time::sleep(LOOK).await;
                Ok(Seen::Quiet)
            }
            Ok(Err(failure)) => Err(failure.into()),
        }
    }

    /// Where it stands.
    pub async fn moment(&self) -> Result<SessionStatus, Trouble> {
        let (_, live) = self.engine.present(&self.session).await?;
        let standing = live.standing();
        let is_seen = live.seq() <= self.seen;
        let rests = standing.phase != Phase::Working && is_seen;
        let gone = || Trouble::UnknownSession { part: self.session.to_string(), near: Vec::new() };
        let state = live.into_typed::<Companion>().ok_or_else(gone)?;
        Ok(SessionStatus { phase: standing.phase, is_seen, rests, waiting_for: standing.waiting_for, state })
    }

    /// What is being written in a thread.
    pub fn writing(&self, thread: &str) -> Option<&PartialReply> {
        self.writing.get(thread)
    }

    /// How many letters are written of everything that is being written, and since when anything last happened.
    pub fn pace(&self) -> (usize, Duration) {
        (self.writing.values().map(PartialReply::letters).sum(), self.since.elapsed())
    }

    /// Nothing is being written any more: whatever was begun was given up.
    pub fn forget(&mut self) {
        self.writing.clear();
    }

    fn take(&mut self, thread: &str, piece: &Piece) {
        match piece {
            Piece::Text(text) => self.writing.entry(thread.to_owned()).or_default().feed(text),
            // Only the first call is a reply.
            Piece::Call { place: 0, fragment, .. } => self.writing.entry(thread.to_owned()).or_default().feed(fragment),
            Piece::Call { .. } => {}
            Piece::Reasoning(text) => self.writing.entry(thread.to_owned()).or_default().think(text),
            Piece::Again => drop(self.writing.remove(thread)),
        }
    }
}

/// Waits until no file is in the middle of being changed: whoever leaves finds them as they were, or as they are to be.
/// What takes longer than files ever take goes on when the session is next taken up.
pub async fn wait_for_changes(engine: &Engine, session: &SessionId) {
    let settled = async {
        while let Ok((_, state)) = engine.state::<Companion>(session).await {
            if !state.is_changing_files() {
                return;
            }
            tokio::time::sleep(LOOK / 4).await;
        }
    };
    let _ = tokio::time::timeout(LONGEST_CHANGE, settled).await;
}
