//! The real binary, and the rules that hold for the whole house.
//!
//! `behaviour` runs it as a person or a script does, `crash` kills it, `local` gives it a local model. `frame`, `rooms` and
//! `tidy` read the sources.

mod behaviour;
mod crash;
mod frame;
mod house;
mod local;
mod postgres;
mod rooms;
mod sources;
mod tidy;
