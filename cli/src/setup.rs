//! Puts an engine together for a command: the store, the applications, and who answers and delivers.
//!
//! Most commands only look: their engine takes up no work. One that works wears a badge and first relieves the dead,
//! so that what a killed process left behind goes on at once.

use std::path::PathBuf;
use std::sync::Arc;

use enza_companion::{self as companion, Companion};
use enza_forms::Forms;
use enza_interview::Interview;
use enza_kernel::time::{Actor, Timestamp};
use enza_models::cassette::ActiveCassette;
use enza_models::catalog::{CatalogSetup as ModelPremises, ModelCatalog};
use enza_models::choice::{ChoiceReason, Chosen, ModelRef};
use enza_models::local::launcher::{self, Launcher};
use enza_models::local::machine::CpuSession;
use enza_models::understudy::Understudy;
use enza_runtime::engine::{Allowance, Declined, Engine, Receipt, Setup, Submission};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::model::Model;
use enza_runtime::seams::store::{Filter, SessionId, SessionRow, Store};
use enza_runtime::seams::tools::{NoTools, Tools};
use enza_storage::{Address, Opened};
use enza_workshop::Workshop;
use enza_workshop::run::{Runner, tool_variables};
use enza_workshop::servers::{ServerEnvironment, Servers};
use serde_json::Value;

use crate::commands::{RuleWriter, SessionServers};
use crate::environment::{self, Environment};
use crate::known_databases;
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

/// The companion's own table of moves in the config folder, where there is one (DUCK-79).
const STEPS: &str = "companion-steps.toml";

/// The applications of this build, for whoever only looks: what may follow is not decided there.
pub fn applications() -> ApplicationRegistry {
    applications_with(Companion::new())
}

/// The applications of this build, for whoever works, with the tables of the config folder.
pub fn configured_applications(around: &Environment) -> Result<ApplicationRegistry, Trouble> {
    Ok(applications_with(companion(around)?))
}

fn applications_with(companion: Companion) -> ApplicationRegistry {
    ApplicationRegistry::default().with(Interview::new()).with(Forms::new()).with(companion)
}

/// The companion, with the table of moves of the config folder where there is one.
pub fn companion(around: &Environment) -> Result<Companion, Trouble> {
    let path = around.config.join(STEPS);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(Companion::new()),
        Err(why) => return Err(Trouble::File { path, why: why.to_string() }),
    };
    match companion::table(&text) {
        Ok(steps) => Ok(Companion::with_steps(steps)),
        Err(fault) => Err(Trouble::Steps { path, fault }),
    }
}

/// Opens the store, making it where there is none.
pub async fn open_store(around: &Environment) -> Result<Arc<dyn Store>, Trouble> {
    Ok(open_database(around).await?.store)
}

/// Opens the store and the register beside it, making them where there are none.
pub async fn open_database(around: &Environment) -> Result<Opened, Trouble> {
    let address = Address::read(&around.database);
    let name = address.name();
    let before = name.as_ref().and_then(|name| known_databases::find(&around.data, name));
    match &address {
        Address::Sqlite(path) => make_folder_of(around, path)?,
        Address::Memory | Address::Postgres(_) => {}
    }
    let opened = enza_storage::open_known(&around.database, around.durability, before.as_ref()).await?;
    for concern in &opened.concerns {
        tracing::warn!(concern = words::backup::concern(around.lang, concern), "the database is not as it should be");
    }
    if let (Some(name), Some(found)) = (name, &opened.identity) {
        known_databases::remember(&around.data, &name, found);
    }
    Ok(opened)
}

/// Makes the folder that a file is to be in.
pub fn make_folder_of(around: &Environment, file: &std::path::Path) -> Result<(), Trouble> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(&around.data);
    crate::files::private_folder(folder)
        .map_err(|why| Trouble::Folder { path: folder.to_owned(), why: why.to_string() })
}

