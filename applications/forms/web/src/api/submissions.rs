//! What was answered to a form: listed, looked at, deleted, as files; and its receiver tried.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use enza_server::access::{Allowed, ToRead, ToWrite, audit};
use enza_server::actions::sessions;
use enza_server::extract::{PathParams, QueryParams, ReaderLang};
use enza_server::problem::Problem;
use enza_server::state::AppState;
use enza_server::words::Words;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::actions::forms;
use crate::actions::submissions::{self, SheetFilter, Status, Trial};
use crate::exports::{self, ExportFormat, SheetLine};

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_submissions))
        .routes(routes!(show_submission, delete_submission))
        .routes(routes!(export_submissions))
        .routes(routes!(try_webhook))
}

/// Which submissions.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SubmissionQuery {
    /// In this status only: `in_progress`, `confirming`, `submitted` or `given_up`.
    status: Option<String>,
    /// Of this version of the form only.
    version: Option<u64>,
    /// Begun on this day or later, as `2026-11-03`.
    from: Option<String>,
    /// Begun on this day or earlier.
    to: Option<String>,
    /// With this in a value, whatever the case.
    text: Option<String>,
    /// How many, 20 where nothing is said. A file has all.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// Where the page before ended: its `next`.
    cursor: Option<String>,
    /// Of a file: `csv`, `jsonl` or `xlsx`; `csv` where nothing is said.
    format: Option<String>,
}

/// A page of submissions.
#[derive(Debug, Serialize, ToSchema)]
pub struct Submissions {
    /// The newest first.
    submissions: Vec<SheetLine>,
    /// To be sent as `cursor` for the next page; null after the last.
    next: Option<String>,
}

/// What came of trying a form's receiver.
#[derive(Debug, Serialize, ToSchema)]
pub struct Tried {
    /// Whether it was taken.
    delivered: bool,
    /// The status it answered; null where nobody answered.
    status: Option<u16>,
    /// How many milliseconds it took, where it was taken.
    millis: Option<u64>,
    /// Why it was not taken: `answered`, `late`, `unreachable`, `inside`, `unfit`.
    why: Option<String>,
}

/// List what was answered to a form
///
/// Unfinished answers are listed, too. The newest come first.
#[utoipa::path(get, path = "/api/forms/{id}/submissions", tag = "submissions", security(("token" = ["read"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form"), SubmissionQuery),
    responses((status = 200, description = "A page of submissions", body = Submissions)))]
pub async fn list_submissions(
    State(app): State<AppState>,
    caller: Allowed<ToRead>,
    PathParams(id): PathParams<String>,
    QueryParams(which): QueryParams<SubmissionQuery>,
) -> Result<axum::Json<Submissions>, Problem> {
    let held = forms::load(&app, &caller.0, &id).await?;
    let limit = match which.limit {
        None => sessions::USUAL,
        Some(limit) if (1..=sessions::MOST).contains(&limit) => limit,
        Some(_) => return Err(unfit("limit")),
    };
    let sheets = submissions::all(&app, &held.row.id, &held.state).await?;
    let page = submissions::page(&sheets, &which.wanted()?, which.cursor.as_deref(), limit)?;
    let submissions = page.sheets.into_iter().map(SheetLine::from).collect();
    Ok(axum::Json(Submissions { submissions, next: page.next }))
}

/// Show what one respondent has answered
#[utoipa::path(get, path = "/api/forms/{id}/submissions/{session}", tag = "submissions", security(("token" = ["read"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form"), ("session" = String, Path, description = "The interview")),
    responses((status = 200, description = "The submission", body = SheetLine)))]
pub async fn show_submission(
    State(app): State<AppState>,
    caller: Allowed<ToRead>,
    ReaderLang(lang): ReaderLang,
    PathParams((id, session)): PathParams<(String, String)>,
) -> Result<axum::Json<SheetLine>, Problem> {
    let dossier = submissions::sheet_history(&app, &caller.0, &id, &session, lang).await?;
    Ok(axum::Json(dossier.sheet.into()))
}

/// Delete what one respondent has answered, for good
#[utoipa::path(delete, path = "/api/forms/{id}/submissions/{session}", tag = "submissions", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form"), ("session" = String, Path, description = "The interview")),
    responses((status = 204, description = "It is gone")))]
pub async fn delete_submission(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    PathParams((id, session)): PathParams<(String, String)>,
) -> Result<StatusCode, Problem> {
    submissions::delete(&app, &caller.0, &id, &session).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Download what was answered to a form as a file
#[utoipa::path(get, path = "/api/forms/{id}/export", tag = "submissions", security(("token" = ["read"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form"), SubmissionQuery),
    responses((status = 200, description = "The file", content(
        (String = "text/csv"),
        (String = "application/jsonl"),
        (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")))))]
pub async fn export_submissions(
    State(app): State<AppState>,
    caller: Allowed<ToRead>,
    ReaderLang(lang): ReaderLang,
    PathParams(id): PathParams<String>,
    QueryParams(which): QueryParams<SubmissionQuery>,
) -> Result<Response, Problem> {
    let held = forms::load(&app, &caller.0, &id).await?;
    let ending = which.format.as_deref().unwrap_or(ExportFormat::Csv.ending());
    let format = ExportFormat::from_ending(ending).ok_or_else(|| unfit("format"))?;
    let sheets = which.wanted()?.of(submissions::all(&app, &held.row.id, &held.state).await?);
    audit(&app, caller.0.name(), crate::SUBMISSIONS_EXPORTED, held.row.id.as_str(), &caller.0.from).await?;
    exports::download(Words(lang), format, &held, sheets, app.now()).await
}

/// Send something harmless to a form's receiver
#[utoipa::path(post, path = "/api/forms/{id}/webhook/test", tag = "submissions", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form")),
    responses((status = 200, description = "What came of it", body = Tried)))]
pub async fn try_webhook(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    PathParams(id): PathParams<String>,
) -> Result<axum::Json<Tried>, Problem> {
    let Trial { status, took, why } = submissions::try_webhook(&app, &caller.0, &id).await?;
    Ok(axum::Json(Tried {
        delivered: why.is_none(),
        status,
        millis: took.map(|took| u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
        why: why.map(|why| why.word().to_owned()),
    }))
}

impl SubmissionQuery {
    fn wanted(&self) -> Result<SheetFilter, Problem> {
        let status = self.status.as_deref().map(|word| Status::from_word(word).ok_or_else(|| unfit("status")));
        let day = |text: &Option<String>, name| {
            text.as_deref().map(|text| text.parse::<Date>().map_err(|_| unfit(name))).transpose()
        };
        Ok(SheetFilter {
            status: status.transpose()?,
            version: self.version,
            from: day(&self.from, "from")?,
            to: day(&self.to, "to")?,
            text: self.text.clone().filter(|text| !text.is_empty()),
        })
    }
}

fn unfit(name: &str) -> Problem {
    Problem::BodyUnfit(name.to_owned())
}
