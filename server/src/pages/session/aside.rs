//! What stands beside a conversation: how far it has come, what is known so far, what it cost, who answers.

use enza_kernel::floor::Known;
use maud::{Markup, html};

use super::lists;
use super::offers::order;
use crate::actions::sessions::SessionView;
use crate::design::{Weight, button, facts, meter, progress};
use crate::pages::figures;
use crate::state::AppState;
use crate::words::Words;

/// Everything beside the conversation.
pub(super) fn aside(words: Words, app: &AppState, view: &SessionView) -> Markup {
    html! {
        @if let Some(so_far) = view.floor.progress {
            (progress(words, so_far.done, so_far.total, words.say("session.progress")))
        }
        (lists::switches(view))
        @if !view.floor.known.is_empty() {
            section.known {
                h2 { (words.say("session.known")) }
                ol { @for one in &view.floor.known { (known(words, view, one)) } }
            }
        }
        (lists::lists(words, view))
        section.cost {
            h2 { (words.say("session.cost")) }
            @for one in &view.floor.meters { (meter(words, one.used, one.limit, &one.label)) }
            (cost(words, app, view))
        }
    }
}

/// How far it has come, or where it stands, for where everything else is folded away.
pub(super) fn brief(words: Words, view: &SessionView) -> Markup {
    let Some(so_far) = view.floor.progress else {
        let current = view.floor.known.iter().find(|one| one.current).and_then(|one| one.value.as_deref());
        return html! { (current.unwrap_or_default()) };
    };
    let (done, total) = (so_far.done.to_string(), so_far.total.to_string());
    html! { (words.fill("design.steps", &[("done", &done), ("total", &total)])) }
}

fn known(words: Words, view: &SessionView, known: &Known) -> Markup {
    html! {
        li aria-current=[known.current.then_some("step")] {
            p.known-label {
                (known.label)
                @if let Some(remark) = &known.remark { span.remark { (remark) } }
            }
            @match &known.value {
                Some(value) => p.known-value { (value) },
                None => p.known-value.nothing { (words.say("session.not_yet")) },
            }
            @if let Some(command) = &known.change {
                (order(view, command, button(words.say("session.change"), Weight::Quiet)))
            }
        }
    }
}

fn cost(words: Words, app: &AppState, view: &SessionView) -> Markup {
    let usage = view.spent;
    let model = app.models().current();
    let name = if model.understudy { words.say("session.understudy").to_owned() } else { model.name };
    facts(&[
        (words.say("session.tokens"), html! { (figures::count(usage.total())) }),
        (words.say("session.calls"), html! { (figures::count(view.calls)) }),
        (words.say("session.money"), html! { (figures::money(usage.cost)) }),
        (words.say("session.model"), html! { (name) }),
    ])
}
