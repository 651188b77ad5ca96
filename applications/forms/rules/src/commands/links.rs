//! The owner makes ways in and withdraws them.

use std::collections::BTreeMap;

use enza_kernel::application::Draft;
use enza_kernel::limits;

use super::must_be_owner;
use crate::Forms;
use crate::event::Event;
use crate::link::{LinkFault, LinkKind, MOST_LINKS, check_prefill, check_token};
use crate::refusal::Refusal;
use crate::state::State;

pub(super) fn make(
    draft: &mut Draft<'_, Forms>,
    token: String,
    kind: LinkKind,
    note: &str,
    prefill: BTreeMap<String, String>,
) -> Result<(), Refusal> {
    must_be_owner(draft)?;
    check_token(&token).map_err(Refusal::Link)?;
    let state = &draft.state;
    if state.links.contains_key(&token) {
        return Err(Refusal::Link(LinkFault::Taken));
    }
    if state.links.values().filter(|link| !link.is_revoked).count() >= MOST_LINKS {
        return Err(Refusal::LinksExhausted);
    }
    if let Some(field_id) = prefill.keys().find(|field_id| !has_field(state, field_id)) {
        return Err(Refusal::UnknownField { field_id: field_id.clone() });
    }
    check_prefill(&prefill).map_err(Refusal::Text)?;
    let note = limits::NAME.check_optional(note).map_err(Refusal::Text)?;
    draft.record(Event::LinkMade { token, kind, note, prefill });
    Ok(())
}

pub(super) fn revoke(draft: &mut Draft<'_, Forms>, token: String) -> Result<(), Refusal> {
    must_be_owner(draft)?;
    let link = draft.state.links.get(&token).ok_or(Refusal::LinkUnknown)?;
    if !link.is_revoked {
        let note = link.note.clone();
        draft.record(Event::LinkRevoked { token, note });
    }
    Ok(())
}

/// A link is often made before the version that it is for, so the draft's fields count as well.
fn has_field(state: &State, field_id: &str) -> bool {
    let published = state.published.as_ref().map(|published| &published.form);
    [Some(&state.draft), published].into_iter().flatten().any(|form| form.find(field_id).is_some())
}
