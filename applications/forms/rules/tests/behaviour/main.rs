//! Forms: how they are written, published and shared, and who is let in.

mod admission;
mod architect;
mod chaos;
mod drafts;
mod floor;
mod links;
mod problems;
mod prompts;
mod sentences;
mod settings;
mod understudy;
mod versions;
mod world;
