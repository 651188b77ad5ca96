//! Whoever asks a view by plain SQL is served by the declared indexes.

use serde_json::json;

use crate::common::receipts::{RECEIPTS, sale, with_rows};
use crate::common::{Home, connect};

async fn filled(home: &Home) {
    let store = home.open().await;
    store.show_tables(&[RECEIPTS]).await.unwrap();
    for till in 0..10 {
        let row = |number: i64| {
            sale(
                &number.to_string(),
                json!({"customer": format!("c{till}-{number}"), "cents": number, "weight": number}),
            )
        };
        with_rows(&*store, &format!("t{till}"), (0..200).map(row).collect()).await;
    }
}

const QUESTIONS: [(&str, &str); 4] = [
    ("SELECT id FROM receipts WHERE customer = 'c7-7' AND cents = 7", "idx_receipts_customer_cents"),
    ("SELECT cents FROM receipts WHERE till = 't3' AND customer = 'c3-9'", "idx_receipts_till_customer"),
    ("SELECT id FROM receipts WHERE customer = 'c7-7' AND cents > 3", "idx_receipts_customer_cents"),
    ("SELECT id FROM receipts WHERE weight = 198.0", "idx_receipts_weight"),
];

#[tokio::test]
async fn sqlite_uses_the_indexes_for_plain_questions_to_a_view() {
    let home = Home::sqlite();
    filled(&home).await;
    let file = rusqlite::Connection::open(home.path()).unwrap();
    for (sql, index) in QUESTIONS {
        let mut statement = file.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let plan: Vec<String> = statement.query_map([], |row| row.get(3)).unwrap().map(Result::unwrap).collect();
        let is_used = |step: &String| step.contains(&format!("INDEX {index} "));
        // A till and a customer are few rows by either index.
        let other = |step: &String| step.contains("INDEX idx_receipts_customer_cents ") && sql.contains("till");
        assert!(plan.iter().any(|step| is_used(step) || other(step)), "{sql}: {plan:?}");
    }
}

#[tokio::test]
async fn postgres_uses_the_indexes_for_plain_questions_to_a_view() {
    let home = Home::postgres().await;
    filled(&home).await;
    let client = connect(&home.url).await;
    client.batch_execute("ANALYZE").await.unwrap();
    for (sql, index) in QUESTIONS {
        let rows = client.query(&format!("EXPLAIN {sql}"), &[]).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        let other = sql.contains("till") && plan.iter().any(|step| step.contains("idx_receipts_customer_cents"));
        assert!(other || plan.iter().any(|step| step.contains(index)), "{sql}: {plan:#?}");
    }
}
