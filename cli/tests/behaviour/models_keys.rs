//! Keys: where they are kept, and what one is told when there is none or a wrong one.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use enza_models::providers::Providers;

use crate::behaviour::models_provider::{Answer, KEY_VARIABLE, Provider};
use crate::house::{House, Run, finished};

/// What is planted as a key.
const KEY: &str = "stage-0123456789abcdef";

/// A house with a provider in it.
fn house_with(provider: &Provider) -> House {
    let house = House::new();
    provider.moves_into(&house, "stage");
    house
}

/// A whole interview on the provider.
fn interview(house: &House) -> Command {
    let answers = house.file("answers.txt", "The lamp flickers since Monday\nHall 2, by the door\n/skip\n");
    house.command(&["--model", "stage/any", "interview", "run", "--answers", &answers, "--yes"])
}

/// A key file with this mode, which the config file names.
fn key_file(house: &House, text: &str, mode: u32) -> String {
    let path = house.file("config/stage.key", text);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    house.file("config/config.toml", &format!("[keys]\nstage = {{ file = \"{path}\" }}\n"));
    path
}

/// The keys that the provider saw, without repeats.
fn keys_seen(provider: &Provider) -> Vec<Option<String>> {
    let mut keys: Vec<_> = provider.asked().iter().map(|asked| asked.key().map(str::to_owned)).collect();
    keys.dedup();
    keys
}

fn is_submitted(run: &Run) {
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.out.contains("Submitted:"), "{run:?}");
}

#[test]
fn a_developers_own_keys_and_folders_stay_outside() {
    let house = House::new();
    let command = house.command(&["model", "list"]);
    let set = |name: &str| command.get_envs().find(|(known, _)| *known == name).map(|(_, value)| value);
    for provider in Providers::built_in().iter() {
        if let Some(variable) = &provider.key_variable {
            assert_eq!(set(variable), Some(None), "{variable} is taken away");
        }
    }
    assert_eq!(set("ENZA_MODEL"), Some(Some("understudy".as_ref())));
    assert_eq!(set("ENZA_CONFIG"), Some(Some(house.config().as_os_str())));
    assert_eq!(set("ENZA_MODELS"), Some(Some(house.models().as_os_str())));
}

#[test]
fn without_a_key_the_variable_is_named_and_nobody_is_asked() {
    let provider = Provider::of_interviews();
    let house = house_with(&provider);
    finished(&mut interview(&house)).failed(1, "key-missing", "export STAGE_KEY=");
    finished(interview(&house).args(["--lang", "ja"])).failed(1, "key-missing", "export STAGE_KEY=");
    house.enza(&["model", "use", "stage/any"]).failed(1, "key-missing", "export STAGE_KEY=");
    house.enza(&["model", "test", "stage/any"]).failed(1, "key-missing", "export STAGE_KEY=");
    assert_eq!(provider.asked().len(), 0);
    assert!(!house.config().join("config.toml").exists(), "a model that cannot be had is not used from now on");
    assert!(house.json(&["session", "list"]).as_array().unwrap().is_empty(), "no session was opened for nothing");
}

#[test]
fn a_key_comes_from_its_variable() {
    let provider = Provider::of_interviews();
    let house = house_with(&provider);
    is_submitted(&finished(interview(&house).env(KEY_VARIABLE, KEY)));
    assert_eq!(keys_seen(&provider), [Some(KEY.to_owned())]);
}

#[test]
fn a_key_comes_from_a_file_that_nobody_else_may_read() {
    let provider = Provider::of_interviews();
    let house = house_with(&provider);
    key_file(&house, &format!("{KEY}\n"), 0o600);
    is_submitted(&finished(&mut interview(&house)));
    assert_eq!(keys_seen(&provider), [Some(KEY.to_owned())]);
}

#[test]
fn a_key_file_that_others_may_read_is_refused_with_the_command_that_mends_it() {
    let provider = Provider::of_interviews();
    let house = house_with(&provider);
    let path = key_file(&house, KEY, 0o644);
    for lang in ["en", "ja"] {
        let run = finished(interview(&house).args(["--lang", lang]));
        run.failed(1, "key-unusable", &format!("chmod 600 {path}"));
        assert!(!run.err.contains(KEY), "{run:?}");
    }
    assert_eq!(provider.asked().len(), 0);
}

#[test]
fn an_empty_or_missing_key_file_says_what_belongs_into_it() {
    let provider = Provider::of_interviews();
    let house = house_with(&provider);
    let path = key_file(&house, "\n", 0o600);
    finished(&mut interview(&house)).failed(1, "key-unusable", "Put only the key into that file");
    std::fs::remove_file(path).unwrap();
    finished(&mut interview(&house)).failed(1, "key-unusable", "Put only the key into that file");
}

#[test]
fn a_key_comes_from_a_command_and_one_that_fails_says_so() {
    let provider = Provider::of_interviews();
    let house = house_with(&provider);
    let keys =
        |command: &str| house.file("config/config.toml", &format!("[keys]\nstage = {{ command = {command} }}\n"));
    keys(&format!("[\"printf\", \"{KEY}\\\\nand more\\\\n\"]"));
    is_submitted(&finished(&mut interview(&house)));
    assert_eq!(keys_seen(&provider), [Some(KEY.to_owned())]);
    keys("[\"false\"]");
    finished(&mut interview(&house)).failed(1, "key-unusable", "Run that command by hand");
    keys("[\"no-such-program-anywhere\"]");
    finished(&mut interview(&house)).failed(1, "key-unusable", "Run that command by hand");
}

#[test]
fn a_wrong_key_stops_the_session_with_the_reason_and_it_goes_on_with_the_right_one() {
    let provider = Provider::by(|asked| match asked.key() {
        Some(KEY) => crate::behaviour::models_provider::plays_well(asked),
        Some(_) | None => Answer::Refusal(401, "Incorrect API key provided".to_owned()),
    });
    let house = house_with(&provider);
    let run = finished(interview(&house).env(KEY_VARIABLE, "stage-of-another-house"));
    run.failed(4, "session-stuck", "enza interview run --session");
    assert!(run.err.contains("did not accept the key from STAGE_KEY"), "{run:?}");
    assert!(run.err.contains("Keys are at the stage door."), "{run:?}");
    assert!(!run.err.contains("another-house"), "{run:?}");
    assert_eq!(provider.asked().len(), 1, "a refusal is not asked again");
    let session = house.json(&["session", "list", "--phase", "stuck"])[0]["id"].as_str().unwrap().to_owned();
    is_submitted(&finished(interview(&house).args(["--session", &session]).env(KEY_VARIABLE, KEY)));
    let test = finished(house.command(&["model", "test", "stage/any"]).env(KEY_VARIABLE, "stage-of-another-house"));
    test.failed(1, "model-silent", "enza model test");
    assert!(test.err.contains("Check STAGE_KEY"), "{test:?}");
}
