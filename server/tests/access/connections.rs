//! Connections: nobody keeps the others out by holding them.

use std::net::SocketAddr;
use std::time::Duration;

use enza_server::Connections;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::common::TestServer;

/// Longer than anything here takes unless it takes for ever.
const EVER: Duration = Duration::from_secs(30);

/// A house that is soon impatient and soon full.
async fn served(limits: Connections) -> (TestServer, SocketAddr) {
    let stage = TestServer::new().rebuilt(|setup| setup.connections = limits);
    let address = stage.listen().await;
    (stage, address)
}

fn impatient() -> Connections {
    Connections { silence: Duration::from_millis(300), ..Connections::default() }
}

async fn connect(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).await.expect("somebody listens")
}

/// Sends a request, and reads the answer up to the end of its body, which has to say how long it is.
async fn ask(stream: &mut TcpStream, path: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut read = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if length.is_some_and(|length| body.len() >= length.parse().expect("a number")) {
                return text;
            }
        }
        let count = timeout(EVER, stream.read_buf(&mut read)).await.expect("in time").expect("read");
        assert_ne!(count, 0, "the answer was cut off: {text}");
    }
}

/// Reads until the other side ends it.
async fn read_to_the_end(stream: &mut TcpStream) -> String {
    let mut read = Vec::new();
    timeout(EVER, stream.read_to_end(&mut read)).await.expect("it ends").expect("read");
    String::from_utf8_lossy(&read).into_owned()
}

#[tokio::test]
async fn a_head_that_is_never_finished_ends_its_connection() {
    let (_stage, address) = served(impatient()).await;
    let mut halves = Vec::new();
    for _ in 0..20 {
        let mut stream = connect(address).await;
        stream.write_all(b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ").await.expect("sent");
        halves.push(stream);
    }
    let mut silent = connect(address).await;
    for mut half in halves {
        read_to_the_end(&mut half).await;
    }
    assert_eq!(read_to_the_end(&mut silent).await, "", "whoever says nothing at all goes, too");
}

#[tokio::test]
async fn a_connection_is_used_again_and_ends_when_nothing_more_comes() {
    let (_stage, address) = served(impatient()).await;
    let mut stream = connect(address).await;
    for _ in 0..3 {
        assert!(ask(&mut stream, "/health").await.ends_with("ok\n"));
    }
    assert_eq!(read_to_the_end(&mut stream).await, "");
}

#[tokio::test]
async fn a_live_stream_is_no_silence() {
    let (stage, address) = served(impatient()).await;
    stage.person("ada", false).await;
    let token = stage.token("ada", &["read"]).await;
    let id = stage.interview("ada").await;
    let mut stream = connect(address).await;
    let head = stage.app.engine().row(&id).await.expect("it is there").head;
    let request = format!(
        "GET /api/sessions/{id}/live?after={head} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut read = Vec::new();
    while !String::from_utf8_lossy(&read).contains("retry: 1000") {
        assert_ne!(stream.read_buf(&mut read).await.expect("read"), 0, "it was cut off");
    }
    // Several times as long as a connection may be silent between two requests.
    let more = timeout(Duration::from_millis(1_200), stream.read_buf(&mut read)).await;
    assert!(more.is_err(), "it ended, or said something unasked: {}", String::from_utf8_lossy(&read));
}

#[tokio::test]
async fn beyond_the_most_connections_health_still_answers_and_the_rest_is_told_to_come_back() {
    let few = Connections { in_all: 8, per_address: 6, ..Connections::default() };
    let (_stage, address) = served(few).await;
    let mut held = Vec::new();
    for _ in 0..6 {
        let mut stream = connect(address).await;
        ask(&mut stream, "/health").await;
        held.push(stream);
    }
    // Many more who say nothing: they are in the room for checks, and make room for who comes after them.
    let mut pushing = Vec::new();
    for _ in 0..40 {
        pushing.push(connect(address).await);
    }
    for path in ["/health", "/ready"] {
        let mut stream = connect(address).await;
        let answer = ask(&mut stream, path).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert_eq!(read_to_the_end(&mut stream).await, "", "and the connection is not kept");
    }
    for path in ["/api/account", "/sign-in"] {
        let answer = ask(&mut connect(address).await, path).await;
        assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
        assert!(answer.contains("retry-after: 1\r\n"), "{answer}");
    }
    let told = ask(&mut connect(address).await, "/api/account").await;
    assert!(told.contains(r#""code":"server-busy""#), "{told}");
    // Those who were there are served as before, and when one goes there is room again.
    assert!(ask(&mut held[0], "/api/account").await.starts_with("HTTP/1.1 401"));
    drop(held.pop());
    let freed = async {
        while !ask(&mut connect(address).await, "/api/account").await.starts_with("HTTP/1.1 401") {
            tokio::task::yield_now().await;
        }
    };
    timeout(EVER, freed).await.expect("there is room again");
}
