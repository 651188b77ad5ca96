//! One watcher of one session: what to send next, or that it is time to go.
//!
//! Between two things to send there is a sign of life every `HEARTBEAT`; with it the caller is asked about again, so that
//! a pass that ran out ends the stream too, or one that another process took away. What is changed about the caller in
//! this process counts at once. What lets a guest in holds as long as the session. Who a reader is in the session is the
//! feed's to know, which ends where that is nobody any more.

use std::sync::Arc;
use std::time::Duration;

use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::engine::{ReaderFeed, ReaderItem, SessionReading};
use enza_runtime::seams::store::{Failure, SessionId, SessionRow};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;

use super::message::{FeedDetail, FeedMessage, MessageWriter};
use super::permits::StreamPermit;
use crate::access::{Caller, Need, Onlooker};
use crate::problem::Problem;
use crate::state::AppState;

/// How long a stream is silent at most.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How long to wait after the store failed.
const PAUSE: Duration = Duration::from_secs(1);
/// How many streams the guest of a session may have open: a few devices with a few tabs.
const GUESTS_STREAMS: usize = 8;

/// A watcher.
pub(super) struct Watcher {
    app: AppState,
    /// Who looks, where somebody signed in for it.
    caller: Option<Caller>,
    /// The names of people about whom something changed.
    changes: broadcast::Receiver<Arc<str>>,
    feed: ReaderFeed,
    scribe: MessageWriter,
    closing: watch::Receiver<bool>,
    beat: Instant,
    is_over: bool,
    _seat: StreamPermit,
}

/// What a watcher's connection is to do.
pub(super) enum WatcherStep {
    Send(Vec<FeedMessage>),
    /// Show that it is alive.
    Beat,
    /// Go.
    Leave,
}

/// What a watcher waits for.
enum Wakeup {
    Changed(Result<Arc<str>, RecvError>),
    Beat,
    Item(Result<ReaderItem, Failure>),
}

impl Watcher {
    /// Begins to watch a session that lets the onlooker in, after an event.
    pub async fn for_session(
        app: &AppState,
        onlooker: &Onlooker,
        session: &str,
        after: Seq,
        lang: Lang,
        detail: FeedDetail,
    ) -> Result<Self, Problem> {
        // Listened for from before the last look at whether the caller may: nothing is missed in between.
        let changes = app.authenticator().changes();
        let seat =
            app.stream_permits().take(&onlooker.counted_as(), app.streams()).ok_or(Problem::TooMany { after: 5 })?;
        let feed = onlooker.found(app.engine().watch_as(&SessionId::of(session), after, onlooker.name()).await?)?;
        let scribe = MessageWriter::new(detail, feed.host(), lang);
        let watcher = Self::new(app, onlooker.caller.clone(), feed, scribe, seat);
        Ok(Self { changes, ..watcher })
    }

    /// Begins to watch a session as a guest of it, after an event.
    pub async fn for_guest(app: &AppState, row: &SessionRow, after: Seq, lang: Lang) -> Result<Self, Problem> {
        let place = format!("~ {}", row.id);
        let seat = app.stream_permits().take(&place, GUESTS_STREAMS).ok_or(Problem::TooMany { after: 5 })?;
        let reading = SessionReading::of_guest(app.engine(), row.clone());
        let feed = app.engine().watch_as_guest(reading, after);
        // If it was deleted before the feed listened, nobody would tell.
        app.engine().store().find(&row.id).await?.ok_or(Problem::NothingHere)?;
        let scribe = MessageWriter::new(FeedDetail::Notices, feed.host(), lang);
        Ok(Self::new(app, None, feed, scribe, seat))
    }

    fn new(
        app: &AppState,
        caller: Option<Caller>,
        feed: ReaderFeed,
        scribe: MessageWriter,
        seat: StreamPermit,
    ) -> Self {
        Self {
            app: app.clone(),
            caller,
            changes: app.authenticator().changes(),
            feed,
            scribe,
            closing: app.closing(),
            beat: Instant::now() + HEARTBEAT,
            is_over: false,
            _seat: seat,
        }
    }

    /// What to do next. A call that is given up loses nothing.
    pub async fn turn(&mut self) -> WatcherStep {
        loop {
            if self.is_over {
                return WatcherStep::Leave;
            }
            let heard = tokio::select! {
                biased;
                _ = self.closing.wait_for(|closing| *closing) => return WatcherStep::Leave,
                changed = self.changes.recv() => Wakeup::Changed(changed),
                () = tokio::time::sleep_until(self.beat) => Wakeup::Beat,
                item = self.feed.next() => Wakeup::Item(item),
            };
            match heard {
                Wakeup::Beat => return self.beat().await,
                Wakeup::Changed(changed) => {
                    self.is_over = self.is_about_me(changed) && !self.may_look().await;
                }
                Wakeup::Item(Ok(item)) => {
                    self.is_over = matches!(item, ReaderItem::Gone | ReaderItem::Closed);
                    let messages = self.scribe.write(item);
                    if !messages.is_empty() {
                        return WatcherStep::Send(messages);
                    }
                }
                Wakeup::Item(Err(failure)) if failure.may_retry() => {
                    tracing::debug!(%failure, "a watcher waits for the store");
                    tokio::time::sleep(PAUSE).await;
                }
                Wakeup::Item(Err(failure)) => {
                    tracing::error!(%failure, "a watcher cannot go on");
                    return WatcherStep::Leave;
                }
            }
        }
    }

    /// A sign of life, if the caller may still look. While the store cannot say, nobody is sent away.
    async fn beat(&mut self) -> WatcherStep {
        self.beat = Instant::now() + HEARTBEAT;
        if self.may_look().await { WatcherStep::Beat } else { WatcherStep::Leave }
    }

    async fn may_look(&self) -> bool {
        let Some(caller) = &self.caller else { return true };
        match self.app.authenticator().reauthenticate(caller, self.app.now()).await {
            Ok(admitted) => admitted.is_some_and(|caller| caller.may(Need::Read)),
            Err(_) => true,
        }
    }

    fn is_about_me(&self, changed: Result<Arc<str>, RecvError>) -> bool {
        match changed {
            Ok(name) => self.caller.as_ref().is_some_and(|caller| *caller.name() == *name),
            // Whoever missed some asks; that the doorkeeper is gone cannot be while this holds the house.
            Err(RecvError::Lagged(_) | RecvError::Closed) => true,
        }
    }
}
