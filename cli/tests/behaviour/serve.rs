//! `enza serve` and `enza account link`: the real binary, spoken to over a socket.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::house::House;

/// A running server; killed when the test ends.
pub struct Server {
    child: Child,
    announced: Value,
}

impl Server {
    /// Starts one in a house.
    pub fn start(house: &House, options: &[&str]) -> Self {
        Self::started(house.command(&[&["--json", "serve", "--listen", "127.0.0.1:0"], options].concat()))
    }

    fn started(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let announced = serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why}: {line:?}"));
        Self { child, announced }
    }

    /// Where it listens.
    pub fn address(&self) -> &str {
        self.announced["listening"].as_str().unwrap()
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The path of the link that was printed.
    pub fn link(&self) -> String {
        path_of(self.announced["link"].as_str().unwrap())
    }

    /// Asks for a page; the status, the headers and the body as they came.
    pub fn get(&self, path: &str, cookie: &str) -> (u16, String) {
        let host = self.address();
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\nconnection: close\r\n\r\n"))
    }

    /// Sends JSON; the status, and what came back as JSON.
    pub fn post(&self, path: &str, cookie: &str, body: &Value) -> (u16, Value) {
        self.post_with("", path, cookie, body)
    }

    /// The same under an idempotency key.
    fn post_once(&self, key: &str, path: &str, cookie: &str, body: &Value) -> (u16, Value) {
        self.post_with(&format!("idempotency-key: {key}\r\n"), path, cookie, body)
    }

    fn post_with(&self, header: &str, path: &str, cookie: &str, body: &Value) -> (u16, Value) {
        let (host, body) = (self.address(), body.to_string());
        let about =
            format!("{header}content-type: application/json\r\ncontent-length: {}\r\nconnection: close", body.len());
        let head =
            format!("POST {path} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncookie: {cookie}\r\n{about}");
        let (status, answer) = self.send(&format!("{head}\r\naccept-language: en\r\n\r\n{body}"));
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        (status, serde_json::from_str(body).unwrap_or_else(|why| panic!("{why}: {answer}")))
    }

    fn send(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer)
    }

    /// Follows a link; the cookie it gives.
    pub fn enter(&self, path: &str) -> String {
        let (status, answer) = self.get(path, "");
        assert_eq!(status, 303, "{answer}");
        let set = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
        set.split(';').next().unwrap().to_owned()
    }

    /// Asks it to stop and waits; its exit status.
    fn stop(mut self) -> Option<i32> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn path_of(address: &str) -> String {
    let (_, rest) = address.split_once("://").unwrap();
    rest[rest.find('/').unwrap()..].to_owned()
}

