//! Who sits in a deliberation, and what they can talk about: values, personas, modes, topics, house partners, and the
//! voices by rule that stand in where there is no model.
//!
//! Everything is a function of what is handed in. The same words come out for the same input on every machine; chance is
//! a seed that the caller brings. Whatever is said stands in the files of `data/`, in Japanese and English alike.
//!
//! Who may speak when, what is stored and what is sent to a model belong to the rules of the deliberation.

mod chance;
mod coach;
mod data;
mod modes;
mod outcome;
mod partners;
mod persona;
mod sentences;
mod topics;
mod values;
mod voice;

pub use coach::{Reflection, Tone, growth, reflection, strategy, tone_of};
pub use data::DataFault;
pub use modes::{
    Aim, Constraint, Mode, ModeText, Phase, PhaseText, confidence, mode, modes, read_mode, without_confidence,
};
pub use outcome::{
    Axis, AxisScore, Candidate, Common, NextTopic, Point, Verdict, closing_candidates, consensus_and_dissent,
    next_topic, ranking, summary, turn_summary, verdict,
};
pub use partners::{Partner, PartnerText, partners};
pub use persona::{Persona, PersonaDiff, PersonaFault, TextChange};
pub use sentences::{excerpt, sentences};
pub use topics::{Topic, TopicText, read_topics, topic_called, topics};
pub use values::{Value, ValueText, ValuesFault, check_chosen, value, value_named, values};
pub use voice::{Knowledge, Speaking, Spoken, Subject, Utterance, Wish, speak, wishes};
