//! A form as a file: TOML, JSON, or a JSON Schema.

use axum::Router;
use axum::extract::Path;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use enza_server::access::{Allowed, ToRead};
use enza_server::pages::PageContext;
use enza_server::percent::encoded;
use enza_server::problem::Problem;
use enza_server::state::AppState;

use crate::actions::forms;

pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/forms/{id}/export/{format}", get(export))
}

async fn export(
    here: PageContext,
    allowed: Allowed<ToRead>,
    Path((id, format)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let held = forms::load(&here.app, &allowed.0, &id).await?;
    let format = forms::FormFileFormat::of(&format).ok_or(Problem::NothingHere)?;
    let form = held.state.draft();
    let headers = [
        (CONTENT_TYPE, format.media_type().to_owned()),
        (CONTENT_DISPOSITION, file_name(&form.title, format.ending())),
    ];
    Ok((headers, format.write(form)).into_response())
}

/// The header that gives a file its name. Browsers of today read the second spelling, which may have any letter.
pub(super) fn file_name(title: &str, ending: &str) -> String {
    let title: String = title
        .trim()
        .chars()
        .filter(|letter| !letter.is_control() && !r#"/\:*?"<>|"#.contains(*letter))
        .take(60)
        .collect();
    let title = if title.trim().is_empty() { "form".to_owned() } else { title };
    let encoded = encoded(title.trim());
    format!("attachment; filename=\"form.{ending}\"; filename*=UTF-8''{encoded}.{ending}")
}
