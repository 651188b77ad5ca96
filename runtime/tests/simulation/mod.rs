//! The simulation holds on many seeds, repeats itself exactly, and catches every planted bug.

use std::sync::Arc;
use std::time::Duration;

use enza_kernel::testing::till::Till;
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::simulation::{Flaw, Scenario, TillRole, Violation, run_seed, run_seeds};
use enza_storage::Memory;

fn stage(flaw: Option<Flaw>) -> Scenario {
    Scenario {
        store: Arc::new(|| Arc::new(Memory::new())),
        repertoire: ApplicationRegistry::default().with(Till::new(Duration::from_secs(7_200))),
        roles: vec![Arc::new(TillRole)],
        flaw,
    }
}

#[test]
fn two_hundred_seeds_show_no_violation() {
    let report = run_seeds(&stage(None), 1, 200, &|_| {});
    assert_eq!(report.violations, []);
    assert!(report.acknowledged > 1_000, "people were hardly heard: {report:#?}");
}

#[test]
fn every_kind_of_fault_strikes() {
    let report = run_seeds(&stage(None), 1, 60, &|_| {});
    let struck: Vec<_> = report.faults.keys().copied().collect();
    assert_eq!(struck, enza_runtime::simulation::Fault::ALL, "{:#?}", report.faults);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let stage = stage(None);
    for seed in [3, 17, 23] {
        assert_eq!(run_seed(&stage, seed), run_seed(&stage, seed), "seed {seed}");
    }
}

/// Runs seeds with a planted bug until its checker has seen it.
fn is_caught(flaw: Flaw, by: fn(&Violation) -> bool) {
    let stage = stage(Some(flaw));
    let mut others = Vec::new();
    for seed in 1..=80 {
        let found = run_seed(&stage, seed).violations;
        if found.iter().any(|(_, violation)| by(violation)) {
            return;
        }
        others.extend(found);
    }
    panic!("{flaw:?} was not caught by its checker in 80 seeds; others saw: {others:?}");
}

#[test]
fn skipping_the_expected_sequence_is_caught() {
    is_caught(Flaw::SkipExpectedCheck, |violation| matches!(violation, Violation::GateAnsweredTwice { .. }));
}

#[test]
fn acknowledging_without_saving_is_caught() {
    is_caught(Flaw::AcknowledgeWithoutSaving, |violation| matches!(violation, Violation::AcknowledgedAndLost { .. }));
}

#[test]
fn forgetting_idempotency_keys_is_caught() {
    is_caught(Flaw::ForgetKeys, |violation| matches!(violation, Violation::AcceptedTwice { .. }));
}

#[test]
fn a_lost_event_is_caught() {
    is_caught(Flaw::LoseAnEvent, |violation| matches!(violation, Violation::Gap { .. }));
}

#[test]
fn work_that_nobody_takes_up_is_caught() {
    is_caught(Flaw::NeverClaim, |violation| matches!(violation, Violation::NotAtRest { .. }));
}

#[test]
fn charging_a_card_twice_is_caught() {
    is_caught(Flaw::RepeatCharges, |violation| matches!(violation, Violation::RanTwice { .. }));
}

#[test]
fn spending_past_the_budget_is_caught() {
    is_caught(Flaw::ForgetBudget, |violation| matches!(violation, Violation::BudgetExceeded { .. }));
}

#[test]
fn a_state_that_depends_on_more_than_events_is_caught() {
    is_caught(Flaw::ImpureState, |violation| matches!(violation, Violation::ReplayDiffers { .. }));
}

#[test]
fn a_prompt_that_cannot_be_rendered_again_is_caught() {
    is_caught(Flaw::ImpureState, |violation| matches!(violation, Violation::PromptDiffers { .. }));
}

#[test]
fn a_prompt_that_changes_at_its_start_is_caught() {
    is_caught(Flaw::FreshTextFirst, |violation| matches!(violation, Violation::PrefixBroken { .. }));
}

#[test]
fn a_secret_shown_to_the_wrong_agent_is_caught() {
    is_caught(Flaw::LeakSecret, |violation| matches!(violation, Violation::SecretShown { .. }));
}

#[test]
fn a_parcel_that_is_taken_twice_is_caught() {
    is_caught(Flaw::ForgetKeys, |violation| matches!(violation, Violation::TakenTwice { .. }));
}

#[test]
fn a_parcel_that_is_said_to_be_taken_and_is_not_is_caught() {
    is_caught(Flaw::DropParcels, |violation| matches!(violation, Violation::ToldWrongly { .. }));
}

#[test]
fn a_parcel_that_nobody_sent_is_caught() {
    is_caught(Flaw::TakeFromAnyone, |violation| matches!(violation, Violation::NeverSent { .. }));
}
