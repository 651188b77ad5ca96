//! A server that answers at once with what a real one said.
//!
//! It lives in this process, on threads of its own that only block, so that it never waits for the side it is asked
//! by. Which answer is wanted it knows by the number of messages in the request. The last request is kept, so that
//! one can see what the other side really sent.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::Exchange;

/// A running canned server. It ends with the process.
pub struct Canned {
    base_url: String,
    answers: Arc<Answers>,
}

struct Answers {
    /// By turn, with its headers, ready to be sent.
    ready: Vec<Vec<u8>>,
    last_request: Mutex<Vec<u8>>,
}

/// As much of a request as tells which turn it is.
#[derive(Deserialize)]
struct Asked {
    messages: Vec<IgnoredAny>,
}

impl Canned {
    /// A server with these answers.
    pub fn start(exchanges: &[Exchange]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let base_url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let ready = exchanges.iter().map(|exchange| on_the_wire(&exchange.response)).collect();
        let answers = Arc::new(Answers { ready, last_request: Mutex::default() });
        let serving = answers.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let answers = serving.clone();
                std::thread::spawn(move || answers.serve(&stream));
            }
        });
        Self { base_url, answers }
    }

    /// Where it is, as clients want to know it.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The last request that came.
    pub fn last_request(&self) -> Value {
        serde_json::from_slice(&self.answers.last_request.lock().expect("the last request")).expect("JSON")
    }
}

impl Answers {
    /// Answers one connection's requests until it is closed.
    fn serve(&self, stream: &TcpStream) {
        stream.set_nodelay(true).expect("a plain socket");
        let (mut from, mut to) = (BufReader::new(stream), stream);
        while let Some(request) = next_request(&mut from) {
            let asked: Asked = serde_json::from_slice(&request).expect("a request for a chat completion");
            // A system message, then two for every turn before this one, then this turn's.
            let turn = asked.messages.len() / 2;
            *self.last_request.lock().expect("the last request") = request;
            if to.write_all(&self.ready[turn - 1]).is_err() {
                return;
            }
        }
    }
}

/// The body of the next request, or none where the connection was closed.
fn next_request(from: &mut BufReader<&TcpStream>) -> Option<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    Some(body)
}

/// An answer as llama.cpp sends it, each event a chunk of its own.
fn on_the_wire(response: &str) -> Vec<u8> {
    let mut bytes =
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    for event in response.split_inclusive("\n\n") {
        bytes.extend(format!("{:x}\r\n{event}\r\n", event.len()).into_bytes());
    }
    bytes.extend(b"0\r\n\r\n");
    bytes
}
