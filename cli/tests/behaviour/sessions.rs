//! `enza session …`: looking, following, forking, deleting.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::house::{House, finished};

#[test]
fn sessions_are_listed_and_filtered() {
    let house = House::new();
    assert_eq!(house.json(&["session", "list"]), json!([]));
    assert!(house.enza(&["session", "list"]).out.contains("enza interview run"));
    let ended = house.finished_interview();
    let waiting = house.interview_at_gate();
    let ids = |filter: &[&str]| -> Vec<Value> {
        let rows = house.json(&[&["session", "list"], filter].concat());
        rows.as_array().unwrap().iter().map(|row| row["id"].clone()).collect()
    };
    assert_eq!(ids(&[]), [json!(waiting), json!(ended)], "the last changed first");
    assert_eq!(ids(&["--phase", "ended"]), [json!(ended)]);
    assert_eq!(ids(&["--limit", "1"]), [json!(waiting)]);
    assert_eq!(ids(&["--application", "till"]), Vec::<Value>::new());
    let table = house.enza(&["--lang", "ja", "session", "list"]).out;
    assert!(table.contains("確認待ち") && table.contains("終了"), "{table}");
}

#[test]
fn a_session_is_shown_with_its_progress_usage_and_last_events() {
    let house = House::new();
    let session = house.finished_interview();
    let shown = house.json(&["session", "show", &session]);
    assert_eq!(shown["progress"], json!({"done": 3, "of": 3}));
    assert!(shown["usage"]["input"].as_u64().unwrap() > 0, "{shown}");
    assert_eq!(shown["models"], json!(["understudy"]));
    assert_eq!(shown["last_events"].as_array().unwrap().last().unwrap()["kind"], "Delivered");
    let english = house.enza(&["session", "show", &session]).out;
    assert!(english.contains("3 of 3 done") && english.contains("tokens in"), "{english}");
    assert!(english.contains("understudy (no model)"), "{english}");
    let japanese = house.enza(&["--lang", "ja", "session", "show", &session]).out;
    assert!(japanese.contains("3項目中3項目"), "{japanese}");
}

#[test]
fn events_come_in_pages_without_gap() {
    let house = House::new();
    let session = house.finished_interview();
    let all = house.enza(&["--json", "session", "events", &session]).lines();
    let seqs: Vec<u64> = all.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    let page = house.enza(&["--json", "session", "events", &session, "--after", "5", "--limit", "2"]).lines();
    assert_eq!(page, all[5..7]);
    assert!(house.enza(&["session", "events", &session, "--after", "9999"]).out.contains("the last is"));
}

#[test]
fn watching_an_ended_session_prints_everything_and_ends() {
    let house = House::new();
    let session = house.finished_interview();
    let watched = house.enza(&["--json", "session", "watch", &session]);
    assert_eq!(watched.status, 0, "{watched:?}");
    assert_eq!(watched.lines(), house.enza(&["--json", "session", "events", &session]).lines());
}

#[test]
fn watching_follows_what_another_process_does() {
    let house = House::new();
    let session = house.interview_at_gate();
    let watcher = house.command(&["--json", "session", "watch", &session]).stdout(Stdio::piped()).spawn().unwrap();
    assert_eq!(house.enza(&["interview", "run", "--session", &session, "--yes"]).status, 0);
    let output = watcher.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, house.enza(&["--json", "session", "events", &session]).out);
}

