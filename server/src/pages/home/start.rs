//! The ways to begin a session: what each application has ready, a folder for the companion, or a command as JSON.

use axum::response::{IntoResponse, Response};
use enza_kernel::conversation::Digest;
use enza_kernel::text::Said;
use maud::{Markup, html};
use serde::Deserialize;
use uuid::Uuid;

use super::companion;
use super::list::SessionListQuery;
use crate::access::{Allowed, Caller, ToWrite};
use crate::actions::IdempotencyKey;
use crate::actions::companion::COMPANION;
use crate::actions::forms::FORM;
use crate::actions::sessions::{self, Beginning, OpenedSession, SessionSpec};
use crate::design::{Field, FieldKind, Weight, button, field, section};
use crate::extract::FormBody;
use crate::pages::PageContext;
use crate::pages::badges::application;
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
    pub(super) companion: companion::UnsentFolder,
    pub(super) by_hand: ByHand,
}

/// A command of one's own.
#[derive(Default)]
pub(super) struct ByHand {
    application: String,
    command: String,
    error: Option<String>,
}

/// Every way to begin.
pub(super) fn start(here: &PageContext, caller: &Caller, unsent: &UnsentStart) -> Markup {
    let words = here.words;
    let repertoire = here.app.engine().applications();
    // Forms have a card and pages of their own, and the companion wants a folder.
    let is_plain = |name: &&str| *name != FORM && *name != COMPANION;
    let hosts = repertoire.names().filter(is_plain).filter_map(|name| repertoire.find(name));
    section(
        words.say("home.start"),
        html! {
            @for host in hosts {
                div.openings {
                    h3 { (application(words, host.name())) }
                    @for opening in host.openings(here.lang()) {
                        form.opening method="post" action="/sessions" {
                            input type="hidden" name="application" value=(host.name());
                            input type="hidden" name="opening" value=(opening.name);
                            input type="hidden" name="key" value=(Uuid::now_v7());
                            p.opening-title { (opening.title) }
                            p.opening-about { (opening.about) }
                            (button(words.say("home.begin"), Weight::Main))
                        }
                    }
                }
            }
            (companion::begin(here, caller, &unsent.companion))
            (by_hand(here, caller, &unsent.by_hand))
        },
    )
}

fn by_hand(here: &PageContext, caller: &Caller, unsent: &ByHand) -> Markup {
    let words = here.words;
    let command = Field {
        value: &unsent.command,
        kind: FieldKind::Area { rows: 8 },
        hint: Some(words.say("home.json_hint")),
        error: unsent.error.as_deref(),
        required: true,
        ..Field::new("command", words.say("home.json_command"))
    };
    let is_open = |name: &&str| *name != COMPANION || companion::may(here, caller);
    let names: Vec<_> = here.app.engine().applications().names().filter(is_open).collect();
    html! {
        details.by-hand open[unsent.error.is_some()] {
            summary { (words.say("home.json")) }
            form.form method="post" action="/sessions" {
                input type="hidden" name="key" value=(Uuid::now_v7());
                div.field {
                    label for="json-application" { (words.say("home.application")) }
                    select #json-application name="application" {
                        @for name in names { option value=(name) selected[name == unsent.application] { (application(words, name)) } }
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
        Ok(begun) => return Ok(companion::lead_to(&here, &begun)),
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
    let page = super::draw(&here, &caller, &SessionListQuery::default(), &unsent).await?;
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
