//! The rules of the deliberation, told as stories, application by application.

mod debate;
mod debater;
mod stable;
mod topic;
