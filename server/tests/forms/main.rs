//! Forms for their owners: the builder without scripts, publishing, sharing, files, the interface for programs, and
//! that nobody else gets near.

#[path = "../common/mod.rs"]
mod common;

mod access;
mod building;
mod desk;
mod programs;
mod sharing;
