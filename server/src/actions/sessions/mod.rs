//! What people can do with sessions, whatever the application: begin, look, change, delete.
//!
//! Rules about a session are the application's, and keeping it is the engine's. Here it is only said whose it must be and
//! how much is read at a time.

mod begin;
mod change;
mod content;
mod cursor;
mod query;

pub use begin::{Beginning, OpenedSession, SessionSpec, fork, open};
pub use change::{AcceptedCommand, answer_gate, command, delete};
pub use content::content;
pub use query::{
    Conversation, EventPage, SaidLine, SessionCost, SessionFilter, SessionPage, SessionView, Work, conversation,
    conversation_in, events, export_page, list, prompts, prompts_in, show, state, view_in,
};

use enza_kernel::time::Seq;

use crate::problem::Problem;

/// The most rows, events or lines in one answer.
pub const MOST: usize = 100;
/// How many there are where nobody says.
pub const USUAL: usize = 20;

/// How many to read.
fn how_many(limit: Option<usize>) -> Result<usize, Problem> {
    match limit {
        None => Ok(USUAL),
        Some(limit) if (1..=MOST).contains(&limit) => Ok(limit),
        Some(_) => Err(Problem::BodyUnfit(format!("limit: 1…{MOST}"))),
    }
}

/// A place in a log from a number that someone sent. Beyond what any log can hold, all places are the same.
pub fn place(number: u64) -> Seq {
    Seq(number.min(i64::MAX as u64))
}
