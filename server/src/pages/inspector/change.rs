//! What changed between two states, path by path.
//!
//! Lists are compared after what they share at both ends is set aside, so that something added at the end, or dropped
//! from the beginning, shows as just that.

use maud::{Markup, html};
use serde_json::Value;

use super::json::brief;
use crate::words::Words;

/// How many changes are shown.
const SHOWN: usize = 200;

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Where, as keys joined by dots.
    pub path: String,
    /// What it was; none where it was not there.
    pub before: Option<Value>,
    /// What it is; none where it is gone.
    pub after: Option<Value>,
}

/// Everything that changed.
pub fn changes(before: &Value, after: &Value) -> Vec<Change> {
    let mut found = Vec::new();
    compare("", before, after, &mut found);
    found
}

/// The changes as a list. `names` are what the two sides are called.
pub fn changed(words: Words, changes: &[Change], names: (&str, &str)) -> Markup {
    if changes.is_empty() {
        return html! { p.quiet-note { (words.say("inspector.nothing_changed")) } };
    }
    html! {
        dl.changes {
            @for change in changes.iter().take(SHOWN) {
                div class=(class(change)) {
                    dt { code { (change.path) } span.change-word { (words.of("inspector-change", class(change))) } }
                    @if let Some(before) = &change.before { dd.before { span.side { (names.0) } del { (brief(words, before)) } } }
                    @if let Some(after) = &change.after { dd.after { span.side { (names.1) } ins { (brief(words, after)) } } }
                }
            }
        }
        @if changes.len() > SHOWN {
            p.rest { (words.fill("inspector.more_changes", &[("count", &(changes.len() - SHOWN).to_string())])) }
        }
    }
}

fn class(change: &Change) -> &'static str {
    match (&change.before, &change.after) {
        (None, _) => "added",
        (Some(_), None) => "removed",
        (Some(_), Some(_)) => "altered",
    }
}

fn compare(path: &str, before: &Value, after: &Value, found: &mut Vec<Change>) {
    if before == after {
        return;
    }
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in old {
                match new.get(key) {
                    Some(other) => compare(&join(path, key), value, other, found),
                    None => found.push(gone(join(path, key), value)),
                }
            }
            let added = new.iter().filter(|(key, _)| !old.contains_key(*key));
            found.extend(added.map(|(key, value)| came(join(path, key), value)));
        }
        (Value::Array(old), Value::Array(new)) => lists(path, old, new, found),
        (Value::Null, _) => found.push(came(path.to_owned(), after)),
        (_, Value::Null) => found.push(gone(path.to_owned(), before)),
        _ => found.push(Change { path: path.to_owned(), before: Some(before.clone()), after: Some(after.clone()) }),
    }
}

fn lists(path: &str, old: &[Value], new: &[Value], found: &mut Vec<Change>) {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let old_middle = &old_rest[..old_rest.len() - tail];
    let new_middle = &new_rest[..new_rest.len() - tail];
    let place = |nth: usize| join(path, &(head + nth).to_string());
    for nth in 0..old_middle.len().max(new_middle.len()) {
        match (old_middle.get(nth), new_middle.get(nth)) {
            (Some(before), Some(after)) => compare(&place(nth), before, after, found),
            (Some(before), None) => found.push(gone(place(nth), before)),
            (None, Some(after)) => found.push(came(place(nth), after)),
            (None, None) => {}
        }
    }
}

fn came(path: String, value: &Value) -> Change {
    Change { path, before: None, after: Some(value.clone()) }
}

fn gone(path: String, value: &Value) -> Change {
    Change { path, before: Some(value.clone()), after: None }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Change, changes};

    fn told(before: &Value, after: &Value) -> Vec<String> {
        let tell = |Change { path, before, after }: Change| match (before, after) {
            (None, Some(after)) => format!("+{path} {after}"),
            (Some(before), None) => format!("-{path} {before}"),
            (before, after) => format!("{path} {} → {}", before.unwrap_or_default(), after.unwrap_or_default()),
        };
        changes(before, after).into_iter().map(tell).collect()
    }

    #[test]
    fn every_change_is_told_by_its_path() {
        let before = json!({"stage": "new", "cast": {"replies": 1, "gone": true}, "same": [1, 2]});
        let after = json!({"stage": "open", "cast": {"replies": 2, "come": null}, "same": [1, 2]});
        assert_eq!(
            told(&before, &after),
            ["-cast.gone true", "cast.replies 1 → 2", "+cast.come null", "stage \"new\" → \"open\""]
        );
        assert_eq!(told(&before, &before), Vec::<String>::new());
    }

    #[test]
    fn what_joins_or_leaves_a_list_is_not_told_as_a_change_of_all_that_follows() {
        assert_eq!(told(&json!(["a", "b"]), &json!(["a", "b", "c"])), ["+2 \"c\""]);
        assert_eq!(told(&json!(["a", "b", "c"]), &json!(["b", "c"])), ["-0 \"a\""]);
        assert_eq!(told(&json!(["a", "x", "c"]), &json!(["a", "y", "c"])), ["1 \"x\" → \"y\""]);
    }

    #[test]
    fn nothing_becoming_something_is_something_new() {
        assert_eq!(told(&json!({"gate": null}), &json!({"gate": {"id": "g"}})), ["+gate {\"id\":\"g\"}"]);
        assert_eq!(told(&json!({"gate": 1}), &json!({"gate": null})), ["-gate 1"]);
    }
}
