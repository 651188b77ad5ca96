//! What every handler shares: the engine, the register, the doorkeeper, and how the house is run.
//!
//! `AppState` is cheap to clone. Nothing in it changes while it stands, but for what the register and the engine keep.

use std::any::Any;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use enza_kernel::about::About;
use enza_kernel::conversation::Digest;
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::Timestamp;
use enza_runtime::engine::Engine;
use enza_runtime::seams::clock::Clock;
use enza_runtime::seams::register::Register;
use enza_runtime::seams::store::{Failure, SessionRow};
use serde::Serialize;
use tokio::sync::{Mutex, MutexGuard, watch};

use crate::access::{AllowanceCache, Authenticator, Proxies, RateLimiter};
use crate::api::ApiDocument;
use crate::api::idempotency::InFlight;
use crate::api::sessions::ListCache;
use crate::live::StreamPermits;
use crate::observe::{Metrics, Readiness};
use crate::part::{self, Parts, WebPart};
use crate::prepare::Prepare;
use crate::serve::Connections;

/// The person who owns everything where there are no accounts, and who owns what is made at the terminal.
pub const LOCAL: &str = "local";
/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// Masks the secrets in a text of JSON.
pub type Mask = fn(&str) -> String;

/// Everything a server is made of.
pub struct Setup {
    pub engine: Engine,
    pub register: Arc<dyn Register>,
    /// What tells the time.
    pub clock: Arc<dyn Clock>,
    /// What people may spend: the same that the engine asks.
    pub allowances: Arc<AllowanceCache>,
    /// Whether people have accounts.
    pub accounts: Accounts,
    /// The models, as far as people may know and choose.
    pub models: Arc<dyn Models>,
    /// How people reach it: `http://127.0.0.1:7878`, without a slash at the end.
    pub public: String,
    /// How long a request may take before it is given up.
    pub patience: Duration,
    /// How many live streams a person may have open at once.
    pub streams: usize,
    /// How many connections there may be, and how long a silent one is kept.
    pub connections: Connections,
    /// The proxies that are believed about whom they ask for.
    pub proxies: Proxies,
    /// What files would hold after changes that wait at a gate, where that can be shown.
    pub contents: Option<Arc<dyn ContentStore>>,
    /// What is known of other workers on the same database; none where nobody can say.
    pub workers: Option<Arc<dyn WorkerProbe>>,
    /// What applications add.
    pub parts: Parts,
    /// What they look up on this machine before a command is decided.
    pub prepares: Vec<Arc<dyn Prepare>>,
    /// What masks secrets in what leaves of a session, by the application's word.
    pub masks: BTreeMap<&'static str, Mask>,
}

impl Setup {
    /// Live streams of a person, where nobody says otherwise: a few browsers with many tabs, and some programs.
    pub const STREAMS: usize = 64;
}

/// Whether people have accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accounts {
    /// One owner, on this machine alone.
    Alone,
    /// People register and own what they make.
    Shared,
}

/// Contents of files, by their digest. Whoever can read one may write it anew at a gate, so a house where others have
/// accounts has none.
pub trait ContentStore: Send + Sync {
    /// A content that is kept; none where it is not, or is no text. May read a disk.
    fn text(&self, digest: &Digest) -> Option<String>;
}

/// Other workers on the same database, as far as they can be seen from here.
pub trait WorkerProbe: Send + Sync {
    /// How a worker of this name is. May look at a disk.
    fn probe(&self, worker: &str) -> Liveness;
}

/// How a worker is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Liveness {
    /// It works.
    Alive,
    /// It is dead, and its name is never given again.
    Dead,
    /// Nobody can say from here.
    Unknown,
}

/// The models behind the engine. Choosing among them belongs to whoever starts the server; the pages show and ask.
#[async_trait]
pub trait Models: Send + Sync {
    /// The model that answers now.
    fn current(&self) -> ModelInUse;

    /// Those that could be used instead, by their names.
    fn choices(&self) -> Vec<String>;

    /// Uses another from now on, for everyone. Says in the reader's words why not.
    async fn choose(&self, name: &str, lang: Lang) -> Result<(), Said>;
}

/// The model that answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelInUse {
    pub name: String,
    /// Whether it is the understudy, which is always said.
    pub understudy: bool,
}

/// What handlers share. Clones are the same house.
#[derive(Clone)]
pub struct AppState(Arc<Inner>);

struct Inner {
    setup: Setup,
    door: Authenticator,
    tries: RateLimiter,
    in_process: InFlight,
    pen: Mutex<()>,
    metrics: Metrics,
    readiness: Readiness,
    seats: StreamPermits,
    lists: ListCache,
    document: OnceLock<ApiDocument>,
    closing: watch::Sender<bool>,
}

impl AppState {
    /// A house that is ready to be served.
    pub fn new(setup: Setup) -> Self {
        let door = Authenticator::new(setup.register.clone());
        part::install(&setup.parts);
        Self(Arc::new(Inner {
            setup,
            door,
            tries: RateLimiter::default(),
            in_process: InFlight::default(),
            pen: Mutex::default(),
            metrics: Metrics::default(),
            readiness: Readiness::default(),
            seats: StreamPermits::default(),
            lists: ListCache::default(),
            document: OnceLock::new(),
            closing: watch::Sender::new(false),
        }))
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.0.setup.engine
    }

