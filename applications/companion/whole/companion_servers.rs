//! The tools of servers in the companion: offered, asked for, used, denied, and told when they cannot be
//! (requirements, section 4, item 10; peers, row 25).

#[path = "../../../workshop/tests/servers/station.rs"]
#[allow(dead_code, reason = "the workshop's tests need more of it")]
mod station;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;

use enza_kernel::conversation::Digest;
use serde_json::{Value, json};

use crate::behaviour::companion_fixture::{ScriptedProject, talk};
use crate::house::{Run, finished};
use station::{Station, ordinary};

/// The server of the workshop's tests.
const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../workshop/tests/servers/server.py");

/// A stage whose user has a server `test` of this manner.
fn with_server(manner: &str, replies: impl IntoIterator<Item = Value>, more: &str) -> ScriptedProject {
    let stage = ScriptedProject::with(replies);
    stage.house.file("traces", "");
    stage.house.file("config/companion.toml", &format!("{more}\n{}", settings("test", manner)));
    stage
}

fn settings(name: &str, manner: &str) -> String {
    format!("[servers.{name}]\ncommand = [\"python3\", {SERVER:?}, {manner:?}]\nenvironment = [\"TRACES\"]\n")
}

fn enza(stage: &ScriptedProject, arguments: &[&str]) -> Run {
    let mut command = stage.command(arguments);
    command.env("TRACES", stage.project.parent().unwrap().join("traces"));
    finished(&mut command)
}

/// How often the server was started, and what was called.
fn traces(stage: &ScriptedProject) -> (usize, Vec<String>) {
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
    let bare = ScriptedProject::with([]);
    assert!(bare.enza(&["servers"]).out.contains("No servers are set up."));
    let mut japanese = bare.command(&["servers"]);
    assert!(finished(japanese.env("LANG", "ja_JP.UTF-8")).out.contains("サーバーは設定されていません。"));
}

/// A stage whose user has a server `far` over HTTP, with a key that only a variable has.
fn with_station(station: &Station, replies: impl IntoIterator<Item = Value>) -> ScriptedProject {
    let stage = ScriptedProject::with(replies);
    stage.house.file("config/companion.toml", &over_http(station));
    stage
}

fn over_http(station: &Station) -> String {
    format!("[servers.far]\nurl = {:?}\nheaders = {{ Authorization = \"Bearer ${{FAR_KEY}}\" }}\n", station.url())
}

/// No secret that a pattern would find.
const KEY: &str = "kiwi-lantern-41";

fn with_key(stage: &ScriptedProject, arguments: &[&str]) -> Run {
    finished(stage.command(arguments).env("FAR_KEY", KEY))
}

/// Whether any file below a folder has this in it.
fn is_written(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).any(|path| {
        if path.is_dir() {
            return is_written(&path, text);
        }
        let content = std::fs::read(&path).unwrap_or_default();
        content.windows(text.len()).any(|part| part == text.as_bytes())
    })
}

/// The server gives the key away in its answer, and still it is seen by nobody and written nowhere.
#[test]
fn a_tool_over_http_is_asked_for_used_and_audited_and_the_key_is_written_nowhere() {
    let station = Station::by(|heard| match heard.method() {
        Some("tools/call") => {
            let text =
                format!("{} knows {}", heard.body["params"]["arguments"]["text"], heard.headers["authorization"]);
            heard.result(&json!({ "content": [{ "type": "text", "text": text }] }))
        }
        _ => ordinary(heard),
    });
    let stage = with_station(&station, [wants("far/echo"), talk("It echoed."), talk("Well."), talk("Well.")]);
    let run = with_key(&stage, &["--json", "-p", "use the echo"]);
    assert_eq!(run.status, 4, "{run:?}");
    assert!(stage.heard().contains("far/echo: Says it again."), "the tools are in the prompt");
    let all = ["initialize", "notifications/initialized", "tools/list", "DELETE"];
    assert_eq!(station.asked(), all, "nothing is called before the yes");
    let run = with_key(&stage, &["--json", "--continue", "-p", "yes"]);
    assert_eq!(station.asked()[4..], ["initialize", "notifications/initialized", "tools/call", "DELETE"], "{run:?}");
    assert!(station.heard().iter().all(|heard| heard.headers["authorization"] == format!("Bearer {KEY}")));
    assert!(stage.heard().contains("knows Bearer [secret]"), "{}", stage.heard());
    let session = run.lines().last().unwrap()["session"].as_str().unwrap().to_owned();
    let audit = with_key(&stage, &["audit", &session]);
    for told in ["tool far/echo", "yes, once", "used far/echo"] {
        assert!(audit.out.contains(told), "{told}: {}", audit.out);
    }
    let shown = [stage.heard(), run.out, run.err, audit.out].concat();
    assert!(!shown.contains(KEY), "{shown}");
    let house = stage.project.parent().unwrap();
    assert!(is_written(house, "knows Bearer [secret]") && !is_written(house, KEY), "the key is in a file");
}

