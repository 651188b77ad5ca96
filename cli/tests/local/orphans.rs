//! No server outlives whoever started it, however that ends.

use std::process::{Child, Command, Stdio};

use crate::house::{House, Run};
use crate::local::fixture;

/// An interview that has just started its server.
fn begun(house: &House) -> Child {
    let mut command = house.command(&["--model", "local/small", "interview", "run"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    assert!(fixture::until_servers(house, 1), "the server never came");
    assert_eq!(child.try_wait().unwrap(), None, "it is still at work");
    child
}

#[test]
fn a_killed_process_takes_its_server_with_it() {
    let house = fixture::house();
    let mut child = begun(&house);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(fixture::until_servers(&house, 0), "an orphan: {:?}", fixture::servers(&house));
}

#[test]
fn an_interrupted_process_ends_its_server_and_says_how_to_go_on() {
    let house = fixture::house();
    let child = begun(&house);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    let run = Run {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    run.failed(130, "interrupted", "Continue with: enza interview run --session");
    assert!(fixture::until_servers(&house, 0), "an orphan: {:?}", fixture::servers(&house));
}

#[test]
fn a_terminated_process_takes_its_server_with_it() {
    let house = fixture::house();
    let mut child = begun(&house);
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    child.wait().unwrap();
    assert!(fixture::until_servers(&house, 0), "an orphan: {:?}", fixture::servers(&house));
}
