//! What may be done in a session now, by a press: buttons, and the forms that send one order.
//!
//! Every form works by itself: it is posted, and the answer leads back to the page. `session.js` sends the same form, so
//! that nothing has to be loaded anew.

use enza_kernel::floor::{Offer, Weight};
use maud::{Markup, html};
use serde_json::Value;
use uuid::Uuid;

use super::viewer::{Act, Viewer};
use crate::actions::sessions::SessionView;
use crate::design::{self, button, dialog};

/// The buttons.
pub(super) fn presses(viewer: &Viewer, view: &SessionView) -> Markup {
    let presses = view.floor.offers.iter().filter_map(|offer| match offer {
        Offer::Press { label, command, weight } => Some((label, command, *weight)),
        Offer::Say { .. } => None,
    });
    html! {
        @if viewer.may(Act::Command) {
            div.presses.row {
                @for (place, (label, command, weight)) in presses.enumerate() {
                    (press(viewer, place, label, command, weight))
                }
            }
        }
    }
}

fn press(viewer: &Viewer, place: usize, label: &str, command: &Value, weight: Weight) -> Markup {
    let plainly = |shown: design::Weight| command_order(viewer, command, html! { (button(label, shown)) });
    match weight {
        Weight::Main => plainly(design::Weight::Main),
        Weight::Retry => plainly(design::Weight::Main),
        Weight::Plain => plainly(design::Weight::Plain),
        Weight::Grave => asked_once_more(viewer, &format!("sure-{place}"), label, command, None),
    }
}

/// A button whose command is sent only after one more question; what it comes to, or that it cannot be undone.
pub(super) fn asked_once_more(viewer: &Viewer, id: &str, label: &str, command: &Value, about: Option<&str>) -> Markup {
    html! {
        (command_order(viewer, command, html! {
            input type="hidden" name="grave" value=(label);
            @if let Some(about) = about { input type="hidden" name="about" value=(about); }
            button.button.quiet type="submit" data-opens=(id) { (label) }
        }))
        (dialog(id, label, sure(viewer, command, label, about.unwrap_or_else(|| viewer.words.say("session.sure")))))
    }
}

/// Asks once more before something that is not to be taken lightly.
pub(super) fn sure(viewer: &Viewer, command: &Value, label: &str, about: &str) -> Markup {
    html! {
        p { (about) }
        (command_order(viewer, command, html! {
            div.row {
                (button(label, design::Weight::Grave))
                a.button.quiet href=(viewer.page()) data-closes { (viewer.words.say("session.not_now")) }
            }
        }))
    }
}

/// A form that sends one command of the floor's.
pub(super) fn command_order(viewer: &Viewer, command: &Value, body: Markup) -> Markup {
    order(viewer, &[("command", &command.to_string())], body)
}

/// A form that sends one order, which is what these fields say.
pub fn order(viewer: &Viewer, fields: &[(&str, &str)], body: Markup) -> Markup {
    html! {
        form.order method="post" action=(viewer.orders()) {
            @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
            input type="hidden" name="key" value=(Uuid::now_v7());
            (body)
        }
    }
}
