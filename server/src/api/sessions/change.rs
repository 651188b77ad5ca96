//! Changing sessions.

use axum::extract::State;
use axum::http::StatusCode;
use enza_kernel::gate::{Given, Pick, Scope, Verdict};
use enza_runtime::engine::Receipt;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::access::{Allowed, ToWrite};
use crate::actions::IdempotencyKey;
use crate::actions::sessions;
use crate::extract::{JsonBody, PathParams, ReaderLang};
use crate::prepare::Remark;
use crate::problem::Problem;
use crate::state::AppState;

/// A command was accepted, and is in the log.
#[derive(Debug, Serialize, ToSchema)]
pub struct Accepted {
    /// The last event that it led to.
    seq: u64,
    /// Whether it had been accepted before.
    repeated: bool,
    /// What is to be said of it besides, in the caller's language: files that went with it, and files that did not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<Remark>,
}

impl From<Receipt> for Accepted {
    fn from(receipt: Receipt) -> Self {
        Self { seq: receipt.seq.0, repeated: receipt.repeated, remarks: Vec::new() }
    }
}

impl From<sessions::AcceptedCommand> for Accepted {
    fn from(accepted: sessions::AcceptedCommand) -> Self {
        Self { remarks: accepted.remarks, ..accepted.receipt.into() }
    }
}

/// An answer to a gate.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"verdict": "yes", "note": null}))]
pub struct GateVerdict {
    /// Yes or no.
    #[schema(value_type = YesOrNo)]
    verdict: Verdict,
    /// A remark.
    note: Option<String>,
    /// How long it counts, where the floor's `leeway` has `lasting`: a yes then allows, and a no denies, what it lists.
    #[serde(default)]
    #[schema(value_type = Option<HowLong>)]
    scope: Option<Scope>,
    /// Which part of the change is taken, where not all of it; a file that is not named is taken whole. The files are in
    /// the floor's `leeway`.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Taken>>)]
    picks: Option<Vec<Pick>>,
    /// Which commands and tools are left out, by their `place` among the leeway's `operations`.
    #[serde(default)]
    left: Option<Vec<u32>>,
}

/// How long an answer counts.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "snake_case")]
#[allow(dead_code, reason = "only its description is used")]
pub enum HowLong {
    /// For this gate alone.
    Once,
    /// For the session.
    Session,
    /// For every session in the same project.
    Project,
}

/// What is taken of one file.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "only its description is used")]
pub struct Taken {
    /// The file, by its `place` in the floor's `leeway`.
    file: u32,
    /// The hunks that are taken, from 1; an empty list for none of the file.
    hunks: Option<Vec<u32>>,
    /// The whole new content, written by a person.
    content: Option<String>,
}

/// Yes or no.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "snake_case")]
#[allow(dead_code, reason = "only its description is used")]
pub enum YesOrNo {
    /// Go on.
    Yes,
    /// Do not.
    No,
}

/// Send a session one of its application's commands
///
/// The commands are described by the schema at `/api/applications`; those that fit now are in the session's `floor`. What
/// has to go with a command is added to it, as at the terminal: the files that words name with `@`, where an application
/// works in a folder.
#[utoipa::path(post, path = "/api/sessions/{id}/commands", tag = "sessions", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The session")),
    request_body(content = Value, example = json!({"say": {"text": "Three of us, on Friday."}})),
    responses((status = 200, description = "It was accepted", body = Accepted)))]
pub async fn send_command(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    ReaderLang(lang): ReaderLang,
    once: IdempotencyKey,
    PathParams(id): PathParams<String>,
    JsonBody(command): JsonBody<Value>,
) -> Result<axum::Json<Accepted>, Problem> {
    Ok(axum::Json(sessions::command(&app, &caller.0, &id, command, once, lang).await?.into()))
}

/// Answer the gate that a session stands at
#[utoipa::path(post, path = "/api/sessions/{id}/gates/{gate}", tag = "sessions", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The session"), ("gate" = String, Path, description = "The gate")),
    request_body = GateVerdict,
    responses((status = 200, description = "It was accepted", body = Accepted)))]
pub async fn answer_gate(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    ReaderLang(lang): ReaderLang,
    once: IdempotencyKey,
    PathParams((id, gate)): PathParams<(String, String)>,
    JsonBody(answer): JsonBody<GateVerdict>,
) -> Result<axum::Json<Accepted>, Problem> {
    let GateVerdict { verdict, note, scope, picks, left } = answer;
    let (scope, picks, left) = (scope.unwrap_or_default(), picks.unwrap_or_default(), left.unwrap_or_default());
    let given = Given { verdict, note, scope, picks, left };
    Ok(axum::Json(sessions::answer_gate(&app, &caller.0, &id, &gate, given, once, lang).await?.into()))
}

/// Delete a session for good
#[utoipa::path(delete, path = "/api/sessions/{id}", tag = "sessions", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The session")),
    responses((status = 204, description = "It is gone")))]
pub async fn delete_session(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    PathParams(id): PathParams<String>,
) -> Result<StatusCode, Problem> {
    sessions::delete(&app, &caller.0, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
