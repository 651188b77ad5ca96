//! Looks at one schema: its keywords with references followed, and what nobody made use of.
//!
//! Only references within the document are followed, and only so many in a row: a schema may point to itself. Nothing
//! is copied, so a document that points to itself from everywhere costs no more than its own size.

use std::collections::BTreeMap;

use enza_kernel::limits::{self, TextRefusal};
use serde_json::Value;

use super::super::remark::{Loss, Remark};
use super::OURS;

/// The keywords of a schema, references followed.
pub(super) type Keywords<'a> = BTreeMap<&'a str, &'a Value>;

/// How many references may follow each other.
const MOST_HOPS: usize = 16;

/// Whether this is a JSON Schema of an object, and not a form.
pub(in super::super) fn is_schema(value: &Value) -> bool {
    let Value::Object(top) = value else { return false };
    let is_object = top.get("type").is_some_and(|kind| kind == "object");
    let describes = ["$schema", "$ref", "$defs", "allOf"].iter().any(|keyword| top.contains_key(*keyword));
    !top.contains_key("fields") && (is_object || describes || top.get("properties").is_some_and(Value::is_object))
}

/// The keywords of a schema. Those beside a reference count more than those behind it.
pub(super) fn resolve<'a>(root: &'a Value, place: &str, schema: &'a Value, remarks: &mut Vec<Remark>) -> Keywords<'a> {
    let mut keywords = keywords_of(schema);
    for _ in 0..MOST_HOPS {
        if let Some(pointer) = keywords.remove("$ref") {
            let within = pointer.as_str().and_then(|pointer| pointer.strip_prefix('#'));
            match within.and_then(|pointer| root.pointer(pointer)) {
                Some(target) => behind(&mut keywords, target),
                None => remarks.push(Remark::new(place, "$ref", Loss::Unresolved)),
            }
        } else if let Some((keyword, only)) = only_alternative(&keywords) {
            keywords.remove(keyword);
            behind(&mut keywords, only);
        } else {
            return keywords;
        }
    }
    if keywords.remove("$ref").is_some() {
        remarks.push(Remark::new(place, "$ref", Loss::Unresolved));
    }
    keywords
}

fn behind<'a>(keywords: &mut Keywords<'a>, target: &'a Value) {
    for (keyword, value) in keywords_of(target) {
        keywords.entry(keyword).or_insert(value);
    }
}

fn keywords_of(schema: &Value) -> Keywords<'_> {
    schema.as_object().into_iter().flatten().map(|(keyword, value)| (keyword.as_str(), value)).collect()
}

/// "This or null" is how many generators write "this, or nothing".
fn only_alternative<'a>(keywords: &Keywords<'a>) -> Option<(&'static str, &'a Value)> {
    ["anyOf", "oneOf"].into_iter().find_map(|keyword| {
        let members = keywords.get(keyword)?.as_array()?;
        let is_null = |member: &&Value| member.get("type").is_some_and(|kind| kind == "null");
        let mut others = members.iter().filter(|member| !is_null(member));
        let only = others.next().filter(|_| others.next().is_none())?;
        // A single constant is a choice, which is read as such.
        (members.len() > 1 || only.get("const").is_none()).then_some((keyword, only))
    })
}

/// The types that a value may have, null left out.
pub(super) fn types<'a>(keywords: &Keywords<'a>) -> Vec<&'a str> {
    let named = match keywords.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    named.into_iter().filter(|name| *name != "null").collect()
}

/// How much there is to read in a schema, not counting the schemas within it.
pub(super) fn weight(keywords: &Keywords<'_>) -> usize {
    let elements = keywords.values().map(|value| match value {
        Value::Array(list) => list.len(),
        Value::Object(object) => object.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    });
    keywords.len() + elements.sum::<usize>()
}

/// A keyword's text.
pub(super) fn text<'a>(keywords: &Keywords<'a>, keyword: &str) -> Option<&'a str> {
    keywords.get(keyword).and_then(|value| value.as_str()).filter(|text| !is_blank(text))
}

/// Whether there is nothing in a text to see.
pub(super) fn is_blank(text: &str) -> bool {
    matches!(limits::NOTE.check(text), Err(TextRefusal::Empty { .. }))
}

/// Remarks on every keyword that was of no use.
pub(super) fn leftovers(place: &str, keywords: &Keywords<'_>, used: &[&str], remarks: &mut Vec<Remark>) {
    for (keyword, value) in keywords {
        let says_nothing = match *keyword {
            "$schema" | "$id" | "$anchor" | "$comment" | "$defs" | "definitions" | "$vocabulary" => true,
            "title" | "description" | "type" | "propertyOrder" | OURS => true,
            "default" => value.is_null(),
            "readOnly" | "writeOnly" | "deprecated" | "nullable" => **value == Value::Bool(false),
            _ => false,
        };
        if !says_nothing && !used.contains(keyword) {
            remarks.push(Remark::new(place, keyword, Loss::LeftOut));
        }
    }
}
