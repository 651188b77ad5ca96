//! What a session owes the workshop, and what comes back.
//!
//! Looks and changes may be done again after a crash, since a change is known by its two sides; commands and tools may
//! not, so their start is recorded first. Of all pieces of work one at a time touches the folder; looking is free.

use enza_kernel::application::Draft;
use enza_kernel::effect::{Effect, Key, Outcome, RunTool, Safety};
use enza_kernel::limits;
use serde_json::Value;

use super::action::ParsedAction;
use super::batch::{Batch, OrderKind, OrderState, Stage};
use super::command::Pick;
use super::event::Event;
use super::flow;
use super::note::Note;
use super::settings::CheckCommand;
use super::state::{DetachedOrder, State};
use super::task::Task;
use super::{Companion, commit, keep_rule, words};
use enza_work::{Change, ChosenChange, Fault, Invocation, Job, Order, Proposal, Receipt, RestoreResult, Run};

/// How much of a command is told with what came of it, in characters.
const COMMAND: usize = 100;

/// The tool runs that are due.
pub(super) fn due(state: &State) -> Vec<Effect> {
    if let Some(back) = &state.taking_back {
        let job = Job::Restore { changes: back.changes.clone() };
        return vec![effect(order(state, job, opened(&back.changes)), back.key, Safety::Settled, None)];
    }
    let mut due: Vec<Effect> = state.leaving.iter().flat_map(|one| effects_of_detached(state, one)).collect();
    if let Some(commit) = &state.committing {
        due.push(effect(order(state, commit.job(), Vec::new()), commit.key, Safety::Once, commit.started.clone()));
    }
    for task in &state.desks {
        let Some(batch) = &task.batch else { continue };
        let open = || batch.orders.iter().filter(|order| order.receipt.is_none() && !order.lost);
        match batch.stage {
            Stage::Preparing | Stage::Asking => {
                due.extend(open().filter_map(|order| effect_of(state, task, batch, order)));
            }
            Stage::Doing | Stage::Checking => {}
        }
    }
    if let Some((task, ordered)) = state.running_order()
        && let Some(batch) = &task.batch
    {
        due.extend(effect_of(state, task, batch, ordered));
    }
    due
}

/// What nobody waits for any longer: a change is made to its end, a command is told to end and still owes its receipt, and
/// what either changed against the rules is put back.
fn effects_of_detached(state: &State, one: &DetachedOrder) -> Vec<Effect> {
    if let Some(run) = one.recovers {
        return vec![effect(order(state, Job::Recover { run }, Vec::new()), one.key, Safety::Repeatable, None)];
    }
    let Some(stopping) = &one.stopping else {
        let changes = one.changes.clone();
        let task = if one.back { Job::Restore { changes } } else { Job::Make { changes } };
        return vec![effect(order(state, task, opened(&one.changes)), one.key, Safety::Settled, None)];
    };
    let run = order(state, Job::Run(stopping.run.clone()), stopping.granted.clone());
    let halt = |key| effect(order(state, Job::Halt { run: one.key }, Vec::new()), key, Safety::Repeatable, None);
    let run = effect(run, one.key, Safety::Once, Some(stopping.started.clone()));
    stopping.halt.map(halt).into_iter().chain([run]).collect()
}

fn effect_of(state: &State, task: &Task, batch: &Batch, ordered: &OrderState) -> Option<Effect> {
    let wish = |place: u32| task.action(place).and_then(|action| action.parse().ok());
    let order = |job: Job| order(state, job, batch.granted.clone());
    // What a person opened for a look or a change, whose paths they saw, is not open to commands: what one reads nobody sees.
    let bare = |job: Job| self::order(state, job, Vec::new());
    let once = |job: Job| {
        let readable = if matches!(ordered.does, OrderKind::Run(_)) { batch.readable.clone() } else { Vec::new() };
        effect(self::order(state, job, readable), ordered.key, Safety::Once, ordered.started.clone())
    };
    let repeatable = |job: Job| effect(order(job), ordered.key, Safety::Repeatable, None);
    let made = match ordered.does {
        OrderKind::Look(place) => match wish(place)? {
            ParsedAction::Look(job) => repeatable(job),
            ParsedAction::Change(_) | ParsedAction::Run(_) | ParsedAction::Tool { .. } => return None,
        },
        OrderKind::Prepare => repeatable(Job::Prepare { proposals: proposals(task) }),
        OrderKind::Choose => repeatable(Job::Choose { chosen: chosen_changes(batch) }),
        OrderKind::Make => {
            let job = Job::Make { changes: changes(batch) };
            effect(order(job), ordered.key, Safety::Settled, None)
        }
        OrderKind::PutBack(from) => {
            let changes = batch.put_back.get(from as usize..).unwrap_or_default().to_vec();
            effect(order(Job::Restore { changes }), ordered.key, Safety::Settled, None)
        }
        OrderKind::Run(_) | OrderKind::Check(_) => once(Job::Run(command(state, task, ordered.does)?)),
        OrderKind::Recover(place) => {
            let job = Job::Recover { run: batch.orders.get(place as usize)?.key };
            effect(bare(job), ordered.key, Safety::Repeatable, None)
        }
        OrderKind::Tool(place) => match wish(place)? {
            ParsedAction::Tool { name, arguments } => Effect::RunTool(RunTool {
                key: ordered.key,
                tool: name,
                arguments,
                safety: Safety::Once,
                started: ordered.started.clone(),
                reserve: 0,
            }),
            ParsedAction::Look(_) | ParsedAction::Change(_) | ParsedAction::Run(_) => return None,
        },
    };
    Some(made)
}

