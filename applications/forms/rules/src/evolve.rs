//! Takes recorded events into the state. Never fails: what is recorded has happened.

use std::sync::Arc;

use enza_kernel::application::Entry;

use super::event::Event;
use super::link::{Link, LinkKind, LinkUse, make_room};
use super::state::{Published, State};
use enza_interview::Form;

pub(super) fn evolve(state: &mut State, entry: &Entry<Event>) {
    if let Some(card) = entry.event.card() {
        state.card = card.clone();
    }
    match &entry.event {
        Event::Begun { owner, form, .. } => {
            state.owner = Some(owner.clone());
            state.draft = Arc::new(form.clone());
        }
        Event::Edited { form, .. } => edited(state, form),
        Event::Described { sentence } => state.sentence = Some(sentence.clone()),
        Event::Published { form, card } => {
            let form = Arc::new(form.clone());
            state.published = Some(Published { version: card.version, form, at: entry.at });
        }
        Event::Closed { .. } | Event::Reopened { .. } => {}
        Event::RulesSet { rules } => state.rules = rules.clone(),
        Event::WebhookSet { webhook } => state.webhook.clone_from(webhook),
        Event::LinkMade { token, kind, note, prefill } => {
            let link = Link {
                kind: *kind,
                note: note.clone(),
                prefill: prefill.clone(),
                made_at: entry.at,
                used: LinkUse::No,
                is_revoked: false,
            };
            let links = Arc::make_mut(&mut state.links);
            links.insert(token.clone(), link);
            make_room(links);
        }
        Event::LinkRevoked { token, .. } => {
            if let Some(link) = Arc::make_mut(&mut state.links).get_mut(token) {
                link.is_revoked = true;
            }
        }
        Event::Admitted { token, session, .. } => admitted(state, token, session),
        Event::Received { count, .. } => state.received = *count,
        Event::Forgotten { session, .. } => forgotten(state, session),
        Event::Stepped(step) => state.cast.evolve(entry.seq, step),
    }
}

fn edited(state: &mut State, form: &Form) {
    state.draft = Arc::new(form.clone());
    state.sentence = None;
}

fn admitted(state: &mut State, token: &str, session: &str) {
    state.admitted += 1;
    let is_single = state.links.get(token).is_some_and(|link| link.kind == LinkKind::Single);
    if is_single && let Some(link) = Arc::make_mut(&mut state.links).get_mut(token) {
        link.used = LinkUse::By(session.to_owned());
    }
}

fn forgotten(state: &mut State, session: &str) {
    for link in Arc::make_mut(&mut state.links).values_mut() {
        if matches!(&link.used, LinkUse::By(known) if known == session) {
            link.used = LinkUse::ByAForgotten;
        }
    }
}
