//! Which fields apply, which is next, and what hangs on what. Derived from the answers alone.
//!
//! A field whose conditions do not hold is not asked, not required and not submitted; what was once answered stays in
//! the record, so that changing back loses nothing. An item of a group applies while everyone before it said that
//! there is one more.

use std::collections::BTreeSet;

use super::{FieldRecord, State};
use crate::form::Form;

/// The name of a field's record.
pub(crate) fn record_id(form: &Form, place: usize, item: Option<u32>) -> String {
    let field = &form.fields[place];
    match (&field.group, item) {
        (Some(group), Some(item)) => format!("{group}.{item}.{}", field.field_id),
        (Some(_), None) | (None, Some(_) | None) => field.field_id.clone(),
    }
}

impl State {
    /// Whether a field is asked of this respondent.
    pub fn applies(&self, record: &FieldRecord) -> bool {
        let field = self.field_of(record);
        let group = self.form.fields[record.place].group.as_deref();
        let is_item = match (group.and_then(|group| self.form.group(group)), record.item) {
            // Items beyond the least number were each asked for, and so was the item that a question for more follows.
            (Some(group), Some(item)) => (group.min..item).all(|after| self.wants_more(&group.group_id, after)),
            (Some(_), None) | (None, Some(_) | None) => true,
        };
        is_item && field.when.iter().all(|condition| condition.holds(self.looked_at(&condition.field, record.item)))
    }

    /// The value of a field that applies and is done.
    pub fn value_of<'a>(&self, record: &'a FieldRecord) -> Option<&'a str> {
        record.value().filter(|_| record.is_done() && self.applies(record))
    }

    /// The first field that is still to be asked.
    pub(crate) fn next_to_ask(&self) -> Option<&FieldRecord> {
        let open = self.records.iter().filter(|record| !record.is_done() && !record.set_aside);
        open.into_iter().find(|record| !self.field_of(record).hidden && self.applies(record))
    }

    /// The done fields whose answers a change of this one makes doubtful, over as many steps as it takes.
    pub(crate) fn doubtful_after(&self, id: &str) -> Vec<String> {
        let Some(changed) = self.record(id).filter(|record| !record.asks_for_more()) else { return Vec::new() };
        let mut seen = BTreeSet::new();
        let mut steps = vec![self.form.fields[changed.place].field_id.as_str()];
        while let Some(step) = steps.pop() {
            for field in self.form.dependents(step) {
                if seen.insert(field.field_id.as_str()) {
                    steps.push(&field.field_id);
                }
            }
        }
        let doubtful = self.records.iter().filter(|record| {
            let field = self.field_of(record);
            let same_item = changed.item.is_none() || record.item == changed.item;
            record.is_done() && record.id != id && same_item && seen.contains(field.field_id.as_str())
        });
        // One that was only switched off by the change keeps its answer; it is asked again if it comes back.
        doubtful.filter(|record| self.applies(record)).map(|record| record.id.clone()).collect()
    }

    fn wants_more(&self, group_id: &str, after: u32) -> bool {
        let more = self.record(&format!("{group_id}.{after}.more"));
        more.is_some_and(|more| more.is_done() && more.value() == Some("yes"))
    }

    /// The value that a condition looks at: of the same item inside a group, else of the whole form.
    fn looked_at(&self, field_id: &str, item: Option<u32>) -> Option<&str> {
        let (place, _) = self.form.find(field_id)?;
        let record = self.record(&record_id(&self.form, place, item))?;
        self.value_of(record)
    }
}
