//! `enza serve`, and `enza` alone: the server, until it is told to stop.
//!
//! First everything is put in its place: the address, the database, the model, the engine. Only when connections are
//! taken is the one line with the address printed, with a link that signs its reader in: so whoever reads it can
//! follow it. The signal to stop ends the streams, finishes what is under way and leaves the rest to the next start.

mod address;
mod admin_only;
mod clock_guard;
mod limits;
mod logs;
mod traces;

use std::sync::Arc;
use std::time::{Duration, Instant};

use enza_models::choice::ModelRef;
use enza_runtime::engine::{Allowance, Allowances, Engine, Setup as EngineSetup};
use enza_runtime::seams::clock::{Clock as _, WallClock};
use enza_runtime::seams::register::Register;
use enza_runtime::seams::tools::Tools;
use enza_server::access::{AllowanceCache, Secret, has_administrator, issue_link, link_address};
use enza_server::state::LOCAL;
use enza_server::{Accounts, AppState, Setup};
use enza_storage::Opened;
use serde_json::json;

use crate::applications::tools_of;
use crate::arguments::Serve;
use crate::environment::Environment;
use crate::model_settings::ModelSettings;
use crate::part::Serving;
use crate::screen::Screen;
use crate::setup;
use crate::trouble::Trouble;
use crate::words::{models, serve as words};
use crate::worker_lock::{self, WorkerLock, WorkerLocks};
use address::ListenAddress;
pub use address::read_public;
use admin_only::AdminOnlyTools;
use clock_guard::ClockGuard;
pub use logs::where_asked as log_where_asked;

/// How long a request may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often what is kept for a while is looked through.
const SWEEP: Duration = Duration::from_secs(60 * 60);

/// Serves until it is told to stop.
pub(crate) async fn run(around: &Environment, screen: &Screen, order: Serve) -> Result<(), Trouble> {
    let _logs = logs::start(&order, around)?;
    let proxies = limits::proxies(&order)?;
    let ground = ListenAddress::take(&order).await?;
    let registry = around.applications.configured(&around.config)?;
    let Opened { store, register, .. } = setup::open_database(around).await?;
    let badge = WorkerLock::acquire(&around.data)
        .map_err(|why| Trouble::Folder { path: around.data.clone(), why: why.to_string() })?;
    worker_lock::release_dead_leases(&around.data, &*store, &*register).await?;
    let catalog = setup::model_catalog(around)?;
    let chosen = catalog.choose(around.model.as_deref())?;
    let router = Arc::new(catalog.router(&chosen)?);
    let allowances = AllowanceCache::open(register.clone()).await?;
    let sets = around.applications.tool_sets(around, &store);
    let tools = Arc::new(sets.iter().fold(tools_of(&sets), |registry, set| set.add_to_server(registry)));
    let tools: Arc<dyn Tools> = match order.accounts {
        true => Arc::new(AdminOnlyTools {
            store: store.clone(),
            register: register.clone(),
            tools,
            applications: around.applications.clone(),
        }),
        false => tools,
    };
    let engine = Engine::start(EngineSetup {
        worker: badge.worker.clone(),
        allowances: Arc::new(LowestAllowance { config: catalog.config.allowance(), house: allowances.clone() }),
        ..EngineSetup::new(store, router.clone(), tools, registry)
    });
    let accounts = if order.accounts { Accounts::Shared } else { Accounts::Alone };
    let reaches_private = !order.accounts || order.webhooks_to_private;
    let contents = sets.iter().find_map(|set| set.contents(around));
    let house = AppState::new(Setup {
        engine: engine.clone(),
        register: register.clone(),
        clock: Arc::new(WallClock),
        allowances,
        accounts,
        models: Arc::new(ModelSettings { around: around.clone(), router }),
        public: ground.public.clone(),
        patience: PATIENCE,
        streams: Setup::STREAMS,
        connections: limits::connections(&order),
        proxies,
        // Whoever can read what a file holds may write it anew at a gate.
        contents: contents.filter(|_| accounts == Accounts::Alone),
        workers: Some(Arc::new(WorkerLocks::of(&around.data))),
        parts: around.applications.web_parts(Serving { reaches_private }),
        prepares: sets.iter().filter_map(|set| set.prepares(around, &engine)).collect(),
        masks: around.applications.masks(),
    });
    sets.iter().for_each(|set| set.served(&house));
    let link = sign_in_link(&*register, accounts).await?;
    if chosen.pick == ModelRef::Understudy && !screen.json {
        screen.note(&format!("{}\n  {}", words::understudy(screen.lang), models::how_to_get_one(screen.lang)))?;
    }
    announce(screen, &ground, link.as_ref())?;
    let sweeping = tokio::spawn(sweep(house.clone()));
    let served = enza_server::serve(ground.listener, house, stop_signal()).await;
    sweeping.abort();
    engine.close().await;
    if let Err(failure) = register.abandon(&badge.worker).await {
        tracing::warn!(%failure, "requests that were cut off can be sent again in a minute");
    }
    for set in sets {
        set.close().await;
    }
    served.map_err(|why| Trouble::Address { address: order.listen, why: why.to_string() })
}

/// A link for whoever started this: the local owner, or the first administrator while there is none.
async fn sign_in_link(register: &dyn Register, accounts: Accounts) -> Result<Option<Secret>, Trouble> {
    let now = WallClock.now();
    Ok(match accounts {
        Accounts::Alone => Some(issue_link(register, Some(LOCAL), now).await?),
        Accounts::Shared if has_administrator(register).await? => None,
        Accounts::Shared => Some(issue_link(register, None, now).await?),
    })
}

fn announce(screen: &Screen, ground: &ListenAddress, link: Option<&Secret>) -> Result<(), Trouble> {
    let entrance = link.map(|secret| link_address(&ground.public, secret));
    if screen.json {
        return screen.value(&json!({ "address": ground.public, "listening": ground.address, "link": entrance }));
    }
    screen.say(&words::ready(screen.lang, entrance.as_deref().unwrap_or(&ground.public)))
}

/// What the config file allows everyone, and what the house and the person do: the lower counts.
struct LowestAllowance {
    config: Allowance,
    house: Arc<AllowanceCache>,
}

impl Allowances for LowestAllowance {
    fn of(&self, owner: &str) -> Allowance {
        self.config.lower(self.house.of(owner))
    }
}

async fn sweep(house: AppState) {
    let mut steady = ClockGuard::new(WallClock.now(), Instant::now());
    loop {
        match steady.believes(WallClock.now(), Instant::now()) {
            true => sweep_once(&house).await,
            false => tracing::warn!(
                "the clock has jumped ahead; nothing is deleted for being old until it is put right or has stayed so for a day"
            ),
        }
        tokio::time::sleep(SWEEP).await;
    }
}

async fn sweep_once(house: &AppState) {
    if let Err(failure) = house.sweep().await {
        tracing::warn!(%failure, "old answers could not be swept out; trying again in an hour");
    }
    for part in house.parts() {
        if let Err(problem) = part.sweep(house).await {
            let (code, application) = (problem.code(), part.contents().application);
            tracing::warn!(
                code,
                application,
                "what is past its days could not all be deleted; trying again in an hour"
            );
        }
    }
}

/// Ctrl-C, or the system's word to end.
async fn stop_signal() {
    let ended = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = ended => {}
    }
    tracing::info!("stopping");
}
