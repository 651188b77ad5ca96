//! Who plays an application's people and model in the simulation.

mod difficult;
mod interview;

pub use difficult::DifficultRole;
pub use interview::InterviewRole;
