//! Where a session stands now, read from the log without taking part in it.
//!
//! Starts from the newest snapshot, so that looking at a long session costs no more than at a short one. Earlier states
//! belong to `inspect`.

use super::slot::rebuild_state;
use super::{Declined, Engine};
use crate::host::SessionState;
use crate::seams::store::{Failure, SessionId, SessionRow, SnapshotUse};

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
}
