//! The words of a reply while it is still being written, as far as they are for a person.
//!
//! A model speaks in plain text, or in one field of a tool's arguments, which the application names. What is shown here is
//! never acted upon: the whole reply follows as an event.

use enza_runtime::seams::model::Piece;

/// The most letters that an unfinished escape can have: two halves of one letter.
const LONGEST_ESCAPE: usize = 12;

/// A reply as far as it is written.
#[derive(Debug, Default)]
pub struct SpokenSoFar {
    text: String,
    arguments: String,
    field: Option<&'static str>,
}

impl SpokenSoFar {
    /// Takes in what was written next; `spoken` says which field of a tool's arguments is for a person.
    pub fn take(&mut self, piece: &Piece, spoken: impl Fn(&str) -> Option<&'static str>) {
        match piece {
            Piece::Text(text) => self.text.push_str(text),
            Piece::Call { place: 0, tool, fragment } => {
                self.field = spoken(tool);
                self.arguments.push_str(fragment);
            }
            Piece::Call { .. } | Piece::Reasoning(_) => {}
            Piece::Again => *self = Self::default(),
        }
    }

    /// The words so far. A text that is an object or a fence is for the rules, and not for people.
    pub fn words(&self) -> String {
        match self.field {
            Some(field) => field_so_far(&self.arguments, field),
            None if self.text.trim_start().starts_with(['{', '`', '[']) => String::new(),
            None => self.text.trim().to_owned(),
        }
    }
}

/// The value of a field in an object that is not whole yet.
fn field_so_far(json: &str, field: &str) -> String {
    let key = format!("\"{field}\"");
    let value = json
        .find(&key)
        .and_then(|at| json[at + key.len()..].trim_start().strip_prefix(':'))
        .and_then(|rest| rest.trim_start().strip_prefix('"'));
    let Some(value) = value else { return String::new() };
    let value = &value[..end_of_string(value)];
    let cuts = value.char_indices().map(|(at, _)| at).rev().take(LONGEST_ESCAPE);
    std::iter::once(value.len())
        .chain(cuts)
        .find_map(|end| serde_json::from_str(&format!("\"{}\"", &value[..end])).ok())
        .unwrap_or_default()
}

/// Where a string ends whose opening quote has been passed.
fn end_of_string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_field_are_read_while_it_is_written() {
        let whole = r#"{"id": 3, "question": "Where is \"it\"?\n\u3042", "more": 1}"#;
        let mut before = String::new();
        for end in (0..=whole.len()).filter(|end| whole.is_char_boundary(*end)) {
            let words = field_so_far(&whole[..end], "question");
            assert!(words.starts_with(&before), "{words:?} after {before:?}");
            before = words;
        }
        assert_eq!(before, "Where is \"it\"?\nあ");
    }

    #[test]
    fn an_object_in_the_text_is_not_for_people() {
        let mut said = SpokenSoFar::default();
        said.take(&Piece::Text("{\"reply\":".to_owned()), |_| None);
        assert_eq!(said.words(), "");
        said.take(&Piece::Again, |_| None);
        said.take(&Piece::Text("Good morning".to_owned()), |_| None);
        assert_eq!(said.words(), "Good morning");
    }
}
