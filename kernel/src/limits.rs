//! How long a text may be, each limit named once.
//!
//! Lengths are counted in grapheme clusters after trimming, since that is what a person sees and counts: a family
//! emoji is one, and so is が however it was typed. Because one cluster may carry any number of bytes, every limit has
//! a byte ceiling as well. Rules, API, forms and messages all use these constants; none repeats the number.
//!
//! An application's own limits are constants of the same type, in the application.

use serde::Serialize;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::application::Reason;
use crate::text::{Lang, Said, is_unseen};
use crate::words::words;

/// What a person says in a session.
pub const MESSAGE: Limit = Limit { name: "message", graphemes: 4_000, bytes: 64 * 1024 };
/// What a thing is called in a list.
pub const TITLE: Limit = Limit { name: "title", graphemes: 120, bytes: 2 * 1024 };
/// What a person or an agent is called.
pub const NAME: Limit = Limit { name: "name", graphemes: 60, bytes: 1024 };
/// A remark beside something else: an answer's note, a direction, a feedback.
pub const NOTE: Limit = Limit { name: "note", graphemes: 1_000, bytes: 16 * 1024 };

/// Every limit of the kernel.
pub const ALL: [Limit; 4] = [MESSAGE, TITLE, NAME, NOTE];

/// How long one kind of text may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// What the text is called in the API and in records.
    pub name: &'static str,
    /// The most grapheme clusters.
    pub graphemes: usize,
    /// The most bytes of UTF-8.
    pub bytes: usize,
}

/// Why a text does not do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextRefusal {
    /// There is nothing in it to see.
    #[error("{}: empty", limit.name)]
    Empty {
        /// The limit it was held to.
        limit: Limit,
    },
    /// It has too many characters.
    #[error("{}: {graphemes} characters, at most {} are allowed", limit.name, limit.graphemes)]
    TooLong {
        /// The limit it was held to.
        limit: Limit,
        /// How many grapheme clusters it has.
        graphemes: usize,
    },
    /// It has too many bytes, whatever the number of its characters.
    #[error("{}: {bytes} bytes, at most {} are allowed", limit.name, limit.bytes)]
    TooLarge {
        /// The limit it was held to.
        limit: Limit,
        /// How many bytes it has.
        bytes: usize,
    },
}

impl Limit {
    /// The text without the space around it, if it fits and is not empty.
    pub fn check(&self, text: &str) -> Result<String, TextRefusal> {
        let text = self.check_optional(text)?;
        if text.chars().all(is_invisible) {
            return Err(TextRefusal::Empty { limit: *self });
        }
        Ok(text)
    }

    /// The same for a text that may be left empty.
    pub fn check_optional(&self, text: &str) -> Result<String, TextRefusal> {
        let text = text.trim();
        // Bytes first: counting clusters takes time in proportion to them.
        if text.len() > self.bytes {
            return Err(TextRefusal::TooLarge { limit: *self, bytes: text.len() });
        }
        let graphemes = length(text);
        if graphemes > self.graphemes {
            return Err(TextRefusal::TooLong { limit: *self, graphemes });
        }
        Ok(text.to_owned())
    }
}

/// How long a text is to a person.
pub fn length(text: &str) -> usize {
    text.graphemes(true).count()
}

/// A text on one line, cut where it is longer than this many characters; the mark of the cut is one of them.
///
/// ```
/// assert_eq!(enza_kernel::limits::one_line("first\n  second", 9), "first se…");
/// ```
pub fn one_line(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.len() <= most || length(&line) <= most {
        return line;
    }
    let start: String = line.graphemes(true).take(most.saturating_sub(1)).collect();
    format!("{}…", start.trim_end())
}

/// Whether a character leaves nothing on the screen; a text of these alone is empty to whoever reads it.
fn is_invisible(letter: char) -> bool {
    letter.is_whitespace() || is_unseen(letter)
}

impl Reason for TextRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Empty { .. } => "text-empty",
            Self::TooLong { .. } | Self::TooLarge { .. } => "text-too-long",
        }
    }

    fn say(&self, lang: Lang) -> Said {
        match self {
            Self::Empty { limit } => {
                words(lang).said("text.empty", &[("subject", &limit.name), ("most", &limit.graphemes)])
            }
            Self::TooLong { limit, graphemes } => {
                let (most, over) = (limit.graphemes, graphemes - limit.graphemes);
                words(lang).said(
                    "text.too_long",
                    &[("subject", &limit.name), ("count", graphemes), ("most", &most), ("over", &over)],
                )
            }
            Self::TooLarge { limit, bytes } => words(lang)
                .said("text.too_large", &[("subject", &limit.name), ("bytes", bytes), ("most", &limit.bytes)]),
        }
    }
}