#[test]
fn an_interrupted_watch_ends_with_status_130() {
    let house = House::new();
    let session = house.interview_at_gate();
    let mut watcher =
        house.command(&["session", "watch", &session]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // A process that says something listens, too; before that an interrupt would kill it.
    let mut lines = BufReader::new(watcher.stdout.take().unwrap());
    let mut first = String::new();
    lines.read_line(&mut first).unwrap();
    assert_ne!(first, "", "it watches");
    let sent = std::process::Command::new("kill").args(["-INT", &watcher.id().to_string()]).status().unwrap();
    assert!(sent.success());
    // What it has still to say is read, or it would wait for that.
    std::io::copy(&mut lines, &mut std::io::sink()).unwrap();
    assert_eq!(watcher.wait().unwrap().code(), Some(130));
}

#[test]
fn an_export_is_the_whole_session_as_one_document() {
    let house = House::new();
    let session = house.finished_interview();
    let document = house.json(&["session", "export", &session]);
    assert_eq!(document["session"]["id"], json!(session));
    assert_eq!(document["session"]["head"], json!(document["events"].as_array().unwrap().len()));
    assert_eq!(document["state"]["stage"], "delivered");
}

#[test]
fn a_fork_goes_its_own_way_and_holds_its_parent() {
    let house = House::new();
    let parent = house.finished_interview();
    let fork = house.json(&["session", "fork", &parent, "--at", "8"]);
    let child = fork["session"].as_str().unwrap();
    assert_eq!((&fork["parent"], &fork["at"]), (&json!(parent), &json!(8)));
    let inside = house.json(&["session", "fork", &parent, "--at", "7"]);
    assert_eq!(inside["at"], json!(8), "event 7 is in the middle of a decision that ends with 8");
    let answers = house.file("other.txt", "A pipe drips since noon\nCellar, left of the stairs\n/skip\n");
    let run = house.json(&["interview", "run", "--session", child, "--answers", &answers, "--yes"]);
    assert_eq!(run["values"]["symptom"], "A pipe drips since noon");
    assert_eq!(house.json(&["session", "replay", child])["same"], true);
    house.enza(&["session", "delete", &parent, "--yes"]).failed(3, "session-has-forks", "Delete the forks first");
    house.enza(&["session", "fork", &parent, "--at", "9999"]).failed(1, "event-unknown", "from 1 to");
}

#[test]
fn a_family_is_listed_by_what_it_belongs_to_and_holds_it() {
    let house = House::new();
    let form = house.finished_interview();
    let member = house.finished_interview();
    let stranger = house.finished_interview();
    // As the server makes them when someone answers a form.
    let file = rusqlite::Connection::open(house.data().join("enza.db")).unwrap();
    file.execute("UPDATE sessions SET belongs_to = ?1 WHERE id = ?2", [&form, &member]).unwrap();
    drop(file);
    let ids = |of: &[&str]| -> Vec<Value> {
        let rows = house.json(&[&["session", "list"], of].concat());
        rows.as_array().unwrap().iter().map(|row| row["id"].clone()).collect()
    };
    assert_eq!(ids(&[]), [json!(stranger), json!(member), json!(form)], "everyone, where nothing is said");
    assert_eq!(ids(&["--of", &form]), [json!(member)]);
    assert_eq!(ids(&["--of", &form[form.len() - 8..]]), [json!(member)], "the end of the id is enough");
    assert_eq!(ids(&["--of", &stranger]), Vec::<Value>::new());
    house.enza(&["session", "list", "--of", "nowhere"]).failed(1, "session-unknown", "session list");
    assert!(house.enza(&["session", "show", &member]).out.contains("belongs to"));
    let refused = ["session", "delete", &form, "--yes"];
    house.enza(&refused).failed(3, "session-has-family", "Delete those first");
    house.enza(&[&["--lang", "ja"], &refused[..]].concat()).failed(3, "session-has-family", "先にそれらを削除");
    assert_eq!(house.json(&["session", "delete", &member, "--yes"])["deleted"], true);
    assert_eq!(house.json(&["session", "delete", &form, "--yes"])["deleted"], true);
}

#[test]
fn a_replay_gives_the_same_state_and_prompts() {
    let house = House::new();
    let session = house.finished_interview();
    let replay = house.json(&["session", "replay", &session]);
    assert_eq!(replay["same"], true);
    assert!(replay["prompts"].as_u64().unwrap() > 3, "{replay}");
}

#[test]
fn deleting_asks_first_and_then_leaves_nothing() {
    let house = House::new();
    let session = house.finished_interview();
    house.enza(&["session", "delete", &session]).failed(4, "needs-a-yes", "--yes");
    assert_eq!(house.json(&["session", "delete", &session, "--yes"])["deleted"], true);
    house.enza(&["session", "show", &session]).failed(1, "session-unknown", "enza session list");
}

#[test]
fn a_session_is_found_by_a_part_of_its_id_unless_several_are_meant() {
    let house = House::new();
    let (one, _other) = (house.finished_interview(), house.finished_interview());
    let end = &one[one.len() - 8..];
    assert_eq!(house.json(&["session", "show", end])["session"]["id"], json!(one));
    assert_eq!(house.json(&["session", "show", &end[..6]])["session"]["id"], json!(one), "as it stands in the list");
    let run = house.enza(&["session", "show", &one[..4]]);
    run.failed(1, "session-ambiguous", "Type more of the id");
    assert!(run.err.contains(&one), "the candidates are named: {run:?}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let house = House::new();
    let session = house.finished_interview();
    let script = format!("{} session events {session} | head -n 1", env!("CARGO_BIN_EXE_enza"));
    let mut shell = std::process::Command::new("sh");
    house.furnish(shell.args(["-c", &script]));
    assert_eq!(finished(&mut shell).err, "");
}
