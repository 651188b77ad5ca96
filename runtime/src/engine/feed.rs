//! Following a session live.
//!
//! A feed reads the log itself, from the place where its reader left off; being told that there is
//! something new only saves it from looking too often. So it has no gap and no repeat across
//! reconnects, and it sees what other processes append. Deltas of a reply are passed on as they come
//! and are not kept.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use enza_kernel::time::Seq;
use tokio::sync::broadcast;

use super::Engine;
use crate::seams::model::{Deltas, Piece};
use crate::seams::store::{Failure, Recorded, SessionId};

/// How often to look for what other processes appended.
const LOOK: Duration = Duration::from_millis(500);
/// How many events to read at a time.
const PAGE: usize = 256;

/// Something a watcher sees.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// An event, in the log.
    Event(Recorded),
    /// A piece of a reply that is being written; the event with the whole reply follows.
    Delta {
        /// The thread.
        thread: String,
        /// The piece.
        piece: Piece,
    },
}

#[derive(Clone)]
enum Signal {
    Saved,
    Delta { thread: String, piece: Piece },
}

/// The sessions that someone watches.
#[derive(Default)]
pub(super) struct Feeds(Watched);

type Watched = Arc<Mutex<HashMap<SessionId, broadcast::Sender<Signal>>>>;

impl Feeds {
    /// Something was appended.
    pub fn saved(&self, session: &SessionId) {
        let mut feeds = self.0.lock().expect("feeds");
        if let Some(sender) = feeds.get(session)
            && sender.send(Signal::Saved).is_err()
        {
            feeds.remove(session);
        }
    }

    /// Where a reply's pieces go: to whoever watches when a piece comes.
    pub fn deltas(&self, session: &SessionId, thread: &str) -> Relay {
        Relay { feeds: self.0.clone(), session: session.clone(), thread: thread.to_owned() }
    }

    fn subscribe(&self, session: &SessionId) -> broadcast::Receiver<Signal> {
        let mut feeds = self.0.lock().expect("feeds");
        feeds.retain(|_, sender| sender.receiver_count() > 0);
        feeds.entry(session.clone()).or_insert_with(|| broadcast::channel(1_024).0).subscribe()
    }
}

/// Passes the pieces of one reply on.
pub(super) struct Relay {
    feeds: Watched,
    session: SessionId,
    thread: String,
}

impl Deltas for Relay {
    fn piece(&self, piece: Piece) {
        if let Some(sender) = self.feeds.lock().expect("feeds").get(&self.session) {
            let _ = sender.send(Signal::Delta { thread: self.thread.clone(), piece });
        }
    }
}

/// One watcher's view of a session.
pub struct Feed {
    engine: Engine,
    session: SessionId,
    after: Seq,
    waiting: VecDeque<Recorded>,
    signals: broadcast::Receiver<Signal>,
    look: bool,
}

impl Engine {
    /// Follows a session from after an event on.
    pub fn watch(&self, session: &SessionId, after: Seq) -> Feed {
        Feed {
            engine: self.clone(),
            session: session.clone(),
            after,
            waiting: VecDeque::new(),
            signals: self.0.feeds.subscribe(session),
            look: true,
        }
    }
}

impl Feed {
    /// The next thing, waiting for it as long as it takes. After a failure, call again.
    pub async fn next(&mut self) -> Result<Item, Failure> {
        loop {
            if let Some(recorded) = self.waiting.pop_front() {
                self.after = recorded.seq;
                return Ok(Item::Event(recorded));
            }
            if self.look {
                self.waiting = self.engine.store().events(&self.session, self.after, PAGE).await?.into();
                self.look = self.waiting.len() == PAGE;
                continue;
            }
            match tokio::time::timeout(LOOK, self.signals.recv()).await {
                Ok(Ok(Signal::Delta { thread, piece })) => return Ok(Item::Delta { thread, piece }),
                Ok(Ok(Signal::Saved)) | Ok(Err(broadcast::error::RecvError::Lagged(_))) | Err(_) => self.look = true,
                Ok(Err(broadcast::error::RecvError::Closed)) => {
                    self.signals = self.engine.0.feeds.subscribe(&self.session);
                    self.look = true;
                }
            }
        }
    }
}
