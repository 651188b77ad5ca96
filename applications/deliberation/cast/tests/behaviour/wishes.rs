//! Directions are followed: the three kinds that a rule can check, in both languages, in every phase of every mode.

use enza_deliberation_cast::{Wish, modes, speak, wishes, without_confidence};
use enza_kernel::limits::length;
use enza_kernel::text::Lang;

use super::circle::{Circle, sentences_of};

const NUMBER: [(&str, &str); 5] = [
    ("数字を一つ挙げて", "Name a number"),
    ("具体的な数字で話して", "Use a concrete figure"),
    ("何人くらいか言ってください", "Say how many"),
    ("割合で示して", "Give a percentage"),
    ("数値を入れてほしい", "Please give us some numbers"),
];
const QUESTION: [(&str, &str); 4] = [
    ("質問から始めて", "Begin with a question"),
    ("最初に問いかけて", "Start with a question, please"),
    ("冒頭は疑問文で", "Open your statement with a question"),
    ("はじめに質問をして", "First ask a question"),
];
const MENTION: [(&str, &str, &str, &str); 5] = [
    ("雨の日に触れて", "雨の日", "Mention rainy days", "rainy days"),
    ("図書館について話して", "図書館", "Talk about the library", "the library"),
    ("「祖母の台所」を例に出して", "祖母の台所", "Bring up “grandmother's kitchen”", "grandmother's kitchen"),
    ("今回は必ず電気代に言及すること", "電気代", "Please refer to the electricity bill.", "the electricity bill"),
    (
        "隣町の朝市の話をして",
        "隣町の朝市",
        "Cite the morning market next door, briefly",
        "the morning market next door",
    ),
];

/// Statements with a direction: every language of the debate with every language of the direction.
fn with(direction: &str, check: impl Fn(Lang, &str, &str)) {
    for lang in [Lang::Ja, Lang::En] {
        for mode in modes() {
            let circle = Circle::of(lang, mode, 4, 4, "wishes");
            let said = circle.played();
            for turn in 1..=mode.turns {
                for seat in [0, 3] {
                    let mut speaking = circle.speaking(turn, seat, &said);
                    speaking.direction = Some(direction.to_owned());
                    let spoken = speak(&speaking);
                    let (_, most) = speaking.length;
                    assert!(length(&spoken.text) <= most, "{spoken:?}");
                    assert!(spoken.thinking.contains(direction), "{spoken:?}");
                    check(lang, &spoken.text, direction);
                }
            }
        }
    }
}

#[test]
fn a_number_is_named_where_one_is_asked_for() {
    for direction in NUMBER.iter().flat_map(|(ja, en)| [*ja, *en]) {
        with(direction, |lang, text, direction| {
            let has = without_confidence(text).chars().any(|letter| letter.is_ascii_digit());
            assert!(has, "{lang} {direction}: {text}");
        });
    }
}

#[test]
fn a_statement_begins_with_a_question_where_that_is_asked_for() {
    for direction in QUESTION.iter().flat_map(|(ja, en)| [*ja, *en]) {
        with(direction, |lang, text, direction| {
            let first = &sentences_of(text)[0];
            assert!(first.ends_with(lang.pick("か。", "?")), "{lang} {direction}: {text}");
        });
    }
}

#[test]
fn words_are_mentioned_where_that_is_asked_for() {
    for (direction, words) in MENTION.iter().flat_map(|(ja, words, en, en_words)| [(*ja, *words), (*en, *en_words)]) {
        with(direction, |lang, text, direction| assert!(text.contains(words), "{lang} {direction}: {text}"));
    }
}

#[test]
fn any_other_direction_is_taken_up() {
    assert_eq!(wishes("子どもの安全を第一に考えて"), [Wish::Theme("子どもの安全".to_owned())]);
    assert_eq!(wishes("Focus on the safety of children."), [Wish::Theme("the safety of children".to_owned())]);
    with("子どもの安全を第一に考えて", |_, text, _| assert!(text.contains("子どもの安全"), "{text}"));
    with("Focus on the safety of children.", |_, text, _| assert!(text.contains("the safety of children"), "{text}"));
}

#[test]
fn a_direction_can_ask_for_several_things() {
    let both = [Wish::Mention("雨".to_owned()), Wish::BeginWithQuestion, Wish::Number];
    assert_eq!(wishes("質問から始めて、雨に触れて、数字も出して"), both);
    assert_eq!(wishes("Mention the rain, begin with a question and name a number")[1..], both[1..]);
    assert_eq!(wishes("Disagree politely"), [Wish::Object]);
    assert_eq!(wishes("短く"), [Wish::Brief]);
    assert_eq!(wishes("   "), []);
}

#[test]
fn a_statement_with_a_direction_differs_from_the_one_without() {
    for lang in [Lang::Ja, Lang::En] {
        let circle = Circle::of(lang, &modes()[1], 4, 4, "differs");
        let said = circle.played();
        let without = speak(&circle.speaking(3, 1, &said)).text;
        for direction in ["数字を挙げて", "Oppose them", "賛成して", "Be kind", "短く"] {
            let mut speaking = circle.speaking(3, 1, &said);
            speaking.direction = Some(direction.to_owned());
            let text = speak(&speaking).text;
            assert!(text != without || direction == "短く", "{lang} {direction}: {text}");
        }
    }
}
