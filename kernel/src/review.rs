//! Check, send back, at most so many times, then a person.
//!
//! A reviewer may send work back a limited number of times. When the limit is reached and something is still lacking,
//! the work goes to a person, and from then on no reviewer's word counts. One piece of work has one `Review`; a person
//! who lets it pass records `Passed`, a person who wants another round resets it.
//!
//! Who reviews, and by what measure, belongs to the application.

use serde::{Deserialize, Serialize};

/// How a piece of work stands with its reviewer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// How many times it may be sent back.
    pub limit: u32,
    /// How many times it was.
    pub sent_back: u32,
    pub phase: ReviewPhase,
}

/// Where a review stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewPhase {
    /// With the reviewer, or on its way back to whoever does the work.
    Reviewing,
    /// Done.
    Passed,
    WithPerson,
}

/// What a reviewer finds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewVerdict {
    /// Nothing is lacking.
    Pass,
    Lacking(Vec<String>),
}

/// What follows from a verdict; recorded in an event of the application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewStep {
    /// The work passed.
    Passed,
    /// The work goes back.
    SentBack { feedback: Vec<String> },
    /// A person has to look at it.
    Escalated {
        /// What is still lacking.
        feedback: Vec<String>,
    },
}

impl Review {
    /// A review that may send work back `limit` times. With none, the first lack goes to a person.
    pub fn new(limit: u32) -> Self {
        Self { limit, sent_back: 0, phase: ReviewPhase::Reviewing }
    }

    /// Takes in a recorded step.
    pub fn evolve(&mut self, step: &ReviewStep) {
        match step {
            ReviewStep::Passed => self.phase = ReviewPhase::Passed,
            ReviewStep::SentBack { .. } => self.sent_back += 1,
            ReviewStep::Escalated { .. } => self.phase = ReviewPhase::WithPerson,
        }
    }

    /// Starts over, with every round available again.
    pub fn reset(&mut self) {
        *self = Self::new(self.limit);
    }

    /// What follows from a verdict now. A review that is over stays as it is, whatever a late reviewer says.
    pub fn next(&self, verdict: ReviewVerdict) -> ReviewStep {
        match (self.phase, verdict) {
            (ReviewPhase::Passed, ReviewVerdict::Pass | ReviewVerdict::Lacking(_))
            | (ReviewPhase::Reviewing, ReviewVerdict::Pass) => ReviewStep::Passed,
            (ReviewPhase::Reviewing, ReviewVerdict::Lacking(feedback)) if self.sent_back < self.limit => {
                ReviewStep::SentBack { feedback }
            }
            (ReviewPhase::Reviewing | ReviewPhase::WithPerson, ReviewVerdict::Lacking(feedback)) => {
                ReviewStep::Escalated { feedback }
            }
            (ReviewPhase::WithPerson, ReviewVerdict::Pass) => ReviewStep::Escalated { feedback: Vec::new() },
        }
    }

    /// How many times the work may still be sent back.
    pub fn rounds_left(&self) -> u32 {
        self.limit.saturating_sub(self.sent_back)
    }
}
