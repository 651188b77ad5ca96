//! Orders come in as JSON and receipts go out; what is no order goes to whoever ran tools before.

use enza_kernel::effect::{Key, RunTool, Safety};
use enza_kernel::time::Seq;
use enza_runtime::seams::store::SessionId;
use enza_runtime::seams::tools::{ToolFailure, Tools};
use enza_work::{ChosenChange, Fault, Invocation, Job, Order, Proposal, Receipt, Run, RunEnd};
use enza_workshop::Workshop;
use enza_workshop::run::Runner;
use serde_json::{Value, json};

use crate::behaviour::project::{TestProject, put};

async fn run(yard: &TestProject, tool: &str, arguments: Value) -> Result<String, ToolFailure> {
    let program = env!("CARGO_BIN_EXE_confined").into();
    let runner = Runner { program, ..Runner::new(None, "/usr/bin:/bin".into()) };
    let workshop = Workshop::new(yard.top.join("store"), runner, &[]);
    let run = RunTool {
        key: Key { seq: Seq(1), ordinal: 0 },
        tool: tool.to_owned(),
        arguments,
        safety: Safety::Repeatable,
        started: None,
        reserve: 0,
    };
    workshop.run(&SessionId::of("s"), &run).await
}

async fn receipt(yard: &TestProject, task: Job) -> Receipt {
    let order = serde_json::to_value(yard.order(task)).unwrap();
    serde_json::from_str(&run(yard, Order::REPEATABLE, order).await.unwrap()).unwrap()
}

#[tokio::test]
async fn a_change_is_prepared_made_and_taken_back_by_orders() {
    let yard = TestProject::with(&[("a.txt", "a\n")]);
    let before = yard.tree();
    let Receipt::Prepared(prepared) = receipt(&yard, Job::Prepare { proposals: vec![put("a.txt", "b\n")] }).await
    else {
        panic!("not prepared")
    };
    let changes: Vec<_> = prepared.into_iter().map(|prepared| prepared.change).collect();
    assert_eq!(receipt(&yard, Job::Make { changes: changes.clone() }).await, Receipt::Made(changes.clone()));
    assert_eq!(yard.text("a.txt"), "b\n");
    let Receipt::Restored(restored) = receipt(&yard, Job::Restore { changes }).await else { panic!("not restored") };
    assert_eq!((restored.restored, yard.tree()), (vec!["a.txt".to_owned()], before));
}

#[tokio::test]
async fn a_fault_is_a_receipt_too() {
    let yard = TestProject::with(&[]);
    let task = Job::Read { path: "none".to_owned(), from: 1, lines: 1 };
    assert_eq!(receipt(&yard, task).await, Receipt::Refused(Fault::Missing { path: "none".to_owned() }));
    let mut order = yard.order(Job::List { path: String::new(), depth: 1 });
    order.folder = "/nowhere/at/all".to_owned();
    let said = run(&yard, Order::REPEATABLE, serde_json::to_value(&order).unwrap()).await.unwrap();
    let missing = Receipt::Refused(Fault::Missing { path: "/nowhere/at/all".to_owned() });
    assert_eq!(serde_json::from_str::<Receipt>(&said).unwrap(), missing);
}

#[tokio::test]
async fn what_is_no_order_is_handed_on_or_refused() {
    let yard = TestProject::with(&[]);
    let other = run(&yard, "other", json!({})).await;
    assert_eq!(other, Err(ToolFailure("There is no tool named other here.".to_owned())));
    assert!(run(&yard, Order::REPEATABLE, json!({"folder": 1})).await.is_err());
}

/// What a command changed is found by two looks at the folder, and taken back like any other change.
#[tokio::test]
async fn what_a_command_changed_is_taken_back() {
    let yard = TestProject::with(&[("a.txt", "a\n"), ("gone.txt", "gone\n")]);
    let before = yard.tree();
    let command = Invocation::Line("echo b > a.txt; echo new > new.txt; rm gone.txt".to_owned());
    let task = Job::Run(Run { command, at: String::new(), seconds: 60, network: false });
    let order = serde_json::to_value(yard.order(task)).unwrap();
    let said = run(&yard, Order::ONCE, order).await.unwrap();
    let Receipt::Ran(ran) = serde_json::from_str(&said).unwrap() else { panic!("{said}") };
    assert_eq!((ran.ended, yard.text("a.txt").as_str()), (RunEnd::Status(0), "b\n"));
    let paths: Vec<&str> = ran.changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!(paths, ["a.txt", "gone.txt", "new.txt"]);
    let Receipt::Restored(restored) = receipt(&yard, Job::Restore { changes: ran.changes }).await else {
        panic!("not restored")
    };
    assert_eq!((restored.kept, yard.tree()), (Vec::new(), before));
}

