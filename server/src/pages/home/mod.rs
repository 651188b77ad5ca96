//! The first page: what waits for the reader, their sessions, and the ways to begin a new one.
//!
//! Whoever is not signed in finds out what this is, and the way in.

mod landing;
mod list;
mod start;

use axum::Router;
use axum::routing::{get, post};
use enza_kernel::application::Phase;
use enza_runtime::seams::store::{Family, Filter, SessionRow};
use maud::{Markup, html};

use super::PageContext;
use super::badges::standing_badge;
use crate::access::Caller;
use crate::assets;
use crate::design::{self, Tone, section};
use crate::extract::QueryParams;
use crate::part::Entrance;
use crate::problem::Problem;
use crate::state::AppState;
use crate::words::Words;
use list::SessionListQuery;
use start::UnsentStart;
pub use start::lead_to;

/// How many sessions that wait are shown; the list below has them all.
const WAITING: usize = 6;
/// How many are looked at in one go.
const AT_A_TIME: usize = 50;

pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/", get(home)).route("/sessions", post(start::open))
}

async fn home(here: PageContext, QueryParams(wish): QueryParams<SessionListQuery>) -> Result<Markup, Problem> {
    let Some(caller) = &here.caller else { return Ok(landing::landing(&here)) };
    draw(&here, caller, &wish, UnsentStart::default()).await
}

/// The page with what a part says in place of the way into its application: what was typed there, and what is wrong with
/// it.
pub async fn home_with(
    here: &PageContext,
    caller: &Caller,
    application: &'static str,
    entrance: Entrance,
) -> Result<Markup, Problem> {
    let unsent = UnsentStart { entrance: Some((application, entrance)), ..UnsentStart::default() };
    draw(here, caller, &SessionListQuery::default(), unsent).await
}

async fn draw(
    here: &PageContext,
    caller: &Caller,
    wish: &SessionListQuery,
    unsent: UnsentStart,
) -> Result<Markup, Problem> {
    let words = here.words;
    let waiting = waiting(here, caller).await?;
    let body = html! {
        h1.aloud { (words.say("home.title")) }
        @if here.app.models().current().understudy { (understudy(words)) }
        div.home {
            div.home-main {
                @if !waiting.is_empty() {
                    (section(words.say("home.waiting"), html! {
                        ul.waiting { @for row in &waiting { li { (waits(here, row)) } } }
                    }))
                }
                (list::list(here, caller, wish).await?)
            }
            aside.home-start { (start::start(here, caller, unsent)) }
        }
        script type="module" src=(assets::address("home.js")) {}
    };
    Ok(here.page(words.say("home.title"), &body))
}

/// The sessions that cannot go on without the reader, newest first. Those of a family wait for someone else.
async fn waiting(here: &PageContext, caller: &Caller) -> Result<Vec<SessionRow>, Problem> {
    let mut filter = Filter {
        owner: Some(caller.name().to_owned()),
        family: Family::Alone,
        phases: vec![Phase::Gate, Phase::Stuck, Phase::Waiting],
        limit: AT_A_TIME,
        ..Filter::default()
    };
    let mut found = Vec::new();
    loop {
        let rows = here.app.engine().store().list(&filter).await?;
        filter.after = rows.last().filter(|_| rows.len() == AT_A_TIME).map(|row| (row.changed_at, row.id.clone()));
        // What waits, and for nothing that can be named, waits for a timer or for others.
        let waits = |row: &SessionRow| row.standing.phase != Phase::Waiting || row.standing.waiting_for.is_some();
        found.extend(rows.into_iter().filter(waits));
        if found.len() >= WAITING || filter.after.is_none() {
            found.truncate(WAITING);
            return Ok(found);
        }
    }
}

fn waits(here: &PageContext, row: &SessionRow) -> Markup {
    let words = here.words;
    html! {
        a.waits href=(here.app.address_of(row)) {
            span.waits-head {
                (standing_badge(words, &row.standing))
                span.waits-title { (list::title(words, row)) }
                span.waits-kind { (here.title_of(&row.application)) }
            }
            @if let Some(what) = &row.standing.waiting_for { span.waits-what { (what) } }
        }
    }
}

/// Always said while no model answers, with the way to get one.
fn understudy(words: Words) -> Markup {
    html! {
        div.understudy {
            (design::notice(Tone::Plain, words.say("home.understudy"), words.say("home.understudy_what")))
            p.small { (words.say("home.get_model")) " " code { "enza model pull" } " " (words.say("home.or_key")) " " code { "ANTHROPIC_API_KEY" } }
        }
    }
}
