//! The driver: loads, decides, appends, performs effects, wakes timers, feeds watchers.
//!
//! It owns the seams to the world (store, model, tools, clock) as small traits; storage and models
//! implement them. It decides nothing about an application's rules.

pub mod engine;
pub mod host;
pub mod seams;
pub mod simulation;
