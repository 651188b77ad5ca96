//! Pulling from the hub: whole, cut off and taken up again, damaged, refused, out of room.

use std::fs;
use std::path::Path;
use std::process::Command;

use enza_models::local::folder::ModelFolder;
use enza_models::local::pull::{PullError, Pulled, Source, SourceAttempt, SourceFailure, Sources, Step, pull};
use enza_models::local::pullable::{Pullable, Weights};

use crate::local::fixture::{Hub, HubAnswer, Told, bytes, expected, on_hub, sha256};

fn only(hub: &Hub) -> Sources {
    Sources { hub: Some(hub.address.clone()), pip: Vec::new() }
}

fn source(hub: &Hub) -> Source {
    Source::Hub { address: format!("{}/owner/repo/resolve/main/tiny.gguf", hub.address) }
}

async fn pull_into(folder: &Path, weights: Weights, hub: &Hub) -> Result<Pulled, PullError> {
    pull(&ModelFolder::new(folder), &Pullable::Weights(weights), &only(hub), &|_| {}).await
}

fn failed(hub: &Hub, why: SourceFailure) -> Result<Pulled, PullError> {
    Err(PullError::NoWay { what: "tiny".into(), attempts: vec![SourceAttempt { source: source(hub), why }] })
}

const FETCH: &str = "GET /owner/repo/resolve/main/tiny.gguf";

#[tokio::test]
async fn weights_are_pulled_checked_and_not_pulled_again() {
    let (folder, whole) = (tempfile::tempdir().unwrap(), bytes(300_000));
    let hub = Hub::open(whole.clone(), vec![]).await;
    let told = Told::default();
    let on_progress = |progress| told.0.lock().unwrap().push(progress);
    let model_folder = ModelFolder::new(folder.path());
    let what = Pullable::Weights(on_hub(&whole));
    let pulled = pull(&model_folder, &what, &only(&hub), &on_progress).await;

    let path = model_folder.weights("tiny");
    assert_eq!(pulled, Ok(Pulled { path: path.clone(), bytes: 300_000, source: Some(source(&hub)) }));
    assert_eq!(fs::read(&path).unwrap(), whole);
    let told = told.all();
    assert_eq!(told.first().map(|first| (first.step, first.done_bytes)), Some((Step::Fetching, 0)));
    assert_eq!(told.last().map(|last| (last.step, last.done_bytes)), Some((Step::Placed, 300_000)));

    let again = pull(&model_folder, &what, &only(&hub), &|_| {}).await;
    assert_eq!(again, Ok(Pulled { path, bytes: 300_000, source: None }));
    assert_eq!(hub.requests(), [FETCH]);
}

#[tokio::test]
async fn a_connection_that_breaks_is_taken_up_where_it_was() {
    let (folder, whole) = (tempfile::tempdir().unwrap(), bytes(1000));
    let hub = Hub::open(whole.clone(), vec![HubAnswer::CutAfter(400), HubAnswer::CutAfter(100)]).await;
    pull_into(folder.path(), on_hub(&whole), &hub).await.unwrap();
    assert_eq!(hub.requests(), [FETCH.to_owned(), format!("{FETCH} from 400"), format!("{FETCH} from 500")]);
    assert_eq!(fs::read(ModelFolder::new(folder.path()).weights("tiny")).unwrap(), whole);
}

#[tokio::test]
async fn a_pull_that_was_interrupted_goes_on_the_next_time() {
    let (folder, whole) = (tempfile::tempdir().unwrap(), bytes(1000));
    let dead =
        || vec![HubAnswer::CutAfter(400), HubAnswer::CutAfter(0), HubAnswer::CutAfter(0), HubAnswer::CutAfter(0)];
    let hub = Hub::open(whole.clone(), dead()).await;
    let came = pull_into(folder.path(), on_hub(&whole), &hub).await;
    let Err(PullError::NoWay { attempts, .. }) = came else { panic!("{came:?}") };
    assert!(
        matches!(attempts[..], [SourceAttempt { why: SourceFailure::Cut { done: 400, total: 1000, .. }, .. }]),
        "{attempts:?}"
    );

    let hub = Hub::open(whole.clone(), vec![]).await;
    pull_into(folder.path(), on_hub(&whole), &hub).await.unwrap();
    assert_eq!(hub.requests(), [format!("{FETCH} from 400")]);
}

#[tokio::test]
async fn a_hub_that_ignores_the_range_is_read_from_the_beginning() {
    let (folder, whole) = (tempfile::tempdir().unwrap(), bytes(1000));
    let hub = Hub::open(whole.clone(), vec![HubAnswer::CutAfter(400), HubAnswer::Everything]).await;
    pull_into(folder.path(), on_hub(&whole), &hub).await.unwrap();
    assert_eq!(fs::read(ModelFolder::new(folder.path()).weights("tiny")).unwrap(), whole);
}

