//! Tables of the domain as whoever reads the database by SQL finds them: views by their names, columns and indexes, made
//! and removed without touching anything else.

mod by_sql;
mod changes;
mod names;
mod views;
mod whole_database;

use std::collections::BTreeMap;

use crate::common::{Home, connect};
use enza_kernel::table::{Column, DomainTable, Index};

/// A second table over the same rows.
const CUSTOMERS: DomainTable = DomainTable {
    name: "customers",
    of: "sales",
    columns: &[Column::text("customer").required(), Column::integer("cents")],
    indexes: &[Index::over("idx_customers_customer", &["customer"])],
};

/// Views and indexes that are not the store's own, by their names, with their statement.
async fn shown(home: &Home) -> BTreeMap<String, String> {
    let made: Vec<(String, String)> = if home.url.starts_with("sqlite:") {
        let file = rusqlite::Connection::open(home.path()).unwrap();
        let mut statement = file
            .prepare("SELECT name, sql FROM sqlite_schema WHERE type IN ('view', 'index') AND sql IS NOT NULL")
            .unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    } else {
        const MADE: &str = "SELECT viewname::text, definition FROM pg_views WHERE schemaname = current_schema() \
             UNION ALL SELECT indexname::text, indexdef FROM pg_indexes WHERE schemaname = current_schema()";
        let rows = connect(&home.url).await.query(MADE, &[]).await.unwrap();
        rows.iter().map(|row| (row.get(0), row.get(1))).collect()
    };
    made.into_iter().filter(|(name, _)| !enza_kernel::table::is_of_the_store(name)).collect()
}

/// The names alone.
async fn shown_names(home: &Home) -> Vec<String> {
    shown(home).await.into_keys().collect()
}

/// Runs statements beside the store.
async fn meddle(home: &Home, sql: &str) {
    if home.url.starts_with("sqlite:") {
        rusqlite::Connection::open(home.path()).unwrap().execute_batch(sql).unwrap();
    } else {
        connect(&home.url).await.batch_execute(sql).await.unwrap();
    }
}

async fn databases() -> [Home; 2] {
    [Home::sqlite(), Home::postgres().await]
}
