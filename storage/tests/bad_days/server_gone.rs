//! A PostgreSQL server that goes away and comes back, and appends that it will not take.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Append, Appended, Failure};
use enza_storage::{Durability, inspect, open};

use crate::common::{Home, append, id, log, new_database, on, opening, recorded, standing};

/// A server of this test's own.
struct Server {
    folder: PathBuf,
}

impl Server {
    fn start() -> (Self, String) {
        // Asked for first, so that a run without ./test fails with its message.
        let _ = crate::common::server();
        let folder = tempfile::tempdir().expect("a temporary folder").keep();
        let server = Self { folder };
        let url = server.does("start");
        (server, url.trim().to_owned())
    }

    fn does(&self, verb: &str) -> String {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testing/postgres");
        let said = Command::new(script).arg(verb).arg(&self.folder).output().expect("testing/postgres runs");
        assert!(said.status.success(), "{verb}: {}", String::from_utf8_lossy(&said.stderr));
        String::from_utf8(said.stdout).expect("text")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.does("stop");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_comes_back_has_everything_that_was_acknowledged() {
    let (server, url) = Server::start();
    let url = new_database(&url).await;
    let store = open(&url, Durability::Full).await.unwrap().store;
    // Eight sessions talk without pause; each notes the last head it was told.
    let talk = |number: usize| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let name = format!("s{number}");
            let mut head = append(&*store, opening(&name, 1)).await;
            loop {
                match store.append(on(&name, head.0, 1)).await {
                    Ok(Appended::Appended(next)) => head = next,
                    Ok(other) => panic!("{other:?}"),
                    Err(failure) => return (name, head, failure),
                }
            }
        })
    };
    let talks: Vec<_> = (0..8).map(talk).collect();
    tokio::time::sleep(Duration::from_millis(500)).await;
    server.does("down");
    let mut known = Vec::new();
    for talk in talks {
        let (name, head, failure) = talk.await.unwrap();
        assert!(matches!(failure, Failure::Unreachable(_)), "{failure:?}");
        assert!(failure.may_retry());
        known.push((name, head));
    }
    let read = store.find(&id("s0")).await;
    assert!(matches!(read, Err(Failure::Unreachable(_))), "{read:?}");
    let later = store.append(on("s0", known[0].1.0, 1)).await;
    assert!(matches!(later, Err(Failure::Unreachable(_))), "{later:?}");
    assert!(matches!(inspect(&url).await, Err(Failure::Unreachable(_))));

    server.does("up");
    for (name, head) in known {
        let events = log(&*store, &name).await;
        // The append under way may have taken place; nothing before it may be missing.
        let last = events.len() as u64;
        assert!(last == head.0 || last == head.0 + 1, "{name}: told {head}, found {last}");
        assert_eq!(events, recorded(&name, 1..=last));
        assert_eq!(store.append(on(&name, last, 1)).await, Ok(Appended::Appended(Seq(last + 1))));
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unreachable_and_the_password_stays_secret() {
    for url in ["postgres://ada:hunter2@127.0.0.1:1/enza", "postgres://ada:hunter2@no.such.host.invalid/enza"] {
        let failure = open(url, Durability::Full).await.err().unwrap();
        assert!(matches!(failure, Failure::Unreachable(_)), "{failure:?}");
        assert!(!format!("{failure} {failure:?}").contains("hunter2"));
    }
    let failure = open("postgres://ada:hunter2@host:not-a-port/x", Durability::Full).await.err().unwrap();
    assert!(matches!(failure, Failure::Other(_)), "{failure:?}");
    assert!(!format!("{failure} {failure:?}").contains("hunter2"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_append_that_the_server_will_not_take_fails_alone() {
    let store = Home::postgres().await.open().await;
    let write = |number: usize| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let name = format!("s{number}");
            // PostgreSQL keeps no text with a zero in it.
            let mut standing = standing(enza_kernel::application::Phase::Waiting);
            if number.is_multiple_of(10) {
                standing.title = "\0".to_owned();
            }
            (number, store.append(Append { standing, ..opening(&name, 1) }).await)
        })
    };
    let writes: Vec<_> = (0..100).map(write).collect();
    for one in writes {
        let (number, answer) = one.await.unwrap();
        if number.is_multiple_of(10) {
            assert!(matches!(answer, Err(Failure::Other(_))), "{answer:?}");
            assert_eq!(store.find(&id(&format!("s{number}"))).await, Ok(None));
        } else {
            assert_eq!(answer, Ok(Appended::Appended(Seq(1))));
        }
    }
}

#[tokio::test]
async fn a_database_that_may_only_be_read_says_so() {
    let home = Home::postgres().await;
    let store = home.open().await;
    append(&*store, opening("a", 2)).await;
    let client = crate::common::connect(&home.url).await;
    let name = home.url.rsplit('/').next().unwrap();
    client.batch_execute(&format!("ALTER DATABASE {name} SET default_transaction_read_only = on")).await.unwrap();
    drop(store);
    let store = home.open().await;
    let refused = store.append(on("a", 2, 1)).await;
    assert!(matches!(refused, Err(Failure::ReadOnly(_))), "{refused:?}");
    assert!(matches!(store.try_write(crate::common::at(1)).await, Err(Failure::ReadOnly(_))));
    assert_eq!(log(&*store, "a").await, recorded("a", 1..=2));
}
