//! Administration, for programs: what runs, what is stuck, what everyone spends.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use enza_kernel::time::Timestamp;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::{Address, Allowed, ToRun};
use crate::actions::monitor::{self, Running, Spending};
use crate::extract::{PathParams, QueryParams};
use crate::problem::Problem;
use crate::state::AppState;

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_running)).routes(routes!(retry_session)).routes(routes!(show_spending))
}

#[derive(Deserialize)]
struct RunningQuery {
    after_changed: Option<i64>,
    after_id: Option<String>,
}

#[derive(Deserialize)]
struct SpendingQuery {
    days: Option<u32>,
}

/// Sessions of everyone that run or are stuck: whose and why, not what was said.
#[utoipa::path(get, path = "/api/house/sessions", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), params(
        ("after_changed" = Option<i64>, Query, description = "`changed_at` of the last session that was seen; goes with `after_id`."),
        ("after_id" = Option<String>, Query, description = "The id of the last session that was seen.")),
    responses((status = 200, body = Vec<Running>)))]
async fn list_running(
    State(app): State<AppState>,
    _: Allowed<ToRun>,
    QueryParams(asked): QueryParams<RunningQuery>,
) -> Result<Json<Vec<Running>>, Problem> {
    let after = asked.after_changed.map(Timestamp).zip(asked.after_id);
    Ok(Json(monitor::running(&app, after).await?))
}

/// Let a stuck session try again, on its owner's behalf.
#[utoipa::path(post, path = "/api/house/sessions/{id}/retry", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), params(("id" = String, Path)),
    responses((status = 204, description = "It tries again.")))]
async fn retry_session(
    State(app): State<AppState>,
    caller: Allowed<ToRun>,
    from: Address,
    PathParams(id): PathParams<String>,
) -> Result<StatusCode, Problem> {
    monitor::retry(&app, &caller.0, &id, &from).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What everyone spent, by day and person, newest day first.
#[utoipa::path(get, path = "/api/house/usage", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), params(
        ("days" = Option<u32>, Query, minimum = 1, maximum = 366, description = "How many days back, today included.")),
    responses((status = 200, body = Vec<Spending>)))]
async fn show_spending(
    State(app): State<AppState>,
    _: Allowed<ToRun>,
    QueryParams(asked): QueryParams<SpendingQuery>,
) -> Result<Json<Vec<Spending>>, Problem> {
    Ok(Json(monitor::spending(&app, asked.days.unwrap_or(30)).await?))
}
