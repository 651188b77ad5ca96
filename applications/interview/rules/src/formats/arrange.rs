//! Puts fields into an order in which every condition looks back.
//!
//! Schemas and layouts have no such rule, so a form that comes from one is arranged: a field moves behind those that
//! it looks at, and nothing else moves. A condition that cannot look back, because two fields look at each other or
//! because it looks into a group from outside, is dropped and remarked on. The fields of a group stay together.

use std::collections::BTreeSet;

use super::remark::{Loss, Remark};
use crate::form::{Field, Form};

/// Arranges the fields.
pub(super) fn arrange(form: &mut Form) -> Vec<Remark> {
    let mut remarks = drop_unusable(form);
    let units = units(std::mem::take(&mut form.fields));
    for mut unit in in_order(units, &mut remarks) {
        if unit.len() > 1 {
            let alone = unit.into_iter().map(|field| vec![field]).collect();
            unit = in_order(alone, &mut remarks).into_iter().flatten().collect();
        }
        form.fields.extend(unit);
    }
    remarks
}

/// Drops what looks at nothing, or into a group from outside.
fn drop_unusable(form: &mut Form) -> Vec<Remark> {
    let whereabouts: Vec<(String, Option<String>)> =
        form.fields.iter().map(|field| (field.field_id.clone(), field.group.clone())).collect();
    let mut remarks = Vec::new();
    for field in &mut form.fields {
        let group = field.group.clone();
        let is_in_sight = |looked_at: &str| {
            let found = whereabouts.iter().find(|(id, _)| id == looked_at);
            found.is_some_and(|(_, inside)| inside.is_none() || *inside == group)
        };
        keep_looking_at(field, is_in_sight, &mut remarks);
    }
    remarks
}

/// Fields that stand together: those of a group, wherever they were, at the place of the first; any other alone.
fn units(fields: Vec<Field>) -> Vec<Vec<Field>> {
    let mut units: Vec<Vec<Field>> = Vec::new();
    for field in fields {
        let home = units.iter_mut().find(|unit| field.group.is_some() && unit[0].group == field.group);
        match home {
            Some(unit) => unit.push(field),
            None => units.push(vec![field]),
        }
    }
    units
}

/// The units, each behind those that it looks at.
fn in_order(mut units: Vec<Vec<Field>>, remarks: &mut Vec<Remark>) -> Vec<Vec<Field>> {
    let mut placed = Vec::new();
    while !units.is_empty() {
        let ahead: BTreeSet<String> = units.iter().flatten().map(|field| field.field_id.clone()).collect();
        let is_ready = |unit: &Vec<Field>| {
            let own: BTreeSet<&str> = unit.iter().map(|field| field.field_id.as_str()).collect();
            let is_placed = |id: &str| (own.contains(id) && unit.len() > 1) || !ahead.contains(id);
            unit.iter().flat_map(looked_at).all(is_placed)
        };
        // Where none is ready they look at each other in a circle, and the first must do without.
        let next = units.iter().position(is_ready);
        let mut unit = units.remove(next.unwrap_or(0));
        if next.is_none() {
            let own: BTreeSet<String> = unit.iter().map(|field| field.field_id.clone()).collect();
            let alone = unit.len() == 1;
            for field in &mut unit {
                keep_looking_at(field, |id| (own.contains(id) && !alone) || !ahead.contains(id), remarks);
            }
        }
        placed.push(unit);
    }
    placed
}

fn looked_at(field: &Field) -> impl Iterator<Item = &str> {
    let conditions = field.when.iter().map(|condition| condition.field.as_str());
    conditions.chain(field.depends_on.iter().map(String::as_str))
}

fn keep_looking_at(field: &mut Field, may: impl Fn(&str) -> bool, remarks: &mut Vec<Remark>) {
    let before = field.when.len() + field.depends_on.len();
    field.when.retain(|condition| may(&condition.field));
    field.depends_on.retain(|id| may(id));
    if field.when.len() + field.depends_on.len() < before {
        remarks.push(Remark::new("fields", &field.field_id, Loss::UnusableCondition));
    }
}
