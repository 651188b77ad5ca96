//! A person's debaters: places, active ones, and the one tutorial.

mod debaters;
mod tutorial;
mod world;
