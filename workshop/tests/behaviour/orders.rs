//! Orders come in as JSON and receipts go out; what is no order goes to whoever ran tools before.

use std::sync::Arc;

use enza_applications::companion::work::{Command, Fault, Order, Receipt, Run, Task};
use enza_kernel::effect::{Key, RunTool, Safety};
use enza_kernel::time::Seq;
use enza_runtime::seams::store::SessionId;
use enza_runtime::seams::tools::{NoTools, ToolFailure, Tools};
use enza_workshop::Workshop;
use serde_json::{Value, json};

use crate::yard::{Yard, put};

async fn run(yard: &Yard, tool: &str, arguments: Value) -> Result<String, ToolFailure> {
    let workshop = Workshop::new(yard.top.join("store"), Runner::new(None, "/usr/bin:/bin".into()), Arc::new(NoTools));
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

async fn receipt(yard: &Yard, task: Task) -> Receipt {
    let order = serde_json::to_value(yard.order(task)).unwrap();
    serde_json::from_str(&run(yard, Order::REPEATABLE, order).await.unwrap()).unwrap()
}

#[tokio::test]
async fn a_change_is_prepared_made_and_taken_back_by_orders() {
    let yard = Yard::with(&[("a.txt", "a\n")]);
    let before = yard.tree();
    let Receipt::Prepared(prepared) = receipt(&yard, Task::Prepare { proposals: vec![put("a.txt", "b\n")] }).await
    else {
        panic!("not prepared")
    };
    let changes: Vec<_> = prepared.into_iter().map(|prepared| prepared.change).collect();
    assert_eq!(receipt(&yard, Task::Make { changes: changes.clone() }).await, Receipt::Made(changes.clone()));
    assert_eq!(yard.text("a.txt"), "b\n");
    let Receipt::Restored(restored) = receipt(&yard, Task::Restore { changes }).await else { panic!("not restored") };
    assert_eq!((restored.restored, yard.tree()), (vec!["a.txt".to_owned()], before));
}

#[tokio::test]
async fn a_fault_is_a_receipt_too() {
    let yard = Yard::with(&[]);
    let task = Task::Read { path: "none".to_owned(), from: 1, lines: 1 };
    assert_eq!(receipt(&yard, task).await, Receipt::Refused(Fault::Missing { path: "none".to_owned() }));
    let mut order = yard.order(Task::List { path: String::new(), depth: 1 });
    order.folder = "/nowhere/at/all".to_owned();
    let said = run(&yard, Order::REPEATABLE, serde_json::to_value(&order).unwrap()).await.unwrap();
    let missing = Receipt::Refused(Fault::Missing { path: "/nowhere/at/all".to_owned() });
    assert_eq!(serde_json::from_str::<Receipt>(&said).unwrap(), missing);
}

#[tokio::test]
async fn what_is_no_order_is_handed_on_or_refused() {
    let yard = Yard::with(&[]);
    let other = run(&yard, "other", json!({})).await;
    assert_eq!(other, Err(ToolFailure("There is no tool named other here.".to_owned())));
    assert!(run(&yard, Order::REPEATABLE, json!({"folder": 1})).await.is_err());
}

#[tokio::test]
async fn a_command_is_not_run_by_the_tool_that_may_be_run_again() {
    let yard = Yard::with(&[]);
    let command = Command::Words(vec!["true".to_owned()]);
    let task = Task::Run(Run { command, at: String::new(), seconds: 1, network: false });
    let order = serde_json::to_value(yard.order(task)).unwrap();
    assert!(run(&yard, Order::REPEATABLE, order).await.is_err());
    let list = serde_json::to_value(yard.order(Task::List { path: String::new(), depth: 1 })).unwrap();
    assert!(run(&yard, Order::ONCE, list).await.is_err());
}
