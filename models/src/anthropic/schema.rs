//! A schema in the part of JSON Schema that Anthropic's structured output knows.
//!
//! Objects have to say that they have no other properties, which narrows what is allowed and so harms nobody. Bounds on
//! numbers, texts and lists are not known there: they move into the description, and the kernel checks the answer.

use serde_json::{Map, Value, json};

/// Bounds that would be refused.
const BOUNDS: [&str; 10] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
    "uniqueItems",
    "pattern",
];

/// The schema without what would be refused.
pub(crate) fn supported(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => Value::Object(supported_object(fields)),
        Value::Array(items) => items.iter().map(supported).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}

fn supported_object(fields: &Map<String, Value>) -> Map<String, Value> {
    let mut kept = Map::new();
    let mut moved = Vec::new();
    for (name, value) in fields {
        match (name.as_str(), value) {
            ("$schema", _) => {}
            // Under these names stand schemas by names of their own, which may well be `pattern` or `minimum`.
            ("properties" | "$defs" | "definitions", Value::Object(named)) => {
                let named = named.iter().map(|(name, schema)| (name.clone(), supported(schema))).collect();
                kept.insert(name.clone(), Value::Object(named));
            }
            ("enum" | "const" | "default" | "examples" | "required", value) => {
                drop(kept.insert(name.clone(), value.clone()));
            }
            ("minItems", value) if value.as_u64().is_none_or(|least| least > 1) => {
                moved.push(format!("{name}: {value}"));
            }
            (bound, value) if BOUNDS.contains(&bound) => moved.push(format!("{name}: {value}")),
            (_, value) => drop(kept.insert(name.clone(), supported(value))),
        }
    }
    // One that takes any names is left as it is: the server says that it cannot, and is asked in a weaker way.
    let takes_any = kept.get("additionalProperties").is_some_and(Value::is_object);
    if !takes_any && (kept.get("properties").is_some() || kept.get("type") == Some(&json!("object"))) {
        kept.insert("additionalProperties".into(), json!(false));
    }
    if !moved.is_empty() {
        let said = kept.get("description").and_then(Value::as_str).unwrap_or_default();
        let words = format!("{said} ({})", moved.join(", "));
        kept.insert("description".into(), json!(words.trim_start()));
    }
    kept
}
