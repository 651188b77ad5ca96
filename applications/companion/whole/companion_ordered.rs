//! Orders behind `-p`, and how a script can tell in which way a run ended.

use std::process::Command;

use serde_json::{Value, json};

use crate::behaviour::companion_fixture::{ScriptedProject, approval, change, reply, talk};
use crate::behaviour::companion_repository::session_of;
use crate::house::Run;

/// The last line but the error: how it ended.
fn outcome(run: &Run) -> Value {
    let lines = run.lines();
    let ended = lines.iter().find(|line| line["kind"] == "ended").unwrap_or_else(|| panic!("no end: {run:?}"));
    ended["outcome"].clone()
}

fn git(stage: &ScriptedProject, words: &[&str]) -> String {
    let run = Command::new("git").args(words).current_dir(&stage.project).output().expect("git is needed");
    assert!(run.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap().trim().to_owned()
}

/// An acceptance went to the model as talk, and nothing was ever committed without a terminal.
#[test]
fn an_acceptance_behind_p_is_obeyed_and_what_was_accepted_is_committed() {
    let stage = ScriptedProject::with([change(), approval()]);
    std::fs::remove_dir(stage.project.join(".git")).unwrap();
    git(&stage, &["init", "--quiet"]);
    git(&stage, &["config", "user.name", "Ada"]);
    git(&stage, &["config", "user.email", "ada@example.com"]);
    git(&stage, &["add", "."]);
    git(&stage, &["commit", "--quiet", "--message", "first"]);
    std::fs::write(stage.house.config().join("companion.toml"), "commit = true\n").unwrap();
    let run = stage.enza(&["--json", "-p", "greet the moon", "--allow", "change src/**"]);
    assert_eq!((run.status, outcome(&run)), (0, json!("awaits_acceptance")), "{run:?}");
    let run = stage.enza(&["--json", "--continue", "-p", "/accept"]);
    assert_eq!((run.status, outcome(&run)), (0, json!("done")), "{run:?}");
    assert_eq!(stage.asked(), 2, "an order asks no model");
    assert_eq!(git(&stage, &["log", "--format=%s"]), "greet the moon\nfirst");
    assert_eq!(git(&stage, &["status", "--short"]), "");
    stage.enza(&["--continue", "-p", "/accept"]).failed(3, "nothing-to-accept", "reviewed");
}

/// A folder without git has nothing to commit to, and a script must learn of it.
#[test]
fn a_commit_that_fails_ends_the_run_with_one() {
    let stage = ScriptedProject::with([change(), approval()]);
    assert_eq!(stage.enza(&["-p", "greet the moon", "--allow", "change src/**"]).status, 0);
    let run = stage.enza(&["--json", "--continue", "-p", "/commit"]);
    assert_eq!((run.status, outcome(&run)), (1, json!("failed")), "{run:?}");
}

#[test]
fn changes_are_taken_back_by_an_order_behind_p() {
    let stage = ScriptedProject::with([change(), approval()]);
    assert_eq!(stage.enza(&["-p", "greet the moon", "--allow", "change src/**"]).status, 0);
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n");
    let run = stage.enza(&["--json", "--continue", "-p", "/undo"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!((stage.text("src/greet.txt").as_str(), stage.asked()), ("hello\nworld\n", 2));
}

/// DUCK-61: what was forbidden is lifted for the folder, in a session that is begun for nothing else.
#[test]
fn what_is_lifted_by_an_order_is_lifted_in_the_folder() {
    let stage = ScriptedProject::with([talk("Understood."), change(), approval()]);
    assert_eq!(stage.enza(&["-p", "Do not touch src/greet.txt"]).status, 0);
    let run = stage.enza(&["-p", "/rules"]);
    assert!(run.status == 0 && run.out.contains("Do not touch src/greet.txt"), "{run:?}");
    assert_eq!(stage.enza(&["-p", "/lift 1"]).status, 0);
    let run = stage.enza(&["--continue", "-p", "/turns"]);
    assert!(run.out.contains("Do not touch src/greet.txt"), "orders alone are nothing to go on with: {run:?}");
    let run = stage.enza(&["-p", "greet the moon", "--allow", "change src/**"]);
    assert_eq!((run.status, stage.asked()), (0, 3), "{run:?}");
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n");
}

#[test]
fn an_order_that_cannot_be_obeyed_without_a_keyboard_is_a_usage_error() {
    let stage = ScriptedProject::with([talk("Hello.")]);
    let wrong = |words: &[&str], next: &str| stage.enza(words).failed(2, "usage-wrong", next);
    wrong(&["-p", "/nonsense"], "/help");
    wrong(&["-p", "/accept"], "--continue");
    wrong(&["-p", "/undo it"], "/undo N");
    assert_eq!(stage.house.json(&["session", "list"]), json!([]), "no session is begun for it");
    assert_eq!(stage.enza(&["-p", "/etc/hosts is a path"]).status, 0);
    wrong(&["--continue", "-p", "/nonsense"], "/help");
    wrong(&["--continue", "-p", "/edit"], "enza companion --continue");
    wrong(&["--continue", "-p", "/fork 1"], "--fork ID@TURN");
    assert_eq!(stage.asked(), 1, "none of it is said to the model");
    let run = stage.enza(&["--json", "--continue", "-p", "/turns"]);
    assert!(run.lines()[0]["text"].as_str().unwrap().contains("/etc/hosts is a path"), "{run:?}");
}

#[test]
fn a_question_a_doubt_and_a_plain_answer_end_in_ways_a_script_can_tell() {
    let question = reply("pending_user", json!({ "reply": "Which moon do you mean?" }));
    let doubt = reply("continue", json!({ "reply": "I would.", "goal_consistency": "no: it is about the sun" }));
    let request = reply("pending_user", json!({ "reply": "Tell me more about it." }));
    let polite = talk("It greets the world. Anything else?");
    let stage = ScriptedProject::with([question, doubt, polite, request]);
    let run = stage.enza(&["--json", "-p", "greet it"]);
    assert_eq!((run.status, outcome(&run)), (4, json!("question")), "{run:?}");
    run.failed(4, "waiting-for-an-answer", "--resume");
    let run = stage.enza(&["--json", "--resume", &session_of(&run), "-p", "the big one"]);
    assert_eq!((run.status, outcome(&run)), (4, json!("doubt")), "{run:?}");
    let run = stage.enza(&["--json", "-p", "what does it do?"]);
    assert_eq!((run.status, outcome(&run)), (0, json!("done")), "{run:?}");
    let run = stage.enza(&["--json", "-p", "greet someone"]);
    assert_eq!((run.status, outcome(&run)), (4, json!("question")), "a question needs no mark: {run:?}");
}

/// A plan that waits is accepted by the next run; a question on the way to a change is one all the same.
#[test]
fn a_plan_waits_for_its_acceptance_and_a_question_after_it_for_an_answer() {
    let plan = json!({ "name": "Greet", "purpose": "a greeting", "steps": ["Edit it"], "risk": "low", "success": "it greets" });
    let stage = ScriptedProject::with([
        reply("continue", json!({ "prompt_pattern": "base_main_specialized" })),
        reply("pending_user", json!({ "reply": "Shall I?", "plan": plan })),
        reply("pending_user", json!({ "reply": "Which moon do you mean?" })),
    ]);
    let run = stage.enza(&["--json", "--plan", "-p", "greet it"]);
    assert_eq!((run.status, outcome(&run)), (0, json!("awaits_acceptance")), "{run:?}");
    let run = stage.enza(&["--json", "--continue", "-p", "/accept"]);
    assert_eq!((run.status, outcome(&run)), (4, json!("question")), "{run:?}");
}

/// G22: with nobody to ask, what would be asked is denied, nothing waits, and the work goes on.
#[test]
fn a_run_that_nobody_attends_denies_what_would_be_asked_and_goes_on() {
    let stage = ScriptedProject::with([change(), talk("Then I leave it.")]);
    let before = stage.tree();
    let run = stage.enza(&["--json", "--unattended", "-p", "greet the moon"]);
    assert_eq!((run.status, outcome(&run)), (3, json!("refused")), "{run:?}");
    assert!(run.lines().iter().all(|line| line["kind"] != "gate"), "{run:?}");
    assert!(run.out.contains("Then I leave it."), "the work went on: {run:?}");
    assert_eq!((stage.tree(), stage.asked()), (before, 2));
    stage.enza(&["--unattended", "--continue", "-p", "hello"]).failed(2, "usage-wrong", "--help");
}

#[test]
fn a_budget_that_was_typed_holds_for_the_session() {
    let stage = ScriptedProject::with([talk("Hello."), talk("Hello again.")]);
    let run = stage.enza(&["--json", "--budget", "1", "-p", "hello"]);
    let session = session_of(&run);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(stage.asked(), 0, "not even one call fits");
    let run = stage.enza(&["--json", "--resume", &session, "--budget", "1000000", "-p", ""]);
    assert_eq!((run.status, outcome(&run)), (0, json!("done")), "{run:?}");
    stage.enza(&["--budget", "0", "-p", "hello"]).failed(2, "usage-wrong", "--help");
}
