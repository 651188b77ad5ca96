//! A server that does what the script says and nothing else: a raw socket, so that it can be as rude as real ones.
//!
//! Each connection plays the next scene. What was asked is kept, so that requests can be compared whole.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// What happens on one connection, after the request was read.
pub type Scene = Vec<Act>;

/// A thing the server does.
#[derive(Debug, Clone)]
pub enum Act {
    /// Sends these bytes at once.
    Send(Vec<u8>),
    /// Sends these bytes again and again until nobody listens.
    Forever(Vec<u8>),
    /// Says nothing more, and waits until the other side hangs up.
    Stall,
}

/// The server, while it runs.
pub struct Rude {
    /// Its address, with the version, as a provider's file has it.
    pub base_url: String,
    asked: Arc<Mutex<Vec<ReceivedRequest>>>,
    hung_up: mpsc::UnboundedReceiver<()>,
}

/// A request as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedRequest {
    /// The first line and the headers, in small letters.
    pub head: String,
    pub body: Value,
}

impl Rude {
    /// Starts one that plays these scenes.
    pub async fn plays(scenes: Vec<Scene>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (tell, hung_up) = mpsc::unbounded_channel();
        let heard = asked.clone();
        tokio::spawn(async move {
            for scene in scenes {
                let (mut stream, _) = listener.accept().await.unwrap();
                let request = hear(&mut stream).await;
                heard.lock().unwrap().push(request);
                if play(&mut stream, scene).await.is_err() {
                    let _ = tell.send(());
                }
            }
        });
        Self { base_url, asked, hung_up }
    }

    /// What was asked so far.
    pub fn asked(&self) -> Vec<ReceivedRequest> {
        self.asked.lock().unwrap().clone()
    }

    /// The bodies of what was asked so far.
    pub fn bodies(&self) -> Vec<Value> {
        self.asked().into_iter().map(|asked| asked.body).collect()
    }

    /// Waits until someone hangs up in the middle of a scene.
    pub async fn hang_up(&mut self) {
        self.hung_up.recv().await.expect("the script ended before anyone hung up");
    }
}

async fn hear(stream: &mut TcpStream) -> ReceivedRequest {
    let mut bytes = Vec::new();
    loop {
        let mut more = [0; 4096];
        let count = stream.read(&mut more).await.unwrap();
        assert!(count > 0, "the client hung up before it had asked");
        bytes.extend(&more[..count]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let head = head.to_lowercase();
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().parse::<usize>().unwrap();
        if body.len() >= length {
            return ReceivedRequest { body: serde_json::from_str(body).unwrap(), head };
        }
    }
}

async fn play(stream: &mut TcpStream, scene: Scene) -> std::io::Result<()> {
    for act in scene {
        match act {
            Act::Send(bytes) => stream.write_all(&bytes).await?,
            Act::Forever(bytes) => loop {
                stream.write_all(&bytes).await?;
            },
            Act::Stall => {
                let mut nothing = [0; 1];
                // Nothing read, or an error: the other side is gone.
                let _ = stream.read(&mut nothing).await;
                return Err(std::io::ErrorKind::ConnectionAborted.into());
            }
        }
        stream.flush().await?;
    }
    stream.shutdown().await
}

/// The head of an answer that is a stream.
pub fn stream_head() -> Act {
    send("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
}

/// Text to send at once.
pub fn send(text: &str) -> Act {
    Act::Send(text.as_bytes().to_vec())
}

/// A whole answer that is no stream.
pub fn answer(status: &str, headers: &str, body: &str) -> Scene {
    let length = body.len();
    vec![send(&format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    ))]
}

/// A stream of these frames, each in a write of its own.
pub fn stream(frames: &[String]) -> Scene {
    std::iter::once(stream_head()).chain(frames.iter().map(|frame| send(frame))).collect()
}