/// The command that an order runs, if it runs one.
pub(super) fn command(state: &State, task: &Task, does: OrderKind) -> Option<Run> {
    let run = match does {
        OrderKind::Run(place) => match task.action(place)?.parse().ok()? {
            ParsedAction::Run(run) => run,
            ParsedAction::Look(_) | ParsedAction::Change(_) | ParsedAction::Tool { .. } => return None,
        },
        OrderKind::Check(place) => {
            let command = Invocation::Words(state.settings.checks.get(place as usize)?.command.clone());
            Run { command, at: String::new(), seconds: 0, network: false }
        }
        OrderKind::Look(_)
        | OrderKind::Prepare
        | OrderKind::Choose
        | OrderKind::Make
        | OrderKind::Tool(_)
        | OrderKind::PutBack(_)
        | OrderKind::Recover(_) => return None,
    };
    Some(within(state, run))
}

fn order(state: &State, task: Job, granted: Vec<String>) -> Order {
    Order { folder: state.folder.clone(), task, bounds: state.bounds(), granted }
}

/// The paths outside the folder in changes that were allowed once: they were opened for them.
fn opened(changes: &[Change]) -> Vec<String> {
    let paths = changes.iter().flat_map(|one| std::iter::once(&one.path).chain(&one.to));
    paths.filter(|path| path.starts_with('/')).cloned().collect()
}

fn effect(order: Order, key: Key, safety: Safety, started: Option<String>) -> Effect {
    let tool = match safety {
        Safety::Repeatable | Safety::Settled => Order::REPEATABLE,
        Safety::Once => Order::ONCE,
    };
    let arguments = serde_json::to_value(order).unwrap_or(Value::Null);
    Effect::RunTool(RunTool { key, tool: tool.to_owned(), arguments, safety, started, reserve: 0 })
}

/// A command within the settings: as long as they give it, and no network that was not allowed.
fn within(state: &State, run: Run) -> Run {
    Run { seconds: state.settings.command_seconds.max(1), network: state.settings.network, ..run }
}

/// Every change of the verdict, in its order.
fn proposals(task: &Task) -> Vec<Proposal> {
    let actions = task.verdict.iter().flat_map(|verdict| &verdict.actions);
    actions
        .filter_map(|action| match action.parse().ok()? {
            ParsedAction::Change(proposal) => Some(proposal),
            ParsedAction::Look(_) | ParsedAction::Run(_) | ParsedAction::Tool { .. } => None,
        })
        .collect()
}

