//! A provider on this machine that answers by script: OpenAI's streaming dialect, over a raw socket.
//!
//! What was asked is kept whole, headers included, so that tests can say who was asked what and with which key. One
//! request per connection. The socket is closed when the provider is dropped: then nobody is there any more.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

use serde_json::{Value, json};

use crate::house::House;

/// The variable that holds the key of every scripted provider.
pub const KEY_VARIABLE: &str = "STAGE_KEY";
/// What every reply is said to take.
pub const INPUT: u64 = 1_000;
/// What every reply is said to have.
pub const OUTPUT: u64 = 100;

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The first line and the headers.
    pub head: Vec<String>,
    /// The body; null where there is none.
    pub body: Value,
}

/// What is answered.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A call of the tool that was asked for, with these arguments.
    Call(Value),
    /// Words alone.
    Words(String),
    /// Words, of which so many letters come at once and the rest only when it is let go.
    Held(String, usize, Latch),
    /// A status and what is said with it.
    Refusal(u16, String),
    /// A status, headers and a body, as they are.
    Plain(u16, Vec<String>, String),
}

/// The provider, while it is there.
pub struct Provider {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    is_over: Arc<AtomicBool>,
    doorman: Option<JoinHandle<()>>,
}

/// Holds something back until it is let go.
#[derive(Debug, Clone, Default)]
pub struct Latch(Arc<(Mutex<bool>, Condvar)>);

impl Latch {
    /// Lets it go.
    pub fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }

    fn wait(&self) {
        drop(self.0.1.wait_while(self.0.0.lock().unwrap(), |is_open| !*is_open).unwrap());
    }
}

impl Provider {
    /// One that answers by this script.
    pub fn by(script: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (asked, is_over) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (heard, over, script) = (Arc::clone(&asked), Arc::clone(&is_over), Arc::new(script));
        let doorman = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::SeqCst) {
                    return;
                }
                let (stream, heard, script) = (stream.unwrap(), Arc::clone(&heard), Arc::clone(&script));
                std::thread::spawn(move || serve(stream, &heard, &*script));
            }
        });
        Self { address, asked, is_over, doorman: Some(doorman) }
    }

    /// One that plays an interview well: it asks, and passes every answer as it was given.
    pub fn of_interviews() -> Self {
        Self::by(plays_well)
    }

    /// Makes it known in a house, under this name. It wants a key.
    pub fn moves_into(&self, house: &House, name: &str) {
        register(house, name, &self.base_url());
    }

    /// Its address, up to and including the version.
    fn base_url(&self) -> String {
        format!("{}/v1", self.origin())
    }

    /// Its address alone.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The tools it was asked to call so far.
    pub fn tools(&self) -> Vec<String> {
        self.asked().iter().map(|asked| asked.tool().to_owned()).collect()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // Wakes the doorman, who then sees that it is over.
        let _ = TcpStream::connect(self.address);
        if let Some(doorman) = self.doorman.take() {
            let _ = doorman.join();
        }
    }
}

impl Asked {
    /// The tool that it has to call.
    pub fn tool(&self) -> &str {
        self.body["tools"][0]["function"]["name"].as_str().unwrap_or_default()
    }

    /// The key it was asked with.
    pub fn key(&self) -> Option<&str> {
        self.head.iter().find_map(|line| line.strip_prefix("authorization: Bearer "))
    }

    /// The respondent's last answer, as a reviewer is shown it.
    fn answer(&self) -> String {
        let texts = self.body["messages"].as_array().unwrap().iter().filter_map(|one| one["content"].as_str());
        let lines = texts.flat_map(str::lines).filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.filter_map(|line| Some(line.get("answer")?.as_str()?.to_owned())).next_back().unwrap_or_default()
    }
}

/// Makes a provider known in a house, wherever it is.
pub fn register(house: &House, name: &str, base_url: &str) {
    let text = format!(
        "name = \"{name}\"\ntitle = \"The {name}\"\ndialect = \"openai\"\nbase_url = \"{base_url}\"\n\
         key_variable = \"{KEY_VARIABLE}\"\nneeds_key = true\nhint = \"Keys are at the stage door.\"\n"
    );
    house.file(&format!("config/providers/{name}.toml"), &text);
}

/// Plays an interview well.
pub fn plays_well(asked: &Asked) -> Answer {
    match asked.tool() {
        "ask" => Answer::Call(json!({ "question": "Would you tell me?" })),
        "review" => Answer::Call(json!({ "passed": true, "field_value": asked.answer() })),
        other => Answer::Refusal(500, format!("the script has no tool {other:?}")),
    }
}

fn serve(mut stream: TcpStream, heard: &Mutex<Vec<Asked>>, script: &(dyn Fn(&Asked) -> Answer + Send + Sync)) {
    let Some(asked) = hear(&stream) else { return };
    let answer = script(&asked);
    let written = written(&asked, &answer);
    heard.lock().unwrap().push(asked);
    if let Answer::Held(_, letters, latch) = &answer {
        // An event for every few letters.
        let end = written.match_indices("data: ").nth(letters.div_ceil(FEW)).map_or(written.len(), |(place, _)| place);
        let _ = stream.write_all(&written.as_bytes()[..end]).and_then(|()| stream.flush());
        latch.wait();
        let _ = stream.write_all(&written.as_bytes()[end..]);
        return;
    }
    // Whoever asked may have been killed meanwhile.
    let _ = stream.write_all(written.as_bytes());
}

fn hear(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|count| *count > 0)?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        head.push(line.to_owned());
    }
    let length = head.iter().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Asked { head, body: serde_json::from_slice(&body).unwrap_or(Value::Null) })
}

fn written(asked: &Asked, answer: &Answer) -> String {
    let (deltas, end): (Vec<Value>, _) = match answer {
        Answer::Call(arguments) => {
            let begins = json!({ "index": 0, "id": "call-1", "function": { "name": asked.tool(), "arguments": "" } });
            let grows = |piece| json!({ "index": 0, "function": { "arguments": piece } });
            let calls = std::iter::once(begins).chain(pieces(&arguments.to_string()).into_iter().map(grows));
            (calls.map(|call| json!({ "tool_calls": [call] })).collect(), "tool_calls")
        }
        Answer::Words(text) | Answer::Held(text, ..) => {
            (pieces(text).into_iter().map(|piece| json!({ "content": piece })).collect(), "stop")
        }
        Answer::Refusal(status, message) => {
            let body = json!({ "error": { "message": message } }).to_string();
            let length = body.len();
            return format!("HTTP/1.1 {status} No\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
        }
        Answer::Plain(status, headers, body) => {
            let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
            return format!("HTTP/1.1 {status} So\r\n{headers}connection: close\r\n\r\n{body}");
        }
    };
    let usage = json!({ "prompt_tokens": INPUT, "completion_tokens": OUTPUT, "total_tokens": INPUT + OUTPUT });
    let deltas = deltas.into_iter().map(|delta| json!({ "choices": [{ "index": 0, "delta": delta }] }));
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": end }] });
    let events = deltas.chain([end, json!({ "choices": [], "usage": usage })]);
    let events: String = events.map(|event| format!("data: {event}\n\n")).collect();
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{events}data: [DONE]\n\n")
}

/// How many letters come at a time.
const FEW: usize = 7;

/// A text as a model writes it: a few letters at a time.
fn pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(FEW).map(|piece| piece.iter().collect()).collect()
}
