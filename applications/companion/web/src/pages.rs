//! The way to begin with the companion: a folder of the machine that serves.
//!
//! It is shown to those who may. A folder that does not do stands there again, as it was typed, with what is wrong with
//! it. What a project asks for and does not get is shown before the session, so that nobody counts on it.

use axum::response::{IntoResponse, Redirect, Response};
use enza_kernel::conversation::Digest;
use enza_kernel::text::Said;
use enza_server::access::{Allowed, Caller, ToWrite};
use enza_server::actions::IdempotencyKey;
use enza_server::actions::sessions::{self, Beginning, OpenedSession, SessionSpec};
use enza_server::assets;
use enza_server::design::{Field, Weight, button, field, vignette};
use enza_server::extract::FormBody;
use enza_server::pages::{PageContext, home_with, lead_to};
use enza_server::part::Entrance;
use enza_server::problem::{PartProblem, Problem};
use enza_server::words::Words;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use crate::COMPANION;

/// A wish to begin, as a form sends it.
#[derive(Debug, Deserialize)]
pub(crate) struct BeginInFolderInput {
    folder: String,
    /// The idempotency key.
    key: String,
}

/// What a person typed and why it was not taken.
#[derive(Default)]
pub(crate) struct UnsentFolder {
    folder: String,
    error: Option<String>,
}

/// The form.
pub(crate) fn begin(here: &PageContext, unsent: &UnsentFolder) -> Entrance {
    let words = here.words;
    let folder = Field {
        value: &unsent.folder,
        hint: Some(words.say("companion.folder_hint")),
        error: unsent.error.as_deref(),
        required: true,
        ..Field::new("folder", words.say("companion.folder"))
    };
    let form = html! {
        link rel="stylesheet" href=(assets::address("companion.css"));
        form.form.in-folder method="post" action="/companion" {
            input type="hidden" name="key" value=(Uuid::now_v7());
            (field(words, &folder))
            (button(words.say("home.begin"), Weight::Main))
        }
    };
    Entrance::Form { form, is_open: unsent.error.is_some() }
}

/// A change, and the question before it is made.
pub(crate) fn picture(words: Words) -> Markup {
    html! {
        (vignette::change("src/greet.txt", words.say("companion.picture_before"), words.say("companion.picture_after")))
        (vignette::verdict(words.say("companion.picture_question"), words.say("session.yes"), words.say("session.no")))
    }
}

/// The form is on the first page. Whoever loads the address of what it was sent to finds it there.
pub(crate) async fn form() -> Redirect {
    Redirect::to("/#field-folder")
}

/// Begins a session in a folder and leads to it.
pub(crate) async fn open(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    FormBody(begin): FormBody<BeginInFolderInput>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let problem = match in_the_folder(&here, &caller, &begin).await {
        Ok(begun) => return Ok(lead_to(&here, COMPANION, &begun)),
        Err(problem @ (Problem::OfPart(PartProblem { said: Some(_), .. }) | Problem::BodyUnfit(_))) => problem,
        Err(problem) => return Err(problem),
    };
    let Said { message, hint } = problem.say(here.lang());
    let unsent = UnsentFolder { folder: begin.folder, error: Some(format!("{message} {hint}")) };
    let page = home_with(&here, &caller, COMPANION, self::begin(&here, &unsent)).await?;
    Ok((problem.status(), page).into_response())
}

async fn in_the_folder(
    here: &PageContext,
    caller: &Caller,
    begin: &BeginInFolderInput,
) -> Result<OpenedSession, Problem> {
    let once = IdempotencyKey::of(caller.name(), &begin.key, &Digest::of(begin.folder.as_bytes()));
    let beginning = Beginning::Command(json!({ "open": { "folder": begin.folder.trim() } }));
    let new = SessionSpec { application: COMPANION.to_owned(), beginning, id: None };
    sessions::open(&here.app, caller, new, once, here.lang()).await
}
