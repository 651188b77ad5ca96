//! Servers that behave, and servers that do not: a real process at the other end, with Python's standard library alone,
//! or a real server over HTTP.

mod bad_days;
mod fixture;
mod ordinary;
mod remote;
mod remote_bad_days;
mod station;
