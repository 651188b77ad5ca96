//! The order in which the fields are asked: what the architect decides, and what a rule makes of it.
//!
//! A plan is a permutation of the fields that are asked. Labels, intents and whether a field is required are the form's,
//! whatever a model writes. A field comes after those it looks at, and the fields of a group stay together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::form::{Field, Form};

/// The order of the fields.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Plan {
    /// The fields, first to last.
    pub fields: Vec<Planned>,
}

/// A field in a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// Which field.
    pub field_id: String,
    /// What it is called; the form's word counts.
    #[serde(default)]
    pub label: String,
    /// What it is asked for; the form's word counts.
    #[serde(default, deserialize_with = "null_is_empty")]
    pub intent: String,
    /// Whether it is required; the form's word counts.
    #[serde(default)]
    pub required: bool,
}

impl Plan {
    /// The form's own order.
    pub fn as_written(form: &Form) -> Self {
        Self { fields: asked(form).map(Planned::of).collect() }
    }

    /// The order that these ids name, or what is wrong with it, in words for the model.
    pub fn ordered(form: &Form, ids: &[&str]) -> Result<Self, String> {
        let mut fields: Vec<&Field> = Vec::new();
        for id in ids {
            let Some(field) = asked(form).find(|field| field.field_id == *id) else {
                return Err(format!("There is no field {id:?} to plan. {}", all_ids(form)));
            };
            if fields.iter().any(|planned| planned.field_id == *id) {
                return Err(format!("The field {id:?} is planned twice. {}", all_ids(form)));
            }
            let looks_at = field.when.iter().map(|condition| &condition.field).chain(&field.depends_on);
            let is_there = |other: &String| fields.iter().any(|planned| planned.field_id == *other);
            let late =
                looks_at.into_iter().find(|other| asked(form).any(|one| one.field_id == **other) && !is_there(other));
            if let Some(other) = late {
                return Err(format!("The field {id:?} depends on {other:?} and must come after it."));
            }
            fields.push(field);
        }
        if let Some(left) = asked(form).find(|field| !ids.contains(&field.field_id.as_str())) {
            return Err(format!("The field {:?} is missing from the plan. {}", left.field_id, all_ids(form)));
        }
        if let Some(group) = form.groups.iter().find(|group| !stand_together(&fields, form, &group.group_id)) {
            return Err(format!("The fields of the group {:?} must stay together, in their order.", group.group_id));
        }
        Ok(Self { fields: fields.into_iter().map(Planned::of).collect() })
    }
}

impl Planned {
    fn of(field: &Field) -> Self {
        Self {
            field_id: field.field_id.clone(),
            label: field.label.clone(),
            intent: field.intent.clone().unwrap_or_default(),
            required: field.required,
        }
    }
}

/// The fields that are asked at all.
fn asked(form: &Form) -> impl Iterator<Item = &Field> {
    form.fields.iter().filter(|field| !field.hidden)
}

fn stand_together(planned: &[&Field], form: &Form, group: &str) -> bool {
    let within = |field: &&Field| field.group.as_deref() == Some(group);
    let written: Vec<&Field> = asked(form).filter(within).collect();
    let Some(first) = planned.iter().position(within) else { return true };
    planned[first..].iter().take(written.len()).eq(written.iter())
}

fn all_ids(form: &Form) -> String {
    let ids: Vec<&str> = asked(form).map(|field| field.field_id.as_str()).collect();
    format!("Each of these exactly once: {}.", ids.join(", "))
}

/// A missing or null intent says as little as an empty one.
fn null_is_empty<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(Option::<String>::deserialize(from)?.unwrap_or_default())
}