/// Nobody can tell who changed a file while a command ran, so what it held then is not lost.
#[tokio::test]
async fn what_a_person_wrote_while_a_command_ran_is_set_aside_when_it_is_taken_back() {
    let yard = TestProject::with(&[("a.txt", "a\n")]);
    let command =
        Invocation::Line("touch began; while [ ! -e mine.txt ]; do sleep 0.02; done; echo b > a.txt".to_owned());
    let task = Job::Run(Run { command, at: String::new(), seconds: 60, network: false });
    let order = serde_json::to_value(yard.order(task)).unwrap();
    let write = async {
        while !yard.work.join("began").exists() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        std::fs::write(yard.top.join("mine"), "by hand\n").unwrap();
        std::fs::rename(yard.top.join("mine"), yard.work.join("mine.txt")).unwrap();
    };
    let (said, ()) = tokio::join!(run(&yard, Order::ONCE, order), write);
    let Receipt::Ran(ran) = serde_json::from_str(&said.unwrap()).unwrap() else { panic!("it did not run") };
    let Receipt::Restored(restored) = receipt(&yard, Job::Restore { changes: ran.changes }).await else {
        panic!("not restored")
    };
    assert_eq!((restored.kept.len(), yard.text("a.txt").as_str()), (0, "a\n"));
    let set_aside = restored.set_aside.iter().find(|(path, _)| path == "mine.txt").expect("it is said where it is");
    assert_eq!(std::fs::read_to_string(&set_aside.1).unwrap(), "by hand\n");
}

/// A command cannot read a secret file, but it can give it another name.
#[tokio::test]
async fn a_closed_file_stays_closed_whatever_a_command_calls_it() {
    let mut yard =
        TestProject::with(&[(".env", "HIDDEN=plain\n"), (".key.pem", "plain\n"), ("private/p.md", "plain\n")]);
    yard.write("src/a.txt", "a\n");
    yard.bounds.closed = vec!["private/**".to_owned()];
    let ran = async |line: &str| {
        let command = Invocation::Line(line.to_owned());
        let task = Job::Run(Run { command, at: String::new(), seconds: 60, network: false });
        let said = run(&yard, Order::ONCE, serde_json::to_value(yard.order(task)).unwrap()).await.unwrap();
        let Receipt::Ran(ran) = serde_json::from_str(&said).unwrap() else { panic!("{said}") };
        ran
    };
    let named = "ln .env n; mv .key.pem m; mv private dist";
    let first = ran(named).await;
    assert_eq!(first.ended, RunEnd::Status(0), "{first:?}");
    for path in ["n", "m", "dist/p.md"] {
        let secret = Receipt::Refused(Fault::Secret { path: path.to_owned() });
        assert_eq!(receipt(&yard, Job::Read { path: path.to_owned(), from: 1, lines: 9 }).await, secret);
        assert_eq!(receipt(&yard, Job::Prepare { proposals: vec![put(path, "x\n")] }).await, secret);
    }
    let search = Job::Search { pattern: "plain".to_owned(), regex: false, path: String::new() };
    let Receipt::Found(found) = receipt(&yard, search).await else { panic!("not searched") };
    assert_eq!(found.matches, 0, "{}", found.text);
    let second = ran("cat n; cat m; cat dist/p.md; cat src/a.txt").await;
    assert!(second.output.ends_with("\na\n") && !second.output.contains("plain"), "{}", second.output);
    // The names are taken back, and what was never closed is open.
    let Receipt::Restored(restored) = receipt(&yard, Job::Restore { changes: first.changes }).await else { panic!() };
    assert!(restored.kept.is_empty() && !yard.work.join("n").exists(), "{restored:?}");
    yard.write("n", "mine\n");
    let read = receipt(&yard, Job::Read { path: "n".to_owned(), from: 1, lines: 9 }).await;
    assert!(matches!(&read, Receipt::Read(read) if read.text == "mine\n"), "{read:?}");
}

