//! Takes keys out of a text: the one that is known, and whatever looks like one.
//!
//! A stream cuts words into pieces, and a key among them. So the lines of an answer are also looked at as their reader
//! puts them together: the same place of one event after another.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::keys::{MARK, Secret};

/// What stands before an event's data.
const DATA: &str = "data:";

/// How keys of well-known services begin.
const BEGINNINGS: [&str; 10] = ["sk-", "sk_", "gsk_", "AIza", "hf_", "xai-", "r8_", "ghp_", "github_pat_", "Bearer "];
/// A shorter word is no key.
const SHORTEST: usize = 16;

/// The text without keys.
pub(super) fn redact(text: &str, key: Option<&Secret>) -> String {
    let known = key.map_or_else(|| text.to_owned(), |key| key.scrub(text));
    BEGINNINGS.iter().fold(known, |text, beginning| without(&text, beginning))
}

/// Takes a key out of an answer's lines that is whole only when they are put together. Where one was, all that was said
/// in that place stands in the first of its lines.
pub(super) fn rejoin(lines: &mut [String], key: &Secret) {
    let mut places: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    for (number, line) in lines.iter().enumerate() {
        let value = line.strip_prefix(DATA).and_then(|data| serde_json::from_str::<Value>(data).ok());
        let mut texts = Vec::new();
        value.iter().for_each(|value| texts_in(value, String::new(), &mut texts));
        for (place, text) in texts {
            places.entry(place).or_default().push((number, text));
        }
    }
    for (place, texts) in places {
        let whole: String = texts.iter().map(|(_, text)| text.as_str()).collect();
        if !key.is_in(&whole) {
            continue;
        }
        let mut clean = key.scrub(&whole);
        for (number, _) in texts {
            put(&mut lines[number], &place, std::mem::take(&mut clean));
        }
    }
}

/// Every text in a value, by its place (RFC 6901).
fn texts_in(value: &Value, place: String, texts: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => texts.push((place, text.clone())),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| texts_in(item, format!("{place}/{at}"), texts));
        }
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            let name = name.replace('~', "~0").replace('/', "~1");
            texts_in(value, format!("{place}/{name}"), texts);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn put(line: &mut String, place: &str, text: String) {
    let value = line.strip_prefix(DATA).and_then(|data| serde_json::from_str::<Value>(data).ok());
    let Some(mut value) = value else { return };
    if let Some(old) = value.pointer_mut(place) {
        *old = Value::String(text);
    }
    *line = format!("{DATA} {value}");
}

/// The text without the words that begin like this and are long enough to be keys.
fn without(text: &str, beginning: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(beginning) {
        let (before, found) = rest.split_at(at);
        let tail = &found[beginning.len()..];
        let length = tail.find(|letter: char| !is_of_a_key(letter)).unwrap_or(tail.len());
        let stands_alone = before.chars().next_back().is_none_or(|letter| !is_of_a_key(letter));
        out += before;
        if stands_alone && length >= SHORTEST {
            out += MARK;
        } else {
            out += &found[..beginning.len() + length];
        }
        rest = &tail[length..];
    }
    out + rest
}

fn is_of_a_key(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-' || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_and_words_stay() {
        let text =
            r#"{"a":"sk-proj-0123456789abcdef","b":"Bearer AbCdEfGhIjKlMnOpQrSt","c":"task-force","d":"sk-short"}"#;
        assert_eq!(redact(text, None), r#"{"a":"[secret]","b":"[secret]","c":"task-force","d":"sk-short"}"#);
        let text = "a risk-averse-and-very-long-compound stays";
        assert_eq!(redact(text, None), text);
    }

    #[test]
    fn a_key_that_came_in_pieces_goes_and_what_was_said_stays() {
        let key = Secret::new("k-planted-123456");
        let event = |text: &str| format!("data: {}", serde_json::json!({ "delta": { "text": text }, "id": "1" }));
        let mut lines =
            [event("The key is k-pla"), String::new(), event("nted-"), event("123456, yes"), "data: [DONE]".to_owned()];
        rejoin(&mut lines, &key);
        assert_eq!(
            lines,
            [event("The key is [secret], yes"), String::new(), event(""), event(""), "data: [DONE]".to_owned()]
        );
        let mut others = [event("The key is"), event(" secret")];
        let before = others.clone();
        rejoin(&mut others, &key);
        assert_eq!(others, before);
    }
}
