//! What people do on the page of a session, sent as forms: by a browser, or by `session.js` in its place.
//!
//! To a browser each leads back to the page. What was typed is never lost: where it was not taken, the page comes back with
//! it and with what was wrong. A script is told what came of it, as the interface for programs tells it, and keeps what was
//! typed itself.

use axum::Json;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use enza_kernel::conversation::Digest;
use enza_kernel::floor::put_words;
use enza_kernel::text::Said;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;

use super::composer::UnsentWords;
use super::contents;
use super::offers::sure;
use super::viewer::Viewer;
use crate::access::{Allowed, Caller, Onlooker, ToRead, ToWrite};
use crate::actions::IdempotencyKey;
use crate::actions::sessions::{self, AcceptedCommand, SessionView};
use crate::api::sessions::Accepted;
use crate::design::{Weight, button, card};
use crate::extract::{FormBody, wants_json};
use crate::pages::PageContext;
use crate::prepare::{Remark, RemarkKind};
use crate::problem::Problem;

/// A command, as a form sends it.
#[derive(Debug, Deserialize)]
pub(super) struct CommandInput {
    /// The command as JSON.
    command: String,
    #[serde(default)]
    place: String,
    #[serde(default)]
    words: String,
    /// The idempotency key.
    key: String,
    /// What it is called, where it is to be asked about once more.
    grave: Option<String>,
    /// What it comes to, where there is more to say than that it cannot be undone.
    about: Option<String>,
}

/// Where to fork.
#[derive(Debug, Deserialize)]
pub(super) struct ForkInput {
    at: u64,
}

/// Sends a command.
pub(super) async fn command(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    headers: HeaderMap,
    FormBody(order): FormBody<CommandInput>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let command: Value =
        serde_json::from_str(&order.command).map_err(|error| Problem::BodyMalformed(error.to_string()))?;
    if let Some(label) = &order.grave {
        return ask_again(&here, &caller, &id, &command, label, order.about.as_deref()).await;
    }
    let command = if order.place.is_empty() { command } else { put_words(&command, &order.place, &order.words) };
    let once = IdempotencyKey::of(caller.name(), &order.key, &Digest::of(command.to_string().as_bytes()));
    let sent = sessions::command(&here.app, &caller, &id, command, once, here.lang()).await;
    if wants_json(&headers) {
        return sent.map(tell);
    }
    match sent.map(|accepted| warnings(&accepted.remarks)) {
        Ok(Some(left_out)) => accepted_in_part(&here, &caller, &id, left_out).await,
        Ok(None) => Ok(to_the_page(&id)),
        Err(problem) => {
            let unsent = UnsentWords { words: order.words, ..UnsentWords::default() };
            back_with(&here, &caller, &id, problem, unsent).await
        }
    }
}

/// What came of an order, for the script that sent it.
pub(super) fn tell(accepted: AcceptedCommand) -> Response {
    Json(Accepted::from(accepted)).into_response()
}

/// What was left out of a command, where anything was.
fn warnings(remarks: &[Remark]) -> Option<String> {
    let warnings: Vec<&str> =
        remarks.iter().filter(|one| one.kind == RemarkKind::Warning).map(|one| one.text.as_str()).collect();
    (!warnings.is_empty()).then(|| warnings.join(" "))
}

/// The page, and below the entry what of the words was not taken along. To load it anew says nothing twice.
async fn accepted_in_part(
    here: &PageContext,
    caller: &Caller,
    id: &str,
    left_out: String,
) -> Result<Response, Problem> {
    let view = sessions::show(&here.app, &Onlooker::of(caller), id, here.lang()).await?;
    let unsent = UnsentWords { error: Some(left_out), ..UnsentWords::default() };
    Ok(super::draw(here, &view, None, &unsent).await?.into_response())
}

/// Forks and leads to the fork.
pub(super) async fn fork(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    FormBody(fork): FormBody<ForkInput>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let (child, _) =
        sessions::fork(&here.app, &caller, &id, Some(sessions::place(fork.at)), IdempotencyKey::default()).await?;
    Ok(Redirect::to(&format!("/sessions/{child}")).into_response())
}

/// Asks before deleting, for whoever comes without scripts.
pub(super) async fn ask_to_delete(
    here: PageContext,
    allowed: Allowed<ToRead>,
    Path(id): Path<String>,
) -> Result<Markup, Problem> {
    let caller = allowed.0;
    // Whoever may not delete it is not asked whether they want to.
    caller.session(&here.app, &id).await?;
    let view = sessions::show(&here.app, &Onlooker::of(&caller), &id, here.lang()).await?;
    let title = here.words.say("session.delete");
    Ok(here.page(title, &card(Some(title), deletion(&contents::viewer(&here, &view), &view))))
}

/// Deletes and leads home.
pub(super) async fn delete(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    sessions::delete(&here.app, &caller, &id).await?;
    Ok(Redirect::to("/").into_response())
}

/// The question before a deletion.
pub(super) fn deletion(viewer: &Viewer, view: &SessionView) -> Markup {
    let words = viewer.words;
    html! {
        p { (words.fill("session.delete_what", &[("title", &contents::title(words, view))])) }
        form method="post" action=(viewer.below("delete")) {
            div.row {
                (button(words.say("session.delete_yes"), Weight::Grave))
                a.button.quiet href=(viewer.page()) data-closes { (words.say("session.not_now")) }
            }
        }
    }
}

/// Back to the page.
pub(super) fn to_the_page(id: &str) -> Response {
    Redirect::to(&format!("/sessions/{id}")).into_response()
}

/// The page with what was typed and what was wrong with it.
pub(super) async fn back_with(
    here: &PageContext,
    caller: &Caller,
    id: &str,
    problem: Problem,
    unsent: UnsentWords,
) -> Result<Response, Problem> {
    let Said { message, hint } = problem.say(here.lang());
    let unsent = UnsentWords { error: Some(format!("{message} {hint}")), ..unsent };
    // Where even the page cannot be drawn, the first problem is the one to tell of.
    let Ok(view) = sessions::show(&here.app, &Onlooker::of(caller), id, here.lang()).await else { return Err(problem) };
    let page = super::draw(here, &view, None, &unsent).await?;
    Ok((problem.status(), page).into_response())
}

async fn ask_again(
    here: &PageContext,
    caller: &Caller,
    id: &str,
    command: &Value,
    label: &str,
    about: Option<&str>,
) -> Result<Response, Problem> {
    let view = sessions::show(&here.app, &Onlooker::of(caller), id, here.lang()).await?;
    let about = about.unwrap_or_else(|| here.words.say("session.sure"));
    let page = here.page(label, &card(Some(label), sure(&contents::viewer(here, &view), command, label, about)));
    Ok((StatusCode::OK, page).into_response())
}
