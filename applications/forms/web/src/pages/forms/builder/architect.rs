//! While the architect writes: the owner sees that it does, what from, and the way to begin by hand instead.
//!
//! With scripts the page looks again by itself; without them the browser does. A failure is told above the builder, with
//! the way to try again.

use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use enza_forms::Command;
use enza_interview::{Field, Kind};
use enza_server::access::{Allowed, ToWrite};
use enza_server::actions::IdempotencyKey;
use enza_server::assets;
use enza_server::design::{Tone, Weight, button, form, notice};
use enza_server::extract::FormBody;
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use maud::{Markup, html};
use serde::Deserialize;

use super::style;
use crate::actions::forms::{self, LoadedForm};
use crate::pages::forms::head::{self, Tab};

/// What the form is to be.
#[derive(Debug, Deserialize)]
pub(super) struct DescribeInput {
    sentence: String,
}

/// Has the architect write the draft anew.
pub(super) async fn describe(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    FormBody(wish): FormBody<DescribeInput>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let command = Command::Describe { sentence: wish.sentence };
    match forms::submit(&here.app, &caller, &id, &command, IdempotencyKey::default()).await {
        Ok(_) => Ok(Redirect::to(&format!("/forms/{id}")).into_response()),
        Err(problem) => super::refused(&here, &caller, &id, &problem).await,
    }
}

/// Lets an architect who failed try again.
pub(super) async fn retry(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let sent = forms::submit(&here.app, &allowed.0, &id, &Command::RetryModel, IdempotencyKey::default()).await;
    match sent {
        // Pressed twice is pressed once.
        Ok(_) | Err(Problem::Refused(_)) => Ok(Redirect::to(&format!("/forms/{id}")).into_response()),
        Err(problem) => Err(problem),
    }
}

/// Calls the architect off, and begins with an empty field below what is there.
pub(super) async fn by_hand(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let held = forms::load(&here.app, &caller, &id).await?;
    if held.state.is_writing() {
        let mut form = (**held.state.draft()).clone();
        let taken = |id: &str| form.find(id).is_some() || form.group(id).is_some();
        let field_id = (1..).map(|number| format!("text_{number}")).find(|id| !taken(id)).unwrap_or_default();
        form.fields.push(Field::new(&field_id, "", Kind::Text));
        let command = Command::Edit { form, edition: held.state.card().edition };
        match forms::submit(&here.app, &caller, &id, &command, IdempotencyKey::default()).await {
            // The draft was there first: it is shown.
            Ok(_) | Err(Problem::Refused(_)) => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(Redirect::to(&format!("/forms/{id}")).into_response())
}

/// The page while a draft is being written.
pub(super) fn page(here: &PageContext, held: &LoadedForm) -> Markup {
    let words = here.words;
    let is_understudy = here.app.models().current().understudy;
    let body = html! {
        (style())
        div #writing data-form=(held.row.id) {
            (head::head(here, held, Tab::Form))
            div.writing role="status" {
                p.writing-title { (words.say("forms.writing")) span.dots aria-hidden="true" { span {} span {} span {} } }
                p.soft { (words.say(if is_understudy { "forms.understudy" } else { "forms.writing_what" })) }
            }
            (form(&format!("/forms/{}/by-hand", held.row.id), button(words.say("forms.by_hand"), Weight::Plain)))
            noscript { meta http-equiv="refresh" content="3"; }
        }
        script type="module" src=(assets::address("forms.js")) {}
    };
    here.page(&head::title(words, held), &body)
}

/// Why the architect could not write, with the way to try again; nothing where it could.
pub(super) fn failure(here: &PageContext, held: &LoadedForm) -> Markup {
    let words = here.words;
    html! {
        @if held.state.failure().is_some() {
            @let what = held.row.standing.waiting_for.as_deref().unwrap_or_default();
            (notice(Tone::Bad, words.say("forms.not_written"), what))
            (form(&format!("/forms/{}/retry", held.row.id), button(words.say("forms.try_again"), Weight::Plain)))
        }
    }
}
