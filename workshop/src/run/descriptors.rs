//! Descriptors that whoever started us left open for everyone to come: terminals and build tools do that.
//!
//! Whatever they lead to, Landlock does not guard it: it guards the opening. So a command must not get them. Our own
//! close by themselves; to close these without unsafe code, a shell is put between, which closes them and then becomes
//! the program.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

/// Shells that can close a descriptor, the highest that each can close, and what it is told: a bash whose standard
/// input is a socket believes that it was called from afar, and would read the person's settings.
const SHELLS: [(&str, u32, &[&str]); 2] = [("/bin/bash", u32::MAX, &["--norc", "--noprofile"]), ("/bin/sh", 9, &[])];

/// A command that starts `program` with no descriptors but the three that are set.
pub fn without_inherited(program: &str) -> io::Result<Command> {
    let inherited = inherited()?;
    let Some(highest) = inherited.iter().copied().max() else { return Ok(Command::new(program)) };
    let fit = SHELLS.into_iter().find(|(shell, most, _)| highest <= *most && Path::new(shell).is_file());
    let Some((shell, _, told)) = fit else {
        let why =
            format!("descriptor {highest} was left open by whoever started this, and there is no bash to close it");
        return Err(io::Error::other(why));
    };
    let closing: String = inherited.iter().map(|number| format!(" {number}>&-")).collect();
    let mut command = Command::new(shell);
    command.args(told).args(["-c", &format!("exec{closing}; exec \"$@\""), "sh", program]);
    Ok(command)
}

/// Those that stay open when a program is started.
fn inherited() -> io::Result<Vec<u32>> {
    const CLOSES_ITSELF: u32 = 0o2_000_000;
    let mut open = Vec::new();
    for entry in fs::read_dir("/proc/self/fdinfo")? {
        let entry = entry?;
        let number = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok());
        let Some(number) = number.filter(|number| *number > 2) else { continue };
        let info = fs::read_to_string(entry.path())?;
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
        let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok()).unwrap_or(0);
        if flags & CLOSES_ITSELF == 0 {
            open.push(number);
        }
    }
    Ok(open)
}
