//! The rows that a debater's events change, and the shape in which they are shown.
//!
//! The tables are the document's (DEL-18 to DEL-20, DEL-24, DEL-29), with the growth log and the questions beside them;
//! times are milliseconds. `debaters` is for topics alone, which look there before they draw.

use enza_kernel::application::{Entry, Row};
use enza_kernel::table::{Column, DomainTable, Index, Source};
use serde_json::{Value, json};

use super::event::{AgentCard, AskedReflection, DebaterEvent, DebaterLookUp, GivenFeedback, PersonaChange};
use crate::brief::KnowledgeEntry;

/// What topics look at: owner, name, status, and when there was last something new.
pub const DEBATERS: &str = "debaters";
const AGENTS: &str = "agents";
const KNOWLEDGE: &str = "knowledge_entries";
const FEEDBACKS: &str = "feedbacks";
const CHANGES: &str = "persona_changes";
const REFLECTIONS: &str = "reflections";
/// The key of a row of which a debater has one.
const ONLY: &str = "debater";

const ID: Column = Column::text("id").required();
const AGENT: Column = Column::text("agent_id").required().from(Source::Session);
const SESSION: Column = Column::text("session_id").required();
const CREATED: Column = Column::integer("created_at").required();

pub(super) const SHOWN: &[DomainTable] = &[
    DomainTable {
        name: AGENTS,
        of: AGENTS,
        columns: &[
            Column::text("id").required().from(Source::Session),
            Column::text("user_id").required(),
            Column::text("name").required(),
            Column::text("status").required(),
            Column::text("persona").required(),
            CREATED,
            Column::integer("updated_at").required(),
        ],
        indexes: &[Index::over("idx_agents_user_id", &["user_id"])],
    },
    DomainTable {
        name: KNOWLEDGE,
        of: KNOWLEDGE,
        columns: &[ID, AGENT, Column::text("title").required(), Column::text("content").required(), CREATED],
        indexes: &[Index::over("idx_knowledge_entries_agent_id", &["agent_id"])],
    },
    DomainTable {
        name: FEEDBACKS,
        of: FEEDBACKS,
        columns: &[ID, AGENT, SESSION, Column::text("content").required(), Column::integer("applied_at"), CREATED],
        indexes: &[
            Index::over("idx_feedbacks_agent_id", &["agent_id"]),
            Index::over("idx_feedbacks_session_id", &["session_id"]),
            Index::over("idx_feedbacks_agent_session", &["agent_id", "session_id"]).unique(),
        ],
    },
    DomainTable {
        name: CHANGES,
        of: CHANGES,
        columns: &[
            ID,
            AGENT,
            Column::text("feedback_id"),
            Column::text("feedback_ids").required(),
            Column::text("persona_before").required(),
            Column::text("persona_after").required(),
            Column::text("undoes"),
            CREATED,
        ],
        indexes: &[Index::over("idx_persona_changes_agent_id", &["agent_id"])],
    },
    DomainTable {
        name: REFLECTIONS,
        of: REFLECTIONS,
        columns: &[
            ID,
            AGENT,
            SESSION,
            Column::text("topic_title").required(),
            Column::text("question").required(),
            Column::text("context_summary").required(),
            Column::flag("is_answered").required(),
            Column::integer("completed_at").required(),
            CREATED,
        ],
        indexes: &[Index::over("idx_reflections_agent_session", &["agent_id", "session_id"]).unique()],
    },
];

