//! What was answered to a form: sent on, listed, exported, deleted, and seen by nobody else.

mod delivery;
mod files;
mod listed;
mod owner;
mod pages;
mod receiver;
mod retention;
