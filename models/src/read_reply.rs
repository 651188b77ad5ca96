//! Reads an answer to its end: bytes into events, events into a draft, and pieces to whoever watches.
//!
//! A reply that has ended stays a reply, even if the connection breaks before the last count. One that has not ended is
//! broken, whatever came of it: half an answer must not pass for a whole one.

use enza_kernel::conversation::Request;
use enza_runtime::seams::model::{Deltas, ModelFailure};
use serde_json::Value;

use crate::constraints::constraints_for;
use crate::draft::Draft;
use crate::http::{Body, Flow, Lost};
use crate::providers::Dialect;
use crate::quirks::Quirks;
use crate::sse::SseParser;
use crate::{anthropic, openai};

/// Why there is no reply.
#[derive(Debug)]
pub(crate) enum ReadFailure {
    /// The answer did not come to its end.
    Lost(Lost),
    /// It ended, or said, otherwise than a reply does.
    Failed(ModelFailure),
}

/// Reads the answer to a request, in pieces or whole.
pub(crate) async fn read(
    dialect: Dialect,
    request: &Request,
    quirks: &Quirks,
    mut body: Body,
    deltas: &dyn Deltas,
) -> Result<Draft, ReadFailure> {
    let mut draft = Draft::new(request, &constraints_for(request, quirks));
    let mut reader = Reader::new(dialect);
    let head = first_bytes(&mut body).await.map_err(ReadFailure::Lost)?;
    if head.trim_ascii_start().starts_with(b"{") {
        let whole = the_rest(head, body).await.map_err(ReadFailure::Lost)?;
        let value: Value =
            serde_json::from_slice(&whole).map_err(|_| broken("it sent JSON that ends in the middle"))?;
        reader.whole(&value, &mut draft).map_err(ReadFailure::Failed)?;
        show(&mut draft, deltas);
    } else {
        read_events(&mut reader, &mut draft, head, body, deltas).await?;
    }
    reader.verdict(&draft).map_err(ReadFailure::Failed)?;
    if draft.stop.is_none() && !draft.is_full() {
        return Err(broken("the connection ended in the middle of the reply"));
    }
    Ok(draft)
}

async fn read_events(
    reader: &mut Reader,
    draft: &mut Draft,
    head: Vec<u8>,
    mut body: Body,
    deltas: &dyn Deltas,
) -> Result<(), ReadFailure> {
    let mut events = SseParser::default();
    let mut chunk = Some(head);
    while let Some(bytes) = chunk {
        for data in events.take(&bytes) {
            let data = String::from_utf8(data).map_err(|_| broken("it sent bytes that are no text"))?;
            let flow = reader.event(&data, draft);
            show(draft, deltas);
            if flow.map_err(ReadFailure::Failed)? == Flow::Done || draft.is_full() {
                return Ok(());
            }
        }
        chunk = match body.next().await {
            Ok(chunk) => chunk,
            // What the model said is complete; only the count of its tokens is missing.
            Err(_) if draft.stop.is_some() => None,
            Err(lost) => return Err(ReadFailure::Lost(lost)),
        };
    }
    Ok(())
}

fn show(draft: &mut Draft, deltas: &dyn Deltas) {
    draft.take_pieces().into_iter().for_each(|piece| deltas.piece(piece));
}

fn broken(what: &str) -> ReadFailure {
    ReadFailure::Failed(ModelFailure::Broken(what.into()))
}

/// What some put before UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Bytes up to the first that means something, which tells a stream of events from plain JSON.
async fn first_bytes(body: &mut Body) -> Result<Vec<u8>, Lost> {
    let mut head = Vec::new();
    while head.trim_ascii().is_empty() || MARK.starts_with(&head) {
        match body.next().await? {
            Some(chunk) => head.extend(chunk),
            None => break,
        }
    }
    Ok(head.strip_prefix(MARK).map_or(head.clone(), <[u8]>::to_vec))
}

async fn the_rest(mut bytes: Vec<u8>, mut body: Body) -> Result<Vec<u8>, Lost> {
    while let Some(chunk) = body.next().await? {
        bytes.extend(chunk);
    }
    Ok(bytes)
}

/// What reads the events of a dialect.
enum Reader {
    Anthropic(anthropic::stream::MessagesReader),
    OpenAi(openai::stream::ChatReader),
}

impl Reader {
    fn new(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Anthropic => Self::Anthropic(anthropic::stream::MessagesReader::default()),
            Dialect::OpenAi => Self::OpenAi(openai::stream::ChatReader::default()),
        }
    }

    fn event(&mut self, data: &str, draft: &mut Draft) -> Result<Flow, ModelFailure> {
        match self {
            Self::Anthropic(reading) => reading.event(data, draft),
            Self::OpenAi(reading) => reading.event(data, draft),
        }
    }

    fn whole(&mut self, body: &Value, draft: &mut Draft) -> Result<(), ModelFailure> {
        match self {
            Self::Anthropic(reading) => reading.whole(body, draft),
            Self::OpenAi(reading) => reading.whole(body, draft),
        }
    }

    fn verdict(&self, draft: &Draft) -> Result<(), ModelFailure> {
        match self {
            Self::Anthropic(reading) => reading.verdict(draft),
            Self::OpenAi(reading) => reading.verdict(draft),
        }
    }
}
