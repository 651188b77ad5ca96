//! The formats in which a form leaves the house.

use enza_interview::{Form, to_json_schema};

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormFileFormat {
    /// Our own file, for people.
    Toml,
    /// The same for programs.
    Json,
    /// What a submission looks like.
    Schema,
}

impl FormFileFormat {
    /// The format of this name.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "toml" => Some(Self::Toml),
            "json" => Some(Self::Json),
            "schema" => Some(Self::Schema),
            _ => None,
        }
    }

    /// How a file's name ends.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Toml => "toml",
            Self::Json => "json",
            Self::Schema => "schema.json",
        }
    }

    /// What it is on the wire.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Toml => "application/toml; charset=utf-8",
            Self::Json => "application/json",
            Self::Schema => "application/schema+json",
        }
    }

    /// The form in this format.
    pub fn write(self, form: &Form) -> String {
        match self {
            Self::Toml => form.to_toml(),
            Self::Json => form.to_json(),
            Self::Schema => format!("{:#}\n", to_json_schema(form)),
        }
    }
}
