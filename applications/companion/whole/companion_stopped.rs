//! A person stops what is under way, and it really stops.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::behaviour::companion_fixture::ScriptedProject;
use crate::behaviour::companion_repository::wants;
use crate::behaviour::companion_terminal::{Setting, Terminal};

/// How long anything may take before something is wrong. The command itself would take far longer.
const PATIENCE: Duration = Duration::from_secs(60);

fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn is_alive(pid: &str) -> bool {
    std::path::Path::new("/proc").join(pid.trim()).exists()
}

/// Ctrl-C ends a command and all that it has started; what it changed until then is taken back like anything else.
#[test]
fn a_command_that_is_stopped_ends_at_once_and_what_it_changed_can_be_taken_back() {
    let line = "echo half > half.txt; echo moon > src/greet.txt; sleep 900 & echo $! > pid.new; mv pid.new pid; wait";
    let stage = ScriptedProject::with([wants(&json!([{ "operation": "run", "command": ["sh", "-c", line] }]))]);
    let before = stage.tree();
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--plain");
    terminal.answers("> ", "build it\n").answers("[v]iew > ", "y\n");
    let pid = || std::fs::read_to_string(stage.project.join("pid")).unwrap_or_default();
    eventually("the command begins", || !pid().is_empty());
    let child = pid();
    assert!(is_alive(&child));
    terminal.types("\x03").awaits("The command was stopped");
    eventually("its child ends", || !is_alive(&child));
    assert_eq!(stage.text("src/greet.txt"), "moon\n");
    terminal.types("/undo\n").answers("Restored to what it was before: ", "/quit\n");
    let seen = terminal.ends();
    assert_eq!(stage.tree(), before, "{seen}");
}
