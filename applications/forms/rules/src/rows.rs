//! The table row that a form's events change, and the card it is made from.
//!
//! `forms` has one row for the session: title, version, whether it is open, edition.

use enza_kernel::application::{Entry, Row};
use serde_json::json;

use super::event::{Card, Event};

pub(super) fn rows(entry: &Entry<Event>) -> Vec<Row> {
    let Some(card) = entry.event.card() else { return Vec::new() };
    vec![Row { table: "forms".to_owned(), key: "form".to_owned(), content: Some(json!(card)) }]
}

impl Event {
    /// What lists show after it, where that changed.
    pub fn card(&self) -> Option<&Card> {
        match self {
            Self::Begun { card, .. }
            | Self::Edited { card, .. }
            | Self::Published { card, .. }
            | Self::Closed { card, .. }
            | Self::Reopened { card } => Some(card),
            Self::Described { .. }
            | Self::RulesSet { .. }
            | Self::WebhookSet { .. }
            | Self::LinkMade { .. }
            | Self::LinkRevoked { .. }
            | Self::Admitted { .. }
            | Self::Received { .. }
            | Self::Forgotten { .. }
            | Self::Stepped(_) => None,
        }
    }
}
