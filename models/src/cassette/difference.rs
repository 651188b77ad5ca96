//! Where two requests first differ, in words.

use serde_json::Value;

/// How much of a value is shown.
const SHOWN: usize = 80;
/// How much is shown of what both have in common, before the place where two texts part.
const IN_COMMON: usize = 20;

/// The first place where `asked` differs from what is recorded.
pub(super) fn first_difference(recorded: &Value, asked: &Value) -> String {
    match find(recorded, asked, String::new()) {
        Some((place, recorded, asked)) => {
            let place = if place.is_empty() { "the top".to_owned() } else { place };
            let (recorded, asked) = (written(recorded), written(asked));
            let from = parting(&recorded, &asked);
            format!("at {place} it has {}, and {} was asked", short(&recorded, from), short(&asked, from))
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

fn written(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), Value::to_string)
}

/// From which letter on two texts are shown: a prompt is long, and its beginning says nothing about a change further on.
fn parting(one: &str, other: &str) -> usize {
    let common = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    if common < SHOWN { 0 } else { common - IN_COMMON }
}

fn short(text: &str, from: usize) -> String {
    let before = if from == 0 { "" } else { "…" };
    let shown: String = text.chars().skip(from).take(SHOWN).collect();
    let after = if text.chars().nth(from + SHOWN).is_none() { "" } else { "…" };
    format!("{before}{shown}{after}")
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

    #[test]
    fn two_long_texts_are_shown_where_they_part() {
        let rules = "Ask one thing at a time. ".repeat(40);
        let message = |title: &str| json!({ "content": format!("{rules}Form: {title}. {rules}") });
        let words = first_difference(&message("Lamps"), &message("Lifts"));
        let rest = &rules[..54];
        assert_eq!(
            words,
            format!(
                "at content it has …g at a time. Form: Lamps. {rest}…, and …g at a time. Form: Lifts. {rest}… was asked"
            )
        );
    }
}
