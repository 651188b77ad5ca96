//! What the page of a session holds for whoever the session lets in: beside the conversation how far it has come and the
//! panels of its application; and for its owner alone the ways to look inside, fork and delete, what it cost, and who answers.

use enza_kernel::about::About;
use enza_kernel::reader::ReaderRole;
use maud::{Markup, html};

use super::composer::{Composer, UnsentWords};
use super::talk::{Aside, AsideFold, TalkPage, TalkSlots};
use super::viewer::{Act, Viewer};
use super::{orders, panels, switches};
use crate::actions::sessions::{SessionCost, SessionView};
use crate::design::{Weight, dialog, facts, progress, verdict_button};
use crate::pages::badges::standing_badge;
use crate::pages::{PageContext, figures};
use crate::state::AppState;
use crate::words::Words;

/// Who looks at the page of a session here.
pub(super) fn viewer(here: &PageContext, view: &SessionView) -> Viewer {
    let may_command = here.caller.is_some() && view.reading.may_command();
    let (words, session) = (here.words, &view.row.id);
    match view.reading.reader.role {
        ReaderRole::Host => Viewer::owner(words, session, here.app.contents().is_some()),
        ReaderRole::SeatHolder => Viewer::seat_holder(words, session, may_command),
        ReaderRole::Spectator | ReaderRole::Guest => Viewer::spectator(words, session, may_command),
    }
}

/// The page as they see it.
pub(super) fn page<'a>(
    here: &PageContext,
    viewer: &'a Viewer,
    view: &'a SessionView,
    unsent: &'a UnsentWords,
) -> TalkPage<'a> {
    let words = viewer.words;
    let slots = TalkSlots {
        head: head(viewer, here.app.about(&view.row.application), view),
        standing: html! { p.standing { (standing_badge(words, &view.row.standing)) } },
        notice: html! {},
        turn: html! {},
        composer: Composer::of_floor(viewer, view),
        aside: Aside {
            label: words.say("session.aside"),
            fold: AsideFold::Gist(gist(words, view)),
            body: aside(viewer, &here.app, view),
        },
        is_over: false,
    };
    TalkPage { viewer, view, unsent, slots }
}

/// What a session is called.
pub(super) fn title(words: Words, view: &SessionView) -> String {
    let title = &view.row.standing.title;
    if title.is_empty() { words.say("session.untitled").to_owned() } else { title.clone() }
}

fn head(viewer: &Viewer, about: About<'_>, view: &SessionView) -> Markup {
    let words = viewer.words;
    html! {
        div.row.apart {
            p.kind { (about.title(words.0)) }
            @if viewer.may(Act::Manage) { (menu(viewer, view)) }
        }
        h1 { (title(words, view)) }
    }
}

fn menu(viewer: &Viewer, view: &SessionView) -> Markup {
    let words = viewer.words;
    html! {
        details.menu {
            summary { (words.say("session.more")) }
            div.menu-list {
                a href=(viewer.below("inspect")) { (words.say("session.inspect")) }
                form method="post" action=(viewer.below("fork")) {
                    (verdict_button("at", &view.row.head.to_string(), words.say("session.fork"), Weight::Quiet))
                }
                a href={ "/api" (viewer.below("export")) } download { (words.say("session.export")) }
                a.grave href=(viewer.below("delete")) data-opens="delete" { (words.say("session.delete")) }
            }
        }
        (dialog("delete", words.say("session.delete"), orders::deletion(viewer, view)))
    }
}

/// Everything beside the conversation.
fn aside(viewer: &Viewer, app: &AppState, view: &SessionView) -> Markup {
    let words = viewer.words;
    html! {
        @if let Some(so_far) = view.floor.progress {
            (progress(words, so_far.done, so_far.total, words.say("session.progress")))
        }
        (switches::switches(viewer, view))
        (panels::panels(viewer, view))
        @if let Some(so_far) = view.cost.filter(|_| viewer.may(Act::SeeCost)) {
            section.cost {
                h2 { (words.say("session.cost")) }
                (cost(words, app, so_far))
            }
        }
    }
}

/// How far it has come, or where it stands, for where everything else is folded away.
fn gist(words: Words, view: &SessionView) -> Markup {
    let Some(so_far) = view.floor.progress else {
        let current = view.floor.facts().find(|one| one.current).and_then(|one| one.value.as_deref());
        return html! { (current.unwrap_or_default()) };
    };
    let (done, total) = (so_far.done.to_string(), so_far.total.to_string());
    html! { (words.fill("design.steps", &[("done", &done), ("total", &total)])) }
}

fn cost(words: Words, app: &AppState, so_far: SessionCost) -> Markup {
    let SessionCost { calls, spent: usage } = so_far;
    let model = app.models().current();
    let name = if model.understudy { words.say("session.understudy").to_owned() } else { model.name };
    facts(&[
        (words.say("session.tokens"), html! { (figures::count(usage.total())) }),
        (words.say("session.calls"), html! { (figures::count(calls)) }),
        (words.say("session.money"), html! { (figures::money(usage.cost)) }),
        (words.say("session.model"), html! { (name) }),
    ])
}