/// What a person picked, file by file; a file that is not named is taken whole.
fn chosen_changes(batch: &Batch) -> Vec<ChosenChange> {
    let pick = |(place, prepared): (usize, &enza_work::PreparedChange)| {
        let pick: Option<&Pick> = batch.picks.iter().find(|pick| pick.file as usize == place);
        ChosenChange {
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
        return settle_undo(draft, outcome);
    }
    if draft.state.unwritten.iter().any(|one| one.key == run.key) {
        return keep_rule::settle(draft, run.key, outcome);
    }
    if draft.state.committing.as_ref().is_some_and(|commit| commit.key == run.key) {
        commit::settle(draft, run.key, outcome);
        return flow::advance_all(draft);
    }
    let halts = |one: &DetachedOrder| one.stopping.as_ref().is_some_and(|one| one.halt == Some(run.key));
    let is_leaving = draft.state.leaving.iter().any(|one| one.key == run.key || halts(one));
    let is_open = |(task, place): (&Task, usize)| {
        let order = task.batch.as_ref().map(|batch| &batch.orders[place]);
        order.is_some_and(|order| order.receipt.is_none() && !order.lost)
    };
    if !is_leaving && !draft.state.find_order(run.key).is_some_and(is_open) {
        return;
    }
    let order = run.key;
    match outcome {
        Outcome::Starting { mark } => draft.record(Event::OrderStarted { order, mark }),
        Outcome::Returned { text } => {
            let mut receipt = Box::new(receipt_of(run, &text));
            if let Receipt::Ran(ran) = &mut *receipt {
                ran.command = limits::one_line(&command_of(&draft.state, order), COMMAND);
            }
            let was_put_back = draft.state.leaving.iter().any(|one| one.key == order && one.back);
            let paths = receipt.restored().filter(|_| was_put_back).map(<[String]>::to_vec).unwrap_or_default();
            draft.record(Event::OrderEnded { order, receipt });
            tell_put_back(draft, paths);
        }
        Outcome::ToolFailed { why } => {
            let fault = if is_workshops(run) {
                Fault::System { path: run.tool.clone(), why }
            } else {
                Fault::Tool { tool: run.tool.clone(), why }
            };
            draft.record(Event::OrderEnded { order, receipt: Box::new(Receipt::Refused(fault)) });
        }
        Outcome::Unknown => {
            if is_leaving {
                // No piece of work is left that would tell it.
                let note = Note::Unknown { what: stopped(&draft.state, order), changed: Vec::new() };
                draft.record(Event::Noted { desk: draft.state.focus, note });
            }
            draft.record(Event::OrderLost { order, recovers: true });
        }
        Outcome::Replied { .. }
        | Outcome::Unanswered { .. }
        | Outcome::TooLong { .. }
        | Outcome::CallsLost { .. }
        | Outcome::Delivered { .. }
        | Outcome::Declined { .. }
        | Outcome::Found { .. }
        | Outcome::Rang => {}
    }
    flow::advance_all(draft);
}

/// What was forbidden while it was being changed was put back: the person is told, and every thread that rests, since the
/// one that changed it believes that it stands.
fn tell_put_back(draft: &mut Draft<'_, Companion>, paths: Vec<String>) {
    if paths.is_empty() {
        return;
    }
    let word = words::put_back(draft.state.lang(), &paths);
    draft.record(Event::Noted { desk: draft.state.focus, note: Note::PutBack { paths } });
    for id in draft.state.desks.iter().map(|task| task.id).collect::<Vec<_>>() {
        if draft.state.task(id).is_some_and(|task| flow::rests(draft, task)) {
            flow::tell(draft, id, &word);
        }
    }
}

/// The command behind an order, as one would type it.
fn command_of(state: &State, key: Key) -> String {
    let Some((task, place)) = state.find_order(key) else { return stopped(state, key) };
    let Some(batch) = &task.batch else { return String::new() };
    let does = batch.orders[place].does;
    let does =
        if let OrderKind::Recover(of) = does { batch.orders.get(of as usize).map(|one| one.does) } else { Some(does) };
    match does {
        Some(OrderKind::Run(place)) => batch.wants.get(place as usize).map(|want| want.target.clone()),
        Some(OrderKind::Check(place)) => state.settings.checks.get(place as usize).map(CheckCommand::typed),
        Some(
            OrderKind::Look(_)
            | OrderKind::Prepare
            | OrderKind::Choose
            | OrderKind::Make
            | OrderKind::Tool(_)
            | OrderKind::PutBack(_)
            | OrderKind::Recover(_),
        )
        | None => None,
    }
    .unwrap_or_default()
}

/// What is being stopped, in one line.
fn stopped(state: &State, key: Key) -> String {
    let stopping = state.leaving.iter().find(|one| one.key == key).and_then(|one| one.stopping.as_ref());
    match stopping.map(|one| &one.run.command) {
        Some(Invocation::Words(words)) => words.join(" "),
        Some(Invocation::Line(line)) => line.clone(),
        None => String::new(),
    }
}

/// A receipt of the workshop, or what a server's tool returned.
fn receipt_of(run: &RunTool, text: &str) -> Receipt {
    if is_workshops(run) {
        return serde_json::from_str(text).unwrap_or_else(|error| {
            Receipt::Refused(Fault::System { path: run.tool.clone(), why: error.to_string() })
        });
    }
    Receipt::Used(text.to_owned())
}

fn is_workshops(run: &RunTool) -> bool {
    run.tool == Order::REPEATABLE || run.tool == Order::ONCE
}

fn settle_undo(draft: &mut Draft<'_, Companion>, outcome: Outcome) {
    let turn = draft.state.taking_back.as_ref().map_or(0, |back| back.turn);
    let restored = match outcome {
        Outcome::Returned { text } => match serde_json::from_str(&text) {
            Ok(Receipt::Restored(restored)) => restored,
            Ok(_) | Err(_) => RestoreResult::default(),
        },
        Outcome::ToolFailed { .. } | Outcome::Unknown => RestoreResult::default(),
        Outcome::Starting { .. }
        | Outcome::Replied { .. }
        | Outcome::Unanswered { .. }
        | Outcome::TooLong { .. }
        | Outcome::CallsLost { .. }
        | Outcome::Delivered { .. }
        | Outcome::Declined { .. }
        | Outcome::Found { .. }
        | Outcome::Rang => return,
    };
    let paths = restored.restored.clone();
    let stands = paths.is_empty() && draft.state.taking_back.as_ref().is_some_and(|back| !back.changes.is_empty());
    draft.record(Event::TakenBack { turn, restored });
    flow::transition::take_back(draft, turn, stands);
    if !paths.is_empty() {
        // Every thread still says that they were changed.
        let (word, tasks) = (words::taken_back(draft.state.lang(), &paths), draft.state.desks.iter());
        for id in tasks.map(|task| task.id).collect::<Vec<_>>() {
            flow::tell(draft, id, &word);
        }
    }
    flow::advance_all(draft);
}
