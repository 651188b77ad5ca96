//! The panels of a floor: what an application has to show beside a conversation, each kind drawn in one way, with what may
//! be done about each thing. A panel with nothing in it is not drawn.

use enza_kernel::panel::{Fact, ItemAction, ListItem, Panel, PanelContent};
use maud::{Markup, html};

use super::offers::{asked_once_more, command_order};
use super::viewer::Viewer;
use crate::actions::sessions::SessionView;
use crate::design::{Weight, button, meter, table};

/// Every panel that has something in it.
pub(super) fn panels(viewer: &Viewer, view: &SessionView) -> Markup {
    html! { @for one in view.floor.filled_panels() { (panel(viewer, one)) } }
}

fn panel(viewer: &Viewer, panel: &Panel) -> Markup {
    let (class, body) = match &panel.content {
        PanelContent::Facts { facts } => ("known", html! { ol { @for one in facts { (fact(viewer, one)) } } }),
        PanelContent::List { things } => ("listed", list(viewer, &panel.id, things)),
        PanelContent::Meters { meters } => {
            ("meters", html! { @for one in meters { (meter(viewer.words, one.used, one.limit, &one.label)) } })
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

fn fact(viewer: &Viewer, fact: &Fact) -> Markup {
    html! {
        li aria-current=[fact.current.then_some("step")] {
            p.known-label {
                (fact.label)
                @if let Some(remark) = &fact.remark { span.remark { (remark) } }
            }
            @match &fact.value {
                Some(value) => p.known-value { (value) },
                None => p.known-value.nothing { (viewer.words.say("session.not_yet")) },
            }
            @if let Some(command) = &fact.change {
                (command_order(viewer, command, button(viewer.words.say("session.change"), Weight::Quiet)))
            }
        }
    }
}

fn list(viewer: &Viewer, panel: &str, things: &[ListItem]) -> Markup {
    html! {
        ul {
            @for (number, one) in things.iter().enumerate() {
                (thing(viewer, &format!("deed-{panel}-{number}"), one))
            }
        }
    }
}

fn thing(viewer: &Viewer, id: &str, thing: &ListItem) -> Markup {
    html! {
        li aria-current=[thing.current.then_some("true")] {
            p.thing { (thing.text) }
            @if let Some(remark) = &thing.remark { p.thing-remark { (remark) } }
            @if !thing.deeds.is_empty() {
                div.deeds {
                    @for (place, one) in thing.deeds.iter().enumerate() { (deed(viewer, &format!("{id}-{place}"), one)) }
                }
            }
        }
    }
}

fn deed(viewer: &Viewer, id: &str, deed: &ItemAction) -> Markup {
    match &deed.about {
        Some(about) => asked_once_more(viewer, id, &deed.label, &deed.command, Some(about)),
        None => command_order(viewer, &deed.command, button(&deed.label, Weight::Quiet)),
    }
}

fn rows_of(columns: &[String], rows: &[Vec<String>]) -> Markup {
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    let cell = |text: &String| html! { (text) };
    table(&names, rows.iter().map(|row| row.iter().map(cell).collect()).collect())
}
