//! Stores to test, each in a home of its own, and the appends they are tested with.

pub mod files;
pub mod receipts;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use enza_kernel::application::{Phase, Standing, Stored};
use enza_kernel::effect::Wake;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::store::{
    Accepted, Append, Appended, Lease, NewEvent, Recorded, SessionId, SessionOpening, SnapshotUse, Store,
};
use enza_storage::{Durability, Opened, open};
use tokio_postgres::NoTls;

/// A store and the place where it lives.
pub struct Home {
    pub url: String,
    #[expect(dead_code, reason = "it is there until the home is dropped")]
    pub folder: Option<tempfile::TempDir>,
}

impl Home {
    pub fn memory() -> Self {
        Self { url: "memory:".to_owned(), folder: None }
    }

    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self { url: format!("sqlite:{}", folder.path().join("enza.db").display()), folder: Some(folder) }
    }

    /// A new database on the test server.
    pub async fn postgres() -> Self {
        Self { url: new_database(&server()).await, folder: None }
    }

    pub async fn open(&self) -> Arc<dyn Store> {
        self.open_both().await.store
    }

    pub async fn open_both(&self) -> Opened {
        open(&self.url, Durability::Full).await.expect("the store opens")
    }

    pub fn path(&self) -> PathBuf {
        self.url.strip_prefix("sqlite:").expect("a file").into()
    }
}

/// The address of the test server. A missing one is a failure: tests that are not run prove nothing.
pub fn server() -> String {
    std::env::var("ENZA_TEST_POSTGRES")
        .expect("ENZA_TEST_POSTGRES is not set: run the tests with ./test, which starts a PostgreSQL server for them")
}

/// Makes a database on a server and returns its address.
pub async fn new_database(server: &str) -> String {
    static MADE: AtomicU32 = AtomicU32::new(0);
    // A server that runs for long sees the number of a process more than once.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a clock").as_nanos();
    let name = format!("enza_{}_{now}_{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
    let client = connect(server).await;
    client.batch_execute(&format!("CREATE DATABASE {name}")).await.expect("a new database");
    let (server, _) = server.rsplit_once('/').expect("an address with a database");
    format!("{server}/{name}")
}

/// A connection beside the store's.
pub async fn connect(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("the server answers");
    tokio::spawn(connection);
    client
}

pub fn id(name: &str) -> SessionId {
    SessionId::of(name)
}

pub fn at(time: i64) -> Timestamp {
    Timestamp(time)
}

pub fn stored(body: &str) -> Stored {
    Stored { kind: "Said".to_owned(), version: 1, body: format!("{{\"text\":\"{body}\"}}") }
}

pub fn standing(phase: Phase) -> Standing {
    Standing { phase, title: "A talk".to_owned(), waiting_for: None }
}

pub fn wake(name: &str, time: i64) -> Wake {
    Wake { name: name.to_owned(), at: at(time) }
}

/// `count` events on a head, at the times 1000 × place.
pub fn on(session: &str, expected: u64, count: usize) -> Append {
    let event =
        |place: u64| NewEvent { at: at(1000 * place.cast_signed()), stored: stored(&format!("{session}{place}")) };
    Append {
        session: id(session),
        opening: None,
        expected: Seq(expected),
        events: (expected + 1..).take(count).map(event).collect(),
        accepted: None,
        standing: standing(Phase::Waiting),
        timers: None,
        rows: Vec::new(),
        usage: Vec::new(),
        snapshot: None,
        lease: Lease::Free,
    }
}

/// The first `count` events of a new session.
pub fn opening(session: &str, count: usize) -> Append {
    let opening = SessionOpening::new("interview", "ada");
    Append { opening: Some(opening), ..on(session, 0, count) }
}

pub fn accepted(append: Append, key: &str) -> Append {
    let seq = append.expected.plus(append.events.len());
    Append { accepted: Some(Accepted { key: key.to_owned(), seq }), ..append }
}

pub fn in_phase(append: Append, phase: Phase) -> Append {
    Append { standing: standing(phase), ..append }
}

/// With the lease taken by a worker.
pub fn held(append: Append, worker: &str, now: i64, until: i64) -> Append {
    Append { lease: Lease::Hold { worker: worker.to_owned(), now: at(now), until: at(until) }, ..append }
}

/// What `on` and `opening` leave in the log.
pub fn recorded(session: &str, places: std::ops::RangeInclusive<u64>) -> Vec<Recorded> {
    let event = |place: u64| Recorded {
        seq: Seq(place),
        at: at(1000 * place.cast_signed()),
        stored: stored(&format!("{session}{place}")),
    };
    places.map(event).collect()
}

/// Appends, and insists that it takes place.
pub async fn append(store: &dyn Store, append: Append) -> Seq {
    match store.append(append).await.expect("the store answers") {
        Appended::Appended(head) => head,
        other => panic!("not appended: {other:?}"),
    }
}

/// The whole log of a session.
pub async fn log(store: &dyn Store, session: &str) -> Vec<Recorded> {
    let loaded = store.load(&id(session), SnapshotUse::Never).await.expect("the store answers");
    loaded.expect("the session is there").events
}
