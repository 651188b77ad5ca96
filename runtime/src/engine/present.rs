//! Where a session stands now, read from the log without taking part in it.
//!
//! Starts from the newest snapshot, so that looking at a long session costs no more than at a short one. Earlier states
//! belong to `inspect`.

use enza_kernel::application::{Application, Entry};
use enza_kernel::time::Seq;

use super::slot::rebuild_state;
use super::{Declined, Engine};
use crate::host::SessionState;
use crate::seams::store::{Failure, Recorded, SessionId, SessionRow, SnapshotUse};

impl Engine {
    /// A session's row, and its state as of its last event in the log.
    pub async fn present(&self, session: &SessionId) -> Result<(SessionRow, Box<dyn SessionState>), Declined> {
        let unknown = || Declined::UnknownSession(session.clone());
        let application = self.row(session).await?.application;
        let host = self.applications().find(&application).ok_or(Declined::UnknownApplication(application))?;
        for snapshots in [SnapshotUse::Version(host.state_version()), SnapshotUse::Never] {
            let loaded = self.store().load(session, snapshots).await.map_err(Declined::Failed)?.ok_or_else(unknown)?;
            let row = loaded.row.clone();
            match rebuild_state(&*host, loaded) {
                Ok((live, _)) => return Ok((row, live)),
                Err(Failure::Unreadable(_)) if snapshots != SnapshotUse::Never => {}
                Err(failure) => return Err(Declined::Failed(failure)),
            }
        }
        Err(unknown())
    }

    /// A session's row and its state in its application's own type. To whoever knows one application, a session of another
    /// is not there.
    pub async fn state<A: Application>(&self, session: &SessionId) -> Result<(SessionRow, A::State), Declined> {
        let (row, live) = self.present(session).await?;
        let state = live.into_typed::<A>().ok_or_else(|| Declined::UnknownSession(session.clone()))?;
        Ok((row, state))
    }

    /// Every event of a session in its application's own type, lifted to today's shape. What cannot be read is left out:
    /// whoever works on the session stops at it, and whoever looks back sees the rest.
    pub async fn entries<A: Application>(&self, session: &SessionId) -> Result<Vec<Entry<A::Event>>, Declined> {
        let events = self.store().events(session, Seq::START, usize::MAX).await.map_err(Declined::Failed)?;
        Ok(events.iter().flat_map(Recorded::entry::<A>).collect())
    }
}
