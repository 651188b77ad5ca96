//! Puts an engine together for a command: the store, the applications, and who answers and delivers.
//!
//! Most commands only look: their engine takes up no work. One that works wears a badge and first relieves the dead,
//! so that what a killed process left behind goes on at once.

use std::sync::Arc;

use enza_kernel::time::{Actor, Timestamp};
use enza_models::cassette::ActiveCassette;
use enza_models::catalog::{CatalogSetup as ModelPremises, ModelCatalog};
use enza_models::choice::{ChoiceReason, Chosen, ModelRef};
use enza_models::local::launcher::Launcher;
use enza_models::understudy::Understudy;
use enza_runtime::engine::{Allowance, Declined, Engine, Receipt, SessionReading, Setup, Submission};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::model::Model;
use enza_runtime::seams::register::NewAuditEntry;
use enza_runtime::seams::store::{Filter, SessionId, SessionRow, Store};
use enza_runtime::seams::tools::{NoTools, ToolRegistry};
use enza_server::access::AuditEvent;
use enza_storage::{Address, Concern, Opened};
use serde_json::Value;

use crate::applications::tools_of;
use crate::environment::{self, Environment};
use crate::known_databases;
use crate::screen::Screen;
use crate::trouble::Trouble;
use crate::words;
use crate::worker_lock::{self, WorkerLock};

/// Whoever sits at this terminal, until there are accounts.
pub const OWNER: &str = "local";
/// How many candidates are named when a session is not found.
const CANDIDATES: usize = 5;
/// Among how many sessions the beginning of a short name is looked for.
const RECENT: usize = 1_000;
/// How often a command is sent again, with the same key, while the world may yet recover.
const PATIENCE: u32 = 6;

/// Opens the store, making it where there is none.
pub async fn open_store(around: &Environment) -> Result<Arc<dyn Store>, Trouble> {
    Ok(open_database(around).await?.store)
}

/// Opens the store and the register beside it, making them where there are none. Whatever is not as it should be is told
/// on standard error, whoever opens it and for what.
pub async fn open_database(around: &Environment) -> Result<Opened, Trouble> {
    let address = Address::read(&around.database);
    let name = address.name();
    let before = name.as_ref().and_then(|name| known_databases::find(&around.data, name));
    match &address {
        Address::Sqlite(path) => make_folder_of(around, path)?,
        Address::Memory | Address::Postgres(_) => {}
    }
    let opened = enza_storage::open_known(&around.database, around.durability, before.as_ref()).await?;
    tell_concerns(around, &opened.concerns)?;
    if let (Some(name), Some(found)) = (name, &opened.identity) {
        known_databases::remember(&around.data, &name, found);
    }
    Ok(opened)
}

fn tell_concerns(around: &Environment, concerns: &[Concern]) -> Result<(), Trouble> {
    let screen = Screen::new(around);
    for concern in concerns {
        let said = words::backup::concern(around.lang, concern);
        tracing::warn!(concern = said, "the database is not as it should be");
        screen.aside(&said)?;
    }
    if concerns.is_empty() { Ok(()) } else { screen.aside(words::backup::concern_hint(around.lang)) }
}

/// Makes the folder that a file is to be in.
pub fn make_folder_of(around: &Environment, file: &std::path::Path) -> Result<(), Trouble> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(&around.data);
    crate::files::private_folder(folder)
        .map_err(|why| Trouble::Folder { path: folder.to_owned(), why: why.to_string() })
}

/// An engine that only looks.
pub async fn read_only_engine(around: &Environment) -> Result<Engine, Trouble> {
    Ok(engine_that_looks(around, open_store(around).await?))
}

/// The same, on a store that is open already.
pub fn engine_that_looks(around: &Environment, store: Arc<dyn Store>) -> Engine {
    let applications = around.applications.registry();
    let understudy = Arc::new(Understudy::new(applications.clone()));
    Engine::dormant(Setup::new(store, understudy, Arc::new(NoTools), applications))
}

/// A session as whoever sits here reads it: as its owner does. What others in it keep to themselves is not printed; it is in
/// the database, which is theirs who have the machine.
pub async fn read_session(engine: &Engine, row: &SessionRow) -> Result<SessionReading, Trouble> {
    let reading = engine.read_as(&row.id, Some(&row.owner)).await?;
    reading.ok_or_else(|| Trouble::UnknownSession { part: row.id.to_string(), near: Vec::new() })
}

/// A line for the journal, of what whoever sits here did to a session. A terminal has no address.
pub fn journal_line(act: AuditEvent, session: &SessionId) -> NewAuditEntry {
    NewAuditEntry {
        at: now(),
        by: OWNER.to_owned(),
        act: act.word().to_owned(),
        on: session.to_string(),
        from: String::new(),
    }
}

/// The word that makes this program the launcher of a server. Nobody types it.
pub const TETHER: &str = "tether";

/// Everyone who may play, as the config folder and the environment have it.
pub fn model_catalog(around: &Environment) -> Result<ModelCatalog, Trouble> {
    let launcher = match std::env::current_exe() {
        Ok(program) => Launcher::Tethered { program, first_arguments: vec![TETHER.into()] },
        Err(_) => Launcher::Direct,
    };
    let premises = ModelPremises {
        config: around.config.clone(),
        models: around.models.clone(),
        logs: around.data.join("logs"),
        launcher,
        environment: Arc::new(environment::variable),
    };
    Ok(ModelCatalog::load(premises, around.applications.registry())?)
}

