//! Reads forms from what people have, and writes them.

use super::form::{Form, FormFault};

impl Form {
    /// Reads a form from JSON and checks it.
    pub fn parse(text: &str) -> Result<Self, FormFault> {
        let form: Self =
            serde_json::from_str(text).map_err(|error| FormFault::Unreadable { why: error.to_string() })?;
        form.checked()
    }
}
