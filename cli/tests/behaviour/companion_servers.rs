//! The tools of servers in the companion: offered, asked for, used, denied, and told when they cannot be
//! (requirements, section 4, item 10; peers, row 25).

use enza_kernel::conversation::Digest;
use serde_json::{Value, json};

use crate::companion_stage::{Stage, talk};
use crate::house::{Run, finished};

/// The server of the workshop's tests.
const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../workshop/tests/servers/server.py");

/// A stage whose user has a server `test` of this manner.
fn with_server(manner: &str, replies: impl IntoIterator<Item = Value>, more: &str) -> Stage {
    let stage = Stage::with(replies);
    stage.house.file("traces", "");
    stage.house.file("config/companion.toml", &format!("{more}\n{}", settings("test", manner)));
    stage
}

fn settings(name: &str, manner: &str) -> String {
    format!("[servers.{name}]\ncommand = [\"python3\", {SERVER:?}, {manner:?}]\nenvironment = [\"TRACES\"]\n")
}

fn enza(stage: &Stage, arguments: &[&str]) -> Run {
    let mut command = stage.command(arguments);
    command.env("TRACES", stage.project.parent().unwrap().join("traces"));
    finished(&mut command)
}

/// How often the server was started, and what was called.
fn traces(stage: &Stage) -> (usize, Vec<String>) {
    let text = std::fs::read_to_string(stage.project.parent().unwrap().join("traces")).unwrap();
    let calls = text.lines().filter(|line| line.starts_with("call")).map(str::to_owned).collect();
    (text.lines().filter(|line| line.starts_with("start")).count(), calls)
}

fn wants(tool: &str) -> Value {
    json!({
        "rationale": "the person asked", "goal_consistency": "yes", "constraint_check": "yes", "next_step": "continue",
        "step": "PLANNING", "prompt_pattern": "base_main", "reply": "I will ask the server.",
        "actions": [{ "operation": "tool", "command": [tool], "arguments": { "text": "a distant echo" } }],
    })
}

#[test]
fn a_tool_is_asked_for_used_after_the_yes_and_its_result_is_in_the_next_prompt() {
    let stage = with_server("well", [wants("test/echo"), talk("It echoed."), talk("Well."), talk("Well.")], "");
    let run = enza(&stage, &["--json", "-p", "use the echo"]);
    assert_eq!(run.status, 4, "{run:?}");
    assert!(stage.heard().contains("test/echo: Says it again."), "the tools are in the prompt");
    assert_eq!(traces(&stage), (1, Vec::new()), "nothing is called before the yes");
    let intent = run.lines().iter().find(|line| line["kind"] == "gate").unwrap()["gate"]["ask"]["intent"].clone();
    assert_eq!(intent, "Tool: test/echo {\"text\":\"a distant echo\"}");
    // The answer is given in another process, which starts the server when it is needed.
    let run = enza(&stage, &["--json", "--continue", "-p", "yes"]);
    assert_eq!(traces(&stage), (2, vec!["call echo".to_owned()]), "{run:?}");
    assert!(stage.heard().contains("```result\\na distant echo\\n```"), "{}", stage.heard());
    let session = run.lines().last().unwrap()["session"].as_str().unwrap().to_owned();
    let audit = finished(&mut stage.command(&["audit", &session]));
    for told in ["tool test/echo", "Tool: test/echo {\"text\":\"a distant echo\"}", "yes, once", "used test/echo"] {
        assert!(audit.out.contains(told), "{told}: {}", audit.out);
    }
}

#[test]
fn a_server_whose_tools_are_all_denied_is_never_started() {
    let rules = "rules = [{ verdict = \"deny\", operation = \"tool\", pattern = \"test/*\" }]";
    let stage = with_server("well", [wants("test/echo"), talk("I may not.")], rules);
    enza(&stage, &["-p", "use the echo", "--allow", "tool *"]).failed(3, "operation-denied", "--resume");
    assert_eq!(traces(&stage), (0, Vec::new()));
}

