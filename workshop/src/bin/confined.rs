//! The hidden mode of `enza` as a program of its own, for the tests of this crate.
//!
//! `enza` hands everything after its hidden first word to the same function; see `enza_workshop::run`.

use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    const CANNOT_RUN: u8 = 126;
    let error = enza_workshop::run::confined(std::env::args_os().skip(2));
    let _ = writeln!(std::io::stderr(), "confined: {error}");
    ExitCode::from(CANNOT_RUN)
}
