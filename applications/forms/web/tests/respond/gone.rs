//! Deleted means gone: after a respondent deletes an interview, no column of no table has a word of it, and after the sweep
//! no byte of the files.

use std::path::Path;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use enza_runtime::seams::register::AuditLog as _;
use enza_server::Accounts;
use enza_storage::{Durability, open};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::json;

use crate::common::TestServer;
use crate::respond::visit::{SharedForm, location, session_of};

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

/// Which of the database's files have these bytes, whatever the database itself says of them.
fn written(path: &Path, bytes: &[u8]) -> Vec<String> {
    let files = ["", "-wal"].map(|ending| format!("{}{ending}", path.display()));
    let has = |file: &String| std::fs::read(file).is_ok_and(|text| text.windows(bytes.len()).any(|part| part == bytes));
    files.into_iter().filter(has).collect()
}

/// The same, once what a deletion leaves behind is swept out, which happens by itself within seconds.
async fn swept(path: &Path, bytes: &[u8]) -> Vec<String> {
    const PATIENCE: Duration = Duration::from_secs(30);
    let begun = Instant::now();
    loop {
        let left = written(path, bytes);
        if left.is_empty() || begun.elapsed() > PATIENCE {
            return left;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
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
    assert!(
        !written(&path, MARKER.as_bytes()).is_empty(),
        "it is in the files as it stands, or this would find nothing"
    );
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
    let left = swept(&path, MARKER.as_bytes()).await;
    assert_eq!(left, Vec::<String>::new(), "the uploaded bytes and all that was said are overwritten in the files");
    let events = format!("/api/sessions/{session}/events");
    assert_eq!(shared.stage.ask(Method::GET, &events, &shared.owner, None).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_respondent_who_deletes_an_interview_leaves_a_line_without_a_name_in_the_journal() {
    let shared = SharedForm::new(form()).await;
    let by_page = shared.begin().await;
    let gone = shared.post(&format!("{by_page}/leave"), &[("how", "delete")]).await;
    assert_eq!(gone.status, StatusCode::OK, "{}", gone.text());
    let by_program = location(&shared.post(&shared.door(), &[("key", "another key of letters")]).await);
    let gone = shared.stage.send(Request::delete(format!("/api{by_program}")).body(Body::empty()).unwrap()).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT, "{}", gone.text());
    let journal = shared.stage.store.notes(None, None, 10).await.unwrap();
    let lines: Vec<_> = journal
        .iter()
        .rev()
        .map(|line| (&*line.note.by, &*line.note.act, line.note.on.clone(), &*line.note.from))
        .collect();
    let line = |at: &str| ("", "interview-withdrawn", session_of(at).to_string(), "");
    assert_eq!(lines, [line(&by_page), line(&by_program)]);
}
