//! The document's tables, as a debate's events write them (DEL-15 to DEL-28, DEL-31, DEL-C17).

use std::collections::BTreeMap;

use enza_deliberation::Debates;
use enza_deliberation::debate::{DebateCommand, TABLES};
use enza_kernel::application::Application;
use enza_kernel::table::{Cell, DomainTable, Source};
use enza_kernel::text::Lang;

use super::world::{DEBATE, World, brief, debater, feedback, two};

type Rows = BTreeMap<(String, String), serde_json::Value>;

fn rows(world: &World) -> Rows {
    let mut rows = Rows::new();
    for row in world.log.iter().flat_map(Debates::rows) {
        let place = (row.table, row.key);
        match row.content {
            Some(content) => drop(rows.insert(place, content)),
            None => drop(rows.remove(&place)),
        }
    }
    rows
}

fn table(name: &str) -> &'static DomainTable {
    TABLES.iter().find(|table| table.name == name).unwrap()
}

fn lived() -> World {
    let mut seats = two(Lang::Ja);
    seats[0].feedback = Some(feedback("短く"));
    let mut world = World::opened(2, seats);
    world.answer_all(false);
    world.direct("d1", 1, "短く").unwrap();
    world.play();
    world
}

#[test]
fn del_15_to_28_the_tables_have_the_documents_names_columns_and_indexes() {
    let has = |name: &str, columns: &[&str]| {
        for column in columns {
            assert!(table(name).column(column).is_some(), "{name}.{column}");
        }
    };
    has("directions", &["id", "agent_id", "session_id", "turn_number", "content", "created_at"]);
    has("session_strategies", &["id", "agent_id", "session_id", "feedback_id", "strategy", "created_at"]);
    has("debates", &["id", "status", "completed_at", "topic_id", "current_turn"]);
    has("session_participants", &["session_id", "agent_id"]);
    has("turns", &["id", "session_id", "turn_number"]);
    has("statements", &["id", "turn_id", "agent_id", "content", "thinking_process", "created_at"]);
    let indexes: Vec<&str> = table("directions").indexes.iter().map(|index| index.name).collect();
    assert_eq!(indexes, ["idx_directions_agent_session", "idx_directions_session_turn"]);
    let index = &table("session_strategies").indexes[0];
    assert_eq!((index.name, index.is_unique), ("idx_session_strategies_agent_session", true));
    assert_eq!(enza_kernel::table::faults(TABLES).len(), 0);
}

#[test]
fn every_row_fills_every_required_column_and_ids_are_uuids() {
    let rows = rows(&lived());
    for table in TABLES {
        let own: Vec<_> = rows.iter().filter(|((name, _), _)| name == table.of).collect();
        assert!(!own.is_empty(), "{} has no row", table.name);
        for ((_, key), content) in own {
            for column in table.columns.iter().filter(|column| column.is_required) {
                let cell = table.cell(column, DEBATE, key, content);
                assert_ne!(cell, Cell::Null, "{}.{} of {content}", table.name, column.name);
            }
            if table.column("id").is_some_and(|id| id.source == Source::Key) {
                assert_eq!((key.len(), key.matches('-').count()), (36, 4), "{key}");
            }
        }
    }
    let count = |name: &str| rows.keys().filter(|(table, _)| table == name).count();
    assert_eq!((count("statements"), count("turns"), count("directions")), (4, 2, 1));
}

#[test]
fn del_83_a_statement_keeps_what_was_thought() {
    let rows = rows(&lived());
    let statements: Vec<_> = rows.iter().filter(|((table, _), _)| table == "statements").collect();
    assert!(statements.iter().all(|(_, content)| content["thinking_process"].is_string()));
}

#[test]
fn del_16_and_22_with_a_debater_its_rows_go_and_its_statements_stay() {
    let mut seats = two(Lang::Ja);
    seats.push(brief("d3", "ケン", Lang::Ja));
    seats[0].feedback = Some(feedback("短く"));
    let mut world = World::opened(2, seats);
    world.answer_all(false);
    world.direct("d1", 1, "短く").unwrap();
    world.advance();
    world.answer_all(false);
    world.by(debater("d1"), DebateCommand::Withdraw { debater: "d1".into() }).unwrap();
    let of_d1: Vec<String> = rows(&world)
        .into_iter()
        .filter(|(_, content)| content["agent_id"] == "d1")
        .map(|((table, _), _)| table)
        .collect();
    assert_eq!(of_d1, ["statements"]);
}