#[tokio::test]
async fn what_arrives_damaged_is_removed_and_never_named() {
    let (folder, whole) = (tempfile::tempdir().unwrap(), bytes(1000));
    let mut other = whole.clone();
    other[500] ^= 1;
    let hub = Hub::open(other.clone(), vec![]).await;
    // On a task of its own, as the engine would.
    let (path, weights) = (folder.path().to_owned(), on_hub(&whole));
    let sources = only(&hub);
    let pulling = async move { pull(&ModelFolder::new(path), &Pullable::Weights(weights), &sources, &|_| {}).await };
    let came = tokio::spawn(pulling).await.unwrap();
    let (expected, found) = (sha256(&whole), sha256(&other));
    assert_eq!(came, Err(PullError::WrongDigest { what: "tiny".into(), from: source(&hub), expected, found }));
    assert_eq!(fs::read_dir(folder.path().join("weights")).unwrap().count(), 0);
}

#[tokio::test]
async fn a_refusal_of_the_hub_is_told_as_what_it_is() {
    let (folder, whole) = (tempfile::tempdir().unwrap(), bytes(10));
    let statuses = [
        (404, SourceFailure::NotFound),
        (401, SourceFailure::NotAllowed { status: 401 }),
        (403, SourceFailure::NotAllowed { status: 403 }),
        (500, SourceFailure::Status { status: 500 }),
    ];
    for (status, why) in statuses {
        let hub = Hub::open(whole.clone(), vec![HubAnswer::Status(status)]).await;
        assert_eq!(pull_into(folder.path(), on_hub(&whole), &hub).await, failed(&hub, why));
    }
}

#[tokio::test]
async fn a_named_file_is_what_the_hub_says_it_is() {
    let (folder, whole) = (tempfile::tempdir().unwrap(), bytes(1000));
    let store = Hub::open(whole.clone(), vec![]).await;
    let linked = HubAnswer::Linked { elsewhere: format!("{}/blob", store.address), tag: sha256(&whole) };
    let hub = Hub::open(whole.clone(), vec![linked.clone(), linked]).await;
    let Ok(Pullable::Weights(named)) = Pullable::named("owner/repo/tiny.gguf") else { panic!("a name of the hub") };
    let name = named.name.clone();
    pull_into(folder.path(), named, &hub).await.unwrap();
    assert_eq!(fs::read(folder.path().join("weights/owner--repo--tiny.gguf")).unwrap(), whole);
    assert_eq!(name, "owner--repo--tiny");
    assert_eq!(hub.requests(), [FETCH.replace("GET", "HEAD"), FETCH.to_owned()]);
    assert_eq!(store.requests(), ["GET /blob"]);
}

#[tokio::test]
async fn a_named_file_without_a_digest_is_not_pulled() {
    let (folder, whole) = (tempfile::tempdir().unwrap(), bytes(10));
    let hub = Hub::open(whole.clone(), vec![]).await;
    let came = pull_into(folder.path(), Weights { expected: None, ..on_hub(&whole) }, &hub).await;
    assert_eq!(came, failed(&hub, SourceFailure::NoDigest));
}

#[tokio::test]
async fn without_room_nothing_is_begun() {
    let (folder, whole) = (tempfile::tempdir().unwrap(), bytes(10));
    let hub = Hub::open(whole.clone(), vec![]).await;
    let mut weights = on_hub(&whole);
    weights.expected = Some(enza_models::local::pullable::Expected { bytes: 1 << 60, ..expected(&whole) });
    let came = pull_into(folder.path(), weights, &hub).await;
    let Err(PullError::NoRoom { folder: at, needed, free }) = came else { panic!("{came:?}") };
    assert_eq!((at, needed), (folder.path().join("weights"), 1 << 60));
    assert!(free < needed);
    assert_eq!(hub.requests(), Vec::<String>::new());
}

#[tokio::test]
async fn a_disk_that_becomes_full_leaves_what_was_pulled() {
    const LIMIT: u64 = 100 * 512;
    let (folder, whole) = (tempfile::tempdir().unwrap(), bytes(120_000));
    let hub = Hub::open(whole.clone(), vec![]).await;
    // The system lets files grow to 100 blocks, as it would on a disk with so much room.
    let limited = r#"trap "" XFSZ; ulimit -f 100; exec "$@""#;
    let mut command = Command::new("/bin/sh");
    command.args(["-c", limited, "sh", env!("CARGO_BIN_EXE_tether"), "pull", &hub.address]);
    command.arg(folder.path()).args([whole.len().to_string(), sha256(&whole)]);
    let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
    let came = String::from_utf8(output.stdout).unwrap();
    let part = folder.path().join("weights/tiny.gguf.part");
    let done = fs::metadata(&part).unwrap().len();
    let full: Result<Pulled, PullError> = Err(PullError::DiskFull { path: part, done, total: 120_000 });
    assert_eq!(came.trim(), format!("{full:?}"));
    assert!(done == LIMIT || done == LIMIT * 2, "{done}: shells count blocks of 512 or of 1024 bytes");

    let model_folder = ModelFolder::new(folder.path());
    pull(&model_folder, &Pullable::Weights(on_hub(&whole)), &only(&hub), &|_| {}).await.unwrap();
    assert_eq!(hub.requests(), [FETCH.to_owned(), format!("{FETCH} from {done}")]);
    assert_eq!(fs::read(model_folder.weights("tiny")).unwrap(), whole);
}
