//! How a session behaves, where that can be switched.

use enza_kernel::floor::{Switch, SwitchOption};
use maud::{Markup, html};

use super::offers::command_order;
use super::viewer::Viewer;
use crate::actions::sessions::SessionView;

/// Every switch; the present way is no button.
pub(super) fn switches(viewer: &Viewer, view: &SessionView) -> Markup {
    html! { @for switch in &view.floor.switches { (self::switch(viewer, switch)) } }
}

fn switch(viewer: &Viewer, switch: &Switch) -> Markup {
    let way = |way: &SwitchOption| match way.current {
        true => html! { span.segment aria-current="true" { (way.label) } },
        false => command_order(viewer, &way.command, html! { button.segment type="submit" { (way.label) } }),
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
