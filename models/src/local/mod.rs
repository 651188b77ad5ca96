//! The local model: weights on disk, a llama.cpp server of our own.
//!
//! `catalogue` says what can be had, `pull` brings it, `folder` keeps it, `machine` fits it into this computer's memory,
//! and `server` runs it as a child that never outlives us (`tether`). Whoever wants to talk to it asks
//! `server::Server::endpoint` and then speaks the same dialect as with any other compatible server.
//!
//! Nothing here reads the environment or prints. Errors are facts; the words for people are made by the command line.

pub mod folder;
pub mod gguf;
pub mod launcher;
pub mod machine;
pub mod model;
pub mod pull;
pub mod pullable;
pub mod server;

mod digest;
