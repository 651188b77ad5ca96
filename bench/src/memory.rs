//! Memory of many open but idle sessions.

use std::sync::Arc;
use std::time::Duration;

use enza_runtime::seams::store::SessionId;
use enza_storage::{Durability, Sqlite};
use serde_json::{Value, json};

use crate::measure::{resident, round};
use crate::workload::{Texts, engine, open, turn};

pub async fn run(database: &str, sessions: usize) -> Value {
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{database}{suffix}"));
    }
    let texts = Texts::new();
    let store = Arc::new(Sqlite::open(database.as_ref(), Durability::Normal).expect("a file"));
    let engine = engine(store, &texts);
    let warm = SessionId::of("warm");
    open(&engine, &warm).await;
    turn(&engine, &warm, &texts).await;
    let empty = resident();
    for batch in 0..sessions.div_ceil(100) {
        let people: Vec<_> = (0..100)
            .map(|number| {
                let (engine, texts) = (engine.clone(), texts.clone());
                tokio::spawn(async move {
                    let session = SessionId::of(format!("idle-{batch}-{number}"));
                    open(&engine, &session).await;
                    turn(&engine, &session, &texts).await;
                })
            })
            .collect();
        for person in people {
            person.await.expect("a person");
        }
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
    let full = resident();
    let above = full.saturating_sub(empty) as f64;
    json!({
        "fw": "enza", "cmd": "idle", "sessions": sessions, "loaded": engine.loaded(),
        "rss_base_mb": round(empty as f64 / 1e6), "rss_delta_mb": round(above / 1e6),
        "per_session_kb": round(above / sessions as f64 / 1e3),
    })
}
