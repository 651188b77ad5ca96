//! Language models behind the runtime's seam.
//!
//! A hosted provider, a compatible server, a local server that Enza supervises, a recorded one and the understudy all
//! answer the same request with the same reply. What differs between servers of one dialect is data
//! (`providers/*.toml`); what differs between dialects is one folder each. A client makes one attempt; trying again,
//! waiting for a turn and keeping to budgets belong to the engine, and judging a reply to the kernel.
//!
//! A key is a `Secret` from the moment it is read: no message, log, error or recording can show it.

pub mod cassette;
pub mod catalog;
pub mod choice;
pub mod client;
pub mod config;
pub mod keys;
pub mod local;
pub mod prices;
pub mod probe;
pub mod providers;
pub mod quirks;
pub mod router;
pub mod understudy;

mod anthropic;
mod constraints;
mod draft;
mod failure;
mod http;
mod in_order;
mod openai;
mod read_reply;
mod sse;
mod thread;
mod written_calls;
