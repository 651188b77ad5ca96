//! One's own account, for programs and for our own pages.
//!
//! Looking after an account needs a browser that is signed in: whoever finds a token must not be able to lock its owner
//! out. Coming in needs nobody.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, SET_COOKIE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::stream::poll_fn;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::{Address, Allowed, Channel, ToKeep, ToRead, cookie};
use crate::actions::account::{
    self, Account, Changes, DeletionProof, NewAccount, NewToken, SignedIn, Token, TokenWish,
};
use crate::api::idempotency::KeepInstead;
use crate::api::sessions::ProblemBody;
use crate::extract::{Browser, JsonBody, PathParams};
use crate::problem::Problem;
use crate::state::AppState;

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(show_account, change_account))
        .routes(routes!(register))
        .routes(routes!(sign_in))
        .routes(routes!(sign_out))
        .routes(routes!(sign_out_everywhere))
        .routes(routes!(change_password))
        .routes(routes!(list_tokens, issue_token))
        .routes(routes!(revoke_token))
        .routes(routes!(export_account))
        .routes(routes!(delete_account))
}

/// Someone who registers.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Newcomer {
    /// The name to sign in with: 2 to 32 small letters, digits, hyphens or underscores.
    #[schema(example = "ada")]
    name: String,
    /// What others see; the name where it is left out.
    #[serde(default)]
    display: String,
    /// 10 to 200 characters.
    #[schema(format = Password)]
    password: String,
    /// The secret of an invitation, where one is needed.
    #[serde(default)]
    invitation: Option<String>,
}

/// Someone who signs in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Credentials {
    /// The name.
    #[schema(example = "ada")]
    name: String,
    /// The password.
    #[schema(format = Password)]
    password: String,
}

/// A password and the one to come after it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PasswordChange {
    /// The password until now; left out where there is none.
    #[serde(default)]
    #[schema(format = Password)]
    old: String,
    /// The password from now on.
    #[schema(format = Password)]
    new: String,
}

/// How someone who leaves shows that they mean it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Leave {
    /// The password, where there is one.
    #[serde(default)]
    #[schema(format = Password)]
    password: String,
    /// One's own name, where there is no password.
    #[serde(default)]
    name: String,
}

/// Who I am.
#[utoipa::path(get, path = "/api/account", tag = "account", security(("token" = ["read"]), ("cookie" = [])),
    responses((status = 200, body = Account)))]
async fn show_account(State(app): State<AppState>, caller: Allowed<ToRead>) -> Result<Json<Account>, Problem> {
    Ok(Json(account::account(&app, &caller.0).await?))
}

/// Change what others see, the language, or one's own limits.
#[utoipa::path(patch, path = "/api/account", tag = "account", security(("cookie" = [])),
    request_body = Changes, responses((status = 200, body = Account)))]
async fn change_account(
    State(app): State<AppState>,
    caller: Allowed<ToKeep>,
    JsonBody(changes): JsonBody<Changes>,
) -> Result<Json<Account>, Problem> {
    Ok(Json(account::change(&app, &caller.0, changes).await?))
}

/// Make an account, and sign in with a cookie.
#[utoipa::path(post, path = "/api/account/register", tag = "account", security(()),
    request_body = Newcomer, responses(
        (status = 204, description = "Signed in; the cookie is set."),
        (status = 403, description = "Nobody may register now, or only with an invitation", body = ProblemBody),
        (status = 410, description = "The invitation was used already, or its time is over", body = ProblemBody)))]
async fn register(
    State(app): State<AppState>,
    from: Address,
    channel: Channel,
    Browser(browser): Browser,
    JsonBody(new): JsonBody<Newcomer>,
) -> Result<Response, Problem> {
    let asked = NewAccount {
        name: &new.name,
        display: &new.display,
        password: &new.password,
        invitation: new.invitation.as_deref(),
        lang: None,
        browser: &browser,
    };
    Ok(with_cookie(channel, &account::register(&app, asked, &from).await?))
}

/// Sign in with a cookie.
#[utoipa::path(post, path = "/api/account/sign-in", tag = "account", security(()),
    request_body = Credentials, responses(
        (status = 204, description = "Signed in; the cookie is set."),
        (status = 401, description = "The name or the password is wrong", body = ProblemBody),
        (status = 403, description = "The account is blocked, or the request came from another site", body = ProblemBody)))]
async fn sign_in(
    State(app): State<AppState>,
    from: Address,
    channel: Channel,
    Browser(browser): Browser,
    JsonBody(typed): JsonBody<Credentials>,
) -> Result<Response, Problem> {
    Ok(with_cookie(channel, &account::sign_in(&app, &typed.name, &typed.password, &browser, &from).await?))
}

