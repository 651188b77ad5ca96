//! Whether the house can do its work: whether something can be written, now or a moment ago.
//!
//! A database that only answers may be on a full or read-only disk. So a row is written; but however often one is asked,
//! the disk is bothered only every few seconds, and those who ask meanwhile share one try.

use std::time::Duration;

use enza_runtime::seams::store::Failure;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use crate::state::AppState;

/// How long an answer holds.
const HOLDS: Duration = Duration::from_secs(5);
/// How long a write may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the last try came to.
#[derive(Debug, Default)]
pub struct Readiness {
    last: Mutex<Option<(Instant, Result<(), &'static str>)>>,
}

impl Readiness {
    /// Whether the database can be written; if not, the code of what went wrong.
    pub async fn ask(&self, app: &AppState) -> Result<(), &'static str> {
        let mut last = self.last.lock().await;
        if let Some((at, known)) = *last
            && at.elapsed() < HOLDS
        {
            return known;
        }
        let silent = || Failure::Unreachable("a write takes too long".to_owned());
        let tried = timeout(PATIENCE, app.engine().store().try_write(app.now())).await;
        let tried = tried.unwrap_or_else(|_| Err(silent())).map_err(|failure| {
            tracing::warn!(%failure, "not ready");
            failure.code()
        });
        *last = Some((Instant::now(), tried));
        tried
    }
}
