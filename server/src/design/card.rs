//! What holds other things together: a card, a section, a list of facts, and the place where there is nothing yet.

use maud::{Markup, html};

/// A sheet on the page, with or without a title.
pub fn card(title: Option<&str>, body: Markup) -> Markup {
    html! {
        section.card {
            @if let Some(title) = title { h3.card-title { (title) } }
            (body)
        }
    }
}

/// A part of a page under its own title.
pub fn section(title: &str, body: Markup) -> Markup {
    html! {
        section.part {
            h2 { (title) }
            (body)
        }
    }
}

/// Facts, each under its label.
pub fn facts(facts: &[(&str, Markup)]) -> Markup {
    html! {
        dl.facts {
            @for (label, fact) in facts {
                div { dt { (label) } dd { (fact) } }
            }
        }
    }
}

/// Says that there is nothing here, why, and what to do about it.
pub fn empty(title: &str, text: &str, next: Option<Markup>) -> Markup {
    html! {
        div.empty {
            (super::frame::circle())
            p.empty-title { (title) }
            p { (text) }
            @if let Some(next) = next { div.row { (next) } }
        }
    }
}
