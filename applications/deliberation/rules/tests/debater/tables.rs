//! The document's tables, read as they are shown (DEL-18 to DEL-20, DEL-24, DEL-29, DEL-31, DEL-C17).

use enza_deliberation::{DEBATERS, Debater, DebaterCommand};
use enza_kernel::application::Application as _;
use enza_kernel::table::{Cell, ColumnKind, DomainTable, faults};

use super::world::{World, id};

fn table(name: &str) -> &'static DomainTable {
    Debater::shown_tables().iter().find(|table| table.name == name).unwrap()
}

fn shape(name: &str) -> Vec<(&'static str, ColumnKind, bool)> {
    table(name).columns.iter().map(|column| (column.name, column.kind, column.is_required)).collect()
}

fn indexes(name: &str) -> Vec<(&'static str, &'static [&'static str], bool)> {
    table(name).indexes.iter().map(|index| (index.name, index.columns, index.is_unique)).collect()
}

/// A debater that has been through everything.
fn lived() -> World {
    let mut world = World::back_home();
    world.learn("表").unwrap();
    world.give("d1", "もっと質問して").unwrap();
    world.sit_through("d2");
    let change = world.state.changes()[0].id.clone();
    world.tell(DebaterCommand::TakeBack { change }).unwrap();
    world.give("d2", "もっと具体的に").unwrap();
    world
}

#[test]
fn every_table_can_be_shown() {
    assert_eq!(faults(Debater::shown_tables()), []);
    assert!(Debater::shown_tables().iter().all(|table| table.name != DEBATERS), "topics alone look there");
}

/// DEL-18 to DEL-20
#[test]
fn feedbacks_has_the_documents_columns_and_indexes() {
    use ColumnKind::{Integer, Text};
    let columns = [
        ("id", Text, true),
        ("agent_id", Text, true),
        ("session_id", Text, true),
        ("content", Text, true),
        ("applied_at", Integer, false),
        ("created_at", Integer, true),
    ];
    assert_eq!(shape("feedbacks"), columns);
    assert_eq!(
        indexes("feedbacks"),
        [
            ("idx_feedbacks_agent_id", &["agent_id"][..], false),
            ("idx_feedbacks_session_id", &["session_id"][..], false),
            ("idx_feedbacks_agent_session", &["agent_id", "session_id"][..], true),
        ]
    );
}

/// DEL-24, DEL-29
#[test]
fn agents_and_knowledge_entries_have_at_least_the_documents_columns() {
    let has = |name: &str, columns: &[&str]| columns.iter().all(|column| table(name).column(column).is_some());
    assert!(has("agents", &["id", "user_id", "name", "persona", "created_at", "updated_at"]));
    assert!(has("knowledge_entries", &["id", "agent_id", "title", "content", "created_at"]));
    assert!(Debater::shown_tables().iter().all(|table| table.name != "user_inputs"), "DEL-01, DEL-30");
}

/// DEL-31
#[test]
fn every_row_is_as_its_table_was_declared() {
    let world = lived();
    let session = id();
    for table in Debater::shown_tables() {
        let rows = world.rows.iter().filter(|((name, _), _)| name == table.of);
        let rows: Vec<_> = rows.map(|((_, key), content)| (session.as_str(), key.as_str(), content)).collect();
        assert!(!rows.is_empty(), "{}", table.name);
        assert_eq!(table.misfits(rows.iter().copied()), [], "{}", table.name);
        let id = table.column("id").unwrap();
        for (session, key, content) in rows {
            let Cell::Text(id) = table.cell(id, session, key, content) else { panic!("{content}") };
            assert_eq!((id.len(), id.matches('-').count()), (36, 4), "{}", table.name);
        }
    }
}
