//! The wire to an editor: JSON-RPC 2.0, one message on each line, in at standard input and out at standard output.
//!
//! Nothing but messages is ever written there. Whatever comes in that is no message is answered with an error and
//! forgotten; the connection lives on until the editor closes it. What a message means is not known here.

use std::collections::HashMap;
use std::io::{BufRead as _, Read as _, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread::JoinHandle;

use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

/// The longest line that is read, in bytes.
const LONGEST: u64 = 32 << 20;

/// No JSON.
pub const NO_JSON: i32 = -32700;
/// No message.
pub const NO_MESSAGE: i32 = -32600;
/// No such method.
pub const NO_METHOD: i32 = -32601;
/// Parameters that do not fit.
pub const UNFIT: i32 = -32602;
/// Something broke here.
pub const BROKEN: i32 = -32603;
/// No such thing.
pub const NOT_FOUND: i32 = -32002;

/// Why a request was not answered as it should be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fault {
    pub code: i32,
    pub message: String,
    /// Our own code and the next step.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub data: Value,
}

/// What came in.
#[derive(Debug, PartialEq)]
pub enum Incoming {
    /// The editor wants an answer.
    Request { id: Value, method: String, params: Value },
    /// The editor tells something.
    Notification { method: String, params: Value },
    /// The editor answers.
    Response {
        /// What we asked under this number.
        id: u64,
        outcome: Result<Value, Fault>,
    },
    /// It is no message.
    Nonsense {
        /// What it called itself, if anything.
        id: Value,
        fault: Fault,
    },
}

/// The outgoing side, and what we still wait for.
pub struct Wire {
    out: Mutex<Option<mpsc::Sender<String>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    waiting: Mutex<HashMap<u64, oneshot::Sender<Result<Value, Fault>>>>,
    asked: AtomicU64,
}

impl Wire {
    /// Opens both sides. The receiver ends when the editor closes its side.
    pub fn open() -> (Self, UnboundedReceiver<Incoming>) {
        let (out, lines) = mpsc::channel::<String>();
        // A thread of its own, so that an editor that does not read holds up nobody else.
        let writer = std::thread::spawn(move || {
            let mut stdout = std::io::stdout().lock();
            for line in lines {
                if stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush()).is_err() {
                    return;
                }
            }
        });
        let (came, coming) = unbounded_channel();
        std::thread::spawn(move || listen(&came));
        let wire = Self {
            out: Mutex::new(Some(out)),
            writer: Mutex::new(Some(writer)),
            waiting: Mutex::default(),
            asked: AtomicU64::new(0),
        };
        (wire, coming)
    }

    /// Tells the editor something.
    pub fn notify(&self, method: &str, params: &impl Serialize) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Answers a request.
    pub fn answer(&self, id: &Value, outcome: Result<Value, Fault>) {
        self.send(match outcome {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(fault) => json!({ "jsonrpc": "2.0", "id": id, "error": fault }),
        });
    }

    /// Asks the editor something.
    pub fn ask(&self, method: &str, params: &impl Serialize) -> oneshot::Receiver<Result<Value, Fault>> {
        let id = self.asked.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        self.waiting.lock().expect("waiting").insert(id, answer);
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        answered
    }

    /// Hands an answer to whoever waits for it. One that nobody waits for any more is forgotten.
    pub fn answered(&self, id: u64, outcome: Result<Value, Fault>) {
        if let Some(answer) = self.waiting.lock().expect("waiting").remove(&id) {
            let _ = answer.send(outcome);
        }
    }

    /// Writes out what is left.
    pub fn close(&self) {
        self.out.lock().expect("out").take();
        if let Some(writer) = self.writer.lock().expect("writer").take() {
            let _ = writer.join();
        }
    }

    fn send(&self, message: Value) {
        if let Some(out) = &*self.out.lock().expect("out") {
            // Where the editor is gone, there is nobody to tell.
            let _ = out.send(format!("{message}\n"));
        }
    }
}

/// Reads lines until there are no more.
fn listen(came: &UnboundedSender<Incoming>) {
    let mut stdin = std::io::stdin().lock();
    loop {
        let mut line = Vec::new();
        match stdin.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.iter().all(u8::is_ascii_whitespace) => continue,
            Ok(_) => {}
        }
        if came.send(read(&line)).is_err() {
            return;
        }
    }
}

/// What a line means.
pub fn read(line: &[u8]) -> Incoming {
    let nonsense =
        |id: Value, code, message: String| Incoming::Nonsense { id, fault: Fault { code, message, data: Value::Null } };
    let mut message: Value = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(why) => return nonsense(Value::Null, NO_JSON, why.to_string()),
    };
    let Some(object) = message.as_object_mut() else {
        return nonsense(Value::Null, NO_MESSAGE, "A message is one JSON object.".to_owned());
    };
    let id = object.remove("id");
    let params = object.remove("params").unwrap_or_else(|| json!({}));
    match (object.remove("method"), id) {
        (Some(Value::String(method)), Some(id)) => Incoming::Request { id, method, params },
        (Some(Value::String(method)), None) => Incoming::Notification { method, params },
        (None, Some(id)) if object.contains_key("result") || object.contains_key("error") => match id.as_u64() {
            Some(id) => Incoming::Response { id, outcome: outcome(object) },
            None => nonsense(Value::Null, NO_MESSAGE, "Nobody asked that.".to_owned()),
        },
        (_, id) => nonsense(id.unwrap_or_default(), NO_MESSAGE, "A message has a method, or answers one.".to_owned()),
    }
}

fn outcome(message: &mut serde_json::Map<String, Value>) -> Result<Value, Fault> {
    match message.remove("error") {
        Some(error) => Err(Fault {
            code: error["code"].as_i64().and_then(|code| i32::try_from(code).ok()).unwrap_or(BROKEN),
            message: error["message"].as_str().unwrap_or_default().to_owned(),
            data: error["data"].clone(),
        }),
        None => Ok(message.remove("result").unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        let request = Incoming::Request { id: json!("a"), method: "m".to_owned(), params: json!({"x": 1}) };
        assert_eq!(read(br#"{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}}"#), request);
        let told = Incoming::Notification { method: "m".to_owned(), params: json!({}) };
        assert_eq!(read(br#"{"jsonrpc":"2.0","method":"m"}"#), told);
        assert_eq!(read(br#"{"id":3,"result":null}"#), Incoming::Response { id: 3, outcome: Ok(Value::Null) });
        let fault = Fault { code: -1, message: "no".to_owned(), data: Value::Null };
        let failed = Incoming::Response { id: 3, outcome: Err(fault) };
        assert_eq!(read(br#"{"id":3,"error":{"code":-1,"message":"no"}}"#), failed);
    }

    #[test]
    fn what_is_no_message_is_told_and_keeps_its_number() {
        for (line, expected_id, expected_code) in [
            (&b"{"[..], Value::Null, NO_JSON),
            (b"[]", Value::Null, NO_MESSAGE),
            (br#"{"id":7}"#, json!(7), NO_MESSAGE),
            (br#"{"id":7,"method":7}"#, json!(7), NO_MESSAGE),
        ] {
            let Incoming::Nonsense { id, fault } = read(line) else { panic!("{}", String::from_utf8_lossy(line)) };
            assert_eq!((id, fault.code), (expected_id, expected_code));
        }
    }
}
