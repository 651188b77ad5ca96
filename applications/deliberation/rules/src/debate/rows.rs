//! The tables that a debate's events change, and the shape in which they are shown (DEL-15 to DEL-28, DEL-C17).
//!
//! `debates` is the document's table of sessions. Uniqueness and cascades are rules of the log: one direction and one
//! strategy for each seat, and with a debater that is deleted its rows go.

use enza_kernel::application::{Entry, Row};
use enza_kernel::table::{Column, DomainTable, Index, Source};
use serde_json::{Value, json};

use super::event::{DebateEvent, Statement};

const ID: Column = Column::text("id").from(Source::Key).required();
const SESSION: Column = Column::text("session_id").from(Source::Session).required();
const AGENT: Column = Column::text("agent_id").required();
const CREATED: Column = Column::integer("created_at").required();
const TURN: Column = Column::integer("turn_number").required();

/// Everything a debate shows by SQL.
pub const TABLES: &[DomainTable] = &[
    DomainTable {
        name: "directions",
        of: "directions",
        columns: &[
            ID,
            AGENT,
            SESSION,
            TURN,
            Column::text("content").required(),
            CREATED,
            Column::flag("too_late").required(),
        ],
        indexes: &[
            Index::over("idx_directions_agent_session", &["agent_id", "session_id"]),
            Index::over("idx_directions_session_turn", &["session_id", "turn_number"]),
        ],
    },
    DomainTable {
        name: "session_strategies",
        of: "session_strategies",
        columns: &[ID, AGENT, SESSION, Column::text("feedback_id"), Column::text("strategy").required(), CREATED],
        indexes: &[Index::over("idx_session_strategies_agent_session", &["agent_id", "session_id"]).unique()],
    },
    DomainTable {
        name: "debates",
        of: "debates",
        columns: &[
            Column::text("id").from(Source::Session).required(),
            Column::text("topic_id").required(),
            Column::text("topic_title").required(),
            Column::text("mode").required(),
            Column::text("status").required(),
            Column::integer("current_turn").required(),
            Column::integer("max_turns").required(),
            Column::integer("participant_count").required(),
            Column::text("summary"),
            Column::flag("is_tutorial").required(),
            CREATED,
            Column::integer("started_at"),
            Column::integer("completed_at"),
        ],
        indexes: &[Index::over("idx_debates_status", &["status"]), Index::over("idx_debates_topic_id", &["topic_id"])],
    },
    DomainTable {
        name: "session_participants",
        of: "session_participants",
        columns: &[
            ID,
            SESSION,
            AGENT,
            Column::text("agent_name").required(),
            Column::text("seat").required(),
            Column::flag("is_partner").required(),
            CREATED,
        ],
        indexes: &[Index::over("idx_session_participants_agent_session", &["agent_id", "session_id"]).unique()],
    },
    DomainTable {
        name: "turns",
        of: "turns",
        columns: &[
            ID,
            SESSION,
            TURN,
            Column::text("status").required(),
            Column::text("summary"),
            CREATED,
            Column::integer("completed_at"),
        ],
        indexes: &[Index::over("idx_turns_session_turn", &["session_id", "turn_number"]).unique()],
    },
    DomainTable {
        name: "statements",
        of: "statements",
        columns: &[
            ID,
            Column::text("turn_id").required(),
            SESSION,
            TURN,
            AGENT,
            Column::text("agent_name").required(),
            Column::text("content").required(),
            Column::text("thinking_process"),
            Column::text("status").required(),
            CREATED,
        ],
        indexes: &[
            Index::over("idx_statements_turn_agent", &["turn_id", "agent_id"]).unique(),
            Index::over("idx_statements_agent_id", &["agent_id"]),
        ],
    },
];

pub(super) fn rows(entry: &Entry<DebateEvent>) -> Vec<Row> {
    match &entry.event {
        DebateEvent::Opened { card, .. }
        | DebateEvent::Completed { card, .. }
        | DebateEvent::Cancelled { card, .. } => {
            vec![row("debates", "debate", json!(card))]
        }
        DebateEvent::SeatTaken { seat, id, brief } => vec![row(
            "session_participants",
            id,
            json!({
                "agent_id": brief.debater,
                "agent_name": brief.name,
                "seat": seat,
                "is_partner": brief.owner.is_none(),
                "created_at": entry.at,
            }),
        )],
        DebateEvent::StrategyMade { strategy } => vec![row("session_strategies", &strategy.id, json!(strategy))],
        DebateEvent::TurnOpened { card, turn, .. } => {
            vec![row("debates", "debate", json!(card)), row("turns", &turn.id, json!(turn))]
        }
        DebateEvent::TurnFrozen { turn, .. }
        | DebateEvent::TurnClosed { turn }
        | DebateEvent::TurnSummed { turn, .. } => {
            vec![row("turns", &turn.id, json!(turn))]
        }
        DebateEvent::DirectionGiven { direction } | DebateEvent::DirectionChanged { direction } => {
            vec![row("directions", &direction.id, json!(direction))]
        }
        DebateEvent::DirectionWithdrawn { id, .. } => vec![gone("directions", id)],
        DebateEvent::Spoke { statement } => vec![statement_row(statement, "spoken", None)],
        DebateEvent::Thought { statement, thinking } => vec![statement_row(statement, "spoken", Some(thinking))],
        DebateEvent::SpeakerFailed { statement } => vec![statement_row(statement, "failed", None)],
        DebateEvent::SeatWithdrawn { id, directions, strategy, .. } => {
            let directions = directions.iter().map(|id| gone("directions", id));
            let strategy = strategy.iter().map(|id| gone("session_strategies", id));
            directions.chain(strategy).chain([gone("session_participants", id)]).collect()
        }
        DebateEvent::VoteCast { statement, person, choice } => vec![row(
            "statement_votes",
            &format!("{statement}/{person}"),
            json!({ "statement": statement, "voter": person, "choice": choice }),
        )],
        DebateEvent::Stepped(_)
        | DebateEvent::StrategyFailed { .. }
        | DebateEvent::Arrived { .. }
        | DebateEvent::WantedNow { .. }
        | DebateEvent::ClosingBegun
        | DebateEvent::SummaryWritten { .. }
        | DebateEvent::VerdictGiven { .. }
        | DebateEvent::CandidatesWritten { .. }
        | DebateEvent::SeatRanked { .. }
        | DebateEvent::NextProposed { .. }
        | DebateEvent::RedrawAsked { .. }
        | DebateEvent::Redrawn { .. }
        | DebateEvent::CounterfactualBegun { .. }
        | DebateEvent::ErrandEnded { .. } => Vec::new(),
    }
}

fn statement_row(statement: &Statement, status: &str, thinking: Option<&String>) -> Row {
    let mut content = json!(statement);
    content["status"] = json!(status);
    content["thinking_process"] = json!(thinking);
    row("statements", &statement.id, content)
}

fn row(table: &str, key: &str, content: Value) -> Row {
    Row { table: table.to_owned(), key: key.to_owned(), content: Some(content) }
}

fn gone(table: &str, key: &str) -> Row {
    Row { table: table.to_owned(), key: key.to_owned(), content: None }
}
