//! Administration, for programs: people, invitations, the rules of the house, the journal.

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::{Address, Allowed, ToRun, ToVouch};
use crate::actions::people::{self, HouseRules, Invitation, InvitationWish, Listed, NewLink, PersonChanges};
use crate::api::idempotency::KeepInstead;
use crate::extract::{JsonBody, PathParams, QueryParams, ReaderLang};
use crate::problem::Problem;
use crate::state::AppState;

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_people))
        .routes(routes!(show_person, change_person, remove_person))
        .routes(routes!(reset_person))
        .routes(routes!(list_invitations, invite))
        .routes(routes!(revoke_invitation))
        .routes(routes!(show_rules, change_rules))
        .routes(routes!(choose_model))
        .routes(routes!(list_journal))
}

#[derive(Deserialize)]
struct PeopleQuery {
    after: Option<String>,
}

#[derive(Deserialize)]
struct JournalQuery {
    before: Option<u64>,
    person: Option<String>,
}

/// A model to answer from now on.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ModelWish {
    /// `PROVIDER/MODEL`, `local`, `local/NAME` or `understudy`.
    name: String,
}

/// A line of the journal.
#[derive(Serialize, ToSchema)]
struct JournalLine {
    /// Its place, from 1.
    line: u64,
    /// When, in milliseconds since 1970.
    at: i64,
    /// By whom; empty where nobody was signed in.
    by: String,
    /// What was done.
    #[schema(example = "signed-in")]
    act: String,
    /// Whom or what it was done to.
    on: String,
    /// From which address.
    from: String,
}

/// People by name, a page at a time.
#[utoipa::path(get, path = "/api/people", tag = "administration", security(("token" = ["admin"]), ("cookie" = [])),
    params(("after" = Option<String>, Query, description = "Only those after this name.")), responses((status = 200, body = Vec<Listed>)))]
async fn list_people(
    State(app): State<AppState>,
    _: Allowed<ToRun>,
    QueryParams(asked): QueryParams<PeopleQuery>,
) -> Result<Json<Vec<Listed>>, Problem> {
    Ok(Json(people::people(&app, asked.after.as_deref()).await?))
}

/// One person.
#[utoipa::path(get, path = "/api/people/{name}", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), params(("name" = String, Path)),
    responses((status = 200, body = Listed)))]
async fn show_person(
    State(app): State<AppState>,
    _: Allowed<ToRun>,
    PathParams(name): PathParams<String>,
) -> Result<Json<Listed>, Problem> {
    Ok(Json(people::person(&app, &name).await?))
}

/// Block or unblock a person, make or unmake an administrator, set what they may spend.
#[utoipa::path(patch, path = "/api/people/{name}", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), params(("name" = String, Path)),
    request_body = PersonChanges, responses((status = 200, body = Listed)))]
async fn change_person(
    State(app): State<AppState>,
    caller: Allowed<ToRun>,
    from: Address,
    PathParams(name): PathParams<String>,
    JsonBody(changes): JsonBody<PersonChanges>,
) -> Result<Json<Listed>, Problem> {
    Ok(Json(people::change_person(&app, &caller.0, &name, changes, &from).await?))
}

/// Remove a person with everything of theirs, for good.
#[utoipa::path(delete, path = "/api/people/{name}", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), params(("name" = String, Path)),
    responses((status = 204, description = "Removed.")))]
async fn remove_person(
    State(app): State<AppState>,
    caller: Allowed<ToRun>,
    from: Address,
    PathParams(name): PathParams<String>,
) -> Result<StatusCode, Problem> {
    people::remove(&app, &caller.0, &name, &from).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Take a person's password, sign-ins and tokens away, and make a link with which they choose a new one. Only from a
/// browser: a token with which one could become somebody else could read what they have said.
#[utoipa::path(post, path = "/api/people/{name}/reset", tag = "administration",
    security(("cookie" = [])), params(("name" = String, Path)),
    responses((status = 201, body = NewLink)))]
