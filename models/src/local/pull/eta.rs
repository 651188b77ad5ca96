//! How fast bytes come, and how long the rest will take. Time arrives as an argument.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Only what came lately counts: a slow start should not be held against the rest.
const MEMORY: Duration = Duration::from_secs(10);
/// Less than this says nothing about a rate.
const LEAST: Duration = Duration::from_millis(500);

/// Watches bytes come.
#[derive(Debug, Clone, Default)]
pub struct Eta {
    seen: VecDeque<(Instant, u64)>,
}

impl Eta {
    /// Takes note of how many bytes are here now. Fewer than before means that it began anew.
    pub fn note(&mut self, now: Instant, done: u64) {
        if self.seen.back().is_some_and(|(_, before)| done < *before) {
            self.seen.clear();
        }
        self.seen.push_back((now, done));
        while self.seen.len() > 2 && self.seen.front().is_some_and(|(then, _)| now.duration_since(*then) > MEMORY) {
            self.seen.pop_front();
        }
    }

    /// Bytes a second, once enough was seen.
    pub fn rate(&self) -> Option<u64> {
        let ((first, from), (last, to)) = (self.seen.front()?, self.seen.back()?);
        let passed = last.duration_since(*first);
        (passed >= LEAST).then(|| ((to - from) as f64 / passed.as_secs_f64()) as u64)
    }

    /// How long the rest of `total` bytes will take, at this rate.
    pub fn left(&self, total: u64) -> Option<Duration> {
        let rest = total.saturating_sub(self.seen.back()?.1);
        self.rate().filter(|rate| *rate > 0).map(|rate| Duration::from_secs(rest.div_ceil(rate)))
    }
}
