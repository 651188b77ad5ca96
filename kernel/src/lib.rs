//! What a session is and what may happen next.
//!
//! Pure: no I/O, no clock, no chance, no async. An application is built from these pieces and is
//! tested by folding events. Everything that performs lives in the runtime.

pub mod about;
pub mod agent;
pub mod application;
pub mod budget;
pub mod conversation;
pub mod effect;
pub mod errand;
pub mod floor;
pub mod gate;
pub mod limits;
pub mod moves;
pub mod panel;
pub mod prompt;
pub mod reader;
pub mod refusal;
pub mod review;
pub mod schedule;
pub mod schema;
pub mod table;
pub mod testing;
pub mod text;
pub mod time;
pub mod words;
