//! One watcher of one session: what to send next, or that it is time to go.
//!
//! Between two things to send there is a sign of life every `HEARTBEAT`; with it the caller is asked about again, so that
//! a pass that ran out ends the stream too, or one that another process took away. What is changed about the caller in
//! this process counts at once. A respondent's ticket holds as long as the session.

use std::sync::Arc;
use std::time::Duration;

use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::engine::{Feed, Item};
use enza_runtime::seams::store::Failure;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;

use super::message::{Message, Reader, Scribe};
use super::seats::Seat;
use crate::access::{Caller, Need};
use crate::acts::respond::Guest;
use crate::house::House;
use crate::problem::Problem;

/// How long a stream is silent at most.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How long to wait after the store failed.
const PAUSE: Duration = Duration::from_secs(1);
/// How many streams a respondent may have open: a few devices with a few tabs.
const RESPONDENTS_STREAMS: usize = 8;

/// A watcher.
pub(super) struct Watcher {
    house: House,
    /// Who looks; none for a respondent.
    caller: Option<Caller>,
    /// The names of people about whom something changed.
    changes: broadcast::Receiver<Arc<str>>,
    feed: Feed,
    scribe: Scribe,
    closing: watch::Receiver<bool>,
    beat: Instant,
    is_over: bool,
    _seat: Seat,
}

/// What a watcher's connection is to do.
pub(super) enum Turn {
    /// Send these.
    Send(Vec<Message>),
    /// Show that it is alive.
    Beat,
    /// Go.
    Leave,
}

/// What a watcher waits for.
enum Heard {
    Changed(Result<Arc<str>, RecvError>),
    Beat,
    Item(Result<Item, Failure>),
}

impl Watcher {
    /// Begins to watch a session of the caller's after an event.
    pub async fn sit_down(
        house: &House,
        caller: &Caller,
        session: &str,
        after: Seq,
        lang: Lang,
    ) -> Result<Self, Problem> {
        // Listened for from before the last look at whether the caller may: nothing is missed in between.
        let changes = house.door().changes();
        let seat = house.seats().take(caller.name(), house.streams()).ok_or(Problem::TooMany { after: 5 })?;
        let row = caller.session(house, session).await?;
        let feed = house.engine().watch(&row.id, after);
        // If it was deleted before the feed listened, nobody would tell.
        caller.session(house, session).await?;
        let host = house.engine().repertoire().find(&row.application);
        let watcher = Self::new(house, Some(caller.clone()), feed, Scribe::new(Reader::Owner, host, lang), seat);
        Ok(Self { changes, ..watcher })
    }

    /// Begins to watch a respondent's own interview after an event.
    pub async fn sit_in(house: &House, guest: &Guest, after: Seq, lang: Lang) -> Result<Self, Problem> {
        let row = &guest.row;
        let place = format!("~ {}", row.id);
        let seat = house.seats().take(&place, RESPONDENTS_STREAMS).ok_or(Problem::TooMany { after: 5 })?;
        let feed = house.engine().watch(&row.id, after);
        // If it was deleted before the feed listened, nobody would tell.
        house.engine().store().find(&row.id).await?.ok_or(Problem::NothingHere)?;
        let host = house.engine().repertoire().find(&row.application);
        Ok(Self::new(house, None, feed, Scribe::new(Reader::Respondent, host, lang), seat))
    }

    fn new(house: &House, caller: Option<Caller>, feed: Feed, scribe: Scribe, seat: Seat) -> Self {
        Self {
            house: house.clone(),
            caller,
            changes: house.door().changes(),
            feed,
            scribe,
            closing: house.closing(),
            beat: Instant::now() + HEARTBEAT,
            is_over: false,
            _seat: seat,
        }
    }

    /// What to do next. A call that is given up loses nothing.
    pub async fn turn(&mut self) -> Turn {
        loop {
            if self.is_over {
                return Turn::Leave;
            }
            let heard = tokio::select! {
                biased;
                _ = self.closing.wait_for(|closing| *closing) => return Turn::Leave,
                changed = self.changes.recv() => Heard::Changed(changed),
                () = tokio::time::sleep_until(self.beat) => Heard::Beat,
                item = self.feed.next() => Heard::Item(item),
            };
            match heard {
                Heard::Beat => return self.beat().await,
                Heard::Changed(changed) => {
                    self.is_over = self.is_about_me(changed) && !self.may_look().await;
                }
                Heard::Item(Ok(item)) => {
                    self.is_over = item == Item::Gone;
                    let messages = self.scribe.write(item);
                    if !messages.is_empty() {
                        return Turn::Send(messages);
                    }
                }
                Heard::Item(Err(failure)) if failure.may_retry() => {
                    tracing::debug!(%failure, "a watcher waits for the store");
                    tokio::time::sleep(PAUSE).await;
                }
                Heard::Item(Err(failure)) => {
                    tracing::error!(%failure, "a watcher cannot go on");
                    return Turn::Leave;
                }
            }
        }
    }

    /// A sign of life, if the caller may still look. While the store cannot say, nobody is sent away.
    async fn beat(&mut self) -> Turn {
        self.beat = Instant::now() + HEARTBEAT;
        if self.may_look().await { Turn::Beat } else { Turn::Leave }
    }

    async fn may_look(&self) -> bool {
        let Some(caller) = &self.caller else { return true };
        match self.house.door().admit_again(caller, self.house.now()).await {
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
