//! The reader's sessions: filtered by application and phase, searched by title, page by page.
//!
//! A page begins where the one before ended, by a cursor, so that nothing is skipped or shown twice while other
//! sessions come and go.

use enza_kernel::application::Phase;
use enza_runtime::seams::store::SessionRow;
use maud::{Markup, html};
use serde::Deserialize;

use crate::access::Caller;
use crate::actions::sessions::{self, SessionFilter, SessionPage};
use crate::design::{Weight, button, empty, link_button, time};
use crate::pages::PageContext;
use crate::pages::badges::standing_badge;
use crate::percent::encoded;
use crate::problem::Problem;
use crate::words::Words;

/// How many sessions a page shows.
const AT_A_TIME: usize = 20;

/// Which sessions the reader wants to see. Empty fields ask for nothing, as a form sends them.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct SessionListQuery {
    #[serde(default)]
    application: String,
    #[serde(default)]
    phase: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    after: String,
}

/// The sessions that are wanted.
pub(super) async fn read(here: &PageContext, caller: &Caller, wish: &SessionListQuery) -> Result<SessionPage, Problem> {
    sessions::list(&here.app, caller, wish.wanted()).await
}

/// The list, with its filter folded below; where something was searched for, above and open.
pub(super) fn list(here: &PageContext, wish: &SessionListQuery, found: &SessionPage) -> Markup {
    let words = here.words;
    let SessionPage { rows, next } = found;
    let next = next.as_ref().map(|cursor| wish.address(cursor));
    html! {
        @if wish.is_narrow() { (filter_form(here, wish)) }
        @if rows.is_empty() {
            (empty(words.say("home.no_match"), words.say("home.no_match_what"),
                Some(link_button("/", words.say("home.show_all"), Weight::Plain))))
        }
        ul.sessions { @for row in rows { li { (session(here, row)) } } }
        div.row.apart {
            @if !wish.after.is_empty() { (link_button("/", words.say("home.first_page"), Weight::Quiet)) }
            @if let Some(next) = &next { (link_button(next, words.say("home.next_page"), Weight::Plain)) }
        }
        @if !wish.is_narrow() {
            details.search {
                summary { (words.say("home.search_sessions")) }
                (filter_form(here, wish))
            }
        }
    }
}

/// What a session is called.
pub(super) fn title(words: Words, row: &SessionRow) -> String {
    let title = &row.standing.title;
    if title.is_empty() { words.say("session.untitled").to_owned() } else { title.clone() }
}

fn session(here: &PageContext, row: &SessionRow) -> Markup {
    let words = here.words;
    html! {
        a.session-row href=(here.app.address_of(row)) {
            span.session-title { (title(words, row)) }
            span.session-kind { (here.title_of(&row.application)) }
            (standing_badge(words, &row.standing))
            span.session-when { (time(words, row.changed_at)) }
        }
    }
}

fn filter_form(here: &PageContext, wish: &SessionListQuery) -> Markup {
    let words = here.words;
    let applications: Vec<_> = here.app.engine().applications().names().collect();
    html! {
        form.filter method="get" action="/" role="search" {
            label.aloud for="filter-title" { (words.say("home.search")) }
            input.entry #filter-title type="search" name="title" value=(wish.title) placeholder=(words.say("home.search")) autocomplete="off";
            label.aloud for="filter-application" { (words.say("home.application")) }
            select.entry #filter-application name="application" {
                option value="" { (words.say("home.any_application")) }
                @for name in applications { option value=(name) selected[name == wish.application] { (here.title_of(name)) } }
            }
            label.aloud for="filter-phase" { (words.say("home.phase")) }
            select.entry #filter-phase name="phase" {
                option value="" { (words.say("home.any_phase")) }
                @for phase in PHASES { option value=(phase.word()) selected[phase.word() == wish.phase] { (words.of("phase", phase.word())) } }
            }
            (button(words.say("home.filter"), Weight::Plain))
        }
    }
}

const PHASES: [Phase; 5] = [Phase::Gate, Phase::Waiting, Phase::Working, Phase::Stuck, Phase::Ended];

impl SessionListQuery {
    /// Whether it asks for some of them only.
    pub(super) fn is_narrow(&self) -> bool {
        [&self.application, &self.phase, &self.title, &self.after].iter().any(|one| !one.is_empty())
    }

    fn wanted(&self) -> SessionFilter {
        let given = |text: &String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        SessionFilter {
            application: given(&self.application),
            phases: Phase::from_word(&self.phase).into_iter().collect(),
            title: given(&self.title),
            of: None,
            limit: Some(AT_A_TIME),
            cursor: given(&self.after),
        }
    }

    /// The address of the page that begins at a cursor.
    fn address(&self, cursor: &str) -> String {
        let fields =
            [("after", cursor), ("application", &self.application), ("phase", &self.phase), ("title", &self.title)];
        let given = fields.into_iter().filter(|(_, value)| !value.is_empty());
        let parts: Vec<_> = given.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        format!("/?{}", parts.join("&"))
    }
}
