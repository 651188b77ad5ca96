//! A form as a JSON Schema of its values, and back.
//!
//! Standard keywords say what they can say, so that other tools understand the schema and people can edit it; what
//! they cannot say stands in `x-enza`. A schema that was written here is read back as an equal form, without remarks.
//! Where a keyword and `x-enza` say different things, someone has edited the keyword, and it counts.

mod conditions;
mod kinds;
mod merged_object;
mod names;
mod read;
mod rules;
mod schema;
mod write;

use enza_kernel::text::Lang;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use crate::form::{Condition, Fact, Kind, Order};

pub use read::read_json_schema;
pub use write::to_json_schema;

pub(super) use conditions::{condition_on, negated};
pub(super) use names::id_of;
pub(super) use schema::is_schema;

/// The keyword for what standard keywords cannot say.
const OURS: &str = "x-enza";

/// What a form says beside its values.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FormExtension {
    language: Lang,
    order: Order,
    #[serde(skip_serializing_if = "Option::is_none")]
    follow_ups: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    consent: Option<String>,
}

/// What a field says beside its values.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FieldExtension {
    /// Its place among its neighbours.
    order: u64,
    kind: Kind,
    /// Whether it is required where it applies; without conditions, the list of required properties says so.
    #[serde(skip_serializing_if = "is_false")]
    required: bool,
    #[serde(skip_serializing_if = "is_false")]
    hidden: bool,
    #[serde(skip_serializing_if = "is_false")]
    sensitive: bool,
    /// Said of a field without options, where it means nothing and no keyword says it.
    #[serde(skip_serializing_if = "is_false")]
    allow_other: bool,
    /// The spelling of a number that JSON spells otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    when: Vec<Condition>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depends_on: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    follow_ups: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facts: Vec<Fact>,
}

/// What a group says beside its items.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct GroupExtension {
    /// Its place among its neighbours.
    order: u64,
    /// Its place among the groups.
    nth: u64,
}

/// A number in the spelling of a value.
fn spelt(number: &Number) -> String {
    match (number.as_i64(), number.as_f64()) {
        (Some(whole), _) => whole.to_string(),
        (None, Some(real)) => real.to_string(),
        (None, None) => number.to_string(),
    }
}

/// A value of a form as JSON says it.
fn as_json(kind: Kind, value: &str) -> Value {
    match kind {
        Kind::YesNo if value == "yes" => Value::Bool(true),
        Kind::YesNo if value == "no" => Value::Bool(false),
        Kind::Number | Kind::Integer => number(value).map_or_else(|| Value::from(value), Value::Number),
        Kind::Text
        | Kind::LongText
        | Kind::Date
        | Kind::Time
        | Kind::Choice
        | Kind::Choices
        | Kind::Email
        | Kind::Phone
        | Kind::YesNo
        | Kind::File => Value::from(value),
    }
}

/// A JSON value as a form keeps it, if it can.
fn as_kept(value: &Value) -> Option<String> {
    match value {
        Value::Bool(flag) => Some(if *flag { "yes" } else { "no" }.to_owned()),
        Value::Number(number) => Some(spelt(number)),
        Value::String(text) => Some(text.clone()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn number(text: &str) -> Option<Number> {
    let whole = text.parse::<i64>().ok().map(Number::from);
    whole.or_else(|| text.parse::<f64>().ok().and_then(Number::from_f64))
}

fn is_false(flag: &bool) -> bool {
    !flag
}
