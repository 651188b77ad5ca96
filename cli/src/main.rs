//! The `enza` binary: everything one does at a terminal, with the applications of this build.

use std::process::ExitCode;

fn main() -> ExitCode {
    enza_terminal::main(&enza::applications::all())
}
