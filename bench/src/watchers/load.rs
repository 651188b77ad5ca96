//! As many requests as a server answers, on a few connections that stay open.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Connections at once.
const CONNECTIONS: usize = 16;

/// The body of one answer.
pub async fn once(address: &str, path: &str, token: &str) -> Vec<u8> {
    let mut line = Connection::open(address, path, token).await;
    line.ask().await;
    line.body.clone()
}

/// Requests a second, over a span.
pub async fn press(address: &str, path: &str, token: &str, span: Duration) -> f64 {
    let mut lines = JoinSet::new();
    let began = Instant::now();
    for _ in 0..CONNECTIONS {
        let mut line = Connection::open(address, path, token).await;
        lines.spawn(async move {
            let mut count = 0_u64;
            while began.elapsed() < span {
                line.ask().await;
                count += 1;
            }
            count
        });
    }
    let counts = lines.join_all().await;
    counts.iter().sum::<u64>() as f64 / began.elapsed().as_secs_f64()
}

/// A connection that asks the same again and again.
struct Connection {
    stream: TcpStream,
    request: Vec<u8>,
    read: Vec<u8>,
    body: Vec<u8>,
}

impl Connection {
    async fn open(address: &str, path: &str, token: &str) -> Self {
        let stream = TcpStream::connect(address).await.expect("a connection");
        stream.set_nodelay(true).expect("a plain connection");
        let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\r\n");
        Self { stream, request: request.into_bytes(), read: Vec::new(), body: Vec::new() }
    }

    async fn ask(&mut self) {
        self.stream.write_all(&self.request).await.expect("sent");
        self.read.clear();
        loop {
            assert!(self.stream.read_buf(&mut self.read).await.expect("an answer") > 0, "the connection was closed");
            let Some(head) = self.read.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
            let text = std::str::from_utf8(&self.read[..head]).expect("a head of text");
            assert!(text.starts_with("HTTP/1.1 200"), "{text}");
            let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
            let body = head + 4..head + 4 + length.parse::<usize>().expect("a number");
            if self.read.len() >= body.end {
                self.body.clear();
                self.body.extend_from_slice(&self.read[body]);
                return;
            }
        }
    }
}
