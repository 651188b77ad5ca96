//! Time and place in a log, as plain numbers that are handed in.
//!
//! Nothing here can ask what time it is. A `Timestamp` enters with a command or an outcome and is
//! written in the event; a `Seq` is given by the log. Formatting for people belongs to the edge.

use std::fmt;
use std::ops::Add;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01 00:00 UTC.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The time from `self` to `later`; zero where `later` is the earlier one.
    pub fn until(self, later: Self) -> Duration {
        Duration::from_millis(u64::try_from(later.0.saturating_sub(self.0)).unwrap_or(0))
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, span: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
    }
}

/// An event's place in its session's log. The first event is 1; 0 is the empty log.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    /// The place before the first event.
    pub const START: Self = Self(0);

    /// The place `count` events further on.
    pub fn plus(self, count: usize) -> Self {
        Self(self.0 + count as u64)
    }

    /// The next place.
    pub fn next(self) -> Self {
        self.plus(1)
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// When a decision is taken, and at whose wish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Now {
    /// The time of the decision.
    pub time: Timestamp,
    /// The last event that the decision has seen.
    pub head: Seq,
    pub by: Actor,
}

/// Who asks a session to do something. A model is never one: its words arrive as outcomes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// A person, by the name the edge has verified.
    Person(String),
    /// A timer that rang.
    Clock,
    /// The runtime, settling an effect.
    Runtime,
    /// Another session, by an errand of its own. The runtime alone says so; nobody who sends a command can.
    Session {
        /// The session's name.
        session: String,
        /// Its application's word.
        application: String,
    },
}

impl Actor {
    /// The person's name, where a person it is.
    pub fn person(&self) -> Option<&str> {
        match self {
            Self::Person(name) => Some(name),
            Self::Clock | Self::Runtime | Self::Session { .. } => None,
        }
    }

    /// The session that sent an errand, where it is one of this application.
    pub fn session_of(&self, application: &str) -> Option<&str> {
        match self {
            Self::Session { session, application: its } if its == application => Some(session),
            Self::Person(_) | Self::Clock | Self::Runtime | Self::Session { .. } => None,
        }
    }
}
