//! One run: two workers on one store, people in several sessions, faults, then peace.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use enza_kernel::testing::till::Till;
use tokio::task::JoinSet;

use super::checks::{Violation, check};
use super::faulty::FaultyStore;
use super::flaw::FlawedTill;
use super::model::{SimModel, SimTools};
use super::people::{SimPerson, Workers};
use super::world::{Fault, SimClock, World};
use super::{Report, Scenario};
use crate::engine::{Allowance, Engine, Setup};
use crate::host::ApplicationRegistry;
use crate::seams::store::{SessionId, Store};

/// How long faults last, in simulated time.
const STORM: Duration = Duration::from_secs(90);
/// How long sessions have to come to rest after that.
const PEACE: Duration = Duration::from_secs(3_600);

/// Plays one seed.
pub fn run_seed(stage: &Scenario, seed: u64) -> Report {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime without I/O");
    runtime.block_on(play(stage, seed))
}

async fn play(stage: &Scenario, seed: u64) -> Report {
    let world = World::new(seed);
    let store = (stage.store)();
    let workers: Workers = Arc::new(Mutex::new([None, None]));
    let sessions = cast_people(stage, &world, &workers, &store);
    let mut people = JoinSet::new();
    for person in sessions.1 {
        people.spawn(person.play());
    }
    storm(stage, &world, &workers, &store).await;
    world.stop_faults();
    for worker in 0..2 {
        revive(stage, &world, &workers, &store, worker);
    }
    let at_rest = tokio::time::timeout(PEACE, async { while people.join_next().await.is_some() {} }).await.is_ok();
    // Whatever is still being saved gets its moment.
    tokio::time::sleep(Duration::from_secs(1)).await;

    let engines: Vec<Engine> = workers.lock().expect("workers").iter().flatten().cloned().collect();
    let view: Arc<dyn Store> = Arc::new(faulty(stage, &world, &store, 0));
    let mut report = check(&world, &view, &repertoire(stage), &engines, &sessions.0).await;
    if !at_rest {
        for session in &sessions.0 {
            let standing = match store.find(session).await {
                Ok(Some(row)) => format!("{:?} at {}", row.standing, row.head),
                Ok(None) | Err(_) => "never opened".to_owned(),
            };
            report.violations.push((0, Violation::NotAtRest { session: session.to_string(), standing }));
        }
    }
    people.abort_all();
    engines.iter().for_each(Engine::kill);
    report.seeds = 1;
    report.faults = world.faults();
    report.violations.iter_mut().for_each(|(at, _)| *at = seed);
    report
}

fn cast_people(
    stage: &Scenario,
    world: &Arc<World>,
    workers: &Workers,
    store: &Arc<dyn Store>,
) -> (Vec<SessionId>, Vec<SimPerson>) {
    let count = 2 + world.below(4);
    let sessions: Vec<_> = (0..count).map(|number| SessionId::of(format!("session0{number}"))).collect();
    let people = sessions.iter().map(|session| SimPerson {
        world: world.clone(),
        workers: workers.clone(),
        store: store.clone(),
        role: stage.roles[world.below(stage.roles.len() as u64) as usize].clone(),
        session: session.clone(),
        turns: 4 + world.below(10),
    });
    let people = people.collect();
    (sessions, people)
}

/// Crashes, restarts and clock jumps, until the storm is over.
async fn storm(stage: &Scenario, world: &Arc<World>, workers: &Workers, store: &Arc<dyn Store>) {
    let over = tokio::time::Instant::now() + STORM;
    revive(stage, world, workers, store, 0);
    revive(stage, world, workers, store, 1);
    while tokio::time::Instant::now() < over {
        let pause = Duration::from_millis(200 + world.below(2_000));
        tokio::select! {
            biased;
            () = world.crash.notified() => {}
            () = tokio::time::sleep(pause) => {}
        }
        let mut dead = world.take_crashed();
        for (worker, dead) in dead.iter_mut().enumerate() {
            if world.strikes(Fault::Crash, 30) {
                *dead = true;
            }
            if world.below(1_000) < 30 {
                world.jump_clock(worker);
            }
        }
        for (worker, dead) in dead.into_iter().enumerate() {
            if dead && let Some(engine) = workers.lock().expect("workers")[worker].take() {
                engine.kill();
            }
            let missing = workers.lock().expect("workers")[worker].is_none();
            if missing && world.happens(70) {
                revive(stage, world, workers, store, worker);
            }
        }
    }
}

/// Starts a worker that is not alive, as a new process would.
fn revive(stage: &Scenario, world: &Arc<World>, workers: &Workers, store: &Arc<dyn Store>, worker: usize) {
    let mut workers = workers.lock().expect("workers");
    if world.take_one_crashed(worker)
        && let Some(engine) = workers[worker].take()
    {
        engine.kill();
    }
    if workers[worker].is_some() {
        return;
    }
    workers[worker] = Some(Engine::start(Setup {
        store: Arc::new(faulty(stage, world, store, worker)),
        model: Arc::new(SimModel { world: world.clone(), worker, roles: stage.roles.clone() }),
        tools: Arc::new(SimTools { world: world.clone(), worker }),
        clock: Arc::new(SimClock { world: world.clone(), worker }),
        repertoire: repertoire(stage),
        worker: format!("worker-{worker}-{}", world.below(1 << 40)),
        allowances: Arc::new(Allowance::default()),
        keep_loaded: 2,
        patrol: Duration::from_secs(1),
        seed: world.below(1 << 40),
    }));
}

fn faulty(stage: &Scenario, world: &Arc<World>, store: &Arc<dyn Store>, worker: usize) -> FaultyStore {
    FaultyStore { world: world.clone(), worker, base: store.clone(), flaw: stage.flaw }
}

fn repertoire(stage: &Scenario) -> ApplicationRegistry {
    match stage.flaw {
        None => stage.repertoire.clone(),
        Some(flaw) => stage.repertoire.clone().with(FlawedTill { till: Till::new(Duration::from_secs(7_200)), flaw }),
    }
}
