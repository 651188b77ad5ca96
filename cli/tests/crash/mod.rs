//! Kills the real binary at random moments, again and again, and then looks at what it left behind.
//!
//! The moments come from a seed, which is printed; `ENZA_CRASH_SEED` sets it. A kill is SIGKILL: the process gets no
//! chance to tidy up. When every session has come to its end, the log is held to what was acknowledged while it was
//! dying: nothing lost, nothing twice, no gap, the same state from the same events, and no delivery repeated.

#![allow(clippy::print_stdout, reason = "a failing run is repeated by what it prints")]

mod checks;
mod home;
mod worker;

use home::Home;
use worker::{DrillWorkers, Plan};

#[test]
fn a_process_that_is_killed_again_and_again_loses_and_repeats_nothing_on_sqlite() {
    let home = Home::sqlite();
    let storm = Plan { workers: 1, sessions: 50, kills: 32, seed: seed() };
    let acknowledged = DrillWorkers::start(&home, storm).kill_and_finish();
    checks::check(&home, &acknowledged);
}

#[test]
fn two_processes_on_one_postgres_of_which_either_is_killed_lose_and_repeat_nothing() {
    let home = Home::postgres();
    let storm = Plan { workers: 2, sessions: 50, kills: 32, seed: seed() };
    let acknowledged = DrillWorkers::start(&home, storm).kill_and_finish();
    checks::check(&home, &acknowledged);
}

fn seed() -> u64 {
    let seed = std::env::var("ENZA_CRASH_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(1..1_000_000));
    println!("ENZA_CRASH_SEED={seed}");
    seed
}
