//! The stores, on good days and on bad ones.

mod bad_days;
mod common;
mod contract;
mod shown_tables;
