//! A pause that only a person's answer ends.
//!
//! A gate is state, not a suspended call: it outlives crashes and waits for days. It takes one answer, from a person
//! who may give it, before it expires. What a model says is never an answer, since a model is never the actor of a
//! command; the clock and the runtime are turned away here.
//!
//! What follows from a yes or a no belongs to the application; so does recording the answer. The log's single writer
//! sees to it that of two answers at once the second is decided on a state that has the first.

mod given;
mod leeway;
mod plain;

pub use given::{Given, Pick, Scope};
pub use leeway::{FileAsked, Leeway, OperationAsked, Picking};
pub use plain::{plain_answer, typed_answer};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::application::Reason;
use crate::effect::Wake;
use crate::text::{Lang, Said};
use crate::time::{Now, Timestamp};
use crate::words::words;

/// A question that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    /// Its name within the session.
    pub id: String,
    pub ask: Points,
    /// How much is at stake.
    pub risk: Risk,
    /// When the question lapses, if ever.
    pub expires: Option<Timestamp>,
    /// The persons who may answer; empty for the session's owner alone.
    pub may_answer: Vec<String>,
}

/// The five points that a person needs to decide.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Points {
    pub intent: String,
    /// Why it should be done.
    pub grounds: String,
    pub impact: String,
    /// What could be done instead.
    pub alternatives: Vec<String>,
    /// The change itself, where it can be shown beforehand.
    pub diff: Option<String>,
}

/// How much is at stake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Easily undone.
    Low,
    /// Undone with some work.
    Medium,
    /// Not to be undone.
    High,
    /// Not to be undone, and far beyond what is at hand.
    Critical,
}

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Go on.
    Yes,
    /// Do not.
    No,
}

/// An accepted answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub verdict: Verdict,
    pub by: String,
    pub at: Timestamp,
    /// What the person had to say about it.
    pub note: Option<String>,
}

/// Where a gate stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateState {
    /// It waits.
    Open(Gate),
    Answered {
        gate: Gate,
        answer: Answer,
    },
    /// Nobody answered in time.
    Expired {
        gate: Gate,
        at: Timestamp,
    },
}

/// Why an answer was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateRefusal {
    /// Someone was faster.
    AlreadyAnswered { by: String },
    /// It is too late.
    Expired {
        /// When the gate lapsed.
        at: Timestamp,
    },
    /// This person may not answer.
    NotAllowed { who: String },
    /// No person asked for this.
    NotAPerson,
}

impl Risk {
    /// The word for it on screens.
    pub fn word(self, lang: Lang) -> &'static str {
        match self {
            Self::Low => words(lang).say("gate.risk_low"),
            Self::Medium => words(lang).say("gate.risk_medium"),
            Self::High => words(lang).say("gate.risk_high"),
            Self::Critical => words(lang).say("gate.risk_critical"),
        }
    }
}

impl Gate {
    /// Whether its time is over.
    pub fn has_lapsed(&self, at: Timestamp) -> bool {
        self.expires.is_some_and(|expires| at >= expires)
    }

    /// Whether a person may answer it in a session of this owner.
    pub fn is_for(&self, person: &str, owner: &str) -> bool {
        if self.may_answer.is_empty() { person == owner } else { self.may_answer.iter().any(|one| one == person) }
    }
}

impl GateState {
    /// Decides an answer. The application records it and then takes it in with `close`.
    ///
    /// A person who may not answer learns nothing about who did.
    pub fn answer(
        &self,
        verdict: Verdict,
        note: Option<String>,
        owner: &str,
        now: &Now,
    ) -> Result<Answer, GateRefusal> {
        let by = now.by.person().ok_or(GateRefusal::NotAPerson)?;
        let gate = self.gate();
        if !gate.is_for(by, owner) {
            return Err(GateRefusal::NotAllowed { who: by.to_owned() });
        }
        match self {
            Self::Answered { answer, .. } => Err(GateRefusal::AlreadyAnswered { by: answer.by.clone() }),
            Self::Expired { at, .. } => Err(GateRefusal::Expired { at: *at }),
            Self::Open(Gate { expires: Some(at), .. }) if now.time >= *at => Err(GateRefusal::Expired { at: *at }),
            Self::Open(_) => Ok(Answer { verdict, by: by.to_owned(), at: now.time, note }),
        }
    }

    /// Takes in a recorded answer. A gate that is no longer open stays as it is.
    pub fn close(&mut self, answer: &Answer) {
        if let Self::Open(gate) = self {
            *self = Self::Answered { gate: gate.clone(), answer: answer.clone() };
        }
    }

    /// Takes in a recorded expiry. A gate that is no longer open stays as it is.
    pub fn expire(&mut self, at: Timestamp) {
        if let Self::Open(gate) = self {
            *self = Self::Expired { gate: gate.clone(), at };
        }
    }

    /// What was asked.
    pub fn gate(&self) -> &Gate {
        match self {
            Self::Open(gate) | Self::Answered { gate, .. } | Self::Expired { gate, .. } => gate,
        }
    }

    /// The gate, while it waits.
    pub fn open(&self) -> Option<&Gate> {
        match self {
            Self::Open(gate) => Some(gate),
            Self::Answered { .. } | Self::Expired { .. } => None,
        }
    }

    /// The timer that an open gate with an expiry owes.
    pub fn wake(&self) -> Option<Wake> {
        let gate = self.open()?;
        Some(Wake { name: format!("gate/{}", gate.id), at: gate.expires? })
    }
}

impl Reason for GateRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::AlreadyAnswered { .. } => "gate-answered",
            Self::Expired { .. } => "gate-expired",
            Self::NotAllowed { .. } => "gate-not-yours",
            Self::NotAPerson => "gate-needs-a-person",
        }
    }

    fn say(&self, lang: Lang) -> Said {
        match self {
            Self::AlreadyAnswered { by } => words(lang).said("gate.already_answered", &[("by", &by)]),
            Self::Expired { .. } => words(lang).said("gate.expired", &[]),
            Self::NotAllowed { who } => words(lang).said("gate.not_allowed", &[("who", &who)]),
            Self::NotAPerson => words(lang).said("gate.not_a_person", &[]),
        }
    }
}
