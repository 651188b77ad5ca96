//! The server's command line and environment.
//!
//! What is said here holds whatever the person's own environment says: the command line goes before it. The key is
//! passed in the environment, because everyone on the computer can read command lines. So is how threads wait: the
//! server has no option for it, only the library that it counts with has.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::process::{Command, Stdio};

use super::Setup;
use crate::keys::Secret;
use crate::local::machine::Wait;

/// Both usual OpenMP libraries know it. A server that was built without one keeps its own ways.
const WAIT_POLICY: &str = "OMP_WAIT_POLICY";

/// The command that starts a server on a port.
pub(super) fn command(setup: &Setup, port: u16, key: &Secret, log: File) -> io::Result<Command> {
    let program = setup.binary.program.as_os_str();
    let mut command = setup.launcher.command(setup.plan.session, program, &options(setup, port));
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).env("LLAMA_API_KEY", key.expose());
    match setup.plan.wait {
        Wait::Sleep => command.env(WAIT_POLICY, "passive"),
        Wait::Spin => command.env_remove(WAIT_POLICY),
    };
    if let Some(folder) = &setup.binary.library_folder {
        command.env("LD_LIBRARY_PATH", folder);
    }
    Ok(command)
}

fn options(setup: &Setup, port: u16) -> Vec<OsString> {
    let plan = &setup.plan;
    let mut options: Vec<OsString> = vec!["--model".into(), setup.weights.clone().into()];
    let mut say = |name: &str, value: &dyn ToString| options.extend([name.into(), value.to_string().into()]);
    say("--host", &"127.0.0.1");
    say("--port", &port);
    say("--threads", &plan.threads);
    say("--parallel", &plan.slots);
    say("--ctx-size", &(plan.context * plan.slots));
    // Prompts of conversations that lost their slot to another wait here, and are taken up where they were. Without it,
    // every agent beyond the number of slots begins from nothing. The server's own default would take 8 GB.
    say("--cache-ram", &(plan.parking >> 20));
    // A beginning is reused; chunks further on are not moved, because what they mean depends on what stood before them.
    say("--cache-reuse", &0);
    // No device is named: a graphics card is used where there is one.
    options.extend(["--cache-prompt", "--jinja", "--no-webui", "--no-slots", "--offline"].map(OsString::from));
    if !plan.repack {
        options.push("--no-repack".into());
    }
    options
}
