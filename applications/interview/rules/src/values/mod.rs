//! Reads what people write into the one spelling in which values are kept, and shows kept values to people.
//!
//! Reading is strict about the whole text and forgiving about its clothing: words that carry nothing, full width,
//! separators, numerals and the order of a date go by the respondent's locale. What could mean two things is refused
//! with both, never guessed. Reading a kept value gives the same value, and so does reading a shown one.
//!
//! Whether a value answers the question is for the reviewer to judge; what becomes of it is for the rules.

mod absence;
mod choice;
mod date;
mod decimal;
mod email;
mod fault;
mod file;
mod grounds;
mod labelled;
mod number;
mod phone;
mod politeness;
mod retraction;
mod scan;
mod sentence;
mod time;
mod yes_no;

use enza_kernel::limits;
use enza_kernel::text::Lang;
use jiff::civil::Date;

pub use absence::{Absence, read_absence};
pub use fault::ValueFault;
pub(crate) use file::{digest_of, file_name};
pub use grounds::is_grounded;
pub use labelled::labelled;
pub use retraction::retracts;
pub use sentence::sentence_of;

use super::{Field, Kind, Locale};

/// With what eyes an answer is read.
#[derive(Debug, Clone, Copy)]
pub struct ReadContext<'a> {
    /// Where the respondent is at home.
    pub locale: &'a Locale,
    /// The day it is there.
    pub today: Date,
}

/// The value of the field in the one spelling in which it is kept, or why the text is none.
pub fn read(field: &Field, text: &str, reading: &ReadContext<'_>) -> Result<String, ValueFault> {
    let given = limits::MESSAGE.check(text)?;
    match field.kind {
        Kind::Text | Kind::LongText => Ok(given),
        Kind::Number => number::read(field, &given, reading.locale),
        Kind::Integer => number::read_whole(field, &given, reading.locale),
        Kind::Date => date::read(field, &given, reading),
        Kind::Time => time::read(field, &given),
        Kind::Choice => choice::read_one(field, &given),
        Kind::Choices => choice::read_several(field, &given),
        Kind::Email => email::read(&given),
        Kind::Phone => phone::read(&given, reading.locale),
        Kind::YesNo => yes_no::read(&given),
        Kind::File => file::read(&given),
    }
}

/// The value as a person reads it. What is not spelt as a value of its kind is shown as it is.
pub fn show(field: &Field, value: &str, lang: Lang) -> String {
    let shown = match field.kind {
        Kind::Text | Kind::LongText | Kind::Email | Kind::Phone => None,
        Kind::Number | Kind::Integer => number::show(value),
        Kind::Date => date::show(value, lang),
        Kind::Time => time::show(value, lang),
        Kind::Choice => Some(choice::show_one(field, value).to_owned()),
        Kind::Choices => Some(choice::show_several(field, value, lang)),
        Kind::YesNo => yes_no::show(value, lang),
        Kind::File => file::show(value),
    };
    shown.unwrap_or_else(|| value.to_owned())
}
