//! Servers that behave, and servers that do not: a real process at the other end, with Python's standard library alone.

mod bad_days;
mod house;
mod ordinary;
