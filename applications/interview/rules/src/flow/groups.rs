//! Groups of fields that are answered several times: asks for one more, and adds it.

use enza_kernel::application::Draft;

use crate::event::Event;
use crate::form::Group;
use crate::state::State;
use crate::{Interview, words};

/// Adds what the answers ask for: the items that must be there, the one that was asked for, the question for another.
pub(super) fn expand(draft: &mut Draft<'_, Interview>) {
    for group in draft.state.form.groups.clone() {
        while let Some(event) = next(&draft.state, &group) {
            draft.record(event);
        }
    }
}

fn next(state: &State, group: &Group) -> Option<Event> {
    let group_id = group.group_id.clone();
    let items = items(state, group);
    let more = state.record(&format!("{group_id}.{items}.more"));
    if items < group.min || more.is_some_and(|more| state.value_of(more) == Some("yes")) {
        return (items < group.max).then_some(Event::ItemAdded { group_id, item: items + 1 });
    }
    let may_grow = more.is_none() && items < group.max && is_over(state, group, items);
    may_grow.then(|| {
        let label = words::one_more(state.form.language, group, items);
        Event::MoreAsked { group_id, after: items, label }
    })
}

/// How many items there are, whether they still apply or not.
fn items(state: &State, group: &Group) -> u32 {
    let within = state.fields().filter(|(field, _)| field.group.as_deref() == Some(&group.group_id));
    within.filter_map(|(_, record)| record.item).max().unwrap_or(0)
}

/// Whether everything about an item is said.
fn is_over(state: &State, group: &Group, item: u32) -> bool {
    let within = state.fields().filter(|(field, record)| {
        field.group.as_deref() == Some(&group.group_id) && record.item == Some(item) && state.applies(record)
    });
    within.into_iter().all(|(_, record)| record.is_done() || record.is_set_aside())
}
