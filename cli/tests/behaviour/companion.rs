//! The companion without anyone at the keyboard: what it says, what it changes, and how it ends.

use serde_json::json;

use crate::companion_stage::{Stage, approval, change, talk};

#[test]
fn what_is_said_is_answered_and_the_run_ends_well() {
    let stage = Stage::with([talk("It greets the world.")]);
    stage.house.file("project/AGENTS.md", "Speak of greetings only.\n");
    let run = stage.enza(&["-p", "what does @src/greet.txt do?"]);
    assert_eq!((run.status, run.out.trim()), (0, "It greets the world."), "{run:?}");
    let heard = stage.heard();
    assert!(heard.contains("Speak of greetings only.") && heard.contains("hello\\nworld"), "{heard}");
}

#[test]
fn standard_input_is_said_where_nothing_is_typed() {
    let stage = Stage::with([talk("Yes.")]);
    let words = std::fs::File::open(stage.house.file("words.txt", "are you there?\n")).unwrap();
    let output = stage.command(&["--json"]).stdin(words).output().unwrap();
    let lines: Vec<serde_json::Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = lines.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["heard", "said", "ended"]);
    assert_eq!((&lines[1]["text"], &lines[2]["outcome"]), (&json!("Yes."), &json!("done")));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_gate_with_nobody_to_answer_ends_the_run_with_four_and_stays_open() {
    let stage = Stage::with([change(), approval()]);
    let before = stage.tree();
    let run = stage.enza(&["--json", "-p", "greet the moon"]);
    assert_eq!(run.status, 4, "{run:?}");
    assert_eq!(stage.tree(), before, "nothing is touched before a yes");
    let lines = run.lines();
    let gate = lines.iter().find(|line| line["kind"] == "gate").unwrap();
    assert!(gate["gate"]["ask"]["diff"].as_str().unwrap().contains("-world\n+moon\n"), "{gate}");
    let error = &lines.last().unwrap()["error"];
    let session = error["session"].as_str().unwrap();
    assert_eq!(error["code"], "waiting-at-a-gate");
    assert!(run.err.contains("enza companion --resume"), "{}", run.err);
    // The answer of a person, given later, is carried out exactly as shown.
    let run = stage.enza(&["--json", "--resume", session, "-p", "yes"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n");
    let changed = run.lines().into_iter().find(|line| line["kind"] == "changed").unwrap();
    assert_eq!(changed["changes"][0]["path"], "src/greet.txt");
}

#[test]
fn a_refused_gate_leaves_the_tree_as_it_was() {
    let stage = Stage::with([change()]);
    let before = stage.tree();
    assert_eq!(stage.enza(&["-p", "greet the moon"]).status, 4);
    let run = stage.enza(&["--continue", "-p", "no"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(stage.tree(), before);
    assert_eq!(stage.asked(), 1, "a plain no asks no model");
}

#[test]
fn what_is_allowed_beforehand_is_done_without_a_gate() {
    let stage = Stage::with([change(), approval()]);
    let run = stage.enza(&["-p", "greet the moon", "--allow", "change src/**"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n");
    assert!(run.out.contains("Changed src/greet.txt"), "{}", run.out);
}

#[test]
fn what_a_rule_denies_ends_the_run_with_three() {
    let stage = Stage::with([change(), talk("I may not.")]);
    stage.house.file(
        "project/.enza/companion.toml",
        "rules = [{ verdict = \"deny\", operation = \"change\", pattern = \"src/**\" }]\n",
    );
    let before = stage.tree();
    let run = stage.enza(&["-p", "greet the moon", "--allow", "change src/**"]);
    run.failed(3, "operation-denied", "--resume");
    assert!(run.err.contains("deny change src/**"), "{}", run.err);
    assert_eq!(stage.tree(), before);
}

#[test]
fn in_plan_mode_nothing_is_changed() {
    let stage = Stage::with([change(), talk("Here is what I would do.")]);
    let before = stage.tree();
    assert_eq!(stage.enza(&["-p", "greet the moon", "--plan", "--allow", "*"]).status, 3);
    assert_eq!(stage.tree(), before);
}

#[test]
fn a_model_that_does_not_answer_ends_the_run_with_one() {
    let stage = Stage::with([]);
    stage.enza(&["-p", "hello"]).failed(1, "session-stuck", "--resume");
}

// DUCK-14 to DUCK-16, DUCK-61: what was forbidden and said is carried into the next session.
#[test]
fn the_next_session_in_the_folder_remembers() {
    let stage = Stage::with([talk("Understood."), change(), talk("I leave it alone.")]);
    let run = stage.enza(&["-p", "Do not touch src/greet.txt"]);
    assert_eq!(run.status, 0, "{run:?}");
    let run = stage.enza(&["-p", "greet the moon", "--accept-edits"]);
    run.failed(3, "operation-denied", "--resume");
    assert_eq!(stage.text("src/greet.txt"), "hello\nworld\n");
    assert!(stage.heard().contains("Understood."), "the earlier talk is summed up");
}

#[test]
fn a_fork_knows_nothing_of_the_turn_and_what_came_after() {
    let stage = Stage::with([talk("First."), talk("Second."), talk("Other.")]);
    assert_eq!(stage.enza(&["-p", "one"]).status, 0);
    let run = stage.enza(&["--json", "--continue", "-p", "two"]);
    let session = run.lines().last().unwrap()["session"].as_str().unwrap().to_owned();
    let run = stage.enza(&["--json", "--fork", &format!("{session}@2"), "-p", "another"]);
    assert_eq!((run.status, &run.lines().last().unwrap()["turn"]), (0, &json!(2)), "{run:?}");
    let listed = stage.house.json(&["session", "list", "--application", "companion"]);
    assert_eq!(listed.as_array().unwrap().len(), 2, "{listed}");
}

#[test]
fn a_folder_that_is_none_is_told() {
    let stage = Stage::with([]);
    stage.enza(&["missing", "-p", "hello"]).failed(1, "file-unreadable", "place");
    stage.enza(&["README.md", "-p", "hello"]).failed(1, "file-unreadable", "place");
    stage.enza(&["--continue", "-p", "hello"]).failed(1, "file-unreadable", "place");
    stage.enza(&["-p", "x", "--allow", "destroy *"]).failed(2, "usage-wrong", "enza --help");
}
