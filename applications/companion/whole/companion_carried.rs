//! What was said in one session of a folder holds in the others: begun later, gone on with, side by side, after a kill.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::behaviour::companion_fixture::{ScriptedProject, change, talk};
use crate::behaviour::companion_repository::session_of;
use crate::behaviour::models_provider::{Answer, Asked, Latch};

/// How long anything may take before something is wrong.
const PATIENCE: Duration = Duration::from_secs(60);

/// A model that only talks.
fn talkative() -> ScriptedProject {
    ScriptedProject::by(|_: &Asked| Answer::Words(talk("Understood.").to_string()))
}

/// What is forbidden in a session, in its own words.
fn forbidden(stage: &ScriptedProject, session: &str) -> Vec<String> {
    let state = stage.house.json(&["session", "show", session])["state"].clone();
    state["constraints"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap().to_owned()).collect()
}

/// The file in which it is carried.
fn carried(stage: &ScriptedProject) -> PathBuf {
    let kept = std::fs::read_dir(stage.house.data().join("companion")).unwrap();
    let mut paths = kept.flatten().map(|one| one.path());
    paths.find(|path| path.extension().is_some_and(|ending| ending == "json")).expect("something is carried")
}

/// Says something to a new session, or to an old one; the session.
fn said(stage: &ScriptedProject, words: &[&str]) -> String {
    let run = stage.enza(&[&["--json"], words].concat());
    assert_eq!(run.status, 0, "{run:?}");
    session_of(&run)
}

/// DUCK-61, G54: the folder's memory was written over by whichever session rested last.
#[test]
fn a_session_that_is_gone_on_with_drops_nothing_that_another_forbade() {
    let quiet = || talk("Understood.");
    let stage = ScriptedProject::with([quiet(), quiet(), quiet(), change(), quiet(), change(), quiet()]);
    let old = said(&stage, &["-p", "hello"]);
    said(&stage, &["-p", "Do not touch src/greet.txt"]);
    said(&stage, &["--resume", &old, "-p", "hello again"]);
    assert_eq!(forbidden(&stage, &old), ["Do not touch src/greet.txt"], "it was said since");
    for words in [&["-p", "greet the moon"][..], &["--resume", &old, "-p", "greet the moon"]] {
        let run = stage.enza(&[words, &["--accept-edits"]].concat());
        run.failed(3, "operation-denied", "--resume");
    }
    assert_eq!(stage.text("src/greet.txt"), "hello\nworld\n");
}

/// DUCK-61: what a fork forgets of the talk it does not forget of what was forbidden.
#[test]
fn a_fork_from_before_it_was_forbidden_holds_to_it() {
    let stage = talkative();
    let parent = said(&stage, &["-p", "hello"]);
    said(&stage, &["--resume", &parent, "-p", "Do not touch src/greet.txt"]);
    let fork = said(&stage, &["--fork", &format!("{parent}@2"), "-p", "hello"]);
    assert_ne!(fork, parent);
    assert_eq!(forbidden(&stage, &fork), ["Do not touch src/greet.txt"]);
}

/// DUCK-61: two at once in one folder, each with something to say.
#[test]
fn what_is_forbidden_in_two_sessions_at_once_holds_in_the_next() {
    let stage = talkative();
    let begin =
        |words: &str| stage.command(&["-p", words]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut both = ["Do not touch src/auth", "Do not touch src/billing"].map(begin);
    for child in &mut both {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    let mut all = forbidden(&stage, &said(&stage, &["-p", "hello"]));
    all.sort();
    assert_eq!(all, ["Do not touch src/auth", "Do not touch src/billing"]);
}

/// G54: what was said is kept at once, not when the work comes to rest.
#[test]
fn what_was_forbidden_in_a_turn_that_was_killed_holds_in_the_next_session() {
    let latch = Latch::default();
    let held = latch.clone();
    let stage =
        ScriptedProject::by(move |asked: &Asked| match asked.body.to_string().contains("think about it for long") {
            true => Answer::Held(talk("Well.").to_string(), 1, held.clone()),
            false => Answer::Words(talk("Understood.").to_string()),
        });
    let words = "Do not touch src/greet.txt. Now think about it for long.";
    let mut child = stage.command(&["-p", words]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let until = Instant::now() + PATIENCE;
    while stage.asked() == 0 {
        assert!(Instant::now() < until, "the model was never asked");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    latch.open();
    let next = said(&stage, &["-p", "hello"]);
    assert_eq!(forbidden(&stage, &next), ["Do not touch src/greet.txt"]);
}

/// G54: a process may be killed between the word and the file.
#[test]
fn what_was_forbidden_and_not_carried_is_read_from_the_log() {
    let stage = talkative();
    let session = said(&stage, &["-p", "hello"]);
    let file = carried(&stage);
    let before = std::fs::read(&file).unwrap();
    said(&stage, &["--resume", &session, "-p", "Do not touch src/greet.txt"]);
    std::fs::write(&file, before).unwrap();
    assert_eq!(forbidden(&stage, &said(&stage, &["-p", "hello"])), ["Do not touch src/greet.txt"]);
}

/// What is carried is made from the logs, so that a file that was spoilt costs no more than what it held besides.
#[test]
fn a_file_that_cannot_be_read_is_put_aside_and_the_session_goes_on() {
    let stage = talkative();
    let session = said(&stage, &["-p", "Do not touch src/greet.txt"]);
    let file = carried(&stage);
    std::fs::write(&file, "{").unwrap();
    said(&stage, &["--resume", &session, "-p", "hello"]);
    assert!(file.with_extension("json.unreadable").exists());
    assert_eq!(forbidden(&stage, &said(&stage, &["-p", "hello"])), ["Do not touch src/greet.txt"]);
    let carried: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(carried["memory"]["constraints"], json!(["Do not touch src/greet.txt"]));
}
