//! Beginning sessions.

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::access::{Allowed, ToWrite};
use crate::actions::IdempotencyKey;
use crate::actions::sessions::{self, Beginning};
use crate::extract::{JsonBody, PathParams, ReaderLang};
use crate::prepare::Remark;
use crate::problem::Problem;
use crate::state::AppState;

/// A session to begin, with either a command or the name of an opening.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"application": "NAME", "opening": "sample"}))]
pub struct NewSession {
    /// The application's word.
    application: String,
    /// The application's command that opens a session: see its schema at `/api/applications`.
    #[schema(value_type = Option<Object>)]
    command: Option<Value>,
    /// The name of one of the application's openings.
    opening: Option<String>,
    /// The name it is to have; a UUID. One is made where nothing is said.
    #[schema(format = "uuid")]
    id: Option<String>,
}

/// A session that was begun.
#[derive(Debug, Serialize, ToSchema)]
pub struct Begun {
    /// Its name.
    id: String,
    /// Its last event so far.
    seq: u64,
    /// What is to be said of it besides, in the caller's language: what a project asks for and does not get.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<Remark>,
}

/// Where to fork.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForkAt {
    /// The event; the last where nothing is said.
    #[schema(minimum = 1)]
    at: Option<u64>,
}

/// Begin a session
///
/// One that works in a folder of the machine that serves is opened with the settings of that machine. Besides its `folder`
/// and `language`, its command may have `rules`, `mode` and `budget` in `settings`; a denial of the settings wins. It takes
/// an administrator, and a token with the scope `admin`.
#[utoipa::path(post, path = "/api/sessions", tag = "sessions", security(("token" = ["write"]), ("cookie" = [])), request_body = NewSession, responses(
    (status = 201, description = "It has begun", body = Begun)))]
pub async fn open_session(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    ReaderLang(lang): ReaderLang,
    once: IdempotencyKey,
    JsonBody(new): JsonBody<NewSession>,
) -> Result<(StatusCode, axum::Json<Begun>), Problem> {
    let beginning = match (new.command, new.opening) {
        (Some(command), None) => Beginning::Command(command),
        (None, Some(opening)) => Beginning::Opening(opening),
        (Some(_), Some(_)) | (None, None) => return Err(Problem::BodyUnfit("command | opening".to_owned())),
    };
    let new = sessions::SessionSpec { application: new.application, beginning, id: new.id };
    let sessions::OpenedSession { session, receipt, remarks } =
        sessions::open(&app, &caller.0, new, once, lang).await?;
    Ok((StatusCode::CREATED, axum::Json(Begun { id: session.to_string(), seq: receipt.seq.0, remarks })))
}

/// Fork a session at an event; nothing of it changes
#[utoipa::path(post, path = "/api/sessions/{id}/fork", tag = "sessions", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The session")), request_body = ForkAt,
    responses((status = 201, description = "The fork", body = Begun)))]
pub async fn fork_session(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    once: IdempotencyKey,
    PathParams(id): PathParams<String>,
    JsonBody(fork): JsonBody<ForkAt>,
) -> Result<(StatusCode, axum::Json<Begun>), Problem> {
    let (child, at) = sessions::fork(&app, &caller.0, &id, fork.at.map(sessions::place), once).await?;
    Ok((StatusCode::CREATED, axum::Json(Begun { id: child.to_string(), seq: at.0, remarks: Vec::new() })))
}
