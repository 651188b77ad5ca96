//! Whether the wall's clock can be believed when it says that something is past its days.
//!
//! A clock that jumps years ahead would have everything deleted that people were promised to keep. So it is held against
//! the time that this process has really been running: where it is an hour or more ahead of that, nothing is deleted for
//! a day, in which somebody or the network's time may put it right. A machine that slept looks the same, and waits that
//! day, too. What a clock was like before the process started, nobody here knows.

use std::time::{Duration, Instant};

use enza_kernel::time::Timestamp;

/// How far ahead is no jump yet.
const SLACK: i64 = 60 * 60 * 1_000;
/// How long a jump has to last before it is believed.
const DOUBT: Duration = Duration::from_secs(24 * 60 * 60);

/// Two clocks, held against each other.
pub struct ClockGuard {
    wall: Timestamp,
    running: Instant,
    doubted_since: Option<Instant>,
}

impl ClockGuard {
    /// Begins with what both say now.
    pub fn new(wall: Timestamp, running: Instant) -> Self {
        Self { wall, running, doubted_since: None }
    }

    /// Whether the wall's clock can be believed now.
    pub fn believes(&mut self, wall: Timestamp, running: Instant) -> bool {
        let passed = i64::try_from(running.duration_since(self.running).as_millis()).unwrap_or(i64::MAX);
        let ahead = wall.0.saturating_sub(self.wall.0).saturating_sub(passed);
        let since = *self.doubted_since.get_or_insert(running);
        let is_believed = ahead <= SLACK || running.duration_since(since) >= DOUBT;
        if is_believed {
            *self = Self::new(wall, running);
        }
        is_believed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 60 * 60;
    const TEN_YEARS: i64 = 10 * 365 * 24 * 60 * 60 * 1_000;

    #[test]
    fn a_clock_that_jumps_years_ahead_deletes_nothing_for_a_day() {
        let start = Instant::now();
        let after = |hours: u64| start + Duration::from_secs(hours * HOUR);
        let wall = |hours: u64, off: i64| Timestamp(i64::try_from(hours * HOUR * 1_000).unwrap() + off);
        let mut steady = ClockGuard::new(wall(0, 0), start);
        assert!(steady.believes(wall(1, 0), after(1)));
        assert!(steady.believes(wall(2, 30_000), after(2)), "a little is no jump");
        for hour in 3..10 {
            assert!(!steady.believes(wall(hour, TEN_YEARS), after(hour)), "{hour}");
        }
        assert!(steady.believes(wall(10, 0), after(10)), "it was put right");
        assert!(steady.believes(wall(11, -TEN_YEARS), after(11)), "a clock that is behind deletes nothing");
        assert!(!steady.believes(wall(12, 0), after(12)), "back from there is a jump again");
        assert!((13..36).all(|hour| !steady.believes(wall(hour, 0), after(hour))));
        assert!(steady.believes(wall(36, 0), after(36)), "it has lasted for a day");
        assert!(steady.believes(wall(37, 0), after(37)));
    }
}
