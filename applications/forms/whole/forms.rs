//! `enza form`: what can be done with a form before anyone is asked.

use serde_json::{Value, json};

use crate::house::{House, finished};

const NAMES: [&str; 3] = ["visit-report", "incident-report", "event-sign-up"];

#[test]
fn every_example_is_printed_in_both_languages_and_is_sound() {
    let house = House::new();
    for name in NAMES {
        for lang in ["ja", "en"] {
            let run = house.enza(&["--lang", lang, "form", "example", name]);
            assert_eq!(run.status, 0, "{run:?}");
            let file = house.file(&format!("{name}.{lang}.toml"), &run.out);
            let checked = house.json(&["form", "check", &file]);
            assert_eq!((&checked[0]["sound"], &checked[0]["language"]), (&json!(true), &json!(lang)), "{checked}");
        }
    }
    house.enza(&["form", "example", "nonsense"]).failed(2, "usage-wrong", "--help");
    assert!(!house.data().exists(), "nothing is opened for it");
}

#[test]
fn every_fault_of_every_file_is_told_with_its_place() {
    let house = House::new();
    let sound = house.file("sound.json", r#"{"title": "T", "fields": [{"fieldId": "a", "label": "A"}]}"#);
    let faulty = house.file(
        "faulty.toml",
        "title = \"T\"\n[[fields]]\nfieldId = \"a\"\nlabel = \"\"\n[[fields]]\nfieldId = \"b\"\nlabel = \"B\"\nkind = \"choice\"\n",
    );
    let broken = house.file("broken.toml", "title = \"T\"\nfields = 3 4\n");
    let run = house.enza(&["form", "check", &sound, &faulty, "/nowhere.toml", &broken]);
    run.failed(3, "form-faulty", "docs/guides/forms.md");
    for told in [
        format!("✓ {sound}: Ready to use (1 field): T"),
        format!("✗ {faulty}"),
        "fields[0].label".to_owned(),
        "The options of the field \"b\" do not fit.".to_owned(),
        "/nowhere.toml cannot be read".to_owned(),
        "line 2, column 10".to_owned(),
    ] {
        assert!(run.out.contains(&told), "{told}: {}", run.out);
    }
    assert!(run.err.contains("3 forms cannot be used."), "{}", run.err);
    let japanese = house.enza(&["--lang", "ja", "form", "check", &faulty]);
    assert!(japanese.out.contains("選択肢"), "{}", japanese.out);
}

#[test]
fn a_form_reads_the_same_in_every_format() {
    let house = House::new();
    for name in NAMES {
        let example = house.enza(&["form", "example", name]).out;
        let file = house.file("form.toml", &example);
        let as_json = |path: &str| -> Value {
            serde_json::from_str(&house.enza(&["form", "convert", path, "--to", "json"]).out).unwrap()
        };
        let form = as_json(&file);
        for format in ["toml", "json", "schema"] {
            let run = house.enza(&["form", "convert", &file, "--to", format]);
            assert_eq!((run.status, run.err.as_str()), (0, ""), "{name} {format}");
            let again = house.file(&format!("again.{format}"), &run.out);
            assert_eq!(as_json(&again), form, "{name} {format}");
        }
    }
}

#[test]
fn what_a_conversion_cannot_keep_is_told_beside_the_result() {
    let house = House::new();
    let schema = json!({
        "type": "object", "title": "S",
        "properties": {"a": {"type": "string", "title": "A", "pattern": "x"}, "b": {"type": "string", "title": "B"}},
    });
    let schema = house.file("schema.json", &schema.to_string());
    let ui = json!({"type": "VerticalLayout", "elements": [{"type": "Control", "scope": "#/properties/b"}]});
    let ui = house.file("ui.json", &ui.to_string());
    let run = house.enza(&["form", "convert", &schema, "--to", "json", "--ui", &ui]);
    let form: Value = serde_json::from_str(&run.out).unwrap();
    let ids: Vec<&Value> = form["fields"].as_array().unwrap().iter().map(|field| &field["fieldId"]).collect();
    assert_eq!(ids, ["b", "a"]);
    assert!(run.err.contains("pattern at #/properties/a was left out"), "{}", run.err);
    assert!(run.err.contains("\"a\" is not in the UI schema"), "{}", run.err);
    house.enza(&["form", "convert", "/nowhere", "--to", "json"]).failed(1, "file-unreadable", "place and content");
    let broken = house.file("broken.json", "{");
    house.enza(&["form", "convert", &schema, "--to", "json", "--ui", &broken]).failed(1, "file-unreadable", "content");
}

#[test]
fn a_form_may_come_by_standard_input() {
    let house = House::new();
    let file = house.file("form.json", r#"{"title": "T", "fields": []}"#);
    let piped = std::fs::File::open(&file).unwrap();
    finished(house.command(&["form", "check", "-"]).stdin(piped)).failed(3, "form-faulty", "Correct the errors");
}
