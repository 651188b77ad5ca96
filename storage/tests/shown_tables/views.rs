//! A view has the name, the columns and the kinds that were declared, and shows what the rows say.

use enza_kernel::table::{Cell, DomainTable};
use enza_runtime::seams::store::Rows;
use rusqlite::types::Value;
use serde_json::json;

use super::{CUSTOMERS, databases, shown_names};
use crate::common::receipts::{RECEIPTS, sale, two_tills, with_rows};
use crate::common::{Home, connect};

/// The columns of a view and their types.
async fn columns(home: &Home, view: &str) -> Vec<(String, String)> {
    if home.url.starts_with("sqlite:") {
        let file = rusqlite::Connection::open(home.path()).unwrap();
        let mut statement = file.prepare("SELECT name, type FROM pragma_table_info(?1) ORDER BY cid").unwrap();
        let rows = statement.query_map([view], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        return rows.collect::<Result<_, _>>().unwrap();
    }
    const COLUMNS: &str = "SELECT column_name::text, data_type::text FROM information_schema.columns \
         WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position";
    let rows = connect(&home.url).await.query(COLUMNS, &[&view]).await.unwrap();
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

#[tokio::test]
async fn a_view_has_the_name_and_the_columns_that_were_declared() {
    for home in databases().await {
        let store = home.open().await;
        store.show_tables(&[RECEIPTS, CUSTOMERS]).await.unwrap();
        let names = [
            "customers",
            "idx_customers_customer",
            "idx_receipts_customer_cents",
            "idx_receipts_till_customer",
            "idx_receipts_weight",
            "receipts",
        ];
        assert_eq!(shown_names(&home).await, names);
        let [text, whole, real] = if home.url.starts_with("sqlite:") {
            ["TEXT", "INT", "REAL"]
        } else {
            ["text", "bigint", "double precision"]
        };
        let expected = [
            ("id", text),
            ("till", text),
            ("customer", text),
            ("cents", whole),
            ("weight", real),
            ("paid", whole),
            ("note", text),
            ("street", text),
        ];
        let expected = expected.map(|(name, kind)| (name.to_owned(), kind.to_owned()));
        assert_eq!(columns(&home, "receipts").await, expected, "{}", home.url);
    }
}

/// Everything a view shows, by the first columns.
async fn everything(home: &Home, table: &DomainTable) -> Vec<Vec<Cell>> {
    let select = format!("SELECT * FROM {} ORDER BY 2, 1", table.name);
    if home.url.starts_with("sqlite:") {
        let file = rusqlite::Connection::open(home.path()).unwrap();
        let mut statement = file.prepare(&select).unwrap();
        let read = |row: &rusqlite::Row<'_>| {
            let cell = |place| {
                Ok(match row.get(place)? {
                    Value::Null => Cell::Null,
                    Value::Integer(number) => Cell::Integer(number),
                    Value::Real(number) => Cell::Real(number),
                    Value::Text(text) => Cell::Text(text),
                    Value::Blob(bytes) => panic!("{bytes:?}"),
                })
            };
            (0..table.columns.len()).map(cell).collect()
        };
        return statement.query_map([], read).unwrap().collect::<Result<_, _>>().unwrap();
    }
    let rows = connect(&home.url).await.query(&select, &[]).await.unwrap();
    let read = |row: &tokio_postgres::Row| {
        let cell = |place: usize| match row.columns()[place].type_().name() {
            "text" => row.get::<_, Option<String>>(place).map_or(Cell::Null, Cell::Text),
            "int8" => row.get::<_, Option<i64>>(place).map_or(Cell::Null, Cell::Integer),
            "float8" => row.get::<_, Option<f64>>(place).map_or(Cell::Null, Cell::Real),
            other => panic!("{other}"),
        };
        (0..table.columns.len()).map(cell).collect()
    };
    rows.iter().map(read).collect()
}

#[tokio::test]
async fn a_view_shows_what_the_declaration_says_of_every_row() {
    for home in databases().await {
        let store = home.open().await;
        store.show_tables(&[RECEIPTS]).await.unwrap();
        two_tills(&*store).await;
        let long = "円".repeat(5_000);
        let most = 999_999_999_999_999_999_i64;
        let rows = vec![
            sale(
                "a",
                json!({"customer": long, "cents": most, "weight": 1e300, "note": long, "address": {"street": ["\0"]}}),
            ),
            sale("b", json!({"customer": "é", "cents": most + 1, "weight": u64::MAX, "note": {"q": "\"\\\u{1}/"}})),
            sale("c", json!({"customer": ["x", 1.0], "cents": 2.0, "weight": 5e-324, "note": ""})),
        ];
        with_rows(&*store, "t3", rows).await;
        let rows = store.rows("sales", Rows::All).await.unwrap();
        let cells = |row: &enza_runtime::seams::store::TableRow| {
            let cell = |column| RECEIPTS.cell(column, row.session.as_str(), &row.key, &row.content);
            RECEIPTS.columns.iter().map(cell).collect::<Vec<_>>()
        };
        let expected: Vec<_> = rows.iter().map(cells).collect();
        assert_eq!(expected.len(), 10);
        assert_eq!(everything(&home, &RECEIPTS).await, expected, "{}", home.url);
    }
}

#[tokio::test]
async fn a_view_follows_the_rows() {
    for home in databases().await {
        let store = home.open().await;
        store.show_tables(&[RECEIPTS, CUSTOMERS]).await.unwrap();
        two_tills(&*store).await;
        assert_eq!(everything(&home, &CUSTOMERS).await.len(), 7);
        store.delete(&crate::common::id("t1")).await.unwrap();
        let text = |text: &str| Cell::Text(text.to_owned());
        let expected = [
            vec![Cell::Null, Cell::Null],
            vec![text("円"), Cell::Integer(7)],
            vec![text("ada"), Cell::Integer(90)],
            vec![text("ada"), Cell::Integer(3000)],
        ];
        let mut found = everything(&home, &CUSTOMERS).await;
        found.sort_by(|one, other| one[1].order(&other[1]));
        assert_eq!(found, expected);
    }
}
