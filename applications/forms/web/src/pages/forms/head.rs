//! What stands above every page of one form: its title, how it stands, the tabs, and the menu of what is seldom wanted.

use enza_forms::State;
use enza_server::design::{Tone, badge};
use enza_server::pages::PageContext;
use enza_server::words::Words;
use maud::{Markup, html};

pub(in crate::pages) use super::tabs::Tab;
use super::tabs::tabs;
use crate::actions::forms::LoadedForm;

/// The head of a page.
pub(in crate::pages) fn head(here: &PageContext, held: &LoadedForm, tab: Tab) -> Markup {
    let words = here.words;
    let id = held.row.id.as_str();
    html! {
        header.form-head {
            p.kind { a href="/forms" { (words.say("forms.name")) } }
            div.row.apart {
                h1 #form-title { (title(words, held)) }
                (menu(words, id))
            }
            (tabs(words, id, tab))
        }
    }
}

/// What a form is called.
pub(in crate::pages) fn title(words: Words, held: &LoadedForm) -> String {
    let title = held.state.card().title.trim();
    if title.is_empty() { words.say("forms.untitled").to_owned() } else { title.to_owned() }
}

/// Whether a form takes answers.
pub(super) fn state_badge(words: Words, state: &State) -> Markup {
    match (state.published().is_some(), state.card().is_open) {
        (false, _) => badge(words.say("forms.draft"), Tone::Plain),
        (true, true) => badge(words.say("forms.open"), Tone::Good),
        (true, false) => badge(words.say("forms.closed"), Tone::Warn),
    }
}

fn menu(words: Words, id: &str) -> Markup {
    let at = format!("/forms/{id}");
    html! {
        details.menu {
            summary { (words.say("forms.more")) }
            div.menu-list {
                a href={ (at) "/export/toml" } download { (words.say("forms.export_toml")) }
                a href={ (at) "/export/json" } download { (words.say("forms.export_json")) }
                a href={ (at) "/export/schema" } download { (words.say("forms.export_schema")) }
                a href={ "/sessions/" (id) } { (words.say("forms.history")) }
                a.grave href={ (at) "/delete" } { (words.say("forms.delete")) }
            }
        }
    }
}