/// An engine that only looks.
pub async fn read_only_engine(around: &Environment) -> Result<Engine, Trouble> {
    let store = open_store(around).await?;
    let setup = Setup::new(store, Arc::new(Understudy::new(applications())), Arc::new(NoTools), applications());
    Ok(Engine::dormant(setup))
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
    Ok(ModelCatalog::load(premises, applications())?)
}

/// An engine that works, and the badge it wears.
pub struct RunningEngine {
    pub engine: Engine,
    /// The servers whose tools the companion may use.
    pub servers: Arc<Servers>,
    /// Where it is written down which of them a session has.
    pub roster: Arc<SessionServers>,
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
        let troupe = model_catalog(around)?.with_cassette(tape);
        let chosen = troupe.choose(around.model.as_deref())?;
        Ok(Self { model: troupe.router(&chosen)?, allowance: troupe.config.allowance(), chosen })
    }

    /// The understudy, whatever was chosen.
    pub fn understudy(understudy: Understudy) -> Self {
        let chosen = Chosen { pick: ModelRef::Understudy, because: ChoiceReason::ForShow };
        Self { model: Arc::new(understudy), chosen, allowance: Allowance::default() }
    }
}

/// An engine that works: unfinished sessions go on at once.
pub async fn start_engine(
    around: &Environment,
    players: &ModelSetup,
    tools: Arc<dyn Tools>,
) -> Result<RunningEngine, Trouble> {
    let repertoire = configured_applications(around)?;
    let Opened { store, register, .. } = open_database(around).await?;
    let folder = |why: std::io::Error| Trouble::Folder { path: around.data.clone(), why: why.to_string() };
    let badge = WorkerLock::acquire(&around.data).map_err(folder)?;
    worker_lock::release_dead_leases(&around.data, &*store, &*register).await?;
    let roster = Arc::new(SessionServers::new(around.config.clone(), store.clone()));
    let servers = servers(roster.clone(), tools);
    let mut setup = Setup::new(store, players.model.clone(), workshop(around, servers.clone()), repertoire);
    setup.worker.clone_from(&badge.worker);
    setup.allowances = Arc::new(players.allowance);
    Ok(RunningEngine { engine: Engine::start(setup), servers, roster, _badge: badge })
}

/// Where the companion keeps what it carries over, and what files held before it changed them.
pub fn companion_folder(around: &Environment) -> PathBuf {
    around.data.join("companion")
}

/// Where the workshop keeps the contents of files.
pub fn contents_folder(around: &Environment) -> PathBuf {
    companion_folder(around).join("contents")
}

/// The companion's tools, in front of all others. Every engine that works needs them: it takes up whatever session was
/// left unfinished, of whatever application.
pub fn workshop(around: &Environment, rest: Arc<dyn Tools>) -> Arc<dyn Tools> {
    let home = environment::variable("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let mut runner = Runner::new(home, environment::variable("PATH").unwrap_or_default());
    let tools = tool_variables().filter_map(|name| Some((name.to_owned(), environment::variable(name)?.into())));
    runner.tools = tools.collect();
    let locale = ["LANG", "LC_ALL", "LC_CTYPE"].into_iter();
    runner.locale =
        locale.filter_map(|name| Some((name.to_owned(), environment::variable(name)?.into_string().ok()?))).collect();
    let keeper = Arc::new(RuleWriter::new(around.config.clone(), around.lang, rest));
    Arc::new(Workshop::new(contents_folder(around), runner, keeper))
}

/// The tools of servers, in front of all others.
pub fn servers(roster: Arc<SessionServers>, rest: Arc<dyn Tools>) -> Arc<Servers> {
    // The binary we are, even if its file was replaced. Elsewhere than on Linux a child cannot be tied to our end.
    let us = std::process::id().to_string();
    let tether = ["/proc/self/exe".into(), TETHER.into(), us.into(), launcher::word(CpuSession::Shared).into()];
    let launcher = if cfg!(target_os = "linux") { tether.to_vec() } else { Vec::new() };
    Arc::new(Servers::new(roster, ServerEnvironment { launcher, variable: Arc::new(environment::variable) }, rest))
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
