//! The seams to the world, as small traits.

pub mod store;
