//! A session begins: with an opening that a card sent, or with a command as JSON.
//!
//! What a machine leaves out of a session is shown before it, so that nobody counts on it.

use axum::response::{IntoResponse, Redirect, Response};
use enza_kernel::conversation::Digest;
use enza_kernel::text::Said;
use maud::{Markup, html};
use serde::Deserialize;
use uuid::Uuid;

use super::cards::Card;
use super::list::SessionListQuery;
use crate::access::{Allowed, Caller, ToWrite};
use crate::actions::IdempotencyKey;
use crate::actions::sessions::{self, Beginning, OpenedSession, SessionSpec};
use crate::design::{Field, FieldKind, Tone, Weight, button, field, link_button, notice};
use crate::extract::FormBody;
use crate::pages::PageContext;
use crate::part::Entrance;
use crate::problem::Problem;

/// A wish to begin, as a form sends it.
#[derive(Debug, Deserialize)]
pub(super) struct BeginSessionInput {
    application: String,
    /// One of the application's openings.
    #[serde(default)]
    opening: String,
    /// A command of one's own, where no opening is named.
    #[serde(default)]
    command: String,
    /// The idempotency key.
    key: String,
}

/// What a person typed and why it was not taken.
#[derive(Default)]
pub(super) struct UnsentStart {
    /// What stands on an application's card in place of its own way in.
    pub(super) entrance: Option<(&'static str, Entrance)>,
    pub(super) by_hand: ByHand,
}

/// A command of one's own.
#[derive(Default)]
pub(super) struct ByHand {
    application: String,
    command: String,
    error: Option<String>,
}

/// A command of one's own, folded.
pub(super) fn by_hand(here: &PageContext, cards: &[Card], unsent: &ByHand) -> Markup {
    let words = here.words;
    let command = Field {
        value: &unsent.command,
        kind: FieldKind::Area { rows: 8 },
        hint: Some(words.say("home.json_hint")),
        error: unsent.error.as_deref(),
        required: true,
        ..Field::new("command", words.say("home.json_command"))
    };
    html! {
        details.by-hand open[unsent.error.is_some()] {
            summary { (words.say("home.json")) }
            form.form method="post" action="/sessions" {
                input type="hidden" name="key" value=(Uuid::now_v7());
                div.field {
                    label for="json-application" { (words.say("home.application")) }
                    select #json-application name="application" {
                        @for Card { name, .. } in cards { option value=(name) selected[*name == unsent.application] { (here.title_of(name)) } }
                    }
                }
                (field(words, &command))
                (button(words.say("home.begin"), Weight::Plain))
            }
        }
    }
}

/// Begins a session and leads to it.
pub(super) async fn open(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    FormBody(begin): FormBody<BeginSessionInput>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let problem = match begin_session(&here, &caller, &begin).await {
        Ok(begun) => return Ok(lead_to(&here, &begin.application, &begun)),
        Err(problem) if begin.command.is_empty() => return Err(problem),
        Err(problem) => problem,
    };
    let Said { message, hint } = problem.say(here.lang());
    let detail = match &problem {
        Problem::BodyMalformed(why) | Problem::BodyUnfit(why) => format!(" ({why})"),
        _ => String::new(),
    };
    let by_hand = ByHand {
        application: begin.application,
        command: begin.command,
        error: Some(format!("{message}{detail} {hint}")),
    };
    let unsent = UnsentStart { by_hand, ..UnsentStart::default() };
    let page = super::draw(&here, &caller, &SessionListQuery::default(), unsent).await?;
    Ok((problem.status(), page).into_response())
}

async fn begin_session(
    here: &PageContext,
    caller: &Caller,
    begin: &BeginSessionInput,
) -> Result<OpenedSession, Problem> {
    let beginning = if begin.opening.is_empty() {
        let command = serde_json::from_str(&begin.command);
        Beginning::Command(command.map_err(|error| Problem::BodyMalformed(error.to_string()))?)
    } else {
        Beginning::Opening(begin.opening.clone())
    };
    let content = format!("{}\n{}\n{}", begin.application, begin.opening, begin.command);
    let once = IdempotencyKey::of(caller.name(), &begin.key, &Digest::of(content.as_bytes()));
    let new = SessionSpec { application: begin.application.clone(), beginning, id: None };
    sessions::open(&here.app, caller, new, once, here.lang()).await
}

/// To a session of an application's; first to what there is to know about it, where there is anything.
pub fn lead_to(here: &PageContext, kind: &str, begun: &OpenedSession) -> Response {
    let at = format!("/sessions/{}", begun.session);
    if begun.remarks.is_empty() {
        return Redirect::to(&at).into_response();
    }
    let words = here.words;
    let body = html! {
        div.begun {
            p.kind { (here.title_of(kind)) }
            h1.page-title { (words.say("home.begun")) }
            (notice(Tone::Warn, words.say("home.left_out"), words.say("home.left_out_what")))
            @for remark in &begun.remarks { p.left-out { (remark.text) } }
            div.row { (link_button(&at, words.say("home.to_session"), Weight::Main)) }
        }
    };
    here.page(words.say("home.begun"), &body).into_response()
}
