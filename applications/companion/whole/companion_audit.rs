//! What can be read afterwards: `enza companion audit`, from the log alone.

use serde_json::{Value, json};

use crate::behaviour::companion_fixture::{ScriptedProject, approval, change, reply, talk};
use crate::behaviour::companion_terminal::{Setting, Terminal};

// DUCK-119: what happened can be read afterwards, with who and why and the digests of files.
#[test]
fn the_audit_tells_who_did_what_and_why() {
    let stage = ScriptedProject::with([change(), approval()]);
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
    let one = json!({
        "operation": "edit", "target": "src/greet.txt", "reason": "as asked", "risk": "low", "decision": "allowed",
        "rule": "allow change src/**",
    });
    assert_eq!(decided["more"]["decisions"], json!([one]));
    assert!(lines.iter().all(|line| line["session"] == *session), "every record names its session");
    let made = lines.iter().rfind(|line| line["more"]["changes"].is_array()).unwrap();
    assert_ne!(made["more"]["changes"][0]["before"], made["more"]["changes"][0]["after"]);
    let one = json!({
        "operation": "edit", "target": "src/greet.txt", "reason": "as asked", "risk": "low",
        "decision": "allowed (allow change src/**)",
    });
    assert_eq!((&made["more"]["operations"], &made["more"]["result"]), (&json!([one]), &json!("done")));
    assert_eq!(made["why"], "edit src/greet.txt (as asked)");
    assert_eq!(made["step"]["before"], "EXECUTION", "{made}");
    assert!(!run.out.contains("hunter2HUNTER"), "{}", run.out);
}

// G51: a command is told by its words, and what was refused or taken off is counted with what was allowed (DUCK-91).
#[test]
fn the_audit_counts_what_people_said_by_operation_and_risk() {
    let run = json!({ "operation": "run", "command": ["true"], "rationale": "to see" });
    let runs = reply("done", json!({ "reply": "I will run it.", "actions": [run] }));
    let stage = ScriptedProject::with([change(), runs.clone(), runs, talk("It ran.")]);
    assert_eq!(stage.enza(&["-p", "greet the moon"]).status, 4);
    stage.enza(&["--continue", "-p", "no"]);
    assert_eq!(stage.enza(&["--continue", "-p", "run it"]).status, 4);
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--continue --plain");
    terminal.answers("[v]iew > ", "/stop\n").answers("> ", "/quit\n");
    terminal.ends();
    assert_eq!(stage.enza(&["--continue", "-p", "run it"]).status, 4);
    stage.enza(&["--continue", "-p", "yes"]);
    let session = stage.house.json(&["session", "list", "--application", "companion"])[0]["id"].clone();
    let run = stage.enza(&["audit", session.as_str().unwrap(), "--json"]);
    let lines = run.lines();
    let ran: Vec<&Value> = lines.iter().filter(|line| line["more"]["operations"][0]["operation"] == "run").collect();
    assert_eq!(ran[0]["what"], "ran true: it succeeded", "{}", run.out);
    assert_eq!(
        (&ran[0]["more"]["operations"][0]["risk"], &ran[0]["why"]),
        (&json!("medium"), &json!("run true (to see)"))
    );
    let last = lines.last().unwrap();
    assert_eq!(
        (&last["kind"], &last["what"]),
        (&json!("approvals"), &json!("1 yes, 0 in part, 1 no, 1 withdrawn")),
        "{}",
        run.out
    );
    let counts = json!([
        { "operation": "edit", "risk": "low", "yes": 0, "in_part": 0, "no": 1, "withdrawn": 0 },
        { "operation": "run", "risk": "medium", "yes": 1, "in_part": 0, "no": 0, "withdrawn": 1 },
    ]);
    assert_eq!(last["more"]["counts"], counts);
    let told = stage.enza(&["audit", session.as_str().unwrap()]).out;
    assert!(
        told.contains("approvals  risk    yes  in part  no  withdrawn\nedit       low     0    0        1   0\n"),
        "{told}"
    );
}

#[test]
fn the_audit_tells_that_a_conversation_was_shortened() {
    let stage = ScriptedProject::with([talk("Hello.")]);
    stage.enza(&["-p", "hello"]);
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--continue --plain");
    terminal.answers("> ", "/compact\n").answers("replaced by a summary", "/quit\n");
    terminal.ends();
    let session = stage.house.json(&["session", "list", "--application", "companion"])[0]["id"].clone();
    let lines = stage.enza(&["audit", session.as_str().unwrap(), "--json"]).lines();
    let told: Vec<&Value> = lines.iter().filter(|line| line["kind"] == "compacted").collect();
    assert_eq!(told.len(), 1, "{lines:?}");
    assert!(told[0]["more"]["dropped"].as_u64().is_some_and(|dropped| dropped > 0), "{told:?}");
}

// DUCK-119: what is passed on has no secrets in it, whatever was typed; the log keeps it as it was.
#[test]
fn what_is_printed_of_a_session_has_its_secrets_masked_unless_it_is_wanted_raw() {
    let stage = ScriptedProject::with([talk("I see.")]);
    assert_eq!(stage.enza(&["-p", "the key is DB_PASSWORD=hunter2HUNTER"]).status, 0);
    let session = stage.house.json(&["session", "list", "--application", "companion"])[0]["id"].clone();
    let session = session.as_str().unwrap();
    let events = stage.house.enza(&["session", "events", session, "--json", "--raw"]).lines();
    let replied =
        events.iter().find(|event| event["body"]["replied"].is_object() || event.to_string().contains("I see."));
    let seq = replied.unwrap()["seq"].to_string();
    for arguments in [
        &["session", "export", session][..],
        &["session", "events", session],
        &["session", "events", session, "--json"],
        &["prompt", session, &seq],
        &["--json", "prompt", session, &seq],
    ] {
        let masked = stage.house.enza(arguments);
        assert!(!masked.out.contains("hunter2"), "{arguments:?}: {}", masked.out);
        let raw = stage.house.enza(&[arguments, &["--raw"]].concat());
        assert!(raw.out.contains("hunter2"), "{arguments:?}: {}", raw.out);
    }
    let shown = stage.house.enza(&["session", "show", session, "--json"]);
    assert!(!shown.out.contains("hunter2HUNTER"), "{}", shown.out);
    assert_eq!(stage.house.enza(&["session", "replay", session]).status, 0);
}
