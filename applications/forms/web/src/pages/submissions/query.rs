//! Which sheets the reader wants to see, as the address says it. What it does not know counts as not said.

use enza_server::percent::encoded;
use jiff::civil::Date;
use serde::Deserialize;

use crate::actions::submissions::{SheetFilter, Status};

/// The reader's wish. Empty fields ask for nothing, as a form sends them.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct SheetListQuery {
    #[serde(default)]
    pub status: String,
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub from: String,
    #[serde(default)]
    pub to: String,
    #[serde(default)]
    pub text: String,
    #[serde(default)]
    pub after: String,
}

impl SheetListQuery {
    /// Whether it leaves anything out.
    pub fn is_narrow(&self) -> bool {
        self.fields().iter().any(|(_, value)| !value.is_empty())
    }

    /// As the acts take it.
    pub fn wanted(&self) -> SheetFilter {
        let day = |text: &str| text.parse::<Date>().ok();
        SheetFilter {
            status: Status::from_word(&self.status),
            version: self.version.parse().ok(),
            from: day(&self.from),
            to: day(&self.to),
            text: Some(self.text.trim().to_owned()).filter(|text| !text.is_empty()),
        }
    }

    /// An address with the same wish, but for the page.
    pub fn address(&self, page: &str) -> String {
        let given = self.fields().into_iter().filter(|(_, value)| !value.is_empty());
        let parts: Vec<_> = given.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        if parts.is_empty() { page.to_owned() } else { format!("{page}?{}", parts.join("&")) }
    }

    /// The same wish, but in this status, from the first page.
    pub fn in_status(&self, status: &str) -> Self {
        Self { status: status.to_owned(), after: String::new(), ..self.clone() }
    }

    /// The same wish from another page on.
    pub fn after(&self, cursor: &str) -> Self {
        Self { after: cursor.to_owned(), ..self.clone() }
    }

    fn fields(&self) -> [(&'static str, &str); 6] {
        [
            ("status", &self.status),
            ("version", &self.version),
            ("from", &self.from),
            ("to", &self.to),
            ("text", &self.text),
            ("after", &self.after),
        ]
    }
}