#[test]
fn a_server_that_cannot_be_started_is_told_and_the_session_goes_on() {
    let stage = with_server("dead", [talk("Hello.")], "");
    let run = enza(&stage, &["-p", "hello"]);
    assert_eq!((run.status, run.out.trim()), (0, "Hello."), "{run:?}");
    assert!(run.err.contains("The server test cannot be used: ") && run.err.contains("no licence found"), "{run:?}");
}

#[test]
fn a_projects_servers_are_started_only_once_the_folder_is_trusted() {
    let stage = with_server("well", [talk("One."), talk("Two."), talk("Three.")], "");
    std::fs::remove_file(stage.house.config().join("companion.toml")).unwrap();
    stage.house.file("project/.enza/companion.toml", &settings("theirs", "well"));
    let run = enza(&stage, &["-p", "hello"]);
    assert_eq!((run.status, traces(&stage).0), (0, 0), "{run:?}");
    assert!(run.err.contains("theirs: python3"), "{run:?}");
    let folder = toml::Value::from(stage.project.display().to_string());
    // What was trusted before it was written down what that was, is not trusted.
    stage.house.file("config/companion.toml", &format!("[folders.{folder}]\ntrusted = true\n"));
    assert_eq!((enza(&stage, &["-p", "hello"]).status, traces(&stage).0), (0, 0));
    let asked: toml::Table = toml::from_str(&settings("theirs", "well")).unwrap();
    let digest = Digest::of(json!([null, [], asked["servers"]]).to_string().as_bytes());
    stage.house.file("config/companion.toml", &format!("[[folders.{folder}.trust]]\ndigest = \"{digest}\"\n"));
    assert_eq!(enza(&stage, &["-p", "hello"]).status, 0);
    assert_eq!(traces(&stage).0, 1);
    assert!(stage.heard().contains("theirs/echo"), "{}", stage.heard());
}

#[test]
fn the_servers_are_listed_with_their_tools_and_troubles() {
    let stage = with_server("well", [], &settings("broken", "dead"));
    let run = enza(&stage, &["servers"]);
    assert!(run.out.contains("test  5 tools\n  test/echo  Says it again.\n"), "{run:?}");
    assert!(run.out.contains("The server broken cannot be used") && run.out.contains("no licence found"), "{run:?}");
    let run = enza(&stage, &["--json", "servers"]);
    let listed = run.json();
    assert_eq!((&listed[0]["server"], &listed[1]["tools"][0]["name"]), (&json!("broken"), &json!("test/echo")));
    let bare = Stage::with([]);
    assert!(bare.enza(&["servers"]).out.contains("No servers are set up."));
    let mut japanese = bare.command(&["servers"]);
    assert!(finished(japanese.env("LANG", "ja_JP.UTF-8")).out.contains("サーバーは設定されていません。"));
}

/// Not even after `kill -9`, by which nothing of ours can tidy up.
#[test]
fn a_server_does_not_outlive_us() {
    let stage = with_server("hangs", [wants("test/echo")], "");
    let mut command = stage.command(&["-p", "use the echo", "--allow", "tool test/*"]);
    command.env("TRACES", stage.project.parent().unwrap().join("traces"));
    let mut child = command.stdin(std::process::Stdio::null()).spawn().unwrap();
    until("the tool is called", || !traces(&stage).1.is_empty());
    let text = std::fs::read_to_string(stage.project.parent().unwrap().join("traces")).unwrap();
    let server = text.lines().find_map(|line| line.strip_prefix("start ")).unwrap().to_owned();
    child.kill().unwrap();
    child.wait().unwrap();
    until("the server is gone", || {
        let status = std::fs::read_to_string(format!("/proc/{server}/status")).unwrap_or_default();
        status.is_empty() || status.contains("State:\tZ")
    });
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..600 {
        if is_so() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{what}: it never came to that");
}