#[test]
fn the_printed_link_signs_in_and_shows_what_was_done_at_the_terminal() {
    let house = House::new();
    let session = house.finished_interview();
    let server = Server::start(&house, &[]);
    assert_eq!(server.get("/ready", "").0, 200);
    let (status, page) = server.get(&format!("/sessions/{session}"), "");
    assert_eq!(status, 401, "{page}");
    let cookie = server.enter(&server.link());
    let (status, page) = server.get(&format!("/sessions/{session}"), &cookie);
    assert_eq!(status, 200, "{page}");
    assert!(page.contains("The lamp flickers since Monday"), "{page}");
    let (status, spent) = server.get(&server.link(), "");
    assert_eq!(status, 410, "{spent}");
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn who_was_signed_in_stays_so_after_a_restart_and_a_link_made_meanwhile_counts() {
    let house = House::new();
    let first = Server::start(&house, &[]);
    let cookie = first.enter(&first.link());
    let link = house.json(&["account", "link", "--public", "http://127.0.0.1:7"])["link"].as_str().unwrap().to_owned();
    assert!(link.starts_with("http://127.0.0.1:7/enter?link="), "{link}");
    let another = first.enter(&path_of(&link));
    assert_ne!(cookie, another);
    assert_eq!(first.stop(), Some(0));
    let second = Server::start(&house, &[]);
    assert_eq!(second.get("/settings", &cookie).0, 200);
    assert_eq!(second.get("/settings", &another).0, 200);
    assert_eq!(second.get("/settings", "enza=made-up").0, 401);
}

#[test]
fn with_accounts_the_first_link_registers_and_none_is_printed_for_strangers_names() {
    let house = House::new();
    let server = Server::start(&house, &["--accounts"]);
    let (status, answer) = server.get(&server.link(), "");
    assert_eq!(status, 303, "{answer}");
    let place = answer.lines().find_map(|line| line.strip_prefix("location: ")).unwrap();
    let (status, page) = server.get(place, "");
    assert_eq!(status, 200, "{page}");
    assert!(page.contains("name=\"password\""), "{page}");
    let run = house.enza(&["account", "link", "nobody"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("There is nobody named \"nobody\""), "{}", run.err);
}

#[test]
fn what_cannot_be_served_is_told() {
    let house = House::new();
    let open = house.enza(&["serve", "--listen", "0.0.0.0:0"]);
    assert_eq!(open.status, 3, "{open:?}");
    assert!(open.err.contains("--accounts") && open.err.contains("accounts-needed"), "{}", open.err);
    let server = Server::start(&house, &[]);
    let taken = house.enza(&["serve", "--listen", server.address()]);
    assert_eq!(taken.status, 1, "{taken:?}");
    assert!(taken.err.contains("address-unusable"), "{}", taken.err);
    for wrong in [["--public", "enza.example"], ["--log-level", "loud"], ["--log-level", "info,enza_runtime=loud"]] {
        let run = house.enza(&[&["serve", "--listen", "127.0.0.1:0"], &wrong[..]].concat());
        assert_eq!(run.status, 2, "{run:?}");
    }
}

#[test]
fn log_lines_are_json_where_asked_for_and_carry_no_secret() {
    let house = House::new();
    let log = house.file("log", "");
    let file = std::fs::File::create(&log).unwrap();
    let options = ["--json", "serve", "--listen", "127.0.0.1:0", "--log", "json", "--log-level", "info"];
    let mut child = house.command(&options).stdout(Stdio::piped()).stderr(file).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let server = Server { child, announced: serde_json::from_str(&line).unwrap() };
    let link = server.link();
    server.enter(&link);
    assert_eq!(server.stop(), Some(0));
    let text = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().any(|line| line["span"]["http.route"] == "/enter"), "{text}");
    let secret = link.split_once("link=").unwrap().1;
    assert!(!text.contains(secret), "{text}");
}

/// What is left of a request whose server was killed: one that had done its work and had not kept its answer, and one that
/// had only begun.
#[test]
fn a_request_that_was_cut_off_by_a_kill_is_answered_at_once_and_once_after_the_restart() {
    let house = House::new();
    let first = Server::start(&house, &[]);
    let cookie = first.enter(&first.link());
    let new = json!({ "application": "interview", "opening": "sample" });
    let (status, made) = first.post_once("done", "/api/sessions", &cookie, &new);
    assert_eq!(status, 201, "{made}");
    let badge = format!("worker-{}-", first.id());
    // Dropped is killed, as by the system: nothing is put in order.
    drop(first);
    let badges = std::fs::read_dir(house.data().join("workers")).unwrap().flatten();
    let mut badges =
        badges.map(|entry| entry.file_name().into_string().unwrap()).filter(|name| name.starts_with(&badge));
    let worker = badges.next().expect("the badge of the dead");
    let database = Connection::open(house.data().join("enza.db")).unwrap();
    let cut_off = "UPDATE answers SET status = 0, body = ?1 WHERE key = 'done'";
    assert_eq!(database.execute(cut_off, [worker.as_bytes()]).unwrap(), 1);
    let begun = "INSERT INTO answers (person, key, digest, at, status, body) \
                 SELECT person, 'begun', digest, at, 0, body FROM answers WHERE key = 'done'";
    assert_eq!(database.execute(begun, []).unwrap(), 1);
    drop(database);

    let second = Server::start(&house, &[]);
    let (status, again) = second.post_once("done", "/api/sessions", &cookie, &new);
    assert_eq!((status, &again["id"]), (201, &made["id"]), "the same session, at once: {again}");
    let (status, other) = second.post_once("begun", "/api/sessions", &cookie, &new);
    assert_eq!(status, 201, "{other}");
    assert_eq!(second.post_once("begun", "/api/sessions", &cookie, &new), (201, other.clone()));
    let listed = house.json(&["session", "list"]);
    let mut sessions: Vec<_> = listed.as_array().unwrap().iter().map(|row| row["id"].clone()).collect();
    sessions.sort_by_key(Value::to_string);
    let mut expected = [made["id"].clone(), other["id"].clone()];
    expected.sort_by_key(Value::to_string);
    assert_eq!(sessions, expected, "each was opened once");
}
