//! Respondents: people without an account who come by a link, answer, correct, submit and come back.

mod agents_only;
mod agents_only_programs;
mod apart;
mod chat;
mod classic;
mod files;
mod gone;
mod guest;
mod languages;
mod programs;
mod start;
mod visit;
