//! JSON for reading: printed with classes for its parts, and as a tree that opens.
//!
//! Both stop after so much and say so; whoever wants all of it gets it raw. Long texts are folded where they stand.

use maud::{Markup, html};
use serde_json::Value;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::words::Words;

/// How many values a tree shows.
const NODES: usize = 2_000;
/// How many values are printed.
const PRINTED: usize = 600;
/// How long a text may be before its end is folded.
const LONG: usize = 280;

/// How much may still be shown.
struct NodeBudget {
    left: usize,
    words: Words,
}

/// Printed in full, as far as there is room. `all` is where the rest is.
pub fn pretty(words: Words, value: &Value, all: &str) -> Markup {
    let mut room = NodeBudget { left: PRINTED, words };
    let printed = printed(&mut room, value);
    html! {
        div.json tabindex="0" role="group" aria-label="JSON" { (printed) }
        @if room.left == 0 { (rest(words, all)) }
    }
}

/// As a tree whose first two levels are open.
pub fn tree(words: Words, value: &Value, all: &str) -> Markup {
    let mut room = NodeBudget { left: NODES, words };
    let nodes = children(&mut room, value, 0);
    html! {
        div.tree { (nodes) }
        @if room.left == 0 { (rest(words, all)) }
    }
}

/// A value in one line, cut where it is long.
pub fn brief(words: Words, value: &Value) -> Markup {
    match value {
        Value::Object(map) if map.is_empty() => html! { span.j-mark { "{}" } },
        Value::Array(list) if list.is_empty() => html! { span.j-mark { "[]" } },
        Value::Object(_) | Value::Array(_) => {
            let text = value.to_string();
            html! { code.j-brief { (folded(words, &text)) } }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => leaf(words, value),
    }
}

/// A text whose end is folded where it is long.
pub fn folded(words: Words, text: &str) -> Markup {
    let Some((place, _)) = text.grapheme_indices(true).nth(LONG) else { return html! { (text) } };
    let more = text[place..].graphemes(true).count().to_string();
    html! {
        (text[..place])
        details.more { summary { (words.fill("inspector.more_characters", &[("count", &more)])) } (text[place..]) }
    }
}

fn rest(words: Words, all: &str) -> Markup {
    html! { p.rest { (words.say("inspector.cut")) " " a href=(all) { (words.say("inspector.see_all")) } } }
}

fn printed(room: &mut NodeBudget, value: &Value) -> Markup {
    if room.left == 0 {
        return html! { span.j-mark { "…" } };
    }
    room.left -= 1;
    match value {
        Value::Object(map) if !map.is_empty() => {
            let inner = map.iter().map(|(key, value)| (Some(key.as_str()), value)).collect();
            block(room, ("{", "}"), inner)
        }
        Value::Array(list) if !list.is_empty() => {
            let inner = list.iter().map(|value| (None, value)).collect();
            block(room, ("[", "]"), inner)
        }
        Value::Object(_) => html! { span.j-mark { "{}" } },
        Value::Array(_) => html! { span.j-mark { "[]" } },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => leaf(room.words, value),
    }
}

fn block(room: &mut NodeBudget, marks: (&str, &str), inner: Vec<(Option<&str>, &Value)>) -> Markup {
    let count = inner.len();
    html! {
        span.j-mark { (marks.0) }
        div.j-block {
            @for (place, (key, value)) in inner.into_iter().enumerate() {
                @if room.left > 0 {
                    div {
                        @if let Some(key) = key { span.j-key { "\"" (key) "\"" } span.j-mark { ": " } }
                        (printed(room, value))
                        @if place + 1 < count { span.j-mark { "," } }
                    }
                }
            }
        }
        span.j-mark { (marks.1) }
    }
}

fn children(room: &mut NodeBudget, value: &Value, depth: usize) -> Markup {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(list) => list.iter().enumerate().map(|(place, value)| (place.to_string(), value)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return leaf(room.words, value),
    };
    html! { ul { @for (key, value) in inner { @if room.left > 0 { li { (node(room, &key, value, depth)) } } } } }
}

fn node(room: &mut NodeBudget, key: &str, value: &Value, depth: usize) -> Markup {
    room.left -= 1;
    let size = match value {
        Value::Object(map) => (map.len(), "{", "}"),
        Value::Array(list) => (list.len(), "[", "]"),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (0, "", ""),
    };
    if size.0 == 0 {
        return html! { span.j-key { (key) } span.j-mark { ": " } (brief(room.words, value)) };
    }
    html! {
        details open[depth == 0 && size.0 <= 12] {
            summary { span.j-key { (key) } " " span.j-mark { (size.1) span.j-size { (size.0) } (size.2) } }
            (children(room, value, depth + 1))
        }
    }
}

fn leaf(words: Words, value: &Value) -> Markup {
    match value {
        Value::String(text) => html! { span.j-text { "\"" (folded(words, text)) "\"" } },
        Value::Number(number) => html! { span.j-number { (number) } },
        Value::Bool(_) | Value::Null | Value::Array(_) | Value::Object(_) => html! { span.j-word { (value) } },
    }
}
