//! Following an interview live as its respondent.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use enza_server::extract::{PathParams, QueryParams, ReaderLang};
use enza_server::live::{StreamQuery, watch_as_guest};
use enza_server::problem::Problem;
use enza_server::state::AppState;

use crate::actions::respond::GuestInterview;

/// Follow an interview live as its respondent, as server-sent events
///
/// `event: event` has `{"seq": 7}` as its data and the same number as its id: something happened, and the interview and its
/// messages are worth another look. `event: piece` has a piece of a question that is being written, and `"kind": "again"`
/// where it is written anew; `event: gone` says that the interview was deleted. Come back with the last id in
/// `Last-Event-ID`, and no event is missed or repeated. A comment comes every 15 seconds.
#[utoipa::path(get, path = "/api/r/{ticket}/live", tag = "respondents", security(()),
    params(("ticket" = String, Path, description = "The ticket"), StreamQuery,
        ("Last-Event-ID" = Option<u64>, Header, description = "The last event that was seen")),
    responses((status = 200, description = "A stream that ends when the interview is deleted", body = String,
        content_type = "text/event-stream")))]
pub async fn follow_interview(
    State(app): State<AppState>,
    ReaderLang(lang): ReaderLang,
    PathParams(ticket): PathParams<String>,
    QueryParams(after): QueryParams<StreamQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let guest = GuestInterview::find(&app, &ticket).await?;
    watch_as_guest(&app, &guest.row, &after, &headers, lang).await
}
