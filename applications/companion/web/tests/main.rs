//! What the companion adds to the server.

#[path = "../../../../server/tests/common/mod.rs"]
mod common;
mod companion;
mod words;
