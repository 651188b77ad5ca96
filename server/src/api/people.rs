//! Administration, for programs: people, invitations, the rules of the house, the journal.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json as Answer};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::{Address, Allowed, ToRun};
use crate::acts::people::{self, HouseRules, Invitation, InvitationWish, Listed, NewLink, PersonChanges};
use crate::api::extract::{Json, Path, Query, Reader};
use crate::api::once::KeepInstead;
use crate::api::sessions::ProblemBody;
use crate::house::House;
use crate::problem::Problem;

/// The routes.
pub fn routes() -> OpenApiRouter<House> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show, change, remove))
        .routes(routes!(reset))
        .routes(routes!(invitations, invite))
        .routes(routes!(revoke_invitation))
        .routes(routes!(rules, change_rules))
        .routes(routes!(choose_model))
        .routes(routes!(journal))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct After {
    after: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Before {
    before: Option<u64>,
    person: Option<String>,
}

/// A model to answer from now on.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ModelWish {
    /// Its name.
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
async fn list(
    State(house): State<House>,
    _: Allowed<ToRun>,
    Query(asked): Query<After>,
) -> Result<Answer<Vec<Listed>>, Problem> {
    Ok(Answer(people::people(&house, asked.after.as_deref()).await?))
}

/// One person.
#[utoipa::path(get, path = "/api/people/{name}", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), params(("name" = String, Path)),
    responses((status = 200, body = Listed)))]
async fn show(
    State(house): State<House>,
    _: Allowed<ToRun>,
    Path(name): Path<String>,
) -> Result<Answer<Listed>, Problem> {
    Ok(Answer(people::person(&house, &name).await?))
}

/// Block or unblock a person, make or unmake an administrator, set what they may spend.
#[utoipa::path(patch, path = "/api/people/{name}", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), params(("name" = String, Path)),
    request_body = PersonChanges, responses((status = 200, body = Listed),
        (status = 409, description = "The last administrator stays", body = ProblemBody)))]
async fn change(
    State(house): State<House>,
    caller: Allowed<ToRun>,
    from: Address,
    Path(name): Path<String>,
    Json(changes): Json<PersonChanges>,
) -> Result<Answer<Listed>, Problem> {
    Ok(Answer(people::change_person(&house, &caller.0, &name, changes, &from).await?))
}

/// Remove a person with everything of theirs, for good.
#[utoipa::path(delete, path = "/api/people/{name}", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), params(("name" = String, Path)),
    responses((status = 204, description = "Removed."),
        (status = 409, description = "The last administrator stays, or the person's sessions have forks of others", body = ProblemBody)))]
async fn remove(
    State(house): State<House>,
    caller: Allowed<ToRun>,
    from: Address,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    people::remove(&house, &caller.0, &name, &from).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Take a person's password and sign-ins away, and make a link with which they choose a new one.
#[utoipa::path(post, path = "/api/people/{name}/reset", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), params(("name" = String, Path)),
    responses((status = 201, body = NewLink)))]
async fn reset(
    State(house): State<House>,
    caller: Allowed<ToRun>,
    from: Address,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    Ok(shown_once(people::reset(&house, &caller.0, &name, &from).await?))
}

/// Open invitations, newest first.
#[utoipa::path(get, path = "/api/invitations", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), responses((status = 200, body = Vec<Invitation>)))]
async fn invitations(State(house): State<House>, _: Allowed<ToRun>) -> Result<Answer<Vec<Invitation>>, Problem> {
    Ok(Answer(people::invitations(&house).await?))
}

/// Invite someone. The address is shown this once.
#[utoipa::path(post, path = "/api/invitations", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), request_body = InvitationWish,
    responses((status = 201, body = NewLink)))]
async fn invite(
    State(house): State<House>,
    caller: Allowed<ToRun>,
    from: Address,
    Json(wish): Json<InvitationWish>,
) -> Result<Response, Problem> {
    Ok(shown_once(people::invite(&house, &caller.0, &wish, &from).await?))
}

/// Take an invitation back.
#[utoipa::path(delete, path = "/api/invitations/{id}", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])),
    params(("id" = String, Path, description = "What the invitation is known by.")),
    responses((status = 204, description = "Taken back.")))]
async fn revoke_invitation(
    State(house): State<House>,
    caller: Allowed<ToRun>,
    from: Address,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    people::revoke_invitation(&house, &caller.0, &id, &from).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The rules of the house.
#[utoipa::path(get, path = "/api/house/rules", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), responses((status = 200, body = HouseRules)))]
async fn rules(State(house): State<House>, _: Allowed<ToRun>) -> Result<Answer<HouseRules>, Problem> {
    Ok(Answer(people::rules(&house).await?))
}

/// Replace the rules of the house.
#[utoipa::path(put, path = "/api/house/rules", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), request_body = HouseRules,
    responses((status = 200, body = HouseRules)))]
async fn change_rules(
    State(house): State<House>,
    caller: Allowed<ToRun>,
    from: Address,
    Json(wished): Json<HouseRules>,
) -> Result<Answer<HouseRules>, Problem> {
    Ok(Answer(people::change_rules(&house, &caller.0, wished, &from).await?))
}

/// Let another model answer, for everyone.
#[utoipa::path(put, path = "/api/house/model", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), request_body = ModelWish,
    responses((status = 204, description = "It answers from now on.")))]
async fn choose_model(
    State(house): State<House>,
    caller: Allowed<ToRun>,
    from: Address,
    Reader(lang): Reader,
    Json(wish): Json<ModelWish>,
) -> Result<StatusCode, Problem> {
    people::choose_model(&house, &caller.0, &wish.name, lang, &from).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sign-ins and administrative acts, newest first, a page at a time.
#[utoipa::path(get, path = "/api/house/journal", tag = "administration",
    security(("token" = ["admin"]), ("cookie" = [])), params(
        ("before" = Option<u64>, Query, description = "Only lines before this one."),
        ("person" = Option<String>, Query, description = "Only this person's.")),
    responses((status = 200, body = Vec<JournalLine>)))]
async fn journal(
    State(house): State<House>,
    _: Allowed<ToRun>,
    Query(asked): Query<Before>,
) -> Result<Answer<Vec<JournalLine>>, Problem> {
    let lines = people::journal(&house, asked.person.as_deref(), asked.before).await?;
    let lines = lines.into_iter().map(|line| JournalLine {
        line: line.line,
        at: line.note.at.0,
        by: line.note.by,
        act: line.note.act,
        on: line.note.on,
        from: line.note.from,
    });
    Ok(Answer(lines.collect()))
}

/// A link is shown once: what is kept for a second try with the same idempotency key is without it.
fn shown_once(link: NewLink) -> Response {
    let kept = KeepInstead(json!({ "address": null, "expires_at": link.expires_at }));
    (StatusCode::CREATED, Extension(kept), Answer(link)).into_response()
}
