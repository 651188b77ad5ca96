//! The first page: what waits for the reader, the applications to begin with, and what they did last.
//!
//! Whoever has no sessions yet reads what this is, and finds the applications first. Whoever searches finds what they
//! search for and nothing else. Whoever is not signed in finds out what this is, and the way in.

mod cards;
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
    let body =
        if wish.is_narrow() { found(here, caller, wish).await? } else { whole(here, caller, wish, unsent).await? };
    let body = html! {
        link rel="stylesheet" href=(assets::address("home.css"));
        (body)
        script type="module" src=(assets::address("home.js")) {}
    };
    Ok(here.page(here.words.say("home.title"), &body))
}

/// What is there to be seen first.
async fn whole(
    here: &PageContext,
    caller: &Caller,
    wish: &SessionListQuery,
    unsent: UnsentStart,
) -> Result<Markup, Problem> {
    let words = here.words;
    let waiting = waiting(here, caller).await?;
    let latest = list::read(here, caller, wish).await?;
    let is_new = latest.rows.is_empty();
    let cards = cards::cards(here, caller, unsent.entrance);
    Ok(html! {
        div.home.is-new[is_new] {
            @if is_new {
                div.welcome {
                    h1 { (words.say("landing.sentence")) }
                    p.lead { (words.say("home.new_what")) }
                }
            } @else {
                h1.aloud { (words.say("home.title")) }
            }
            @if !waiting.is_empty() {
                (section(words.say("home.waiting"), html! {
                    ul.waiting { @for row in &waiting { li { (waits(here, row)) } } }
                }))
            }
            section.part.begin {
                h2.aloud[is_new] { (words.say("home.start")) }
                (cards::begin(here, &cards, waiting.is_empty()))
                @if here.app.models().current().understudy { (understudy(words)) }
            }
            @if !is_new { (section(words.say("home.sessions"), list::list(here, wish, &latest))) }
            (start::by_hand(here, &cards, &unsent.by_hand))
        }
    })
}

/// What a search found.
async fn found(here: &PageContext, caller: &Caller, wish: &SessionListQuery) -> Result<Markup, Problem> {
    let words = here.words;
    let found = list::read(here, caller, wish).await?;
    Ok(html! {
        div.home.home-found {
            p.small { a href="/" { (words.say("frame.back_home")) } }
            h1.page-title { (words.say("home.found")) }
            (list::list(here, wish, &found))
        }
    })
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
