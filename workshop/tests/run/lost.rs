//! A command whose runner is killed: what it wrote until then is known to whoever comes next, and can be taken back.

use std::fs;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use enza_kernel::effect::{Key, RunTool, Safety};
use enza_kernel::time::Seq;
use enza_runtime::seams::store::SessionId;
use enza_runtime::seams::tools::Tools as _;
use enza_work::{Change, Job, Order, Receipt, RunEnd, RunResult, SideEffects};
use enza_workshop::Workshop;
use serde_json::json;

use crate::run::fixture::{RunFixture, is_alive};

const RUN: Key = Key { seq: Seq(7), ordinal: 0 };
/// The variable by which a copy of this test knows that it is the one to be killed.
const ROLE: &str = "ENZA_TEST_TO_BE_KILLED_IN";
const WRITES: &str = "echo changed > kept.txt; echo new > made.txt; rm gone.txt; mkdir nested/.git/hooks; echo evil > nested/.git/hooks/post-merge; \
                      echo $$ > pid.new; mv pid.new pid; sleep 100000";

fn workshop(stage: &RunFixture) -> Workshop {
    Workshop::new(stage.top().join("store"), stage.runner.clone(), &[])
}

async fn receipt(workshop: &Workshop, session: &str, key: Key, order: Order) -> Receipt {
    let safety = if matches!(order.task, Job::Run(_)) { Safety::Once } else { Safety::Repeatable };
    let tool = if safety == Safety::Once { Order::ONCE } else { Order::REPEATABLE }.to_owned();
    let run = RunTool { key, tool, arguments: json!(order), safety, started: None, reserve: 0 };
    serde_json::from_str(&workshop.run(&SessionId::of(session), &run).await.unwrap()).unwrap()
}

fn recover(stage: &RunFixture, run: Key) -> Order {
    Order { task: Job::Recover { run }, ..stage.order(&RunFixture::quiet("")) }
}

/// Runs the command in this process, which is to be killed.
#[tokio::test]
async fn to_be_killed() {
    let Some(root) = std::env::var_os(ROLE) else { return };
    let mut stage = RunFixture::new();
    stage.stand_in(root.into());
    receipt(&workshop(&stage), "s", RUN, stage.order(&RunFixture::quiet(WRITES))).await;
}

#[tokio::test]
async fn what_a_command_wrote_before_its_runner_was_killed_is_known_and_taken_back() {
    let stage = RunFixture::new();
    for (path, text) in [("kept.txt", "kept\n"), ("gone.txt", "gone\n"), ("nested/.git/config", "[core]\n")] {
        stage.write(path, text);
    }
    let mut runner = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "run::lost::to_be_killed"])
        .env(ROLE, stage.root.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let pid = stage.folder().join("pid");
    for _ in 0..3000 {
        if pid.exists() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    runner.kill().unwrap();
    runner.wait().unwrap();
    let command = fs::read_to_string(&pid).expect("the command ran");

    let workshop = workshop(&stage);
    let Receipt::Ran(ran) = receipt(&workshop, "s", Key { ordinal: 1, ..RUN }, recover(&stage, RUN)).await else {
        panic!("it is not known")
    };
    // Nobody looks before the command is gone.
    assert!(!is_alive(&command));
    let paths: Vec<&str> = ran.changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!((ran.ended, paths), (RunEnd::Unseen, vec!["gone.txt", "kept.txt", "made.txt", "pid"]));
    assert_eq!(ran.beyond.put_back, ["nested/.git/hooks/post-merge"]);

    let back = Order { task: Job::Restore { changes: ran.changes }, ..recover(&stage, RUN) };
    receipt(&workshop, "s", Key { ordinal: 2, ..RUN }, back).await;
    let text = |path: &str| fs::read_to_string(stage.folder().join(path)).ok();
    assert_eq!(
        ["kept.txt", "gone.txt", "made.txt"].map(text),
        [Some("kept\n".to_owned()), Some("gone\n".to_owned()), None]
    );
}

#[tokio::test]
async fn of_a_command_that_nothing_was_written_down_of_it_is_said_that_nothing_is_known() {
    let stage = RunFixture::new();
    let workshop = workshop(&stage);
    receipt(&workshop, "s", RUN, stage.order(&RunFixture::quiet("echo x > x"))).await;
    let nothing = Receipt::Ran(RunResult {
        ended: RunEnd::Unseen,
        beyond: SideEffects { others: true, ..SideEffects::default() },
        ..RunResult::stopped_before_it_began()
    });
    let other = Key { ordinal: 5, ..RUN };
    assert_eq!(receipt(&workshop, "s", other, recover(&stage, other)).await, nothing);
    assert_eq!(receipt(&workshop, "another", other, recover(&stage, RUN)).await, nothing);
    // The log may not have been told of the end of one that came to it.
    let Receipt::Ran(ran) = receipt(&workshop, "s", other, recover(&stage, RUN)).await else {
        panic!("it is not known")
    };
    assert_eq!(ran.changes.iter().map(|Change { path, .. }| path.as_str()).collect::<Vec<_>>(), ["x"]);
}

#[tokio::test]
async fn what_was_seen_before_a_command_that_still_runs_is_not_dropped_for_newer_ones() {
    let stage = RunFixture::new();
    let workshop = Arc::new(workshop(&stage));
    let waits = "echo new > made.txt; while [ ! -e go ]; do sleep 0.05; done";
    let long = {
        let (workshop, order) = (Arc::clone(&workshop), stage.order(&RunFixture::quiet(waits)));
        tokio::spawn(async move { receipt(&workshop, "long", RUN, order).await })
    };
    let made = stage.folder().join("made.txt");
    for _ in 0..3000 {
        if made.exists() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for number in 0..40 {
        receipt(&workshop, &format!("short {number}"), RUN, stage.order(&RunFixture::quiet("true"))).await;
    }
    let records = || {
        let entries = fs::read_dir(stage.top().join("store/commands")).unwrap();
        entries.filter(|entry| entry.as_ref().unwrap().path().extension().is_none()).count()
    };
    assert_eq!(records(), 34, "of those that ended 32 are kept and the one that was about to begin, and the long one");
    stage.write("go", "");
    long.await.unwrap();
    let again = receipt(&workshop, "long", Key { ordinal: 1, ..RUN }, recover(&stage, RUN)).await;
    let Receipt::Ran(ran) = again else { panic!("{again:?}") };
    let paths: Vec<_> = ran.changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!(paths, ["go", "made.txt"], "what it changed is known");
}
