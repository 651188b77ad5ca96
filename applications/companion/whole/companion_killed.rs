//! The companion's process is killed: between a yes and the change, inside the change, inside a command, while a task runs in
//! the background. Whoever takes the session up again finds the tree as it was or as it is to be, and never between.
//!
//! The moments are spread over the whole of a run, measured on one that is left alone, so that a slow machine is hit in
//! the same places as a fast one.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::behaviour::companion_fixture::{ScriptedProject, reply};
use crate::behaviour::companion_repository::{approved, audit, plan, session_of, told, wants};
use crate::behaviour::models_provider::{Answer, Asked};

/// How many files a change touches, so that there is an inside of it.
const MANY: usize = 40;
/// How many a rule may allow without a question.
const FEW: usize = 6;
/// At how many moments of a run it is killed.
const MOMENTS: u32 = 10;
/// How long anything may take before something is wrong.
const PATIENCE: Duration = Duration::from_secs(60);

/// Answers by the last thing that was said, so that a call that a kill took with it is answered the same again.
fn by_heart(first: Value, work: Value) -> impl Fn(&Asked) -> Answer + Send + Sync {
    move |asked| {
        let messages = asked.body["messages"].as_array().cloned().unwrap_or_default();
        let talk: Vec<&str> = messages.iter().filter_map(|one| one["content"].as_str()).collect();
        let last = |word: &str| talk.iter().rposition(|text| text.contains(word));
        let places = [
            (last("Review what was changed"), approved()),
            (last("Carry out the plan"), work.clone()),
            (last("Make a plan"), plan()),
        ];
        let newest = places.into_iter().filter(|(place, _)| place.is_some()).max_by_key(|(place, _)| *place);
        Answer::Words(newest.map_or_else(|| first.clone(), |(_, reply)| reply).to_string())
    }
}

/// So many new files, in one patch.
fn files(count: usize) -> Value {
    let patch: String = (0..count).map(|number| format!("*** Add File: made/{number}.txt\n+made\n")).collect();
    json!([{ "operation": "patch", "patch": format!("*** Begin Patch\n{patch}*** End Patch\n") }])
}

