//! Following a session live.
//!
//! A feed goes through the log from the place where its reader left off, so it has no gap and no repeat across
//! reconnects, whoever appends. What this engine appends is handed to watchers once it is in the log; a watcher that is up
//! to date takes it as it is, and reads the log itself after any gap. What other processes append or delete is looked for
//! once a second for each watched session, however many watch it.
//!
//! Deltas of a reply are passed on as they come, and kept only while the reply is being written, so that whoever comes in
//! the middle is shown its beginning (`partial_replies`). A watcher that does not keep up loses some of them, is told so, and is
//! shown them whole again; it never makes anyone wait, and what is kept for it is bounded.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use enza_kernel::time::Seq;
use tokio::sync::broadcast;
use tokio::time::Instant;

use super::Engine;
use super::partial_replies::{NumberedPiece, PartialReplies};
use crate::seams::model::{Deltas, Piece};
use crate::seams::store::{Failure, NewEvent, Recorded, SessionId};

/// How often to look for what other processes appended.
const LOOK: Duration = Duration::from_secs(1);
/// How many looks that found nothing pass before one asks whether the session is still there.
const QUIET: u32 = 5;
/// How many events to read at a time.
const PAGE: usize = 64;
/// How many signals wait for a watcher that does not keep up.
const BEHIND: usize = 512;
/// The most bytes of events that one signal carries; what is larger is read from the log.
const CARRIED: usize = 8 * 1_024;

/// Something a watcher sees.
#[derive(Debug, Clone, PartialEq)]
pub enum FeedItem {
    /// An event, in the log.
    Event(Recorded),
    /// A piece of a reply that is being written; the event with the whole reply follows.
    Delta { thread: String, piece: Piece },
    /// The watcher did not keep up: pieces are missing here, and what is being written comes again from its beginning.
    /// Events are not missing.
    Skipped,
    /// The session was deleted. Nothing comes after this.
    Gone,
}

#[derive(Clone)]
enum Signal {
    /// Something was appended: these events, where they are few and small.
    Saved(Option<Arc<[Recorded]>>),
    Delta(NumberedPiece),
    Gone,
}

/// The sessions that someone watches, and the replies that are being written.
#[derive(Default)]
pub(super) struct Feeds(Arc<Mutex<FeedState>>);

#[derive(Default)]
struct FeedState {
    watched: HashMap<SessionId, Watch>,
    speaking: PartialReplies,
}

struct Watch {
    sender: broadcast::Sender<Signal>,
    /// When one of the watchers last looked for what other processes did.
    looked: Instant,
    /// How many such looks in a row found nothing.
    quiet: u32,
}

impl Feeds {
    /// Events on their way to the log, as watchers will be shown them; none where nobody watches or they are too large.
    pub fn copy(&self, session: &SessionId, saved: Seq, events: &[NewEvent]) -> Option<Arc<[Recorded]>> {
        let bytes: usize = events.iter().map(|event| event.stored.body.len()).sum();
        if bytes > CARRIED || !self.board().watched.contains_key(session) {
            return None;
        }
        let recorded = |(place, event): (usize, &NewEvent)| Recorded {
            seq: saved.plus(place + 1),
            at: event.at,
            stored: event.stored.clone(),
        };
        Some(events.iter().enumerate().map(recorded).collect())
    }

    /// Something was appended: these events, where `copy` has them.
    pub fn saved(&self, session: &SessionId, events: Option<Arc<[Recorded]>>) {
        let mut board = self.board();
        if let Some(watch) = board.watched.get(session)
            && watch.sender.send(Signal::Saved(events)).is_err()
        {
            board.watched.remove(session);
        }
    }

    /// The session was deleted.
    pub fn gone(&self, session: &SessionId) {
        if let Some(watch) = self.board().watched.remove(session) {
            let _ = watch.sender.send(Signal::Gone);
        }
    }

    /// Where a reply's pieces go: to whoever watches when a piece comes.
    pub fn deltas(&self, session: &SessionId, thread: &str) -> Relay {
        Relay { board: self.0.clone(), session: session.clone(), thread: thread.into() }
    }

    /// What is being written now, from its beginning, and the number of the last piece in it.
    fn partial_replies(&self, session: &SessionId) -> (VecDeque<NumberedPiece>, u64) {
        self.board().speaking.so_far(session)
    }

    fn subscribe(&self, session: &SessionId) -> broadcast::Receiver<Signal> {
        let mut board = self.board();
        if let Some(watch) = board.watched.get(session) {
            return watch.sender.subscribe();
        }
        board.watched.retain(|_, watch| watch.sender.receiver_count() > 0);
        let (sender, receiver) = broadcast::channel(BEHIND);
        board.watched.insert(session.clone(), Watch { sender, looked: Instant::now(), quiet: 0 });
        receiver
    }

    /// Of all who watch a session, one looks for what other processes did. The others learn when to ask again.
    fn takes_the_look(&self, session: &SessionId) -> Result<(), Instant> {
        let mut board = self.board();
        let Some(watch) = board.watched.get_mut(session) else { return Ok(()) };
        let next = watch.looked + LOOK;
        if Instant::now() < next {
            return Err(next);
        }
        watch.looked = Instant::now();
        Ok(())
    }

