//! `enza serve`, and `enza` alone: the server, until it is told to stop.
//!
//! First everything is put in its place: the address, the database, the model, the engine. Only when connections are
//! taken is the one line with the address printed, with a link that signs its reader in: so whoever reads it can
//! follow it. The signal to stop ends the streams, finishes what is under way and leaves the rest to the next start.

mod apart;
mod ground;
mod limits;
mod logs;
mod steady;
mod traces;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use enza_kernel::conversation::Digest;
use enza_models::choice::Pick;
use enza_runtime::engine::{Allowance, Allowances, Engine, Setup as EngineSetup};
use enza_runtime::seams::clock::{Clock as _, WallClock};
use enza_runtime::seams::register::Register;
use enza_runtime::seams::tools::Tools;
use enza_server::access::{HouseAllowances, Secret, has_administrator, issue_link, link_address};
use enza_server::acts::submissions;
use enza_server::house::{Contents, LOCAL};
use enza_server::post::{PostOffice, Reach};
use enza_server::{Accounts, House, Setup};
use enza_storage::Opened;
use enza_workshop::store::Store;
use serde_json::json;

use crate::arguments::Serve;
use crate::backstage;
use crate::badge::{self, Badge, Badges};
use crate::commands::{Roster, Served};
use crate::outbox::Outbox;
use crate::screen::Screen;
use crate::stage::Stage;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use crate::words::{backup, models, serving as words};
use apart::ForAdministrators;
use ground::Ground;
pub use ground::read_public;
pub use logs::where_asked as log_where_asked;
use steady::Steady;

/// How long a request may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often what is kept for a while is looked through.
const SWEEP: Duration = Duration::from_secs(60 * 60);

/// Serves until it is told to stop.
pub async fn run(around: &Surroundings, screen: &Screen, order: Serve) -> Result<(), Trouble> {
    let _logs = logs::start(&order, around)?;
    let proxies = limits::proxies(&order)?;
    let ground = Ground::take(&order).await?;
    let repertoire = backstage::repertoire_of(around)?;
    let Opened { store, register, concerns, .. } = backstage::open_house(around).await?;
    for concern in &concerns {
        screen.aside(&backup::concern(screen.lang, concern))?;
    }
    if !concerns.is_empty() {
        screen.aside(backup::concern_hint(screen.lang))?;
    }
    let badge = Badge::put_on(&around.data)
        .map_err(|why| Trouble::Folder { path: around.data.clone(), why: why.to_string() })?;
    badge::relieve_the_dead(&around.data, &*store, &*register).await?;
    let (stage, chosen, troupe) = Stage::open(around)?;
    let allowances = HouseAllowances::open(register.clone()).await?;
    let post = Arc::new(PostOffice::new(Arc::new(Outbox { folder: around.outbox() })));
    let roster = Arc::new(Roster::new(around.config.clone(), store.clone()));
    let servers = backstage::servers(roster.clone(), post.clone());
    let workshop = backstage::workshop(around, servers.clone());
    let tools: Arc<dyn Tools> = match order.accounts {
        true => Arc::new(ForAdministrators { store: store.clone(), register: register.clone(), tools: workshop }),
        false => workshop,
    };
    let contents = (!order.accounts).then(|| Arc::new(Kept(backstage::contents_folder(around))) as Arc<dyn Contents>);
    let engine = Engine::start(EngineSetup {
        worker: badge.worker.clone(),
        allowances: Arc::new(Lower { config: troupe.config.allowance(), house: allowances.clone() }),
        ..EngineSetup::new(store, stage.clone(), tools, repertoire)
    });
    let folders = Served { around: around.clone(), engine: engine.clone(), servers: servers.clone(), roster };
    let accounts = if order.accounts { Accounts::Shared } else { Accounts::Alone };
    let house = House::new(Setup {
        engine: engine.clone(),
        register: register.clone(),
        clock: Arc::new(WallClock),
        allowances,
        accounts,
        models: stage,
        public: ground.public.clone(),
        patience: PATIENCE,
        streams: Setup::STREAMS,
        connections: limits::connections(&order),
        proxies,
        webhooks: reach(accounts, &order),
        contents,
        folders: Some(Arc::new(folders)),
        workers: Some(Arc::new(Badges::of(&around.data))),
    });
    post.open(house.clone());
    let link = entrance(&*register, accounts).await?;
    if chosen.pick == Pick::Understudy && !screen.json {
        screen.note(&format!("{}\n  {}", words::understudy(screen.lang), models::how_to_get_one(screen.lang)))?;
    }
    announce(screen, &ground, link.as_ref())?;
    let sweeping = tokio::spawn(sweep(house.clone()));
    let served = enza_server::serve(ground.listener, house, told_to_stop()).await;
    sweeping.abort();
    engine.close().await;
    if let Err(failure) = register.abandon(&badge.worker).await {
        tracing::warn!(%failure, "requests that were cut off can be sent again in a minute");
    }
    servers.close_all().await;
    served.map_err(|why| Trouble::Address { address: order.listen, why: why.to_string() })
}

/// A link for whoever started this: the local owner, or the first administrator while there is none.
async fn entrance(register: &dyn Register, accounts: Accounts) -> Result<Option<Secret>, Trouble> {
    let now = WallClock.now();
    Ok(match accounts {
        Accounts::Alone => Some(issue_link(register, Some(LOCAL), now).await?),
        Accounts::Shared if has_administrator(register).await? => None,
        Accounts::Shared => Some(issue_link(register, None, now).await?),
    })
}

fn announce(screen: &Screen, ground: &Ground, link: Option<&Secret>) -> Result<(), Trouble> {
    let entrance = link.map(|secret| link_address(&ground.public, secret));
    if screen.json {
        return screen.value(&json!({ "address": ground.public, "listening": ground.address, "link": entrance }));
    }
    screen.say(&words::ready(screen.lang, entrance.as_deref().unwrap_or(&ground.public)))
}

/// What files held before and would hold after changes, in the workshop's store.
struct Kept(PathBuf);

impl Contents for Kept {
    fn text(&self, digest: &Digest) -> Option<String> {
        let bytes = Store::open(&self.0, Store::MOST).ok()?.read(digest).ok()??;
        String::from_utf8(bytes).ok()
    }
}

/// What the config file allows everyone, and what the house and the person do: the lower counts.
struct Lower {
    config: Allowance,
    house: Arc<HouseAllowances>,
}

impl Allowances for Lower {
    fn of(&self, owner: &str) -> Allowance {
        self.config.lower(self.house.of(owner))
    }
}

/// Where there are accounts, whoever makes a form must not learn through us what stands inside this network.
fn reach(accounts: Accounts, order: &Serve) -> Reach {
    match accounts {
        Accounts::Alone => Reach::Anywhere,
        Accounts::Shared if order.webhooks_to_private => Reach::Anywhere,
        Accounts::Shared => Reach::Public,
    }
}

async fn sweep(house: House) {
    let mut steady = Steady::new(WallClock.now(), Instant::now());
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

async fn sweep_once(house: &House) {
    if let Err(failure) = house.sweep().await {
        tracing::warn!(%failure, "old answers could not be swept out; trying again in an hour");
    }
    if let Err(problem) = submissions::sweep(house).await {
        let code = problem.code();
        tracing::warn!(code, "submissions past their days could not all be deleted; trying again in an hour");
    }
}

/// Ctrl-C, or the system's word to end.
async fn told_to_stop() {
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
