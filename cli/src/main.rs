//! The `enza` binary: everything one does at a terminal, with the applications of this build.

mod applications;

use std::process::ExitCode;

fn main() -> ExitCode {
    enza_terminal::main(&applications::all())
}
