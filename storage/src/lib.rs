//! Keeps events and tables: memory, SQLite, PostgreSQL.
//!
//! Three stores with one set of promises, those of `enza_runtime::seams::store` for sessions and of
//! `enza_runtime::seams::register` for people; `tests/contract/` holds all three to them, and `tests/bad_days/` says what they do when the disk is full, the file is damaged or the server is gone.
//! `open` chooses by address, `inspect` looks without touching.
//!
//! What an event means, and when to append one, is not known here. SQL is not known anywhere else.

mod ancestry;
mod backup;
mod checksum;
mod columns;
mod deep_check;
mod fault;
mod identity;
mod memory;
mod migrations;
mod open;
mod postgres;
mod read_log;
mod shown_tables;
mod sqlite;

pub use backup::{BackupFailure, Restored, backup, restore};
pub use deep_check::{DeepCheck, Defect};
pub use identity::{Concern, Identity};
pub use memory::Memory;
pub use open::{Address, Checkup, Durability, Integrity, Opened, inspect, inspect_deep, open, open_known};
pub use postgres::Postgres;
pub use sqlite::{Commits, Sqlite, Stranger};
