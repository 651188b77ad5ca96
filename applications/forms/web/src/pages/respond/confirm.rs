//! The confirmation: every answer with its label and marks, the way to change each, and the yes that submits.
//!
//! The yes is offered only where the gate is open, and the gate opens only where nothing required is missing.

use enza_server::design::{Tone, Weight, button, notice};
use enza_server::pages::session::Viewer;
use maud::{Markup, html};

use super::panel::row;
use super::turn::order;
use crate::actions::respond::GuestInterview;

/// The confirmation.
pub(super) fn confirmation(viewer: &Viewer, guest: &GuestInterview) -> Markup {
    let words = viewer.words;
    let missing = guest.state.required_not_done();
    html! {
        section.closing aria-labelledby="closing-title" {
            h2 #closing-title tabindex="-1" data-shown-first { (words.say("respond.look")) }
            @if missing.is_empty() {
                p.soft { (words.say("respond.look_how")) }
            } @else {
                (notice(Tone::Warn, words.say("respond.still_missing"), &words.0.list(&missing)))
            }
            ol.whole { @for entry in guest.entries() { (row(viewer, guest, &entry, "closing")) } }
            div.row.submit {
                @match (guest.state.gate(), missing.is_empty()) {
                    (Some(gate), true) => (order(viewer, "submit", &[("gate", &gate.id)], button(words.say("respond.submit"), Weight::Main))),
                    (None, true) => (order(viewer, "reconfirm", &[], button(words.say("respond.reconfirm"), Weight::Main))),
                    (Some(_) | None, false) => button.button.main type="button" disabled { (words.say("respond.submit")) },
                }
                a.button.quiet href=(viewer.below("leave")) { (words.say("respond.leave")) }
            }
            p.small.soft { (words.say("respond.submit_means")) }
        }
    }
}
