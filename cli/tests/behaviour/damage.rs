//! Damage, backups and what one is told: the database as a person at a terminal meets it.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use rusqlite::Connection;

use crate::house::House;

fn database(house: &House) -> Connection {
    Connection::open(house.data().join("enza.db")).unwrap()
}

/// The texts of the lines of one kind, of a doctor who may have found faults.
fn lines(house: &House, arguments: &[&str], what: &str) -> Vec<(String, String)> {
    let all = house.enza(&[&["--json"], arguments].concat());
    let first = all.out.lines().next().expect("a line of JSON");
    let all: serde_json::Value = serde_json::from_str(first).unwrap();
    let word = |line: &serde_json::Value, name: &str| line[name].as_str().unwrap_or_default().to_owned();
    let chosen = all.as_array().unwrap().iter().filter(|line| line["what"] == what);
    chosen.map(|line| (word(line, "health"), word(line, "text"))).collect()
}

#[test]
fn a_changed_answer_stops_its_interview_only_and_the_doctor_names_it() {
    let house = House::new();
    let (changed, sound) = (house.finished_interview(), house.finished_interview());
    assert_eq!(lines(&house, &["doctor", "--deep"], "deep")[0].0, "ok");
    let change = "UPDATE events SET body = replace(body, 'flickers', 'glows') \
                  WHERE session = (SELECT key FROM sessions WHERE id = ?1)";
    assert!(database(&house).execute(change, [&changed]).unwrap() > 1);
    for command in ["show", "replay", "export", "events"] {
        house.enza(&["session", command, &changed]).failed(1, "event-damaged", "enza doctor --deep");
        assert_eq!(house.enza(&["session", command, &sound]).status, 0);
    }
    let japanese = house.enza(&["--lang", "ja", "session", "show", &changed]);
    assert!(japanese.err.contains("書いたときと違う"), "{japanese:?}");
    let found = lines(&house, &["doctor", "--deep"], "deep");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0 == "fail" && found[0].1.contains(&changed), "{found:?}");
    house.enza(&["doctor", "--deep"]).failed(1, "doctor-found-faults", "fail");
}

#[test]
fn an_emptied_database_beside_a_folder_in_use_is_not_taken_for_a_new_one() {
    let house = House::new();
    let session = house.finished_interview();
    let file = house.data().join("enza.db");
    let whole = fs::read(&file).unwrap();
    for empty in [true, false] {
        if empty {
            fs::write(&file, "").unwrap();
        } else {
            fs::remove_file(&file).unwrap();
        }
        house.enza(&["session", "list"]).failed(1, "database-missing", "enza restore");
        house.enza(&["doctor"]).failed(1, "doctor-found-faults", "fail");
        assert_eq!(file.exists(), empty, "nothing was made of it");
    }
    fs::write(&file, whole).unwrap();
    assert_eq!(house.enza(&["session", "show", &session]).status, 0);
    fs::remove_file(&file).unwrap();
    assert_eq!(house.enza(&["doctor", "--begin-anew"]).status, 0);
    assert_eq!(house.enza(&["session", "list"]).status, 0);
    assert_eq!(house.enza(&["session", "show", &session]).status, 1, "this one is new");
}

#[test]
fn a_data_folder_that_was_moved_still_knows_what_was_in_it() {
    let (house, moved) = (House::new(), House::new());
    house.finished_interview();
    fs::create_dir_all(moved.data()).unwrap();
    fs::copy(house.data().join("databases.json"), moved.data().join("databases.json")).unwrap();
    moved.enza(&["session", "list"]).failed(1, "database-missing", "enza restore");
}

#[test]
fn what_is_kept_is_nobody_elses_to_read() {
    let house = House::new();
    house.finished_interview();
    let file = house.json(&["backup", house.data().join("b").to_str().unwrap()])["file"].as_str().unwrap().to_owned();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&house.data()), mode(file.as_ref())), (0o700, 0o600));
}

#[test]
fn the_doctor_says_that_an_older_copy_stands_in_the_place_of_the_database() {
    let house = House::new();
    house.finished_interview();
    let file = house.data().join("enza.db");
    let older = fs::read(&file).unwrap();
    house.finished_interview();
    assert_eq!(house.enza(&["session", "list"]).status, 0);
    fs::write(&file, older).unwrap();
    let found = lines(&house, &["doctor"], "sessions");
    assert!(found.len() == 1 && found[0].0 == "warn" && found[0].1.contains("older copy"), "{found:?}");
    assert_eq!(house.enza(&["doctor", "--begin-anew"]).status, 0);
    assert_eq!(house.enza(&["session", "list"]).status, 0);
    assert_eq!(lines(&house, &["doctor"], "sessions"), []);
}

/// A house in whose place another database stands, and the one that belongs there.
fn with_a_strange_database() -> (House, Vec<u8>) {
    let (house, other) = (House::new(), House::new());
    house.finished_interview();
    other.finished_interview();
    let file = house.data().join("enza.db");
    let own = fs::read(&file).unwrap();
    fs::write(&file, fs::read(other.data().join("enza.db")).unwrap()).unwrap();
    (house, own)
}

const ANOTHER: &str = "this is a different database from the one in use before";

