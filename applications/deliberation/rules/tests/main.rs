//! How the deliberation behaves, told application by application.

mod debate;
mod topic;
