//! Coming back: to a session, to a turn that was taken back, and to a gate of which only some was taken.

use serde_json::json;

use crate::behaviour::companion_fixture::{ScriptedProject, approval, change, reply, talk};
use crate::behaviour::companion_terminal::{Setting, Terminal};

fn japanese() -> Setting<'static> {
    Setting { locale: "ja_JP.UTF-8", ..Setting::default() }
}

#[test]
fn a_session_that_was_resumed_showed_nothing_of_what_was_said() {
    let plan = json!({ "name": "Greet", "purpose": "a greeting", "steps": ["Read the file", "Greet the moon"], "risk": "low", "success": "it greets" });
    let stage = ScriptedProject::with([
        talk("It greets the world."),
        reply("continue", json!({ "prompt_pattern": "base_main_specialized" })),
        reply("pending_user", json!({ "reply": "Here is how.", "plan": plan })),
    ]);
    stage.enza(&["-p", "what does it do?"]);
    stage.enza(&["--continue", "--plan", "-p", "greet the moon"]);
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--continue --plain");
    for shown in [
        "The last 2 exchanges",
        "You: what does it do?",
        "It greets the world.",
        "You: greet the moon",
        "Here is how.",
        "Task: ",
        "1. Read the file",
        "2. Greet the moon",
        "This is the plan. Accept it",
        "(/accept)",
    ] {
        terminal.awaits(shown);
    }
    terminal.answers("> ", "/quit\n");
    terminal.ends();
    let mut terminal = Terminal::open(&stage, &japanese(), "--continue --plain");
    terminal.awaits("これまでのやりとり(最後の2件)").awaits("あなた: greet the moon").awaits("作業: ");
    terminal.answers("> ", "/quit\n");
    terminal.ends();
}

#[test]
fn a_resumed_session_shows_the_question_that_waits() {
    let stage = ScriptedProject::with([change()]);
    assert_eq!(stage.enza(&["-p", "greet the moon"]).status, 4);
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--continue --plain");
    terminal.awaits("You: greet the moon").awaits("I will greet the moon.").awaits("src/greet.txt");
    terminal.answers("[v]iew > ", "/quit\n");
    terminal.ends();
}

#[test]
fn a_turn_that_was_taken_back_was_gone_from_the_list_and_could_not_be_forked() {
    let stage = ScriptedProject::with([change(), approval(), talk("I know nothing of it.")]);
    let run = stage.enza(&["-p", "greet the moon", "--allow", "change src/**"]);
    assert_eq!(run.status, 0, "{run:?}");
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--continue --plain");
    terminal.answers("> ", "/undo\n").answers("Restored to what it was before: src/greet.txt", "/turns\n");
    terminal.answers("1  greet the moon  (undone: src/greet.txt)", "/undo 1\n");
    terminal.answers("That turn cannot be undone.", "/fork 1\n").answers("Forked:", "and now?\n");
    terminal.answers("I know nothing of it.", "/quit\n");
    terminal.ends();
}

#[test]
fn after_a_rewind_the_turns_of_the_other_session_are_listed_and_can_be_forked() {
    let stage = ScriptedProject::with([change(), approval(), talk("Here again.")]);
    stage.enza(&["-p", "greet the moon", "--allow", "change src/**"]);
    let listed = stage.house.json(&["session", "list", "--application", "companion"]);
    let parent = listed[0]["id"].as_str().unwrap().to_owned();
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--continue --plain");
    terminal.answers("> ", "/rewind 1\n").answers("is kept as well", "/turns\n");
    terminal.answers("(undone: src/greet.txt)", &format!("/fork {parent}@1\n"));
    terminal.answers("Forked:", "/fork nobody@1\n").answers("no session", &format!("/fork {parent}@7\n"));
    terminal.answers("There is no such turn.", "hello\n").answers("Here again.", "/quit\n");
    terminal.ends();
}

