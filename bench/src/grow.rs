//! One session that grows: bytes and time per turn early and late, and the time to load it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use enza_runtime::seams::store::SessionId;
use enza_storage::{Durability, Sqlite};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::measure::{milliseconds, percentile, round};
use crate::workload::{Texts, engine, open, turn};

/// Turns that are averaged at either end.
const WINDOW: usize = 200;

pub async fn run(database: &str, turns: usize) -> Value {
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{database}{suffix}"));
    }
    let texts = Texts::new();
    let session = SessionId::of("growing");
    let (mut times, mut marks, mut loads) = (Vec::with_capacity(turns), Vec::new(), None);
    {
        let store = Arc::new(Sqlite::open(database.as_ref(), Durability::Full).expect("a file"));
        let engine = engine(store, &texts);
        open(&engine, &session).await;
        for number in 1..=turns {
            let began = Instant::now();
            turn(&engine, &session, &texts).await;
            times.push(began.elapsed());
            if [10, 400, 500].contains(&number) {
                marks.push(stored(database));
            }
            if loads.is_none() && engine.row(&session).await.expect("the session").head.0 >= 10_000 {
                loads = Some(load(database, &session, &texts).await);
            }
        }
        engine.close().await;
    }
    let early = percentile(&mut times[9..9 + WINDOW].to_vec(), 0.5);
    let late = percentile(&mut times[turns - WINDOW..].to_vec(), 0.5);
    let bytes_early = marks[0] as f64 / 10.0;
    let bytes_late = (marks[2] - marks[1]) as f64 / 100.0;
    let (events, fast, whole) = match loads {
        Some(loads) => loads,
        None => load(database, &session, &texts).await,
    };
    json!({
        "fw": "enza", "cmd": "grow", "turns": turns, "events_loaded": events,
        "ms_per_turn_early": early, "ms_per_turn_late": late, "time_ratio": round(late / early),
        "bytes_per_turn_early": bytes_early, "bytes_per_turn_late": bytes_late,
        "bytes_ratio": round(bytes_late / bytes_early),
        "load_ms": milliseconds(fast), "load_whole_log_ms": milliseconds(whole),
    })
}

/// Bytes of all rows that belong to sessions.
fn stored(database: &str) -> i64 {
    let connection = Connection::open(database).expect("the file");
    let sum = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, Option<i64>>(0)).expect("SQL").unwrap_or(0);
    sum("SELECT sum(length(kind) + length(body) + 24) FROM events") + sum("SELECT sum(length(body)) FROM snapshots")
}

/// How many events the session has now, and how long a process that has never seen it takes to load it: as it would, by
/// the newest snapshot, and from the first event on.
async fn load(database: &str, session: &SessionId, texts: &Arc<Texts>) -> (u64, Duration, Duration) {
    let store = Arc::new(Sqlite::open(database.as_ref(), Durability::Full).expect("the file"));
    let engine = engine(store, texts);
    let events = engine.row(session).await.expect("the session").head.0;
    let began = Instant::now();
    engine.wait_for_rest(session).await.expect("loaded");
    let fast = began.elapsed();
    let began = Instant::now();
    engine.state_at(session, None).await.expect("folded");
    let whole = began.elapsed();
    engine.close().await;
    (events, fast, whole)
}
