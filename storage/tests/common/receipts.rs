//! A table with every kind of column, and rows for it, for tests.

use enza_kernel::application::Row;
use enza_kernel::table::{Column, DomainTable, Index, Source};
use enza_runtime::seams::store::{Append, Store};
use serde_json::{Value, json};

use super::{append, opening};

/// Sales as receipts.
pub const RECEIPTS: DomainTable = DomainTable {
    name: "receipts",
    of: "sales",
    columns: &[
        Column::text("id").from(Source::Key).required(),
        Column::text("till").from(Source::Session).required(),
        Column::text("customer").required(),
        Column::integer("cents"),
        Column::real("weight"),
        Column::flag("paid"),
        Column::text("note"),
        Column::text("street").from(Source::Field("address/street")),
    ],
    indexes: &[
        Index::over("idx_receipts_customer_cents", &["customer", "cents"]),
        Index::over("idx_receipts_till_customer", &["till", "customer"]).unique(),
        Index::over("idx_receipts_weight", &["weight"]),
    ],
};

pub fn sale(key: &str, content: Value) -> Row {
    Row { table: "sales".to_owned(), key: key.to_owned(), content: Some(content) }
}

/// A session with these rows.
pub async fn with_rows(store: &dyn Store, session: &str, rows: Vec<Row>) {
    append(store, Append { rows, ..opening(session, 1) }).await;
}

/// Two tills with sales, one of which says nothing that it should, and a row of another table.
pub async fn two_tills(store: &dyn Store) {
    let full = json!({"customer": "ada", "cents": 250, "weight": 1, "paid": true,
        "note": {"a": [1, "é"]}, "address": {"street": "High"}});
    let zero = json!({"customer": "b\0b", "cents": 90, "weight": 0.5, "paid": false, "note": "\\u0000\0"});
    let odd = json!({"customer": 7, "cents": "250", "weight": "1", "paid": 1, "note": true, "address": "High"});
    let other = Row { table: "other".to_owned(), ..sale("1", json!({"customer": "ada"})) };
    with_rows(store, "t1", vec![sale("1", full), sale("2", zero), sale("3", odd), other]).await;
    let plain = |customer: &str, cents: i64| json!({"customer": customer, "cents": cents});
    let scalar = sale("4", json!("ada"));
    let rows = vec![sale("1", plain("ada", 90)), sale("2", plain("円", 7)), sale("3", plain("ada", 3000)), scalar];
    with_rows(store, "t2", rows).await;
}
