//! The inspector: any session, event by event.
//!
//! The timeline stands above; below it one event is looked at from four sides: the event itself, the state it led to, the
//! prompts around it, and where everything stands in its moves. All of it is derived from the log by the functions that
//! made it. Looking changes nothing; the one thing that can be done from here is to fork, as on the session's own page.

mod change;
mod event;
mod glance;
mod header;
mod json;
mod listing;
mod moves;
mod prompt;
mod state;

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use enza_kernel::time::Seq;
use enza_runtime::engine::Past;
use enza_runtime::seams::store::SessionId;
use maud::{Markup, html};
use serde_json::{Value, json};

pub(super) use change::{changed, changes};
pub(super) use glance::{Side, address};
pub(super) use header::short;
pub(super) use state::json_of;

use glance::Glance;

use super::Here;
use crate::access::{Allowed, ToRead};
use crate::assets;
use crate::design::tabs;
use crate::drawing::timeline::{Links, Scene, View, timeline};
use crate::house::House;
use crate::problem::Problem;
use crate::read::Asked;

/// The inspector's pages.
pub fn routes() -> Router<House> {
    Router::new().route("/sessions/{id}/inspect", get(inspect)).route("/sessions/{id}/inspect/raw", get(raw))
}

async fn inspect(
    here: Here,
    allowed: Allowed<ToRead>,
    Path(id): Path<String>,
    Asked(asked): Asked<BTreeMap<String, String>>,
) -> Result<Markup, Problem> {
    let row = allowed.0.session(&here.house, &id).await?;
    let past = here.house.engine().past(&row.id).await?;
    let glance = Glance::read(&asked, &past)?;
    let forks = forks_of(&here, &row.owner, &past).await?;
    let panel = match glance.side {
        Side::Event => event::panel(&here, &past, &glance),
        Side::State => state::panel(&here, &past, &glance)?,
        Side::Prompt => prompt::panel(&here, &past, &glance).await?,
        Side::Moves => moves::panel(&here, &past, &glance)?,
    };
    let scene = Scene::read(&past.events, &|recorded| past.host.line(recorded, here.lang()));
    let view = View::around(&scene, glance.at.0);
    let side = glance.side;
    let links = Links {
        to_event: &|seq| address(&past.row.id, Seq(seq), side),
        forks: &forks,
        to_fork: &|fork, at| address(fork, Seq(at), side),
    };
    let body = html! {
        link rel="stylesheet" href=(assets::address("inspector.css"));
        script type="module" src=(assets::address("inspector.js")) {}
        div.inspector {
            (header::header(&here, &past, &forks))
            (timeline(here.words, &view, &links))
            (header::walk(&here, &past, &glance))
            (sides(&here, &past, &glance))
            div.panel #panel { (panel) }
            (listing::listing(here.words, &view, &links))
        }
    };
    let title = here.words.fill("inspector.title", &[("session", &past.row.standing.title)]);
    Ok(here.page(&title, &body))
}

/// The four sides of an event.
fn sides(here: &Here, past: &Past, glance: &Glance) -> Markup {
    let to = |side| address(&past.row.id, glance.at, side);
    let all: Vec<(String, &str)> =
        Side::ALL.map(|side| (to(side), here.words.of("inspector-side", side.word()))).into();
    let all: Vec<(&str, &str)> = all.iter().map(|(href, label)| (href.as_str(), *label)).collect();
    tabs(&all, &to(glance.side))
}

/// One side of an event in full, as plain JSON.
async fn raw(
    here: Here,
    allowed: Allowed<ToRead>,
    Path(id): Path<String>,
    Asked(asked): Asked<BTreeMap<String, String>>,
) -> Result<Response, Problem> {
    let row = allowed.0.session(&here.house, &id).await?;
    let past = here.house.engine().past(&row.id).await?;
    let glance = Glance::read(&asked, &past)?;
    let value: Value = match glance.side {
        Side::Event => json!(past.event(glance.at).map(event::whole)),
        Side::State => json_of(&past.state_at(glance.at)?.freeze()),
        Side::Prompt => {
            let prompts = here.house.engine().prompts_at(&past.row.id, glance.at).await?;
            json!(prompts.iter().map(|prompt| &prompt.request).collect::<Vec<_>>())
        }
        Side::Moves => json!(past.state_at(glance.at)?.floor(here.lang()).positions),
    };
    let text = serde_json::to_string_pretty(&value).map_err(|_| Problem::Bug)?;
    Ok(([(CONTENT_TYPE, "application/json; charset=utf-8")], text).into_response())
}

/// The caller's sessions that were forked from this one, by where.
async fn forks_of(here: &Here, owner: &str, past: &Past) -> Result<Vec<(SessionId, u64)>, Problem> {
    let relatives = super::compare::relatives(here, owner, past.row.of.as_ref()).await?;
    let mut forks: Vec<(SessionId, u64)> = relatives
        .iter()
        .filter_map(|row| row.parent.as_ref().map(|(parent, at)| (parent, at, row)))
        .filter(|(parent, ..)| **parent == past.row.id)
        .map(|(_, at, row)| (row.id.clone(), at.0))
        .collect();
    forks.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
    Ok(forks)
}
