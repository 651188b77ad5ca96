//! What stands around the panel: which session this is, and the way from event to event.

use enza_kernel::time::Seq;
use enza_runtime::seams::store::SessionId;
use maud::{Markup, html};

use super::super::PageContext;
use super::super::badges::standing_badge;
use super::query::{InspectorQuery, InspectorSide, address};
use super::read::ReadPast;
use crate::design::{Weight, button, facts, link_button, time};

/// The session's title, facts, and the ways to its relatives.
pub fn header(here: &PageContext, past: &ReadPast, forks: &[(SessionId, u64)]) -> Markup {
    let words = here.words;
    let row = &past.row;
    let title = if row.standing.title.is_empty() { row.id.as_str() } else { &row.standing.title };
    let mut list = vec![
        (words.say("inspector.application"), html! { (here.title_of(&row.application)) }),
        (words.say("inspector.events"), html! { (row.head) }),
        (words.say("inspector.opened"), time(words, row.opened_at)),
        (words.say("inspector.changed"), time(words, row.changed_at)),
    ];
    // Where it came from, and whose it is, is its owner's business.
    let is_host = past.reading.reader.is_host();
    if is_host {
        list.insert(1, (words.say("inspector.owner"), html! { (row.owner) }));
    }
    if let Some((parent, at)) = row.parent.as_ref().filter(|_| is_host) {
        let place = words.fill("inspector.parent_at", &[("session", short(parent)), ("at", &at.to_string())]);
        list.push((
            words.say("inspector.forked_from"),
            html! { a href=(address(parent, *at, InspectorSide::Event)) { (place) } },
        ));
    }
    html! {
        header.inspector-head {
            p.over-title { a href={ "/sessions/" (row.id) } { (words.say("inspector.to_session")) } }
            div.title-row {
                h1 { (title) }
                (standing_badge(words, &row.standing))
            }
            (facts(&list))
            @if is_host && (row.parent.is_some() || !forks.is_empty()) { (relatives(here, past, forks)) }
        }
    }
}

/// The way from event to event, and the way off: a fork.
pub fn walk(here: &PageContext, past: &ReadPast, glance: &InspectorQuery) -> Markup {
    let words = here.words;
    let (at, head) = (glance.at, past.row.head);
    let to = |seq: u64| address(&past.row.id, Seq(seq), glance.side);
    let says = words.fill("inspector.where", &[("at", &at.to_string()), ("all", &head.to_string())]);
    html! {
        nav.walk aria-label=(words.say("inspector.walk")) {
            div.walk-steps {
                (step(at.0 > 1, &to(1), "|←", words.say("inspector.first"), ""))
                (step(at.0 > 1, &to(at.0.saturating_sub(1)), "←", words.say("inspector.previous"), "prev"))
                span.walk-where { (says) }
                (step(at < head, &to(at.0 + 1), "→", words.say("inspector.next"), "next"))
                (step(at < head, &to(head.0), "→|", words.say("inspector.last"), ""))
            }
            form.walk-jump method="get" action={ "/sessions/" (past.row.id) "/inspect" } {
                label for="jump" { (words.say("inspector.jump")) }
                input #jump type="number" name="at" min="1" max=(head) value=(at) required inputmode="numeric";
                @if glance.side != InspectorSide::Event { input type="hidden" name="side" value=(glance.side.word()); }
                (button(words.say("inspector.go"), Weight::Plain))
            }
            @if past.reading.reader.is_host() {
                form.walk-fork method="post" action={ "/sessions/" (past.row.id) "/fork" } {
                    input type="hidden" name="at" value=(at);
                    (button(words.say("inspector.fork_here"), Weight::Plain))
                }
            }
        }
    }
}

/// A session's name, as far as people need it to tell it from others.
pub fn short(session: &SessionId) -> &str {
    let text = session.as_str();
    let start = text.char_indices().rev().nth(7).map_or(0, |(place, _)| place);
    &text[start..]
}

fn step(is_there: bool, href: &str, sign: &str, label: &str, rel: &str) -> Markup {
    html! {
        @if is_there {
            a.walk-step href=(href) title=(label) aria-label=(label) rel=[(!rel.is_empty()).then_some(rel)] { (sign) }
        } @else {
            span.walk-step aria-hidden="true" { (sign) }
        }
    }
}

fn relatives(here: &PageContext, past: &ReadPast, forks: &[(SessionId, u64)]) -> Markup {
    let words = here.words;
    let id = &past.row.id;
    html! {
        div.relatives {
            @if let Some((parent, _)) = &past.row.parent {
                (link_button(&format!("/compare?a={parent}&b={id}"), words.say("inspector.compare_parent"), Weight::Quiet))
            }
            @for (fork, at) in forks.iter().take(6) {
                @let label = words.fill("inspector.compare_fork", &[("fork", short(fork)), ("at", &at.to_string())]);
                (link_button(&format!("/compare?a={id}&b={fork}"), &label, Weight::Quiet))
            }
        }
    }
}
