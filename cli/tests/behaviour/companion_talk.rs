//! The companion at a terminal, lent by `script`: gates, orders, and what stays on the screen.
//!
//! Lines are typed at once and wait for their turn, so what is typed behind a question comes when it is open only with
//! `--continue` in a run of its own.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use crate::companion_stage::{Stage, approval, change, talk};

/// Runs the companion at a terminal of its own, and types these keys.
fn at_a_terminal(stage: &Stage, locale: &str, typed: &str, keys: &str) -> String {
    let mut command = Command::new("script");
    let order = format!("stty cols 90; exec {} --no-color companion {typed}", env!("CARGO_BIN_EXE_enza"));
    command.args(["-qec", &order, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    stage.house.furnish(&mut command);
    stage.furnish(&mut command);
    command.current_dir(&stage.project).env("LANG", locale).env("TERM", "xterm");
    let mut child = command.spawn().expect("script (util-linux) is needed");
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut seen = Vec::new();
    if !typed.contains("--plain") {
        // Keys typed before they are read one by one would be taken for a line by the terminal.
        let mut byte = [0];
        while !String::from_utf8_lossy(&seen).contains(KEYS) && output.read(&mut byte).unwrap() > 0 {
            seen.push(byte[0]);
        }
    }
    input.write_all(keys.as_bytes()).unwrap();
    // Whatever becomes of the keys, a terminal that is hung up ends it; closing is left until it has had its say.
    let rest = std::thread::spawn(move || {
        let mut rest = Vec::new();
        output.read_to_end(&mut rest).unwrap();
        rest
    });
    child.wait().unwrap();
    drop(input);
    seen.extend(rest.join().unwrap());
    String::from_utf8(seen).unwrap().replace('\r', "")
}

/// What a terminal is told once keys are read one by one.
const KEYS: &str = "\u{1b}[?2004h";

/// A session that waits at its gate.
fn at_the_gate(stage: &Stage) {
    assert_eq!(stage.enza(&["-p", "greet the moon"]).status, 4);
}

// DUCK-88, G28: exactly what was shown is done after a yes.
#[test]
fn a_yes_at_the_gate_is_carried_out() {
    let stage = Stage::with([change(), approval()]);
    at_the_gate(&stage);
    let seen = at_a_terminal(&stage, "en_US.UTF-8", "--continue --plain", "y\n/nonsense\n/quit\n");
    assert!(seen.contains("-world\n+moon\n") && seen.contains("There is no command /nonsense."), "{seen}");
    let seen = at_a_terminal(&stage, "en_US.UTF-8", "--continue --plain", "/accept\n/turns\n/quit\n");
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n", "{seen}");
}

#[test]
fn a_no_with_a_reason_goes_back_to_the_model_and_changes_nothing() {
    let stage = Stage::with([change(), talk("Another way, then.")]);
    at_the_gate(&stage);
    let before = stage.tree();
    at_a_terminal(&stage, "ja_JP.UTF-8", "--continue", "n 別のやり方で\r\x04");
    stage.enza(&["--continue", "-p", ""]);
    assert_eq!(stage.tree(), before);
    assert!(stage.heard().contains("別のやり方で"), "{}", stage.heard());
}

#[test]
fn keys_are_read_one_by_one_and_the_terminal_is_put_back() {
    let stage = Stage::with([]);
    let seen = at_a_terminal(&stage, "ja_JP.UTF-8", "", "/ru\t\r\x04");
    assert!(seen.contains("> /rules") && seen.contains("モード: 確認する"), "{seen}");
    assert!(seen.contains("続けるには: enza companion --resume"), "{seen}");
    assert!(seen.contains("\u{1b}[?2004l"), "{seen}");
}

// DUCK-88: a rule for the project is the user's, and is kept in the user's file.
#[test]
fn a_yes_for_the_project_is_kept_in_the_users_file_and_never_in_the_project() {
    let stage = Stage::with([change(), approval()]);
    at_the_gate(&stage);
    let seen = at_a_terminal(&stage, "en_US.UTF-8", "--continue --plain", "p\n/rules\n/quit\n");
    let kept = std::fs::read_to_string(stage.house.config().join("companion.toml")).unwrap_or_default();
    assert!(kept.contains("verdict = \"allow\"") && kept.contains("src/greet.txt"), "{kept}\n{seen}");
    assert!(!stage.project.join(".enza").exists());
}

// DUCK-119: what happened can be read afterwards, with who and why and the digests of files.
#[test]
fn the_audit_tells_who_did_what_and_why() {
    let stage = Stage::with([change(), approval()]);
    let run = stage.enza(&["-p", "greet the moon; the key is DB_PASSWORD=hunter2HUNTER", "--allow", "change src/**"]);
    assert_eq!(run.status, 0, "{run:?}");
    let listed = stage.house.json(&["session", "list", "--application", "companion"]);
    let session = listed[0]["id"].as_str().unwrap().to_owned();
    let run = stage.enza(&["audit", &session, "--json"]);
    let lines = run.lines();
    let kinds: Vec<&str> = lines.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(&kinds[..2], ["opened", "said"], "{kinds:?}");
    for kind in ["judged", "wanted", "decided", "moved", "order", "tokens", "replied"] {
        assert!(kinds.contains(&kind), "{kind} is not among {kinds:?}");
    }
    let decided = lines.iter().find(|line| line["kind"] == "decided").unwrap();
    assert_eq!(decided["what"], "allowed (allow change src/**)");
    let made = lines.iter().rfind(|line| line["more"]["changes"].is_array()).unwrap();
    assert_ne!(made["more"]["changes"][0]["before"], made["more"]["changes"][0]["after"]);
    assert!(!run.out.contains("hunter2HUNTER"), "{}", run.out);
}
