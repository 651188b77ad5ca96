//! The inspector: any session, event by event.
//!
//! The timeline stands above; below it one event is looked at from four sides: the event itself, the state it led to, the
//! prompts around it, and where everything stands in its moves. All of it is derived from the log by the functions that
//! made it, and shown as far as it is the reader's (`ReadPast`). Looking changes nothing; the one thing that can be done from
//! here is to fork, as on the session's own page.

mod change;
mod event;
mod event_list;
mod header;
mod json;
mod moves;
mod prompt;
mod query;
mod read;
mod state;

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::time::Seq;
use enza_runtime::engine::SeenEvent;
use enza_runtime::seams::store::{Recorded, SessionId};
use maud::{Markup, html};
use serde_json::{Value, json};

pub(super) use change::{changed, changes};
pub(super) use header::short;
pub(super) use query::{InspectorSide, address};
pub(super) use read::ReadPast;

use query::InspectorQuery;

use super::PageContext;
use crate::access::{Allowed, Caller, ToRead};
use crate::actions::sessions::prompts_in;
use crate::assets;
use crate::design::tabs;
use crate::drawing::timeline::{Scene, TimelineLinks, View, timeline};
use crate::extract::QueryParams;
use crate::problem::Problem;
use crate::state::AppState;

/// The inspector's pages.
pub fn routes() -> Router<AppState> {
    Router::new().route("/sessions/{id}/inspect", get(inspect)).route("/sessions/{id}/inspect/raw", get(raw))
}

async fn inspect(
    here: PageContext,
    allowed: Allowed<ToRead>,
    Path(id): Path<String>,
    QueryParams(asked): QueryParams<BTreeMap<String, String>>,
) -> Result<Markup, Problem> {
    let past = ReadPast::read(&here.app, &allowed.0, &SessionId::of(id)).await?;
    let glance = InspectorQuery::read(&asked, &past)?;
    let forks = forks_of(&here, &allowed.0, &past).await?;
    let panel = match glance.side {
        InspectorSide::Event => event::panel(&here, &past, &glance),
        InspectorSide::State => state::panel(&here, &past, &glance)?,
        InspectorSide::Prompt => prompt::panel(&here, &past, &glance).await?,
        InspectorSide::Moves => moves::panel(&here, &past, &glance)?,
    };
    let line = |recorded: &Recorded| past.event(recorded.seq).and_then(|seen| seen.line(here.lang()));
    let scene = Scene::read(&past.drawn(), &line);
    let view = View::around(&scene, glance.at.0);
    let about = here.app.about(&past.row.application);
    let side = glance.side;
    let links = TimelineLinks {
        to_event: &|seq| address(&past.row.id, Seq(seq), side),
        forks: &forks,
        to_fork: &|fork, at| address(fork, Seq(at), side),
    };
    let body = html! {
        link rel="stylesheet" href=(assets::address("inspector.css"));
        script type="module" src=(assets::address("inspector.js")) {}
        div.inspector {
            (header::header(&here, &past, &forks))
            (timeline(here.words, about, &view, &links))
            (header::walk(&here, &past, &glance))
            (sides(&here, &past, &glance))
            div.panel #panel { (panel) }
            (event_list::listing(here.words, about, &view, &links))
        }
    };
    let title = here.words.fill("inspector.title", &[("session", &past.row.standing.title)]);
    Ok(here.page(&title, &body))
}

/// The four sides of an event.
fn sides(here: &PageContext, past: &ReadPast, glance: &InspectorQuery) -> Markup {
    let to = |side| address(&past.row.id, glance.at, side);
    let all: Vec<(String, &str)> =
        InspectorSide::ALL.map(|side| (to(side), here.words.of("inspector-side", side.word()))).into();
    let all: Vec<(&str, &str)> = all.iter().map(|(href, label)| (href.as_str(), *label)).collect();
    tabs(&all, &to(glance.side))
}

/// One side of an event in full, as plain JSON.
async fn raw(
    here: PageContext,
    allowed: Allowed<ToRead>,
    Path(id): Path<String>,
    QueryParams(asked): QueryParams<BTreeMap<String, String>>,
) -> Result<Response, Problem> {
    let past = ReadPast::read(&here.app, &allowed.0, &SessionId::of(id)).await?;
    let glance = InspectorQuery::read(&asked, &past)?;
    let value: Value = match glance.side {
        InspectorSide::Event => match past.event(glance.at).map(SeenEvent::recorded) {
            Some(Some(recorded)) => event::whole(recorded),
            Some(None) => return Err(CommonRefusal::NotYourPart.into()),
            None => Value::Null,
        },
        InspectorSide::State => past.state_at(glance.at)?.ok_or(CommonRefusal::NotYourPart)?.to_json(),
        InspectorSide::Prompt => {
            let prompts = prompts_in(&here.app, &past.reading, glance.at).await?;
            json!(prompts.iter().map(|prompt| &prompt.request).collect::<Vec<_>>())
        }
        InspectorSide::Moves => json!(past.positions_at(glance.at, here.lang())?),
    };
    let text = serde_json::to_string_pretty(&value).map_err(|_| Problem::Bug)?;
    Ok(([(CONTENT_TYPE, "application/json; charset=utf-8")], text).into_response())
}

/// The caller's sessions that were forked from this one, by where: only its owner forks it.
async fn forks_of(here: &PageContext, caller: &Caller, past: &ReadPast) -> Result<Vec<(SessionId, u64)>, Problem> {
    if !past.reading.reader.is_host() {
        return Ok(Vec::new());
    }
    let relatives = super::compare::relatives(here, caller.name(), past.row.of.as_ref()).await?;
    let mut forks: Vec<(SessionId, u64)> = relatives
        .iter()
        .filter_map(|row| row.parent.as_ref().map(|(parent, at)| (parent, at, row)))
        .filter(|(parent, ..)| **parent == past.row.id)
        .map(|(_, at, row)| (row.id.clone(), at.0))
        .collect();
    forks.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
    Ok(forks)
}