async fn reset_person(
    State(app): State<AppState>,
    caller: Allowed<ToVouch>,
    from: Address,
    PathParams(name): PathParams<String>,
) -> Result<(StatusCode, Extension<KeepInstead>, Json<NewLink>), Problem> {
    Ok(shown_once(people::reset(&app, &caller.0, &name, &from).await?))
}

/// Open invitations, newest first.
#[utoipa::path(get, path = "/api/invitations", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), responses((status = 200, body = Vec<Invitation>)))]
async fn list_invitations(State(app): State<AppState>, _: Allowed<ToRun>) -> Result<Json<Vec<Invitation>>, Problem> {
    Ok(Json(people::invitations(&app).await?))
}

/// Invite someone. The address is shown this once.
#[utoipa::path(post, path = "/api/invitations", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), request_body = InvitationWish,
    responses((status = 201, body = NewLink)))]
async fn invite(
    State(app): State<AppState>,
    caller: Allowed<ToRun>,
    from: Address,
    JsonBody(wish): JsonBody<InvitationWish>,
) -> Result<(StatusCode, Extension<KeepInstead>, Json<NewLink>), Problem> {
    Ok(shown_once(people::invite(&app, &caller.0, &wish, &from).await?))
}

/// A link lets someone in, so it is not kept for whoever asks again.
fn shown_once(link: NewLink) -> (StatusCode, Extension<KeepInstead>, Json<NewLink>) {
    (StatusCode::CREATED, Extension(KeepInstead::without("address", &link)), Json(link))
}

/// Take an invitation back.
#[utoipa::path(delete, path = "/api/invitations/{id}", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])),
    params(("id" = String, Path, description = "What the invitation is known by.")),
    responses((status = 204, description = "Taken back.")))]
async fn revoke_invitation(
    State(app): State<AppState>,
    caller: Allowed<ToRun>,
    from: Address,
    PathParams(id): PathParams<String>,
) -> Result<StatusCode, Problem> {
    people::revoke_invitation(&app, &caller.0, &id, &from).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The rules of the house.
#[utoipa::path(get, path = "/api/house/rules", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), responses((status = 200, body = HouseRules)))]
async fn show_rules(State(app): State<AppState>, _: Allowed<ToRun>) -> Result<Json<HouseRules>, Problem> {
    Ok(Json(people::rules(&app).await?))
}

/// Replace the rules of the house.
#[utoipa::path(put, path = "/api/house/rules", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), request_body = HouseRules,
    responses((status = 200, body = HouseRules)))]
async fn change_rules(
    State(app): State<AppState>,
    caller: Allowed<ToRun>,
    from: Address,
    JsonBody(wished): JsonBody<HouseRules>,
) -> Result<Json<HouseRules>, Problem> {
    Ok(Json(people::change_rules(&app, &caller.0, wished, &from).await?))
}

/// Let another model answer, for everyone.
#[utoipa::path(put, path = "/api/house/model", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), request_body = ModelWish,
    responses((status = 204, description = "It answers from now on.")))]
async fn choose_model(
    State(app): State<AppState>,
    caller: Allowed<ToRun>,
    from: Address,
    ReaderLang(lang): ReaderLang,
    JsonBody(wish): JsonBody<ModelWish>,
) -> Result<StatusCode, Problem> {
    people::choose_model(&app, &caller.0, &wish.name, lang, &from).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sign-ins and administrative acts, newest first, a page at a time.
#[utoipa::path(get, path = "/api/house/journal", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), params(
        ("before" = Option<u64>, Query, description = "Only lines before this one."),
        ("person" = Option<String>, Query, description = "Only this person's.")),
    responses((status = 200, body = Vec<JournalLine>)))]
async fn list_journal(
    State(app): State<AppState>,
    _: Allowed<ToRun>,
    QueryParams(asked): QueryParams<JournalQuery>,
) -> Result<Json<Vec<JournalLine>>, Problem> {
    let lines = people::journal(&app, asked.person.as_deref(), asked.before).await?;
    let lines = lines.into_iter().map(|line| JournalLine {
        line: line.line,
        at: line.note.at.0,
        by: line.note.by,
        act: line.note.act,
        on: line.note.on,
        from: line.note.from,
    });
    Ok(Json(lines.collect()))
}
