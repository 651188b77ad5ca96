//! The panels of a floor: what an application has to show beside a conversation, each kind drawn in one way, with what may
//! be done about each thing. A panel with nothing in it is not drawn.

use enza_kernel::panel::{Fact, ItemAction, ListItem, Panel, PanelContent};
use maud::{Markup, html};

use super::offers::{asked_once_more, order};
use crate::actions::sessions::SessionView;
use crate::design::{Weight, button, meter, table};
use crate::words::Words;

/// Every panel that has something in it.
pub(super) fn panels(words: Words, view: &SessionView) -> Markup {
    html! { @for one in view.floor.filled_panels() { (panel(words, view, one)) } }
}

fn panel(words: Words, view: &SessionView, panel: &Panel) -> Markup {
    let (class, body) = match &panel.content {
        PanelContent::Facts { facts } => ("known", html! { ol { @for one in facts { (fact(words, view, one)) } } }),
        PanelContent::List { things } => ("listed", list(words, view, &panel.id, things)),
        PanelContent::Meters { meters } => {
            ("meters", html! { @for one in meters { (meter(words, one.used, one.limit, &one.label)) } })
        }
        PanelContent::Table { columns, rows } => ("tabled", rows_of(columns, rows)),
    };
    html! {
        section class=(class) id={ "panel-" (panel.id) } {
            h2 { (panel.title) }
            (body)
        }
    }
}

fn fact(words: Words, view: &SessionView, fact: &Fact) -> Markup {
    html! {
        li aria-current=[fact.current.then_some("step")] {
            p.known-label {
                (fact.label)
                @if let Some(remark) = &fact.remark { span.remark { (remark) } }
            }
            @match &fact.value {
                Some(value) => p.known-value { (value) },
                None => p.known-value.nothing { (words.say("session.not_yet")) },
            }
            @if let Some(command) = &fact.change {
                (order(view, command, button(words.say("session.change"), Weight::Quiet)))
            }
        }
    }
}

fn list(words: Words, view: &SessionView, panel: &str, things: &[ListItem]) -> Markup {
    html! {
        ul {
            @for (number, one) in things.iter().enumerate() {
                (thing(words, view, &format!("deed-{panel}-{number}"), one))
            }
        }
    }
}

fn thing(words: Words, view: &SessionView, id: &str, thing: &ListItem) -> Markup {
    html! {
        li aria-current=[thing.current.then_some("true")] {
            p.thing { (thing.text) }
            @if let Some(remark) = &thing.remark { p.thing-remark { (remark) } }
            @if !thing.deeds.is_empty() {
                div.deeds {
                    @for (place, one) in thing.deeds.iter().enumerate() { (deed(words, view, &format!("{id}-{place}"), one)) }
                }
            }
        }
    }
}

fn deed(words: Words, view: &SessionView, id: &str, deed: &ItemAction) -> Markup {
    match &deed.about {
        Some(about) => asked_once_more(words, view, id, &deed.label, &deed.command, Some(about)),
        None => order(view, &deed.command, button(&deed.label, Weight::Quiet)),
    }
}

fn rows_of(columns: &[String], rows: &[Vec<String>]) -> Markup {
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    let cell = |text: &String| html! { (text) };
    table(&names, rows.iter().map(|row| row.iter().map(cell).collect()).collect())
}
