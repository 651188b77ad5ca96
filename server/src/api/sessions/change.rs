//! Changing sessions.

use axum::extract::State;
use axum::http::StatusCode;
use enza_kernel::gate::Verdict;
use enza_runtime::engine::Receipt;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::access::{Allowed, ToWrite};
use crate::acts::Once;
use crate::acts::sessions::{self, GateAnswer};
use crate::house::House;
use crate::problem::Problem;
use crate::read::{Place, Sent};

/// A command was accepted, and is in the log.
#[derive(Debug, Serialize, ToSchema)]
pub struct Accepted {
    /// The last event that it led to.
    seq: u64,
    /// Whether it had been accepted before.
    repeated: bool,
}

impl From<Receipt> for Accepted {
    fn from(receipt: Receipt) -> Self {
        Self { seq: receipt.seq.0, repeated: receipt.repeated }
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
/// The commands are described by the schema at `/api/applications`; those that fit now are in the session's `floor`.
#[utoipa::path(post, path = "/api/sessions/{id}/commands", tag = "sessions", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The session")),
    request_body(content = Value, example = json!({"say": {"text": "Three of us, on Friday."}})),
    responses((status = 200, description = "It was accepted", body = Accepted)))]
pub async fn send_command(
    State(house): State<House>,
    caller: Allowed<ToWrite>,
    once: Once,
    Place(id): Place<String>,
    Sent(command): Sent<Value>,
) -> Result<axum::Json<Accepted>, Problem> {
    Ok(axum::Json(sessions::command(&house, &caller.0, &id, command, once).await?.into()))
}

/// Answer the gate that a session stands at
#[utoipa::path(post, path = "/api/sessions/{id}/gates/{gate}", tag = "sessions", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The session"), ("gate" = String, Path, description = "The gate")),
    request_body = GateVerdict,
    responses((status = 200, description = "It was accepted", body = Accepted)))]
pub async fn answer_gate(
    State(house): State<House>,
    caller: Allowed<ToWrite>,
    once: Once,
    Place((id, gate)): Place<(String, String)>,
    Sent(answer): Sent<GateVerdict>,
) -> Result<axum::Json<Accepted>, Problem> {
    let answer = GateAnswer { gate, verdict: answer.verdict, note: answer.note };
    Ok(axum::Json(sessions::answer_gate(&house, &caller.0, &id, answer, once).await?.into()))
}

/// Delete a session for good
#[utoipa::path(delete, path = "/api/sessions/{id}", tag = "sessions", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The session")),
    responses((status = 204, description = "It is gone")))]
pub async fn delete_session(
    State(house): State<House>,
    caller: Allowed<ToWrite>,
    Place(id): Place<String>,
) -> Result<StatusCode, Problem> {
    sessions::delete(&house, &caller.0, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
