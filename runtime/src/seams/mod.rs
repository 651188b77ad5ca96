//! The seams to the world, as small traits. Storage, models and tools implement them elsewhere.

pub mod clock;
pub mod model;
pub mod register;
pub mod store;
pub mod tools;
