//! Cassettes: real traffic with a model, recorded into a readable file and played again.
//!
//! A cassette holds what was asked and what came back, byte for byte, in order, without a header: keys travel in
//! headers. Playing checks the question too: a request that differs from the recorded one is refused, with the first
//! place where it differs, so a changed prompt never passes unnoticed.
//!
//! Nothing that looks like a key gets onto a tape: what is known is replaced, what only looks like one as well.

mod difference;
mod redact;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::keys::Secret;
use difference::first_difference;
use redact::{redact, rejoin};

/// The version of the format.
const VERSION: u32 = 1;

/// A cassette in the machine.
#[derive(Debug, Clone)]
pub enum ActiveCassette {
    /// One that is being recorded.
    Recording(Arc<Recorder>),
    /// One that answers in a model's place.
    Playing(Arc<Player>),
}

/// Why a cassette cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct CassetteError {
    pub path: PathBuf,
    pub why: String,
}

/// The file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cassette {
    cassette: u32,
    exchanges: Vec<Exchange>,
}

/// A question and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exchange {
    pub model: String,
    /// The body of the request.
    pub request: Value,
    /// The status of the answer.
    pub status: u16,
    /// The answer, line by line.
    pub response: Vec<String>,
}

/// Writes down what passes.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    cassette: Mutex<Cassette>,
}

/// Answers from what was written down.
#[derive(Debug)]
pub struct Player {
    left: Mutex<VecDeque<Exchange>>,
}

impl ActiveCassette {
    /// Begins a new cassette. The file is made now, so that one that cannot be written is known before anything is
    /// said.
    pub fn record(path: &Path) -> Result<Self, CassetteError> {
        let cassette = Mutex::new(Cassette { cassette: VERSION, exchanges: Vec::new() });
        let recorder = Recorder { path: path.to_owned(), cassette };
        recorder.write().map_err(|why| CassetteError { path: path.to_owned(), why: why.to_string() })?;
        Ok(Self::Recording(Arc::new(recorder)))
    }

    /// Puts a cassette in.
    pub fn play(path: &Path) -> Result<Self, CassetteError> {
        let trouble = |why: String| CassetteError { path: path.to_owned(), why };
        let text = std::fs::read_to_string(path).map_err(|why| trouble(why.to_string()))?;
        let cassette: Cassette = serde_json::from_str(&text).map_err(|why| trouble(why.to_string()))?;
        if cassette.cassette != VERSION {
            return Err(trouble(format!("it is of version {}, and {VERSION} is known", cassette.cassette)));
        }
        Ok(Self::Playing(Arc::new(Player { left: Mutex::new(cassette.exchanges.into()) })))
    }
}

impl Recorder {
    /// Keeps an exchange, without this key and without anything that looks like one.
    pub(crate) fn keep(&self, exchange: &Exchange, key: Option<&Secret>) {
        let mut exchange = exchange.clone();
        if let Some(key) = key {
            rejoin(&mut exchange.response, key);
        }
        let text = serde_json::to_string(&exchange).expect("plain data always serialises");
        let clean = redact(&text, key);
        let Ok(exchange) = serde_json::from_str(&clean) else { return };
        self.cassette.lock().expect("cassette").exchanges.push(exchange);
        if let Err(why) = self.write() {
            tracing::warn!(path = %self.path.display(), %why, "the cassette could not be written");
        }
    }

    fn write(&self) -> std::io::Result<()> {
        let text = serde_json::to_string_pretty(&*self.cassette.lock().expect("cassette"))?;
        let beside = self.path.with_extension(format!("{}.part", std::process::id()));
        std::fs::write(&beside, text + "\n")?;
        std::fs::rename(&beside, &self.path)
    }
}

impl Player {
    /// The recorded answer to a request, which may be asked for once.
    pub(crate) fn answer(&self, model: &str, request: &Value) -> Result<Exchange, String> {
        let request: Value =
            serde_json::from_str(&redact(&request.to_string(), None)).unwrap_or_else(|_| request.clone());
        let mut left = self.left.lock().expect("cassette");
        // Agents that work side by side may ask in another order than on the day of the recording.
        let place = left.iter().position(|exchange| exchange.model == model && exchange.request == request);
        if let Some(exchange) = place.and_then(|place| left.remove(place)) {
            return Ok(exchange);
        }
        Err(match left.iter().find(|exchange| exchange.model == model) {
            Some(next) => format!("the request is not on the cassette: {}", first_difference(&next.request, &request)),
            None => format!("the cassette holds nothing more of {model}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn exchange(text: &str) -> Exchange {
        let response = vec!["data: {\"x\":1}".to_owned(), String::new(), "data: [DONE]".to_owned()];
        Exchange { model: "a/b".to_owned(), request: json!({ "messages": [text] }), status: 200, response }
    }

    fn recorded(exchanges: &[Exchange], key: Option<&Secret>) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tape.json");
        let ActiveCassette::Recording(recorder) = ActiveCassette::record(&path).unwrap() else {
            panic!("not recording")
        };
        exchanges.iter().for_each(|exchange| recorder.keep(exchange, key));
        (folder, path)
    }

    fn player(path: &Path) -> Arc<Player> {
        let Ok(ActiveCassette::Playing(player)) = ActiveCassette::play(path) else { panic!("not playing") };
        player
    }

    #[test]
    fn what_was_recorded_is_played_once_in_any_order() {
        let (_folder, path) = recorded(&[exchange("one"), exchange("two")], None);
        let player = player(&path);
        assert_eq!(player.answer("a/b", &exchange("two").request), Ok(exchange("two")));
        assert_eq!(player.answer("a/b", &exchange("one").request), Ok(exchange("one")));
        let over = player.answer("a/b", &exchange("one").request);
        assert_eq!(over, Err("the cassette holds nothing more of a/b".to_owned()));
    }

    #[test]
    fn another_question_is_refused_with_the_place_where_it_differs() {
        let (_folder, path) = recorded(&[exchange("one")], None);
        let why = player(&path).answer("a/b", &json!({ "messages": ["won"] })).unwrap_err();
        assert_eq!(why, "the request is not on the cassette: at messages[0] it has \"one\", and \"won\" was asked");
    }

    #[test]
    fn no_key_gets_onto_a_tape() {
        let key = Secret::new("k-planted-123456");
        let echo = Exchange {
            response: vec!["bad key k-planted-123456 sk-ant-abcdefghijklmnop1234".to_owned()],
            ..exchange("k-planted-123456")
        };
        let (_folder, path) = recorded(&[echo], Some(&key));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("planted") && !text.contains("abcdefghijklmnop"), "{text}");
        assert_eq!(text.matches(crate::keys::MARK).count(), 3);
    }

    #[test]
    fn a_file_that_is_no_cassette_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        assert!(ActiveCassette::play(&path).is_err());
        std::fs::write(&path, "{\"cassette\": 9, \"exchanges\": []}").unwrap();
        assert_eq!(ActiveCassette::play(&path).unwrap_err().why, "it is of version 9, and 1 is known");
        assert!(ActiveCassette::record(Path::new("/nowhere/at/all.json")).is_err());
    }
}
