//! What is wrong with a form, in words for whoever wrote it.

use enza_kernel::application::Reason;
use enza_kernel::limits::TextRefusal;
use enza_kernel::text::{Lang, Said};

use super::{MOST_FIELDS, MOST_ITEMS};
use crate::phrase::unpunctuated;
use crate::words::words;

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
            Self::Unreadable { why } => words(lang).fill("form-fault.unreadable", &[("why", &unpunctuated(why))]),
            Self::FieldCount { count } => {
                words(lang).fill("form-fault.field_count", &[("most_fields", &MOST_FIELDS), ("count", &count)])
            }
            Self::Count { place, count, most } => {
                words(lang).fill("form-fault.count", &[("place", &place), ("most", &most), ("count", &count)])
            }
            Self::RepeatedField { field_id } => {
                words(lang).fill("form-fault.repeated_field", &[("field_id", &field_id)])
            }
            Self::RepeatedFact { field_id, fact_key } => {
                words(lang).fill("form-fault.repeated_fact", &[("field_id", &field_id), ("fact_key", &fact_key)])
            }
            Self::BadOptions { field_id } => words(lang).fill("form-fault.bad_options", &[("field_id", &field_id)]),
            Self::BadBounds { field_id } => words(lang).fill("form-fault.bad_bounds", &[("field_id", &field_id)]),
            Self::EmptyCondition { field_id, other } => {
                words(lang).fill("form-fault.empty_condition", &[("field_id", &field_id), ("other", &other)])
            }
            Self::NotEarlier { field_id, other } => {
                words(lang).fill("form-fault.not_earlier", &[("field_id", &field_id), ("other", &other)])
            }
            Self::InsideGroup { field_id, other } => {
                words(lang).fill("form-fault.inside_group", &[("field_id", &field_id), ("other", &other)])
            }
            Self::UnknownGroup { field_id, group } => {
                words(lang).fill("form-fault.unknown_group", &[("field_id", &field_id), ("group", &group)])
            }
            Self::ScatteredGroup { group } => words(lang).fill("form-fault.scattered_group", &[("group", &group)]),
            Self::BadItems { group } => words(lang).fill("form-fault.bad_items", &[("group", &group)]),
            Self::HiddenRequired { field_id } => {
                words(lang).fill("form-fault.hidden_required", &[("field_id", &field_id)])
            }
            Self::BadId { id } => words(lang).fill("form-fault.bad_id", &[("id", &id)]),
            Self::Text { place, unfit } => format!("{place}: {}", unfit.say(lang).message),
        }
    }

    fn hint(&self, lang: Lang) -> String {
        match self {
            Self::BadId { .. } => words(lang).say("form-fault.bad_id_hint").to_owned(),
            Self::BadOptions { .. } => words(lang).say("form-fault.bad_options_hint").to_owned(),
            Self::BadBounds { .. } => words(lang).say("form-fault.bad_bounds_hint").to_owned(),
            Self::EmptyCondition { .. } => words(lang).say("form-fault.empty_condition_hint").to_owned(),
            Self::NotEarlier { .. } | Self::InsideGroup { .. } => {
                words(lang).say("form-fault.not_earlier_hint").to_owned()
            }
            Self::BadItems { .. } => words(lang).fill("form-fault.bad_items_hint", &[("most_items", &MOST_ITEMS)]),
            Self::Text { unfit, .. } => unfit.say(lang).hint,
            Self::Unreadable { .. }
            | Self::FieldCount { .. }
            | Self::Count { .. }
            | Self::RepeatedField { .. }
            | Self::RepeatedFact { .. }
            | Self::UnknownGroup { .. }
            | Self::ScatteredGroup { .. }
            | Self::HiddenRequired { .. } => words(lang).say("form-fault.other_hint").to_owned(),
        }
    }
}
