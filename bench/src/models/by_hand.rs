//! A plain request: what someone writes who wants a reply and nothing else.
//!
//! The same HTTP client as Enza's, the stream read event by event up to `[DONE]`. Nothing is written down, tried again,
//! limited or counted. The answer is left at `[DONE]`, as Enza leaves it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::script::{LINES, body};
use super::{Exchange, ReplyStats, TurnTime, plain_client};

/// A conversation by hand.
pub struct ByHand {
    client: reqwest::Client,
    url: String,
    thread: Vec<Value>,
    turn: usize,
}

impl ByHand {
    /// A conversation with the server at this address. It keeps so many idle connections: none for llama.cpp, which
    /// promises to keep one but closes it after a stream, so that the next request may be sent into a dead one.
    pub fn new(base_url: &str, idle: usize) -> Self {
        Self { client: plain_client(idle), url: format!("{base_url}/chat/completions"), thread: Vec::new(), turn: 0 }
    }

    /// Begins the conversation anew, on the same connection.
    pub fn begin(&mut self) {
        self.thread.clear();
        self.turn = 0;
    }

    /// The next turn. Keeps the request and the answer's bytes.
    pub async fn turn(&mut self) -> (TurnTime, ReplyStats, Exchange) {
        self.turn += 1;
        let began = Instant::now();
        let request = body(&self.thread, self.turn);
        let sent = self.client.post(&self.url).json(&request).send().await;
        let mut response = sent.and_then(reqwest::Response::error_for_status).expect("an answer");
        let mut reading = Reading::new(began);
        while !reading.done {
            let bytes = response.chunk().await.expect("the rest of the answer");
            reading.take(&bytes.expect("a stream ends with [DONE]"));
        }
        drop(response);
        let whole = began.elapsed();
        self.thread.push(json!({ "role": "user", "content": LINES[self.turn - 1] }));
        self.thread.push(json!({ "role": "assistant", "content": reading.text }));
        let (input, cached) = reading.counts.expect("llama.cpp counts tokens in `timings`");
        let took = TurnTime { first: reading.first.expect("a first word"), whole };
        let response = String::from_utf8(reading.bytes).expect("text");
        (took, ReplyStats { text: reading.text, input, cached }, Exchange { request, response })
    }
}

/// An answer, as far as it has come.
struct Reading {
    began: Instant,
    first: Option<Duration>,
    bytes: Vec<u8>,
    /// How many bytes have been looked at: whole lines.
    read: usize,
    text: String,
    counts: Option<(u64, u64)>,
    done: bool,
}

impl Reading {
    fn new(began: Instant) -> Self {
        Self { began, first: None, bytes: Vec::new(), read: 0, text: String::new(), counts: None, done: false }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        while let Some(length) = self.bytes[self.read..].iter().position(|byte| *byte == b'\n') {
            let line = self.bytes[self.read..self.read + length].to_vec();
            self.read += length + 1;
            match line.strip_prefix(b"data: ") {
                Some(b"[DONE]") => self.done = true,
                Some(data) => self.event(&serde_json::from_slice(data).expect("JSON")),
                None => {}
            }
        }
    }

    fn event(&mut self, event: &Value) {
        if let Some(words) = event["choices"][0]["delta"]["content"].as_str().filter(|words| !words.is_empty()) {
            self.first.get_or_insert_with(|| self.began.elapsed());
            self.text += words;
        }
        let timings = &event["timings"];
        if let (Some(read), Some(cached)) = (timings["prompt_n"].as_u64(), timings["cache_n"].as_u64()) {
            self.counts = Some((read + cached, cached));
        }
    }
}
