//! Tables of the domain: what can be declared, what their cells are, and which rows are not as they were declared.

use std::cmp::Ordering;

use enza_kernel::table::{
    Cell, Column, ColumnKind, DomainTable, Index, Misfit, Misfitting, ShownTableFault, Source, faults, is_of_the_store,
};
use serde_json::{Value, json};

const RECEIPTS: DomainTable = DomainTable {
    name: "receipts",
    of: "sales",
    columns: &[
        Column::text("id").from(Source::Key),
        Column::text("till_id").from(Source::Session),
        Column::text("customer").required(),
        Column::integer("cents"),
        Column::real("weight"),
        Column::flag("paid"),
        Column::text("note"),
        Column::text("street").from(Source::Field("address/street")),
    ],
    indexes: &[
        Index::over("idx_receipts_customer", &["customer", "cents"]),
        Index::over("idx_receipts_till", &["till_id", "cents"]).unique(),
    ],
};

fn shown(content: &Value) -> Vec<Cell> {
    RECEIPTS.columns.iter().map(|column| RECEIPTS.cell(column, "s", "k", content)).collect()
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

#[test]
fn a_row_shows_what_is_of_each_columns_kind() {
    let content = json!({"customer": "ada", "cents": 250, "weight": 1, "paid": true, "note": {"a": [1, "é"]},
        "address": {"street": "High"}});
    let expected = [
        text("k"),
        text("s"),
        text("ada"),
        Cell::Integer(250),
        Cell::Real(1.0),
        Cell::Integer(1),
        text(r#"{"a":[1,"é"]}"#),
        text("High"),
    ];
    assert_eq!(shown(&content), expected);
}

#[test]
fn what_is_of_another_kind_or_not_there_shows_as_nothing() {
    let nothing = [text("k"), text("s"), Cell::Null, Cell::Null, Cell::Null, Cell::Null, Cell::Null, Cell::Null];
    let other = json!({"customer": 7, "cents": "250", "weight": "1", "paid": 1, "note": true, "address": "High"});
    let more = json!({"customer": null, "cents": 1.5, "weight": null, "paid": "true", "note": 1.5});
    for content in [other, more, json!({}), json!([1]), json!("ada"), json!({"cents": 1_000_000_000_000_000_000_u64})] {
        assert_eq!(shown(&content), nothing, "{content}");
    }
    assert_eq!(shown(&json!({"cents": -999_999_999_999_999_999_i64}))[3], Cell::Integer(-999_999_999_999_999_999));
}

#[test]
fn an_indexed_text_is_shown_to_its_two_hundredth_character_and_a_zero_byte_as_a_mark() {
    let long = "円".repeat(300);
    let cells = shown(&json!({"customer": long, "note": long}));
    assert_eq!((&cells[2], &cells[6]), (&text(&"円".repeat(200)), &text(&long)));
    assert_eq!(shown(&json!({"customer": "a\0b"}))[2], text("a\u{fffd}b"));
}

#[test]
fn nothing_comes_first_and_text_goes_by_its_bytes() {
    let sorted = [Cell::Null, text("B"), text("a"), text("é"), text("円")];
    for pair in sorted.windows(2) {
        assert_eq!(pair[0].order(&pair[1]), Ordering::Less, "{pair:?}");
    }
    assert_eq!(Cell::Real(2.0).order(&Cell::Real(10.0)), Ordering::Less);
    assert_eq!(Cell::Integer(10).order(&Cell::Integer(2)), Ordering::Greater);
}

#[test]
fn a_sound_declaration_has_no_fault() {
    assert_eq!(faults(&[RECEIPTS]), []);
    assert_eq!(RECEIPTS.column("cents").map(|column| column.kind), Some(ColumnKind::Integer));
    assert_eq!(RECEIPTS.column("pence"), None);
}

#[test]
fn a_name_that_a_database_would_not_take_as_it_is_is_a_fault() {
    for name in ["", "Receipts", "1st", "_id", "a-b", "a\"b", "a b", "é", "a'; DROP TABLE rows; --"] {
        let table = DomainTable { name, ..RECEIPTS };
        assert_eq!(faults(&[table]), [ShownTableFault::Name(name.to_owned())]);
    }
    let long: &'static str = Box::leak("a".repeat(64).into_boxed_str());
    assert_eq!(faults(&[DomainTable { name: long, ..RECEIPTS }]), [ShownTableFault::Name(long.to_owned())]);
    assert_eq!(faults(&[DomainTable { name: &long[1..], ..RECEIPTS }]), []);
}

#[test]
fn a_name_of_the_store_is_a_fault() {
    for name in ["sessions", "events", "rows_by_table", "sqlite_sequence", "enza_schema", "pg_class"] {
        assert!(is_of_the_store(name), "{name}");
        assert_eq!(faults(&[DomainTable { name, ..RECEIPTS }]), [ShownTableFault::StoreName(name.to_owned())]);
    }
    assert!(!is_of_the_store("session_notes"));
    const INDEXES: &[Index] = &[Index::over("timers_by_time", &["id"])];
    let table = DomainTable { indexes: INDEXES, ..RECEIPTS };
    assert_eq!(faults(&[table]), [ShownTableFault::StoreName("timers_by_time".to_owned())]);
}

#[test]
fn two_tables_or_indexes_of_one_name_are_a_fault_whoever_declared_them() {
    let twice = |name: &str| ShownTableFault::Twice(name.to_owned());
    let other = DomainTable { name: "sales", ..RECEIPTS };
    assert_eq!(faults(&[RECEIPTS, other]), [twice("idx_receipts_customer"), twice("idx_receipts_till")]);
    let bare = DomainTable { indexes: &[], ..RECEIPTS };
    assert_eq!(faults(&[RECEIPTS, bare]), [twice("receipts")]);
    const OWN: &[Index] = &[Index::over("receipts", &["id"])];
    let own = DomainTable { indexes: OWN, ..RECEIPTS };
    assert_eq!(faults(&[own]), [twice("receipts")]);
}

#[test]
fn columns_that_cannot_be_read_and_indexes_over_them_are_faults() {
    const COLUMNS: &[Column] = &[
        Column::text("a"),
        Column::integer("a"),
        Column::text("b").from(Source::Field("x/0")),
        Column::text("c").from(Source::Field("x'")),
        Column::integer("d").from(Source::Key),
    ];
    const INDEXES: &[Index] = &[
        Index::over("none", &[]),
        Index::over("many", &["a", "b", "c", "d"]),
        Index::over("lost", &["a", "z"]),
        Index::over("same", &["a", "a"]),
    ];
    let table = DomainTable { name: "t", of: "t", columns: COLUMNS, indexes: INDEXES };
    let expected = [
        ShownTableFault::ColumnTwice { table: "t", column: "a" },
        ShownTableFault::Path { table: "t", column: "b", path: "x/0" },
        ShownTableFault::Path { table: "t", column: "c", path: "x'" },
        ShownTableFault::NotText { table: "t", column: "d" },
        ShownTableFault::IndexWidth { index: "none", found: 0 },
        ShownTableFault::IndexWidth { index: "many", found: 4 },
        ShownTableFault::IndexColumn { table: "t", index: "lost", column: "z" },
        ShownTableFault::IndexColumn { table: "t", index: "same", column: "a" },
    ];
    assert_eq!(faults(&[table]), expected);
    assert_eq!(faults(&[DomainTable { columns: &[], indexes: &[], ..table }]), [ShownTableFault::Bare("t")]);
    assert_eq!(
        expected[6].to_string(),
        "the index lost is over z, which is no column of t, or is named twice",
        "faults are sentences"
    );
}

#[test]
fn rows_that_are_not_as_declared_are_told_one_by_one() {
    let (good, bare, other) =
        (json!({"customer": "ada", "cents": 1}), json!({"customer": 7}), json!({"customer": "b", "cents": "1"}));
    let rows = [("s", "1", &good), ("s", "2", &good), ("r", "1", &good), ("s", "3", &bare), ("s", "4", &other)];
    let misfit = |key: &str, what| Misfit { session: "s".to_owned(), key: key.to_owned(), what };
    let expected = [
        misfit("2", Misfitting::Duplicate("idx_receipts_till")),
        misfit("3", Misfitting::Missing("customer")),
        misfit("4", Misfitting::Kind("cents")),
    ];
    assert_eq!(RECEIPTS.misfits(rows), expected);
    assert_eq!(expected[0].to_string(), "the row 2 of s is not the only one by idx_receipts_till");
}
