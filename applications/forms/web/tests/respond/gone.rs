//! Deleted means gone: after a respondent deletes an interview, no column of no table has a word of it.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use enza_server::Accounts;
use enza_storage::{Durability, open};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::json;

use crate::common::TestServer;
use crate::visit::{SharedForm, session_of};

/// What nobody else writes.
const MARKER: &str = "Marker7f3aQ";

fn form() -> serde_json::Value {
    json!({
        "title": "Report", "language": "en", "order": "fixed",
        "fields": [
            { "fieldId": "name", "label": "Name", "required": true },
            { "fieldId": "story", "label": "What happened?", "kind": "long_text", "required": true },
            { "fieldId": "photo", "label": "A photo", "kind": "file", "required": true },
        ],
    })
}

/// Where a text is found, table by table and column by column; how many columns were looked at.
fn found(database: &Connection, text: &str) -> (Vec<String>, usize) {
    let names = |sql: &str| -> Vec<String> {
        let mut statement = database.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let (mut found, mut looked) = (Vec::new(), 0);
    for table in names("SELECT name FROM sqlite_schema WHERE type = 'table'") {
        for column in names(&format!("SELECT name FROM pragma_table_info('{table}')")) {
            looked += 1;
            let mut statement = database.prepare(&format!("SELECT \"{column}\" FROM \"{table}\"")).unwrap();
            let mut rows = statement.query([]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                let bytes = match row.get_ref(0).unwrap() {
                    ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
                    ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => continue,
                };
                if bytes.windows(text.len()).any(|piece| piece == text.as_bytes()) {
                    found.push(format!("{table}.{column}"));
                }
            }
        }
    }
    found.dedup();
    (found, looked)
}

#[tokio::test]
async fn no_column_has_a_word_of_a_deleted_interview() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("enza.db");
    let opened = open(&format!("sqlite:{}", path.display()), Durability::Normal).await.unwrap();
    let shared = SharedForm::in_house(TestServer::on_disk(opened, Accounts::Shared), form(), "single").await;
    let at = shared.begin().await;
    shared.order(&at, &[("act", "say"), ("words", MARKER)]).await;
    let told = format!("It was {MARKER} who did it, in the library, with the candlestick.");
    shared.order(&at, &[("act", "say"), ("words", &told)]).await;
    let photo = format!("{at}/files/photo?name={MARKER}.png");
    let sent = Request::post(&photo).header("content-type", "image/png").header("accept", "application/json");
    let sent = shared.stage.send(sent.body(Body::from(format!("{MARKER} in a picture"))).unwrap()).await;
    assert_eq!(sent.status, StatusCode::NO_CONTENT, "{}", sent.text());
    shared.rest(&at).await;
    let fork = Request::post(format!("/api/sessions/{}/fork", session_of(&at)))
        .header("authorization", format!("Bearer {}", shared.owner))
        .header("content-type", "application/json")
        .header("idempotency-key", "fork-it");
    assert_eq!(shared.stage.send(fork.body(Body::from("{}")).unwrap()).await.status, StatusCode::CREATED);

    let database = Connection::open(&path).unwrap();
    let (before, _) = found(&database, MARKER);
    for planted in ["content_parts.bytes", "events.body", "rows.content"] {
        assert!(before.iter().any(|place| place == planted), "{planted} should have it: {before:?}");
    }
    let session = session_of(&at);
    let deleted = shared.stage.send(Request::delete(format!("/api{at}")).body(Body::empty()).unwrap()).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.text());
    let (after, looked) = found(&database, MARKER);
    assert_eq!(after, Vec::<String>::new());
    assert!(looked > 60, "every table was looked at: {looked}");
    let count = |table: &str| -> i64 {
        database.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    };
    assert_eq!((count("files"), count("contents"), count("content_parts"), count("sessions")), (0, 0, 0, 1));
    let events = format!("/api/sessions/{session}/events");
    assert_eq!(shared.stage.ask(Method::GET, &events, &shared.owner, None).await.status, StatusCode::NOT_FOUND);
}
