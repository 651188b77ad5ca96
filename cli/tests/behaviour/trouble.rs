//! Bad days: what is damaged, missing, newer or out of reach, and what one is told to do about it.

use std::fs;

use rusqlite::Connection;
use serde_json::Value;

use crate::house::{House, bare, finished};

fn error_of(house: &House, arguments: &[&str]) -> Value {
    house.enza(&[&["--json"], arguments].concat()).json()["error"].clone()
}

/// As an older enza left it.
fn without_checksums(database: &Connection) {
    database.execute_batch("UPDATE events SET link = NULL; UPDATE sessions SET link = NULL").unwrap();
}

#[test]
fn an_unknown_session_names_those_there_are() {
    let house = House::new();
    let session = house.finished_interview();
    let run = house.enza(&["session", "show", "nothing-like-it"]);
    run.failed(1, "session-unknown", "enza session list");
    assert!(run.err.contains(&session), "{run:?}");
    let error = error_of(&house, &["--lang", "ja", "session", "show", "nothing-like-it"]);
    assert_eq!(error["code"], "session-unknown");
    assert!(error["hint"].as_str().unwrap().contains("探して"), "{error}");
    house.enza(&["interview", "run", "--session", "nothing"]).failed(1, "session-unknown", "enza session list");
}

#[test]
fn an_event_of_an_unknown_version_is_left_alone_and_other_sessions_work() {
    let house = House::new();
    let (broken, sound) = (house.finished_interview(), house.finished_interview());
    let database = Connection::open(house.data().join("enza.db")).unwrap();
    let changed = database
        .execute(
            "UPDATE events SET version = 99 WHERE seq = 2 AND session = (SELECT key FROM sessions WHERE id = ?1)",
            [&broken],
        )
        .unwrap();
    assert_eq!(changed, 1);
    without_checksums(&database);
    drop(database);
    for command in ["show", "replay", "export"] {
        house.enza(&["session", command, &broken]).failed(1, "event-unreadable", "newer");
        assert_eq!(house.enza(&["session", command, &sound]).status, 0);
    }
    assert_eq!(house.enza(&["session", "events", &broken]).status, 0, "the log itself can still be read");
}

#[test]
fn a_changed_log_is_found_by_a_replay() {
    let house = House::new();
    let session = house.finished_interview();
    let database = Connection::open(house.data().join("enza.db")).unwrap();
    database.execute("UPDATE events SET body = replace(body, 'flickers', 'glows') WHERE kind = 'Stepped'", []).unwrap();
    without_checksums(&database);
    drop(database);
    let run = house.enza(&["session", "replay", &session]);
    run.failed(1, "replay-differs", "enza prompt ID SEQ");
}

#[test]
fn a_damaged_database_is_left_as_it_is() {
    let house = House::new();
    fs::create_dir_all(house.data()).unwrap();
    let file = house.data().join("enza.db");
    let noise: Vec<u8> = (0..20_000u32).map(|place| (place * 31 % 251) as u8).collect();
    fs::write(&file, &noise).unwrap();
    for command in [&["session", "list"][..], &["interview", "run"], &["serve", "--listen", "127.0.0.1:0"]] {
        house.enza(command).failed(1, "database-damaged", "restore a backup");
    }
    house.enza(&["doctor"]).failed(1, "doctor-found-faults", "fail");
    assert_eq!(fs::read(&file).unwrap(), noise);
}

#[test]
fn a_database_of_a_newer_enza_is_not_touched() {
    let house = House::new();
    house.finished_interview();
    let file = house.data().join("enza.db");
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let before = fs::read(&file).unwrap();
    house.enza(&["session", "list"]).failed(1, "database-newer", "Use the newer enza");
    house.enza(&["--lang", "ja", "session", "list"]).failed(1, "database-newer", "新しい enza");
    let doctor = house.enza(&["doctor"]);
    doctor.failed(1, "doctor-found-faults", "fail");
    assert!(doctor.out.contains("database-newer"), "{doctor:?}");
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn a_data_folder_that_cannot_be_written_says_so() {
    let house = House::new();
    let file = house.file("file", "not a folder");
    let below = format!("{file}/data");
    for command in [&["interview", "run"][..], &["session", "list"], &["drill", "--sessions", "1"]] {
        house.enza(&[&["--data", &below], command].concat()).failed(1, "data-folder-unusable", "--data DIR");
    }
    house.enza(&["--data", &below, "doctor"]).failed(1, "doctor-found-faults", "fail");
}

#[test]
fn without_any_home_one_is_told_to_name_a_folder() {
    finished(bare(&["session", "list"]).env_remove("HOME")).failed(1, "data-folder-unusable", "--data DIR");
}

#[test]
fn a_postgres_that_is_not_there_is_reported_soon_and_without_a_password() {
    let house = House::new();
    let url = "postgres://ada:hunter2@127.0.0.1:1/enza";
    let run = house.enza(&["--database", url, "session", "list"]);
    run.failed(1, "database-unreachable", "--database");
    assert!(!run.err.contains("hunter2"), "{run:?}");
    let doctor = house.enza(&["--database", url, "doctor"]);
    doctor.failed(1, "doctor-found-faults", "fail");
    assert!(doctor.out.contains("database-unreachable") && !doctor.out.contains("hunter2"), "{doctor:?}");
}
