//! The frame around every page: head, header with the way around, main, footer.
//!
//! The colour scheme is the browser's until the reader chooses one; `theme.js` sets the choice before anything is
//! drawn. A page that needs a script or a style of its own links to it from its body.

use maud::{DOCTYPE, Markup, html};

use super::button::{Weight, button, link_button};
use super::field::form;
use crate::access::{Caller, Need};
use crate::assets;
use crate::part::Room;
use crate::state::{Accounts, AppState};
use crate::words::Words;

/// The style of every page, in order.
const STYLES: &[&str] = &["tokens.css", "ground.css", "enza.css", "changes.css", "rooms.css"];

/// What a page needs to know of its reader.
pub struct Frame<'a> {
    pub app: &'a AppState,
    /// Who reads, if anyone is signed in.
    pub caller: Option<&'a Caller>,
    /// The reader's words.
    pub words: Words,
    /// Whether the head of the page shows the way in to whoever is not signed in.
    pub invites: bool,
}

/// A whole page.
pub fn page(frame: &Frame<'_>, title: &str, body: &Markup) -> Markup {
    let words = frame.words;
    html! {
        (DOCTYPE)
        html lang=(words.0) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Enza" }
                link rel="icon" type="image/svg+xml" href=(assets::address("mark.svg"));
                @for style in STYLES { link rel="stylesheet" href=(assets::address(style)); }
                script src=(assets::address("theme.js")) {}
                script type="module" src=(assets::address("enza.js")) {}
            }
            body data-offline=(words.say("frame.offline")) data-trouble=(words.say("frame.trouble")) {
                a.skip href="#main" { (words.say("frame.skip")) }
                (header(frame))
                main #main { (body) }
                (footer(frame))
                div.toasts #toasts aria-live="polite" {}
            }
        }
    }
}

/// The mark: seats around a place in the middle; the nearest is the reader's.
pub fn circle() -> Markup {
    html! {
        svg.circle viewBox="0 0 32 32" aria-hidden="true" focusable="false" {
            path.own d=(OWN_SEAT) {}
            @for seat in SEATS { path d=(seat) {} }
            circle cx="16" cy="16" r="5.2" {}
        }
    }
}

/// The reader's seat, as a path. `assets/mark.svg` is the same drawing.
const OWN_SEAT: &str = "M18.74 27.89A12.2 12.2 0 0 1 13.26 27.89";

/// The other seats, from the reader's left around.
const SEATS: [&str; 6] = [
    "M8.42 25.56A12.2 12.2 0 0 1 5 21.27",
    "M3.8 16.03A12.2 12.2 0 0 1 5.02 10.68",
    "M8.37 6.48A12.2 12.2 0 0 1 13.31 4.1",
    "M18.69 4.1A12.2 12.2 0 0 1 23.63 6.48",
    "M26.98 10.68A12.2 12.2 0 0 1 28.2 16.03",
    "M27 21.27A12.2 12.2 0 0 1 23.58 25.56",
];

fn header(frame: &Frame<'_>) -> Markup {
    let words = frame.words;
    html! {
        header.top {
            a.brand href="/" { (circle()) span.wordmark { "Enza" } }
            @if let Some(caller) = frame.caller {
                nav.ways aria-label=(words.say("frame.ways")) {
                    a href="/" { (words.say("frame.home")) }
                    @for room in rooms(frame) { a href=(room.address) { (words.say(room.name)) } }
                    a href="/usage" { (words.say("frame.usage")) }
                    @if caller.may(Need::Run) { a href="/administration" { (words.say("frame.administration")) } }
                }
                (person_menu(frame, caller))
            } @else if frame.invites {
                (link_button("/sign-in", words.say("frame.sign_in"), Weight::Quiet))
            }
        }
    }
}

/// The pages that applications add to the way around.
fn rooms<'a>(frame: &'a Frame<'_>) -> impl Iterator<Item = Room> + 'a {
    frame.app.parts().iter().filter_map(|part| part.contents().room)
}

fn person_menu(frame: &Frame<'_>, caller: &Caller) -> Markup {
    let words = frame.words;
    let name = if caller.person.display.is_empty() { caller.name() } else { &caller.person.display };
    html! {
        details.menu {
            summary { span.menu-name { (name) } }
            div.menu-list {
                div.narrow-only {
                    a href="/" { (words.say("frame.home")) }
                    @for room in rooms(frame) { a href=(room.address) { (words.say(room.name)) } }
                    a href="/usage" { (words.say("frame.usage")) }
                    @if caller.may(Need::Run) { a href="/administration" { (words.say("frame.administration")) } }
                }
                a href="/settings" { (words.say("frame.settings")) }
                a href="/api" { (words.say("frame.api")) }
                @if frame.app.accounts() == Accounts::Shared {
                    (form("/sign-out", button(words.say("frame.sign_out"), Weight::Quiet)))
                }
            }
        }
    }
}

fn footer(frame: &Frame<'_>) -> Markup {
    let words = frame.words;
    html! {
        footer.bottom {
            p.colophon { span lang="ja" { "円座" } " Enza" }
            (theme_switch(words))
        }
    }
}

/// The switch between light and dark. It needs a script, so it shows only where there is one.
pub fn theme_switch(words: Words) -> Markup {
    html! {
        fieldset.theme hidden data-theme-switch {
            legend { (words.say("frame.theme")) }
            @for theme in ["auto", "light", "dark"] {
                button type="button" data-theme-choice=(theme) aria-pressed="false" { (words.of("theme", theme)) }
            }
        }
    }
}
