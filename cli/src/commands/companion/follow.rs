//! Follows a session: every event as it comes, how much of a reply is written, and where the session stands.
//!
//! Nothing is kept here that the log does not have, so a run can be killed and gone on with.

use std::time::{Duration, Instant};

use enza_applications::companion::{Event, State};
use enza_kernel::application::{Entry, Phase};
use enza_kernel::time::Seq;
use enza_runtime::engine::{Engine, Feed, Item};
use enza_runtime::seams::model::Piece;
use enza_runtime::seams::store::{Recorded, SessionId};

use crate::trouble::Trouble;

/// How long we wait for the next event before we look where the session stands.
const LOOK: Duration = Duration::from_millis(120);

/// Someone who follows a session.
pub struct Following<'a> {
    engine: &'a Engine,
    session: SessionId,
    feed: Feed,
    seen: Seq,
    written: usize,
    since: Instant,
}

/// What came next.
pub enum Seen {
    /// An event.
    Event(Box<Entry<Event>>),
    /// Nothing for a moment, or only a piece of a reply.
    Quiet,
    /// The session was deleted.
    Gone,
}

/// Where a session stands.
pub struct Moment {
    /// Its phase.
    pub phase: Phase,
    /// Whether everything that happened has been seen and nothing is owed.
    pub rests: bool,
    /// What it waits for.
    pub waiting_for: Option<String>,
    /// Its state.
    pub state: State,
}

impl<'a> Following<'a> {
    /// A session, from behind an event on.
    pub fn from(engine: &'a Engine, session: &SessionId, seen: Seq) -> Self {
        let feed = engine.watch(session, seen);
        Self { engine, session: session.clone(), feed, seen, written: 0, since: Instant::now() }
    }

    /// What comes next.
    pub async fn next(&mut self) -> Result<Seen, Trouble> {
        match tokio::time::timeout(LOOK, self.feed.next()).await {
            Ok(Ok(Item::Event(recorded))) => {
                self.seen = recorded.seq;
                (self.written, self.since) = (0, Instant::now());
                Ok(read(&recorded).map_or(Seen::Quiet, |entry| Seen::Event(Box::new(entry))))
            }
            Ok(Ok(Item::Delta { piece, .. })) => {
                self.written = after(self.written, &piece);
                Ok(Seen::Quiet)
            }
            Ok(Ok(Item::Skipped)) | Err(_) => Ok(Seen::Quiet),
            Ok(Ok(Item::Gone)) => Ok(Seen::Gone),
            Ok(Err(failure)) if failure.may_retry() => {
                tokio::time::sleep(LOOK).await;
                Ok(Seen::Quiet)
            }
            Ok(Err(failure)) => Err(failure.into()),
        }
    }

    /// Where it stands.
    pub async fn moment(&self) -> Result<Moment, Trouble> {
        let (_, live) = self.engine.present(&self.session).await?;
        let standing = live.standing();
        let rests = standing.phase != Phase::Working && live.seq() <= self.seen;
        let state = serde_json::from_slice(&live.freeze()).expect("a state reads what it wrote");
        Ok(Moment { phase: standing.phase, rests, waiting_for: standing.waiting_for, state })
    }

    /// How many letters of the reply are written, and since when anything last happened.
    pub fn writing(&self) -> (usize, Duration) {
        (self.written, self.since.elapsed())
    }
}

/// An event of the companion, as the log has it.
pub fn read(recorded: &Recorded) -> Option<Entry<Event>> {
    let text = format!("{{\"{}\":{}}}", recorded.stored.kind, recorded.stored.body);
    let event = serde_json::from_str(&text).ok()?;
    Some(Entry { seq: recorded.seq, at: recorded.at, event })
}

fn after(written: usize, piece: &Piece) -> usize {
    match piece {
        Piece::Text(text) | Piece::Reasoning(text) | Piece::Call { fragment: text, .. } => {
            written + text.chars().count()
        }
        Piece::Again => 0,
    }
}
