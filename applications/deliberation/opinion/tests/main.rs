//! The mathematics of opinion: by hand-computed cases and properties, and side by side with what the field uses.

mod behaviour;
mod peer;