pub(super) fn rows(entry: &Entry<DebaterEvent>) -> Vec<Row> {
    match &entry.event {
        DebaterEvent::Born { card, look_up, .. }
        | DebaterEvent::Renamed { card, look_up }
        | DebaterEvent::StatusSet { card, look_up } => vec![agent(card), looked_up(look_up)],
        DebaterEvent::KnowledgeAdded { entry, look_up } => vec![knowledge(entry), looked_up(look_up)],
        DebaterEvent::KnowledgeEdited { entry } => vec![knowledge(entry)],
        DebaterEvent::KnowledgeRemoved { entry, look_up } => vec![gone(KNOWLEDGE, &entry.id), looked_up(look_up)],
        DebaterEvent::FeedbackGiven { feedback: given, answers, look_up } => {
            let answered = answers.as_ref().map(reflection);
            [feedback(given), looked_up(look_up)].into_iter().chain(answered).collect()
        }
        DebaterEvent::FeedbackEdited { feedback: given } => vec![feedback(given)],
        DebaterEvent::Reflected { reflection: asked } => vec![reflection(asked)],
        DebaterEvent::Grown { change: grown, feedbacks, card } => {
            let applied = feedbacks.iter().map(feedback);
            [change(grown), agent(card)].into_iter().chain(applied).collect()
        }
        DebaterEvent::TakenBack { change: back, card } => vec![change(back), agent(card)],
        DebaterEvent::Retired { knowledge, counted } => {
            let numbered = |table, most: u64| (1..=most).map(move |number| gone(table, &number.to_string()));
            let mut rows = vec![gone(AGENTS, ONLY), gone(DEBATERS, ONLY)];
            rows.extend(knowledge.iter().map(|id| gone(KNOWLEDGE, id)));
            rows.extend(numbered(FEEDBACKS, counted.feedbacks));
            rows.extend(numbered(CHANGES, counted.changes));
            rows.extend(numbered(REFLECTIONS, counted.reflections));
            rows
        }
        DebaterEvent::Opened { .. }
        | DebaterEvent::SeatHeld { .. }
        | DebaterEvent::Briefed { .. }
        | DebaterEvent::SeatStarted { .. }
        | DebaterEvent::SeatReleased { .. }
        | DebaterEvent::SeatGivenUp { .. }
        | DebaterEvent::DebateCompleted { .. }
        | DebaterEvent::GrowthBegun { .. }
        | DebaterEvent::GrowthFailed { .. }
        | DebaterEvent::TrialBegun { .. }
        | DebaterEvent::TrialStrategy { .. }
        | DebaterEvent::TrialSaid { .. }
        | DebaterEvent::TrialFailed { .. }
        | DebaterEvent::ErrandEnded { .. }
        | DebaterEvent::Stepped(_) => Vec::new(),
    }
}

fn agent(card: &AgentCard) -> Row {
    row(AGENTS, ONLY.to_owned(), json!(card))
}

fn looked_up(look_up: &DebaterLookUp) -> Row {
    row(DEBATERS, ONLY.to_owned(), json!(look_up))
}

fn knowledge(entry: &KnowledgeEntry) -> Row {
    row(KNOWLEDGE, entry.id.clone(), json!(entry))
}

fn feedback(given: &GivenFeedback) -> Row {
    let GivenFeedback { number, id, debate, content, created_at, applied_at } = given;
    let content = json!({
        "id": id, "session_id": debate, "content": content, "created_at": created_at, "applied_at": applied_at,
    });
    row(FEEDBACKS, number.to_string(), content)
}

fn change(change: &PersonaChange) -> Row {
    let PersonaChange { number, id, before, after, feedbacks, created_at, undoes } = change;
    let content = json!({
        "id": id, "feedback_id": feedbacks.last(), "feedback_ids": feedbacks, "persona_before": before,
        "persona_after": after, "created_at": created_at, "undoes": undoes,
    });
    row(CHANGES, number.to_string(), content)
}

fn reflection(asked: &AskedReflection) -> Row {
    let AskedReflection { number, id, debate, title, question, context, completed_at, created_at, is_answered } = asked;
    let content = json!({
        "id": id, "session_id": debate, "topic_title": title, "question": question, "context_summary": context, "completed_at": completed_at,
        "created_at": created_at, "is_answered": is_answered,
    });
    row(REFLECTIONS, number.to_string(), content)
}

fn row(table: &str, key: String, content: Value) -> Row {
    Row { table: table.to_owned(), key, content: Some(content) }
}

fn gone(table: &str, key: &str) -> Row {
    Row { table: table.to_owned(), key: key.to_owned(), content: None }
}
