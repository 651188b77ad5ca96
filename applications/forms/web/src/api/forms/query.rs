//! Looking at forms.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use enza_server::access::{Allowed, ToRead};
use enza_server::extract::{PathParams, QueryParams, ReaderLang};
use enza_server::problem::Problem;
use enza_server::state::AppState;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::shapes::{FormCard, WholeForm};
use crate::actions::forms;

/// Which forms to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FormQuery {
    /// How many, 20 where nothing is said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// Where the page before ended: its `next`.
    cursor: Option<String>,
}

/// A page of forms.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormList {
    /// The forms, the last changed first.
    forms: Vec<FormCard>,
    /// To be sent as `cursor` for the next page; null after the last.
    next: Option<String>,
}

/// List your forms, the last changed first
#[utoipa::path(get, path = "/api/forms", tag = "forms", security(("token" = ["read"]), ("cookie" = [])), params(FormQuery),
    responses((status = 200, description = "A page of them", body = FormList)))]
pub async fn list_forms(
    State(app): State<AppState>,
    caller: Allowed<ToRead>,
    QueryParams(wanted): QueryParams<FormQuery>,
) -> Result<axum::Json<FormList>, Problem> {
    let shelf = forms::list(&app, &caller.0, wanted.limit, wanted.cursor).await?;
    Ok(axum::Json(FormList { forms: shelf.forms.iter().map(FormCard::of).collect(), next: shelf.next }))
}

/// Show a form: its draft, its newest version, its rules
#[utoipa::path(get, path = "/api/forms/{id}", tag = "forms", security(("token" = ["read"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form")),
    responses((status = 200, description = "The form", body = WholeForm)))]
pub async fn show_form(
    State(app): State<AppState>,
    caller: Allowed<ToRead>,
    ReaderLang(lang): ReaderLang,
    PathParams(id): PathParams<String>,
) -> Result<axum::Json<WholeForm>, Problem> {
    let held = forms::load(&app, &caller.0, &id).await?;
    Ok(axum::Json(WholeForm::of(&held, lang)))
}

/// Take a form's draft along as a file: `toml`, `json`, or `schema` for a JSON Schema
#[utoipa::path(get, path = "/api/forms/{id}/export/{format}", tag = "forms", security(("token" = ["read"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form"), ("format" = String, Path, description = "toml, json or schema")),
    responses((status = 200, description = "The file", body = String, content_type = "application/toml")))]
pub async fn export_form(
    State(app): State<AppState>,
    caller: Allowed<ToRead>,
    PathParams((id, format)): PathParams<(String, String)>,
) -> Result<Response, Problem> {
    let held = forms::load(&app, &caller.0, &id).await?;
    let format = forms::FormFileFormat::of(&format).ok_or(Problem::NothingHere)?;
    Ok(([(CONTENT_TYPE, format.media_type())], format.write(held.state.draft())).into_response())
}
