//! What the kernel promises, subject by subject. Each module tells one subject's story through the public API.

mod agent;
mod agent_answers;
mod agent_budget;
mod agent_gates;
mod agent_threads;
mod agent_window;
mod application;
mod budget;
mod digest;
mod gate;
mod limits;
mod moves;
mod panel;
mod prompt;
mod prompt_pieces;
mod readers;
mod review;
mod schedule;
mod schema;
mod shop;
mod table;
mod text;

use enza_kernel::time::{Actor, Now, Seq, Timestamp};

/// A moment at which a person asks for something.
fn person(name: &str, at: i64) -> Now {
    Now { time: Timestamp(at), head: Seq::START, by: Actor::Person(name.to_owned()) }
}
