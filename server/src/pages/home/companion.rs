//! The way to begin with the companion: a folder of the machine that serves.
//!
//! It is shown to those who may. A folder that does not do stands there again, as it was typed, with what is wrong with
//! it. What a project asks for and does not get is shown before the session, so that nobody counts on it.

use axum::response::{IntoResponse, Redirect, Response};
use enza_kernel::conversation::Digest;
use enza_kernel::text::Said;
use maud::{Markup, html};
use serde::Deserialize;
use uuid::Uuid;

use super::list::SessionListQuery;
use super::start;
use crate::access::{Allowed, Caller, ToWrite, to_begin_in_folders};
use crate::actions::IdempotencyKey;
use crate::actions::companion::{COMPANION, in_folder};
use crate::actions::sessions::{self, Beginning, OpenedSession, SessionSpec};
use crate::design::{Field, Tone, Weight, button, field, link_button, notice};
use crate::extract::FormBody;
use crate::pages::PageContext;
use crate::pages::badges::application;
use crate::problem::Problem;

/// A wish to begin, as a form sends it.
#[derive(Debug, Deserialize)]
pub(super) struct BeginInFolderInput {
    folder: String,
    /// The idempotency key.
    key: String,
}

/// What a person typed and why it was not taken.
#[derive(Default)]
pub(super) struct UnsentFolder {
    folder: String,
    error: Option<String>,
}

/// Whether the reader may begin.
pub(super) fn may(here: &PageContext, caller: &Caller) -> bool {
    let is_played = here.app.engine().applications().find(COMPANION).is_some();
    is_played && to_begin_in_folders(&here.app, caller).is_ok()
}

/// The form, for whoever may.
pub(super) fn begin(here: &PageContext, caller: &Caller, unsent: &UnsentFolder) -> Markup {
    let words = here.words;
    let folder = Field {
        value: &unsent.folder,
        hint: Some(words.say("home.folder_hint")),
        error: unsent.error.as_deref(),
        required: true,
        ..Field::new("folder", words.say("home.folder"))
    };
    html! {
        @if may(here, caller) {
            div.openings {
                h3 { (application(words, COMPANION)) }
                form.opening.in-folder method="post" action="/companion" {
                    input type="hidden" name="key" value=(Uuid::now_v7());
                    p.opening-title { (words.say("home.companion")) }
                    p.opening-about { (words.say("home.companion_what")) }
                    (field(words, &folder))
                    (button(words.say("home.begin"), Weight::Main))
                }
            }
        }
    }
}

/// The form is on the first page. Whoever loads the address of what it was sent to finds it there.
pub(super) async fn form() -> Redirect {
    Redirect::to("/#field-folder")
}

/// Begins a session in a folder and leads to it.
pub(super) async fn open(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    FormBody(begin): FormBody<BeginInFolderInput>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let problem = match in_the_folder(&here, &caller, &begin).await {
        Ok(begun) => return Ok(lead_to(&here, &begun)),
        Err(problem @ (Problem::Folder(_) | Problem::BodyUnfit(_))) => problem,
        Err(problem) => return Err(problem),
    };
    let Said { message, hint } = problem.say(here.lang());
    let companion = UnsentFolder { folder: begin.folder, error: Some(format!("{message} {hint}")) };
    let unsent = start::UnsentStart { companion, ..start::UnsentStart::default() };
    let page = super::draw(&here, &caller, &SessionListQuery::default(), &unsent).await?;
    Ok((problem.status(), page).into_response())
}

async fn in_the_folder(
    here: &PageContext,
    caller: &Caller,
    begin: &BeginInFolderInput,
) -> Result<OpenedSession, Problem> {
    let once = IdempotencyKey::of(caller.name(), &begin.key, &Digest::of(begin.folder.as_bytes()));
    let beginning = Beginning::Command(in_folder(&begin.folder));
    let new = SessionSpec { application: COMPANION.to_owned(), beginning, id: None };
    sessions::open(&here.app, caller, new, once, here.lang()).await
}

/// To the session; first to what there is to know about it, where there is anything.
pub(super) fn lead_to(here: &PageContext, begun: &OpenedSession) -> Response {
    let at = format!("/sessions/{}", begun.session);
    if begun.remarks.is_empty() {
        return Redirect::to(&at).into_response();
    }
    let words = here.words;
    let body = html! {
        div.begun {
            p.kind { (application(words, COMPANION)) }
            h1.page-title { (words.say("home.begun")) }
            (notice(Tone::Warn, words.say("home.left_out"), words.say("home.left_out_what")))
            @for remark in &begun.remarks { p.left-out { (remark.text) } }
            div.row { (link_button(&at, words.say("home.to_session"), Weight::Main)) }
        }
    };
    here.page(words.say("home.begun"), &body).into_response()
}