#[test]
fn after_a_second_rewind_the_turns_of_the_first_session_were_gone() {
    let stage = ScriptedProject::with([change(), approval(), talk("One."), talk("Two.")]);
    stage.enza(&["-p", "greet the moon", "--allow", "change src/**"]);
    let listed = stage.house.json(&["session", "list", "--application", "companion"]);
    let first = listed[0]["id"].as_str().unwrap().to_owned();
    let short = &first[first.len() - 8..];
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--continue --plain");
    terminal.answers("> ", "/rewind 1\n").answers("is kept as well", "say one\n").answers("One.", "/rewind 1\n");
    terminal.answers("is kept as well", "say two\n").answers("Two.", "/turns\n");
    terminal.awaits("say one").awaits(&format!("{short}@1")).awaits("greet the moon").answers("> ", "/quit\n");
    terminal.ends();
    for order in ["/turns", "/rewind"] {
        let run = stage.enza(&["--continue", "-p", order]);
        let has = |text: &str| run.out.contains(text);
        assert!(has("say two") && has("say one") && has(&format!("{short}@1")), "{order}: {run:?}");
    }
}

/// A gate about a file and a command: each is asked about, and the log names what was taken.
#[test]
fn hunk_by_hunk_the_command_of_the_same_gate_was_not_asked_about() {
    let run = json!({ "operation": "run", "command": ["touch", "made-by-command"], "rationale": "to see" });
    let edit = json!({ "operation": "edit", "path": "src/greet.txt", "old": "world", "content": "moon" });
    let both = reply("done", json!({ "reply": "Both.", "actions": [edit, run] }));
    let stage = ScriptedProject::with([both, approval()]);
    assert_eq!(stage.enza(&["-p", "greet the moon"]).status, 4);
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--continue --plain");
    terminal.answers("[v]iew > ", "h\n").answers("Accept this? [y/n/e] ", "y\n");
    terminal.awaits("run touch made-by-command").answers("Do this? [y/n] ", "n\n");
    terminal.awaits("You accepted a part: src/greet.txt. Left out: run touch made-by-command.");
    terminal.answers("(/accept)", "/quit\n");
    terminal.ends();
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n");
    assert!(!stage.project.join("made-by-command").exists());

    let session = stage.house.json(&["session", "list", "--application", "companion"])[0]["id"].clone();
    let lines = stage.enza(&["audit", session.as_str().unwrap(), "--json"]).lines();
    let answered = lines.iter().find(|line| line["kind"] == "answered").unwrap();
    assert_eq!(
        answered["what"],
        "yes, once: local accepted a part: src/greet.txt. Left out: run touch made-by-command."
    );
    let counts = json!([
        { "operation": "edit", "risk": "medium", "yes": 1, "in_part": 0, "no": 0, "withdrawn": 0 },
        { "operation": "run", "risk": "medium", "yes": 0, "in_part": 0, "no": 1, "withdrawn": 0 },
    ]);
    assert_eq!(lines.last().unwrap()["more"]["counts"], counts, "a refused operation is no approved one");
    assert!(lines.iter().all(|line| !line["what"].as_str().unwrap_or_default().contains("AwaitsAcceptance")));
}

/// Words at a gate count only where they are the whole reply, at the terminal and behind `-p`.
#[test]
fn a_japanese_person_could_not_answer_a_gate_with_its_own_word() {
    let stage = ScriptedProject::with([change(), talk("まだです。"), approval()]);
    assert_eq!(stage.enza(&["-p", "greet the moon"]).status, 4);
    assert_eq!(stage.enza(&["--continue", "-p", "承認していいですか"]).status, 4);
    assert_eq!(stage.text("src/greet.txt"), "hello\nworld\n");
    let mut terminal = Terminal::open(&stage, &japanese(), "--continue --plain");
    terminal.answers("[v]全文 > ", "承認\n").answers("(/accept)", "/quit\n");
    terminal.ends();
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n");
}
