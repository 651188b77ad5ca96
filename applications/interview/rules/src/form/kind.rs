//! What kind of answer a field wants, and the choices it offers.
//!
//! A value is kept as one string whatever its kind, in one spelling: dates as `2026-11-03`, times as `14:30`, numbers
//! with a point, yes and no as `yes` and `no`, several choices with `; ` between them. Reading what people write into
//! that spelling is `values`.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// What kind of answer a field wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A line of text.
    #[default]
    Text,
    /// As much text as is needed.
    LongText,
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// A day.
    Date,
    /// A time of day.
    Time,
    /// One of the options.
    Choice,
    /// Any of the options.
    Choices,
    /// An e-mail address.
    Email,
    /// A telephone number.
    Phone,
    /// Yes or no.
    YesNo,
    /// A file.
    File,
}

impl Kind {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 12] = [
        Self::Text,
        Self::LongText,
        Self::Number,
        Self::Integer,
        Self::Date,
        Self::Time,
        Self::Choice,
        Self::Choices,
        Self::YesNo,
        Self::Email,
        Self::Phone,
        Self::File,
    ];

    /// The word in form files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::LongText => "long_text",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Date => "date",
            Self::Time => "time",
            Self::Choice => "choice",
            Self::Choices => "choices",
            Self::Email => "email",
            Self::Phone => "phone",
            Self::YesNo => "yes_no",
            Self::File => "file",
        }
    }

    /// Whether it is chosen from options.
    pub fn has_options(self) -> bool {
        matches!(self, Self::Choice | Self::Choices)
    }

    /// Whether its values have an order, so that a field may have a least and a most.
    pub fn has_bounds(self) -> bool {
        self.is_numeric() || matches!(self, Self::Date | Self::Time)
    }

    /// Whether its values are numbers.
    pub fn is_numeric(self) -> bool {
        matches!(self, Self::Number | Self::Integer)
    }

    /// Whether any text will do.
    pub fn is_free_text(self) -> bool {
        matches!(self, Self::Text | Self::LongText)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}

/// Something to choose. Written as a bare string where the value says it all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(into = "Written")]
#[schemars(with = "Written")]
pub struct Choice {
    /// What is kept.
    pub value: String,
    /// What the respondent sees, where that is something else.
    pub label: Option<String>,
}

impl Choice {
    /// A choice that is shown as it is kept.
    pub fn plain(value: &str) -> Self {
        Self { value: value.to_owned(), label: None }
    }

    /// What the respondent sees.
    pub fn shown(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.value)
    }
}

/// By hand: where serde tries one shape after the other, it takes a list for an object.
impl<'de> Deserialize<'de> for Choice {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct ChoiceVisitor;
        impl<'de> Visitor<'de> for ChoiceVisitor {
            type Value = Choice;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an option: a text, or an object with value and label")
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Choice, E> {
                Ok(Choice::plain(value))
            }

            fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Choice, A::Error> {
                let Labelled { value, label } = Labelled::deserialize(MapAccessDeserializer::new(access))?;
                Ok(Choice { value, label })
            }
        }
        from.deserialize_any(ChoiceVisitor)
    }
}

#[derive(Deserialize)]
struct Labelled {
    value: String,
    label: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Written {
    Bare(String),
    Labelled { value: String, label: String },
}

impl From<Choice> for Written {
    fn from(choice: Choice) -> Self {
        match choice.label {
            None => Self::Bare(choice.value),
            Some(label) => Self::Labelled { value: choice.value, label },
        }
    }
}

/// Reads a bound: people write numbers without quotes.
pub(super) fn bound<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Bound {
        Text(String),
        Whole(i64),
        Real(f64),
    }
    Ok(Option::<Bound>::deserialize(from)?.map(|bound| match bound {
        Bound::Text(text) => text,
        Bound::Whole(number) => number.to_string(),
        Bound::Real(number) => number.to_string(),
    }))
}
