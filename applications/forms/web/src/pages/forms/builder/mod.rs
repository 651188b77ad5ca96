//! The builder: the owner writes the draft, sees what is wrong with it, tries it and publishes it.
//!
//! The page is a plain form that sends the whole draft; every button of it works without scripts. `builder.js` saves as
//! one types and moves cards by itself; it sends the same form to `save`, which answers with the parts that changed. An
//! edit says which edition it was made from, so two windows never overwrite each other unasked.

mod action;
mod architect;
mod card;
mod draw;
mod dry_run;
mod faults;
mod preview;
mod saved;
mod typed;

use axum::Router;
use axum::extract::Path;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use enza_forms::{Command, Forms};
use enza_kernel::text::Said;
use enza_runtime::engine::Receipt;
use enza_server::access::{Allowed, Caller, ToRead, ToWrite};
use enza_server::actions::{IdempotencyKey, sessions};
use enza_server::design::{Tone, notice};
use enza_server::extract::{FormBody as Sent, QueryParams};
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use enza_server::state::AppState;
use maud::{Markup, html};
use serde::Deserialize;

use super::export::file_name;
use crate::actions::forms::{self, LoadedForm};
use action::BuilderAction;
pub(super) use draw::style;
use typed::TypedDraft;

/// What the form says when its draft was replaced meanwhile.
const MEANWHILE: &str = "form-edited-meanwhile";

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/forms/{id}", get(show).post(press))
        .route("/forms/{id}/save", post(saved::save))
        .route("/forms/{id}/copy", post(copy))
        .route("/forms/{id}/undo", post(undo))
        .route("/forms/{id}/describe", post(architect::describe))
        .route("/forms/{id}/retry", post(architect::retry))
        .route("/forms/{id}/by-hand", post(architect::by_hand))
}

/// What to say above the draft.
#[derive(Debug, Default, Deserialize)]
struct BuilderQuery {
    /// The event by which a field was removed.
    removed: Option<u64>,
}

async fn show(
    here: PageContext,
    allowed: Allowed<ToRead>,
    Path(id): Path<String>,
    QueryParams(above): QueryParams<BuilderQuery>,
) -> Result<Markup, Problem> {
    let held = forms::load(&here.app, &allowed.0, &id).await?;
    if held.state.is_writing() {
        return Ok(architect::page(&here, &held));
    }
    let typed = TypedDraft::kept((**held.state.draft()).clone(), held.state.card().edition);
    let undo = above.removed.filter(|at| *at == held.row.head.0);
    let above = html! {
        (architect::failure(&here, &held))
        @if let Some(at) = undo { (offer_undo(&here, &held, at)) }
    };
    Ok(draw::page(&here, &held, &typed, &above))
}

/// Takes the draft as it was sent, does what the button says, and leads on.
async fn press(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    Sent(sent): Sent<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let Some(mut typed) = TypedDraft::read(&sent) else {
        return refused(&here, &caller, &id, &Problem::HalfAPage).await;
    };
    let press = BuilderAction::of(&typed);
    let to_see = press.apply(&mut typed);
    let receipt = match save(&here, &caller, &id, &typed).await {
        Ok(receipt) => receipt,
        Err(problem) => return unsaved(&here, &caller, &id, typed, problem).await,
    };
    let at = format!("/forms/{id}");
    let next = match press {
        BuilderAction::Remove(_) => format!("{at}?removed={}", receipt.seq.0),
        BuilderAction::Publish => match forms::publish(&here.app, &caller, &id, IdempotencyKey::default()).await {
            Ok(_) => format!("{at}/share?done=published"),
            Err(problem) => return refused(&here, &caller, &id, &problem).await,
        },
        BuilderAction::TryOut => match forms::try_out(&here.app, &caller, &id, IdempotencyKey::default()).await {
            Ok(session) => format!("/sessions/{session}"),
            Err(problem) => return refused(&here, &caller, &id, &problem).await,
        },
        BuilderAction::Save
        | BuilderAction::Add
        | BuilderAction::Duplicate(_)
        | BuilderAction::Up(_)
        | BuilderAction::Down(_)
        | BuilderAction::AddGroup
        | BuilderAction::RemoveGroup(_) => to_see.map_or(at.clone(), |place| format!("{at}#field-{place}")),
    };
    Ok(Redirect::to(&next).into_response())
}

