//! A planted key: it reaches the provider, and nothing else that anyone could read afterwards.
//!
//! The provider is as bad as can be: it repeats the key in an error, in a question and in a judgement. What a model says
//! is kept for good, so the key is taken out of its replies before anything sees them; a mark stands in its place, in
//! the log as on the cassette.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use crate::behaviour::models_provider::{Answer, Asked, KEY_VARIABLE, Provider, plays_well};
use crate::house::{House, finished};

/// Looks like no well-known key, so that nothing but knowing it helps.
const KEY: &str = "Planted.Key.5f1c0a7e93b24d68";

/// Repeats the key wherever it can, once as an error, then in every reply.
fn echoing() -> Provider {
    let turns = AtomicUsize::new(0);
    Provider::by(move |asked: &Asked| {
        let key = asked.key().unwrap_or_default().to_owned();
        match (turns.fetch_add(1, Ordering::SeqCst), asked.tool()) {
            (0, _) => Answer::Refusal(500, format!("trouble with {key} here")),
            (_, "ask") => Answer::Call(json!({ "question": format!("Is {key} yours?") })),
            (_, "review") => Answer::Call(json!({ "passed": true, "field_value": format!("It is {key}, {key}.") })),
            (3, _) => Answer::Words(format!("I like {key}.")),
            (_, _) => plays_well(asked),
        }
    })
}

/// Everything that was printed, by command.
#[derive(Default)]
struct Printed(Vec<(String, String)>);

impl Printed {
    fn run(&mut self, command: &mut Command) -> String {
        let run = finished(command);
        self.0.push((format!("{command:?}"), run.out.clone() + &run.err));
        run.out + &run.err
    }
}

/// Runs an interview on a cassette and everything that shows it afterwards; `with_key` gives each command its key.
fn whole_life(house: &House, printed: &mut Printed, with_key: &dyn Fn(&mut Command)) {
    let tape = house.file("tape.json", "");
    let answers = house.file("answers.txt", "The lamp flickers since Monday\nHall 2, by the door\n/skip\n");
    let typed = ["--model", "stage/any", "interview", "run", "--answers", &answers, "--yes", "--record", &tape];
    let mut command = house.command(&typed);
    with_key(&mut command);
    let said = printed.run(&mut command);
    assert!(said.contains("Submitted:") && said.contains("Is [secret] yours?"), "{said}");
    let recorded = std::fs::read_to_string(&tape).unwrap();
    assert!(recorded.contains("Is [secret] yours?"), "the cassette has no pieces of it either: {recorded}");
    let session = house.json(&["session", "list"])[0]["id"].as_str().unwrap().to_owned();
    for arguments in [
        &["session", "export", &session][..],
        &["session", "events", &session],
        &["session", "show", &session],
        &["session", "replay", &session],
        &["prompt", &session],
        &["usage", "--by", "model"],
        &["doctor"],
        &["model", "list"],
        &["--json", "model", "list"],
        &["model", "test", "stage/any"],
        &["--model", "stage/any", "interview", "run", "--answers", &answers, "--yes", "--replay", &tape],
    ] {
        let mut command = house.command(arguments);
        with_key(&mut command);
        printed.run(&mut command);
    }
}

/// Every file under a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Insists that no file of the house and nothing printed has the key, but those where it belongs.
fn found_nowhere(house: &House, printed: &Printed, belongs: &[&str]) {
    let whole = house.data().parent().unwrap().to_owned();
    let files: Vec<PathBuf> = files(&whole);
    for part in ["data/enza.db", "data/outbox", "tape.json", "config/providers"] {
        assert!(files.iter().any(|file| file.starts_with(whole.join(part))), "{part} was not looked at");
    }
    let has_key = |bytes: &[u8]| bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes());
    let leaks = files.iter().filter(|file| has_key(&std::fs::read(file).unwrap()));
    let leaks: Vec<_> = leaks.map(|file| file.strip_prefix(&whole).unwrap().display().to_string()).collect();
    assert_eq!(leaks, belongs, "files with the key");
    for (command, text) in &printed.0 {
        assert!(!has_key(text.as_bytes()), "{command} printed the key: {text}");
    }
}

#[test]
fn a_key_from_a_variable_is_found_nowhere_afterwards() {
    let provider = echoing();
    let house = House::new();
    provider.moves_into(&house, "stage");
    let mut printed = Printed::default();
    whole_life(&house, &mut printed, &|command| {
        command.env(KEY_VARIABLE, KEY);
    });
    assert!(provider.asked().iter().all(|asked| asked.key() == Some(KEY)), "it was really sent");
    found_nowhere(&house, &printed, &[]);
}

#[test]
fn a_key_from_a_file_is_found_in_that_file_alone() {
    let provider = echoing();
    let house = House::new();
    provider.moves_into(&house, "stage");
    let path = house.file("config/stage.key", &format!("{KEY}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    house.file("config/config.toml", &format!("[keys]\nstage = {{ file = \"{path}\" }}\n"));
    let mut printed = Printed::default();
    whole_life(&house, &mut printed, &|_| {});
    assert!(provider.asked().iter().all(|asked| asked.key() == Some(KEY)), "it was really sent");
    found_nowhere(&house, &printed, &["config/stage.key"]);
}

#[test]
fn a_key_in_a_refusal_that_stops_a_session_is_found_nowhere() {
    let provider = Provider::by(|asked| {
        Answer::Refusal(401, format!("Incorrect API key provided: {}", asked.key().unwrap_or_default()))
    });
    let house = House::new();
    provider.moves_into(&house, "stage");
    let mut printed = Printed::default();
    let tape = house.file("tape.json", "");
    let typed = ["--model", "stage/any", "interview", "run", "--record", &tape];
    for more in [&[][..], &["--json"], &["--lang", "ja"]] {
        let said = printed.run(house.command(&[more, &typed].concat()).env(KEY_VARIABLE, KEY));
        assert!(said.contains("Incorrect API key provided"), "{said}");
    }
    house.file("data/outbox/none", "");
    found_nowhere(&house, &printed, &[]);
}
