//! What kind of answer a property wants: its type, format, options and bounds.

use std::collections::BTreeSet;

use enza_kernel::limits;
use serde_json::{Number, Value};

use super::super::remark::{Loss, Remark};
use super::names::fitted;
use super::schema::{Keywords, is_blank, leftovers, resolve, text, types};
use super::{as_kept, spelt};
use crate::form::{Choice, Kind};

/// A text that may be longer than this wants more than a line.
const LONG: u64 = 200;

/// What kind of answer a property wants.
#[derive(Default)]
pub(super) struct Shape {
    pub kind: Kind,
    pub options: Vec<Choice>,
    pub allow_other: bool,
    pub min: Option<String>,
    pub max: Option<String>,
    pub sensitive: bool,
    used: Vec<&'static str>,
}

impl Shape {
    fn of(kind: Kind, used: &[&'static str]) -> Self {
        Self { kind, used: used.to_vec(), ..Self::default() }
    }
}

/// The shape of a property, with remarks on what it leaves out.
pub(super) fn shape(root: &Value, place: &str, keywords: &Keywords<'_>, remarks: &mut Vec<Remark>) -> Shape {
    let shape = match types(keywords)[..] {
        ["array"] => list(root, place, keywords, remarks),
        [] if keywords.contains_key("items") => list(root, place, keywords, remarks),
        ["boolean"] => Shape::of(Kind::YesNo, &[]),
        _ => match options(place, keywords, remarks) {
            Some(offer) if offer.is_yes_no => Shape::of(Kind::YesNo, &[offer.keyword]),
            Some(offer) => offer.shape(Kind::Choice, &[]),
            None => scalar(place, keywords, remarks),
        },
    };
    leftovers(place, keywords, &shape.used, remarks);
    shape
}

fn list(root: &Value, place: &str, keywords: &Keywords<'_>, remarks: &mut Vec<Remark>) -> Shape {
    let used = ["items", "uniqueItems"];
    let within = format!("{place}/items");
    let items = keywords.get("items").map(|items| resolve(root, &within, items, remarks)).unwrap_or_default();
    if let Some(offer) = options(&within, &items, remarks) {
        leftovers(&within, &items, &[offer.keyword, "enumNames"], remarks);
        return offer.shape(Kind::Choices, &used);
    }
    remarks.push(Remark::new(place, "array", Loss::KeptAsText));
    Shape::of(Kind::LongText, &used)
}

fn scalar(place: &str, keywords: &Keywords<'_>, remarks: &mut Vec<Remark>) -> Shape {
    match types(keywords)[..] {
        ["number"] if is_counted_by_one(keywords) => whole_number(keywords),
        ["number"] => number(keywords),
        ["integer"] => whole_number(keywords),
        [] | ["string"] => {
            let unclear = ["oneOf", "anyOf", "not"].into_iter().find(|keyword| keywords.contains_key(keyword));
            if let Some(unclear) = unclear {
                remarks.push(Remark::new(place, unclear, Loss::KeptAsText));
            }
            let mut shape = string(keywords);
            shape.used.extend(unclear);
            shape
        }
        _ => {
            remarks.push(Remark::new(place, "type", Loss::KeptAsText));
            Shape::of(Kind::LongText, &["items", "properties", "required"])
        }
    }
}

/// A number between its bounds.
fn number(keywords: &Keywords<'_>) -> Shape {
    let mut shape = Shape::of(Kind::Number, &[]);
    for (keyword, bound) in [("minimum", &mut shape.min), ("maximum", &mut shape.max)] {
        if let Some(Value::Number(number)) = keywords.get(keyword) {
            *bound = Some(spelt(number));
            shape.used.push(keyword);
        }
    }
    shape
}

/// A whole number between its bounds: "more than 3" is "at least 4", and "at least 0.5" is "at least 1".
fn whole_number(keywords: &Keywords<'_>) -> Shape {
    let mut shape = Shape::of(Kind::Integer, &[]);
    if is_counted_by_one(keywords) {
        shape.used.push("multipleOf");
    }
    let bounds =
        [("minimum", "exclusiveMinimum", 1.0, &mut shape.min), ("maximum", "exclusiveMaximum", -1.0, &mut shape.max)];
    for (inclusive, exclusive, step, bound) in bounds {
        let number = |keyword| match keywords.get(keyword) {
            Some(Value::Number(number)) => Some(number),
            _ => None,
        };
        // Rounded inwards, with the sign of the step turned twice.
        let inwards = |real: f64| (real * step).ceil() * step;
        let (keyword, found) = match (number(inclusive), number(exclusive).and_then(Number::as_f64)) {
            (Some(number), _) if number.is_f64() => (inclusive, number.as_f64().map(|real| whole(inwards(real)))),
            (Some(number), _) => (inclusive, Some(spelt(number))),
            (None, Some(real)) if real.fract() == 0.0 => (exclusive, Some(whole(real + step))),
            (None, Some(real)) => (exclusive, Some(whole(inwards(real)))),
            (None, None) => continue,
        };
        *bound = found;
        shape.used.push(keyword);
    }
    shape
}

fn whole(real: f64) -> String {
    // Not a spelling of its own for nothing below zero.
    format!("{:.0}", real + 0.0)
}

/// How many generators write "a whole number".
fn is_counted_by_one(keywords: &Keywords<'_>) -> bool {
    keywords.get("multipleOf").and_then(|step| step.as_f64()) == Some(1.0)
}

fn string(keywords: &Keywords<'_>) -> Shape {
    match text(keywords, "format") {
        Some("date") => day(keywords, Kind::Date, "2026-11-03".len()),
        Some("time") => day(keywords, Kind::Time, "14:30".len()),
        Some("email" | "idn-email") => Shape::of(Kind::Email, &["format"]),
        Some("phone" | "tel" | "x-phone") => Shape::of(Kind::Phone, &["format"]),
        Some("binary" | "byte" | "data-url" | "file") => {
            Shape::of(Kind::File, &["format", "contentMediaType", "contentEncoding"])
        }
        Some("textarea" | "multiline" | "markdown" | "html") => Shape::of(Kind::LongText, &["format"]),
        Some("password") => Shape { sensitive: true, ..Shape::of(Kind::Text, &["format"]) },
        Some(_) | None => free_text(keywords),
    }
}

fn free_text(keywords: &Keywords<'_>) -> Shape {
    let used = ["contentMediaType", "contentEncoding", "x-multiline"];
    let is_long = keywords.get("maxLength").and_then(|most| most.as_u64()).is_some_and(|most| most > LONG);
    let is_multiline = keywords.get("x-multiline").is_some_and(|flag| **flag == Value::Bool(true));
    match text(keywords, "contentMediaType") {
        Some(media) if media.starts_with("text/") => Shape::of(Kind::LongText, &used),
        Some(_) => Shape::of(Kind::File, &used),
        None if is_long || is_multiline => Shape::of(Kind::LongText, &used),
        None => Shape::of(Kind::Text, &used),
    }
}

/// A day or a time between its bounds, where those are spelt as days and times are kept.
fn day(keywords: &Keywords<'_>, kind: Kind, length: usize) -> Shape {
    let mut shape = Shape::of(kind, &["format"]);
    for (keyword, bound) in [("formatMinimum", &mut shape.min), ("formatMaximum", &mut shape.max)] {
        *bound = text(keywords, keyword).filter(|bound| bound.len() == length).map(str::to_owned);
        if bound.is_some() {
            shape.used.push(keyword);
        }
    }
    shape
}

/// What a property lets one choose from.
struct OptionList {
    options: Vec<Choice>,
    allow_other: bool,
    is_yes_no: bool,
    keyword: &'static str,
}

impl OptionList {
    fn shape(self, kind: Kind, used: &[&'static str]) -> Shape {
        let used = [used, &[self.keyword, "enumNames"]].concat();
        Shape { kind, options: self.options, allow_other: self.allow_other, used, ..Shape::default() }
    }
}

fn options(place: &str, keywords: &Keywords<'_>, remarks: &mut Vec<Remark>) -> Option<OptionList> {
    let offer = |keyword, members: Vec<(&Value, Option<&str>)>, remarks: &mut Vec<Remark>| {
        let members: Vec<_> = members.into_iter().filter(|(value, _)| !value.is_null()).collect();
        let is_yes_no = !members.is_empty() && members.iter().all(|(value, _)| value.is_boolean());
        let options = choices(&format!("{place}/{keyword}"), &members, remarks);
        (!options.is_empty()).then_some(OptionList { options, allow_other: false, is_yes_no, keyword })
    };
    if let Some(Value::Array(values)) = keywords.get("enum") {
        let names = keywords.get("enumNames").and_then(|names| names.as_array());
        let name = |nth: usize| names.and_then(|names| names.get(nth)).and_then(Value::as_str);
        return offer("enum", values.iter().enumerate().map(|(nth, value)| (value, name(nth))).collect(), remarks);
    }
    if let Some(value) = keywords.get("const") {
        return offer("const", vec![(value, None)], remarks);
    }
    let (keyword, members) =
        ["oneOf", "anyOf"].into_iter().find_map(|keyword| Some((keyword, keywords.get(keyword)?.as_array()?)))?;
    if let Some(members) = members.iter().map(constant).collect::<Option<Vec<_>>>() {
        return offer(keyword, members, remarks);
    }
    // One of these, or any other text.
    let is_any_text = |member: &Value| member == &serde_json::json!({ "type": "string" });
    let [one, other] = members.as_slice() else { return None };
    let listed = [(one, other), (other, one)].into_iter().find(|(_, other)| is_any_text(other))?.0;
    let listed: Keywords<'_> = listed.as_object()?.iter().map(|(keyword, value)| (keyword.as_str(), value)).collect();
    let inner = options(place, &listed, remarks).filter(|inner| !inner.allow_other)?;
    Some(OptionList { allow_other: true, keyword, ..inner })
}

fn constant(member: &Value) -> Option<(&Value, Option<&str>)> {
    let only = || member.get("enum").and_then(Value::as_array).filter(|values| values.len() == 1)?.first();
    let value = member.get("const").or_else(only)?;
    let label = member.get("title").or_else(|| member.get("description")).and_then(Value::as_str);
    Some((value, label))
}

fn choices(place: &str, members: &[(&Value, Option<&str>)], remarks: &mut Vec<Remark>) -> Vec<Choice> {
    let mut choices = Vec::new();
    let mut seen = BTreeSet::new();
    for (nth, (value, label)) in members.iter().enumerate() {
        let place = format!("{place}/{nth}");
        let Some(written) = as_kept(value).filter(|written| !is_blank(written)) else {
            remarks.push(Remark::new(&place, "const", Loss::LeftOut));
            continue;
        };
        let kept = fitted(limits::TITLE, &place, "const", &written.replace(';', ","), remarks);
        if !seen.insert(kept.clone()) {
            remarks.push(Remark::new(&place, "const", Loss::LeftOut));
            continue;
        }
        let is_changed = kept != written;
        if is_changed {
            remarks.push(Remark::new(&place, &written, Loss::Renamed { to: kept.clone() }));
        }
        let label = label.or(is_changed.then_some(written.as_str())).filter(|label| !is_blank(label));
        let label = label.map(|label| fitted(limits::TITLE, &place, "title", label, remarks));
        choices.push(Choice { value: kept, label });
    }
    choices
}
