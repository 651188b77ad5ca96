//! Who may look at a session, and what of it they are handed.
//!
//! Where an application lets nobody in but the owner, that is told from the session's row. Where it lets others in
//! (`Application::SHARED`), it is asked on the state as of the last event in the log, never on what a crash could still take
//! back. Many may look at one session at once and ask anew after each event, so that state is kept here, brought up to date
//! by whoever asks first and read by the rest.
//!
//! An event leaves here as a `SeenEvent`: its kind and its body can be had where the reader may see them, and not otherwise.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use enza_kernel::application::Stored;
use enza_kernel::floor::Line;
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use enza_kernel::time::{Seq, Timestamp};

use super::{Declined, Engine};
use crate::host::{AnyApplication, SessionState};
use crate::seams::store::{Failure, Recorded, SessionId, SessionRow};

/// Of how many sessions the state is kept.
const KEPT: usize = 64;
/// What stands for the kind of an event that is for others to see.
const HIDDEN: &str = "·";
/// How many events a kept state is brought forward by; beyond that a snapshot may be nearer.
const FORWARD: u64 = 256;

/// A session as somebody who may look at it finds it.
#[derive(Clone)]
pub struct SessionReading {
    pub row: SessionRow,
    pub reader: Arc<Reader>,
    /// The rules; none where this build does not know the application.
    pub host: Option<Arc<dyn AnyApplication>>,
}

/// An event as a reader may see it.
#[derive(Clone)]
pub struct SeenEvent {
    recorded: Recorded,
    reader: Arc<Reader>,
    host: Option<Arc<dyn AnyApplication>>,
}

impl SessionReading {
    /// A session as somebody finds it whom its application's own page let in. Whether it may is for that page to know.
    pub fn of_guest(engine: &Engine, row: SessionRow) -> Self {
        let host = engine.applications().find(&row.application);
        Self { row, reader: Arc::new(Reader::guest()), host }
    }

    /// An event of its log, as the reader may see it.
    pub fn event(&self, recorded: Recorded) -> SeenEvent {
        SeenEvent { recorded, reader: self.reader.clone(), host: self.host.clone() }
    }

    /// Whether the reader may see the prompts of a thread.
    pub fn shows_prompt(&self, thread: &str) -> bool {
        self.host.as_ref().map_or(self.reader.is_host(), |host| host.shows_prompt(thread, &self.reader))
    }

    /// Whether the reader may send commands.
    pub fn may_command(&self) -> bool {
        self.host.as_ref().map_or(self.reader.is_host(), |host| host.may_command(&self.reader))
    }
}

impl SeenEvent {
    pub fn seq(&self) -> Seq {
        self.recorded.seq
    }

    pub fn at(&self) -> Timestamp {
        self.recorded.at
    }

    /// The event as it stands in the log; none where that is not for this reader.
    pub fn recorded(&self) -> Option<&Recorded> {
        let is_shown = match &self.host {
            Some(host) => host.shows(&self.recorded, &self.reader),
            None => self.reader.is_host(),
        };
        is_shown.then_some(&self.recorded)
    }

    /// The same, to keep.
    pub fn into_recorded(self) -> Option<Recorded> {
        let is_shown = self.recorded().is_some();
        is_shown.then_some(self.recorded)
    }

    /// Its kind and its body; none where they are not for this reader.
    pub fn stored(&self) -> Option<&Stored> {
        self.recorded().map(|recorded| &recorded.stored)
    }

    /// The event for whoever lists or draws a whole log: one that is for others has its place and its time, and nothing in it.
    pub fn outline(&self) -> Recorded {
        self.recorded().cloned().unwrap_or_else(|| {
            let stored = Stored { kind: HIDDEN.to_owned(), version: 0, body: "null".to_owned() };
            Recorded { seq: self.seq(), at: self.at(), stored }
        })
    }

    /// The line that it adds to the reader's conversation.
    pub fn line(&self, lang: Lang) -> Option<Line> {
        self.host.as_ref()?.line(&self.recorded, &self.reader, lang)
    }
}

/// States of sessions that several people look at.
#[derive(Default)]
pub(super) struct ReadStates(Mutex<HashMap<SessionId, Arc<tokio::sync::Mutex<Option<ReadState>>>>>);

struct ReadState {
    /// A name may be given again after a deletion.
    opened_at: Timestamp,
    owner: String,
    live: Arc<dyn SessionState>,
}

