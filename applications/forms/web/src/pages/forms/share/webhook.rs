//! Who is told of submissions, and the secret that signs what is sent. The secret is shown once, after it was drawn.

use axum::extract::Path;
use axum::response::Response;
use enza_server::access::{Allowed, ToWrite};
use enza_server::design::{Field, Tone, Weight, button, field, notice, verdict_button};
use enza_server::extract::FormBody;
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use maud::{Markup, html};
use serde::Deserialize;

use super::{ShareFlash, SharePageExtras, back, copyable, draw};
use crate::actions::forms::{self, LoadedForm};

/// What to do with the receiver.
#[derive(Debug, Deserialize)]
pub(super) struct WebhookInput {
    #[serde(default)]
    url: String,
    /// `set`, `rotate` or `clear`.
    #[serde(default)]
    act: String,
}

/// Sets, renews or clears. A new secret is in this answer and in no other, so this form does not lead on then.
pub(super) async fn set(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    FormBody(wish): FormBody<WebhookInput>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let url = wish.url.trim();
    if wish.act == "clear" || url.is_empty() {
        let cleared = forms::clear_webhook(&here.app, &caller, &id).await;
        return back(&here, &caller, &id, "webhook", cleared, "unhooked").await;
    }
    match forms::set_webhook(&here.app, &caller, &id, url, wish.act == "rotate").await {
        Ok(None) => back(&here, &caller, &id, "webhook", Ok(()), "hooked").await,
        Ok(Some(secret)) => {
            let fresh = SharePageExtras { secret: Some(secret), ..SharePageExtras::default() };
            draw(&here, &caller, &id, &ShareFlash::default(), &fresh).await
        }
        Err(problem) => {
            let fresh = SharePageExtras { url: Some(wish.url), ..SharePageExtras::refused("webhook", &here, &problem) };
            draw(&here, &caller, &id, &ShareFlash::default(), &fresh).await
        }
    }
}

/// The part of the page.
pub(super) fn part(here: &PageContext, held: &LoadedForm, fresh: &SharePageExtras) -> Markup {
    let words = here.words;
    let kept = held.state.webhook().map(|webhook| webhook.url.as_str());
    let url = fresh.url.as_deref().or(kept).unwrap_or_default();
    html! {
        p.hint { (words.say("share.webhook_what")) }
        @if let Some(secret) = &fresh.secret {
            (notice(Tone::Good, words.say("share.secret_made"), words.say("share.secret_made_what")))
            details.fold.secret-fold {
                summary { (words.say("share.reveal")) }
                (copyable("webhook-secret", words.say("share.secret"), secret.reveal(), words.say("share.copy")))
            }
        }
        form.form method="post" action={ "/forms/" (held.row.id) "/webhook" } {
            (field(words, &Field { value: url, error: fresh.trouble_at("webhook"), ..Field::new("url", words.say("share.url")) }))
            div.row {
                (button(words.say("share.save_webhook"), Weight::Plain))
                @if kept.is_some() {
                    (verdict_button("act", "rotate", words.say("share.rotate"), Weight::Quiet))
                    (verdict_button("act", "clear", words.say("share.clear_webhook"), Weight::Quiet))
                }
            }
        }
        @if kept.is_some() {
            form method="post" action={ "/forms/" (held.row.id) "/webhook/test" } {
                (button(words.say("share.try_webhook"), Weight::Plain))
            }
        }
    }
}
