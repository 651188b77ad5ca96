//! The decoder of a spoken argument, cut anywhere.

use enza_server::live::SpokenArgument;
use proptest::prelude::*;
use serde_json::{Value, json};

/// What is heard when the text comes in these parts.
fn heard(parts: &[&str]) -> String {
    let mut spoken = SpokenArgument::of("question");
    parts.iter().map(|part| spoken.take(part)).collect()
}

/// What is heard when the text comes one character at a time.
fn letter_by_letter(text: &str) -> String {
    let mut spoken = SpokenArgument::of("question");
    text.chars().map(|char| spoken.take(&char.to_string())).collect()
}

#[test]
fn the_argument_is_found_wherever_it_stands() {
    for text in [
        r#"{"question":"Why?"}"#,
        r#" { "a" : [1, {"question": "no"}, "]}\""] , "question" : "Why?" , "b": null }"#,
        r#"{"b":{"question":"no","x":[[{}]]},"c":-1.5e3,"d":true,"question":"Why?"}"#,
        r#"{"\u0071uestion":"Why?"}"#,
    ] {
        assert_eq!((heard(&[text]), letter_by_letter(text)), ("Why?".to_owned(), "Why?".to_owned()), "{text}");
    }
}

#[test]
fn what_is_no_such_argument_is_not_heard() {
    for text in
        ["", "[]", "\"question\"", r#"{"question":7}"#, r#"{"question":["a"]}"#, r#"{"other":"a"}"#, "ion\":\"a\"}"]
    {
        assert_eq!(letter_by_letter(text), "", "{text}");
    }
}

#[test]
fn half_a_surrogate_pair_is_heard_as_what_it_is() {
    assert_eq!(
        letter_by_letter(r#"{"question":"a\ud83dz\ude00\ud83d\ud83d\ude00\ud83d"}"#),
        "a\u{fffd}z\u{fffd}\u{fffd}😀\u{fffd}"
    );
}

#[test]
fn what_comes_after_the_argument_is_not_heard() {
    assert_eq!(letter_by_letter(r#"{"question":"a","question":"b"}{"question":"c"}"#), "a");
}

proptest! {
    #[test]
    fn any_text_is_heard_whole_however_it_is_cut(text: String, other: String, cuts: Vec<prop::sample::Index>, ascii: bool) {
        let mut whole = json!({ "another": { "question": [&other] }, "question": &text }).to_string();
        if ascii {
            whole = escaped(&whole);
        }
        let read: Value = serde_json::from_str(&whole).unwrap();
        prop_assert_eq!(read["question"].as_str(), Some(text.as_str()));
        let chars: Vec<char> = whole.chars().collect();
        let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(chars.len() + 1)).collect();
        places.extend([0, chars.len()]);
        places.sort_unstable();
        let parts: Vec<String> = places.windows(2).map(|pair| chars[pair[0]..pair[1]].iter().collect()).collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        prop_assert_eq!(heard(&parts), text);
    }
}

/// JSON text with everything beyond ASCII written as escapes.
fn escaped(json: &str) -> String {
    let mut out = String::new();
    for char in json.chars() {
        if char.is_ascii() {
            out.push(char);
        } else {
            let mut units = [0; 2];
            out.extend(char.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    out
}
