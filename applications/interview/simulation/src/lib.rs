//! Who plays an interview's people and model in the simulation.

mod difficult;
mod respondent;

pub use difficult::DifficultRole;
pub use respondent::InterviewRole;
