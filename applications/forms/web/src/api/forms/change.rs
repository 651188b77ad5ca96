//! Beginning, writing, publishing and deleting forms.

use axum::extract::State;
use axum::http::StatusCode;
use enza_forms::Command;
use enza_interview::{Form, Remark};
use enza_kernel::text::Lang;
use enza_server::access::{Allowed, Caller, ToWrite};
use enza_server::actions::IdempotencyKey;
use enza_server::extract::{JsonBody, PathParams, QueryParams, ReaderLang};
use enza_server::problem::Problem;
use enza_server::state::AppState;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::shapes::WholeForm;
use crate::actions::forms::{self, LoadedForm};

/// A form to begin: with a form, with the text of one, with a sentence, or blank.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(example = json!({"sentence": "a visit report with date, customer, what was agreed", "language": "en"}))]
pub struct NewForm {
    /// What it is called; where it is empty, the form's own title counts.
    title: String,
    /// `ja` or `en`; the reader's where nothing is said. A given form has its own.
    #[schema(value_type = Option<String>)]
    language: Option<Lang>,
    /// The draft to start from. It may be faulty.
    #[schema(value_type = Option<Object>)]
    form: Option<Form>,
    /// The text of a form file (TOML or JSON) or of a JSON Schema.
    text: Option<String>,
    /// What the architect is to write a draft from.
    sentence: Option<String>,
}

/// A form that was begun.
#[derive(Debug, Serialize, ToSchema)]
pub struct BegunForm {
    /// The session that it is, as `/api/forms/{id}` wants it.
    id: String,
    /// What the given text said and the form could not keep, in words.
    remarks: Vec<String>,
}

/// A new draft.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDraft {
    /// The whole draft. It may be faulty; `problems` of the form then says why it cannot be published.
    #[schema(value_type = Object)]
    form: Form,
    /// The edition that it was made from.
    edition: u64,
}

/// What the form is to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// In the owner's own words: what it asks, and of whom.
    sentence: String,
}

/// What goes with the form.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct DeleteFormQuery {
    /// Whether its interviews and their answers are deleted with it. Without this, a form that has any stays.
    with_answers: bool,
}

/// Begin a form
#[utoipa::path(post, path = "/api/forms", tag = "forms", security(("token" = ["write"]), ("cookie" = [])), request_body = NewForm,
    responses((status = 201, description = "It has begun", body = BegunForm)))]
pub async fn create_form(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    ReaderLang(lang): ReaderLang,
    once: IdempotencyKey,
    JsonBody(new): JsonBody<NewForm>,
) -> Result<(StatusCode, axum::Json<BegunForm>), Problem> {
    let (form, remarks): (Option<Form>, Vec<Remark>) = match (new.form, new.text) {
        (Some(_), Some(_)) => return Err(Problem::BodyUnfit("form | text".to_owned())),
        (None, Some(text)) => {
            let (form, remarks) = forms::import(&text, "")?;
            (Some(form), remarks)
        }
        (form, None) => (form, Vec::new()),
    };
    let language = new.language.unwrap_or(lang);
    let new = forms::FormSpec { title: new.title, language, form, sentence: new.sentence };
    let id = forms::begin(&app, &caller.0, new, once).await?;
    let remarks = remarks.iter().map(|remark| remark.say(lang)).collect();
    Ok((StatusCode::CREATED, axum::Json(BegunForm { id: id.to_string(), remarks })))
}

/// Replace a form's draft
#[utoipa::path(put, path = "/api/forms/{id}/draft", tag = "forms", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form")), request_body = NewDraft,
    responses((status = 200, description = "The form", body = WholeForm)))]
pub async fn replace_draft(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    ReaderLang(lang): ReaderLang,
    PathParams(id): PathParams<String>,
    JsonBody(draft): JsonBody<NewDraft>,
) -> Result<axum::Json<WholeForm>, Problem> {
    let command = Command::Edit { form: draft.form, edition: draft.edition };
    ordered(&app, &caller.0, &id, &command, IdempotencyKey::default(), lang).await
}

/// Have the architect write a form's draft anew
#[utoipa::path(post, path = "/api/forms/{id}/describe", tag = "forms", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form")), request_body = Description,
    responses((status = 200, description = "The form, while it is being written", body = WholeForm)))]
pub async fn describe_form(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    ReaderLang(lang): ReaderLang,
    once: IdempotencyKey,
    PathParams(id): PathParams<String>,
    JsonBody(description): JsonBody<Description>,
) -> Result<axum::Json<WholeForm>, Problem> {
    let command = Command::Describe { sentence: description.sentence };
    ordered(&app, &caller.0, &id, &command, once, lang).await
}

/// Publish a form's draft as its next version; the first time, a public link is made with it
#[utoipa::path(post, path = "/api/forms/{id}/publish", tag = "forms", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form")),
    responses((status = 200, description = "The form", body = WholeForm)))]
pub async fn publish_form(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    ReaderLang(lang): ReaderLang,
    once: IdempotencyKey,
    PathParams(id): PathParams<String>,
) -> Result<axum::Json<WholeForm>, Problem> {
    let held = forms::publish(&app, &caller.0, &id, once).await?;
    Ok(axum::Json(WholeForm::of(&held, lang)))
}

/// Take no more answers
#[utoipa::path(post, path = "/api/forms/{id}/close", tag = "forms", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form")),
    responses((status = 200, description = "The form", body = WholeForm)))]
pub async fn close_form(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    ReaderLang(lang): ReaderLang,
    once: IdempotencyKey,
    PathParams(id): PathParams<String>,
) -> Result<axum::Json<WholeForm>, Problem> {
    ordered(&app, &caller.0, &id, &Command::Close, once, lang).await
}

/// Take answers again
#[utoipa::path(post, path = "/api/forms/{id}/reopen", tag = "forms", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form")),
    responses((status = 200, description = "The form", body = WholeForm)))]
pub async fn reopen_form(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    ReaderLang(lang): ReaderLang,
    once: IdempotencyKey,
    PathParams(id): PathParams<String>,
) -> Result<axum::Json<WholeForm>, Problem> {
    ordered(&app, &caller.0, &id, &Command::Reopen, once, lang).await
}

/// Delete a form for good
#[utoipa::path(delete, path = "/api/forms/{id}", tag = "forms", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form"), DeleteFormQuery),
    responses((status = 204, description = "It is gone")))]
pub async fn delete_form(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    PathParams(id): PathParams<String>,
    QueryParams(along): QueryParams<DeleteFormQuery>,
) -> Result<StatusCode, Problem> {
    if along.with_answers {
        forms::delete(&app, &caller.0, &id).await?;
    } else {
        forms::load(&app, &caller.0, &id).await?;
        enza_server::actions::sessions::delete(&app, &caller.0, &id).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Sends an order and shows the form as it is then.
pub(super) async fn ordered(
    app: &AppState,
    caller: &Caller,
    id: &str,
    command: &Command,
    once: IdempotencyKey,
    lang: Lang,
) -> Result<axum::Json<WholeForm>, Problem> {
    forms::submit(app, caller, id, command, once).await?;
    let held: LoadedForm = forms::load(app, caller, id).await?;
    Ok(axum::Json(WholeForm::of(&held, lang)))
}
