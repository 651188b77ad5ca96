//! Where two requests first differ, in words.

use serde_json::Value;

/// How much of a value is shown.
const SHOWN: usize = 80;

/// The first place where `asked` differs from what is recorded.
pub(super) fn first_difference(recorded: &Value, asked: &Value) -> String {
    match find(recorded, asked, String::new()) {
        Some((place, recorded, asked)) => {
            let place = if place.is_empty() { "the top".to_owned() } else { place };
            format!("at {place} it has {}, and {} was asked", short(recorded), short(asked))
        }
        None => "the same request was asked before".to_owned(),
    }
}

type Found<'a> = (String, Option<&'a Value>, Option<&'a Value>);

fn find<'a>(recorded: &'a Value, asked: &'a Value, place: String) -> Option<Found<'a>> {
    match (recorded, asked) {
        (Value::Object(one), Value::Object(other)) => {
            let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
            names.into_iter().find_map(|name| {
                let dot = if place.is_empty() { "" } else { "." };
                within(one.get(name), other.get(name), format!("{place}{dot}{name}"))
            })
        }
        (Value::Array(one), Value::Array(other)) => {
            (0..one.len().max(other.len())).find_map(|at| within(one.get(at), other.get(at), format!("{place}[{at}]")))
        }
        (one, other) if one == other => None,
        (one, other) => Some((place, Some(one), Some(other))),
    }
}

fn within<'a>(recorded: Option<&'a Value>, asked: Option<&'a Value>, place: String) -> Option<Found<'a>> {
    match (recorded, asked) {
        (Some(recorded), Some(asked)) => find(recorded, asked, place),
        (None, None) => None,
        (one, other) => Some((place, one, other)),
    }
}

fn short(value: Option<&Value>) -> String {
    let Some(value) = value else { return "nothing".to_owned() };
    let text = value.to_string();
    let start: String = text.chars().take(SHOWN).collect();
    if start.len() < text.len() { format!("{start}…") } else { start }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_place_is_named_down_to_the_value() {
        let recorded = json!({ "messages": [{ "role": "user", "content": "hi" }], "model": "m" });
        let cases = [
            (
                json!({ "messages": [{ "role": "user", "content": "ho" }], "model": "m" }),
                "at messages[0].content it has \"hi\", and \"ho\" was asked",
            ),
            (
                json!({ "messages": [], "model": "m" }),
                "at messages[0] it has {\"content\":\"hi\",\"role\":\"user\"}, and nothing was asked",
            ),
            (
                json!({ "messages": recorded["messages"], "model": "m", "seed": 1 }),
                "at seed it has nothing, and 1 was asked",
            ),
            (
                json!(3),
                "at the top it has {\"messages\":[{\"content\":\"hi\",\"role\":\"user\"}],\"model\":\"m\"}, and 3 was asked",
            ),
        ];
        for (asked, words) in cases {
            assert_eq!(first_difference(&recorded, &asked), words);
        }
        assert_eq!(first_difference(&recorded, &recorded), "the same request was asked before");
    }
}
