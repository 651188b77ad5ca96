//! Publishing and sharing: versions, ways in, and who is told of submissions.
//!
//! Tokens and secrets are drawn here, since the application draws nothing. The log knows each link by the name of the
//! request that made it, so that asking again finds the links that were made before.

use std::collections::BTreeMap;

use enza_forms::{Command, Event, Forms, Link, LinkKind, MOST_LINKS, Secret, Webhook};
use enza_kernel::time::Seq;
use enza_runtime::engine::Submission;
use enza_runtime::seams::store::SessionId;
use enza_server::access::Caller;
use enza_server::actions::IdempotencyKey;
use enza_server::problem::Problem;
use enza_server::state::AppState;
use serde_json::json;

use super::{LinkTo, LoadedForm, draw_token, load, submit};

/// How many letters a link's token has: beyond all guessing, and still short enough to be read out.
const TOKEN: usize = 16;
/// How many letters a signing secret has: a multiple of four, so that it is base64 as it stands.
const SECRET: usize = 44;
/// How many links can be made at once.
pub const MOST_AT_ONCE: usize = 200;

/// Links to make, all alike.
#[derive(Debug, Clone)]
pub struct LinkSpec {
    /// How often each counts.
    pub kind: LinkKind,
    pub count: usize,
    /// What the owner calls them.
    pub note: String,
    /// Values that are known beforehand, by field id.
    pub prefill: BTreeMap<String, String>,
}

/// Freezes the draft as the next version. The first time, a public link is made with it.
pub async fn publish(app: &AppState, caller: &Caller, id: &str, once: IdempotencyKey) -> Result<LoadedForm, Problem> {
    submit(app, caller, id, &Command::Publish, once).await?;
    let held = load(app, caller, id).await?;
    if held.state.links().is_empty() {
        make_public_link(app, caller, &held.row.id).await?;
        return load(app, caller, id).await;
    }
    Ok(held)
}

/// Makes the one public link that everyone may have. Two requests at once make one.
async fn make_public_link(app: &AppState, caller: &Caller, form: &SessionId) -> Result<(), Problem> {
    let wish = LinkSpec { kind: LinkKind::Public, count: 1, note: String::new(), prefill: BTreeMap::new() };
    make_link(app, caller, form, &wish, Some("first-public-link".to_owned())).await.map(drop)
}

/// Makes links and gives their tokens, in the order in which they were made.
pub async fn make_links(
    app: &AppState,
    caller: &Caller,
    id: &str,
    wish: &LinkSpec,
    once: IdempotencyKey,
) -> Result<Vec<String>, Problem> {
    if !(1..=MOST_AT_ONCE).contains(&wish.count) {
        return Err(Problem::BodyUnfit(format!("count: 1…{MOST_AT_ONCE}")));
    }
    let held = load(app, caller, id).await?;
    // Either all of them have room, or none is made.
    let left = MOST_LINKS.saturating_sub(held.state.links().values().filter(|link| !link.is_revoked).count());
    if wish.count > left {
        return Err(Problem::BodyUnfit(format!("count: 1…{left}")));
    }
    let mut tokens = Vec::with_capacity(wish.count);
    for place in 0..wish.count {
        let key = once.key().map(|name| format!("link-{place}-{name}"));
        tokens.push(make_link(app, caller, &held.row.id, wish, key).await?);
    }
    Ok(tokens)
}

/// Makes one link. A token is never made from what a client sent: whoever guessed that could come in. Where the link
/// was made before, its token is read from the event.
async fn make_link(
    app: &AppState,
    caller: &Caller,
    form: &SessionId,
    wish: &LinkSpec,
    key: Option<String>,
) -> Result<String, Problem> {
    let token = draw_token(TOKEN);
    let LinkSpec { kind, count: _, note, prefill } = wish.clone();
    let command = Command::MakeLink { token: token.clone(), kind, note, prefill };
    let submission = Submission { command: json!(command), by: caller.actor(), key };
    let receipt = app.engine().submit(form, submission).await?;
    if !receipt.repeated {
        return Ok(token);
    }
    let before = Seq(receipt.seq.0.saturating_sub(1));
    let made = app.engine().store().events(form, before, 1).await?;
    match made.first().and_then(|event| event.event::<Forms>().ok()) {
        Some(Event::LinkMade { token, .. }) => Ok(token),
        Some(_) | None => Err(Problem::Bug),
    }
}

/// Withdraws a link.
pub async fn revoke_link(app: &AppState, caller: &Caller, id: &str, token: &str) -> Result<(), Problem> {
    submit(app, caller, id, &Command::RevokeLink { token: token.to_owned() }, IdempotencyKey::default()).await.map(drop)
}

/// Sends submissions on to an address from now on. A receiver that stays keeps its secret unless it is to have a new
/// one; whoever is new gets one. Gives the secret where it was drawn just now.
pub async fn set_webhook(
    app: &AppState,
    caller: &Caller,
    id: &str,
    url: &str,
    is_rotated: bool,
) -> Result<Option<Secret>, Problem> {
    let held = load(app, caller, id).await?;
    let kept = held.state.webhook().filter(|webhook| webhook.url == url && !is_rotated);
    let (secret, is_new) = match kept {
        Some(webhook) => (webhook.secret.clone(), false),
        None => (Secret::new(format!("whsec_{}", draw_token(SECRET))), true),
    };
    let webhook = Webhook { url: url.to_owned(), secret: secret.clone() };
    submit(app, caller, id, &Command::SetWebhook { webhook: Some(webhook) }, IdempotencyKey::default()).await?;
    Ok(is_new.then_some(secret))
}

/// Sends submissions on to nobody.
pub async fn clear_webhook(app: &AppState, caller: &Caller, id: &str) -> Result<(), Problem> {
    submit(app, caller, id, &Command::SetWebhook { webhook: None }, IdempotencyKey::default()).await.map(drop)
}

/// The address that a link is handed round by.
pub fn address_of(app: &AppState, form: &SessionId, token: &str) -> String {
    let link = LinkTo { form: form.clone(), token: token.to_owned() };
    format!("{}/f/{link}", app.public())
}

/// The ways in of one kind, the newest first. Those made together keep a lasting order by their tokens.
pub fn links_of(held: &LoadedForm, kind: LinkKind) -> Vec<(&String, &Link)> {
    let mut links: Vec<_> = held.state.links().iter().filter(|(_, link)| link.kind == kind).collect();
    links.sort_by_key(|(_, link)| std::cmp::Reverse(link.made_at));
    links
}
