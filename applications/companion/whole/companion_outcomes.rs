//! How a run ends is what the checks and the budget say, not what the model says.

use serde_json::{Value, json};

use crate::behaviour::companion_fixture::{ScriptedProject, reply, talk};
use crate::behaviour::companion_repository::{approved, edit, repository, session_of, wants};
use crate::behaviour::companion_terminal::{Setting, Terminal};
use crate::house::Run;

const CHECK: &str = "python3 -B -m unittest -q";

fn outcome(run: &Run) -> Value {
    run.lines().into_iter().find(|line| line["kind"] == "ended").map(|line| line["outcome"].clone()).unwrap()
}

/// A change that breaks the tests.
fn breaks() -> Value {
    wants(&json!([edit("shop/price.py", "gross / 1.1", "gross / 1.2")]))
}

fn done() -> Value {
    reply("done", json!({ "reply": "All done, everything works!" }))
}

/// The last line that says something; the page about it is named below.
fn last_line(text: &str) -> &str {
    text.lines().rfind(|line| !line.trim().is_empty() && !line.contains("docs/errors/")).unwrap_or_default()
}

#[test]
fn red_checks_with_a_model_that_says_done_ended_as_done_with_status_zero() {
    let stage = repository([breaks(), done()]);
    let run = stage.enza(&["--json", "--accept-edits", "-p", "change the price"]);
    assert_eq!((run.status, outcome(&run)), (1, json!("checks_failed")), "{run:?}");
    let ended = run.lines().into_iter().find(|line| line["kind"] == "ended").unwrap();
    assert_eq!(ended["failing_checks"], json!([CHECK]));
    run.failed(1, "checks-failed", CHECK);

    for (language, words) in [("en", "Not done: the checks fail"), ("ja", "完了していません")] {
        let stage = repository([breaks(), done()]);
        let run = stage.enza(&["--lang", language, "--accept-edits", "-p", "change the price"]);
        assert_eq!(run.status, 1, "{run:?}");
        assert!(last_line(&run.err).contains(CHECK), "the last line names the check: {run:?}");
        assert!(run.err.contains(words), "{run:?}");
        assert!(run.out.lines().rev().take(2).any(|line| line.contains(words)), "nor does the talk end well: {run:?}");
    }
}

#[test]
fn a_review_that_is_content_does_not_turn_red_checks_into_a_result() {
    let stage = repository([
        breaks(),
        reply("continue", json!({ "step": "REVIEW", "prompt_pattern": "base_main_specialized" })),
        approved(),
    ]);
    let run = stage.enza(&["--json", "--accept-edits", "-p", "change the price"]);
    assert_eq!((run.status, outcome(&run)), (1, json!("checks_failed")), "{run:?}");
    let accepted = stage.enza(&["--json", "--resume", &session_of(&run), "-p", "/accept"]);
    accepted.failed(3, "checks-failed", CHECK);
}

#[test]
fn at_the_terminal_red_checks_are_told_by_their_command_and_no_success_is() {
    let stage = repository([breaks(), done()]);
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--accept-edits --plain");
    terminal.answers("> ", "change the price\n");
    terminal.awaits(&format!("Not done: the checks fail: {CHECK}")).answers("(/undo, /reset)", "/turns\n");
    terminal.answers("[shop/price.py]", "/quit\n");
    let seen = terminal.ends();
    assert!(!seen.contains("The task is done") && !seen.contains("Accept the result"), "{seen}");
    assert!(seen.contains(&format!("check {CHECK} (tests): it ended with status 1")), "{seen}");
}

#[test]
fn a_budget_of_six_thousand_makes_a_call_and_its_end_is_said_with_what_to_do() {
    let stage = ScriptedProject::with([talk("Hello."), talk("Hello again.")]);
    let run = stage.enza(&["--json", "--budget", "6000", "-p", "hello"]);
    assert_eq!((run.status, outcome(&run), stage.asked()), (0, json!("done"), 1), "{run:?}");

    let run = stage.enza(&["--json", "--budget", "1000", "-p", "hello"]);
    assert_eq!((run.status, outcome(&run), stage.asked()), (1, json!("budget_ended"), 1), "{run:?}");
    run.failed(1, "budget-exceeded", "--budget");
    for (language, ended, next) in [
        ("en", "The token budget is used up: 0 of 1000 tokens were used", "/budget "),
        ("ja", "トークンの予算を使い切りました: 1000のうち0を使い", "/budget "),
    ] {
        let run = stage.enza(&["--lang", language, "--budget", "1000", "-p", "hello"]);
        assert!(run.err.contains(ended) && run.err.contains(next) && run.err.contains("--budget "), "{run:?}");
        assert!(!run.out.contains("usable") && !run.out.contains("使える答え"), "{run:?}");
    }
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--budget 1000 --plain");
    terminal.answers("> ", "hello\n").awaits("The token budget is used up").awaits("(/budget N)");
    terminal.types("/budget 9000\n").awaits("The budget is now 9,000 tokens.").answers("Hello again.", "/quit\n");
    let seen = terminal.ends();
    assert_eq!(seen.matches("The token budget is used up").count(), 1, "{seen}");
}

/// Whatever the server says is said once.
#[test]
fn what_the_models_server_says_was_shown_twice() {
    let stage = ScriptedProject::with([]);
    let run = stage.enza(&["-p", "hello"]);
    assert_eq!((run.out.clone() + &run.err).matches("the script is over").count(), 1, "{run:?}");
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--plain");
    terminal.answers("> ", "hello\n").answers("(/retry)", "/quit\n");
    let seen = terminal.ends();
    assert_eq!(seen.matches("the script is over").count(), 1, "{seen}");
}
