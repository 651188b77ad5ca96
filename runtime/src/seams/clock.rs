//! The seam to time: the one place from which a wall-clock time enters.
//!
//! Waiting is tokio's own timer, which a test can pause; only the time that is written in events comes
//! from here. It may jump: nothing durable may depend on it moving forward.

use std::time::{SystemTime, UNIX_EPOCH};

use enza_kernel::time::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// The time now.
    fn now(&self) -> Timestamp;
}

/// The machine's own clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}
