//! Forms for their owners: the builder without scripts, publishing, sharing, files, the interface for programs, and
//! that nobody else gets near.

mod access;
mod builder;
mod owner;
mod programs;
mod share;
