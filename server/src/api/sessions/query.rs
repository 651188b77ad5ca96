//! Looking at sessions.

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use enza_kernel::conversation::Request;
use enza_kernel::floor::Line;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::shapes::{AtWork, Event, LineShape, Phase, Session, Sessions, Spent, WholeSession};
use crate::access::{Allowed, Onlooker, ToRead};
use crate::actions::sessions;
use crate::extract::{PathParams, QueryParams, ReaderLang};
use crate::problem::Problem;
use crate::state::AppState;

/// Which sessions to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SessionQuery {
    /// Of this application only.
    application: Option<String>,
    /// In this phase only.
    #[param(inline)]
    phase: Option<Phase>,
    /// With this in the title, whatever the case of ASCII letters.
    title: Option<String>,
    /// Those that belong to this session of yours; where nothing is said, those that belong to none.
    of: Option<String>,
    /// How many, 20 where nothing is said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// Where the page before ended: its `next`.
    cursor: Option<String>,
}

/// Where to begin, and how many.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RangeQuery {
    /// After this event; from the first where nothing is said.
    after: Option<u64>,
    /// How many, 20 where nothing is said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

/// As of when.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AsOf {
    /// As of this event; as of the last where nothing is said.
    #[param(minimum = 1)]
    at: Option<u64>,
}

/// A stretch of a log.
#[derive(Debug, Serialize, ToSchema)]
pub struct Events {
    /// The events, in order.
    events: Vec<Event>,
    /// To be sent as `after` for what follows; null at the end of the log.
    next: Option<u64>,
}

/// A stretch of a conversation.
#[derive(Debug, Serialize, ToSchema)]
pub struct Lines {
    /// What was said, in order.
    lines: Vec<LineSaid>,
    /// To be sent as `after` for what follows; null at the end of the log.
    next: Option<u64>,
}

/// A line in its place.
#[derive(Debug, Serialize, ToSchema)]
pub struct LineSaid {
    /// The event that it comes from.
    seq: u64,
    /// When.
    at: i64,
    /// The line.
    #[schema(value_type = LineShape)]
    line: Line,
}

/// A state.
#[derive(Debug, Serialize, ToSchema)]
pub struct StateAt {
    /// The last event in it.
    at: u64,
    /// The state, in the application's shape.
    state: Value,
}

/// Prompts.
#[derive(Debug, Serialize, ToSchema)]
pub struct Prompts {
    /// Those behind the event or due after it.
    prompts: Vec<PromptAt>,
}

/// A prompt, rendered again from the log.
#[derive(Debug, Serialize, ToSchema)]
pub struct PromptAt {
    /// The agent's thread that it was, or would be, sent for.
    thread: String,
    /// The last event that it had seen.
    asked_at: u64,
    /// Its SHA-256.
    digest: String,
    /// Whether it is, byte for byte, the prompt that was used.
    exact: bool,
    /// The prompt in its layers.
    #[schema(value_type = Object)]
    request: Request,
}

/// Your sessions, the last changed first
#[utoipa::path(get, path = "/api/sessions", tag = "sessions", security(("token" = ["read"]), ("cookie" = [])), params(SessionQuery), responses(
    (status = 200, description = "A page of sessions", body = Sessions),
    (status = 404, description = "There is no session that these could belong to", body = super::ProblemBody)))]
pub async fn list_sessions(
    State(app): State<AppState>,
    caller: Allowed<ToRead>,
    RawQuery(query): RawQuery,
    QueryParams(wanted): QueryParams<SessionQuery>,
) -> Result<Response, Problem> {
    // The edition is seen before the list is read: what is read may be newer than it says, never older.
    let edition = app.engine().store().edition().await?;
    let question = format!("{} {}", caller.0.name(), query.as_deref().unwrap_or_default());
    if let Some(answer) = app.list_cache().find(&question, edition) {
        return Ok(as_json(answer));
    }
    let wanted = sessions::SessionFilter {
        application: wanted.application,
        phases: wanted.phase.into_iter().map(Into::into).collect(),
        title: wanted.title,
        of: wanted.of,
        limit: wanted.limit,
        cursor: wanted.cursor,
    };
    let page = sessions::list(&app, &caller.0, wanted).await?;
    let sessions = Sessions { sessions: page.rows.into_iter().map(Into::into).collect(), next: page.next };
    let answer = Bytes::from(serde_json::to_vec(&sessions).map_err(|_| Problem::Bug)?);
    app.list_cache().keep(question, edition, answer.clone());
    Ok(as_json(answer))
}

fn as_json(answer: Bytes) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], answer).into_response()
}

