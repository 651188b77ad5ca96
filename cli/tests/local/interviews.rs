//! Whole interviews on the small model, in both languages, side by side in two processes.
//!
//! Whatever it judges, the rules carry a field to its end: after three refusals it closes with the best value there is,
//! or the respondent is asked as it is. But the small model now and then repeats itself until the limit of a reply, for
//! minutes. Whoever answers here has only so much patience and then leaves with Ctrl-C, which has to be told like any
//! other stop. A crash, a hang, a damaged log or a submission without its value is a defect.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::{House, Run};
use crate::local::fixture;

/// How long the respondent stays once the model has spoken.
const PATIENCE: Duration = Duration::from_secs(45);
/// How long the model may take to speak at all: two servers may have to share two cores with everything else.
const SILENCE: Duration = Duration::from_secs(600);

/// A form of three fields, of which the last two may be left empty.
fn form(house: &House, language: &str, title: &str, labels: [&str; 3]) -> String {
    let ids = ["name", "city", "meal"];
    let fields: Vec<Value> = ids
        .iter()
        .zip(labels)
        .map(|(id, label)| json!({ "fieldId": id, "label": label, "required": *id == "name" }))
        .collect();
    let form = json!({ "title": title, "language": language, "fields": fields });
    house.file(&format!("form.{language}.json"), &form.to_string())
}

/// Starts an interview with an answer for the first field that is given as often as it is asked for.
fn begun(house: &House, language: &str, form: &str, answer: &str) -> Child {
    let answers = json!({ "name": answer, "city": null, "meal": null }).to_string();
    let answers = house.file(&format!("answers.{language}.json"), &answers);
    let typed = [
        "--json",
        "--lang",
        language,
        "--model",
        "local/small",
        "interview",
        "run",
        form,
        "--answers",
        &answers,
        "--yes",
    ];
    house.command(&typed).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the model has spoken twice, once to each, or both have come to their end.
fn until_spoken(house: &House, runs: &mut [Child]) {
    let deadline = Instant::now() + SILENCE;
    while calls(house) < 2 && Instant::now() < deadline {
        if runs.iter_mut().all(|run| run.try_wait().unwrap().is_some()) {
            return;
        }
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// How often the model has spoken.
fn calls(house: &House) -> u64 {
    let usage = house.json(&["usage", "--by", "model"]);
    // A process that is left with work under way is charged for it; that line has no model.
    let spoken = usage["rows"].as_array().unwrap().iter().find(|row| row["model"] == "local/small");
    spoken.and_then(|row| row["calls"].as_u64()).unwrap_or(0)
}

/// How it ended, by itself or because the respondent left.
fn ended(mut child: Child, deadline: Instant) -> Run {
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            // It may have ended just now.
            let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let output = child.wait_with_output().unwrap();
    Run {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Insists on a submission with its required field, or on a stop that says why and how to go on.
fn came_to_an_end(house: &House, run: &Run) {
    let value = run.json();
    if run.status == 0 {
        assert_eq!((&value["stage"], &value["delivered"]), (&json!("delivered"), &json!(true)), "{run:?}");
        assert!(value["values"]["name"].as_str().is_some_and(|name| !name.trim().is_empty()), "{run:?}");
        assert_eq!(value["progress"], json!({ "done": 3, "of": 3 }), "{run:?}");
        let file = std::fs::read_to_string(value["file"].as_str().unwrap()).unwrap();
        let letter: Value = serde_json::from_str(&file).unwrap();
        assert_eq!((&letter["session"], &letter["values"]), (&value["session"], &value["values"]));
    } else {
        let code = value["error"]["code"].as_str().unwrap_or_default();
        let status = match code {
            "session-stuck" | "waiting-for-an-answer" => 4,
            "interrupted" => 130,
            other => panic!("{other:?} is no way for it to end: {run:?}"),
        };
        run.failed(status, code, "enza interview run --session");
    }
    let session = value["session"].as_str().or(value["error"]["session"].as_str()).unwrap();
    let replay = house.enza(&["session", "replay", session]);
    assert_eq!(replay.status, 0, "its log is sound: {replay:?}");
}

#[test]
fn an_english_and_a_japanese_interview_at_the_same_time_each_come_to_their_own_end() {
    let house = fixture::house();
    let english = form(&house, "en", "Guests", ["Name", "City", "Meal"]);
    let japanese = form(&house, "ja", "来客", ["お名前", "町", "食事"]);
    let mut runs = [begun(&house, "en", &english, "Ada Lovelace"), begun(&house, "ja", &japanese, "山田太郎です")];
    assert!(fixture::until_servers(&house, 2), "each process has a server of its own: {:?}", fixture::servers(&house));
    until_spoken(&house, &mut runs);
    let deadline = Instant::now() + PATIENCE;
    let [english, japanese] = runs.map(|run| ended(run, deadline));
    came_to_an_end(&house, &english);
    came_to_an_end(&house, &japanese);
    let sessions = house.json(&["session", "list"]);
    let mut titles: Vec<&str> =
        sessions.as_array().unwrap().iter().map(|row| row["standing"]["title"].as_str().unwrap()).collect();
    titles.sort_unstable();
    assert_eq!(titles, ["Guests", "来客"]);
    assert!(calls(&house) >= 2, "the model spoke to both");
    assert!(fixture::until_servers(&house, 0), "no server stays behind");
}
