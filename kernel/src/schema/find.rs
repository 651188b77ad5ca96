//! Finds JSON in a model's prose.
//!
//! One pass from left to right, however strange the text: a value that closes is stepped over whole, fitting or not,
//! and one that never closes ends the search. We do not look inside either. The inner objects of a reply that was cut
//! off would often fit a lenient type, and half an answer would pass for a whole one.

use serde_json::Value;

/// Something that began like JSON.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found<'a> {
    /// Its brackets close.
    Whole(&'a str),
    /// The text ends before they do.
    CutOff(&'a str),
}

/// Everything in the text that begins like a value of the schema.
pub(super) fn values<'a>(text: &'a str, schema: &Value) -> impl Iterator<Item = Found<'a>> {
    let shape = Shape::of(schema);
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.char_indices().find(|(place, _)| shape.may_begin(&rest[*place..]))?.0;
        let json = &rest[start..];
        match end_of_value(json) {
            Some(end) => {
                rest = &json[end..];
                Some(Found::Whole(&json[..end]))
            }
            None => {
                rest = "";
                Some(Found::CutOff(json))
            }
        }
    })
}

/// Which brackets to look for.
#[derive(Clone, Copy)]
enum Shape {
    Object,
    Array,
    Either,
    Scalar,
}

impl Shape {
    fn of(schema: &Value) -> Self {
        match schema.get("type").and_then(Value::as_str) {
            Some("object") => Self::Object,
            Some("array") => Self::Array,
            Some(_) => Self::Scalar,
            None => Self::Either,
        }
    }

    /// Whether a value of this shape could begin here. A bracket alone is not enough: prose has brackets too.
    fn may_begin(self, text: &str) -> bool {
        let mut letters = text.chars();
        let first = letters.next();
        let object = first == Some('{');
        let array = first == Some('[');
        let wanted = match self {
            Self::Object => object,
            Self::Array => array,
            Self::Either => object || array,
            Self::Scalar => false,
        };
        if !wanted {
            return false;
        }
        match letters.find(|letter| !letter.is_whitespace()) {
            Some('"') => true,
            Some('}') => object,
            Some('{' | '[' | ']' | '-' | '0'..='9' | 't' | 'f' | 'n') => array,
            Some(_) => false,
            None => true,
        }
    }
}

/// Where the value that begins with this text's first bracket ends; brackets inside strings do not count.
fn end_of_value(json: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut in_string = false;
    let mut escaped = false;
    for (place, byte) in json.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(place + 1);
                }
            }
            _ => {}
        }
    }
    None
}