/// Sign this browser out.
#[utoipa::path(post, path = "/api/account/sign-out", tag = "account", security(("cookie" = [])),
    responses((status = 204, description = "Signed out.")))]
async fn sign_out(
    State(app): State<AppState>,
    caller: Allowed<ToKeep>,
    from: Address,
    channel: Channel,
) -> Result<Response, Problem> {
    account::sign_out(&app, &caller.0, &from).await?;
    Ok(without_cookie(channel))
}

/// Sign every browser out. Tokens stay.
#[utoipa::path(post, path = "/api/account/sign-out-everywhere", tag = "account", security(("cookie" = [])),
    responses((status = 204, description = "Signed out everywhere.")))]
async fn sign_out_everywhere(
    State(app): State<AppState>,
    caller: Allowed<ToKeep>,
    from: Address,
    channel: Channel,
) -> Result<Response, Problem> {
    account::sign_out_everywhere(&app, &caller.0, &from).await?;
    Ok(without_cookie(channel))
}

/// Change the password. Every other browser has to sign in again.
#[utoipa::path(post, path = "/api/account/password", tag = "account", security(("cookie" = [])),
    request_body = PasswordChange, responses((status = 204, description = "Changed.")))]
async fn change_password(
    State(app): State<AppState>,
    caller: Allowed<ToKeep>,
    from: Address,
    JsonBody(typed): JsonBody<PasswordChange>,
) -> Result<StatusCode, Problem> {
    account::change_password(&app, &caller.0, &typed.old, &typed.new, &from).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// My tokens, newest first.
#[utoipa::path(get, path = "/api/account/tokens", tag = "account", security(("cookie" = [])),
    responses((status = 200, body = Vec<Token>)))]
async fn list_tokens(State(app): State<AppState>, caller: Allowed<ToKeep>) -> Result<Json<Vec<Token>>, Problem> {
    Ok(Json(account::tokens(&app, &caller.0).await?))
}

/// Make a token. Its secret is shown this once.
#[utoipa::path(post, path = "/api/account/tokens", tag = "account", security(("cookie" = [])),
    request_body = TokenWish, responses((status = 201, body = NewToken)))]
async fn issue_token(
    State(app): State<AppState>,
    caller: Allowed<ToKeep>,
    from: Address,
    JsonBody(wish): JsonBody<TokenWish>,
) -> Result<Response, Problem> {
    let made = account::issue_token(&app, &caller.0, &wish, &from).await?;
    Ok((StatusCode::CREATED, Extension(KeepInstead::without("secret", &made)), Json(made)).into_response())
}

/// Take a token away. It counts at once.
#[utoipa::path(delete, path = "/api/account/tokens/{id}", tag = "account", security(("cookie" = [])),
    params(("id" = String, Path, description = "What the token is known by.")),
    responses((status = 204, description = "Taken away.")))]
async fn revoke_token(
    State(app): State<AppState>,
    caller: Allowed<ToKeep>,
    from: Address,
    PathParams(id): PathParams<String>,
) -> Result<StatusCode, Problem> {
    account::revoke_token(&app, &caller.0, &id, &from).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Everything of mine, as JSON Lines: the person, every session with its events, usage, the journal. The last line is `end`.
#[utoipa::path(get, path = "/api/account/export", tag = "account", security(("token" = ["read"]), ("cookie" = [])),
    responses((status = 200, content_type = "application/jsonl", body = String)))]
async fn export_account(
    State(app): State<AppState>,
    caller: Allowed<ToRead>,
    from: Address,
) -> Result<Response, Problem> {
    let mut lines = account::export(&app, &caller.0, &from).await?;
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/jsonl; charset=utf-8")),
        (CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"enza-export.jsonl\"")),
    ];
    Ok((headers, Body::from_stream(poll_fn(move |context| lines.poll_recv(context)))).into_response())
}

/// Delete my account with everything in it, for good.
#[utoipa::path(post, path = "/api/account/delete", tag = "account", security(("cookie" = [])),
    request_body = Leave, responses((status = 204, description = "Everything is gone.")))]
async fn delete_account(
    State(app): State<AppState>,
    caller: Allowed<ToKeep>,
    from: Address,
    channel: Channel,
    JsonBody(typed): JsonBody<Leave>,
) -> Result<Response, Problem> {
    let farewell = DeletionProof { password: &typed.password, name: &typed.name };
    account::delete(&app, &caller.0, farewell, &from).await?;
    Ok(without_cookie(channel))
}

fn with_cookie(channel: Channel, entered: &SignedIn) -> Response {
    (StatusCode::NO_CONTENT, [(SET_COOKIE, cookie::set(channel, &entered.secret))]).into_response()
}

fn without_cookie(channel: Channel) -> Response {
    (StatusCode::NO_CONTENT, [(SET_COOKIE, cookie::clear(channel))]).into_response()
}
