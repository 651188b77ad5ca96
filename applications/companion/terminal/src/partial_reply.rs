//! Words of a reply while it is still being written.
//!
//! A model answers with one JSON object; what a person wants to see of it are the values of its own `rationale` and
//! `reply`. This reads them out of the growing text, letter by letter, so it does not matter in which pieces the text
//! comes. Fences and prose before the object are passed over. Whether the object is any good is decided by the rules once
//! it is whole: what is shown here is never acted upon.

/// A reply as far as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PartialReply {
    at: ParseState,
    /// The letters of the last unfinished escape, without its backslash; none where there is none.
    escape: Option<String>,
    /// The first half of a letter that comes in two.
    half: Option<u16>,
    rationale: String,
    reply: String,
    letters: usize,
}

/// Where in the text we are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
enum ParseState {
    /// Before the object.
    #[default]
    Before,
    /// In the object, before a key or its end.
    Key,
    InKey(String),
    /// Behind a key, before its value.
    Value(Field),
    /// In a text that is shown.
    Shown(Field),
    /// In some other value: how deep, and whether in a text of it.
    Skipped {
        depth: usize,
        in_text: bool,
    },
    /// Behind the object.
    After,
}

/// A field of the object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Rationale,
    Reply,
    Other,
}

impl PartialReply {
    /// Takes in what was written next.
    pub fn feed(&mut self, text: &str) {
        for letter in text.chars() {
            self.letters += 1;
            self.take(letter);
        }
    }

    /// Takes in what the model says to itself; it counts as work and is not shown.
    pub fn think(&mut self, text: &str) {
        self.letters += text.chars().count();
    }

    /// Why the model does what it does, as far as it is written.
    pub fn rationale(&self) -> &str {
        &self.rationale
    }

    /// The words for the person, as far as they are written.
    pub fn reply(&self) -> &str {
        &self.reply
    }

    /// How many letters were written in all.
    pub fn letters(&self) -> usize {
        self.letters
    }

    fn take(&mut self, letter: char) {
        self.at = match std::mem::take(&mut self.at) {
            ParseState::Before if letter == '{' => ParseState::Key,
            ParseState::Before => ParseState::Before,
            ParseState::Key => self.before_key(letter),
            ParseState::InKey(key) => self.in_key(key, letter),
            ParseState::Value(field) => self.before_value(field, letter),
            ParseState::Shown(field) => self.in_shown(field, letter),
            ParseState::Skipped { depth, in_text } => self.in_skipped(depth, in_text, letter),
            ParseState::After => ParseState::After,
        };
    }

    fn before_key(&mut self, letter: char) -> ParseState {
        match letter {
            '"' => ParseState::InKey(String::new()),
            '}' => ParseState::After,
            '{' | ',' => ParseState::Key,
            _ if letter.is_whitespace() => ParseState::Key,
            // A brace in prose: the object is still to come.
            _ => ParseState::Before,
        }
    }

    fn in_key(&mut self, mut key: String, letter: char) -> ParseState {
        match self.spelt(letter) {
            Unescaped::Letter(letter) => key.push(letter),
            Unescaped::Unfinished => {}
            Unescaped::End => {
                let field = match key.as_str() {
                    "rationale" => Field::Rationale,
                    "reply" => Field::Reply,
                    _ => Field::Other,
                };
                return ParseState::Value(field);
            }
        }
        ParseState::InKey(key)
    }

    fn before_value(&mut self, field: Field, letter: char) -> ParseState {
        match (letter, field) {
            ('"', Field::Rationale | Field::Reply) => {
                // Said twice, the last counts.
                self.shown(field).clear();
                ParseState::Shown(field)
            }
            ('"', Field::Other) => ParseState::Skipped { depth: 0, in_text: true },
            ('{' | '[', _) => ParseState::Skipped { depth: 1, in_text: false },
            ('}', _) => ParseState::After,
            (',', _) => ParseState::Key,
            (':', _) => ParseState::Value(field),
            _ if letter.is_whitespace() => ParseState::Value(field),
            _ => ParseState::Skipped { depth: 0, in_text: false },
        }
    }

    fn in_shown(&mut self, field: Field, letter: char) -> ParseState {
        match self.spelt(letter) {
            Unescaped::Letter(letter) => self.shown(field).push(letter),
            Unescaped::Unfinished => {}
            Unescaped::End => return ParseState::Skipped { depth: 0, in_text: false },
        }
        ParseState::Shown(field)
    }

    fn in_skipped(&mut self, depth: usize, in_text: bool, letter: char) -> ParseState {
        if in_text {
            let in_text = self.spelt(letter) != Unescaped::End;
            return ParseState::Skipped { depth, in_text };
        }
        match (letter, depth) {
            ('"', _) => ParseState::Skipped { depth, in_text: true },
            ('{' | '[', _) => ParseState::Skipped { depth: depth + 1, in_text },
            ('}' | ']', 0) => ParseState::After,
            ('}' | ']', _) => ParseState::Skipped { depth: depth - 1, in_text },
            (',', 0) => ParseState::Key,
            _ => ParseState::Skipped { depth, in_text },
        }
    }