#[test]
fn one_look_at_another_database_used_up_the_warning_for_good() {
    let (house, own) = with_a_strange_database();
    for _ in 0..2 {
        let seen = house.enza(&["session", "list"]);
        assert_eq!(seen.status, 0, "{seen:?}");
        assert!(seen.err.contains(ANOTHER) && seen.err.contains("--begin-anew"), "{seen:?}");
    }
    let found = lines(&house, &["doctor"], "sessions");
    assert!(found.len() == 1 && found[0].0 == "warn" && found[0].1.contains(ANOTHER), "{found:?}");
    let file = house.data().join("enza.db");
    let strange = fs::read(&file).unwrap();
    fs::write(&file, own).unwrap();
    assert_eq!(house.enza(&["session", "list"]).err, "", "the one that belongs there is still known");
    fs::write(&file, strange).unwrap();
    assert_eq!(house.enza(&["doctor", "--begin-anew"]).status, 0);
    assert_eq!(house.enza(&["session", "list"]).err, "", "somebody said that it is meant to be so");
}

#[test]
fn whoever_works_on_another_database_is_told_and_not_only_whoever_serves_it() {
    let (house, _) = with_a_strange_database();
    let answers = house.file("answers.txt", "The lamp flickers since Monday\nHall 2, by the door\n/skip\n");
    let worked = house.enza(&["--json", "interview", "run", "--answers", &answers, "--yes"]);
    assert_eq!(worked.status, 0, "{worked:?}");
    assert!(worked.err.contains(ANOTHER), "{worked:?}");
    assert_eq!(worked.lines().len(), 1, "standard output has the result alone");
    let japanese = house.enza(&["--lang", "ja", "session", "list"]);
    assert!(japanese.err.contains("別のデータベース"), "{japanese:?}");
}

#[test]
fn whoever_serves_another_database_is_told_once() {
    let (house, _) = with_a_strange_database();
    let log = house.file("log", "");
    let to = fs::File::create(&log).unwrap();
    let mut command = house.command(&["--json", "serve", "--listen", "127.0.0.1:0"]);
    let mut child = command.stdout(Stdio::piped()).stderr(to).spawn().unwrap();
    // What is told is told before it listens.
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let told = fs::read_to_string(&log).unwrap();
    assert_eq!(told.lines().filter(|line| *line == ANOTHER).count(), 1, "{told}");
    assert!(told.contains("--begin-anew"), "{told}");
}

#[test]
fn what_was_deleted_and_taken_along_at_the_terminal_was_not_in_the_journal() {
    let house = House::new();
    let session = house.finished_interview();
    house.json(&["session", "export", &session]);
    house.enza(&["session", "export", "nowhere"]).failed(1, "session-unknown", "enza session list");
    house.json(&["session", "delete", &session, "--yes"]);
    let journal = database(&house);
    let mut lines = journal.prepare("SELECT by_whom, act, on_what, from_where FROM journal ORDER BY line").unwrap();
    let lines = lines.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?])).unwrap();
    let lines: Vec<[String; 4]> = lines.collect::<Result<_, _>>().unwrap();
    let line = |act: &str| ["local", act, &session, ""].map(str::to_owned);
    assert_eq!(lines, [line("session-exported"), line("session-deleted")]);
}

#[test]
fn a_broken_log_is_refused_and_one_may_go_on_without_it() {
    let house = House::new();
    let session = house.finished_interview();
    let file = house.data().join("enza.db");
    // What a killed process leaves: a log that is not in the file yet.
    let holder = database(&house);
    for _ in 0..20 {
        holder.execute("UPDATE sessions SET title = title || '!'", []).unwrap();
    }
    let parts: Vec<_> = ["", "-wal", "-shm"].map(|ending| house.data().join(format!("enza.db{ending}"))).into();
    let left: Vec<_> = parts.iter().map(|path| fs::read(path).unwrap()).collect();
    drop(holder);
    for (path, bytes) in parts.iter().zip(&left) {
        fs::write(path, bytes).unwrap();
    }
    let mut log = left[1].clone();
    let middle = 32 + log.len() / 2 / 4120 * 4120 + 600;
    log[middle] ^= 1;
    fs::write(&parts[1], &log).unwrap();
    house.enza(&["session", "list"]).failed(1, "database-log-damaged", "enza doctor --accept-log-loss");
    assert!(fs::read(&parts[1]).unwrap() == log && fs::read(&file).unwrap() == left[0], "nothing was touched");
    let found = lines(&house, &["doctor", "--accept-log-loss"], "log");
    assert!(found[0].0 == "ok" && found[0].1.contains("enza.db-wal.broken-1"), "{found:?}");
    assert!(fs::read(house.data().join("enza.db-wal.broken-1")).unwrap() == log);
    assert_eq!(house.enza(&["session", "show", &session]).status, 0);
}

#[test]
fn a_backup_is_taken_and_put_back() {
    let house = House::new();
    let session = house.finished_interview();
    let before = house.enza(&["session", "events", &session, "--json"]).out;
    let shelf = tempfile::tempdir().unwrap();
    let folder = shelf.path().to_str().unwrap();
    let file = house.json(&["backup", folder])["file"].as_str().unwrap().to_owned();
    house.enza(&["backup", &file]).failed(1, "backup-exists", "Nothing is overwritten");
    house.enza(&["restore", &file]).failed(1, "database-there", "--replace");
    house.finished_interview();
    let restored = house.json(&["restore", &file, "--replace"]);
    assert_eq!(restored["sessions"], 1);
    assert!(fs::exists(restored["aside"].as_str().unwrap()).unwrap());
    assert_eq!(house.enza(&["session", "events", &session, "--json"]).out, before);
    assert_eq!(lines(&house, &["doctor"], "sessions"), [], "what was restored is what is known");

    fs::write(&file, "Dear diary").unwrap();
    house.enza(&["restore", &file, "--replace"]).failed(1, "backup-damaged", "Nothing was changed");
    let elsewhere = House::new();
    elsewhere.enza(&["backup", &format!("{folder}/none")]).failed(1, "nothing-to-back-up", "--database");
}
