//! Following a session as one of those who may look at it.
//!
//! Who the reader is was worked out when the feed began, and is again before the first thing is handed out that is newer: a
//! seat that is given or taken away while somebody watches counts from that event on. Of replies that are being written a
//! reader is handed what `Application::follows` says, and no more. What is shown of an event is for `SeenEvent` to know.

use std::sync::Arc;

use enza_kernel::reader::{Following, Reader};
use enza_kernel::time::Seq;

use super::feed::{Feed, FeedItem};
use super::readers::{SeenEvent, SessionReading};
use super::{Declined, Engine};
use crate::host::AnyApplication;
use crate::seams::model::Piece;
use crate::seams::store::{Failure, SessionId};

/// Something that a reader sees.
pub enum ReaderItem {
    /// An event, in the log.
    Event(SeenEvent),
    /// A piece of a reply that is being written; the event with the whole reply follows.
    Delta { thread: String, piece: Piece },
    /// Pieces are missing here, and what is being written comes again from its beginning.
    Skipped,
    /// The session was deleted. Nothing comes after this.
    Gone,
    /// The reader is let in no longer. Nothing comes after this.
    Closed,
}

/// One reader's view of a session.
pub struct ReaderFeed {
    engine: Engine,
    feed: Feed,
    reading: SessionReading,
    who: Who,
    /// The last event on which it was decided who the reader is.
    as_of: Seq,
    /// What came and is not handed out yet, so that a call that is given up loses nothing.
    held: Option<FeedItem>,
}

/// Who looks.
enum Who {
    /// A person, or anybody: the session says what they are in it.
    Person(Option<String>),
    /// Somebody of whom that is known for good.
    Fixed,
}

impl Engine {
    /// Follows a session from after an event on, as a person may look at it, or anybody where there is none; nothing where
    /// they are not let in, or where there is no such session.
    pub async fn watch_as(
        &self,
        session: &SessionId,
        after: Seq,
        person: Option<&str>,
    ) -> Result<Option<ReaderFeed>, Declined> {
        // It listens before it is asked who may look: if the session is deleted in between, it hears of it.
        let mut feed = self.watch(session, after);
        let Some(reading) = self.read_as(session, person).await? else { return Ok(None) };
        // Whoever asks for what is yet to come would pass over the event that lets them in no longer.
        feed.go_back_to(reading.row.head);
        let (as_of, who) = (reading.row.head, Who::Person(person.map(str::to_owned)));
        Ok(Some(ReaderFeed { engine: self.clone(), feed, reading, who, as_of, held: None }))
    }

    /// Follows a session as somebody whom its application's own page let in.
    pub fn watch_as_guest(&self, reading: SessionReading, after: Seq) -> ReaderFeed {
        let feed = self.watch(&reading.row.id, after);
        let as_of = reading.row.head;
        ReaderFeed { engine: self.clone(), feed, reading, who: Who::Fixed, as_of, held: None }
    }
}

impl ReaderFeed {
    /// Who the reader is, as of what was handed out last.
    pub fn reader(&self) -> &Reader {
        &self.reading.reader
    }

    /// The rules of the session; none where this build does not know its application.
    pub fn host(&self) -> Option<Arc<dyn AnyApplication>> {
        self.reading.host.clone()
    }

    /// The next thing for this reader, waiting for it as long as it takes. After a failure, call again. A call that is
    /// given up loses nothing.
    pub async fn next(&mut self) -> Result<ReaderItem, Failure> {
        loop {
            if self.held.is_none() {
                self.held = Some(self.feed.next().await?);
            }
            if !self.is_still_let_in().await? {
                return Ok(ReaderItem::Closed);
            }
            if let Some(item) = self.held.take().and_then(|item| self.shown(item)) {
                return Ok(item);
            }
        }
    }

    /// Works out anew who the reader is, where what is held is newer than what that was decided on.
    async fn is_still_let_in(&mut self) -> Result<bool, Failure> {
        let is_shared = self.reading.host.as_ref().is_some_and(|host| host.is_shared());
        let (Some(FeedItem::Event(recorded)), Who::Person(person), true) = (&self.held, &self.who, is_shared) else {
            return Ok(true);
        };
        if recorded.seq <= self.as_of {
            return Ok(true);
        }
        match self.engine.read_as(&self.reading.row.id, person.as_deref()).await {
            Ok(Some(reading)) => {
                self.as_of = reading.row.head.max(recorded.seq);
                self.reading = reading;
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(Declined::Failed(failure)) => Err(failure),
            Err(_) => Ok(false),
        }
    }

    fn shown(&self, item: FeedItem) -> Option<ReaderItem> {
        match item {
            FeedItem::Event(recorded) => Some(ReaderItem::Event(self.reading.event(recorded))),
            FeedItem::Delta { thread, piece } => {
                self.hears(&thread, &piece).then_some(ReaderItem::Delta { thread, piece })
            }
            FeedItem::Skipped => Some(ReaderItem::Skipped),
            FeedItem::Gone => Some(ReaderItem::Gone),
        }
    }

    fn hears(&self, thread: &str, piece: &Piece) -> bool {
        let Some(host) = &self.reading.host else { return self.reading.reader.is_host() };
        match (host.follows(thread, &self.reading.reader), piece) {
            (Following::Nothing, _) => false,
            (Following::Whole, _) | (Following::Spoken, Piece::Again) => true,
            (Following::Spoken, Piece::Text(_) | Piece::Reasoning(_)) => false,
            (Following::Spoken, Piece::Call { tool, .. }) => host.spoken(tool).is_some(),
        }
    }
}
