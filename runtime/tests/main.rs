//! The engine, subject by subject and on many seeds.

mod engine;
mod simulation;
