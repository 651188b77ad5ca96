//! Reads forms from what people have, and writes them.
//!
//! A text is told apart by what is in it: our form as JSON or TOML, or a JSON Schema. Whatever was read has been
//! checked, so it can be asked; whatever could not be carried over is remarked on, never dropped in silence. No text
//! makes this panic or run on.
//!
//! Whether a form can be asked is `form`. Fetching files and showing remarks belongs to the edges.

mod arrange;
mod json_schema;
mod lenient;
mod ordered;
mod remark;
mod ui_schema;
mod write;

use serde::Deserialize;

use super::form::{Form, FormFault};
use lenient::Lenient;
use ordered::OrderedJson;

pub use json_schema::{read_json_schema, to_json_schema};
pub use remark::{Loss, Remark};
pub use ui_schema::apply_ui_schema;

/// Where the keys of a form are described.
const GUIDE: &str = "docs/guides/forms.md";

impl Form {
    /// Reads a form from JSON, TOML or a JSON Schema, and checks it.
    pub fn parse(text: &str) -> Result<Self, FormFault> {
        Self::read(text).map(|(form, _)| form)
    }

    /// The same, with what a JSON Schema said and the form could not keep.
    pub fn read(text: &str) -> Result<(Self, Vec<Remark>), FormFault> {
        // Editors on some systems put a mark before the first letter.
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        if !is_json(text) {
            return Ok((from_toml(text)?.checked()?, Vec::new()));
        }
        let OrderedJson(value) = serde_json::from_str(text).map_err(|why| unreadable_json(&why))?;
        if json_schema::is_schema(&value) {
            return read_json_schema(&value);
        }
        Ok((from_json(text)?.checked()?, Vec::new()))
    }
}

/// A TOML document begins with a key, a comment or a bracketed name, never with a brace.
fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    let opens_list = text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with('{'));
    text.starts_with('{') || opens_list
}

fn from_json(text: &str) -> Result<Form, FormFault> {
    let mut reader = serde_json::Deserializer::from_str(text);
    Form::deserialize(Lenient::new(&mut reader)).map_err(|why| unreadable_json(&why))
}

fn from_toml(text: &str) -> Result<Form, FormFault> {
    let read = toml::Deserializer::parse(text).and_then(|reader| Form::deserialize(Lenient::new(reader)));
    read.map_err(|why| {
        let (line, column) = position(text, why.span().map_or(0, |span| span.start));
        unreadable(line, column, why.message())
    })
}

fn unreadable_json(why: &serde_json::Error) -> FormFault {
    let said = why.to_string();
    let place = format!(" at line {} column {}", why.line(), why.column());
    unreadable(why.line(), why.column(), said.strip_suffix(&place).unwrap_or(&said))
}

fn unreadable(line: usize, column: usize, said: &str) -> FormFault {
    let said = said.trim().replace('\n', ", ");
    FormFault::Unreadable { why: format!("line {line}, column {column}: {said} ({GUIDE})") }
}

/// The line and the column of a byte, both from 1, the column in letters.
fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (line, before[start..].chars().count() + 1)
}
