//! `enza interview run`, without a terminal.

use serde_json::json;

use crate::house::{House, finished};

#[test]
fn an_interview_runs_from_prepared_lines_to_the_outbox() {
    let house = House::new();
    let session = house.finished_interview();
    let file = house.data().join("outbox").join(format!("{session}.json"));
    let letter: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(letter["session"], json!(session));
    assert_eq!(letter["values"], json!({"symptom": "The lamp flickers since Monday", "place": "Hall 2, by the door"}));
    let parts = std::fs::read_dir(house.data().join("outbox")).unwrap().count();
    assert_eq!(parts, 1, "nothing half-written stays behind");
}

#[test]
fn answers_by_field_may_be_repeated_and_skipped() {
    let house = House::new();
    // "hum" is too short for the understudy, which asks again.
    let answers = json!({"symptom": ["hum", "It hums all night"], "place": "Hall 2", "contact": null}).to_string();
    let answers = house.file("answers.json", &answers);
    let value = house.json(&["interview", "run", "--answers", &answers, "--yes"]);
    assert_eq!(value["values"], json!({"symptom": "It hums all night", "place": "Hall 2"}));
    assert_eq!(value["progress"], json!({"done": 3, "of": 3}));
}

#[test]
fn a_form_is_asked_in_the_respondents_language_and_without_one_in_its_own() {
    let house = House::new();
    let form = json!({
        "title": "お名前", "language": "ja",
        "fields": [{"fieldId": "name", "label": "お名前", "required": true}],
    });
    let form = house.file("form.json", &form.to_string());
    let answers = house.file("answers.txt", "山田太郎です\n");
    let typed = ["interview", "run", &form, "--answers", &answers, "--yes"];
    let japanese = "「お名前」を教えてください";
    let of_locale = house.enza(&typed);
    assert!(of_locale.status == 0 && of_locale.out.contains("Please tell me about \"お名前\""), "{of_locale:?}");
    assert!(of_locale.out.contains("1 of 1"), "{}", of_locale.out);
    let nowhere = finished(house.command(&typed).env("LANG", "C.UTF-8"));
    assert!(nowhere.status == 0 && nowhere.out.contains(japanese), "{nowhere:?}");
    let asked_for = house.json(&[&typed[..], &["--language", "ja", "--country", "Canada"]].concat());
    assert_eq!((&asked_for["language"], &asked_for["country"]), (&json!("ja"), &json!("CA")));
    house.enza(&[&typed[..], &["--country", "Atlantis"]].concat()).failed(3, "place-unknown", "countries as JP");
}

/// What a field is for is written for the agents: no respondent at a terminal is shown it, nor a script that runs one.
#[test]
fn what_a_field_is_for_is_shown_to_nobody_who_answers_at_a_terminal() {
    let house = House::new();
    let mark = "AGENTS-ONLY";
    let kinds = ["text", "long_text", "integer", "date", "yes_no", "choice"];
    let field = |kind: &&str| {
        let options = if *kind == "choice" { json!(["Fish", "Meat"]) } else { json!([]) };
        let fact = json!({"factKey": "k", "fact": format!("{mark} fact"), "doneCriteria": format!("{mark} criterion"),
            "questioningHints": format!("{mark} hint")});
        let facts = if kind.ends_with("text") { json!([fact]) } else { json!([]) };
        json!({"fieldId": kind, "label": format!("About {kind}"), "kind": kind, "required": *kind == "text",
            "intent": format!("{mark} intent of {kind}"), "options": options, "facts": facts})
    };
    let fields: Vec<serde_json::Value> = kinds.iter().map(field).collect();
    let form = json!({"title": "Every kind", "language": "en", "order": "fixed", "fields": fields});
    let form = house.file("form.json", &form.to_string());
    // Too little, a question, nonsense and absences on the way; the look at everything, and the end.
    let said = "hum\nWhat is this for?\n/help\n/form\n/show\nIt hums all night\neh\n/skip\nmany\n12\nsoon\n2026-11-03\nperhaps\nyes\nTofu\nFish\n";
    let answers = house.file("answers.txt", said);
    for language in ["en", "ja"] {
        let typed = ["interview", "run", &form, "--answers", &answers, "--yes", "--language", language];
        for run in [house.enza(&typed), house.enza(&[&["--json"][..], &typed].concat())] {
            let shown = format!("{}{}", run.out, run.err);
            assert!(shown.contains("About text"), "{shown}");
            assert!(!shown.contains(mark), "{shown}");
        }
    }
    // Where nobody answers, the open question is told with where to go on.
    let alone = house.enza(&["interview", "run", &form]);
    assert!(alone.status == 4 && !format!("{}{}", alone.out, alone.err).contains(mark), "{alone:?}");
}

