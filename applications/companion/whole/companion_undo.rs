//! Every turn can be taken back, without git: the tree is again exactly what it was, and what a person wrote stays.

use serde_json::{Value, json};

use crate::behaviour::companion_fixture::ScriptedProject;
use crate::behaviour::companion_repository::{approved, assert_tree, edit, repository, session_of, tree, wants};
use crate::behaviour::companion_terminal::{Setting, Terminal};

/// Takes back the last turn that changed something, at a terminal.
fn undo(stage: &ScriptedProject) -> String {
    let mut terminal = Terminal::open(stage, &Setting::default(), "--continue --plain");
    terminal.types("/undo\n/turns\n/quit\n");
    terminal.ends()
}

/// Replies that do this, one turn each.
fn turns(actions: &[Value]) -> Vec<Value> {
    actions.iter().flat_map(|actions| [wants(actions), approved()]).collect()
}

fn does(stage: &ScriptedProject, said: &str, goes_on: bool) {
    let first: &[&str] = if goes_on { &["--continue"] } else { &[] };
    let allowed = ["--json", "-p", said, "--allow", "change", "--allow", "run"];
    let run = stage.enza(&[first, &allowed].concat());
    if run.status == 4 {
        let session = session_of(&run);
        let run = stage.enza(&["--json", "--resume", &session, "-p", "yes"]);
        assert_eq!(run.status, 0, "{run:?}");
    } else {
        assert_eq!(run.status, 0, "{run:?}");
    }
}

/// Section 4, 1: per turn, whatever it did: edits, new folders, files that went, modes, links, what a command did.
#[test]
fn each_turn_taken_back_gives_exactly_the_tree_before_it() {
    let stage = repository(turns(&[
        json!([edit("shop/price.py", "1.1", "1.10"), { "operation": "create", "path": "docs/deep/a.md", "content": "a\n" }]),
        json!([{ "operation": "delete", "path": "tools" }, edit("docs/deep/a.md", "a", "b")]),
        json!([{ "operation": "move", "path": "docs/deep/a.md", "to": "a.md" }]),
        json!([{ "operation": "run", "command": ["sh", "-c", "echo c > c.txt; echo d >> a.md; mkdir e; echo e > e/e.txt"] }]),
    ]));
    let mut before = Vec::new();
    for turn in 0..4 {
        before.push(tree(&stage));
        does(&stage, &format!("turn {turn}"), turn > 0);
        assert_ne!(tree(&stage), before[turn], "turn {turn} does something");
    }
    for expected in before.iter().rev() {
        let seen = undo(&stage);
        assert_tree(&stage, expected, &seen);
    }
}

/// Section 4, 1: a file that a person has changed since is theirs, and the rest goes back.
#[test]
fn what_a_person_wrote_in_between_stays() {
    let stage = repository(turns(&[json!([
        edit("shop/price.py", "1.1", "1.10"),
        edit("tools/release.txt", "by hand", "by script"),
        { "operation": "create", "path": "docs/a.md", "content": "a\n" },
    ])]));
    let mut expected = tree(&stage);
    does(&stage, "do it", false);
    std::fs::write(stage.project.join("tools/release.txt"), "by me\n").unwrap();
    std::fs::write(stage.project.join("docs/mine.md"), "mine\n").unwrap();
    let by_hand = tree(&stage);
    for path in ["tools/release.txt", "docs/mine.md", "docs"] {
        expected.insert(path.into(), by_hand[std::path::Path::new(path)].clone());
    }
    let seen = undo(&stage);
    assert_tree(&stage, &expected, &seen);
    assert!(seen.contains("tools/release.txt"), "what was left alone is named: {seen}");
}
