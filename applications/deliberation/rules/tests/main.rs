//! The rules of the deliberation, told as stories.

mod debater;
mod stable;
