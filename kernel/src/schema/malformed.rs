//! What is wrong with a model's output, in words for the model.

use std::fmt;

use serde_json::Value;

use super::json_path;

/// An output that could not be read. Its `Display` is sent back to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    pub what: String,
    /// Where, as a path from the root; `None` for the root itself, and where there is no JSON to point into.
    pub at: Option<String>,
    /// The text around it.
    pub excerpt: String,
    /// What is wanted instead.
    pub expected: String,
}

impl Malformed {
    pub(super) fn no_json(text: &str, schema: &Value) -> Self {
        Self {
            what: "there is no JSON in it".to_owned(),
            at: None,
            excerpt: excerpt(text, 0),
            expected: expectation(schema),
        }
    }

    pub(super) fn cut_off(json: &str, schema: &Value) -> Self {
        match serde_json::from_str::<Value>(json) {
            Err(error) if !error.is_eof() => Self::syntax(json, &error, schema),
            Ok(_) | Err(_) => Self {
                what: "the JSON is cut off before its end".to_owned(),
                at: None,
                excerpt: excerpt(json, json.len()),
                expected: expectation(schema),
            },
        }
    }

    pub(super) fn syntax(json: &str, error: &serde_json::Error, schema: &Value) -> Self {
        let line_start: usize = json.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        Self {
            what: format!("it is not valid JSON: {error}"),
            at: None,
            excerpt: excerpt(json, line_start + error.column()),
            expected: expectation(schema),
        }
    }

    pub(super) fn shape(error: &serde_json::Error, json: &str, consumed: usize, schema: &Value) -> Self {
        Self {
            what: error.to_string(),
            at: json_path::path(json, consumed),
            excerpt: excerpt(json, consumed),
            expected: expectation(schema),
        }
    }

    pub(super) fn content(what: String, value: &Value, schema: &Value) -> Self {
        Self { what, at: None, excerpt: excerpt(&value.to_string(), 0), expected: expectation(schema) }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Your output could not be used: {}", self.what)?;
        if let Some(at) = &self.at {
            write!(out, ", at {at}")?;
        }
        write!(out, ".\nIt reads: {}\nSend {} and nothing else.", self.excerpt, self.expected)
    }
}

impl std::error::Error for Malformed {}

/// What the schema wants, in one sentence.
fn expectation(schema: &Value) -> String {
    let properties = schema.get("properties").and_then(Value::as_object);
    match (schema.get("type").and_then(Value::as_str), properties) {
        (Some("object"), Some(properties)) => {
            let required = |key: &str| {
                let list = schema.get("required").and_then(Value::as_array);
                list.is_some_and(|list| list.iter().any(|one| one == key))
            };
            let keys: Vec<String> = properties
                .keys()
                .map(|key| if required(key) { format!("{key:?}") } else { format!("{key:?} (optional)") })
                .collect();
            format!("one JSON object with the keys {}", keys.join(", "))
        }
        (Some(kind), Some(_) | None) => format!("one JSON {kind} that satisfies the schema"),
        (None, Some(_) | None) => "one JSON value that satisfies the schema".to_owned(),
    }
}

/// Some text on either side of a byte.
fn excerpt(text: &str, around: usize) -> String {
    const REACH: usize = 80;
    let start = text.floor_char_boundary(around.saturating_sub(REACH));
    let end = text.ceil_char_boundary((around + REACH).min(text.len()));
    let before = if start > 0 { "…" } else { "" };
    let after = if end < text.len() { "…" } else { "" };
    format!("{before}{}{after}", &text[start..end])
}
