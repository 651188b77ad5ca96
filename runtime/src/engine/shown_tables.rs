//! Has the store show the tables that the applications declare, once, when the engine starts.
//!
//! Views are for people and programs that read the database by SQL. Nothing in the engine waits for them, and questions
//! to a shown table (`SessionCatalog::table_rows`) are answered without them; so a store that cannot make them now, or
//! ever, keeps nobody from working.

use std::time::Duration;

use super::Engine;
use crate::seams::store::Failure;

/// How long to leave a store alone that could not be reached.
const PAUSE: Duration = Duration::from_secs(10);

impl Engine {
    /// Tries until the store has answered.
    pub(super) async fn show_tables(&self) {
        let tables = match self.applications().shown_tables() {
            Ok(tables) => tables,
            Err(faults) => {
                faults.iter().for_each(|fault| tracing::error!(%fault, "tables cannot be shown as they are declared"));
                return;
            }
        };
        loop {
            match self.store().show_tables(&tables).await {
                Ok(()) => return,
                Err(Failure::ReadOnly(why)) => {
                    tracing::info!(%why, "the database may not be written; views of tables stay as they are");
                    return;
                }
                Err(failure) if failure.may_retry() => {
                    tracing::info!(%failure, "views of tables could not be made; trying again");
                    tokio::time::sleep(self.jittered(PAUSE)).await;
                }
                Err(failure) => {
                    tracing::warn!(%failure, "views of tables could not be made; they stay as they are");
                    return;
                }
            }
        }
    }
}
