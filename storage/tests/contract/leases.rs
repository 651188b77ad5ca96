//! Leases: who may append, who may claim, and when the next timer rings.

use std::sync::Arc;

use enza_kernel::application::Phase;
use enza_kernel::time::Seq;
use enza_runtime::seams::clock::{Clock as _, WallClock};
use enza_runtime::seams::store::{Append, Appended, HeldLease, SessionId, Store};

use crate::common::{append, at, held, id, in_phase, log, on, opening, recorded, wake};

async fn claim(store: &dyn Store, worker: &str, now: i64, until: i64) -> Vec<SessionId> {
    let mut claimed = store.claim(worker, at(now), at(until), 100).await.unwrap();
    claimed.sort();
    claimed
}

pub async fn a_held_session_is_a_conflict_for_another_worker(store: Arc<dyn Store>) {
    append(&*store, held(opening("a", 1), "one", 0, 100)).await;
    append(&*store, held(on("a", 1, 1), "one", 50, 150)).await;
    let other = held(on("a", 2, 1), "two", 149, 300);
    assert_eq!(store.append(other).await, Ok(Appended::Conflict { head: Seq(2) }));
    assert_eq!(log(&*store, "a").await, recorded("a", 1..=2));
}

pub async fn a_lease_that_has_ended_is_taken_over(store: Arc<dyn Store>) {
    append(&*store, held(opening("a", 1), "one", 0, 100)).await;
    append(&*store, held(on("a", 1, 1), "two", 100, 200)).await;
    let first = held(on("a", 2, 1), "one", 110, 300);
    assert_eq!(store.append(first).await, Ok(Appended::Conflict { head: Seq(2) }));
}

pub async fn freeing_ends_the_lease_whoever_held_it(store: Arc<dyn Store>) {
    append(&*store, held(opening("a", 1), "one", 0, 100)).await;
    append(&*store, on("a", 1, 1)).await;
    append(&*store, held(on("a", 2, 1), "two", 10, 100)).await;
}

pub async fn work_that_is_owed_is_claimed_once(store: Arc<dyn Store>) {
    append(&*store, in_phase(opening("working", 1), Phase::Working)).await;
    append(&*store, held(in_phase(opening("held", 1), Phase::Working), "one", 0, 100)).await;
    for phase in [Phase::Waiting, Phase::Gate, Phase::Stuck, Phase::Ended] {
        append(&*store, in_phase(opening(phase.word(), 1), phase)).await;
    }
    assert_eq!(claim(&*store, "two", 50, 120).await, [id("working")]);
    assert_eq!(claim(&*store, "three", 60, 120).await, []);
    assert_eq!(claim(&*store, "three", 100, 150).await, [id("held")], "its lease has ended");
    assert_eq!(claim(&*store, "three", 120, 150).await, [id("working")], "so has this one");
    let late = held(on("working", 1, 1), "two", 121, 200);
    assert_eq!(store.append(late).await, Ok(Appended::Conflict { head: Seq(1) }));
}

pub async fn of_two_workers_who_claim_at_once_each_session_goes_to_one(store: Arc<dyn Store>) {
    for number in 0..40 {
        append(&*store, in_phase(opening(&format!("s{number:02}"), 1), Phase::Working)).await;
    }
    let claim = |worker: &'static str| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let mut mine = Vec::new();
            for _ in 0..20 {
                let some = store.claim(worker, at(0), at(100), 3).await.unwrap();
                assert!(some.len() <= 3);
                mine.extend(some);
            }
            mine
        })
    };
    let (one, two) = (claim("one"), claim("two"));
    let mut all = [one.await.unwrap(), two.await.unwrap()].concat();
    all.sort();
    assert_eq!(all, (0..40).map(|number| id(&format!("s{number:02}"))).collect::<Vec<_>>());
}

pub async fn a_due_timer_is_claimed_and_a_later_one_is_not(store: Arc<dyn Store>) {
    append(&*store, Append { timers: Some(vec![wake("t", 50), wake("u", 500)]), ..opening("a", 1) }).await;
    append(&*store, Append { timers: Some(vec![wake("t", 51)]), ..opening("b", 1) }).await;
    assert_eq!(claim(&*store, "one", 49, 100).await, []);
    assert_eq!(claim(&*store, "one", 50, 100).await, [id("a")]);
    assert_eq!(claim(&*store, "two", 60, 100).await, [id("b")]);
    let rung = Append { timers: Some(vec![wake("u", 500)]), ..on("a", 1, 1) };
    append(&*store, rung).await;
    assert_eq!(claim(&*store, "two", 99, 100).await, []);
}