    /// A look found nothing. Says whether it is time to ask if the session is still there.
    fn is_long_quiet(&self, session: &SessionId) -> bool {
        let mut board = self.board();
        let Some(watch) = board.watched.get_mut(session) else { return true };
        watch.quiet = (watch.quiet + 1) % QUIET;
        watch.quiet == 0
    }

    fn board(&self) -> MutexGuard<'_, FeedState> {
        self.0.lock().expect("feeds")
    }
}

/// Passes the pieces of one reply on.
pub(super) struct Relay {
    board: Arc<Mutex<FeedState>>,
    session: SessionId,
    thread: Arc<str>,
}

impl Deltas for Relay {
    fn piece(&self, piece: Piece) {
        let mut board = self.board.lock().expect("feeds");
        let placed = board.speaking.hear(&self.session, &self.thread, piece);
        if let Some(watch) = board.watched.get(&self.session) {
            let _ = watch.sender.send(Signal::Delta(placed));
        }
    }
}

impl Drop for Relay {
    /// The reply is whole, or given up.
    fn drop(&mut self) {
        self.board.lock().expect("feeds").speaking.end(&self.session, &self.thread);
    }
}

/// One watcher's view of a session.
pub struct Feed {
    engine: Engine,
    session: SessionId,
    after: Seq,
    waiting: VecDeque<Recorded>,
    signals: broadcast::Receiver<Signal>,
    /// What was said before this watcher listened, of replies that are still being written.
    beginnings: VecDeque<NumberedPiece>,
    /// The number of the last piece that this watcher was shown, or need not be.
    heard: u64,
    /// Whether beginnings are to be fetched once the log has been caught up with.
    came_late: bool,
    look: Look,
    /// When to look again, if nothing is heard before.
    look_at: Instant,
    is_gone: bool,
}

/// Whether the log has to be looked at before anything else.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    No,
    /// This watcher may have missed something.
    CatchUp,
    /// Nobody here appended anything; another process may have.
    ForOthers,
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
            beginnings: VecDeque::new(),
            heard: 0,
            came_late: true,
            look: Look::CatchUp,
            look_at: Instant::now() + LOOK,
            is_gone: false,
        }
    }
}

impl Feed {
    /// Goes on from this event at the latest.
    pub(super) fn go_back_to(&mut self, latest: Seq) {
        self.after = self.after.min(latest);
    }

    /// The next thing, waiting for it as long as it takes. After a failure, call again. A call that is given up loses
    /// nothing.
    pub async fn next(&mut self) -> Result<FeedItem, Failure> {
        loop {
            if let Some(recorded) = self.waiting.pop_front() {
                self.after = recorded.seq;
                return Ok(FeedItem::Event(recorded));
            }
            if self.is_gone {
                return Ok(FeedItem::Gone);
            }
            if self.look != Look::No {
                self.look_at_the_log().await?;
                continue;
            }
            if std::mem::take(&mut self.came_late) {
                (self.beginnings, self.heard) = self.engine.0.feeds.partial_replies(&self.session);
            }
            if let Some(placed) = self.beginnings.pop_front() {
                return Ok(placed.shown());
            }
            match tokio::time::timeout_at(self.look_at, self.signals.recv()).await {
                Ok(Ok(Signal::Saved(Some(events)))) => self.take(&events),
                Ok(Ok(Signal::Saved(None))) => self.look = Look::CatchUp,
                Ok(Ok(Signal::Delta(placed))) if placed.number <= self.heard => {}
                Ok(Ok(Signal::Delta(placed))) => return Ok(placed.shown()),
                Ok(Ok(Signal::Gone)) => self.is_gone = true,
                Ok(Err(broadcast::error::RecvError::Lagged(_))) => {
                    self.look = Look::CatchUp;
                    self.came_late = true;
                    return Ok(FeedItem::Skipped);
                }
                Ok(Err(broadcast::error::RecvError::Closed)) => {
                    self.signals = self.engine.0.feeds.subscribe(&self.session);
                    self.look = Look::CatchUp;
                }
                Err(_) => match self.engine.0.feeds.takes_the_look(&self.session) {
                    Ok(()) => self.look = Look::ForOthers,
                    Err(next) => self.look_at = next,
                },
            }
        }
    }

    /// Takes events that were handed on, if they go on where this watcher is; those it has seen are passed over.
    fn take(&mut self, events: &[Recorded]) {
        let new = events.partition_point(|recorded| recorded.seq <= self.after);
        match events.get(new) {
            Some(first) if first.seq == self.after.next() => {
                self.waiting.extend(events[new..].iter().cloned());
                self.look_at = Instant::now() + LOOK;
            }
            Some(_) => self.look = Look::CatchUp,
            None => {}
        }
    }

    async fn look_at_the_log(&mut self) -> Result<(), Failure> {
        let page = self.engine.store().events(&self.session, self.after, PAGE).await?;
        let feeds = &self.engine.0.feeds;
        if self.look == Look::ForOthers {
            if page.is_empty() {
                self.is_gone = self.after > Seq::START
                    && feeds.is_long_quiet(&self.session)
                    && self.engine.store().find(&self.session).await?.is_none();
            } else {
                feeds.saved(&self.session, Some(page.as_slice().into()));
            }
        }
        if self.is_gone {
            feeds.gone(&self.session);
        }
        self.look = if page.len() == PAGE { Look::CatchUp } else { Look::No };
        self.look_at = Instant::now() + LOOK;
        self.waiting = page.into();
        Ok(())
    }
}