    fn shown(&mut self, field: Field) -> &mut String {
        if field == Field::Rationale { &mut self.rationale } else { &mut self.reply }
    }

    /// What a letter inside a text means.
    fn spelt(&mut self, letter: char) -> Unescaped {
        let Some(mut escape) = self.escape.take() else {
            return match letter {
                '\\' => {
                    self.escape = Some(String::new());
                    Unescaped::Unfinished
                }
                '"' => Unescaped::End,
                _ => Unescaped::Letter(letter),
            };
        };
        if escape.is_empty() && letter != 'u' {
            return Unescaped::Letter(match letter {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                other => other,
            });
        }
        escape.push(letter);
        if escape.len() < "uXXXX".len() {
            self.escape = Some(escape);
            return Unescaped::Unfinished;
        }
        u16::from_str_radix(&escape[1..], 16)
            .map_or(Unescaped::Letter(char::REPLACEMENT_CHARACTER), |unit| self.unit(unit))
    }

    /// A unit of UTF-16: a letter, or one half of one.
    fn unit(&mut self, unit: u16) -> Unescaped {
        let half = self.half.take();
        match (half, char::decode_utf16([unit]).next()) {
            (_, Some(Ok(letter))) => Unescaped::Letter(letter),
            (Some(first), _) => {
                let whole = char::decode_utf16([first, unit]).next();
                Unescaped::Letter(whole.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
            (None, _) => {
                self.half = Some(unit);
                Unescaped::Unfinished
            }
        }
    }
}

/// What a letter inside a text came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unescaped {
    Letter(char),
    Unfinished,
    End,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn whole(text: &str) -> PartialReply {
        let mut unfolding = PartialReply::default();
        unfolding.feed(text);
        unfolding
    }

    fn words(text: &str) -> (String, String) {
        let read = whole(text);
        (read.rationale().to_owned(), read.reply().to_owned())
    }

    fn both(rationale: &str, reply: &str) -> (String, String) {
        (rationale.to_owned(), reply.to_owned())
    }

    #[test]
    fn the_words_show_as_soon_as_they_are_written() {
        assert_eq!(words(r#"{"rationale": "as ask"#), both("as ask", ""));
        assert_eq!(words(r#"{"rationale": "asked", "reply": "Hel"#), both("asked", "Hel"));
        assert_eq!(words(r#"{"reply": null, "x": 1, "rationale":"why"}"#), both("why", ""));
    }

    #[test]
    fn fences_and_prose_before_the_object_are_passed_over() {
        assert_eq!(words("Use {x} so:\n```json\n{ \"reply\": \"a\" }\n```"), both("", "a"));
        assert_eq!(words("{\"reply\": \"a\"} {\"reply\": \"b\"}"), both("", "a"));
    }

    #[test]
    fn only_the_objects_own_fields_count() {
        let text = r#"{"plan": {"reply": "no"}, "actions": [{"reply": "}\"]no"}], "reply": "yes"}"#;
        assert_eq!(words(text), both("", "yes"));
    }

    #[test]
    fn letters_in_two_halves_come_whole_and_a_lone_half_is_marked() {
        assert_eq!(words(r#"{"reply": "\ud83e\udd86\u65e5\n\"\\"#), both("", "🦆日\n\"\\"));
        assert_eq!(words(r#"{"reply": "\ud83e\ud83e!"#), both("", "\u{fffd}!"));
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![any::<Option<bool>>().prop_map(|one| json!(one)), any::<String>().prop_map(Value::from)];
        leaf.prop_recursive(3, 12, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("reply|rationale|[a-z\"{}\\\\]{0,4}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_split_gives_the_words_that_a_whole_reading_gives(
            rationale in any::<String>(), reply in any::<String>(), other in value(), cuts in prop::collection::vec(0usize..400, 0..12),
        ) {
            let object = json!({ "a": other, "rationale": rationale, "reply": reply, "z": other });
            let plain = object.to_string();
            // The same with every letter that may be spelt out spelt out.
            let spelt: String = plain.chars().map(|letter| match letter {
                _ if letter.is_ascii() => letter.to_string(),
                _ => letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
            }).collect();
            for text in [plain, spelt] {
                let letters: Vec<char> = text.chars().collect();
                let mut pieces = PartialReply::default();
                let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (letters.len() + 1)).collect();
                cuts.sort_unstable();
                let mut start = 0;
                for cut in cuts.into_iter().chain([letters.len()]) {
                    pieces.feed(&letters[start..cut].iter().collect::<String>());
                    start = cut;
                }
                prop_assert_eq!((pieces.rationale(), pieces.reply()), (rationale.as_str(), reply.as_str()));
                prop_assert_eq!(&pieces, &whole(&text));
            }
        }
    }
}
