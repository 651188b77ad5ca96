//! A debater's statement by rule: what it says where no model speaks for it.
//!
//! A statement answers a named earlier speaker, argues from one of the debater's values, does what the phase is for, cites
//! its knowledge, and follows the direction of its turn. The same input gives the same words. A sentence that was said in
//! the debate is not said again: earlier ones are known, and those of the same turn are kept apart by dealing every
//! possible sentence to one seat.
//!
//! What is shown to whom is the caller's: `thinking` is for the debater's owner alone.

mod choice;
mod facets;
mod heard;
mod pools;
mod statement;
mod wish;

use serde::{Deserialize, Serialize};

use enza_kernel::text::Lang;

use crate::modes::Aim;
use crate::persona::Persona;

pub(crate) use facets::Facets;
pub(crate) use pools::is_objection;
pub use statement::speak;
pub use wish::{Wish, wishes};

/// All that a statement is made from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Speaking {
    pub lang: Lang,
    pub topic: Subject,
    pub aim: Aim,
    /// The fewest and the most characters.
    pub length: (usize, usize),
    /// Whether the statement ends with how sure its speaker is.
    pub confidence: bool,
    pub turn: u32,
    pub turns: u32,
    /// Which seat this is, from 0, and how many there are.
    pub seat: u32,
    pub seats: u32,
    /// The speaker's name.
    pub name: String,
    pub persona: Persona,
    pub strategy: Option<String>,
    pub knowledge: Vec<Knowledge>,
    pub direction: Option<String>,
    /// What the others said in earlier turns, oldest first.
    pub heard: Vec<Utterance>,
    /// What this debater said in earlier turns, oldest first.
    pub own: Vec<Utterance>,
    /// What chance is drawn from: the debate's own.
    pub seed: String,
}

/// What a debate is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub title: String,
    pub description: String,
}

/// An entry of a debater's knowledge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knowledge {
    pub title: String,
    pub content: String,
}

/// Something said in a debate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Utterance {
    /// Its number within the debate, by which it is cited.
    pub number: u32,
    pub turn: u32,
    pub speaker: String,
    pub text: String,
}

/// A statement, and what its speaker thought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spoken {
    pub text: String,
    pub thinking: String,
}
