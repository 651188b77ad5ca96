//! A whole session as a download: JSON Lines, the session first, then its events in order.
//!
//! It is written while it is read, a page at a time, and ends at the event that was the last when it began. Where the
//! store fails in the middle the connection is cut, so that nobody takes a part for the whole.

use std::io;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Recorded, SessionRow};
use futures_util::stream;
use serde_json::json;

use super::shapes::{Event, Session};
use crate::access::{Allowed, ToRead};
use crate::acts::sessions::export_page;
use crate::house::House;
use crate::problem::Problem;
use crate::read::{Place, Reader};

/// Download a whole session as JSON Lines
#[utoipa::path(get, path = "/api/sessions/{id}/export", tag = "sessions", security(("token" = ["read"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The session")),
    responses((status = 200, description = "The session in the first line, an event in each that follows",
        body = String, content_type = "application/jsonl")))]
pub async fn export_session(
    State(house): State<House>,
    caller: Allowed<ToRead>,
    Reader(lang): Reader,
    Place(id): Place<String>,
) -> Result<Response, Problem> {
    let row = caller.0.session(&house, &id).await?;
    let name: String = row.id.as_str().chars().filter(|char| char.is_ascii_alphanumeric() || *char == '-').collect();
    let headers = [
        (CONTENT_TYPE, "application/jsonl".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"enza-{name}.jsonl\"")),
    ];
    Ok((headers, Body::from_stream(lines(house, row, lang))).into_response())
}

/// How far an export has come.
struct Export {
    house: House,
    row: SessionRow,
    lang: Lang,
    seen: Seq,
}

/// The lines of a session, some at a time.
pub fn lines(house: House, row: SessionRow, lang: Lang) -> impl stream::Stream<Item = io::Result<Bytes>> {
    let first = json!({ "session": Session::from(row.clone()) });
    let export = Export { house, row, lang, seen: Seq::START };
    let rest = stream::try_unfold(export, |mut export| async move {
        if export.seen >= export.row.head {
            return Ok(None);
        }
        let page = export_page(&export.house, &export.row.id, export.seen, export.row.head).await;
        let page = page.map_err(|problem| io::Error::other(problem.code()))?;
        // Without a next event it was deleted while it was read.
        export.seen = page.last().ok_or_else(|| io::Error::other(Problem::NoSession.code()))?.seq;
        Ok(Some((export.write(page), export)))
    });
    futures_util::StreamExt::chain(stream::iter([Ok(Bytes::from(format!("{first}\n")))]), rest)
}

impl Export {
    fn write(&self, page: Vec<Recorded>) -> Bytes {
        let host = self.house.engine().repertoire().find(&self.row.application);
        let mut out = Vec::new();
        for recorded in page {
            let event = Event::of(recorded, host.as_deref(), self.lang);
            serde_json::to_writer(&mut out, &event).expect("events are plain data and always serialise");
            out.push(b'\n');
        }
        out.into()
    }
}
