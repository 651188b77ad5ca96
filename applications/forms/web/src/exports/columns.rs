//! The columns of a file: one for each field that the form has or that somebody answered.
//!
//! They stand in the order of the form. Inside a group the items follow each other, each with all its fields. What only
//! older versions of the form had comes last.

use std::collections::{BTreeMap, BTreeSet};

use enza_forms::State as FormState;
use enza_interview::{Absence, Form, Kind, SubmittedAnswer};

use crate::actions::submissions::{Sheet, base_of};

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The field, with the item of its group before it.
    pub id: String,
    pub label: String,
    /// What kind of value stands in it.
    pub kind: Kind,
}

/// What stands before the fields.
pub(super) const BEFORE: [&str; 8] =
    ["session", "status", "version", "language", "country", "started", "submitted", "delivered"];
/// What stands after them.
pub(super) const AFTER: [&str; 2] = ["absences", "incomplete"];

/// The columns of these sheets.
pub fn columns(state: &FormState, sheets: &[Sheet]) -> Vec<Column> {
    let form: &Form = state.published().map_or(state.draft(), |published| &published.form);
    let alone = form.fields.iter().filter(|field| field.group.is_none()).map(|field| field.field_id.as_str());
    let answered = sheets.iter().flat_map(|sheet| &sheet.answers).map(|answer| answer.field_id.as_str());
    let ids: BTreeSet<&str> = alone.chain(answered).collect();
    let mut labels: BTreeMap<&str, &str> = BTreeMap::new();
    for answer in sheets.iter().flat_map(|sheet| &sheet.answers).filter(|answer| !answer.label.is_empty()) {
        // The newest sheet comes first, and knows the newest name.
        labels.entry(&answer.field_id).or_insert(&answer.label);
    }
    let mut placed: Vec<_> = ids.into_iter().map(|id| (place(form, id), id)).collect();
    placed.sort();
    let column = |id: &str| {
        let field = base_of(form, id);
        let label = field.filter(|field| field.group.is_none()).map(|field| field.label.as_str());
        Column {
            id: id.to_owned(),
            label: label.or(labels.get(id).copied()).unwrap_or(id).to_owned(),
            kind: field.map_or(Kind::Text, |field| field.kind),
        }
    };
    placed.into_iter().map(|(_, id)| column(id)).collect()
}

/// Where a column stands: by the field or its whole group, then by the item, then by the field inside.
fn place(form: &Form, id: &str) -> (usize, u32, usize) {
    let Some((own, field)) = base_of(form, id).and_then(|field| form.find(&field.field_id)) else {
        return (form.fields.len(), 0, 0);
    };
    let Some(group) = &field.group else { return (own, 0, 0) };
    let first = form.fields.iter().position(|field| field.group.as_ref() == Some(group)).unwrap_or(own);
    let item = id.split('.').nth(1).and_then(|item| item.parse().ok()).unwrap_or(0);
    (first, item, own)
}

/// The answers of a sheet, by column.
pub(super) fn by_column<'a>(columns: &[Column], sheet: &'a Sheet) -> Vec<Option<&'a SubmittedAnswer>> {
    let answers: BTreeMap<&str, &SubmittedAnswer> =
        sheet.answers.iter().map(|answer| (answer.field_id.as_str(), answer)).collect();
    columns.iter().map(|column| answers.get(column.id.as_str()).copied()).collect()
}

/// Why fields have no value, as JSON; empty where every one has.
pub(super) fn absences(sheet: &Sheet) -> String {
    let absent = |answer: &SubmittedAnswer| Some((answer.field_id.clone(), answer.absence?));
    let all: BTreeMap<String, &str> =
        sheet.answers.iter().filter_map(absent).map(|(id, absence)| (id, Absence::word(absence))).collect();
    if all.is_empty() { String::new() } else { serde_json::json!(all).to_string() }
}

/// The fields that something is lacking of, as JSON; empty where there are none.
pub(super) fn incomplete(sheet: &Sheet) -> String {
    let all: Vec<&str> =
        sheet.answers.iter().filter(|answer| answer.incomplete).map(|answer| answer.field_id.as_str()).collect();
    if all.is_empty() { String::new() } else { serde_json::json!(all).to_string() }
}
