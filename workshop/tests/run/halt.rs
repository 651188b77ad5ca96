//! A person stops a command: it ends at once with everything it has started, and what it changed is known.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use enza_kernel::effect::{Key, RunTool, Safety};
use enza_kernel::time::Seq;
use enza_runtime::seams::store::SessionId;
use enza_runtime::seams::tools::Tools;
use enza_work::{Change, Invocation, Job, Order, Receipt, Run, RunEnd, RunResult};
use enza_workshop::Workshop;

use crate::run::fixture::{RunFixture, is_alive};

const RUN: Key = Key { seq: Seq(7), ordinal: 1 };
/// Far shorter than the command would take.
const AT_ONCE: Duration = Duration::from_secs(30);

/// Three processes, of which one does not listen, and a file that is changed before all of them sleep.
const SLEEPS: &str = "echo new > new.txt; echo changed > old.txt; (trap '' TERM; echo $BASHPID > deaf; while :; do sleep 600; done) & \
                      sleep 600 & echo $! > child; sleep 600";

fn workshop(stage: &RunFixture) -> Arc<Workshop> {
    Arc::new(Workshop::new(stage.root.path().join("store"), stage.runner.clone(), &[]))
}

async fn receipt(workshop: &Workshop, key: Key, order: Order) -> Receipt {
    let (tool, safety) = match &order.task {
        Job::Run(_) => (Order::ONCE, Safety::Once),
        _ => (Order::REPEATABLE, Safety::Repeatable),
    };
    let arguments = serde_json::to_value(order).unwrap();
    let run = RunTool { key, tool: tool.to_owned(), arguments, safety, started: None, reserve: 0 };
    serde_json::from_str(&workshop.run(&SessionId::of("s"), &run).await.unwrap()).unwrap()
}

fn sleeps(stage: &RunFixture) -> Order {
    let run = RunFixture::quiet(SLEEPS);
    let words = ["bash".to_owned(), "-c".to_owned(), SLEEPS.to_owned()];
    stage.order(&Run { command: Invocation::Words(words.to_vec()), ..run })
}

fn halt(stage: &RunFixture) -> Order {
    Order { task: Job::Halt { run: RUN }, ..stage.order(&RunFixture::quiet("")) }
}

async fn ran(receipt: impl Future<Output = Receipt>) -> RunResult {
    match tokio::time::timeout(AT_ONCE, receipt).await.expect("it ends at once") {
        Receipt::Ran(ran) => ran,
        other => panic!("{other:?}"),
    }
}

fn named(changes: &[Change]) -> Vec<&str> {
    changes.iter().map(|change| change.path.as_str()).filter(|path| path.ends_with(".txt")).collect()
}

#[tokio::test]
async fn a_command_that_is_halted_ends_at_once_with_its_children_and_tells_what_it_changed() {
    let stage = RunFixture::new();
    stage.write("old.txt", "old\n");
    let workshop = workshop(&stage);
    let (order, at_work) = (sleeps(&stage), workshop.clone());
    let run = tokio::spawn(async move { receipt(&at_work, RUN, order).await });
    let pid = |name: &str| fs::read_to_string(stage.folder().join(name)).unwrap_or_default();
    while pid("deaf").is_empty() || pid("child").is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let began = Instant::now();
    assert_eq!(receipt(&workshop, Key { ordinal: 2, ..RUN }, halt(&stage)).await, Receipt::Halted);
    let ran = ran(async { run.await.unwrap() }).await;
    assert_eq!((ran.ended, named(&ran.changes)), (RunEnd::Stopped, vec!["new.txt", "old.txt"]));
    assert!(!is_alive(&pid("deaf")) && !is_alive(&pid("child")), "after {:?}", began.elapsed());
    let back = Order { task: Job::Restore { changes: ran.changes }, ..halt(&stage) };
    let Receipt::Restored(_) = receipt(&workshop, Key { ordinal: 3, ..RUN }, back).await else { panic!() };
    assert_eq!(fs::read_to_string(stage.folder().join("old.txt")).unwrap(), "old\n");
    assert!(!stage.folder().join("new.txt").exists());
}

#[tokio::test]
async fn a_command_that_was_halted_before_it_began_does_not_begin() {
    let stage = RunFixture::new();
    let workshop = workshop(&stage);
    receipt(&workshop, Key { ordinal: 2, ..RUN }, halt(&stage)).await;
    assert_eq!(ran(receipt(&workshop, RUN, sleeps(&stage))).await, RunResult::stopped_before_it_began());
    assert!(!stage.folder().join("new.txt").exists());
}

#[tokio::test]
async fn another_command_is_left_alone() {
    let stage = RunFixture::new();
    let workshop = workshop(&stage);
    receipt(&workshop, Key { ordinal: 2, ..RUN }, halt(&stage)).await;
    let ran = ran(receipt(&workshop, Key { ordinal: 3, ..RUN }, stage.order(&RunFixture::quiet("echo hello")))).await;
    assert_eq!((ran.ended, ran.output.as_str()), (RunEnd::Status(0), "hello\n"));
}