impl ReadStates {
    fn place(&self, session: &SessionId) -> Arc<tokio::sync::Mutex<Option<ReadState>>> {
        let mut kept = self.0.lock().expect("read states");
        if kept.len() >= KEPT && !kept.contains_key(session) {
            kept.clear();
        }
        kept.entry(session.clone()).or_default().clone()
    }
}

impl Engine {
    /// A session as a person may look at it, or anybody where there is none; nothing where they are not let in, or where
    /// there is no such session.
    pub async fn read_as(&self, session: &SessionId, person: Option<&str>) -> Result<Option<SessionReading>, Declined> {
        let Some(row) = self.store().find(session).await.map_err(Declined::Failed)? else { return Ok(None) };
        let alone = (person == Some(row.owner.as_str())).then(Reader::host);
        let host = self.applications().find(&row.application);
        if !host.as_ref().is_some_and(|host| host.is_shared()) {
            return Ok(alone.map(|reader| SessionReading { row, reader: Arc::new(reader), host }));
        }
        match self.read_shared(row.clone(), host.clone(), person).await {
            Ok(found) => Ok(found.map(|(reading, _)| reading)),
            // Whoever owns a log that cannot be read must still be able to look at what can be.
            Err(Declined::Failed(Failure::Unreadable(_))) => {
                Ok(alone.map(|reader| SessionReading { row, reader: Arc::new(reader), host }))
            }
            Err(declined) => Err(declined),
        }
    }

    /// The same, with the state on which it was decided who they are.
    pub async fn present_as(
        &self,
        session: &SessionId,
        person: Option<&str>,
    ) -> Result<Option<(SessionReading, Arc<dyn SessionState>)>, Declined> {
        let Some(row) = self.store().find(session).await.map_err(Declined::Failed)? else { return Ok(None) };
        let host = self.applications().find(&row.application);
        if host.as_ref().is_some_and(|host| host.is_shared()) {
            return self.read_shared(row, host, person).await;
        }
        if person != Some(row.owner.as_str()) {
            return Ok(None);
        }
        let (row, live) = match self.present(session).await {
            Err(Declined::UnknownSession(_)) => return Ok(None),
            found => found?,
        };
        Ok(Some((SessionReading { row, reader: Arc::new(Reader::host()), host }, live.into())))
    }

    async fn read_shared(
        &self,
        row: SessionRow,
        host: Option<Arc<dyn AnyApplication>>,
        person: Option<&str>,
    ) -> Result<Option<(SessionReading, Arc<dyn SessionState>)>, Declined> {
        let (row, live) = match self.state_to_read(row).await {
            Err(Declined::UnknownSession(_)) => return Ok(None),
            found => found?,
        };
        let reader = live.reader(person, person == Some(row.owner.as_str()));
        Ok(reader.map(|reader| (SessionReading { row, reader: Arc::new(reader), host }, live)))
    }

    /// A session's row and its state as of its last event in the log, kept for whoever asks next. For looking alone: it is
    /// shared.
    async fn state_to_read(&self, row: SessionRow) -> Result<(SessionRow, Arc<dyn SessionState>), Declined> {
        let place = self.0.read_states.place(&row.id);
        let mut kept = place.lock().await;
        let state = kept.take().filter(|state| state.opened_at == row.opened_at && state.owner == row.owner);
        let live = match state {
            // Whoever was first may have gone further than this row knows.
            Some(state) if state.live.seq() >= row.head => Some(state.live),
            Some(state) => self.forward(&row, state.live).await.map_err(Declined::Failed)?,
            None => None,
        };
        let (row, live) = match live {
            Some(live) => (SessionRow { head: live.seq(), ..row }, live),
            None => self.present(&row.id).await.map(|(row, live)| (row, live.into()))?,
        };
        *kept = Some(ReadState { opened_at: row.opened_at, owner: row.owner.clone(), live: live.clone() });
        Ok((row, live))
    }

    /// A kept state with the events since; none where nobody could tell, or where it is far behind.
    async fn forward(
        &self,
        row: &SessionRow,
        mut live: Arc<dyn SessionState>,
    ) -> Result<Option<Arc<dyn SessionState>>, Failure> {
        let behind = row.head.0.saturating_sub(live.seq().0);
        let Some(state) = Arc::get_mut(&mut live).filter(|_| behind <= FORWARD) else { return Ok(None) };
        let since = self.store().events(&row.id, state.seq(), usize::try_from(behind).unwrap_or(usize::MAX)).await?;
        for recorded in &since {
            if recorded.seq != state.seq().next() || state.take(recorded).is_err() {
                return Ok(None);
            }
        }
        Ok((live.seq() == row.head).then_some(live))
    }
}
