//! What a format said and a form could not keep, in words for whoever brought it.
//!
//! A remark is no fault: the form can be asked. It names the place, so that its author can decide whether the loss
//! matters.

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
            Loss::LeftOut => lang.pick(
                format!("{place} の {keyword} は、フォームに相当するものがないため省きました。"),
                format!("{keyword} at {place} was left out: a form has nothing like it."),
            ),
            Loss::Shortened => lang.pick(
                format!("{place} の {keyword} は長すぎるため、途中で切りました。"),
                format!("{keyword} at {place} was too long and has been cut."),
            ),
            Loss::Lowered { to } => lang.pick(
                format!("{place} の {keyword} は大きすぎるため、{to} に下げました。"),
                format!("{keyword} at {place} was too great and has been lowered to {to}."),
            ),
            Loss::Renamed { to } => lang.pick(
                format!("{place} の「{keyword}」は、フォームでは「{to}」と書きます。"),
                format!("\"{keyword}\" at {place} is spelt \"{to}\" in the form."),
            ),
            Loss::KeptAsText => lang.pick(
                format!("{place} の {keyword} は、そのままの形では尋ねられないため、自由な文章の項目にしました。"),
                format!("{keyword} at {place} cannot be asked as it is; its answer is kept as free text."),
            ),
            Loss::Flattened => lang.pick(
                format!("{place} の {keyword} の中の項目は、フォームの項目として並べました。"),
                format!("{keyword} at {place} has no part of its own; its fields stand in the form itself."),
            ),
            Loss::Unresolved => lang.pick(
                format!("{place} の {keyword} の参照先が、この中に見つからないか循環しているため、省きました。"),
                format!("{keyword} at {place} was left out: it points to nothing in here, or to itself."),
            ),
            Loss::UnusableCondition => lang.pick(
                format!("{place} の「{keyword}」の条件のうち、先に尋ねる項目を見ていないものを省きました。"),
                format!("A condition of \"{keyword}\" at {place} was left out: it does not look at an earlier field."),
            ),
            Loss::NotMentioned => lang.pick(
                format!("項目「{keyword}」は UI スキーマにないため、最後に残しました。"),
                format!("The field \"{keyword}\" is not in the UI schema; it stays at the end."),
            ),
            Loss::UnknownField => lang.pick(
                format!("{place} の「{keyword}」に当たる項目がフォームにないため、省きました。"),
                format!("\"{keyword}\" at {place} was left out: the form has no such field."),
            ),
        }
    }
}