pub async fn a_renewed_lease_lasts_and_a_lost_one_stays_lost(store: Arc<dyn Store>) {
    for name in ["a", "b"] {
        append(&*store, held(in_phase(opening(name, 1), Phase::Working), "one", 0, 100)).await;
    }
    store.renew("one", &[id("a"), id("no such")], at(200)).await.unwrap();
    assert_eq!(claim(&*store, "two", 100, 300).await, [id("b")]);
    store.renew("one", &[id("a"), id("b")], at(400)).await.unwrap();
    assert_eq!(claim(&*store, "three", 399, 500).await, [id("b")], "two's lease ended at 300; one's renewal was void");
    assert_eq!(claim(&*store, "three", 400, 500).await, [id("a")]);
}

/// Its holder may be alive and only its clock ahead: whether it moves is for the watcher to see.
pub async fn a_lease_that_ends_too_late_is_told_of_and_taken_over_only_as_it_was_seen(store: Arc<dyn Store>) {
    const HOUR: i64 = 3_600_000;
    let working = |name: &str| in_phase(opening(name, 1), Phase::Working);
    append(&*store, held(working("ahead"), "one", HOUR, HOUR + 15_000)).await;
    append(&*store, held(working("usual"), "one", 0, 15_000)).await;
    append(&*store, held(working("mine"), "two", HOUR, HOUR + 15_000)).await;
    append(&*store, held(opening("owes nothing", 1), "one", HOUR, HOUR + 15_000)).await;
    let rung = Append { timers: Some(vec![wake("t", 50)]), ..opening("rung", 1) };
    append(&*store, held(rung, "three", HOUR, HOUR + 20_000)).await;
    assert_eq!(claim(&*store, "two", 100, 15_100).await, []);
    let seen = |session: &str, worker: &str, until| HeldLease {
        session: id(session),
        worker: worker.to_owned(),
        until: at(until),
    };
    let overlong = || async { store.overlong("two", at(100), at(15_100), 10).await.unwrap() };
    let (rung, ahead) = (seen("rung", "three", HOUR + 20_000), seen("ahead", "one", HOUR + 15_000));
    assert_eq!(overlong().await, [rung.clone(), ahead.clone()]);
    let first = store.overlong("two", at(100), at(15_100), 1).await.unwrap();
    assert_eq!(first, std::slice::from_ref(&rung));

    store.renew("one", &[id("ahead")], at(HOUR + 20_000)).await.unwrap();
    assert_eq!(store.take_over("two", &ahead, at(15_100)).await, Ok(false), "it has moved: its holder is alive");
    let moved = seen("ahead", "one", HOUR + 20_000);
    assert_eq!(store.take_over("two", &moved, at(15_100)).await, Ok(true));
    assert_eq!(store.take_over("two", &moved, at(15_100)).await, Ok(false), "only once");
    assert_eq!(overlong().await, [rung]);
    append(&*store, held(on("ahead", 1, 1), "two", 200, 15_200)).await;
    let late = held(on("ahead", 2, 1), "one", HOUR, HOUR + 15_000);
    assert!(matches!(store.append(late).await, Ok(Appended::Appended(_))), "by its own clock, ours has ended");
}

pub async fn a_released_session_can_be_claimed_again(store: Arc<dyn Store>) {
    append(&*store, held(in_phase(opening("a", 1), Phase::Working), "one", 0, 100)).await;
    store.release("two", &[id("a")]).await.unwrap();
    assert_eq!(claim(&*store, "two", 1, 100).await, []);
    store.release("one", &[id("a")]).await.unwrap();
    assert_eq!(claim(&*store, "two", 1, 100).await, [id("a")]);
}

pub async fn the_next_wake_is_the_earliest_timer_that_nobody_holds(store: Arc<dyn Store>) {
    assert_eq!(store.next_wake().await, Ok(None));
    append(&*store, Append { timers: Some(vec![wake("t", 70), wake("u", 60)]), ..opening("a", 1) }).await;
    append(&*store, Append { timers: Some(vec![wake("t", 65)]), ..opening("b", 1) }).await;
    assert_eq!(store.next_wake().await, Ok(Some(at(60))));
    assert_eq!(claim(&*store, "one", 62, 100).await, [id("a")]);
    assert_eq!(store.next_wake().await, Ok(Some(at(65))));
    store.release("one", &[id("a")]).await.unwrap();
    assert_eq!(store.next_wake().await, Ok(Some(at(60))));
}

/// A server's clock judges leases for all who share it. Without one, every worker's own does.
pub async fn the_time_is_the_servers_where_several_machines_share_one(store: Arc<dyn Store>) {
    const DOUBT: i64 = 600_000;
    let here = || WallClock.now().0;
    let before = here();
    let shared = store.shared_time().await.unwrap().map(|time| time.0);
    let after = here();
    assert_eq!(shared.is_some(), store.describe().starts_with("postgres "), "{shared:?}");
    if let Some(time) = shared {
        assert!((before - DOUBT..=after + DOUBT).contains(&time), "{before} {time} {after}");
        let later = store.shared_time().await.unwrap().expect("as before");
        assert!(later.0 >= time, "{time} {later:?}");
    }
}
