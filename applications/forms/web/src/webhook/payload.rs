//! What is sent to a form's receiver.
//!
//! A letter is made from the interview's state and log at the time of the attempt. Both are final once it is submitted,
//! so every attempt sends the same, with the time at which it was submitted.

use enza_interview::Interview;
use enza_kernel::floor::Who;
use enza_kernel::reader::Reader;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::store::{Recorded, SessionId};
use enza_server::problem::Problem;
use enza_server::state::AppState;
use serde_json::{Value, json};

use crate::actions::forms::LoadedForm;

/// How many events are read at a time.
const PAGE: usize = 256;
/// The event at which an interview is submitted, as the log calls it.
const SUBMITTED: &str = "Submitted";

/// A submission, with all that was said on the way to it.
pub(super) async fn submitted(app: &AppState, held: &LoadedForm, session: &SessionId) -> Result<Vec<u8>, Problem> {
    let (row, state) = app.engine().state::<Interview>(session).await?;
    let host = app.engine().applications().find(&row.application).ok_or(Problem::NoApplication)?;
    let events = until_submitted(app, session).await?;
    let line = |recorded: &Recorded| {
        let line = host.line(recorded, &Reader::host(), state.lang())?;
        Some(json!({ "who": who(&line.who), "text": line.text, "at": moment(recorded.at) }))
    };
    let transcript: Vec<Value> = events.iter().filter_map(line).collect();
    let at = events.last().map_or(row.changed_at, |last| last.at);
    let data = json!({
        "form": form(held, state.version()),
        "session": session,
        "submission": state.submission(),
        "values": state.values(),
        "transcript": transcript,
    });
    Ok(letter("interview.submitted", at, &data))
}

/// Something harmless.
pub(super) fn ping(held: &LoadedForm, now: Timestamp) -> Vec<u8> {
    let version = held.state.published().map(|published| published.version);
    letter("ping", now, &json!({ "form": form(held, version) }))
}

/// What comes after, attempts and all, is no part of the submission.
async fn until_submitted(app: &AppState, session: &SessionId) -> Result<Vec<Recorded>, Problem> {
    let mut events: Vec<Recorded> = Vec::new();
    loop {
        let after = events.last().map_or(Seq::START, |last| last.seq);
        let page = app.engine().store().events(session, after, PAGE).await?;
        if page.is_empty() {
            return Ok(events);
        }
        events.extend(page);
        if let Some(place) = events.iter().position(|one| one.stored.kind == SUBMITTED) {
            events.truncate(place + 1);
            return Ok(events);
        }
    }
}

fn letter(kind: &str, at: Timestamp, data: &Value) -> Vec<u8> {
    json!({ "type": kind, "timestamp": moment(at), "data": data }).to_string().into_bytes()
}

fn form(held: &LoadedForm, version: Option<u64>) -> Value {
    json!({ "id": held.row.id, "title": held.state.card().title, "version": version })
}

fn who(who: &Who) -> &str {
    match who {
        Who::Person(_) => "respondent",
        Who::Agent(name) => name,
        Who::Session => "session",
    }
}

fn moment(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.0).map(|moment| moment.to_string()).unwrap_or_default()
}
