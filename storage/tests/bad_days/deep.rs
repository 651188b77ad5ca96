//! A check of everything finds every kind of damage, and nothing where there is none.

use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Append, PART, Snapshot};
use enza_storage::{DeepCheck, Defect, inspect_deep};

use crate::common::files::take;
use crate::common::{Home, append, connect, id, on, opening};

async fn meddle(home: &Home, sql: &str) {
    if home.url.starts_with("sqlite:") {
        rusqlite::Connection::open(home.path()).unwrap().execute_batch(sql).unwrap();
    } else {
        connect(&home.url).await.batch_execute(sql).await.unwrap();
    }
}

async fn checked(home: &Home) -> DeepCheck {
    inspect_deep(&home.url, |done, total| assert!(done <= total)).await.unwrap().expect("there is a database")
}

#[tokio::test]
async fn a_check_of_everything_finds_what_was_changed_and_nothing_else() {
    for home in [Home::sqlite(), Home::postgres().await] {
        let store = home.open().await;
        for name in ["old", "event", "gone", "end", "short", "snapshot", "well"] {
            let snapshot = Some(Snapshot { seq: Seq(4), version: 1, body: b"state".to_vec() });
            append(&*store, Append { snapshot, ..opening(name, 4) }).await;
        }
        take(&*store, "well", b"a file").await;
        take(&*store, "well", &vec![7; PART + 1]).await;
        meddle(
            &home,
            "UPDATE events SET link = NULL WHERE body LIKE '%old%'; UPDATE sessions SET link = NULL WHERE id = 'old'",
        )
        .await;
        append(&*store, on("old", 4, 1)).await;
        drop(store);
        let well = DeepCheck { sessions: 7, events: 29, unlinked: 4, files: 2, ..DeepCheck::default() };
        assert_eq!(checked(&home).await, well);

        let hex =
            |text: &str| if home.url.starts_with("sqlite:") { format!("x'{text}'") } else { format!("'\\x{text}'") };
        meddle(&home, "UPDATE events SET at = at + 1 WHERE body LIKE '%event2%'").await;
        meddle(&home, "DELETE FROM events WHERE body LIKE '%gone4%'").await;
        meddle(&home, "UPDATE sessions SET link = NULL WHERE id = 'end'").await;
        meddle(&home, &format!("UPDATE sessions SET link = {} WHERE id = 'short'", hex("0102"))).await;
        let key = "(SELECT key FROM sessions WHERE id = 'snapshot')";
        meddle(&home, &format!("UPDATE snapshots SET body = {} WHERE session = {key}", hex("00"))).await;
        meddle(&home, &format!("UPDATE content_parts SET bytes = {} WHERE length(bytes) = 6", hex("0102"))).await;
        meddle(&home, "INSERT INTO timers (session, name, at) VALUES (999, 't', 1), (999, 'u', 1)").await;
        let found = checked(&home).await;
        let wrong = |session: &str, seq| Defect::Event { session: id(session), seq: Seq(seq) };
        let file =
            enza_kernel::conversation::Digest::of(b"a file").0.iter().map(|byte| format!("{byte:02x}")).collect();
        let expected = [
            wrong("event", 2),
            wrong("gone", 4),
            Defect::End { session: id("end"), seq: Seq(4) },
            Defect::End { session: id("short"), seq: Seq(4) },
            Defect::Snapshot { session: id("snapshot") },
            Defect::File { digest: file },
            Defect::Orphans { table: "timers", rows: 2 },
        ];
        assert_eq!((found.faults, found.wrong), (expected.to_vec(), 7));
    }
}

#[tokio::test]
async fn a_check_of_everything_sees_a_page_of_noise() {
    let home = Home::sqlite();
    let store = home.open().await;
    append(&*store, opening("a", 1000)).await;
    append(&*store, opening("b", 1000)).await;
    drop(store);
    let mut bytes = std::fs::read(home.path()).unwrap();
    let needle = b"\"b990\"";
    let page = bytes.windows(needle.len()).position(|part| part == needle).unwrap() / 4096 * 4096;
    bytes[page..page + 4096].fill(0xa5);
    std::fs::write(home.path(), bytes).unwrap();
    let found = checked(&home).await;
    assert!(found.faults.iter().any(|wrong| matches!(wrong, Defect::Structure(_))), "{found:?}");
}

#[tokio::test]
async fn where_there_is_no_database_nothing_is_checked_or_made() {
    for home in [Home::sqlite(), Home::postgres().await] {
        assert_eq!(inspect_deep(&home.url, |_, _| {}).await, Ok(None));
        assert_eq!(enza_storage::inspect(&home.url).await, Ok(None));
    }
}
