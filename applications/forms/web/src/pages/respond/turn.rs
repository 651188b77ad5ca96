//! The respondent's turn: the ways to answer the open question, by a touch or in words; or what to do where it is stuck.
//!
//! The place to write stays while agents are at work, so that nobody's sentence is cut off; sending waits.

use enza_interview::Kind;
use enza_server::design::{Tone, Weight, button, link_button, notice};
use enza_server::pages::session::{self, Viewer};
use maud::{Markup, html};

use super::confirm;
use super::entry::{Input, bare};
use super::panel::hidden;
use crate::actions::respond::{FieldView, GuestInterview, InterviewPhase, QuickAnswer};

/// Everything between the conversation and the place to write.
pub(super) fn turn(viewer: &Viewer, guest: &GuestInterview) -> Markup {
    match guest.moment() {
        InterviewPhase::Talking if guest.state.failure().is_some() => stuck(viewer, guest),
        InterviewPhase::Talking if guest.state.question().is_some() => answers(viewer, guest),
        InterviewPhase::Confirming => confirm::confirmation(viewer, guest),
        InterviewPhase::Talking | InterviewPhase::Submitted | InterviewPhase::GivenUp => html! {},
    }
}

/// A form that sends one order.
pub(super) fn order(viewer: &Viewer, act: &str, more: &[(&str, &str)], body: Markup) -> Markup {
    let fields: Vec<_> = std::iter::once(("act", act)).chain(more.iter().copied()).collect();
    session::order(viewer, &fields, body)
}

fn answers(viewer: &Viewer, guest: &GuestInterview) -> Markup {
    let words = viewer.words;
    let ways = guest.ways(words.0);
    let entries = guest.entries();
    let current = entries.iter().find(|entry| entry.is_current);
    let quick = ways.iter().filter_map(|way| match way {
        QuickAnswer::Reply(text) => Some(text),
        QuickAnswer::Keep(_) | QuickAnswer::Skip(..) => None,
    });
    html! {
        div.replies role="group" aria-label=(words.say("respond.quick")) {
            @for text in quick {
                (order(viewer, "say", &[("words", text)], html! { button.button.reply type="submit" { (text) } }))
            }
            @if let Some(entry) = current { (picker(viewer, guest, entry)) }
        }
        div.skips {
            @for way in &ways { (skip(viewer, way)) }
        }
    }
}

/// A proper input for kinds that are quicker picked than written.
fn picker(viewer: &Viewer, guest: &GuestInterview, entry: &FieldView<'_>) -> Markup {
    let words = viewer.words;
    let is_long_list =
        entry.field.kind == Kind::Choice && guest.ways(words.0).iter().all(|way| !matches!(way, QuickAnswer::Reply(_)));
    let is_picked = match entry.field.kind {
        Kind::Choices
        | Kind::Date
        | Kind::Time
        | Kind::Number
        | Kind::Integer
        | Kind::Email
        | Kind::Phone
        | Kind::File => true,
        Kind::Choice => is_long_list,
        Kind::Text | Kind::LongText | Kind::YesNo => false,
    };
    if !is_picked {
        return html! {};
    }
    // What it had before is not offered again: the question is open.
    let input = Input { entry, place: "turn", typed: Some(""), error: None };
    if entry.field.kind == Kind::File {
        return html! {
            form.order.picker method="post" enctype="multipart/form-data" action=(viewer.below(&format!("files/{}", entry.id()))) {
                (bare(words, &input))
                (button(words.say("respond.attach"), Weight::Main))
                p.error role="alert" data-error hidden {}
            }
        };
    }
    html! {
        form.order.picker method="post" action=(viewer.orders()) {
            (hidden("pick"))
            input type="hidden" name="field" value=(entry.id());
            (bare(words, &input))
            (button(words.say("respond.answer_so"), Weight::Plain))
            p.error role="alert" data-error hidden {}
        }
    }
}

fn skip(viewer: &Viewer, way: &QuickAnswer) -> Markup {
    match way {
        QuickAnswer::Reply(_) => html! {},
        QuickAnswer::Keep(label) => order(viewer, "keep", &[], button(label, Weight::Plain)),
        QuickAnswer::Skip(absence, label) => {
            order(viewer, "skip", &[("absence", absence.word())], button(label, Weight::Quiet))
        }
    }
}

fn stuck(viewer: &Viewer, guest: &GuestInterview) -> Markup {
    let words = viewer.words;
    html! {
        section.stuck {
            (notice(Tone::Warn, words.say("respond.stuck"), words.say("respond.stuck_how")))
            div.row {
                @if guest.may_retry() { (order(viewer, "retry", &[], button(words.say("respond.retry"), Weight::Main))) }
                (link_button(&viewer.below("form"), words.say("respond.as_form"), Weight::Plain))
            }
        }
    }
}
