//! What there is to look through beside a conversation, with what may be done about each thing, and how the session
//! behaves where that can be switched.

use enza_kernel::floor::{ItemAction, List, ListItem, Switch, SwitchOption};
use maud::{Markup, html};

use super::offers::{asked_once_more, order};
use crate::actions::sessions::SessionView;
use crate::design::{Weight, button};
use crate::words::Words;

/// Every switch; the present way is no button.
pub(super) fn switches(view: &SessionView) -> Markup {
    html! { @for switch in &view.floor.switches { (self::switch(view, switch)) } }
}

fn switch(view: &SessionView, switch: &Switch) -> Markup {
    let way = |way: &SwitchOption| match way.current {
        true => html! { span.segment aria-current="true" { (way.label) } },
        false => order(view, &way.command, html! { button.segment type="submit" { (way.label) } }),
    };
    let about = switch.ways.iter().find(|way| way.current).map(|way| way.about.as_str());
    html! {
        section.switch {
            h2 { (switch.label) }
            div.segments role="group" aria-label=(switch.label) { @for one in &switch.ways { (way(one)) } }
            @if let Some(about) = about { p.hint { (about) } }
        }
    }
}

/// Every list.
pub(super) fn lists(words: Words, view: &SessionView) -> Markup {
    html! {
        @for (place, list) in view.floor.lists.iter().enumerate() { (self::list(words, view, place, list)) }
    }
}

fn list(words: Words, view: &SessionView, place: usize, list: &List) -> Markup {
    html! {
        section.listed {
            h2 { (list.title) }
            ul {
                @for (number, one) in list.things.iter().enumerate() {
                    (thing(words, view, &format!("deed-{place}-{number}"), one))
                }
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