/// An engine that works, and the badge it wears.
pub struct RunningEngine {
    pub engine: Engine,
    _badge: WorkerLock,
}

/// Who answers, and what may be spent on it.
pub struct ModelSetup {
    pub model: Arc<dyn Model>,
    pub chosen: Chosen,
    /// What every owner may spend.
    pub allowance: Allowance,
}

impl ModelSetup {
    /// The model that was chosen, as the command line, the environment and the config file have it.
    pub fn chosen(around: &Environment, tape: Option<ActiveCassette>) -> Result<Self, Trouble> {
        let catalog = model_catalog(around)?.with_cassette(tape);
        let chosen = catalog.choose(around.model.as_deref())?;
        Ok(Self { model: Arc::new(catalog.router(&chosen)?), allowance: catalog.config.allowance(), chosen })
    }

    /// The understudy, whatever was chosen.
    pub fn understudy(understudy: Understudy) -> Self {
        let chosen = Chosen { pick: ModelRef::Understudy, because: ChoiceReason::ForShow };
        Self { model: Arc::new(understudy), chosen, allowance: Allowance::default() }
    }
}

/// An engine that works, with the tools of all applications: unfinished sessions go on at once.
pub async fn start_engine(around: &Environment, players: &ModelSetup) -> Result<RunningEngine, Trouble> {
    let place = Workplace::open(around).await?;
    let tools = place.tools();
    Ok(place.start(players, tools))
}

/// Where an engine is about to work: the database is open and the badge on, and the dead are relieved.
pub struct Workplace<'a> {
    around: &'a Environment,
    applications: ApplicationRegistry,
    pub store: Arc<dyn Store>,
    badge: WorkerLock,
}

impl<'a> Workplace<'a> {
    /// Opens it.
    pub async fn open(around: &'a Environment) -> Result<Self, Trouble> {
        let applications = around.applications.configured(&around.config)?;
        let Opened { store, register, .. } = open_database(around).await?;
        let folder = |why: std::io::Error| Trouble::Folder { path: around.data.clone(), why: why.to_string() };
        let badge = WorkerLock::acquire(&around.data).map_err(folder)?;
        worker_lock::release_dead_leases(&around.data, &*store, &*register).await?;
        Ok(Self { around, applications, store, badge })
    }

    /// The tools of all applications.
    pub fn tools(&self) -> ToolRegistry {
        tools_of(&self.around.applications.tool_sets(self.around, &self.store))
    }

    /// Starts the engine with these tools.
    pub fn start(self, players: &ModelSetup, tools: ToolRegistry) -> RunningEngine {
        let mut setup = Setup::new(self.store, players.model.clone(), Arc::new(tools), self.applications);
        setup.worker.clone_from(&self.badge.worker);
        setup.allowances = Arc::new(players.allowance);
        RunningEngine { engine: Engine::start(setup), _badge: self.badge }
    }
}

/// A new session's name.
pub fn new_session() -> SessionId {
    SessionId::of(uuid::Uuid::now_v7().to_string())
}

/// A new idempotency key.
pub fn new_key() -> String {
    uuid::Uuid::now_v7().simple().to_string()
}

/// The end of a name is enough to find a session by, and different for any two.
pub fn short_id(session: &SessionId) -> &str {
    let name = session.as_str();
    let is_made_here = uuid::Uuid::parse_str(name).is_ok();
    if is_made_here { &name[name.len() - 8..] } else { name }
}

/// The session that a whole name, or the beginning or end of one, means.
pub async fn find_session(store: &dyn Store, part: &str) -> Result<SessionRow, Trouble> {
    if let Some(row) = store.find(&SessionId::of(part)).await? {
        return Ok(row);
    }
    let like = Filter { id_part: Some(part.to_owned()), limit: CANDIDATES, ..Filter::default() };
    let mut found = if part.is_empty() { Vec::new() } else { store.list(&like).await? };
    if found.is_empty() && !part.is_empty() {
        // Lists show the end of a name; whoever types the beginning of that means the same.
        found = store.list(&Filter { limit: RECENT, ..Filter::default() }).await?;
        found.retain(|row| short_id(&row.id).starts_with(part));
        found.truncate(CANDIDATES);
    }
    match found.len() {
        0 => {
            let newest = store.list(&Filter { limit: CANDIDATES, ..Filter::default() }).await?;
            let near = newest.into_iter().map(|row| row.id).collect();
            Err(Trouble::UnknownSession { part: part.to_owned(), near })
        }
        1 => Ok(found.remove(0)),
        _ => {
            let matches = found.into_iter().map(|row| row.id).collect();
            Err(Trouble::AmbiguousSession { part: part.to_owned(), matches })
        }
    }
}

/// Sends a person's command until it is accepted or refused, always with the same key.
pub async fn submit(engine: &Engine, session: &SessionId, command: Value, key: &str) -> Result<Receipt, Declined> {
    let mut attempt = 0;
    loop {
        attempt += 1;
        let submission = Submission { command: command.clone(), by: person(), key: Some(key.to_owned()) };
        match engine.submit(session, submission).await {
            Err(Declined::Contended) if attempt < PATIENCE => {}
            Err(Declined::Failed(failure)) if attempt < PATIENCE && failure.may_retry() => {}
            answer => return answer,
        }
        tokio::time::sleep(std::time::Duration::from_millis(50 << attempt)).await;
    }
}

/// The time.
pub fn now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_millisecond())
}

/// The person who asks.
pub fn person() -> Actor {
    Actor::Person(OWNER.to_owned())
}
