//! What a session owes the workshop, and what comes back.
//!
//! Looks and changes may be done again after a crash, since a change is known by its two sides; commands and tools may
//! not, so their start is recorded first. Of all pieces of work one at a time touches the folder; looking is free.

use enza_kernel::application::Draft;
use enza_kernel::effect::{Effect, Outcome, RunTool, Safety};
use serde_json::Value;

use super::action::Wish;
use super::command::Pick;
use super::desk::{Batch, Desk, Does, Ordered, Stage};
use super::event::Event;
use super::flow;
use super::state::State;
use super::work::{Change, Chosen, Command, Fault, Order, Proposal, Receipt, Restored, Run, Task};
use super::{Companion, action};

/// The tool runs that are due.
pub(super) fn due(state: &State) -> Vec<Effect> {
    if let Some(back) = &state.taking_back {
        let task = Task::Restore { changes: back.changes.clone() };
        return vec![effect(order(state, task), back.key, Safety::Repeatable, None)];
    }
    let mut due = Vec::new();
    let mut is_taken = false;
    for desk in &state.desks {
        let Some(batch) = &desk.batch else { continue };
        let open = || batch.orders.iter().filter(|order| order.receipt.is_none() && !order.lost);
        match batch.stage {
            Stage::Preparing | Stage::Asking => due.extend(open().filter_map(|order| of(state, desk, batch, order))),
            Stage::Doing | Stage::Checking if !is_taken => {
                due.extend(open().take(1).filter_map(|order| of(state, desk, batch, order)));
                is_taken = true;
            }
            Stage::Doing | Stage::Checking => {}
        }
    }
    due
}

fn of(state: &State, desk: &Desk, batch: &Batch, ordered: &Ordered) -> Option<Effect> {
    let wish = |place: u32| desk.action(place).and_then(|action| action.wish().ok());
    let once = |task: Task| effect(order(state, task), ordered.key, Safety::Once, ordered.started.clone());
    let repeatable = |task: Task| effect(order(state, task), ordered.key, Safety::Repeatable, None);
    let made = match ordered.does {
        Does::Look(place) => match wish(place)? {
            Wish::Look(task) => repeatable(task),
            Wish::Change(_) | Wish::Run(_) | Wish::Tool { .. } => return None,
        },
        Does::Prepare => repeatable(Task::Prepare { proposals: proposals(desk) }),
        Does::Choose => repeatable(Task::Choose { chosen: chosen(batch) }),
        Does::Make => repeatable(Task::Make { changes: changes(batch) }),
        Does::Run(place) => match wish(place)? {
            Wish::Run(run) => once(Task::Run(within(state, run))),
            Wish::Look(_) | Wish::Change(_) | Wish::Tool { .. } => return None,
        },
        Does::Check(place) => {
            let command = Command::Words(state.settings.checks.get(place as usize)?.command.clone());
            once(Task::Run(within(
                state,
                Run { command, at: String::new(), seconds: action::USUAL_SECONDS, network: false },
            )))
        }
        Does::Tool(place) => match wish(place)? {
            Wish::Tool { name, arguments } => Effect::RunTool(RunTool {
                key: ordered.key,
                tool: name,
                arguments,
                safety: Safety::Once,
                started: ordered.started.clone(),
                reserve: 0,
            }),
            Wish::Look(_) | Wish::Change(_) | Wish::Run(_) => return None,
        },
    };
    Some(made)
}

fn order(state: &State, task: Task) -> Order {
    Order { folder: state.folder.clone(), task, bounds: state.settings.bounds(), granted: Vec::new() }
}

fn effect(order: Order, key: enza_kernel::effect::Key, safety: Safety, started: Option<String>) -> Effect {
    let tool = match safety {
        Safety::Repeatable => Order::REPEATABLE,
        Safety::Once => Order::ONCE,
    };
    let arguments = serde_json::to_value(order).unwrap_or(Value::Null);
    Effect::RunTool(RunTool { key, tool: tool.to_owned(), arguments, safety, started, reserve: 0 })
}

