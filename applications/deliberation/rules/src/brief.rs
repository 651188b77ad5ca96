//! What a debater brings to a debate: written down when it sits down, and not changed by what its owner does meanwhile.
//!
//! A brief travels from the debater's session by way of the topic to the debate. What was seated is what is used (DEL-C6).

use serde::{Deserialize, Serialize};

/// A debater as it sits down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Brief {
    /// The debater's session; of a house partner its key.
    pub debater: String,
    /// Whose it is; none of a house partner.
    pub owner: Option<String>,
    pub name: String,
    /// The text of its persona, as it was written.
    pub persona: String,
    pub persona_version: u32,
    /// Newest first, ten at the most.
    pub knowledge: Vec<KnowledgeEntry>,
    /// What its owner said of its latest completed debate, with what it said there itself; a strategy is made of it.
    pub feedback: Option<FeedbackBrief>,
}

/// A piece of knowledge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnowledgeEntry {
    pub id: String,
    pub title: String,
    pub content: String,
    /// Milliseconds since 1970-01-01 UTC.
    pub created_at: i64,
}

/// A feedback on its way to becoming a strategy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedbackBrief {
    pub id: String,
    /// The debate it is about.
    pub debate: String,
    pub content: String,
    /// What the debater itself said there, turn by turn.
    pub own: Vec<OwnStatement>,
}

/// Something that a debater said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnStatement {
    pub turn: u32,
    pub content: String,
}
