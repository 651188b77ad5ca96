//! What the engine promises, subject by subject, on a store in memory and a clock that can be pushed.

mod called_off;
mod commands;
mod crashes;
mod deletes;
mod errands;
mod feeds;
mod fixture;
mod given_up;
mod inspect;
mod linked;
mod memory;
mod models;
mod outages;
mod quiet;
mod readers;
mod saves;
mod shaky;
mod shown_tables;
mod timers;
mod tools;
mod typed;
mod unreadable;
mod workers;
