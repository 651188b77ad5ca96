//! What a watcher is sent: events, pieces of replies, and the end. Made from what the engine's feed shows.
//!
//! Pieces are shown while a reply is being written and are void once its event comes. If pieces were missed, what was
//! shown of a reply would have holes: it is taken back with `again`, and the next event has the whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use enza_kernel::text::Lang;
use enza_runtime::engine::ReaderItem;
use enza_runtime::host::AnyApplication;
use enza_runtime::seams::model::Piece;
use serde::Serialize;
use serde_json::value::RawValue;

use super::spoken::SpokenArgument;
use crate::api::sessions::Event;

/// A message to a watcher.
#[derive(Debug, Serialize)]
pub struct FeedMessage {
    /// What it is: `event`, `piece` or `gone`.
    pub event: &'static str,
    /// The number of an event; pieces have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    pub data: Box<RawValue>,
}

/// A piece of a reply that is being written.
#[derive(Debug, Serialize)]
struct PieceMessage<'a> {
    thread: &'a str,
    kind: &'static str,
    text: &'a str,
    spoken: bool,
}

/// An event as a page hears of it: that there is one. The page asks for what it then shows.
#[derive(Debug, Serialize)]
struct EventNotice {
    seq: u64,
}

/// How much a watcher hears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FeedDetail {
    /// Everything that is the reader's to see: events whole, and every piece of a reply. For programs.
    Whole,
    /// That something happened, and of replies the spoken part. It is all that a page needs, and all that a guest may know.
    Notices,
}

/// Makes messages for one watcher.
pub(super) struct MessageWriter {
    detail: FeedDetail,
    host: Option<Arc<dyn AnyApplication>>,
    lang: Lang,
    /// The calls whose spoken argument is being read, by thread and place.
    calls: BTreeMap<(String, usize), SpokenArgument>,
    /// Threads of which pieces were shown since the last event.
    writing: BTreeSet<String>,
    /// Whether pieces were missed since the last event.
    has_holes: bool,
}

impl MessageWriter {
    pub fn new(detail: FeedDetail, host: Option<Arc<dyn AnyApplication>>, lang: Lang) -> Self {
        Self { detail, host, lang, calls: BTreeMap::new(), writing: BTreeSet::new(), has_holes: false }
    }

    /// What a watcher is sent for an item: nothing, one message, or several.
    pub fn write(&mut self, item: ReaderItem) -> Vec<FeedMessage> {
        match item {
            ReaderItem::Event(seen) => {
                self.has_holes = false;
                self.writing.clear();
                let seq = seen.seq().0;
                let told = match self.detail {
                    FeedDetail::Whole => message("event", Some(seq), &Event::of(seen, self.lang)),
                    FeedDetail::Notices => message("event", Some(seq), &EventNotice { seq }),
                };
                vec![told]
            }
            ReaderItem::Delta { thread, piece } => self.piece(thread, piece).into_iter().collect(),
            ReaderItem::Skipped => {
                self.has_holes = true;
                self.calls.clear();
                let void = std::mem::take(&mut self.writing);
                void.iter().map(|thread| piece(thread, "again", "", false)).collect()
            }
            ReaderItem::Gone => vec![message("gone", None, &())],
            // What has come to an end for this watcher goes on for others: it leaves, and finds out when it comes back.
            ReaderItem::Closed => Vec::new(),
        }
    }

    fn piece(&mut self, thread: String, written: Piece) -> Option<FeedMessage> {
        if written == Piece::Again {
            self.calls.retain(|(its, _), _| *its != thread);
            self.writing.remove(&thread);
            return Some(piece(&thread, "again", "", false));
        }
        if self.has_holes {
            return None;
        }
        let hears_all = self.detail == FeedDetail::Whole;
        let made = match written {
            Piece::Text(_) | Piece::Reasoning(_) if !hears_all => return None,
            Piece::Text(text) => piece(&thread, "text", &text, false),
            Piece::Reasoning(text) => piece(&thread, "reasoning", &text, false),
            Piece::Call { place, tool, fragment } => self.call(&thread, place, &tool, &fragment)?,
            Piece::Again => return None,
        };
        self.writing.insert(thread);
        Some(made)
    }

    fn call(&mut self, thread: &str, place: usize, tool: &str, fragment: &str) -> Option<FeedMessage> {
        let argument = self.host.as_ref().and_then(|host| host.spoken(tool));
        let Some(argument) = argument else {
            let is_told = !fragment.is_empty() && self.detail == FeedDetail::Whole;
            return is_told.then(|| piece(thread, "call", fragment, false));
        };
        let key = (thread.to_owned(), place);
        if fragment.is_empty() {
            // A call begins; what came before at this place was of an earlier reply.
            self.calls.remove(&key);
        }
        let spoken = self.calls.entry(key).or_insert_with(|| SpokenArgument::of(argument));
        let text = spoken.take(fragment);
        (!text.is_empty()).then(|| piece(thread, "call", &text, true))
    }
}

fn piece(thread: &str, kind: &'static str, text: &str, spoken: bool) -> FeedMessage {
    message("piece", None, &PieceMessage { thread, kind, text, spoken })
}

fn message(event: &'static str, id: Option<u64>, data: &impl Serialize) -> FeedMessage {
    let data = serde_json::value::to_raw_value(data).expect("messages are plain data and always serialise");
    FeedMessage { event, id, data }
}

impl FeedMessage {
    /// As server-sent events have it.
    pub fn to_sse(&self) -> String {
        let id = self.id.map_or(String::new(), |id| format!("id: {id}\n"));
        // A line break would end the field; JSON may have one between its parts.
        let data: String = self.data.get().split(['\n', '\r']).map(|line| format!("data: {line}\n")).collect();
        format!("event: {}\n{id}{data}\n", self.event)
    }
}