#[test]
fn a_run_without_anyone_never_hangs_on_a_question_and_can_be_gone_on_with() {
    let house = House::new();
    let run = house.enza(&["--json", "interview", "run"]);
    run.failed(4, "waiting-for-an-answer", "enza interview run --session");
    let session = run.json()["error"]["session"].as_str().unwrap().to_owned();
    let answers = house.file("answers.txt", "The lamp flickers\nHall 2, by the door\n/skip\n");
    let end = &session[session.len() - 8..];
    let run = house.enza(&["interview", "run", "--session", end, "--answers", &answers, "--yes"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.out.contains("(resumed)"), "{}", run.out);
}

#[test]
fn without_a_yes_a_run_without_anyone_stops_at_the_gate() {
    let house = House::new();
    let session = house.interview_at_gate();
    let run = house.enza(&["interview", "run", "--session", &session]);
    run.failed(4, "waiting-at-a-gate", "--yes");
    for point in ["intent", "grounds", "impact", "instead", "content"] {
        assert!(run.out.contains(point), "{point}: {}", run.out);
    }
    let sessions = house.json(&["session", "list", "--phase", "gate"]);
    assert_eq!(sessions[0]["id"], json!(session));
}

#[test]
fn a_second_answer_to_a_gate_is_refused_and_changes_nothing() {
    let house = House::new();
    let session = house.interview_at_gate();
    assert_eq!(house.enza(&["interview", "run", "--session", &session, "--yes"]).status, 0);
    let before = house.json(&["session", "export", &session]);
    let again = house.enza(&["interview", "run", "--session", &session, "--yes"]);
    again.failed(3, "gate-answered", "see the answer");
    assert_eq!(house.json(&["session", "export", &session]), before);
}

#[test]
fn a_finished_interview_can_be_looked_at_again() {
    let house = House::new();
    let session = house.finished_interview();
    let run = house.enza(&["interview", "run", "--session", &session]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.out.contains("Submitted:"), "{}", run.out);
}

#[test]
fn an_oversized_answer_is_refused_with_what_to_do() {
    let house = House::new();
    let answers = house.file("answers.txt", &"x".repeat(2_000_000));
    let run = house.enza(&["interview", "run", "--answers", &answers]);
    run.failed(3, "command-too-large", "in parts");
    let answers = house.file("answers.txt", &"あ".repeat(20_000));
    let run = house.enza(&["--lang", "ja", "interview", "run", "--answers", &answers]);
    run.failed(3, "text-too-long", "短く");
}

#[test]
fn a_faulty_form_and_unreadable_files_say_where_to_look() {
    let house = House::new();
    let form = house.file("form.json", r#"{"title": "x", "fields": []}"#);
    house.enza(&["interview", "run", &form]).failed(3, "form-faulty", "Correct the form");
    house.enza(&["interview", "run", "/nowhere.json"]).failed(1, "file-unreadable", "place and content");
    let answers = house.file("answers.json", "{broken");
    house.enza(&["interview", "run", "--answers", &answers]).failed(1, "file-unreadable", "place and content");
}

#[test]
fn the_result_says_all_that_came_of_it() {
    let house = House::new();
    let form = json!({
        "title": "Guests", "order": "fixed", "groups": [{"groupId": "guests", "item": "guest", "max": 3}],
        "fields": [
            {"fieldId": "day", "label": "Day", "kind": "date", "required": true},
            {"fieldId": "name", "label": "Name", "group": "guests", "required": true},
            {"fieldId": "meal", "label": "Meal", "kind": "choice", "options": ["fish", "rice"]},
            {"fieldId": "why", "label": "Why not", "when": [{"field": "meal", "is": "rice"}]},
            {"fieldId": "phone", "label": "Phone", "kind": "phone"},
        ],
    });
    let form = house.file("guests.json", &form.to_string());
    let answers = json!({
        "language": "en", "country": "GB", "day": "3/11/2026", "guests.1.name": "Ada", "guests.2.name": "Grace",
        "meal": 1, "phone": "I don't know",
    });
    let answers = house.file("answers.json", &answers.to_string());
    let mut value = house.json(&["interview", "run", &form, "--answers", &answers, "--yes"]);
    for one_of_a_kind in ["session", "file", "tokens"] {
        assert!(!value[one_of_a_kind].is_null(), "{value}");
        value[one_of_a_kind] = json!(null);
    }
    let expected = json!({
        "session": null, "file": null, "tokens": null,
        "stage": "delivered", "delivered": true, "language": "en", "country": "GB",
        "progress": {"done": 8, "of": 8},
        "values": {"day": "2026-11-03", "guests.1.name": "Ada", "guests.2.name": "Grace", "meal": "fish"},
        "absences": {"why": "not_applicable", "phone": "unknown"},
        "incomplete": [],
        "sentences": {"day": "3/11/2026", "guests.1.name": "Ada", "guests.2.name": "Grace", "meal": "fish"},
        "turns": 8, "calls": 10,
    });
    assert_eq!(value, expected);
}

#[test]
fn consent_is_given_by_a_person_or_by_a_word_and_never_taken_for_granted() {
    let house = House::new();
    let form = json!({
        "title": "Sign-up", "consent": "We keep your name for a week.",
        "fields": [{"fieldId": "name", "label": "Your name", "required": true}],
    });
    let form = house.file("form.json", &form.to_string());
    let answers = house.file("answers.txt", "Ada Lovelace\n");
    let typed = ["interview", "run", &form, "--answers", &answers, "--yes"];
    let run = house.enza(&typed);
    run.failed(4, "consent-missing", "--consent");
    assert!(run.out.contains("We keep your name for a week."), "{run:?}");
    assert!(house.json(&["session", "list"]).as_array().unwrap().is_empty(), "nothing was begun");
    assert_eq!(house.json(&[&typed[..], &["--consent"]].concat())["values"], json!({"name": "Ada Lovelace"}));
}

#[test]
fn a_form_in_toml_and_a_json_schema_are_asked_and_losses_are_told() {
    let house = House::new();
    let form = house.file("form.toml", "title = \"T\"\n[[fields]]\nfieldId = \"name\"\nlabel = \"Name\"\n");
    let answers = house.file("answers.json", r#"{"name": "Ada"}"#);
    let value = house.json(&["interview", "run", &form, "--answers", &answers, "--yes"]);
    assert_eq!(value["values"], json!({"name": "Ada"}));
    let schema = json!({"type": "object", "title": "S", "properties": {"name": {"type": "string", "pattern": "^A"}}});
    let schema = house.file("schema.json", &schema.to_string());
    let run = house.enza(&["--json", "interview", "run", &schema, "--answers", &answers, "--yes"]);
    assert_eq!((run.status, &run.json()["values"]), (0, &json!({"name": "Ada"})), "{run:?}");
    assert!(run.err.contains("pattern at #/properties/name was left out"), "{}", run.err);
}

#[test]
fn a_field_that_is_called_language_is_no_word_to_the_greeter() {
    let house = House::new();
    let field = json!({"fieldId": "language", "label": "Your favourite programming language", "required": true});
    let form = house.file("form.json", &json!({"title": "T", "fields": [field]}).to_string());
    let answers = house.file("answers.json", r#"{"language": "Rust, of course"}"#);
    let value = house.json(&["interview", "run", &form, "--answers", &answers, "--yes"]);
    assert_eq!((&value["language"], &value["values"]), (&json!("en"), &json!({"language": "Rust, of course"})));
}