/// A command within the settings: no longer, and no network that was not allowed.
fn within(state: &State, run: Run) -> Run {
    Run { seconds: run.seconds.min(state.settings.command_seconds).max(1), network: state.settings.network, ..run }
}

/// Every change of the verdict, in its order.
fn proposals(desk: &Desk) -> Vec<Proposal> {
    let actions = desk.verdict.iter().flat_map(|verdict| &verdict.actions);
    actions
        .filter_map(|action| match action.wish().ok()? {
            Wish::Change(proposal) => Some(proposal),
            Wish::Look(_) | Wish::Run(_) | Wish::Tool { .. } => None,
        })
        .collect()
}

/// What a person picked, file by file; a file that is not named is taken whole.
fn chosen(batch: &Batch) -> Vec<Chosen> {
    let pick = |(place, prepared): (usize, &super::work::Prepared)| {
        let pick: Option<&Pick> = batch.picks.iter().find(|pick| pick.file as usize == place);
        Chosen {
            change: prepared.change.clone(),
            hunks: pick.and_then(|pick| pick.hunks.clone()),
            content: pick.and_then(|pick| pick.content.clone()),
        }
    };
    batch.prepared.iter().enumerate().map(pick).collect()
}

fn changes(batch: &Batch) -> Vec<Change> {
    batch.prepared.iter().map(|prepared| prepared.change.clone()).collect()
}

/// Takes in what came of a tool run.
pub(super) fn settle(draft: &mut Draft<'_, Companion>, run: &RunTool, outcome: Outcome) {
    if draft.state.taking_back.as_ref().is_some_and(|back| back.key == run.key) {
        return taken_back(draft, outcome);
    }
    let Some((desk, place)) = draft.state.order(run.key) else { return };
    let ordered = desk.batch.as_ref().map(|batch| &batch.orders[place]);
    if ordered.is_none_or(|order| order.receipt.is_some() || order.lost) {
        return;
    }
    let order = run.key;
    match outcome {
        Outcome::Starting { mark } => draft.record(Event::OrderStarted { order, mark }),
        Outcome::Returned { text } => {
            let receipt = Box::new(read(run, &text));
            draft.record(Event::OrderEnded { order, receipt });
        }
        Outcome::ToolFailed { why } => {
            let receipt = Box::new(Receipt::Refused(Fault::System { path: run.tool.clone(), why }));
            draft.record(Event::OrderEnded { order, receipt });
        }
        Outcome::Unknown => draft.record(Event::OrderLost { order }),
        Outcome::Replied { .. } | Outcome::Unanswered { .. } | Outcome::CallsLost { .. } | Outcome::Rang => {}
    }
    flow::go_on(draft);
}

/// A receipt of the workshop, or what a server's tool returned.
fn read(run: &RunTool, text: &str) -> Receipt {
    if run.tool == Order::REPEATABLE || run.tool == Order::ONCE {
        return serde_json::from_str(text).unwrap_or_else(|error| {
            Receipt::Refused(Fault::System { path: run.tool.clone(), why: error.to_string() })
        });
    }
    Receipt::Used(text.to_owned())
}

fn taken_back(draft: &mut Draft<'_, Companion>, outcome: Outcome) {
    let turn = draft.state.taking_back.as_ref().map_or(0, |back| back.turn);
    let restored = match outcome {
        Outcome::Returned { text } => match serde_json::from_str(&text) {
            Ok(Receipt::Restored(restored)) => restored,
            Ok(_) | Err(_) => Restored::default(),
        },
        Outcome::ToolFailed { .. } | Outcome::Unknown => Restored::default(),
        Outcome::Starting { .. }
        | Outcome::Replied { .. }
        | Outcome::Unanswered { .. }
        | Outcome::CallsLost { .. }
        | Outcome::Rang => return,
    };
    draft.record(Event::TakenBack { turn, restored });
    flow::go_on(draft);
}
