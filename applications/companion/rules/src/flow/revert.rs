//! Commands are held to what was forbidden, too: what one changed where nothing may be changed is put back.
//!
//! What a command will change is not known before it has run, so it is held against constraints and denials afterwards, by
//! what it was seen to change. The person and the model are told.

use enza_kernel::application::Draft;

use super::super::Companion;
use super::super::batch::Batch;
use super::super::event::Event;
use super::super::state::State;
use enza_work::{Change, Receipt};

/// Puts back what commands changed against a constraint or a denial, if they did and it has not been put back.
pub(super) fn forbidden_changes(draft: &mut Draft<'_, Companion>, id: u32, batch: &Batch) -> bool {
    let changes = against(&draft.state, batch);
    let is_any = !changes.is_empty();
    if is_any {
        draft.record(Event::PutBack { desk: id, changes });
    }
    is_any
}

fn against(state: &State, batch: &Batch) -> Vec<Change> {
    let ran = batch.orders.iter().filter_map(|order| match order.receipt.as_deref() {
        Some(Receipt::Ran(ran)) => Some(&ran.changes),
        _ => None,
    });
    let against = ran.flat_map(|changes| state.forbidden_changes(changes));
    against.filter(|change| !batch.put_back.contains(change)).collect()
}
