//! The ways to begin a session: what each application has ready or its part shows, or a command as JSON.
//!
//! What a machine leaves out of a session is shown before it, so that nobody counts on it.

use axum::response::{IntoResponse, Redirect, Response};
use enza_kernel::conversation::Digest;
use enza_kernel::text::Said;
use maud::{Markup, html};
use serde::Deserialize;
use uuid::Uuid;

use super::list::SessionListQuery;
use crate::access::{Allowed, Caller, ToWrite};
use crate::actions::IdempotencyKey;
use crate::actions::sessions::{self, Beginning, OpenedSession, SessionSpec};
use crate::design::{Field, FieldKind, Tone, Weight, button, field, link_button, notice, section};
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
    /// What stands in place of the way into an application.
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

/// Every way to begin: cards, then what is ready, then forms, then by hand.
pub(super) fn start(here: &PageContext, caller: &Caller, unsent: UnsentStart) -> Markup {
    let words = here.words;
    let ways = entrances(here, caller, unsent.entrance);
    html! {
        @for (_, entrance) in &ways { @if let Entrance::Card(card) = entrance { (card) } }
        (section(
            words.say("home.start"),
            html! {
                @for (name, entrance) in &ways { @if matches!(entrance, Entrance::Openings) { (openings(here, name)) } }
                @for (_, entrance) in &ways { @if let Entrance::Form(form) = entrance { (form) } }
                (by_hand(here, &ways, &unsent.by_hand))
            },
        ))
    }
}

/// How the reader gets into each application, by its word.
fn entrances(
    here: &PageContext,
    caller: &Caller,
    mut instead: Option<(&'static str, Entrance)>,
) -> Vec<(&'static str, Entrance)> {
    let entrance = |name: &str| here.app.part_of(name).map(|part| part.entrance(here, caller));
    let names = here.app.engine().applications().names();
    names
        .map(|name| match instead.take_if(|(other, _)| *other == name) {
            Some(given) => given,
            None => (name, entrance(name).unwrap_or(Entrance::Openings)),
        })
        .collect()
}

/// What an application has ready.
fn openings(here: &PageContext, name: &str) -> Markup {
    let words = here.words;
    let ready = here.app.engine().applications().find(name).map(|host| host.openings(here.lang())).unwrap_or_default();
    html! {
        div.openings {
            h3 { (here.title_of(name)) }
            @for opening in ready {
                form.opening method="post" action="/sessions" {
                    input type="hidden" name="application" value=(name);
                    input type="hidden" name="opening" value=(opening.name);
                    input type="hidden" name="key" value=(Uuid::now_v7());
                    p.opening-title { (opening.title) }
                    p.opening-about { (opening.about) }
                    (button(words.say("home.begin"), Weight::Main))
                }
            }
        }
    }
}

fn by_hand(here: &PageContext, ways: &[(&str, Entrance)], unsent: &ByHand) -> Markup {
    let words = here.words;
    let command = Field {
        value: &unsent.command,
        kind: FieldKind::Area { rows: 8 },
        hint: Some(words.say("home.json_hint")),
        error: unsent.error.as_deref(),
        required: true,
        ..Field::new("command", words.say("home.json_command"))
    };
    let open = ways.iter().filter(|(_, entrance)| !matches!(entrance, Entrance::Closed));
    let names: Vec<_> = open.map(|(name, _)| *name).collect();
    html! {
        details.by-hand open[unsent.error.is_some()] {
            summary { (words.say("home.json")) }
            form.form method="post" action="/sessions" {
                input type="hidden" name="key" value=(Uuid::now_v7());
                div.field {
                    label for="json-application" { (words.say("home.application")) }
                    select #json-application name="application" {
                        @for name in names { option value=(name) selected[name == unsent.application] { (here.title_of(name)) } }
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
