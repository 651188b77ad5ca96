//! What the companion puts behind an engine that works: the workshop, servers of tools, and whoever keeps rules.
//!
//! Every engine has them, whichever order has started it: it takes up whatever session was left unfinished.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use enza_companion::KeepRule;
use enza_companion_web::CompanionWeb;
use enza_kernel::conversation::Digest;
use enza_models::local::launcher;
use enza_models::local::machine::CpuSession;
use enza_runtime::engine::Engine;
use enza_runtime::seams::store::Store;
use enza_runtime::seams::tools::ToolRegistry;
use enza_server::part::WebPart;
use enza_server::prepare::Prepare;
use enza_server::state::ContentStore;
use enza_terminal::environment::{self, Environment};
use enza_terminal::part::{Serving, ToolSet};
use enza_terminal::setup::{ModelSetup, RunningEngine, TETHER, Workplace};
use enza_terminal::trouble::Trouble;
use enza_work::Order;
use enza_workshop::Workshop;
use enza_workshop::run::{Runner, tool_variables};
use enza_workshop::servers::{ServerEnvironment, Servers};
use enza_workshop::store;

use crate::machine_folders::MachineFolders;
use crate::rule_writer::RuleWriter;
use crate::session_servers::SessionServers;
use crate::settings;

/// An engine that works, and what of its tools one asks for by hand.
pub struct RunningCompanion {
    pub engine: Engine,
    /// The servers whose tools sessions may use.
    pub servers: Arc<Servers>,
    /// Where it is written down which of them a session has.
    pub roster: Arc<SessionServers>,
    _running: RunningEngine,
}

impl RunningCompanion {
    /// Starts it: unfinished sessions go on at once.
    pub async fn start(around: &Environment, players: &ModelSetup) -> Result<Self, Trouble> {
        let place = Workplace::open(around).await?;
        let own = CompanionTools::new(around, &place.store);
        let tools = own.add_to(place.tools());
        let running = place.start(players, tools);
        Ok(Self { engine: running.engine.clone(), servers: own.servers, roster: own.roster, _running: running })
    }
}

/// The tools, for the sessions of a store.
pub fn tools(around: &Environment, store: &Arc<dyn Store>) -> Arc<dyn ToolSet> {
    Arc::new(CompanionTools::new(around, store))
}

/// The part of a server.
pub fn web(_serving: Serving) -> Arc<dyn WebPart> {
    Arc::new(CompanionWeb)
}

struct CompanionTools {
    workshop: Arc<Workshop>,
    keeper: Arc<RuleWriter>,
    servers: Arc<Servers>,
    roster: Arc<SessionServers>,
}

impl CompanionTools {
    fn new(around: &Environment, store: &Arc<dyn Store>) -> Self {
        let roster = Arc::new(SessionServers::new(around.config.clone(), store.clone()));
        Self {
            workshop: Arc::new(Workshop::new(contents_folder(around), runner(), &[settings::FILE])),
            keeper: Arc::new(RuleWriter::new(around.config.clone(), around.lang)),
            servers: servers(roster.clone()),
            roster,
        }
    }
}

#[async_trait]
impl ToolSet for CompanionTools {
    fn add_to(&self, registry: ToolRegistry) -> ToolRegistry {
        registry
            .with(Order::REPEATABLE, self.workshop.clone())
            .with(Order::ONCE, self.workshop.clone())
            .with(KeepRule::TOOL, self.keeper.clone())
            .with_servers(self.servers.clone())
    }

    fn prepares(&self, around: &Environment, engine: &Engine) -> Option<Arc<dyn Prepare>> {
        let (around, engine) = (around.clone(), engine.clone());
        Some(Arc::new(MachineFolders { around, engine, servers: self.servers.clone(), roster: self.roster.clone() }))
    }

    fn contents(&self, around: &Environment) -> Option<Arc<dyn ContentStore>> {
        Some(Arc::new(StoredContents(contents_folder(around))))
    }

    async fn close(&self) {
        self.servers.close_all().await;
    }
}

/// What files held before and would hold after changes, in the workshop's store.
struct StoredContents(PathBuf);

impl ContentStore for StoredContents {
    fn text(&self, digest: &Digest) -> Option<String> {
        let bytes = store::Store::open(&self.0, store::Store::MOST).ok()?.read(digest).ok()??;
        String::from_utf8(bytes).ok()
    }
}

/// Where the companion keeps what it carries over, and what files held before it changed them.
pub fn companion_folder(around: &Environment) -> PathBuf {
    around.data.join("companion")
}

/// Where the workshop keeps the contents of files.
pub fn contents_folder(around: &Environment) -> PathBuf {
    companion_folder(around).join("contents")
}

/// Whoever runs commands, with what of our environment they may see.
fn runner() -> Runner {
    let home = environment::variable("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let mut runner = Runner::new(home, environment::variable("PATH").unwrap_or_default());
    let tools = tool_variables().filter_map(|name| Some((name.to_owned(), environment::variable(name)?.into())));
    runner.tools = tools.collect();
    let locale = ["LANG", "LC_ALL", "LC_CTYPE"].into_iter();
    runner.locale =
        locale.filter_map(|name| Some((name.to_owned(), environment::variable(name)?.into_string().ok()?))).collect();
    runner
}

/// The servers of the sessions in a directory.
pub fn servers(roster: Arc<SessionServers>) -> Arc<Servers> {
    // The binary we are, even if its file was replaced. Elsewhere than on Linux a child cannot be tied to our end.
    let us = std::process::id().to_string();
    let tether = ["/proc/self/exe".into(), TETHER.into(), us.into(), launcher::word(CpuSession::Shared).into()];
    let launcher = if cfg!(target_os = "linux") { tether.to_vec() } else { Vec::new() };
    let around = ServerEnvironment { launcher, variable: Arc::new(environment::variable) };
    Arc::new(Servers::new(roster, around))
}
