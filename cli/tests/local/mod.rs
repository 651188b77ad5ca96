//! The real binary with the real local model: the llama.cpp server and the small weights, as `testing/model` brings them.
//!
//! The small model's judgement is worthless, so nothing here depends on what it says: only on what the rules make of it,
//! and on the server ending with whoever started it. Nothing is skipped: without the weights a test fails and says what
//! to do.

mod examination;
mod fixture;
mod interviews;
mod orphans;
