//! `enza prompt`, `enza moves` and `enza doctor`.

use serde_json::json;

use crate::house::House;

#[test]
fn the_prompt_behind_a_reply_comes_out_byte_for_byte() {
    let house = House::new();
    let session = house.finished_interview();
    let events = house.enza(&["--json", "session", "events", &session]).lines();
    let reply = events.iter().find(|event| !event["body"]["replied"].is_null()).unwrap();
    let seq = reply["seq"].to_string();
    let prompts = house.json(&["prompt", &session, &seq]);
    assert_eq!(prompts[0]["exact"], true);
    assert_eq!(prompts[0]["digest"], reply["body"]["replied"]["prompt"]);
    let text = house.enza(&["prompt", &session, &seq]).out;
    assert!(text.contains("identical to the recorded one, byte for byte"), "{text}");
    assert!(text.contains("[rules]"), "{text}");
}

#[test]
fn a_prompt_that_is_due_is_shown_and_an_event_without_one_says_so() {
    let house = House::new();
    let session = house.finished_interview();
    let due = house.json(&["prompt", &session, "6"]);
    assert_eq!((&due[0]["thread"], &due[0]["exact"]), (&json!("interviewer"), &json!(null)));
    assert!(house.enza(&["prompt", &session, "3"]).out.contains("There is no prompt"));
    house.enza(&["prompt", &session, "9999"]).failed(1, "event-unknown", "from 1 to");
}

#[test]
fn the_table_of_moves_is_printed_as_a_diagram_and_as_data() {
    let house = House::new();
    let diagram = house.enza(&["moves", "interview"]).out;
    assert!(diagram.contains("stateDiagram-v2") && diagram.contains("reviewing --> done"), "{diagram}");
    let tables = house.json(&["moves", "interview"]);
    assert_eq!(tables[0]["name"], "field");
    assert!(
        tables[0]["moves"]
            .as_array()
            .unwrap()
            .contains(&json!({"from": "reviewing", "to": "done", "on": "review passed"}))
    );
    house.enza(&["moves", "nonsense"]).failed(1, "application-unknown", "interview");
}

#[test]
fn the_doctor_creates_nothing_and_then_finds_a_database_well() {
    let house = House::new();
    let healths = |value: &serde_json::Value| -> Vec<String> {
        value.as_array().unwrap().iter().map(|line| line["health"].as_str().unwrap().to_owned()).collect()
    };
    let before = house.json(&["doctor"]);
    assert!(!house.data().exists(), "it only looks");
    assert!(!healths(&before).contains(&"fail".to_owned()), "{before}");
    house.finished_interview();
    let after = house.json(&["doctor"]);
    assert!(healths(&after).iter().all(|health| health == "ok"), "{after}");
    let names: Vec<&str> = after.as_array().unwrap().iter().map(|line| line["what"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "folder",
            "room",
            "database",
            "schema",
            "integrity",
            "durability",
            "write_probe",
            "model",
            "commands",
            "language",
            "terminal"
        ]
    );
    let japanese = house.enza(&["--lang", "ja", "--durability", "normal", "doctor"]);
    assert_eq!(japanese.status, 0);
    assert!(japanese.out.contains("電源断"), "{}", japanese.out);
}
