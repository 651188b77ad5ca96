//! At a gate: everything that a yes would do can be seen, and taken in parts.

use serde_json::{Value, json};

use crate::behaviour::companion_fixture::{ScriptedProject, approval, reply, talk};
use crate::behaviour::companion_terminal::{Setting, Terminal};

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
fn a_file_that_is_moved_was_not_asked_about_hunk_by_hunk() {
    let moves = json!({ "operation": "move", "path": "src/old.txt", "to": "src/new.txt", "rationale": "as asked" });
    let edit = json!({
        "operation": "edit", "path": "src/greet.txt", "old": "world", "content": "moon", "rationale": "as asked",
    });
    let stage = asked(json!([moves, edit, create("src/empty.txt", ""), create("src/more.txt", "more\n")]));
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--continue --plain");
    terminal.answers(GATE, "h\n").awaits("src/old.txt → src/new.txt").answers("Do this? [y/n] ", "n\n");
    terminal.answers("[y/n/e] ", "n\n").awaits("src/empty.txt").answers("Do this? [y/n] ", "y\n");
    terminal.answers("[y/n/e] ", "y\n").answers("Changed", "/quit\n");
    let seen = terminal.ends();
    assert_eq!(
        (stage.text("src/greet.txt"), stage.text("src/old.txt")),
        ("hello\nworld\n".into(), "as it was\n".into())
    );
    assert_eq!((stage.text("src/empty.txt"), stage.text("src/more.txt")), (String::new(), "more\n".into()), "{seen}");
    assert!(!stage.project.join("src/new.txt").exists(), "{seen}");
}

#[test]
fn a_file_that_is_no_text_kept_everything_beside_it_from_being_picked() {
    let delete = json!({ "operation": "delete", "path": "src/blob.bin", "rationale": "as asked" });
    let run = json!({ "operation": "run", "command": ["touch", "ran.txt"], "rationale": "as asked" });
    let stage = ScriptedProject::with([
        reply("done", json!({ "reply": "So be it.", "actions": [delete, create("src/more.txt", "more\n"), run] })),
        approval(),
        talk("Well."),
    ]);
    std::fs::write(stage.project.join("src/blob.bin"), [0_u8, 159, 146, 150]).unwrap();
    assert_eq!(stage.enza(&["-p", "do it"]).status, 4);
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--continue --plain");
    terminal.answers(GATE, "h\n").awaits("src/blob.bin").answers("Do this? [y/n] ", "n\n");
    terminal.answers("[y/n/e] ", "y\n").awaits("run touch ran.txt").answers("Do this? [y/n] ", "n\n");
    terminal.answers("Changed", "/quit\n");
    let seen = terminal.ends();
    assert!(stage.project.join("src/blob.bin").exists() && !stage.project.join("ran.txt").exists(), "{seen}");
    assert_eq!(stage.text("src/more.txt"), "more\n", "{seen}");
}

#[test]
fn a_run_that_ended_at_a_gate_promised_an_allowance_that_could_not_help() {
    let delete = json!({ "operation": "delete", "path": "src/old.txt", "rationale": "as asked" });
    for (action, hint) in [
        (create("src/more.txt", "more\n"), "start with: --allow 'change src/more.txt'"),
        (delete, "This is asked about every time; --allow cannot allow it."),
    ] {
        let stage = ScriptedProject::with([reply("done", json!({ "reply": "So be it.", "actions": [action] }))]);
        stage.house.file("project/src/old.txt", "as it was\n");
        let run = stage.enza(&["-p", "do it"]);
        assert_eq!(run.status, 4, "{run:?}");
        assert!(run.err.contains(hint), "{run:?}");
    }
}
