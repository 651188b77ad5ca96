//! The table of topics (DEL-C15), and the shape in which it is shown.

use enza_kernel::application::{Entry, Row};
use enza_kernel::table::{Column, DomainTable, Index, Source};
use serde_json::json;

use super::event::{Listing, TopicEvent};

/// Everything a topic shows by SQL.
pub const TABLES: &[DomainTable] = &[DomainTable {
    name: "topics",
    of: "topics",
    columns: &[
        Column::text("id").from(Source::Session).required(),
        Column::text("title").required(),
        Column::text("description").required(),
        Column::text("lang").required(),
        Column::text("status").required(),
        Column::text("predecessor"),
        Column::integer("created_at").required(),
        Column::integer("updated_at").required(),
    ],
    indexes: &[Index::over("idx_topics_status", &["status"])],
}];

pub(super) fn rows(entry: &Entry<TopicEvent>) -> Vec<Row> {
    let Some(listing) = listing(&entry.event) else { return Vec::new() };
    vec![Row { table: "topics".to_owned(), key: "topic".to_owned(), content: Some(json!(listing)) }]
}

/// What lists show after an event, where that changed.
fn listing(event: &TopicEvent) -> Option<&Listing> {
    match event {
        TopicEvent::Begun { listing, .. }
        | TopicEvent::Edited { listing }
        | TopicEvent::Archived { listing }
        | TopicEvent::NextAccepted { listing, .. } => Some(listing),
        TopicEvent::Configured { .. }
        | TopicEvent::Paused
        | TopicEvent::Resumed
        | TopicEvent::RunBegun { .. }
        | TopicEvent::Drawn { .. }
        | TopicEvent::Summoned { .. }
        | TopicEvent::SummonAnswered { .. }
        | TopicEvent::BriefTaken { .. }
        | TopicEvent::GivenUp { .. }
        | TopicEvent::RunSkipped { .. }
        | TopicEvent::Convened { .. }
        | TopicEvent::DebateOpened { .. }
        | TopicEvent::DebateNotOpened { .. }
        | TopicEvent::DebateEnded { .. }
        | TopicEvent::NextDropped { .. }
        | TopicEvent::ErrandEnded { .. } => None,
    }
}
