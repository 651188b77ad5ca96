//! When a field applies: what an earlier answer must be.
//!
//! A field with several conditions applies where all of them hold. A condition on a field that has no value holds only
//! where it asks for exactly that. Values are compared in the spelling in which they are kept.

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::kind::bound;

/// A condition on an earlier answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Condition {
    /// The field it looks at.
    pub field: String,
    /// It is one of these; of several choices, one is among these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is: Option<OneOrMore>,
    /// It has a value, and that is none of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_not: Option<OneOrMore>,
    /// It is more, or later, than this.
    #[serde(default, deserialize_with = "bound", skip_serializing_if = "Option::is_none")]
    pub more_than: Option<String>,
    /// It is less, or earlier, than this.
    #[serde(default, deserialize_with = "bound", skip_serializing_if = "Option::is_none")]
    pub less_than: Option<String>,
    /// Whether it has a value at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered: Option<bool>,
}

/// One value or several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OneOrMore {
    /// One.
    One(String),
    /// Any of several.
    Any(Vec<String>),
}

impl OneOrMore {
    /// The values.
    pub fn values(&self) -> &[String] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Any(values) => values,
        }
    }
}

impl Condition {
    /// Whether it says anything.
    pub(super) fn is_empty(&self) -> bool {
        let Self { field: _, is, is_not, more_than, less_than, answered } = self;
        is.is_none() && is_not.is_none() && more_than.is_none() && less_than.is_none() && answered.is_none()
    }

    /// Whether it holds for the value that the field has, if it has one.
    pub fn holds(&self, value: Option<&str>) -> bool {
        let Self { field: _, is, is_not, more_than, less_than, answered } = self;
        let among = |wanted: &OneOrMore| value.is_some_and(|value| is_among(value, wanted));
        let than = |bound: &String, wanted| value.and_then(|value| compare(value, bound)) == Some(wanted);
        is.as_ref().is_none_or(among)
            && is_not.as_ref().is_none_or(|wanted| value.is_some() && !among(wanted))
            && more_than.as_ref().is_none_or(|bound| than(bound, Ordering::Greater))
            && less_than.as_ref().is_none_or(|bound| than(bound, Ordering::Less))
            && answered.is_none_or(|wanted| wanted == value.is_some())
    }
}

fn is_among(value: &str, wanted: &OneOrMore) -> bool {
    wanted.values().iter().any(|wanted| value == wanted || value.split("; ").any(|part| part == wanted))
}

/// Numbers by size; dates and times, in the spelling in which they are kept, by their letters.
fn compare(value: &str, bound: &str) -> Option<Ordering> {
    match (value.parse::<f64>(), bound.parse::<f64>()) {
        (Ok(value), Ok(bound)) => value.partial_cmp(&bound),
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => None,
        (Err(_), Err(_)) => Some(value.cmp(bound)),
    }
}
