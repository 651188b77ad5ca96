//! Conditions on an earlier answer, as JSON Schema says them and back.
//!
//! Shared with the UI schema, whose rules test an answer by a schema as well. What a condition cannot say is `None`
//! here; the caller knows the place and remarks on it.

use serde_json::{Map, Value, json};

use super::{as_json, as_kept};
use crate::form::{Condition, Kind, OneOrMore};

/// The condition as a schema of the whole object.
pub(super) fn as_schema(condition: &Condition, kind: Kind) -> Value {
    let Condition { field, is, is_not, more_than, less_than, answered } = condition;
    if *answered == Some(false) {
        return json!({ "not": { "required": [field] } });
    }
    let mut test = Map::new();
    if let Some(wanted) = is {
        test.append(&mut among(wanted, kind));
    }
    if let Some(unwanted) = is_not {
        test.insert("not".to_owned(), Value::Object(among(unwanted, kind)));
    }
    let bounds = match kind {
        Kind::Number | Kind::Integer => ["exclusiveMinimum", "exclusiveMaximum"],
        Kind::Text
        | Kind::LongText
        | Kind::Date
        | Kind::Time
        | Kind::Choice
        | Kind::Choices
        | Kind::Email
        | Kind::Phone
        | Kind::YesNo
        | Kind::File => ["formatExclusiveMinimum", "formatExclusiveMaximum"],
    };
    for (name, bound) in bounds.into_iter().zip([more_than, less_than]) {
        if let Some(bound) = bound {
            test.insert(name.to_owned(), as_json(kind, bound));
        }
    }
    json!({ "properties": { field: test }, "required": [field] })
}

fn among(wanted: &OneOrMore, kind: Kind) -> Map<String, Value> {
    let test = match wanted {
        OneOrMore::One(value) => ("const".to_owned(), as_json(kind, value)),
        OneOrMore::Any(values) => ("enum".to_owned(), values.iter().map(|value| as_json(kind, value)).collect()),
    };
    let test = Map::from_iter([test]);
    if kind == Kind::Choices { Map::from_iter([("contains".to_owned(), Value::Object(test))]) } else { test }
}

/// The condition that the field passes this test, if a condition can say so.
pub(in super::super) fn condition_on(field: &str, test: &Value) -> Option<Condition> {
    let nothing = Condition { field: field.to_owned(), ..Condition::default() };
    let test = match test {
        Value::Bool(true) => return Some(Condition { answered: Some(true), ..nothing }),
        Value::Object(test) => test,
        Value::Bool(false) | Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => return None,
    };
    let mut condition = nothing;
    for (keyword, value) in test {
        match keyword.as_str() {
            "const" | "enum" | "contains" => condition.is = Some(wanted(keyword, value)?),
            "not" => condition.is_not = Some(wanted_of(value)?),
            "exclusiveMinimum" | "formatExclusiveMinimum" => condition.more_than = Some(as_kept(value)?),
            "exclusiveMaximum" | "formatExclusiveMaximum" => condition.less_than = Some(as_kept(value)?),
            "type" | "title" | "description" | "propertyOrder" => {}
            _ => return None,
        }
    }
    let says_something = condition != Condition { field: field.to_owned(), ..Condition::default() };
    if !says_something {
        condition.answered = Some(true);
    }
    Some(condition)
}

fn wanted_of(test: &Value) -> Option<OneOrMore> {
    let test = test.as_object().filter(|test| test.len() == 1)?;
    test.iter().next().and_then(|(keyword, value)| wanted(keyword, value))
}

fn wanted(keyword: &str, value: &Value) -> Option<OneOrMore> {
    match keyword {
        "const" => as_kept(value).map(OneOrMore::One),
        "enum" => {
            let mut values = value.as_array()?.iter().map(as_kept).collect::<Option<Vec<_>>>()?;
            Some(if values.len() == 1 { OneOrMore::One(values.remove(0)) } else { OneOrMore::Any(values) })
        }
        "contains" => wanted_of(value),
        _ => None,
    }
}

/// The opposite of a condition, if a condition can say so.
pub(in super::super) fn negated(condition: Condition) -> Option<Condition> {
    let Condition { field, is, is_not, more_than, less_than, answered } = condition;
    let blank = Condition { field, ..Condition::default() };
    match (is, is_not, more_than, less_than, answered) {
        (Some(is), None, None, None, None) => Some(Condition { is_not: Some(is), ..blank }),
        (None, Some(is_not), None, None, None) => Some(Condition { is: Some(is_not), ..blank }),
        (None, None, None, None, Some(answered)) => Some(Condition { answered: Some(!answered), ..blank }),
        _ => None,
    }
}