/// The draft as it was sent, as a file; it is kept nowhere.
async fn copy(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    Sent(sent): Sent<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    forms::load(&here.app, &allowed.0, &id).await?;
    let form = TypedDraft::read(&sent).ok_or(Problem::HalfAPage)?.form;
    let name = file_name(&form.title, "toml");
    Ok(([(CONTENT_TYPE, "application/toml; charset=utf-8".to_owned()), (CONTENT_DISPOSITION, name)], form.to_toml())
        .into_response())
}

/// Which removal to take back.
#[derive(Debug, Deserialize)]
struct Undo {
    at: u64,
}

/// Puts the draft back as it was before an event.
async fn undo(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    Sent(undo): Sent<Undo>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let held = forms::load(&here.app, &caller, &id).await?;
    let before = sessions::place(undo.at.saturating_sub(1));
    let state = here.app.engine().state_at(&held.row.id, Some(before)).await?;
    let state = state.into_typed::<Forms>().ok_or(Problem::Bug)?;
    let command = Command::Edit { form: (**state.draft()).clone(), edition: held.state.card().edition };
    forms::submit(&here.app, &caller, &id, &command, IdempotencyKey::default()).await?;
    Ok(Redirect::to(&format!("/forms/{id}")).into_response())
}

/// Replaces the draft.
async fn save(here: &PageContext, caller: &Caller, id: &str, typed: &TypedDraft) -> Result<Receipt, Problem> {
    let command = Command::Edit { form: typed.form.clone(), edition: typed.edition };
    forms::submit(&here.app, caller, id, &command, IdempotencyKey::default()).await
}

/// The page with what was typed, and why it was not kept. Nothing of it is lost.
async fn unsaved(
    here: &PageContext,
    caller: &Caller,
    id: &str,
    typed: TypedDraft,
    problem: Problem,
) -> Result<Response, Problem> {
    // Where even the page cannot be drawn, the first problem is the one to tell of.
    let Ok(held) = forms::load(&here.app, caller, id).await else { return Err(problem) };
    let above = if problem.code() == MEANWHILE {
        draw::conflict(here.words, &format!("/forms/{id}"))
    } else {
        told(here, &problem)
    };
    // Sent again, it replaces the edition that the owner has now been told of.
    let typed = TypedDraft { edition: held.state.card().edition, ..TypedDraft::kept(typed.form, 0) };
    Ok((problem.status(), draw::page(here, &held, &typed, &above)).into_response())
}

/// The page as it is kept, and why it does not go on from here.
async fn refused(here: &PageContext, caller: &Caller, id: &str, problem: &Problem) -> Result<Response, Problem> {
    let held = forms::load(&here.app, caller, id).await?;
    let typed = TypedDraft::kept((**held.state.draft()).clone(), held.state.card().edition);
    Ok((problem.status(), draw::page(here, &held, &typed, &told(here, problem))).into_response())
}

fn told(here: &PageContext, problem: &Problem) -> Markup {
    let Said { message, hint } = problem.say(here.lang());
    notice(Tone::Bad, &message, &hint)
}

fn offer_undo(here: &PageContext, held: &LoadedForm, at: u64) -> Markup {
    html! {
        form.undo method="post" action={ "/forms/" (held.row.id) "/undo" } {
            input type="hidden" name="at" value=(at);
            span { (here.words.say("builder.one_removed")) }
            button.button.plain type="submit" { (here.words.say("builder.undo")) }
        }
    }
}
