//! Typed model output: the schema shown, the wrapping forgiven, the content held to.

use enza_kernel::schema::{Attempts, Check, Exhausted, Malformed, parse, read, schema_of};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A reviewer's report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Report {
    /// From 0 to 10.
    score: u32,
    #[serde(default)]
    points: Vec<Point>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Point {
    title: String,
    grave: bool,
}

impl Check for Report {
    fn check(&self) -> Result<(), String> {
        if self.score <= 10 { Ok(()) } else { Err(format!("score is {}, it goes from 0 to 10", self.score)) }
    }
}

fn seven() -> Report {
    Report { score: 7, points: vec![] }
}

#[test]
fn a_schema_is_in_one_piece_and_without_noise() {
    assert_eq!(
        schema_of::<Report>(),
        json!({
            "type": "object",
            "description": "A reviewer's report.",
            "properties": {
                "score": { "type": "integer", "minimum": 0, "description": "From 0 to 10." },
                "points": {
                    "type": "array",
                    "default": [],
                    "items": {
                        "type": "object",
                        "properties": { "title": { "type": "string" }, "grave": { "type": "boolean" } },
                        "required": ["title", "grave"],
                    },
                },
            },
            "required": ["score"],
            "additionalProperties": false,
        })
    );
}

#[test]
fn fences_and_prose_around_the_json_are_forgiven() {
    for text in [
        r#"{"score": 7}"#,
        "```json\n{\"score\": 7}\n```",
        "Here's my {careful} report [draft 1]:\n{\"score\": 7}\nIs it \"good\"?",
        "Shape: {\"score\": number}. Report: {\"score\": 7}",
    ] {
        assert_eq!(parse(text), Ok(seven()), "{text}");
    }
}

#[test]
fn a_reply_that_was_cut_off_is_malformed_even_if_a_part_of_it_would_fit() {
    let text = "```json\n{\"points\": [{\"score\": 7}, {\"score\":";
    assert_eq!(
        parse::<Report>(text),
        Err(Malformed {
            what: "the JSON is cut off before its end".into(),
            at: None,
            excerpt: "{\"points\": [{\"score\": 7}, {\"score\":".into(),
            expected: "one JSON object with the keys \"points\" (optional), \"score\"".into(),
        })
    );
}

#[test]
fn a_list_is_not_an_object_even_if_its_items_would_fit_field_by_field() {
    for text in [r#"[{"score": 1}, {"score": 2}]"#, "[7, []]"] {
        let malformed = parse::<Report>(text).unwrap_err();
        assert_eq!(malformed.what, "it is a list, not an object");
    }
}

#[test]
fn a_value_of_the_wrong_shape_is_reported_with_its_place() {
    for (value, at) in [
        (json!({"score": "high"}), Some("$.score")),
        (json!({"score": {"value": 7}}), Some("$.score")),
        (json!({"score": 1, "points": [{"title": "a", "grave": true}, {"title": "b"}]}), Some("$.points[1]")),
        (json!({"score": 1, "points": [{"title": "a", "grave": "very"}]}), Some("$.points[0].grave")),
        (json!({"points": []}), None),
        (json!({"score": 1, "extra": 2}), Some("$.extra")),
    ] {
        let malformed = read::<Report>(&value).unwrap_err();
        assert_eq!(malformed.at.as_deref(), at, "{malformed}");
    }
}

#[test]
fn a_complaint_tells_the_model_what_is_wrong_and_what_is_wanted() {
    let malformed = parse::<Report>(r#"{"points": [{"title": "a", "grave": "very"}], "score": 3}"#).unwrap_err();
    insta::assert_snapshot!(malformed, @r#"
    Your output could not be used: invalid type: string "very", expected a boolean, at $.points[0].grave.
    It reads: {"points":[{"grave":"very","title":"a"}],"score":3}
    Send one JSON object with the keys "points" (optional), "score" and nothing else.
    "#);
    insta::assert_snapshot!(parse::<Report>("I would rather not.").unwrap_err(), @r#"
    Your output could not be used: there is no JSON in it.
    It reads: I would rather not.
    Send one JSON object with the keys "points" (optional), "score" and nothing else.
    "#);
    insta::assert_snapshot!(parse::<Report>("Yes: {\"score\": 7,}").unwrap_err(), @r#"
    Your output could not be used: it is not valid JSON: trailing comma at line 1 column 13.
    It reads: {"score": 7,}
    Send one JSON object with the keys "points" (optional), "score" and nothing else.
    "#);
}

#[test]
fn a_value_is_checked_beyond_its_shape() {
    let malformed = parse::<Report>(r#"{"score": 11}"#).unwrap_err();
    assert_eq!(malformed.what, "score is 11, it goes from 0 to 10");
    let malformed = parse::<Vec<Report>>(r#"[{"score": 1}, {"score": 12}]"#).unwrap_err();
    assert_eq!(malformed.what, "[1]: score is 12, it goes from 0 to 10");
}

#[test]
fn a_model_is_asked_again_twice_and_then_it_is_a_failure() {
    let mut attempts = Attempts::default();
    assert_eq!([attempts.strike(), attempts.strike()], [Ok(()), Ok(())]);
    assert_eq!(attempts.strike(), Err(Exhausted { re_asked: 2 }));
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Anything(Value);

impl Check for Anything {}

fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        r#"[a\\"{}\[\]あ:,]{0,12}"#.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-z\"{]{0,4}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn an_object_is_found_whole_in_any_prose(
        inner in tree(),
        before in "[a-zA-Z'\"`()あ\n .:]{0,30}",
        after in "[^\u{0}]{0,30}",
        pretty in any::<bool>(),
    ) {
        let value = json!({ "inner": inner });
        let json = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        prop_assert_eq!(parse::<Anything>(&format!("{before}{json}{after}")), Ok(Anything(value)));
    }

    #[test]
    fn any_text_at_all_is_read_or_refused(text in r#"[\[\]{}"\\:,a1 ]{0,60}"#) {
        let _ = parse::<Report>(&text);
        let _ = parse::<Vec<u32>>(&text);
        let _ = parse::<Anything>(&text);
    }
}
