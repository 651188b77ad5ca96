//! Many sessions at once, sharing transactions.

use std::sync::Arc;

use enza_kernel::application::Row;
use enza_kernel::conversation::Usage;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Append, Appended, Rows, Spent, Store, UsageQuery};
use serde_json::json;

use crate::common::{accepted, append, log, on, opening, recorded, wake};

pub async fn many_sessions_appended_at_once_have_logs_without_gaps(store: Arc<dyn Store>) {
    let talk = |number: usize| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let name = format!("s{number}");
            append(&*store, opening(&name, 1)).await;
            for turn in 0..10u64 {
                let rows = vec![Row { table: "turns".to_owned(), key: format!("{turn}"), content: Some(json!(turn)) }];
                let usage = Usage { input: 1, ..Usage::default() };
                let usage = vec![Spent { model: format!("m{}", turn % 2), usage, calls: 1 }];
                let timers = Some(vec![wake("turn", turn.cast_signed())]);
                append(&*store, Append { rows, usage, timers, ..on(&name, 1 + 2 * turn, 2) }).await;
            }
            name
        })
    };
    let talks: Vec<_> = (0..60).map(talk).collect();
    for talk in talks {
        let name = talk.await.unwrap();
        assert_eq!(log(&*store, &name).await, recorded(&name, 1..=21));
    }
    assert_eq!(store.rows("turns", Rows::All).await.unwrap().len(), 600);
    assert_eq!(store.spent("ada", 0).await.unwrap().on_day.input, 600);
    let lines = store.usage(&UsageQuery::default()).await.unwrap();
    assert!(lines.len() == 120 && lines.iter().all(|line| line.calls == 5), "{lines:?}");
}

pub async fn a_conflict_among_many_disturbs_nobody(store: Arc<dyn Store>) {
    for number in 0..30 {
        append(&*store, accepted(opening(&format!("s{number}"), 1), "k")).await;
    }
    let write = |number: usize| {
        let store = Arc::clone(&store);
        let name = format!("s{number}");
        tokio::spawn(async move {
            match number % 3 {
                0 => assert_eq!(store.append(on(&name, 1, 1)).await, Ok(Appended::Appended(Seq(2)))),
                1 => assert_eq!(store.append(on(&name, 7, 1)).await, Ok(Appended::Conflict { head: Seq(1) })),
                _ => {
                    let again = accepted(on(&name, 1, 1), "k");
                    assert_eq!(store.append(again).await, Ok(Appended::Duplicate { seq: Seq(1) }));
                }
            }
        })
    };
    let writes: Vec<_> = (0..30).map(write).collect();
    for one in writes {
        one.await.unwrap();
    }
    for number in 0..30 {
        let name = format!("s{number}");
        let last = if number % 3 == 0 { 2 } else { 1 };
        assert_eq!(log(&*store, &name).await, recorded(&name, 1..=last));
    }
}
