//! What is wrong with a form, in words for whoever wrote it.

use enza_kernel::application::Reason;
use enza_kernel::limits::TextRefusal;
use enza_kernel::text::{Lang, Said};

use super::{MOST_FIELDS, MOST_ITEMS};
use crate::phrase::unpunctuated;

/// What is wrong with a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormFault {
    /// The text is not a form: not JSON or TOML, a key too many or one too few.
    Unreadable { why: String },
    /// It has no field, or too many.
    FieldCount { count: usize },
    /// Something else is there too often.
    Count { place: String, count: usize, most: usize },
    /// Two fields, or a field and a group, have the same id.
    RepeatedField { field_id: String },
    /// Two facts of a field have the same key.
    RepeatedFact { field_id: String, fact_key: String },
    /// A choice without options, options without a choice, or one option twice.
    BadOptions { field_id: String },
    /// A least or a most that its kind does not have, or that leaves nothing between.
    BadBounds { field_id: String },
    /// A condition that says nothing.
    EmptyCondition {
        field_id: String,
        /// The field that it looks at.
        other: String,
    },
    /// A field looks at one that does not come before it.
    NotEarlier { field_id: String, other: String },
    /// A field outside a group looks at one inside.
    InsideGroup { field_id: String, other: String },
    /// A field is in a group that is not there.
    UnknownGroup { field_id: String, group: String },
    /// The fields of a group do not stand together, or there are none.
    ScatteredGroup { group: String },
    /// A group that can have no item, or fewer than it must.
    BadItems { group: String },
    /// A field that is never asked cannot be required.
    HiddenRequired { field_id: String },
    /// An id, a key or an option has characters that it may not have.
    BadId { id: String },
    /// A text is empty or too long.
    Text { place: String, unfit: TextRefusal },
}

impl Reason for FormFault {
    fn code(&self) -> &'static str {
        "form-faulty"
    }

    fn say(&self, lang: Lang) -> Said {
        Said::new(self.message(lang), self.hint(lang))
    }
}

impl FormFault {
    fn message(&self, lang: Lang) -> String {
        match self {
            Self::Unreadable { why } => lang.pick(
                format!("フォームを読めません: {}。", unpunctuated(why)),
                format!("The form cannot be read: {}.", unpunctuated(why)),
            ),
            Self::FieldCount { count } => lang.pick(
                format!("項目は1個から{MOST_FIELDS}個までですが、{count}個あります。"),
                format!("A form has 1 to {MOST_FIELDS} fields; this one has {count}."),
            ),
            Self::Count { place, count, most } => lang.pick(
                format!("{place} は{most}までですが、{count}あります。"),
                format!("{place}: at most {most} are allowed; there are {count}."),
            ),
            Self::RepeatedField { field_id } => lang.pick(
                format!("項目のID「{field_id}」が重複しています。"),
                format!("Two fields have the id \"{field_id}\"."),
            ),
            Self::RepeatedFact { field_id, fact_key } => lang.pick(
                format!("項目「{field_id}」の事実のキー「{fact_key}」が重複しています。"),
                format!("Two facts of the field \"{field_id}\" have the key \"{fact_key}\"."),
            ),
            Self::BadOptions { field_id } => lang.pick(
                format!("項目「{field_id}」の選択肢が正しくありません。"),
                format!("The options of the field \"{field_id}\" do not fit."),
            ),
            Self::BadBounds { field_id } => lang.pick(
                format!("項目「{field_id}」の最小・最大が正しくありません。"),
                format!("The least and the most of the field \"{field_id}\" do not fit."),
            ),
            Self::EmptyCondition { field_id, other } => lang.pick(
                format!("項目「{field_id}」の「{other}」についての条件に中身がありません。"),
                format!("The condition of the field \"{field_id}\" on \"{other}\" says nothing."),
            ),
            Self::NotEarlier { field_id, other } => lang.pick(
                format!("項目「{field_id}」が参照する「{other}」は、それより前にありません。"),
                format!("The field \"{field_id}\" looks at \"{other}\", which does not come before it."),
            ),
            Self::InsideGroup { field_id, other } => lang.pick(
                format!("項目「{field_id}」は、グループの中の「{other}」を外から参照しています。"),
                format!("The field \"{field_id}\" looks into a group from outside, at \"{other}\"."),
            ),
            Self::UnknownGroup { field_id, group } => lang.pick(
                format!("項目「{field_id}」のグループ「{group}」がありません。"),
                format!("The field \"{field_id}\" is in the group \"{group}\", which is not there."),
            ),
            Self::ScatteredGroup { group } => lang.pick(
                format!("グループ「{group}」の項目が続いて並んでいません。"),
                format!("The fields of the group \"{group}\" do not stand together."),
            ),
            Self::BadItems { group } => lang.pick(
                format!("グループ「{group}」の回数が正しくありません。"),
                format!("The group \"{group}\" cannot have that many items."),
            ),
            Self::HiddenRequired { field_id } => lang.pick(
                format!("項目「{field_id}」は尋ねない項目なので、必須にできません。"),
                format!("The field \"{field_id}\" is never asked, so it cannot be required."),
            ),
            Self::BadId { id } => {
                lang.pick(format!("「{id}」はここでは使えません。"), format!("\"{id}\" cannot be used here."))
            }
            Self::Text { place, unfit } => format!("{place}: {}", unfit.say(lang).message),
        }
    }

    fn hint(&self, lang: Lang) -> String {
        match self {
            Self::BadId { .. } => lang
                .pick(
                    "IDには英数字と _ - だけを、選択肢には ; 以外を使ってください。",
                    "Use letters, digits and _ - in ids, and anything but ; in options.",
                )
                .to_owned(),
            Self::BadOptions { .. } => lang
                .pick(
                    "choice と choices には選択肢を重複なく書き、ほかの種類からは消してください。",
                    "Give options to choice and choices, each once, and to no other kind.",
                )
                .to_owned(),
            Self::BadBounds { .. } => lang
                .pick(
                    "数は 3、日付は 2026-11-03、時刻は 14:30 のように書き、最小は最大以下にしてください。",
                    "Write numbers as 3, days as 2026-11-03, times as 14:30, the least not above the most.",
                )
                .to_owned(),
            Self::EmptyCondition { .. } => lang
                .pick(
                    "is, isNot, moreThan, lessThan, answered のどれかを書いてください。",
                    "Say is, isNot, moreThan, lessThan or answered.",
                )
                .to_owned(),
            Self::NotEarlier { .. } | Self::InsideGroup { .. } => lang
                .pick("参照される項目を前に移してください。", "Move the field that is looked at before it.")
                .to_owned(),
            Self::BadItems { .. } => lang.pick(
                format!("max は1から{MOST_ITEMS}まで、min はそれ以下にしてください。"),
                format!("Let max be 1 to {MOST_ITEMS}, and min not above it."),
            ),
            Self::Text { unfit, .. } => unfit.say(lang).hint,
            Self::Unreadable { .. }
            | Self::FieldCount { .. }
            | Self::Count { .. }
            | Self::RepeatedField { .. }
            | Self::RepeatedFact { .. }
            | Self::UnknownGroup { .. }
            | Self::ScatteredGroup { .. }
            | Self::HiddenRequired { .. } => lang
                .pick("フォームを直してから、もう一度開いてください。", "Correct the form and open it again.")
                .to_owned(),
        }
    }
}
