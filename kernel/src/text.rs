//! Japanese and English, side by side.
//!
//! A sentence for people is written in both languages in the same place, so that neither can be
//! forgotten. Which one is shown is decided at the edge, once, by a `Lang` that is handed down.
//!
//! What comes from elsewhere and is shown to be decided upon must not hide anything: `spelt_out` is the one rule for
//! letters that nobody sees.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A language that Enza speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// 日本語
    Ja,
    /// English
    #[default]
    En,
}

impl Lang {
    /// The language of a locale name such as `ja_JP.UTF-8`; English where it is not one of ours.
    pub fn of_locale(locale: &str) -> Self {
        if locale.to_ascii_lowercase().starts_with("ja") { Self::Ja } else { Self::En }
    }

    /// The text in this language.
    pub fn pick<T>(self, ja: T, en: T) -> T {
        match self {
            Self::Ja => ja,
            Self::En => en,
        }
    }

    /// These in a row, as this language parts the things of a list.
    pub fn list<T: AsRef<str>>(self, things: impl IntoIterator<Item = T>) -> String {
        let mut listed = String::new();
        for (place, thing) in things.into_iter().enumerate() {
            if place > 0 {
                listed.push_str(self.pick("、", ", "));
            }
            listed.push_str(thing.as_ref());
        }
        listed
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.pick("ja", "en"))
    }
}

/// A word that is not the name of a language we speak.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is not a language we speak; use ja or en")]
pub struct UnknownLang {
    pub word: String,
}

impl FromStr for Lang {
    type Err = UnknownLang;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        [Self::Ja, Self::En]
            .into_iter()
            .find(|lang| word.eq_ignore_ascii_case(lang.pick("ja", "en")))
            .ok_or_else(|| UnknownLang { word: word.to_owned() })
    }
}

/// Something said to a person: what happened, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    pub message: String,
    pub hint: String,
}

impl Said {
    /// Both halves.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into() }
    }

    /// Both in one text. The hint has a line of its own where the message ends in a piece and not as a sentence does.
    pub fn in_one(&self) -> String {
        let closers = ['」', '』', '）', ')', '"', '”', '\'', '’'];
        let message = self.message.trim_end();
        let is_ended = message.trim_end_matches(closers).ends_with(['.', '。', '!', '！', '?', '？']);
        format!("{message}{}{}", if is_ended { " " } else { "\n" }, self.hint)
    }
}

/// A name without the mark at its end, to be put into a sentence. What is nothing but marks stays.
///
/// ```
/// use enza_kernel::text::unpunctuated;
/// assert_eq!(unpunctuated("お名前："), "お名前");
/// assert_eq!(unpunctuated("?"), "?");
/// ```
pub fn unpunctuated(text: &str) -> &str {
    // What ends a sentence, or introduces what follows.
    let marks = ['.', '。', '．', '｡', '!', '！', '?', '？', ':', '：', ';', '；', ',', '、', '，'];
    let text = text.trim();
    let unpunctuated = text.trim_end_matches(|letter: char| marks.contains(&letter) || letter.is_whitespace());
    if unpunctuated.is_empty() { text } else { unpunctuated }
}

/// Whether a letter leaves nothing on the screen, or turns around what stands beside it. Spaces, tabs and line ends are
/// none of these: where they are can be seen.
pub fn is_unseen(letter: char) -> bool {
    let is_control = letter.is_control() && !matches!(letter, '\t' | '\n');
    is_control
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// A letter that nobody sees, spelt out; none for one that shows itself.
///
/// ```
/// use enza_kernel::text::spelt_out;
/// assert_eq!(spelt_out('\u{202e}').as_deref(), Some("<U+202E>"));
/// assert_eq!(spelt_out('円'), None);
/// ```
pub fn spelt_out(letter: char) -> Option<String> {
    is_unseen(letter).then(|| format!("<U+{:04X}>", u32::from(letter)))
}
