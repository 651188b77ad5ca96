//! The till as an application like any other: added by five lines, it is in every room of the frame.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The lines between the entry's first and its closing brace.
fn entry(text: &str) -> &str {
    let begins = text.find("fn till() -> Registered {").expect("an entry");
    let ends = text[begins..].find("\n}\n").expect("its end");
    &text[begins..begins + ends + 2]
}

/// The program that has the till and nothing else; it is built with the tests.
fn program() -> PathBuf {
    let here = std::env::current_exe().unwrap();
    here.parent().and_then(Path::parent).expect("a build folder").join("examples").join("till")
}

fn command(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.env_clear().env("LANG", "en_US.UTF-8").env("ENZA_MODEL", "understudy");
    for name in ["data", "config", "models"] {
        command.env(format!("ENZA_{}", name.to_uppercase()), folder.path().join(name));
    }
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What it prints to these lines.
fn typed(folder: &TempDir, arguments: &[&str], lines: &[&str]) -> String {
    let mut child = command(folder, arguments).spawn().unwrap_or_else(|why| panic!("{}: {why}", program().display()));
    let mut input = child.stdin.take().unwrap();
    for line in lines {
        writeln!(input, "{line}").unwrap();
    }
    drop(input);
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// A server, ended with the test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn get(address: &str, path: &str, cookie: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\nconnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_document_adds_it_by_the_five_lines_that_are_built() {
    let built = entry(include_str!("../examples/till.rs"));
    assert_eq!(built.lines().count(), 5);
    assert_eq!(entry(include_str!("../../CONTRIBUTING.md")), built);
}

#[test]
fn it_is_opened_spoken_with_and_answered_at_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let shown = typed(&folder, &["session", "open", "till"], &["hello", "pay", "no", "/close", "yes"]);
    for line in ["You: hello", "Clerk: “hello”: noted.", "pay {}", "The till was closed.", "The session has ended."]
    {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    let shown = typed(&folder, &["--lang", "ja", "session", "open", "till"], &["こんにちは"]);
    assert!(shown.contains("あなた: こんにちは") && shown.contains("店員: “こんにちは”: noted."), "{shown}");
}

#[test]
fn it_is_played_under_faults_and_listed_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let played = typed(&folder, &["--json", "simulate", "--application", "till", "--seeds", "10"], &[]);
    let played: Value = serde_json::from_str(played.trim()).unwrap_or_else(|why| panic!("{why}: {played}"));
    assert_eq!(played["violations"], Value::Array(Vec::new()), "{played}");
    typed(&folder, &["session", "open", "till"], &["hello"]);
    let listed: Value = serde_json::from_str(&typed(&folder, &["--json", "session", "list"], &[])).unwrap();
    assert_eq!(listed[0]["application"], "till");
    let session = listed[0]["id"].as_str().unwrap();
    typed(&folder, &["session", "replay", session], &[]);
}

#[test]
fn it_is_begun_from_the_first_page_of_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = command(&folder, &["--json", "serve", "--listen", "127.0.0.1:0"]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let _served = Served(child);
    let announced: Value = serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why}: {line:?}"));
    let address = announced["listening"].as_str().unwrap();
    let link = announced["link"].as_str().unwrap();
    let path = link.split_once(address).map_or(link, |(_, path)| path);
    let entered = get(address, path, "");
    let cookie = entered.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
    let page = get(address, "/", cookie.split(';').next().unwrap());
    assert!(page.contains("Open the till") || page.contains("レジを開ける"), "{page}");
}
