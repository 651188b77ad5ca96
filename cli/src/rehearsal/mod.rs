//! Who plays an application's people and model in the simulation.

mod interview;

pub use interview::InterviewRole;