#[test]
fn servers_over_http_are_listed_with_their_tools_and_troubles() {
    let station = Station::by(ordinary);
    let stage = with_station(&station, []);
    let run = with_key(&stage, &["servers"]);
    assert!(run.out.contains("far  1 tools\n  far/echo  Says it again.\n"), "{run:?}");
    let run = stage.enza(&["servers"]);
    assert!(run.out.contains("The server far cannot be used: The variable FAR_KEY is not set."), "{run:?}");
    let both = format!("{}command = [\"x\"]\n", over_http(&station));
    stage.house.file("config/companion.toml", &both);
    let run = stage.enza(&["servers"]);
    run.failed(1, "file-unreadable", "companion-servers.md");
    assert!(run.err.contains("[servers.far]: It has both a command and a url."), "{run:?}");
    let run = finished(stage.command(&["servers"]).env("LANG", "ja_JP.UTF-8"));
    assert!(run.err.contains("[servers.far]: command と url の両方があります。"), "{run:?}");
}

#[test]
fn a_projects_server_over_http_is_not_even_asked_until_the_folder_is_trusted() {
    let station = Station::by(ordinary);
    let stage = ScriptedProject::with([talk("One."), talk("Two.")]);
    stage.house.file("project/.enza/companion.toml", &over_http(&station));
    let run = with_key(&stage, &["-p", "hello"]);
    assert_eq!((run.status, station.asked()), (0, Vec::new()), "{run:?}");
    // What is asked for says where the variable would go.
    let wish = format!("far: {} (Authorization: Bearer ${{FAR_KEY}})", station.url());
    assert!(run.err.split_whitespace().collect::<Vec<_>>().join(" ").contains(&wish), "{run:?}");
    let asked: toml::Table = toml::from_str(&over_http(&station)).unwrap();
    let digest = Digest::of(json!([null, [], asked["servers"]]).to_string().as_bytes());
    let folder = toml::Value::from(stage.project.display().to_string());
    stage.house.file("config/companion.toml", &format!("[[folders.{folder}.trust]]\ndigest = \"{digest}\"\n"));
    assert_eq!(with_key(&stage, &["-p", "hello"]).status, 0);
    assert_eq!(station.asked().first().map(String::as_str), Some("initialize"));
}

#[test]
fn an_editor_may_lend_a_server_over_http_and_none_over_the_older_way() {
    let station = Station::by(ordinary);
    let stage = ScriptedProject::with([]);
    let mut command = stage.command(&["--acp"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut editor = command.spawn().unwrap();
    let mut input = editor.stdin.take().unwrap();
    let mut answers = BufReader::new(editor.stdout.take().unwrap()).lines();
    let mut ask = |id: u32, method: &str, params: Value| -> Value {
        writeln!(input, "{}", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).unwrap();
        let answer = answers.find(|line| line.as_ref().unwrap().contains(&format!("\"id\":{id}")));
        serde_json::from_str(&answer.unwrap().unwrap()).unwrap()
    };
    let introduced = ask(1, "initialize", json!({ "protocolVersion": 1 }));
    assert_eq!(introduced["result"]["agentCapabilities"]["mcpCapabilities"], json!({ "http": true, "sse": false }));
    let header = json!({ "name": "Authorization", "value": format!("Bearer {KEY}") });
    let lent = json!([
        { "type": "http", "name": "lent one", "url": station.url(), "headers": [header] },
        { "type": "sse", "name": "older", "url": station.url(), "headers": [] },
    ]);
    let begun = ask(2, "session/new", json!({ "cwd": stage.project, "mcpServers": lent }));
    let session = begun["result"]["sessionId"].as_str().unwrap_or_else(|| panic!("{begun}")).to_owned();
    drop(input);
    let over = editor.wait_with_output().unwrap();
    let told = String::from_utf8(over.stderr).unwrap();
    assert!(told.contains("The server older cannot be used") && !told.contains("lent one"), "{told}");
    assert_eq!(station.asked(), ["initialize", "notifications/initialized", "tools/list", "DELETE"]);
    assert!(station.heard().iter().all(|heard| heard.headers["authorization"] == format!("Bearer {KEY}")));
    let events = stage.house.enza(&["session", "show", &session, "--json"]).out;
    assert!(events.contains("lent-one/echo") && !events.contains(KEY), "{events}");
    assert!(!is_written(stage.project.parent().unwrap(), KEY), "the key is in a file");
}

/// Not even after `kill -9`, by which nothing of ours can tidy up.
#[test]
fn a_server_does_not_outlive_us() {
    let stage = with_server("hangs", [wants("test/echo")], "");
    let mut command = stage.command(&["-p", "use the echo", "--allow", "tool test/*"]);
    command.env("TRACES", stage.project.parent().unwrap().join("traces"));
    let mut child = command.stdin(Stdio::null()).spawn().unwrap();
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
