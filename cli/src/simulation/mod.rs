//! Who plays an application's people and model in the simulation.

mod companion;
mod difficult;
mod interview;

pub use companion::CompanionRole;
pub use difficult::DifficultRole;
pub use interview::InterviewRole;