/// Of what was shown a person may take some hunks, or write the text anew; exactly that is made.
#[tokio::test]
async fn only_what_a_person_took_is_made() {
    let lines: String = (0..30).map(|line| format!("{line}\n")).collect();
    let yard = TestProject::with(&[("a.txt", &lines), ("b.txt", "b\n")]);
    let both = lines.replace("\n3\n", "\nthree\n").replace("\n27\n", "\ntwenty-seven\n");
    let proposals = vec![put("a.txt", &both), put("b.txt", "theirs\n")];
    let Receipt::Prepared(prepared) = receipt(&yard, Job::Prepare { proposals }).await else { panic!("not prepared") };
    assert_eq!(prepared.iter().map(|one| one.hunks).collect::<Vec<_>>(), [2, 1]);
    let chosen = vec![
        ChosenChange { change: prepared[0].change.clone(), hunks: Some(vec![2]), content: None },
        ChosenChange { change: prepared[1].change.clone(), hunks: None, content: Some("mine\n".to_owned()) },
    ];
    let Receipt::Prepared(left) = receipt(&yard, Job::Choose { chosen }).await else { panic!("not chosen") };
    let changes: Vec<_> = left.into_iter().map(|one| one.change).collect();
    assert_eq!(receipt(&yard, Job::Make { changes: changes.clone() }).await, Receipt::Made(changes));
    assert_eq!(
        (yard.text("a.txt"), yard.text("b.txt")),
        (lines.replace("\n27\n", "\ntwenty-seven\n"), "mine\n".to_owned())
    );
    let none = vec![ChosenChange { change: prepared[0].change.clone(), hunks: Some(Vec::new()), content: None }];
    assert_eq!(receipt(&yard, Job::Choose { chosen: none }).await, Receipt::Prepared(Vec::new()));
}

/// Every file of a batch can be left out, and none keeps another from being picked.
#[tokio::test]
async fn a_move_an_empty_file_and_what_is_no_text_could_not_be_left_out() {
    let yard = TestProject::with(&[("a.txt", "a\n"), ("old.txt", "as it was\n"), ("hollow.txt", "")]);
    yard.write("blob.bin", [0_u8, 159, 146, 150]);
    let path = |path: &str| path.to_owned();
    let proposals = vec![
        Proposal::Move { path: path("old.txt"), to: path("new.txt") },
        Proposal::Create { path: path("empty.txt"), content: String::new() },
        Proposal::Delete { path: path("hollow.txt") },
        Proposal::Delete { path: path("blob.bin") },
        put("a.txt", "b\n"),
    ];
    let Receipt::Prepared(prepared) = receipt(&yard, Job::Prepare { proposals }).await else { panic!("not prepared") };
    let names: Vec<&str> = prepared.iter().map(|one| one.change.path.as_str()).collect();
    assert_eq!(names, ["old.txt", "empty.txt", "hollow.txt", "blob.bin", "a.txt"]);
    for (left, name) in names.iter().enumerate() {
        let nothing = |place: usize| (place == left).then(Vec::new);
        let chosen = prepared.iter().enumerate().map(|(place, one)| ChosenChange {
            change: one.change.clone(),
            hunks: nothing(place),
            content: None,
        });
        let task = Job::Choose { chosen: chosen.collect() };
        let Receipt::Prepared(chosen) = receipt(&yard, task).await else { panic!("not chosen without {name}") };
        let made: Vec<_> = chosen.into_iter().map(|one| one.change).collect();
        let rest = prepared.iter().enumerate().filter(|(place, _)| *place != left);
        assert_eq!(made, rest.map(|(_, one)| one.change.clone()).collect::<Vec<_>>(), "all but {}", names[left]);
        assert_eq!(receipt(&yard, Job::Make { changes: made.clone() }).await, Receipt::Made(made.clone()));
        let is_there = |name: &str| yard.work.join(name).exists();
        let as_left = [is_there("old.txt"), !is_there("empty.txt"), is_there("hollow.txt"), is_there("blob.bin")];
        let expected: Vec<bool> = (0..4).map(|place| place == left).collect();
        assert_eq!(
            (as_left.to_vec(), yard.text("a.txt")),
            (expected, if left == 4 { "a\n" } else { "b\n" }.to_owned())
        );
        let Receipt::Restored(back) = receipt(&yard, Job::Restore { changes: made }).await else {
            panic!("not restored")
        };
        assert_eq!(back.kept, []);
    }
}

#[tokio::test]
async fn a_command_is_not_run_by_the_tool_that_may_be_run_again() {
    let yard = TestProject::with(&[]);
    let command = Invocation::Words(vec!["true".to_owned()]);
    let task = Job::Run(Run { command, at: String::new(), seconds: 1, network: false });
    let order = serde_json::to_value(yard.order(task)).unwrap();
    assert!(run(&yard, Order::REPEATABLE, order).await.is_err());
    let list = serde_json::to_value(yard.order(Job::List { path: String::new(), depth: 1 })).unwrap();
    assert!(run(&yard, Order::ONCE, list).await.is_err());
}
