//! `enza session open` and `enza session talk`: any application at any terminal, by what it says of itself alone.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::behaviour::companion_fixture::{ScriptedProject, approval, change, talk};
use crate::behaviour::companion_terminal::{Setting, Terminal};
use crate::behaviour::models_provider::{Answer, Latch};
use crate::house::{House, Run};

/// A run whose standard input is these lines.
fn typed(house: &House, arguments: &[&str], lines: &[&str]) -> Run {
    run_typed(&mut house.command(arguments), lines)
}

fn run_typed(command: &mut Command, lines: &[&str]) -> Run {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary");
    child.stdin.take().unwrap().write_all((lines.join("\n") + "\n").as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run { status: done.status.code().unwrap_or(-1), out: text(done.stdout), err: text(done.stderr) }
}

fn newest(house: &House) -> String {
    house.json(&["session", "list"])[0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn an_interview_is_held_by_words_numbers_and_a_yes_at_its_gate() {
    let house = House::new();
    let begun = typed(&house, &["session", "open", "interview"], &["The lift is stuck on the second floor"]);
    assert_eq!(begun.status, 0, "{begun:?}");
    for shown in
        ["Interviewer: Please tell me about", "/1  Answer later", "You: The lift is stuck", "You left. Continue"]
    {
        assert!(begun.out.contains(shown), "{shown}: {}", begun.out);
    }
    let session = newest(&house);
    let ended = typed(&house, &["session", "talk", &session], &["Main building, lift 2", "/skip", "yes"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    for shown in ["Gate  risk: medium", "You: (Skipped)", "Submitted. Thank you.", "The session has ended."] {
        assert!(ended.out.contains(shown), "{shown}: {}", ended.out);
    }
    assert!(house.data().join("outbox").join(format!("{session}.json")).exists());
}

#[test]
fn an_agent_speaks_under_the_name_of_its_application_in_the_readers_language() {
    let house = House::new();
    let begun = typed(&house, &["--lang", "ja", "session", "open", "interview"], &[]);
    assert!(begun.out.contains("聞き手: ") && !begun.out.contains("interviewer"), "{begun:?}");
    let listed = house.enza(&["--lang", "ja", "session", "list"]);
    assert!(listed.out.contains("インタビュー"), "{listed:?}");
    let other = house.enza(&["--lang", "ja", "companion", "--resume", &newest(&house)]);
    assert!(other.err.contains("インタビューのセッションで、コンパニオンのセッションではありません"), "{other:?}");
}

#[test]
fn what_cannot_be_taken_back_is_asked_once_more() {
    let house = House::new();
    let kept = typed(&house, &["session", "open", "interview"], &["/give up", "no"]);
    assert!(kept.out.contains("Not done."), "{kept:?}");
    let session = newest(&house);
    let given_up = typed(&house, &["session", "talk", &session], &["/give up", "yes"]);
    assert!(given_up.out.contains("The session has ended."), "{given_up:?}");
}

#[test]
fn a_form_is_made_in_japanese_without_an_order_of_its_own() {
    let house = House::new();
    let run = typed(&house, &["--lang", "ja", "session", "open", "form"], &["遠足の申し込み", "/show"]);
    assert_eq!(run.status, 0, "{run:?}");
    for shown in ["あなた: 遠足の申し込み", "/1  公開する", "離れました。続けるには: enza session talk"]
    {
        assert!(run.out.contains(shown), "{shown}: {}", run.out);
    }
}

#[test]
fn the_companion_is_given_its_folder_and_what_is_named_goes_along() {
    let house = House::new();
    let folder = house.data().join("project");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a.txt"), "hello\n").unwrap();
    let command = serde_json::json!({ "open": { "folder": folder } }).to_string();
    let run = typed(&house, &["session", "open", "companion", "--command", &command], &["What is in a.txt?", "/show"]);
    assert_eq!(run.status, 0, "{run:?}");
    for shown in ["Attached: a.txt", "Companion: ", "Mode: ask", "/1  Mode: plan only"] {
        assert!(run.out.contains(shown), "{shown}: {}", run.out);
    }
    let nowhere =
        typed(&house, &["session", "open", "companion", "--command", r#"{"open":{"folder":"/no/such"}}"#], &[]);
    nowhere.failed(1, "folder-unfit", "absolute path");
}

#[test]
fn a_companion_gate_took_a_line_that_only_begins_with_yes() {
    let stage = ScriptedProject::with([change(), talk("It is above."), talk("I wait."), approval(), talk("Well.")]);
    assert_eq!(stage.enza(&["-p", "do it"]).status, 4);
    let session = newest(&stage.house);
    let said = |lines: &[&str]| {
        let mut command = stage.house.command(&["session", "talk", &session]);
        stage.furnish(&mut command);
        run_typed(&mut command, lines)
    };
    for talk in ["yes but first show me the diff", "はい、でも待って"] {
        let run = said(&[talk]);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.out.contains(&format!("You: {talk}")) && run.out.contains("Answer yes or no"), "{run:?}");
        let shown = stage.house.json(&["session", "show", &session]);
        assert_eq!(shown["session"]["standing"]["phase"], "gate", "{shown}");
        assert_eq!(stage.text("src/greet.txt"), "hello\nworld\n");
    }
    let run = said(&["承認"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n", "{run:?}");
}

#[test]
fn a_script_reads_lines_and_floors_and_sends_commands() {
    let house = House::new();
    let say = r#"{"say":{"text":"a door is broken"}}"#;
    let run = typed(&house, &["session", "open", "interview", "--json"], &[say]);
    let values = run.lines();
    assert!(values[0]["session"].is_string(), "{run:?}");
    let said: Vec<&str> = values.iter().filter_map(|one| one["line"]["text"].as_str()).collect();
    assert!(said.contains(&"a door is broken"), "{said:?}");
    let floors: Vec<&Value> = values.iter().filter(|one| one["floor"].is_object()).collect();
    assert_eq!(floors.len(), 2, "one for each time that it rests: {run:?}");
    assert_eq!(floors[1]["standing"]["phase"], "waiting");
    assert_eq!(floors[1]["floor"]["progress"]["done"], 1);
}

#[test]
fn a_refusal_and_an_opening_that_is_not_there_are_told() {
    let house = House::new();
    let refused =
        typed(&house, &["session", "open", "interview", "--json"], &[r#"{"confirm":{"gate":"g","verdict":"yes"}}"#]);
    assert_eq!(refused.status, 3, "{refused:?}");
    house.enza(&["session", "open", "companion"]).failed(2, "usage-wrong", "enza companion");
    house.enza(&["session", "open", "nothing"]).failed(1, "application-unknown", "interview");
    house.enza(&["session", "open", "interview", "--opening", "none"]).failed(2, "usage-wrong", "sample");
}

#[test]
fn at_a_terminal_it_is_typed_at_the_same_keyboard() {
    let stage = ScriptedProject::with([]);
    let enza = env!("CARGO_BIN_EXE_enza");
    let line = format!("exec {enza} --no-color --model understudy session open interview");
    let mut terminal = Terminal::run(&stage, &Setting::default(), &line);
    terminal.answers("Answer later", "The lift is stuck on the second floor\r");
    terminal.answers("\"Where it is\"", "/leave\r").awaits("Continue with: enza session talk");
    terminal.ends();
}

#[test]
fn at_a_terminal_an_answer_typed_before_its_question_is_put_back_on_the_line() {
    let latch = Latch::default();
    let held = Answer::Held(change().to_string(), 1, latch.clone());
    let stage = ScriptedProject::answering([held, Answer::Words(approval().to_string())]);
    let folder = stage.project.display();
    let enza = env!("CARGO_BIN_EXE_enza");
    let open = format!(r#"{{"open":{{"folder":"{folder}"}}}}"#);
    let line = format!("exec {enza} --no-color session open companion --command '{open}'");
    let mut terminal = Terminal::run(&stage, &Setting::default(), &line);
    terminal.answers("> ", "greet the moon\r").awaits("You: greet the moon").answers("Working", "ok\r");
    terminal.awaits("You typed this before the question appeared");
    latch.open();
    terminal.awaits("Answer yes or no");
    assert_eq!(stage.text("src/greet.txt"), "hello\nworld\n");
    // It stands on the line still.
    terminal.types("\r").awaits("Changed src/greet.txt").answers("Accept the result", "/leave\r");
    let seen = terminal.ends();
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n", "{seen}");
}

#[test]
fn at_a_terminal_an_interview_has_the_same_keys_and_gate() {
    let stage = ScriptedProject::with([]);
    let enza = env!("CARGO_BIN_EXE_enza");
    let line = format!("exec {enza} --no-color --model understudy interview run");
    let mut terminal = Terminal::run(&stage, &Setting::default(), &line);
    // Ctrl-W takes a word back; Ctrl-C takes the line.
    terminal.answers("1 of 3", "The lift is stuck on the third\u{17}second floor\r");
    terminal.awaits("> The lift is stuck on the second floor").awaits("2 of 3");
    terminal.types("nonsense\u{3}").types("Main building, lift 2\r").awaits("> Main building, lift 2");
    terminal
        .answers("3 of 3", "/skip\r")
        .answers("Continue? [y/n", "yes but wait\r")
        .awaits("Answer y (yes) or n (no)");
    terminal.types("承認\r").awaits("Submitted: ");
    assert!(!terminal.ends().contains("> nonsense\n"));
}
