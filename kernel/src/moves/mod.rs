//! Tables of allowed moves between named states.
//!
//! A table is written in TOML and checked when it is loaded, so that a typing error is found at start and not in the
//! middle of a session. Once a `Table` exists, every name in it is known, every state can be reached and every state
//! has an ordinary way to an end. Error moves stand apart: they are never part of the plan, and never held up by the
//! number of moves an utterance may make.
//!
//! Recording a move, or that one was refused, belongs to the application.

mod check;
mod diagram;
mod fault;
mod mover;
mod read;
mod table;

pub use fault::{Flaw, Kind, Problem, TableFault};
pub use mover::{Mover, NotMoved};
pub use table::{Move, MoveKind, NotAllowed, Table};
