//! What stands beside a conversation: how far it has come, the panels of its application, what it cost, who answers.

use maud::{Markup, html};

use super::{panels, switches};
use crate::actions::sessions::SessionView;
use crate::design::{facts, progress};
use crate::pages::figures;
use crate::state::AppState;
use crate::words::Words;

/// Everything beside the conversation.
pub(super) fn aside(words: Words, app: &AppState, view: &SessionView) -> Markup {
    html! {
        @if let Some(so_far) = view.floor.progress {
            (progress(words, so_far.done, so_far.total, words.say("session.progress")))
        }
        (switches::switches(view))
        (panels::panels(words, view))
        section.cost {
            h2 { (words.say("session.cost")) }
            (cost(words, app, view))
        }
    }
}

/// How far it has come, or where it stands, for where everything else is folded away.
pub(super) fn brief(words: Words, view: &SessionView) -> Markup {
    let Some(so_far) = view.floor.progress else {
        let current = view.floor.facts().find(|one| one.current).and_then(|one| one.value.as_deref());
        return html! { (current.unwrap_or_default()) };
    };
    let (done, total) = (so_far.done.to_string(), so_far.total.to_string());
    html! { (words.fill("design.steps", &[("done", &done), ("total", &total)])) }
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
