//! What is still owed to a form's receiver, what came of each attempt, and trying again.

use axum::extract::Path;
use axum::response::{IntoResponse as _, Redirect, Response};
use enza_server::access::{Allowed, ToRead, ToWrite};
use enza_server::actions::IdempotencyKey;
use enza_server::design::{Tone, Weight, badge, button, empty, form, table, time};
use enza_server::extract::PathParams;
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use enza_server::words::Words;
use maud::{Markup, html};

use super::{address, draw};
use crate::actions::forms::{self, LoadedForm};
use crate::actions::submissions::{self, Attempt, DeliveryOutcome, PendingDelivery};

/// What is still owed.
pub(super) async fn show(
    here: PageContext,
    allowed: Allowed<ToRead>,
    PathParams(id): PathParams<String>,
) -> Result<Markup, Problem> {
    let words = here.words;
    let held = forms::load(&here.app, &allowed.0, &id).await?;
    let sheets = submissions::all(&here.app, &held.row.id, &held.state).await?;
    let owed = submissions::pending_deliveries(&here.app, sheets).await?;
    let body = html! {
        p.over-title { a href=(address(&held)) { "← " (words.say("submissions.back")) } }
        h2 { (words.say("delivery.title")) }
        @if owed.is_empty() {
            (empty(words.say("delivery.none"), words.say("delivery.none_what"), None))
        } @else {
            p.soft { (words.say("delivery.what")) }
            (rows(words, &held, &owed))
        }
    };
    Ok(draw(&here, &held, words.say("delivery.title"), &body))
}

/// Tries again what was given up.
pub(super) async fn retry(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path((id, session)): Path<(String, String)>,
) -> Result<Response, Problem> {
    submissions::retry(&here.app, &allowed.0, &id, &session, IdempotencyKey::default()).await?;
    Ok(Redirect::to(&format!("/forms/{id}/submissions/{session}#delivery")).into_response())
}

/// Every attempt of one submission.
pub(super) fn attempts(words: Words, attempts: &[Attempt]) -> Markup {
    let heads = ["delivery.at", "delivery.came", "delivery.detail", "delivery.again"].map(|key| words.say(key));
    let row = |attempt: &Attempt| {
        let (sign, detail, again) = match &attempt.came {
            DeliveryOutcome::Arrived { receipt } => {
                let text = receipt
                    .as_deref()
                    .map_or_else(|| words.say("delivery.by_word").to_owned(), |text| cause(words, text));
                (badge(words.say("delivery.arrived"), Tone::Good), text, None)
            }
            DeliveryOutcome::Failed { why, again } => {
                (badge(words.say("delivery.failed"), Tone::Bad), cause(words, why), *again)
            }
            DeliveryOutcome::Lost => (badge(words.say("delivery.lost"), Tone::Warn), String::new(), None),
        };
        vec![
            time(words, attempt.at),
            sign,
            html! { (detail) },
            html! { @if let Some(again) = again { (time(words, again)) } @else { "—" } },
        ]
    };
    table(&heads, attempts.iter().map(row).collect())
}

/// The button that tries again.
pub(super) fn retry_button(words: Words, held: &LoadedForm, session: &str) -> Markup {
    form(&format!("{}/{session}/retry", address(held)), button(words.say("delivery.retry"), Weight::Plain))
}

/// What came of an attempt, in the reader's words. A word of another Enza shows itself.
pub(super) fn cause(words: Words, why: &str) -> String {
    let (word, detail) = why.split_once(' ').unwrap_or((why, ""));
    let key = format!("undelivered.{word}");
    if words.has(&key) { words.fill(&key, &[("detail", detail)]) } else { why.to_owned() }
}

fn rows(words: Words, held: &LoadedForm, owed: &[PendingDelivery]) -> Markup {
    // Where nothing was given up there is nothing to press.
    let is_pressed = owed.iter().any(|one| one.is_given_up);
    let heads = ["delivery.submission", "delivery.why", "delivery.again"].map(|key| words.say(key)).into_iter();
    let heads: Vec<&str> = heads.chain(is_pressed.then(|| words.say("delivery.do"))).collect();
    let row = |one: &PendingDelivery| {
        let at = one.sheet.submitted_at.unwrap_or(one.sheet.changed_at);
        let mut cells = vec![
            html! { a href={ (address(held)) "/" (one.sheet.session) "#delivery" } { (time(words, at)) } },
            html! { @match &one.why { Some(why) => (cause(words, why)), None => (words.say("delivery.first")) } },
            html! { @match one.again { Some(again) => (time(words, again)), None => "—" } },
        ];
        if one.is_given_up {
            cells.push(retry_button(words, held, one.sheet.session.as_str()));
        }
        cells
    };
    table(&heads, owed.iter().map(row).collect())
}
