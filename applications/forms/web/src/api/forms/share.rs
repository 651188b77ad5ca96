//! Rules, links and receivers of a form.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use enza_forms::Command;
use enza_server::access::{Allowed, ToRead, ToWrite};
use enza_server::actions::IdempotencyKey;
use enza_server::extract::{JsonBody, PathParams, ReaderLang};
use enza_server::problem::Problem;
use enza_server::state::AppState;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::change::ordered;
use super::shapes::{LinkKindShape, LinkShape, RulesShape, WholeForm};
use crate::actions::forms::{self, LinkSpec, LinkTo};
use crate::actions::respond::no_such_link;

/// Links to make, all alike.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(example = json!({"kind": "single", "count": 10, "note": "First round"}))]
pub struct NewLinks {
    /// How often each counts.
    kind: LinkKindShape,
    /// How many.
    #[schema(minimum = 1, maximum = 200)]
    count: usize,
    /// What you call them.
    note: String,
    /// Values that are known beforehand, by field id.
    prefill: BTreeMap<String, String>,
}

impl Default for NewLinks {
    fn default() -> Self {
        Self { kind: LinkKindShape::default(), count: 1, note: String::new(), prefill: BTreeMap::new() }
    }
}

/// Links of a form.
#[derive(Debug, Serialize, ToSchema)]
pub struct Links {
    /// Each with its address and what has become of it.
    links: Vec<LinkShape>,
}

/// A receiver of submissions.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"url": "https://example.org/answers"}))]
pub struct NewWebhook {
    /// An http or https address.
    url: String,
    /// Whether an address that stays is to have a new secret.
    #[serde(default)]
    rotate: bool,
}

/// A receiver that was set.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookSet {
    /// The address.
    url: String,
    /// What signs what is sent there, where it was drawn just now. It is shown only here.
    secret: Option<String>,
}

/// Set all rules of a form; what is left out has no limit
#[utoipa::path(put, path = "/api/forms/{id}/rules", tag = "forms", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form")), request_body = RulesShape,
    responses((status = 200, description = "The form", body = WholeForm)))]
pub async fn set_rules(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    ReaderLang(lang): ReaderLang,
    PathParams(id): PathParams<String>,
    JsonBody(rules): JsonBody<RulesShape>,
) -> Result<axum::Json<WholeForm>, Problem> {
    let command = Command::SetRules { rules: rules.into_rules() };
    ordered(&app, &caller.0, &id, &command, IdempotencyKey::default(), lang).await
}

/// List the links of a form, the newest first
#[utoipa::path(get, path = "/api/forms/{id}/links", tag = "forms", security(("token" = ["read"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form")),
    responses((status = 200, description = "All of them", body = Links)))]
pub async fn list_links(
    State(app): State<AppState>,
    caller: Allowed<ToRead>,
    PathParams(id): PathParams<String>,
) -> Result<axum::Json<Links>, Problem> {
    let held = forms::load(&app, &caller.0, &id).await?;
    let mut links: Vec<_> = held.state.links().iter().collect();
    links.sort_by_key(|(_, link)| std::cmp::Reverse(link.made_at));
    let links = links.into_iter().filter_map(|(token, _)| LinkShape::of(&app, &held, token)).collect();
    Ok(axum::Json(Links { links }))
}

/// Make links to a form
#[utoipa::path(post, path = "/api/forms/{id}/links", tag = "forms", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form")), request_body = NewLinks,
    responses((status = 201, description = "The links, in the order in which they were made", body = Links)))]
pub async fn make_links(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    once: IdempotencyKey,
    PathParams(id): PathParams<String>,
    JsonBody(new): JsonBody<NewLinks>,
) -> Result<(StatusCode, axum::Json<Links>), Problem> {
    let NewLinks { kind, count, note, prefill } = new;
    let wish = LinkSpec { kind: kind.kind(), count, note, prefill };
    let tokens = forms::make_links(&app, &caller.0, &id, &wish, once).await?;
    let held = forms::load(&app, &caller.0, &id).await?;
    let links = tokens.iter().filter_map(|token| LinkShape::of(&app, &held, token)).collect();
    Ok((StatusCode::CREATED, axum::Json(Links { links })))
}

/// Withdraw a link
#[utoipa::path(delete, path = "/api/forms/{id}/links/{link}", tag = "forms", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form"), ("link" = String, Path, description = "The link, as it is listed")),
    responses((status = 204, description = "It lets nobody in any more")))]
pub async fn revoke_link(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    PathParams((id, link)): PathParams<(String, String)>,
) -> Result<StatusCode, Problem> {
    let held = forms::load(&app, &caller.0, &id).await?;
    let link: Option<LinkTo> = link.parse().ok();
    let link = link.filter(|link| link.form == held.row.id).ok_or_else(no_such_link)?;
    forms::revoke_link(&app, &caller.0, &id, &link.token).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Have submissions of a form sent on to an address, signed in the way of Standard Webhooks
#[utoipa::path(put, path = "/api/forms/{id}/webhook", tag = "forms", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form")), request_body = NewWebhook,
    responses((status = 200, description = "It is set", body = WebhookSet)))]
pub async fn set_webhook(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    PathParams(id): PathParams<String>,
    JsonBody(new): JsonBody<NewWebhook>,
) -> Result<axum::Json<WebhookSet>, Problem> {
    let secret = forms::set_webhook(&app, &caller.0, &id, &new.url, new.rotate).await?;
    let secret = secret.map(|secret| secret.reveal().to_owned());
    Ok(axum::Json(WebhookSet { url: new.url, secret }))
}

/// Have submissions of a form sent on to nobody
#[utoipa::path(delete, path = "/api/forms/{id}/webhook", tag = "forms", security(("token" = ["write"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The form")),
    responses((status = 204, description = "Nobody is told any more")))]
pub async fn clear_webhook(
    State(app): State<AppState>,
    caller: Allowed<ToWrite>,
    PathParams(id): PathParams<String>,
) -> Result<StatusCode, Problem> {
    forms::clear_webhook(&app, &caller.0, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
