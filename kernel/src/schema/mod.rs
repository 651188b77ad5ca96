//! Typed model output: the schema a model is shown, and the reading of what it sent.
//!
//! The Rust type is the one description of what is wanted; the JSON Schema is made from it. Reading is patient with
//! the wrapping (code fences, a sentence before, a remark after) and strict with the content. Whatever cannot be read
//! becomes a `Malformed`, worded for the model, so that it can be asked again; it is never turned into an empty value.
//! How often to ask again is counted by `Attempts`.
//!
//! Sending the question again belongs to the agent loop.

mod find;
mod json_path;
mod malformed;
mod objects_only;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use find::Found;
pub use malformed::Malformed;
pub use objects_only::ObjectsOnly;

/// What a value must satisfy beyond its shape: a score within its range, a list without gaps.
pub trait Check {
    /// Says in English, for the model, what is wrong and what would be right.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// The JSON Schema of a type, as models are shown it: in one piece, without names and formats that they stumble over.
///
/// A type that contains itself cannot be written in one piece; only then are there `$defs`.
pub fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let generator = settings.with_transform(RecursiveTransform(forget_rust_number_formats)).into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.remove("title");
    schema.to_value()
}

/// Reads a model's text: the whole of it, or the first JSON value in it that fits.
pub fn parse<T: DeserializeOwned + JsonSchema + Check>(text: &str) -> Result<T, Malformed> {
    if let Ok(value) = serde_json::from_str::<Value>(text.trim()) {
        return read(&value);
    }
    let schema = schema_of::<T>();
    let mut first_complaint = None;
    for found in find::values(text, &schema) {
        let complaint = match found {
            Found::Whole(json) => match serde_json::from_str::<Value>(json) {
                Ok(value) => match read(&value) {
                    Ok(output) => return Ok(output),
                    Err(complaint) => complaint,
                },
                Err(error) => Malformed::syntax(json, &error, &schema),
            },
            Found::CutOff(json) => Malformed::cut_off(json, &schema),
        };
        first_complaint.get_or_insert(complaint);
    }
    Err(first_complaint.unwrap_or_else(|| Malformed::no_json(text, &schema)))
}

/// Reads a value that is JSON already: a tool's arguments.
pub fn read<T: DeserializeOwned + JsonSchema + Check>(value: &Value) -> Result<T, Malformed> {
    if value.is_array() {
        refuse_list_for_object(value, &schema_of::<T>())?;
    }
    let output = T::deserialize(value).map_err(|error| {
        // Read once more, from text this time: only then does the parser know where it stood.
        let json = value.to_string();
        let consumed = serde_json::from_str::<T>(&json).err().map_or(0, |error| error.column());
        Malformed::shape(&error, &json, consumed, &schema_of::<T>())
    })?;
    match output.check() {
        Ok(()) => Ok(output),
        Err(what) => Err(Malformed::content(what, value, &schema_of::<T>())),
    }
}

/// Serde fills a struct from a list, field by field. A model that sends a list has misunderstood and should hear so.
fn refuse_list_for_object(value: &Value, schema: &Value) -> Result<(), Malformed> {
    if schema.get("type").and_then(Value::as_str) == Some("object") {
        return Err(Malformed::content("it is a list, not an object".to_owned(), value, schema));
    }
    Ok(())
}

/// How often a model was asked again for the same thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Attempts {
    re_asked: u32,
}

/// A model was asked again as often as it may be, and still what it sent could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("the model was asked again {re_asked} times and its output still could not be read")]
pub struct Exhausted {
    /// How often it was asked again.
    pub re_asked: u32,
}

impl Attempts {
    /// How often a model may be asked again.
    pub const MOST: u32 = 2;

    /// Counts a malformed output: the model may be asked again, or that is that.
    pub fn strike(&mut self) -> Result<(), Exhausted> {
        if self.re_asked >= Self::MOST {
            return Err(Exhausted { re_asked: self.re_asked });
        }
        self.re_asked += 1;
        Ok(())
    }

    /// How often it was asked again so far.
    pub fn re_asked(self) -> u32 {
        self.re_asked
    }
}

/// Formats such as `uint32` are no part of JSON Schema, and some providers refuse a schema that has them.
fn forget_rust_number_formats(schema: &mut Schema) {
    let of_rust = |format: &str| {
        ["int", "uint", "float", "double"]
            .iter()
            .any(|word| format.strip_prefix(word).is_some_and(|bits| bits.bytes().all(|digit| digit.is_ascii_digit())))
    };
    if schema.get("format").and_then(Value::as_str).is_some_and(of_rust) {
        schema.remove("format");
    }
}

impl Check for Value {}
impl Check for String {}
impl Check for bool {}
impl Check for u32 {}
impl Check for u64 {}
impl Check for i64 {}
impl Check for f64 {}

impl<T: Check> Check for Vec<T> {
    fn check(&self) -> Result<(), String> {
        let mut each = self.iter().enumerate();
        each.try_for_each(|(place, one)| one.check().map_err(|what| format!("[{place}]: {what}")))
    }
}

impl<T: Check> Check for Option<T> {
    fn check(&self) -> Result<(), String> {
        self.as_ref().map_or(Ok(()), Check::check)
    }
}
