//! What a format said and a form could not keep, in words for whoever brought it.
//!
//! A remark is no fault: the form can be asked. It names the place, so that its author can decide whether the loss
//! matters.

use crate::words::words;
use enza_kernel::text::Lang;
use serde::Serialize;

/// Something that was not carried over as it was.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Remark {
    /// Where it stands, as a JSON pointer: `#/properties/name`.
    pub place: String,
    /// The keyword, or the name, that it is about.
    pub keyword: String,
    pub loss: Loss,
}

/// What became of something that was not carried over as it was.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// A form has nothing like it.
    LeftOut,
    /// The text was too long, and was cut.
    Shortened,
    /// The number was too great, and was lowered.
    Lowered {
        to: u32,
    },
    /// The name, or the value, has another spelling in the form.
    Renamed {
        to: String,
    },
    /// Its answer is kept as free text.
    KeptAsText,
    /// Its fields stand in the form itself.
    Flattened,
    /// It points to nothing here, or to itself.
    Unresolved,
    /// The condition looks at something that cannot come before, or stands in another group.
    UnusableCondition,
    /// The field is not mentioned, and stays at the end.
    NotMentioned,
    UnknownField,
}

impl Remark {
    pub(super) fn new(place: &str, keyword: &str, loss: Loss) -> Self {
        Self { place: place.to_owned(), keyword: keyword.to_owned(), loss }
    }

    /// The remark as a sentence.
    pub fn say(&self, lang: Lang) -> String {
        let Self { place, keyword, loss } = self;
        match loss {
            Loss::LeftOut => words(lang).fill("remark.left_out", &[("place", &place), ("keyword", &keyword)]),
            Loss::Shortened => words(lang).fill("remark.shortened", &[("place", &place), ("keyword", &keyword)]),
            Loss::Lowered { to } => {
                words(lang).fill("remark.lowered", &[("place", &place), ("keyword", &keyword), ("to", &to)])
            }
            Loss::Renamed { to } => {
                words(lang).fill("remark.renamed", &[("place", &place), ("keyword", &keyword), ("to", &to)])
            }
            Loss::KeptAsText => words(lang).fill("remark.kept_as_text", &[("place", &place), ("keyword", &keyword)]),
            Loss::Flattened => words(lang).fill("remark.flattened", &[("place", &place), ("keyword", &keyword)]),
            Loss::Unresolved => words(lang).fill("remark.unresolved", &[("place", &place), ("keyword", &keyword)]),
            Loss::UnusableCondition => {
                words(lang).fill("remark.unusable_condition", &[("place", &place), ("keyword", &keyword)])
            }
            Loss::NotMentioned => words(lang).fill("remark.not_mentioned", &[("keyword", &keyword)]),
            Loss::UnknownField => words(lang).fill("remark.unknown_field", &[("place", &place), ("keyword", &keyword)]),
        }
    }
}
