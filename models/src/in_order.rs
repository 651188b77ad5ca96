//! A request's body as text, with the properties of a schema in the order in which they are demanded.
//!
//! Servers that hold a model to a schema let it write the properties in the order in which the text of the schema has
//! them. `Value` sorts by name, so that a model would have to give its verdict before its reasons. What a schema lists
//! under `required` is a list, and so has an order: that of the fields of the type it was made from. Everything else is
//! written as it comes.

use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};
use serde_json::{Map, Value};

/// A value, written with schemas in order.
pub(crate) struct InOrder<'a>(pub &'a Value);

/// The properties of a schema, written in this order.
struct Properties<'a> {
    of: &'a Map<String, Value>,
    first: &'a [Value],
}

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(fields) => {
                let mut map = to.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    match (name.as_str(), value, fields.get("required")) {
                        ("properties", Value::Object(of), Some(Value::Array(first))) => {
                            map.serialize_entry(name, &Properties { of, first })?;
                        }
                        _ => map.serialize_entry(name, &InOrder(value))?,
                    }
                }
                map.end()
            }
            Value::Array(items) => {
                let mut list = to.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(&InOrder(item))?;
                }
                list.end()
            }
            plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => plain.serialize(to),
        }
    }
}

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.of.len()))?;
        for name in in_order(self.of, self.first) {
            map.serialize_entry(name, &InOrder(&self.of[name]))?;
        }
        map.end()
    }
}

/// The names of properties: those that are demanded, in the order of the demand, then the others.
fn in_order<'a>(of: &'a Map<String, Value>, first: &'a [Value]) -> Vec<&'a str> {
    let demanded = first.iter().filter_map(Value::as_str).filter(|name| of.contains_key(*name));
    let mut names: Vec<&str> = Vec::with_capacity(of.len());
    for name in demanded.chain(of.keys().map(String::as_str)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_schema_demands_is_written_in_the_order_of_the_demand() {
        let inner = json!({ "properties": { "a": {}, "z": {} }, "required": ["z", "z", 1, "unknown"] });
        let body = json!({
            "model": "m",
            "schema": { "properties": { "actions": inner, "note": {}, "why": {} }, "required": ["why", "actions"] },
            "properties": { "required": [1, 2.5, null, true, "text"] },
        });
        let text = serde_json::to_string(&InOrder(&body)).unwrap();
        let expected = r#"{"model":"m","properties":{"required":[1,2.5,null,true,"text"]},"schema":{"properties":{"why":{},"actions":{"properties":{"z":{},"a":{}},"required":["z","z",1,"unknown"]},"note":{}},"required":["why","actions"]}}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), body, "nothing but the order changes");
    }
}
