//! A whole session as a download: JSON Lines, the session first, then its events in order.
//!
//! It is written while it is read, a page at a time, and ends at the event that was the last when it began. Where the
//! store fails in the middle the connection is cut, so that nobody takes a part for the whole.
//!
//! It has what its reader may see: events that are for others in the session have their place and their time, and no more.
//!
//! Whoever passes such a file on should not pass secrets on with it. Where an application's part says how they are masked,
//! they are, unless the file is wanted raw.

use std::io;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::engine::SessionReading;
use enza_runtime::seams::store::Recorded;
use futures_util::stream;
use serde::Deserialize;
use serde_json::json;
use utoipa::IntoParams;

use super::shapes::{Event, Session};
use crate::access::{Allowed, AuditEvent, ToRead, audit};
use crate::actions::sessions::export_page;
use crate::extract::{PathParams, QueryParams, ReaderLang};
use crate::problem::Problem;
use crate::state::{AppState, Mask};

/// In which form.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// With secrets as they are; otherwise they are masked in sessions of applications that mask them.
    #[serde(default)]
    raw: bool,
}

/// Download a whole session as JSON Lines
#[utoipa::path(get, path = "/api/sessions/{id}/export", tag = "sessions", security(("token" = ["read"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The session"), ExportQuery),
    responses((status = 200, description = "The session in the first line, an event in each that follows",
        body = String, content_type = "application/jsonl")))]
pub async fn export_session(
    State(app): State<AppState>,
    caller: Allowed<ToRead>,
    ReaderLang(lang): ReaderLang,
    PathParams(id): PathParams<String>,
    QueryParams(form): QueryParams<ExportQuery>,
) -> Result<Response, Problem> {
    let reading = caller.0.session_as_reader(&app, &id).await?;
    let row = &reading.row;
    audit(&app, caller.0.name(), AuditEvent::SessionExported, row.id.as_str(), &caller.0.from).await?;
    let name: String = row.id.as_str().chars().filter(|char| char.is_ascii_alphanumeric() || *char == '-').collect();
    let headers = [
        (CONTENT_TYPE, "application/jsonl".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"enza-{name}.jsonl\"")),
    ];
    Ok((headers, Body::from_stream(lines(app, reading, lang, form.raw))).into_response())
}

/// How far an export has come.
struct Export {
    app: AppState,
    reading: SessionReading,
    lang: Lang,
    seen: Seq,
    mask: Option<Mask>,
}

/// The lines of a session, some at a time.
pub fn lines(
    app: AppState,
    reading: SessionReading,
    lang: Lang,
    raw: bool,
) -> impl stream::Stream<Item = io::Result<Bytes>> {
    let mask = app.mask_of(&reading.row.application).filter(|_| !raw);
    let first = json!({ "session": Session::seen_by(reading.row.clone(), &reading.reader) }).to_string();
    let first = mask.map_or_else(|| first.clone(), |mask| mask(&first));
    let export = Export { app, reading, lang, seen: Seq::START, mask };
    let rest = stream::try_unfold(export, |mut export| async move {
        if export.seen >= export.reading.row.head {
            return Ok(None);
        }
        let page = export_page(&export.app, &export.reading.row.id, export.seen, export.reading.row.head).await;
        let page = page.map_err(|problem| io::Error::other(problem.code()))?;
        // Without a next event it was deleted while it was read.
        export.seen = page.last().ok_or_else(|| io::Error::other(Problem::NoSession.code()))?.seq;
        Ok(Some((export.write(page), export)))
    });
    futures_util::StreamExt::chain(stream::iter([Ok(Bytes::from(format!("{first}\n")))]), rest)
}

impl Export {
    fn write(&self, page: Vec<Recorded>) -> Bytes {
        let mut out = Vec::new();
        for mut recorded in page {
            // An event's line is made from it, so it is masked first.
            if let Some(mask) = self.mask {
                recorded.stored.body = mask(&recorded.stored.body);
            }
            let event = Event::of(self.reading.event(recorded), self.lang);
            serde_json::to_writer(&mut out, &event).expect("events are plain data and always serialise");
            out.push(b'\n');
        }
        out.into()
    }
}
