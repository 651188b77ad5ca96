//! The reader's sessions: filtered by application and phase, searched by title, page by page.
//!
//! A page begins after the last session of the page before, by time of change and name, so nothing is skipped or shown
//! twice for being changed elsewhere in the list.

use enza_kernel::application::Phase;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::{Filter, SessionId, SessionRow};
use maud::{Markup, html};
use serde::Deserialize;

use crate::access::Caller;
use crate::design::{Weight, button, empty, link_button, section, time};
use crate::pages::Here;
use crate::pages::standing::{application, phase_badge};
use crate::problem::Problem;
use crate::words::Words;

/// How many sessions a page shows.
const PAGE: usize = 20;

/// Which sessions the reader wants to see. Empty fields ask for nothing, as a form sends them.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Wish {
    #[serde(default)]
    application: String,
    #[serde(default)]
    phase: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    after: String,
}

/// The list with its filter.
pub(super) async fn list(here: &Here, caller: &Caller, wish: &Wish) -> Result<Markup, Problem> {
    let words = here.words;
    let mut rows = here.house.engine().store().list(&wish.filter(caller)).await?;
    let next = (rows.len() > PAGE).then(|| wish.next(&rows[PAGE - 1]));
    rows.truncate(PAGE);
    let has_none = rows.is_empty() && !wish.is_narrow();
    Ok(section(
        words.say("home.sessions"),
        html! {
            @if has_none {
                (empty(words.say("home.none"), words.say("home.none_what"), None))
            } @else {
                (filter_form(here, wish))
                @if rows.is_empty() {
                    (empty(words.say("home.no_match"), words.say("home.no_match_what"),
                        Some(link_button("/", words.say("home.show_all"), Weight::Plain))))
                }
                ul.sessions { @for row in &rows { li { (session(words, row)) } } }
                div.row.apart {
                    @if !wish.after.is_empty() { (link_button("/", words.say("home.first_page"), Weight::Quiet)) }
                    @if let Some(next) = &next { (link_button(next, words.say("home.next_page"), Weight::Plain)) }
                }
            }
        },
    ))
}

/// What a session is called.
pub(super) fn title(words: Words, row: &SessionRow) -> String {
    let title = &row.standing.title;
    if title.is_empty() { words.say("session.untitled").to_owned() } else { title.clone() }
}

fn session(words: Words, row: &SessionRow) -> Markup {
    html! {
        a.session-row href={ "/sessions/" (row.id) } {
            span.session-title { (title(words, row)) }
            span.session-kind { (application(words, &row.application)) }
            (phase_badge(words, row.standing.phase))
            span.session-when { (time(words, row.changed_at)) }
        }
    }
}

fn filter_form(here: &Here, wish: &Wish) -> Markup {
    let words = here.words;
    let applications: Vec<_> = here.house.engine().repertoire().names().collect();
    html! {
        form.filter method="get" action="/" role="search" {
            label.aloud for="filter-title" { (words.say("home.search")) }
            input.entry #filter-title type="search" name="title" value=(wish.title) placeholder=(words.say("home.search")) autocomplete="off";
            label.aloud for="filter-application" { (words.say("home.application")) }
            select.entry #filter-application name="application" {
                option value="" { (words.say("home.any_application")) }
                @for name in applications { option value=(name) selected[name == wish.application] { (application(words, name)) } }
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

impl Wish {
    fn is_narrow(&self) -> bool {
        [&self.application, &self.phase, &self.title, &self.after].iter().any(|one| !one.is_empty())
    }

    fn filter(&self, caller: &Caller) -> Filter {
        let given = |text: &String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        Filter {
            owner: Some(caller.name().to_owned()),
            application: given(&self.application),
            phases: Phase::from_word(&self.phase).into_iter().collect(),
            title_part: given(&self.title),
            after: self.place(),
            limit: PAGE + 1,
            ..Filter::default()
        }
    }

    /// Where the page before ended, if that can be read.
    fn place(&self) -> Option<(Timestamp, SessionId)> {
        let (at, id) = self.after.split_once('.')?;
        Some((Timestamp(at.parse().ok()?), SessionId::of(id)))
    }

    /// The address of the page after a session.
    fn next(&self, last: &SessionRow) -> String {
        let fields = [("application", &self.application), ("phase", &self.phase), ("title", &self.title)];
        let mut address = format!("/?after={}.{}", last.changed_at.0, last.id);
        for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
            address.push_str(&format!("&{name}={}", encoded(value)));
        }
        address
    }
}

/// A text as a part of an address.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
