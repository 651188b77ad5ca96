//! The respondent's turn: the ways to answer the open question, by a touch or in words; or what to do where it is stuck.
//!
//! The place to write stays while agents are at work, so that nobody's sentence is cut off; sending waits.

use enza_interview::Kind;
use enza_kernel::limits;
use enza_server::design::{Tone, Weight, button, link_button, notice};
use enza_server::words::Words;
use maud::{Markup, html};

use super::confirm;
use super::entry::{Input, bare};
use super::panel::hidden;
use crate::actions::respond::{FieldView, GuestInterview, InterviewPhase, QuickAnswer};

/// What a respondent typed and why it was not taken.
#[derive(Default)]
pub(super) struct UnsentAnswer {
    pub words: String,
    pub error: Option<String>,
}

/// Everything between the conversation and the place to write.
pub(super) fn turn(words: Words, guest: &GuestInterview) -> Markup {
    match guest.moment() {
        InterviewPhase::Talking if guest.state.failure().is_some() => stuck(words, guest),
        InterviewPhase::Talking if guest.state.question().is_some() => answers(words, guest),
        InterviewPhase::Confirming => confirm::confirmation(words, guest),
        InterviewPhase::Talking | InterviewPhase::Submitted | InterviewPhase::GivenUp => html! {},
    }
}

/// The place to write.
pub(super) fn composer(words: Words, guest: &GuestInterview, unsent: &UnsentAnswer) -> Markup {
    let may_send = guest.state.question().is_some() && guest.state.failure().is_none();
    let is_needed = guest.moment() == InterviewPhase::Talking && guest.state.failure().is_none();
    html! {
        form.composer #composer method="post" action=(guest.address()) hidden[!is_needed] {
            (hidden("say"))
            label.aloud for="words" { (words.say("respond.your_answer")) }
            div.composer-box {
                textarea #words name="words" rows="1" required data-limit=(limits::MESSAGE.graphemes) enterkeyhint="send"
                    placeholder=(words.say("respond.write_here")) aria-describedby="words-hint" { "\n" (unsent.words) }
                button.button.main type="submit" disabled[!may_send] { (words.say("respond.send")) }
            }
            p.composer-foot {
                span #words-hint.keys { (words.say("session.keys")) }
                span.counter data-counts="words" hidden {}
            }
            p.error #words-error role="alert" hidden[unsent.error.is_none()] { (unsent.error.as_deref().unwrap_or_default()) }
        }
    }
}

/// A form that sends one order.
pub(super) fn order(guest: &GuestInterview, act: &str, more: &[(&str, &str)], body: Markup) -> Markup {
    html! {
        form.order method="post" action=(guest.address()) {
            (hidden(act))
            @for (name, value) in more { input type="hidden" name=(name) value=(value); }
            (body)
        }
    }
}

fn answers(words: Words, guest: &GuestInterview) -> Markup {
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
                (order(guest, "say", &[("words", text)], html! { button.button.reply type="submit" { (text) } }))
            }
            @if let Some(entry) = current { (picker(words, guest, entry)) }
        }
        div.skips {
            @for way in &ways { (skip(guest, way)) }
        }
    }
}

/// A proper input for kinds that are quicker picked than written.
fn picker(words: Words, guest: &GuestInterview, entry: &FieldView<'_>) -> Markup {
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
            form.order.picker method="post" enctype="multipart/form-data" action={ (guest.address()) "/files/" (entry.id()) } {
                (bare(words, &input))
                (button(words.say("respond.attach"), Weight::Main))
                p.error role="alert" data-error hidden {}
            }
        };
    }
    html! {
        form.order.picker method="post" action=(guest.address()) {
            (hidden("pick"))
            input type="hidden" name="field" value=(entry.id());
            (bare(words, &input))
            (button(words.say("respond.answer_so"), Weight::Plain))
            p.error role="alert" data-error hidden {}
        }
    }
}

fn skip(guest: &GuestInterview, way: &QuickAnswer) -> Markup {
    match way {
        QuickAnswer::Reply(_) => html! {},
        QuickAnswer::Keep(label) => order(guest, "keep", &[], button(label, Weight::Plain)),
        QuickAnswer::Skip(absence, label) => {
            order(guest, "skip", &[("absence", absence.word())], button(label, Weight::Quiet))
        }
    }
}

fn stuck(words: Words, guest: &GuestInterview) -> Markup {
    html! {
        section.stuck {
            (notice(Tone::Warn, words.say("respond.stuck"), words.say("respond.stuck_how")))
            div.row {
                @if guest.may_retry() { (order(guest, "retry", &[], button(words.say("respond.retry"), Weight::Main))) }
                (link_button(&format!("{}/form", guest.address()), words.say("respond.as_form"), Weight::Plain))
            }
        }
    }
}
