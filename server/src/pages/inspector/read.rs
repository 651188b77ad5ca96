//! A session's whole log as one reader may see it.
//!
//! States are folded from every event, whoever looks; what comes out of here is the reader's alone.

use enza_kernel::floor::Position;
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::engine::{Past, SeenEvent, SessionReading};
use enza_runtime::host::{AnyApplication, SessionState};
use enza_runtime::seams::store::{Failure, Recorded, SessionId, SessionRow};
use serde_json::Value;

use crate::access::Caller;
use crate::problem::Problem;
use crate::state::AppState;

/// A session's log, its reader, and what they may see of it.
pub struct ReadPast {
    pub row: SessionRow,
    pub reading: SessionReading,
    /// Every event, from the first.
    pub events: Vec<SeenEvent>,
    past: Past,
}

impl ReadPast {
    /// The log of a session that lets the caller in.
    pub async fn read(app: &AppState, caller: &Caller, session: &SessionId) -> Result<Self, Problem> {
        let reading = caller.session_as_reader(app, session.as_str()).await?;
        let mut past = app.engine().past(session).await?;
        // What was decided since may have made somebody else of the reader.
        past.events.retain(|recorded| recorded.seq <= reading.row.head);
        past.row = reading.row.clone();
        let events = past.events.iter().map(|recorded| reading.event(recorded.clone())).collect();
        Ok(Self { row: reading.row.clone(), reading, events, past })
    }

    /// An event.
    pub fn event(&self, seq: Seq) -> Option<&SeenEvent> {
        self.events.get(usize::try_from(seq.0.checked_sub(1)?).ok()?)
    }

    /// The rules.
    pub fn host(&self) -> &dyn AnyApplication {
        &*self.past.host
    }

    /// Where everything that moves by a table stood at an event, as the reader's floor has it.
    pub fn positions_at(&self, seq: Seq, lang: Lang) -> Result<Vec<Position>, Failure> {
        Ok(self.past.state_at(seq)?.floor(&self.reading.reader, lang).positions)
    }

    /// The state as of an event; none where it is not for the reader.
    pub fn state_at(&self, seq: Seq) -> Result<Option<Box<dyn SessionState>>, Failure> {
        Ok(Some(self.past.state_at(seq)?).filter(|live| live.shows_state(&self.reading.reader)))
    }

    /// The states before and after an event, as JSON; none where either is not for the reader.
    pub fn around(&self, seq: Seq) -> Result<Option<(Value, Value)>, Failure> {
        let (before, after) = self.past.around(seq)?;
        let Some(after) = Some(after).filter(|live| live.shows_state(&self.reading.reader)) else { return Ok(None) };
        let is_shown = self.state_at(Seq(seq.0.saturating_sub(1)))?.is_some();
        Ok(is_shown.then(|| (before, after.to_json())))
    }

    /// Every event for a drawing.
    pub fn drawn(&self) -> Vec<Recorded> {
        self.events.iter().map(SeenEvent::outline).collect()
    }
}
