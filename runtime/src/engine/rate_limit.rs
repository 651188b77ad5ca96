//! How fast a model may be asked: how many at once, how many requests and tokens a minute.
//!
//! A call waits here for its turn, beside the other calls to the same provider. Tokens count by what a call sets
//! aside, before it is made: the provider counts the same way when it says no. A provider that asks to come back later
//! asks everyone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

use crate::seams::model::{Lane, RateLimits};

/// The gatekeepers of the lanes that were used so far.
#[derive(Default)]
pub(super) struct RateLimiters(Mutex<BTreeMap<String, Arc<RateLimiter>>>);

impl RateLimiters {
    /// The gatekeeper of a lane. Its pace is that of its first request.
    pub fn limiter(&self, lane: Lane) -> Arc<RateLimiter> {
        let mut lanes = self.0.lock().expect("lanes");
        lanes.entry(lane.name).or_insert_with(|| Arc::new(RateLimiter::new(lane.pace))).clone()
    }
}

/// Lets calls through at the pace.
pub(super) struct RateLimiter {
    at_once: Semaphore,
    requests: Option<Mutex<TokenBucket>>,
    tokens: Option<Mutex<TokenBucket>>,
    closed_until: Mutex<Option<Instant>>,
}

impl RateLimiter {
    pub fn new(pace: RateLimits) -> Self {
        Self {
            at_once: Semaphore::new(pace.at_once.max(1)),
            requests: pace.requests_per_minute.map(|most| Mutex::new(TokenBucket::new(most))),
            tokens: pace.tokens_per_minute.map(|most| Mutex::new(TokenBucket::new(most))),
            closed_until: Mutex::new(None),
        }
    }

    /// Waits for a turn. The pass is given back when it is dropped.
    pub async fn enter(&self, tokens: u64) -> SemaphorePermit<'_> {
        let pass = self.at_once.acquire().await.expect("the gate is never closed");
        for (meter, amount) in [(&self.requests, 1), (&self.tokens, tokens)] {
            let Some(meter) = meter else { continue };
            let wait = meter.lock().expect("meter").take(amount);
            tokio::time::sleep(wait).await;
        }
        while let Some(until) = self.is_closed_until() {
            tokio::time::sleep_until(until).await;
        }
        pass
    }

    /// Lets nobody through for a while.
    pub fn close_for(&self, span: Duration) {
        let until = Instant::now() + span;
        let mut closed = self.closed_until.lock().expect("gate");
        *closed = (*closed).max(Some(until));
    }

    fn is_closed_until(&self) -> Option<Instant> {
        self.closed_until.lock().expect("gate").filter(|until| *until > Instant::now())
    }
}

/// A minute's allowance that refills evenly. It may go below zero: whoever takes it there waits until it is back.
struct TokenBucket {
    most: f64,
    left: f64,
    at: Instant,
}

impl TokenBucket {
    fn new(most: u64) -> Self {
        Self { most: most.max(1) as f64, left: most.max(1) as f64, at: Instant::now() }
    }

    fn take(&mut self, amount: u64) -> Duration {
        let now = Instant::now();
        let per_second = self.most / 60.0;
        self.left = (self.left + (now - self.at).as_secs_f64() * per_second).min(self.most);
        self.at = now;
        self.left -= amount as f64;
        if self.left >= 0.0 { Duration::ZERO } else { Duration::from_secs_f64(-self.left / per_second) }
    }
}