    /// The register.
    pub fn register(&self) -> &dyn Register {
        &*self.0.setup.register
    }

    /// Who lets people in.
    pub fn authenticator(&self) -> &Authenticator {
        &self.0.door
    }

    /// How often people have tried to come in.
    pub fn rate_limiter(&self) -> &RateLimiter {
        &self.0.tries
    }

    /// Requests with an idempotency key that are looked at or done in this process.
    pub fn in_flight(&self) -> &InFlight {
        &self.0.in_process
    }

    /// What people may spend.
    pub fn allowances(&self) -> &AllowanceCache {
        &self.0.setup.allowances
    }

    /// Held while something of the register is read, changed and written back: of two changes none is lost, and two
    /// administrators cannot make each other the last. Other processes have pens of their own.
    pub async fn register_lock(&self) -> MutexGuard<'_, ()> {
        self.0.pen.lock().await
    }

    /// The models.
    pub fn models(&self) -> &dyn Models {
        &*self.0.setup.models
    }

    /// Contents of files that wait at gates, where they can be shown.
    pub fn contents(&self) -> Option<Arc<dyn ContentStore>> {
        self.0.setup.contents.clone()
    }

    /// What applications add, in the order in which it was given.
    pub fn parts(&self) -> &[Arc<dyn WebPart>] {
        &self.0.setup.parts
    }

    /// What an application adds, by its word.
    pub fn part_of(&self, application: &str) -> Option<&dyn WebPart> {
        self.parts().iter().find(|part| part.contents().application == application).map(|part| &**part)
    }

    /// What an application looks up before a command is decided, where it looks up anything.
    pub fn prepare_of(&self, application: &str) -> Option<&dyn Prepare> {
        self.0.setup.prepares.iter().find(|one| one.application() == application).map(|one| &**one)
    }

    /// What masks secrets in what leaves of an application's sessions, where they are masked.
    pub fn mask_of(&self, application: &str) -> Option<Mask> {
        self.0.setup.masks.get(application).copied()
    }

    /// A part, for its own handlers. They were mounted by it, so it is there.
    pub fn part<P: WebPart>(&self) -> Option<&P> {
        self.parts().iter().find_map(|part| (&**part as &dyn Any).downcast_ref())
    }

    /// What an application and its agents are called, by its word.
    pub fn about<'a>(&self, application: &'a str) -> About<'a> {
        self.engine().applications().about(application)
    }

    /// Where a session is read.
    pub fn address_of(&self, row: &SessionRow) -> String {
        let room = self.part_of(&row.application).and_then(|part| part.contents().room);
        format!("{}/{}", room.map_or("/sessions", |room| room.address), row.id)
    }

    /// The OpenAPI document of everything that is served.
    pub fn document(&self) -> &ApiDocument {
        self.0.document.get_or_init(|| ApiDocument::of(self.parts()))
    }

    /// How another worker is, as far as that can be seen.
    pub fn worker_liveness(&self, worker: &str) -> Liveness {
        self.0.setup.workers.as_ref().map_or(Liveness::Unknown, |workers| workers.probe(worker))
    }

    /// Whether people have accounts.
    pub fn accounts(&self) -> Accounts {
        self.0.setup.accounts
    }

    /// How people reach it.
    pub fn public(&self) -> &str {
        &self.0.setup.public
    }

    /// How long a request may take.
    pub fn patience(&self) -> Duration {
        self.0.setup.patience
    }

    /// How many live streams a person may have open at once.
    pub fn streams(&self) -> usize {
        self.0.setup.streams
    }

    /// How many connections there may be.
    pub fn connections(&self) -> &Connections {
        &self.0.setup.connections
    }

    /// The proxies that are believed.
    pub fn proxies(&self) -> &Proxies {
        &self.0.setup.proxies
    }

    /// The live streams that are open.
    pub fn stream_permits(&self) -> &StreamPermits {
        &self.0.seats
    }

    /// The lists that were just answered.
    pub fn list_cache(&self) -> &ListCache {
        &self.0.lists
    }

    /// What is counted.
    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// Whether the database can be written.
    pub fn readiness(&self) -> &Readiness {
        &self.0.readiness
    }

    /// Gives the word to stop: live streams end, and readiness with them.
    pub fn close(&self) {
        self.0.closing.send_replace(true);
    }

    /// Whether the word to stop was given.
    pub fn is_closing(&self) -> bool {
        *self.0.closing.borrow()
    }

    /// The word to stop, for those who wait for other things besides.
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.0.closing.subscribe()
    }

    /// Forgets the answers of requests with an idempotency key after a day, and passes whose time has long been over.
    /// To be done now and then, by whoever serves. Says how many went.
    pub async fn sweep(&self) -> Result<u64, Failure> {
        let now = self.now();
        self.register().sweep(Timestamp(now.0 - DAY), now).await
    }

    /// Waits for the word to stop.
    pub fn closed(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut closing = self.0.closing.subscribe();
        async move {
            let _ = closing.wait_for(|closing| *closing).await;
        }
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        self.0.setup.clock.now()
    }
}
