//! A database that an older Enza made: interviews, forms and sessions of the companion, in both languages, with gates,
//! changed files, a compaction, a stopped answer and forks.
//!
//! `older/enza.db` was made on 18 November 2026 by the program as it was before applications became folders; beside it
//! stands what its own `session replay` said of every session. Prompts are compared byte for byte, so whoever changes the
//! words of a prompt makes both files anew.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::house::House;
use crate::postgres::new_database;

/// What was known of a session when the file was made.
#[derive(Debug, Deserialize)]
struct OlderSession {
    application: String,
    session: String,
    events: u64,
    prompts: u64,
}

fn older() -> (House, Vec<OlderSession>) {
    let made = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/older");
    let house = House::new();
    fs::create_dir_all(house.data()).unwrap();
    fs::copy(made.join("enza.db"), house.data().join("enza.db")).unwrap();
    let known = fs::read_to_string(made.join("sessions.json")).unwrap();
    (house, serde_json::from_str(&known).unwrap())
}

#[test]
fn every_session_of_an_older_database_is_listed_and_replays_with_its_prompts() {
    let (house, known) = older();
    replays(&known, |arguments| house.json(arguments));
}

#[test]
fn every_session_of_an_older_database_replays_where_its_backup_is_restored_into_postgres() {
    let (house, known) = older();
    let before = fs::read(house.data().join("enza.db")).unwrap();
    let backup = house.json(&["backup", house.data().join("older").to_str().unwrap()]);
    assert!(before == fs::read(house.data().join("enza.db")).unwrap(), "a backup changes nothing where it is taken");
    let database = new_database("older");
    let there = |arguments: &[&str]| house.json(&[&["--database", &database], arguments].concat());
    let restored = there(&["restore", backup["file"].as_str().unwrap()]);
    assert_eq!(restored["sessions"], known.len());
    replays(&known, there);
}

/// Insists that a program finds every session, and plays it again as it was.
fn replays(known: &[OlderSession], enza: impl Fn(&[&str]) -> Value) {
    let listed = enza(&["session", "list"]);
    assert_eq!(listed.as_array().unwrap().len(), known.len(), "{listed}");
    for one in known {
        let listed = listed.as_array().unwrap().iter().find(|row| row["id"] == one.session.as_str()).unwrap();
        assert_eq!(listed["application"], one.application.as_str());
        let replayed = enza(&["session", "replay", &one.session]);
        let found = (&replayed["same"], &replayed["events"], &replayed["prompts"]);
        assert_eq!(found, (&Value::Bool(true), &one.events.into(), &one.prompts.into()), "{one:?}");
    }
    assert!(known.iter().any(|one| one.application == "companion" && one.prompts > 1), "there is something to compare");
}

#[test]
fn an_interview_that_an_older_program_began_goes_on() {
    let (house, _) = older();
    let waiting = house.json(&["session", "list"]);
    let is_waiting = |row: &&Value| {
        row["application"] == "interview" && row["standing"]["phase"] == "waiting" && row["of"].is_null()
    };
    let row = waiting.as_array().unwrap().iter().find(is_waiting).expect("an interview waits");
    let (session, head) = (row["id"].as_str().unwrap(), row["head"].as_u64().unwrap());
    let answer = house.file("answer.txt", "/skip\n");
    house.enza(&["interview", "run", "--session", session, "--answers", &answer]);
    let replayed = house.json(&["session", "replay", session]);
    assert!(replayed["events"].as_u64().unwrap() > head, "{replayed}");
    assert_eq!(replayed["same"], true);
}