/// A session: where it stands, what may be done, who is at work, what it has spent
#[utoipa::path(get, path = "/api/sessions/{id}", tag = "sessions", security(("token" = ["read"]), ("cookie" = []), ()), params(("id" = String, Path, description = "The session")),
    responses((status = 200, description = "The session", body = WholeSession)))]
pub async fn show_session(
    State(app): State<AppState>,
    onlooker: Onlooker,
    ReaderLang(lang): ReaderLang,
    PathParams(id): PathParams<String>,
) -> Result<axum::Json<WholeSession>, Problem> {
    let shown = sessions::show(&app, &onlooker, &id, lang).await?;
    Ok(axum::Json(WholeSession {
        session: Session::seen_by(shown.row, &shown.reading.reader),
        floor: shown.floor,
        at_work: shown.at_work.into_iter().map(AtWork::from).collect(),
        you: (*shown.reading.reader).clone(),
        spent: shown.cost.map(|cost| Spent::of(cost.calls, cost.spent)),
    }))
}

/// The events of a session, in order
#[utoipa::path(get, path = "/api/sessions/{id}/events", tag = "sessions", security(("token" = ["read"]), ("cookie" = []), ()),
    params(("id" = String, Path, description = "The session"), RangeQuery),
    responses((status = 200, description = "A stretch of its log", body = Events)))]
pub async fn list_events(
    State(app): State<AppState>,
    onlooker: Onlooker,
    ReaderLang(lang): ReaderLang,
    PathParams(id): PathParams<String>,
    QueryParams(from): QueryParams<RangeQuery>,
) -> Result<axum::Json<Events>, Problem> {
    let after = sessions::place(from.after.unwrap_or(0));
    let stretch = sessions::events(&app, &onlooker, &id, after, from.limit).await?;
    let events = stretch.events.into_iter().map(|seen| Event::of(seen, lang)).collect();
    Ok(axum::Json(Events { events, next: stretch.next.map(|seq| seq.0) }))
}

/// The conversation of a session, line by line
#[utoipa::path(get, path = "/api/sessions/{id}/conversation", tag = "sessions", security(("token" = ["read"]), ("cookie" = []), ()),
    params(("id" = String, Path, description = "The session"), RangeQuery),
    responses((status = 200, description = "A stretch of it", body = Lines)))]
pub async fn list_lines(
    State(app): State<AppState>,
    onlooker: Onlooker,
    ReaderLang(lang): ReaderLang,
    PathParams(id): PathParams<String>,
    QueryParams(from): QueryParams<RangeQuery>,
) -> Result<axum::Json<Lines>, Problem> {
    let after = sessions::place(from.after.unwrap_or(0));
    let talk = sessions::conversation(&app, &onlooker, &id, after, from.limit, lang).await?;
    let said = |said: sessions::SaidLine| LineSaid { seq: said.seq.0, at: said.at.0, line: said.line };
    let lines = talk.lines.into_iter().map(said).collect();
    Ok(axum::Json(Lines { lines, next: talk.next.map(|seq| seq.0) }))
}

/// The state of a session as of an event
#[utoipa::path(get, path = "/api/sessions/{id}/state", tag = "sessions", security(("token" = ["read"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The session"), AsOf),
    responses((status = 200, description = "The state", body = StateAt)))]
pub async fn show_state(
    State(app): State<AppState>,
    caller: Allowed<ToRead>,
    PathParams(id): PathParams<String>,
    QueryParams(as_of): QueryParams<AsOf>,
) -> Result<axum::Json<StateAt>, Problem> {
    let (at, state) = sessions::state(&app, &caller.0, &id, as_of.at.map(sessions::place)).await?;
    Ok(axum::Json(StateAt { at: at.0, state }))
}

/// The exact prompt behind an event, or those due after it
#[utoipa::path(get, path = "/api/sessions/{id}/prompts/{seq}", tag = "sessions", security(("token" = ["read"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The session"),
        ("seq" = u64, Path, description = "The event", minimum = 1)),
    responses((status = 200, description = "The prompts", body = Prompts)))]
pub async fn show_prompts(
    State(app): State<AppState>,
    caller: Allowed<ToRead>,
    PathParams((id, seq)): PathParams<(String, u64)>,
) -> Result<axum::Json<Prompts>, Problem> {
    let prompts = sessions::prompts(&app, &caller.0, &id, sessions::place(seq)).await?;
    let prompts = prompts.into_iter().map(|prompt| PromptAt {
        digest: prompt.request.digest().to_string(),
        exact: prompt.is_exact(),
        asked_at: prompt.asked_at.0,
        thread: prompt.thread,
        request: prompt.request,
    });
    Ok(axum::Json(Prompts { prompts: prompts.collect() }))
}
