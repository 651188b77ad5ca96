//! What is held in mind changes: by a model's word, by a plan, by a person.
//!
//! A model's values are cut to their limits, which is told. After every change the five items are held against each other,
//! and what does not go together any more is told, once.

use enza_kernel::application::Draft;
use enza_kernel::limits;

use super::super::agent_state::ITEM;
use super::super::event::Event;
use super::super::note::Note;
use super::super::verdict::Verdict;
use super::super::{Companion, prompts, reply};

/// Takes in what a model says has changed.
pub(super) fn take(draft: &mut Draft<'_, Companion>, id: u32, verdict: &Verdict) {
    let (delta, cut) = verdict.state_delta.clone().unwrap_or_default().fitted();
    if delta.is_empty() {
        return;
    }
    change(draft, id, Event::Minded { desk: id, delta, cut: cut.into_iter().map(str::to_owned).collect() });
}

/// Changes what is held in mind. The five items are held against each other after every change; what does not go together
/// and did before is told (DUCK-60, G43).
pub(in super::super) fn change(draft: &mut Draft<'_, Companion>, id: u32, change: Event) {
    let before = odd(draft, id);
    draft.record(change);
    let is_known = |note: &Note| match note {
        // By how much does not matter.
        Note::TooLong { .. } => before.iter().any(|known| matches!(known, Note::TooLong { .. })),
        note => before.contains(note),
    };
    for note in odd(draft, id).into_iter().filter(|note| !is_known(note)) {
        draft.record(Event::Noted { desk: id, note });
    }
}

/// Tells what is odd from the beginning: limits that leave no room, or what was carried over.
pub(in super::super) fn look(draft: &mut Draft<'_, Companion>, id: u32) {
    for note in odd(draft, id) {
        draft.record(Event::Noted { desk: id, note });
    }
}

/// What is odd about what is held in mind.
fn odd(draft: &Draft<'_, Companion>, id: u32) -> Vec<Note> {
    let Some(task) = draft.state.task(id) else { return Vec::new() };
    let over = prompts::too_long(&draft.state, task);
    let over = over.map(|(layer, tokens)| Note::TooLong { layer: layer.to_owned(), tokens });
    task.mind.mismatches().into_iter().map(Note::Mismatch).chain(over).collect()
}

/// What a reply asks is an open question until the person speaks (G50).
pub(super) fn record_question(draft: &mut Draft<'_, Companion>, id: u32, reply: &str) {
    if let Some(question) = reply::question(reply) {
        draft.record(Event::Asked { desk: id, question: limits::one_line(question, ITEM.graphemes) });
    }
}
