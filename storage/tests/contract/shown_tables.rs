//! Tables of the domain: questions to them have one answer in every store.

use std::sync::Arc;

use enza_kernel::table::{Cell, Column, DomainTable};
use enza_runtime::seams::store::{Append, Failure, Relation, Rows, SessionOpening, Sort, Store, TableQuery, TableRow};
use serde_json::json;

use crate::common::receipts::{RECEIPTS, sale, two_tills, with_rows};
use crate::common::{append, id, opening};

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn all() -> TableQuery<'static> {
    TableQuery::new(&RECEIPTS)
}

fn names(rows: &[TableRow]) -> Vec<String> {
    rows.iter().map(|row| format!("{}/{}", row.session, row.key)).collect()
}

async fn found(store: &dyn Store, query: TableQuery<'_>) -> Vec<String> {
    names(&store.table_rows(&query).await.unwrap())
}

pub async fn a_shown_table_answers_by_its_columns(store: Arc<dyn Store>) {
    two_tills(&*store).await;
    let equals = |name, value| TableQuery { equals: vec![(name, value)], ..all() };
    let at_least = |name, value| TableQuery { at_least: vec![(name, value)], ..all() };
    for (query, expected) in [
        (all(), vec!["t1/1", "t1/2", "t1/3", "t2/1", "t2/2", "t2/3", "t2/4"]),
        (equals("customer", text("ada")), vec!["t1/1", "t2/1", "t2/3"]),
        (equals("customer", text("'; DROP TABLE rows; --")), vec![]),
        (equals("customer", Cell::Null), vec!["t1/3", "t2/4"]),
        (equals("customer", text("b\0b")), vec!["t1/2"]),
        (equals("note", text(r#"{"a":[1,"é"]}"#)), vec!["t1/1"]),
        (equals("street", text("High")), vec!["t1/1"]),
        (equals("cents", Cell::Integer(90)), vec!["t1/2", "t2/1"]),
        (equals("weight", Cell::Real(1.0)), vec!["t1/1"]),
        (equals("paid", Cell::Integer(1)), vec!["t1/1"]),
        (equals("paid", Cell::Integer(0)), vec!["t1/2"]),
        (equals("till", text("t2")), vec!["t2/1", "t2/2", "t2/3", "t2/4"]),
        (equals("id", text("3")), vec!["t1/3", "t2/3"]),
        (at_least("cents", Cell::Integer(90)), vec!["t1/1", "t1/2", "t2/1", "t2/3"]),
        (at_least("weight", Cell::Real(0.75)), vec!["t1/1"]),
        (at_least("customer", text("b")), vec!["t1/2", "t2/2"]),
        (
            TableQuery { at_least: vec![("cents", Cell::Integer(91))], ..equals("customer", text("ada")) },
            vec!["t1/1", "t2/3"],
        ),
    ] {
        assert_eq!(found(&*store, query.clone()).await, expected, "{query:?}");
    }
    let rows = store.table_rows(&equals("cents", Cell::Integer(7))).await.unwrap();
    let content = json!({"customer": "円", "cents": 7});
    assert_eq!(rows, [TableRow { session: id("t2"), key: "2".to_owned(), content }], "rows are as they were written");
}

pub async fn what_a_table_shows_is_what_can_be_asked_for(store: Arc<dyn Store>) {
    two_tills(&*store).await;
    let (most, long) = (999_999_999_999_999_999_i64, "円".repeat(5_000));
    let rows = vec![
        sale(
            "a",
            json!({"customer": long, "cents": most, "weight": 1e300, "note": long, "address": {"street": ["\0"]}}),
        ),
        sale("b", json!({"customer": "\u{1F469}\u{200D}\u{1F680}", "cents": most + 1, "weight": -1.5, "note": ""})),
        sale("c", json!({"customer": "x", "cents": u64::MAX, "weight": u64::MAX, "note": [1.0, {"\0": null}]})),
        sale("d", json!({"customer": "", "cents": -most, "weight": -0.0, "note": "\u{7}\"\\\n"})),
        sale("e", json!({"cents": 2.0, "weight": 5e-324, "paid": null})),
        sale("f", json!([{"customer": "x"}])),
    ];
    with_rows(&*store, "t3", rows).await;
    for row in store.rows("sales", Rows::All).await.unwrap() {
        for column in RECEIPTS.columns {
            let cell = RECEIPTS.cell(column, row.session.as_str(), &row.key, &row.content);
            let query = TableQuery { equals: vec![(column.name, cell)], ..all() };
            let name = format!("{}/{}", row.session, row.key);
            assert!(found(&*store, query.clone()).await.contains(&name), "{name}: {query:?}");
        }
    }
}

pub async fn a_table_is_read_in_one_order_a_page_at_a_time(store: Arc<dyn Store>) {
    two_tills(&*store).await;
    let by = |order: &[(&'static str, Sort)]| TableQuery { order: order.to_vec(), ..all() };
    let (up, down) = (Sort::Ascending, Sort::Descending);
    for (query, expected) in [
        (by(&[("cents", up)]), ["t1/3", "t2/4", "t2/2", "t1/2", "t2/1", "t1/1", "t2/3"]),
        (by(&[("cents", down)]), ["t2/3", "t1/1", "t1/2", "t2/1", "t2/2", "t1/3", "t2/4"]),
        (by(&[("customer", up), ("cents", down)]), ["t1/3", "t2/4", "t2/3", "t1/1", "t2/1", "t1/2", "t2/2"]),
        (by(&[("weight", down), ("id", up)]), ["t1/1", "t1/2", "t2/1", "t2/2", "t1/3", "t2/3", "t2/4"]),
        (by(&[("till", down), ("cents", up)]), ["t2/4", "t2/2", "t2/1", "t2/3", "t1/3", "t1/2", "t1/1"]),
    ] {
        assert_eq!(found(&*store, query.clone()).await, expected, "{query:?}");
        let mut pages = Vec::new();
        for offset in (0..9).step_by(3) {
            pages.extend(found(&*store, TableQuery { limit: 3, offset, ..query.clone() }).await);
        }
        assert_eq!(pages, expected, "{query:?}");
        assert_eq!(found(&*store, TableQuery { offset: 5, ..query }).await, expected[5..]);
    }
}

pub async fn a_table_is_read_of_one_session_or_of_a_family(store: Arc<dyn Store>) {
    with_rows(&*store, "shop", vec![sale("1", json!({"customer": "ada", "cents": 1}))]).await;
    for (name, cents) in [("a", 3), ("b", 2)] {
        let member = Some(SessionOpening::new("till", "ada").of(&id("shop")));
        let rows = vec![sale("1", json!({"customer": "ada", "cents": cents})), sale("2", json!({"customer": "bob"}))];
        append(&*store, Append { opening: member, rows, ..opening(name, 1) }).await;
    }
    let (shop, a) = (id("shop"), id("a"));
    let ada = |of| TableQuery {
        of,
        equals: vec![("customer", text("ada"))],
        order: vec![("cents", Sort::Ascending)],
        ..all()
    };
    assert_eq!(found(&*store, ada(Rows::Family(&shop))).await, ["b/1", "a/1"]);
    assert_eq!(found(&*store, ada(Rows::Session(&a))).await, ["a/1"]);
    assert_eq!(found(&*store, TableQuery { of: Rows::Family(&shop), ..all() }).await, ["a/1", "a/2", "b/1", "b/2"]);
    store.delete(&a).await.unwrap();
    assert_eq!(found(&*store, ada(Rows::All)).await, ["shop/1", "b/1"], "rows go with their session");
}

pub async fn a_question_that_makes_no_sense_is_a_failure_that_says_why(store: Arc<dyn Store>) {
    two_tills(&*store).await;
    let refused = async |query: TableQuery<'_>| match store.table_rows(&query).await {
        Err(Failure::Other(why)) => why,
        other => panic!("{other:?}"),
    };
    let one = |name, value| vec![(name, value)];
    assert_eq!(
        refused(TableQuery { equals: one("pence", text("a")), ..all() }).await,
        "the table receipts has no column pence"
    );
    assert_eq!(
        refused(TableQuery { order: vec![("\"; DROP TABLE rows", Sort::Ascending)], ..all() }).await,
        "the table receipts has no column \"; DROP TABLE rows"
    );
    for (name, relation, value) in [
        ("cents", Relation::Equal, text("90")),
        ("cents", Relation::AtLeast, Cell::Null),
        ("weight", Relation::AtLeast, Cell::Real(f64::NAN)),
        ("customer", Relation::Equal, Cell::Integer(1)),
    ] {
        let mut query = all();
        match relation {
            Relation::Equal => query.equals = one(name, value.clone()),
            Relation::AtLeast => query.at_least = one(name, value.clone()),
        }
        let why = refused(query).await;
        assert_eq!(why, format!("the column {name} of receipts does not compare with {value:?}"));
    }
    const BAD: DomainTable = DomainTable { name: "a b", of: "sales", columns: &[Column::text("id")], indexes: &[] };
    assert!(refused(TableQuery::new(&BAD)).await.starts_with("\"a b\" is no name"));
    assert_eq!(found(&*store, all()).await.len(), 7, "nothing has come of it");
}

pub async fn showing_tables_changes_no_answer_and_keeps_no_row_out(store: Arc<dyn Store>) {
    two_tills(&*store).await;
    let query = TableQuery { order: vec![("customer", Sort::Ascending), ("cents", Sort::Descending)], ..all() };
    let before = store.table_rows(&query).await.unwrap();
    for tables in [&[RECEIPTS][..], &[RECEIPTS], &[]] {
        store.show_tables(tables).await.unwrap();
        assert_eq!(store.table_rows(&query).await.unwrap(), before);
    }
    store.show_tables(&[RECEIPTS]).await.unwrap();
    // By what a unique index says, two such customers of one till may not be; that is the log's to say.
    let long: String = (0..20_000).filter_map(|number| char::from_u32(0x4e00 + number)).collect();
    let twice = json!({"customer": long, "cents": "\0", "weight": {"\0": 1}});
    with_rows(&*store, "t3", vec![sale("1", twice.clone()), sale("2", twice), sale("3", json!(["\0"]))]).await;
    assert_eq!(found(&*store, TableQuery { of: Rows::Session(&id("t3")), ..all() }).await, ["t3/1", "t3/2", "t3/3"]);
    assert_eq!(store.rows("sales", Rows::All).await.unwrap().len(), 10);
    let bad = DomainTable { name: "sessions", ..RECEIPTS };
    let failure = store.show_tables(&[bad]).await;
    assert_eq!(failure, Err(Failure::Other("the store has something of its own that is called sessions".to_owned())));
}
