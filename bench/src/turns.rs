//! Durable turns per second: one session at a time, and many at once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use enza_runtime::seams::store::{SessionId, Store};
use enza_storage::{Durability, Sqlite};
use serde_json::{Value, json};

use crate::measure::{cpu, percentile, round};
use crate::workload::{Texts, engine, open, turn};

/// Opens a store, and keeps the handle that counts commits where there is one.
async fn store(database: &str) -> (Arc<dyn Store>, Option<Arc<Sqlite>>) {
    if database.starts_with("postgres") {
        return (enza_storage::open(database, Durability::Full).await.expect("a server").store, None);
    }
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{database}{suffix}"));
    }
    let sqlite = Arc::new(Sqlite::open(database.as_ref(), Durability::Full).expect("a file"));
    (sqlite.clone(), Some(sqlite))
}

pub async fn single(database: &str, sessions: usize, per: usize) -> Value {
    let (store, sqlite) = store(database).await;
    let texts = Texts::new();
    let engine = engine(store, &texts);
    let run = std::process::id();
    let warm = SessionId::of(format!("warm-{run}"));
    open(&engine, &warm).await;
    turn(&engine, &warm, &texts).await;
    let ids: Vec<_> = (0..sessions).map(|number| SessionId::of(format!("s{number}-{run}"))).collect();
    for id in &ids {
        open(&engine, id).await;
    }
    let before = sqlite.as_ref().map(|sqlite| sqlite.commits());
    let (cpu_before, start) = (cpu(), Instant::now());
    let mut times = Vec::with_capacity(sessions * per);
    for id in &ids {
        for _ in 0..per {
            let began = Instant::now();
            turn(&engine, id, &texts).await;
            times.push(began.elapsed());
        }
    }
    let took = RunTime { elapsed: start.elapsed(), cpu: cpu() - cpu_before };
    report("single", database, times, took, before.zip(sqlite.map(|sqlite| sqlite.commits())))
}

pub async fn concurrent(database: &str, sessions: usize, per: usize) -> Value {
    let (store, sqlite) = store(database).await;
    let texts = Texts::new();
    let engine = engine(store, &texts);
    let run = std::process::id();
    let ids: Vec<_> = (0..sessions).map(|number| SessionId::of(format!("s{number}-{run}"))).collect();
    for id in &ids {
        open(&engine, id).await;
    }
    let before = sqlite.as_ref().map(|sqlite| sqlite.commits());
    let (cpu_before, start) = (cpu(), Instant::now());
    let people: Vec<_> = ids
        .into_iter()
        .map(|id| {
            let (engine, texts) = (engine.clone(), texts.clone());
            tokio::spawn(async move {
                let mut times = Vec::with_capacity(per);
                for _ in 0..per {
                    let began = Instant::now();
                    turn(&engine, &id, &texts).await;
                    times.push(began.elapsed());
                }
                times
            })
        })
        .collect();
    let mut times = Vec::new();
    for person in people {
        times.extend(person.await.expect("a person"));
    }
    let took = RunTime { elapsed: start.elapsed(), cpu: cpu() - cpu_before };
    report("conc", database, times, took, before.zip(sqlite.map(|sqlite| sqlite.commits())))
}

struct RunTime {
    elapsed: Duration,
    cpu: Duration,
}

fn report(
    what: &str,
    database: &str,
    mut times: Vec<Duration>,
    took: RunTime,
    commits: Option<(enza_storage::Commits, enza_storage::Commits)>,
) -> Value {
    let turns = times.len() as f64;
    let (groups, appends) =
        commits.map_or((0, 0), |(before, after)| (after.groups - before.groups, after.appends - before.appends));
    json!({
        "fw": "enza", "cmd": what,
        "saver": if database.starts_with("postgres") { "postgres" } else { "sqlite" },
        "turns": times.len(),
        "turns_per_s": round(turns / took.elapsed.as_secs_f64()),
        "p50_ms": percentile(&mut times, 0.5),
        "p99_ms": percentile(&mut times, 0.99),
        "cpu_ms_per_turn": round(took.cpu.as_secs_f64() * 1e3 / turns),
        "commits_per_turn": round(groups as f64 / turns),
        "appends_per_turn": round(appends as f64 / turns),
        "appends_per_commit": round(appends as f64 / groups.max(1) as f64),
    })
}