fn begun(stage: &ScriptedProject, arguments: &[&str]) -> Child {
    stage.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// How many of the files are there.
fn made(stage: &ScriptedProject) -> usize {
    (0..MANY).filter(|number| stage.project.join(format!("made/{number}.txt")).is_file()).count()
}

/// What lies about besides the project's own files and the ones that were made.
fn litter(stage: &ScriptedProject) -> Vec<String> {
    let known = ["README.md", "src/greet.txt"];
    let paths =
        stage.tree().into_iter().map(|(path, _)| path.strip_prefix(&stage.project).unwrap().display().to_string());
    paths.filter(|path| !known.contains(&path.as_str()) && !path.starts_with("made/")).collect::<Vec<_>>()
}

fn at_the_gate() -> (ScriptedProject, String) {
    let stage = ScriptedProject::by(by_heart(wants(&files(MANY)), wants(&files(MANY))));
    let run = stage.enza(&["--json", "-p", "make them"]);
    assert_eq!(run.status, 4, "{run:?}");
    let session = session_of(&run);
    (stage, session)
}

/// DUCK-131, G54: killed anywhere between the yes and the review.
#[test]
fn killed_after_a_yes_the_tree_is_as_before_or_as_after() {
    let (stage, session) = at_the_gate();
    let began = Instant::now();
    assert_eq!(stage.enza(&["--resume", &session, "-p", "yes"]).status, 0);
    let whole = began.elapsed();
    assert_eq!(made(&stage), MANY);
    let mut seen = Vec::new();
    for moment in 0..MOMENTS {
        let (stage, session) = at_the_gate();
        let mut child = begun(&stage, &["--resume", &session, "-p", "yes"]);
        std::thread::sleep(whole * moment / MOMENTS);
        child.kill().unwrap();
        child.wait().unwrap();
        let at_the_kill = made(&stage);
        // Whoever comes next takes it up: with nothing to say it only follows.
        let run = stage.enza(&["--json", "--resume", &session, "-p", ""]);
        let after = made(&stage);
        let is_answered = told(&audit(&stage, &session), "answered", "what") == ["yes, once"];
        let expected = if is_answered { MANY } else { 0 };
        assert_eq!(after, expected, "moment {moment}, {at_the_kill} at the kill: {run:?}");
        assert_eq!(litter(&stage), Vec::<String>::new(), "moment {moment}: nothing lies about");
        assert_eq!(run.status, if is_answered { 0 } else { 4 }, "moment {moment}: {run:?}");
        seen.push((is_answered, at_the_kill));
    }
    assert!(seen.iter().any(|(answered, _)| *answered), "some of the moments are behind the yes: {seen:?}");
}

/// A command whose end nobody saw is told as unknown, and is not run a second time; what it wrote can be taken back.
#[test]
fn a_command_that_was_killed_with_its_process_is_told_and_not_repeated_and_what_it_wrote_is_taken_back() {
    let command = json!([{ "operation": "run", "command": ["sh", "-c", "echo begun >> begun.txt; sleep 600"] }]);
    let stage = ScriptedProject::by(by_heart(wants(&command), wants(&command)));
    let run = stage.enza(&["--json", "-p", "run it"]);
    assert_eq!(run.status, 4, "{run:?}");
    let session = session_of(&run);
    let mut child = begun(&stage, &["--resume", &session, "-p", "yes"]);
    let until = Instant::now() + PATIENCE;
    while !stage.project.join("begun.txt").exists() {
        assert!(Instant::now() < until, "the command never began");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // A rule that was written meanwhile goes to the session first, and hides nothing of what it does then.
    let rule = "[[rules]]\nverdict = \"deny\"\noperation = \"run\"\npattern = \"git push *\"\n";
    std::fs::write(stage.house.config().join("companion.toml"), rule).unwrap();
    let run = stage.enza(&["--json", "--resume", &session, "-p", ""]);
    assert!(run.out.contains("These files had changed by then: begun.txt"), "{run:?}");
    assert_eq!(stage.text("begun.txt"), "begun\n", "it was run once");
    assert_eq!(told(&audit(&stage, &session), "lost", "who"), ["workshop"]);
    // What it wrote until then is taken back with its turn.
    let run = stage.enza(&["--json", "--resume", &session, "-p", "/undo"]);
    assert!(!stage.project.join("begun.txt").exists(), "{run:?}");
}

/// DUCK-43: a task in the background goes on after its process was killed.
#[test]
fn a_task_in_the_background_goes_on_after_a_kill() {
    let later = reply("defer", json!({ "prompt_pattern": "base_main_specialized", "reply": "I do it meanwhile." }));
    let began = Instant::now();
    let make = || ScriptedProject::by(by_heart(later.clone(), wants(&files(FEW))));
    let alone = make();
    assert_eq!(alone.enza(&["--json", "-p", "make them", "--allow", "change"]).status, 0);
    let whole = began.elapsed();
    assert_eq!(made(&alone), FEW);
    for moment in 1..4 {
        let stage = make();
        let mut child = begun(&stage, &["-p", "make them", "--allow", "change"]);
        std::thread::sleep(whole * moment / 4);
        child.kill().unwrap();
        child.wait().unwrap();
        let listed = stage.house.json(&["session", "list", "--application", "companion"]);
        let Some(session) = listed[0]["id"].as_str() else { continue };
        if told(&audit(&stage, session), "said", "what").is_empty() {
            continue;
        }
        let run = stage.enza(&["--json", "--resume", session, "-p", ""]);
        assert_eq!((run.status, made(&stage)), (0, FEW), "moment {moment}: {run:?}");
    }
}
