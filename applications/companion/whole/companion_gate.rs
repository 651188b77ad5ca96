//! At a gate: everything that a yes would do can be seen, and taken in parts.

use serde_json::{Value, json};

use crate::companion_fixture::{ScriptedProject, approval, reply, talk};
use crate::companion_terminal::{Setting, Terminal};

/// The end of the question at a gate.
const GATE: &str = "[v]iew > ";

/// A session that waits at a gate with these changes.
fn asked(actions: Value) -> ScriptedProject {
    let stage = ScriptedProject::with([
        reply("done", json!({ "reply": "So be it.", "actions": actions })),
        approval(),
        talk("Well."),
    ]);
    stage.house.file("project/src/old.txt", "as it was\n");
    assert_eq!(stage.enza(&["-p", "do it"]).status, 4);
    stage
}

fn create(path: &str, content: &str) -> Value {
    json!({ "operation": "create", "path": path, "content": content, "rationale": "as asked" })
}

// DUCK-90: whoever says yes can see all of it.
#[test]
fn everything_of_a_change_is_shown_where_it_is_asked_for() {
    let long: String = (0..4000).map(|number| format!("line number {number}\n")).collect();
    let stage = asked(json!([create("src/long.txt", &format!("{long}DB_PASSWORD=hunter2HUNTER\nthe very end\n"))]));
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--continue --plain");
    terminal.answers(GATE, "v\n").awaits("+line number 3999").awaits("+the very end").answers(GATE, "n\n");
    terminal.answers("> ", "/quit\n");
    let seen = terminal.ends();
    assert!(seen.contains("+DB_PASSWORD=[secret]") && !seen.contains("hunter2HUNTER"), "secrets are masked");
}

#[test]
fn a_file_that_is_moved_does_not_keep_the_others_from_being_picked() {
    let moves = json!({ "operation": "move", "path": "src/old.txt", "to": "src/new.txt", "rationale": "as asked" });
    let edit = json!({
        "operation": "edit", "path": "src/greet.txt", "old": "world", "content": "moon", "rationale": "as asked",
    });
    let stage = asked(json!([moves, edit, create("src/more.txt", "more\n")]));
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--continue --plain");
    terminal.answers(GATE, "h\n").awaits("src/old.txt goes with the rest").answers("[y/n/e] ", "n\n");
    terminal.answers("[y/n/e] ", "y\n").answers("Changed", "/quit\n");
    let seen = terminal.ends();
    assert_eq!(stage.text("src/greet.txt"), "hello\nworld\n", "{seen}");
    assert_eq!(
        (stage.text("src/new.txt"), stage.text("src/more.txt")),
        ("as it was\n".into(), "more\n".into()),
        "{seen}"
    );
}
