//! A debater: what it knows, where it sits, what it hears and how it grows.

mod birth;
mod chaos;
mod feedback;
mod floor;
mod growth;
mod knowledge;
mod prompts;
mod reflection;
mod seats;
mod tables;
mod trial;
mod world;
