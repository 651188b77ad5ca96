//! One watcher of one session: what to send next, or that it is time to go.
//!
//! Between two things to send there is a sign of life every `HEARTBEAT`; with it the caller is asked about again, so that
//! a pass that was taken away or ran out ends the stream too. A respondent's ticket holds as long as the session.

use std::time::Duration;

use axum::http::HeaderMap;
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::engine::{Feed, Item};
use tokio::sync::watch;
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
    /// What lets the caller in; none for a respondent.
    headers: Option<HeaderMap>,
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

impl Watcher {
    /// Begins to watch a session of the caller's after an event.
    pub async fn sit_down(
        house: &House,
        caller: &Caller,
        session: &str,
        after: Seq,
        lang: Lang,
        headers: HeaderMap,
    ) -> Result<Self, Problem> {
        let seat = house.seats().take(caller.name(), house.streams()).ok_or(Problem::TooMany { after: 5 })?;
        let row = caller.session(house, session).await?;
        let feed = house.engine().watch(&row.id, after);
        // If it was deleted before the feed listened, nobody would tell.
        caller.session(house, session).await?;
        let host = house.engine().repertoire().find(&row.application);
        Ok(Self::new(house, Some(headers), feed, Scribe::new(Reader::Owner, host, lang), seat))
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

    fn new(house: &House, headers: Option<HeaderMap>, feed: Feed, scribe: Scribe, seat: Seat) -> Self {
        Self {
            house: house.clone(),
            headers,
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
                () = tokio::time::sleep_until(self.beat) => None,
                item = self.feed.next() => Some(item),
            };
            match heard {
                None => return self.beat().await,
                Some(Ok(item)) => {
                    self.is_over = item == Item::Gone;
                    let messages = self.scribe.write(item);
                    if !messages.is_empty() {
                        return Turn::Send(messages);
                    }
                }
                Some(Err(failure)) if failure.may_retry() => {
                    tracing::debug!(%failure, "a watcher waits for the store");
                    tokio::time::sleep(PAUSE).await;
                }
                Some(Err(failure)) => {
                    tracing::error!(%failure, "a watcher cannot go on");
                    return Turn::Leave;
                }
            }
        }
    }

    /// A sign of life, if the caller may still look. While the store cannot say, nobody is sent away.
    async fn beat(&mut self) -> Turn {
        self.beat = Instant::now() + HEARTBEAT;
        let Some(headers) = &self.headers else { return Turn::Beat };
        let admitted = self.house.door().admit(headers, self.house.now()).await;
        match admitted {
            Ok(Some(caller)) if caller.may(Need::Read) => Turn::Beat,
            Ok(_) => Turn::Leave,
            Err(_) => Turn::Beat,
        }
    }
}
