//! Takes keys out of a text: the one that is known, and whatever looks like one.

use crate::keys::{MARK, Secret};

/// How keys of well-known services begin.
const BEGINNINGS: [&str; 10] = ["sk-", "sk_", "gsk_", "AIza", "hf_", "xai-", "r8_", "ghp_", "github_pat_", "Bearer "];
/// A shorter word is no key.
const SHORTEST: usize = 16;

/// The text without keys.
pub(super) fn redact(text: &str, key: Option<&Secret>) -> String {
    let known = key.map_or_else(|| text.to_owned(), |key| key.scrub(text));
    BEGINNINGS.iter().fold(known, |text, beginning| without(&text, beginning))
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
}
