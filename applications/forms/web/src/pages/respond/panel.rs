//! Every field beside the chat, with what is known of it: to look, to correct at once, or to talk about again.
//!
//! On a phone it is a sheet that is drawn up; without scripts it stands below the conversation.

use enza_interview::{Kind, Stage};
use enza_server::design::{Weight, button};
use enza_server::pages::session::Viewer;
use enza_server::state::AppState;
use enza_server::words::Words;
use maud::{Markup, html};
use uuid::Uuid;

use super::entry::{Input, bare, mark};
use super::frame::languages;
use super::turn::order;
use crate::actions::respond::{FieldView, GuestInterview, InterviewPhase};

/// The panel's content.
pub(super) fn panel(viewer: &Viewer, app: &AppState, guest: &GuestInterview) -> Markup {
    let words = viewer.words;
    html! {
        section.known {
            h2 { (words.say("respond.answers")) }
            ol { @for entry in guest.entries() { (row(viewer, guest, &entry, "panel")) } }
        }
        p { a href=(viewer.below("form")) { (words.say("respond.as_form")) } }
        (come_back(words, app, guest))
        div.panel-languages { (languages(words, "")) }
    }
}

/// A field with its value, and the ways to change it.
pub(super) fn row(viewer: &Viewer, guest: &GuestInterview, entry: &FieldView<'_>, place: &str) -> Markup {
    let words = viewer.words;
    let shown = entry.shown(words.0);
    let is_file = entry.field.kind == Kind::File;
    html! {
        li.answer aria-current=[entry.is_current.then_some("step")] {
            p.known-label {
                (entry.label)
                @if let Some(said) = entry.mark() { " " (mark(words, said)) }
            }
            @match (&shown, is_file) {
                (Some(name), true) => p.known-value {
                    a href=(viewer.below(&format!("files/{}", entry.id()))) download { (name) }
                },
                (Some(value), false) => p.known-value { (value) },
                (None, _) => p.known-value.nothing { @if entry.record.is_done() { "—" } @else { (words.say("respond.not_yet")) } },
            }
            @if guest.state.stage().is_open() { (edit(viewer, guest, entry, place)) }
        }
    }
}

/// Corrects a field where it stands, or answers it there.
fn edit(viewer: &Viewer, guest: &GuestInterview, entry: &FieldView<'_>, place: &str) -> Markup {
    let words = viewer.words;
    let (name, label) = if entry.record.is_done() {
        (words.say("respond.edit"), words.fill("respond.edit_what", &[("label", &entry.label)]))
    } else {
        (words.say("respond.fill_in"), words.fill("respond.fill_in_what", &[("label", &entry.label)]))
    };
    let input = Input { entry, place, typed: None, error: None };
    html! {
        details.edit data-edit=(entry.id()) {
            summary aria-label=(label) { (name) }
            @if entry.field.kind == Kind::File {
                form.order method="post" enctype="multipart/form-data" action=(viewer.below(&format!("files/{}", entry.id()))) {
                    (bare(words, &input))
                    p.error role="alert" data-error hidden {}
                    div.row { (button(words.say("respond.attach"), Weight::Main)) }
                }
            } @else {
                (order(viewer, "fill", &[], html! {
                    (bare(words, &input))
                    p.error role="alert" data-error hidden {}
                    div.row { (button(words.say("respond.save"), Weight::Main)) }
                }))
            }
            (talk(viewer, guest, entry))
        }
    }
}

/// Turns the conversation to a field.
fn talk(viewer: &Viewer, guest: &GuestInterview, entry: &FieldView<'_>) -> Markup {
    let may_talk = match guest.moment() {
        // Whoever is being greeted is not spoken to about fields yet.
        InterviewPhase::Talking => {
            guest.state.question().is_some() && !entry.is_current && guest.state.stage() != Stage::Greeting
        }
        InterviewPhase::Confirming => true,
        InterviewPhase::Submitted | InterviewPhase::GivenUp => false,
    };
    html! {
        @if may_talk {
            (order(viewer, "change", &[("field", entry.id())], button(viewer.words.say("respond.talk"), Weight::Quiet)))
        }
    }
}

/// The way back, to be kept.
pub(super) fn come_back(words: Words, app: &AppState, guest: &GuestInterview) -> Markup {
    html! {
        section.come-back {
            h2 { (words.say("respond.come_back")) }
            p.small.soft { (words.say("respond.come_back_how")) }
            div.copy {
                input.entry #way-back type="text" readonly value={ (app.public()) (guest.address()) } aria-label=(words.say("respond.way_back"));
                button.button.plain type="button" hidden data-copies="way-back" data-done=(words.say("respond.copied")) { (words.say("respond.copy")) }
            }
            @if guest.state.stage().is_open() {
                p { a.leave href={ (guest.address()) "/leave" } { (words.say("respond.leave")) } }
            }
        }
    }
}

/// What an order is, and the key under which it is done once.
pub(super) fn hidden(act: &str) -> Markup {
    html! {
        input type="hidden" name="act" value=(act);
        input type="hidden" name="key" value=(Uuid::now_v7());
    }
}
