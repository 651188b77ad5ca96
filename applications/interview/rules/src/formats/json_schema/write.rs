//! Writes a form as a JSON Schema, draft 2020-12.
//!
//! The schema describes what is submitted: an object with a property for each field and an array for each group. A
//! field that applies only sometimes is required only then.

use serde_json::{Map, Value, json};

use super::conditions::as_schema;
use super::{FieldExtension, FormExtension, GroupExtension, OURS, as_json, number, spelt};
use crate::form::{Choice, Field, Form, Group, Kind};

/// The form as a JSON Schema.
pub fn to_json_schema(form: &Form) -> Value {
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".to_owned(), json!(form.title));
    if let Some(description) = &form.description {
        schema.insert("description".to_owned(), json!(description));
    }
    let ours = FormExtension {
        language: form.language,
        order: form.order,
        follow_ups: form.follow_ups,
        consent: form.consent.clone(),
    };
    schema.insert(OURS.to_owned(), json!(ours));
    object(&mut schema, form, None);
    Value::Object(schema)
}

/// Adds the properties of the form, or of one of its groups.
fn object(schema: &mut Map<String, Value>, form: &Form, within: Option<&Group>) {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let mut rules = Vec::new();
    for (place, field) in form.fields.iter().enumerate() {
        let home = field.group.as_deref().and_then(|group| form.group(group));
        if let (None, Some(group)) = (within, home) {
            let is_new = !properties.contains_key(&group.group_id);
            if is_new && group.min > 0 {
                required.push(group.group_id.clone());
            }
            if is_new {
                properties.insert(group.group_id.clone(), array(form, group, place));
            }
        } else if home.map(|group| &group.group_id) == within.map(|group| &group.group_id) {
            properties.insert(field.field_id.clone(), property(field, place));
            if field.required && field.when.is_empty() {
                required.push(field.field_id.clone());
            }
            rules.extend(rule(form, field));
        }
    }
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    if !rules.is_empty() {
        schema.insert("allOf".to_owned(), Value::Array(rules));
    }
}

fn array(form: &Form, group: &Group, order: usize) -> Value {
    let mut items = Map::new();
    items.insert("title".to_owned(), json!(group.item));
    object(&mut items, form, Some(group));
    let nth = form.groups.iter().position(|one| one.group_id == group.group_id).unwrap_or(0);
    json!({
        "type": "array",
        "title": group.item,
        "items": items,
        "minItems": group.min,
        "maxItems": group.max,
        OURS: GroupExtension { order: order as u64, nth: nth as u64 },
    })
}

/// When a field applies. A condition from within a group on a field outside cannot be said where the items are
/// described; `x-enza` alone has it.
fn rule(form: &Form, field: &Field) -> Option<Value> {
    let targets: Option<Vec<&Field>> =
        field.when.iter().map(|condition| form.find(&condition.field).map(|(_, target)| target)).collect();
    let targets = targets.filter(|targets| targets.iter().all(|target| target.group == field.group))?;
    let mut tests: Vec<Value> =
        field.when.iter().zip(&targets).map(|(condition, target)| as_schema(condition, target.kind)).collect();
    let test = match tests.len() {
        0 => return None,
        1 => tests.remove(0),
        _ => json!({ "allOf": tests }),
    };
    let then = if field.required {
        json!({ "required": [field.field_id] })
    } else {
        json!({ "properties": { &field.field_id: true } })
    };
    Some(json!({ "if": test, "then": then }))
}

fn property(field: &Field, order: usize) -> Value {
    let mut property = Map::new();
    property.insert("title".to_owned(), json!(field.label));
    if let Some(intent) = &field.intent {
        property.insert("description".to_owned(), json!(intent));
    }
    property.append(&mut kind(field));
    let is_respelt = |bound: &&String| number(bound).is_some_and(|number| spelt(&number) != **bound);
    let respelt = |bound: &Option<String>| bound.as_ref().filter(is_respelt).cloned();
    let ours = FieldExtension {
        order: order as u64,
        kind: field.kind,
        required: field.required && !field.when.is_empty(),
        hidden: field.hidden,
        sensitive: field.sensitive,
        allow_other: field.allow_other && !field.kind.has_options(),
        min: respelt(&field.min),
        max: respelt(&field.max),
        when: field.when.clone(),
        depends_on: field.depends_on.clone(),
        follow_ups: field.follow_ups,
        facts: field.facts.clone(),
    };
    property.insert(OURS.to_owned(), json!(ours));
    Value::Object(property)
}

/// The keywords for the values of a field.
fn kind(field: &Field) -> Map<String, Value> {
    let mut keywords = match field.kind {
        Kind::Text | Kind::LongText => json!({ "type": "string" }),
        Kind::Number => json!({ "type": "number" }),
        Kind::Integer => json!({ "type": "integer" }),
        Kind::Date => json!({ "type": "string", "format": "date" }),
        Kind::Time => json!({ "type": "string", "format": "time" }),
        Kind::Email => json!({ "type": "string", "format": "email" }),
        Kind::Phone => json!({ "type": "string", "format": "x-phone" }),
        Kind::YesNo => json!({ "type": "boolean" }),
        Kind::File => json!({ "type": "string", "contentMediaType": "application/octet-stream" }),
        Kind::Choice => one_of(field),
        Kind::Choices => json!({ "type": "array", "uniqueItems": true, "items": one_of(field) }),
    };
    let names = match field.kind {
        Kind::Number | Kind::Integer => Some(["minimum", "maximum"]),
        Kind::Date | Kind::Time => Some(["formatMinimum", "formatMaximum"]),
        Kind::Text
        | Kind::LongText
        | Kind::Choice
        | Kind::Choices
        | Kind::Email
        | Kind::Phone
        | Kind::YesNo
        | Kind::File => None,
    };
    for (name, bound) in names.into_iter().flatten().zip([&field.min, &field.max]) {
        if let Some(bound) = bound {
            keywords[name] = as_json(field.kind, bound);
        }
    }
    match keywords {
        Value::Object(keywords) => keywords,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}

fn one_of(field: &Field) -> Value {
    let has_labels = field.options.iter().any(|option| option.label.is_some());
    let options = if has_labels {
        json!({ "oneOf": field.options.iter().map(labelled).collect::<Vec<_>>() })
    } else {
        json!({ "enum": field.options.iter().map(|option| &option.value).collect::<Vec<_>>() })
    };
    if field.allow_other {
        return json!({ "anyOf": [options, { "type": "string" }] });
    }
    let mut options = options;
    options["type"] = json!("string");
    options
}

fn labelled(option: &Choice) -> Value {
    match &option.label {
        Some(label) => json!({ "const": option.value, "title": label }),
        None => json!({ "const": option.value }),
    }
}
