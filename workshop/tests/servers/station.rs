//! A server over HTTP in the test's own process, from the standard library alone, so that any test can use it.
//!
//! Each connection carries one request. What is answered is up to the test; `ordinary` is a server that behaves.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// A request as it came in.
#[derive(Debug, Clone)]
pub struct Heard {
    /// `POST`, `GET` or `DELETE`.
    pub verb: String,
    pub path: String,
    /// Its headers, their names in small letters.
    pub headers: BTreeMap<String, String>,
    /// Its body, where it is JSON.
    pub body: Value,
}

/// What is answered.
pub enum Reply {
    /// A status, more headers, and a body.
    Whole(u16, Vec<(&'static str, String)>, String),
    /// Pieces of a body of this kind, and whether it then ends as it should.
    Pieces(&'static str, Vec<String>, Ending),
    /// Nothing, for this long.
    Silence(Duration),
}

/// How pieces end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// As they should.
    Whole,
    /// The connection is closed in the middle.
    CutOff,
}

/// A server over HTTP.
pub struct Station {
    /// Where it listens.
    pub address: SocketAddr,
    heard: Arc<Mutex<Vec<Heard>>>,
}

impl Station {
    /// One that answers so.
    pub fn by(play: impl Fn(&Heard) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, heard) = (listener.local_addr().unwrap(), Arc::default());
        let (play, log) = (Arc::new(play), Arc::clone(&heard));
        std::thread::spawn(move || {
            for caller in listener.incoming() {
                let (play, log) = (Arc::clone(&play), Arc::clone(&log));
                std::thread::spawn(move || serve(&caller.unwrap(), play.as_ref(), &log));
            }
        });
        Self { address, heard }
    }

    /// Its url.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Everything that it was asked.
    pub fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }

    /// The same in short: the protocol's method, or HTTP's.
    pub fn asked(&self) -> Vec<String> {
        self.heard().iter().map(|heard| heard.method().unwrap_or(&heard.verb).to_owned()).collect()
    }
}

impl Heard {
    /// The protocol's method.
    pub fn method(&self) -> Option<&str> {
        self.body["method"].as_str()
    }

    /// A result for this request, as JSON.
    pub fn result(&self, result: &Value) -> Reply {
        Reply::Whole(200, vec![("Content-Type", "application/json".to_owned())], self.message(result))
    }

    /// The same as text.
    pub fn message(&self, result: &Value) -> String {
        json!({ "jsonrpc": "2.0", "id": self.body["id"], "result": result }).to_string()
    }
}

/// A server that behaves, with sessions and an `echo`.
pub fn ordinary(heard: &Heard) -> Reply {
    match (heard.verb.as_str(), heard.method()) {
        ("POST", Some("initialize")) => {
            let version = heard.body["params"]["protocolVersion"].clone();
            let server = json!({ "name": "station", "version": "1" });
            let result = json!({ "protocolVersion": version, "capabilities": { "tools": {} }, "serverInfo": server });
            let kind = ("Content-Type", "application/json".to_owned());
            Reply::Whole(200, vec![kind, ("Mcp-Session-Id", "session-1".to_owned())], heard.message(&result))
        }
        ("POST", Some("tools/list")) => {
            let schema = json!({ "type": "object", "properties": { "text": { "type": "string" } } });
            heard.result(
                &json!({ "tools": [{ "name": "echo", "description": "Says it again.", "inputSchema": schema }] }),
            )
        }
        ("POST", Some("tools/call")) => heard.result(&echoed(heard)),
        ("POST", _) => Reply::Whole(202, Vec::new(), String::new()),
        ("DELETE", _) => Reply::Whole(200, Vec::new(), String::new()),
        _ => Reply::Whole(405, Vec::new(), String::new()),
    }
}

/// What `echo` returns.
pub fn echoed(heard: &Heard) -> Value {
    json!({ "content": [{ "type": "text", "text": heard.body["params"]["arguments"]["text"] }] })
}

fn serve(caller: &TcpStream, play: &dyn Fn(&Heard) -> Reply, log: &Mutex<Vec<Heard>>) {
    let Some(heard) = hear(caller) else { return };
    log.lock().unwrap().push(heard.clone());
    // Whoever hangs up in the middle is not told of: that is what some tests are about.
    let _ = answer(caller, play(&heard));
}

fn hear(caller: &TcpStream) -> Option<Heard> {
    let mut reader = BufReader::new(caller);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (verb, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Heard { verb, path, headers, body: serde_json::from_slice(&body).unwrap_or_default() })
}

fn answer(mut caller: &TcpStream, reply: Reply) -> std::io::Result<()> {
    match reply {
        Reply::Whole(status, headers, body) => {
            let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let length = body.len();
            let head =
                format!("HTTP/1.1 {status} Said\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n");
            caller.write_all(&[head.as_bytes(), body.as_bytes()].concat())
        }
        Reply::Pieces(kind, pieces, ending) => {
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n";
            caller.write_all(format!("{head}Content-Type: {kind}\r\n\r\n").as_bytes())?;
            for piece in pieces {
                caller.write_all(format!("{:x}\r\n{piece}\r\n", piece.len()).as_bytes())?;
            }
            if ending == Ending::Whole { caller.write_all(b"0\r\n\r\n") } else { Ok(()) }
        }
        Reply::Silence(long) => {
            std::thread::sleep(long);
            Ok(())
        }
    }
}
