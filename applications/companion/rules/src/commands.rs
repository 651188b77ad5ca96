//! What becomes of a person's command.

use enza_kernel::agent::{self, ThreadEvent};
use enza_kernel::application::Draft;
use enza_kernel::gate::{GateState, Given, plain_answer};
use enza_kernel::limits;
use enza_kernel::refusal::CommonRefusal;

use super::agent_state::Delta;
use super::command::{Command, Open};
use super::constraints::Constraint;
use super::event::{Event, Opened};
use super::flow::{self, message, set_status};
use super::refusal::Refusal;
use super::steps::Status;
use super::task::{Ending, Task};
use super::{Companion, accept, commit, gate_answer};

/// What a session may be called.
const TITLE: limits::Limit = limits::Limit { name: "title", graphemes: 100, bytes: 600 };

/// Decides a command.
pub(super) fn decide(draft: &mut Draft<'_, Companion>, command: Command) -> Result<(), Refusal> {
    if let Command::Open(open) = command {
        return self::open(draft, *open);
    }
    if draft.state.owner.is_empty() || draft.state.closed {
        return Err(Refusal::Common(CommonRefusal::NotOpen));
    }
    match command {
        Command::Open(_) => return Err(Refusal::Common(CommonRefusal::AlreadyOpen)),
        Command::Say { text, when, files } => {
            let gate = message::gate_meant(&draft.state).map(|gate| gate.id.clone());
            match (gate, plain_answer(&text)) {
                (Some(gate), Some(verdict)) => gate_answer::answer(draft, &gate, Given::new(verdict, None))?,
                (_, _) => message::say(draft, &text, when, files)?,
            }
        }
        Command::Answer { gate, verdict, note, scope, picks, left } => {
            gate_answer::answer(draft, &gate, Given { verdict, note, scope, picks, left })?;
        }
        Command::Accept => accept::accept(draft)?,
        Command::Commit { message } => commit::commit(draft, message)?,
        Command::Stop { task } => stop(draft, task)?,
        Command::Background => background(draft)?,
        Command::Front { task } => front(draft, task)?,
        Command::TakeBack { turn } => take_back(draft, turn)?,
        Command::Reset => reset(draft),
        Command::Retry => retry(draft)?,
        Command::SetMode { mode } => draft.record(Event::ModeSet { mode }),
        Command::Remember { rule, scope } => draft.record(Event::RuleKept { rule, scope }),
        Command::ForgetRule { place } => {
            draft.state.rules.get(place as usize).ok_or(Refusal::NoSuchLine)?;
            draft.record(Event::RuleForgotten { place });
        }
        Command::Forbid { text } => {
            let constraint = Constraint::meant(&text).ok_or(Refusal::ForbidsNothing)?;
            if !constraint.fits_beside(&draft.state.constraints) {
                return Err(Refusal::TooMuchForbidden);
            }
            draft.record(Event::Forbidden { constraint });
        }
        Command::Lift { place } => {
            draft.state.constraints.get(place as usize).ok_or(Refusal::NoSuchLine)?;
            draft.record(Event::Lifted { place });
        }
        Command::Mind(delta) => {
            let delta = delta.checked().map_err(Refusal::Text)?;
            let task = ensure_front(draft);
            flow::state_delta::change(draft, task, Event::Minded { desk: task, delta, cut: Vec::new() });
        }
        Command::RaiseBudget { tokens } => {
            draft.record(Event::BudgetRaised { tokens });
            let _ = retry(draft);
        }
        Command::Rename { title } => {
            let title = TITLE.check(&title).map_err(Refusal::Text)?;
            draft.record(Event::Renamed { title });
        }
        Command::Compact => compact(draft)?,
        Command::Close => draft.record(Event::Closed),
    }
    flow::advance_all(draft);
    Ok(())
}

fn open(draft: &mut Draft<'_, Companion>, open: Open) -> Result<(), Refusal> {
    if !draft.state.owner.is_empty() {
        return Err(Refusal::Common(CommonRefusal::AlreadyOpen));
    }
    let owner = draft.now().by.person().unwrap_or("local").to_owned();
    let on = super::day(draft.now().time);
    draft.record(Event::Opened(Box::new(Opened { owner, on, open })));
    draft.record(Event::DeskSet { desk: 1, aside: false });
    if let Some(unfinished) = draft.state.memory.unfinished.clone() {
        let delta = Delta {
            goal: Some(unfinished.goal),
            why_now: Some(unfinished.why_now),
            plan_brief: Some(unfinished.plan_brief),
            open_questions: Some(unfinished.open_questions),
            constraints: Some(unfinished.constraints),
            decision_log: Some(unfinished.decision_log),
            ..Delta::default()
        };
        let (delta, _) = delta.fitted();
        draft.record(Event::Minded { desk: 1, delta, cut: Vec::new() });
    }
    flow::state_delta::look(draft, 1);
    Ok(())
}

fn stop(draft: &mut Draft<'_, Companion>, task: Option<u32>) -> Result<(), Refusal> {
    let id = task.unwrap_or(draft.state.focus);
    let task = draft.state.task(id).ok_or(Refusal::NoSuchTask)?;
    if !draft.state.is_busy(task) && task.gate.is_none() && task.task.is_none() {
        return Err(Refusal::NothingUnderWay);
    }
    if task.gate.is_some() {
        draft.record(Event::GateWithdrawn { desk: id });
    }
    message::interrupt(draft, id);
    if draft.state.task(id).is_some_and(|task| task.task.is_some()) {
        draft.record(Event::TaskEnded { desk: id, ending: Ending::Stopped });
    }
    set_status(draft, id, Status::RequiresUserInput);
    Ok(())
}

fn background(draft: &mut Draft<'_, Companion>) -> Result<(), Refusal> {
    let task = draft.state.front().ok_or(Refusal::NothingUnderWay)?;
    let (id, is_busy) = (task.id, draft.state.is_busy(task) || task.gate.is_some());
    if !is_busy {
        return Err(Refusal::NothingUnderWay);
    }
    draft.record(Event::SentBack { desk: id });
    flow::open_front(draft);
    Ok(())
}

fn front(draft: &mut Draft<'_, Companion>, task: u32) -> Result<(), Refusal> {
    let task = draft.state.task(task).filter(|task| !task.aside).ok_or(Refusal::NoSuchTask)?.id;
    let summary = super::prompts::summary(&draft.state, draft.state.front());
    draft.record(Event::BroughtForward { desk: task });
    if draft.state.task(task).is_some_and(|task| flow::rests(draft, task)) {
        // What was talked about meanwhile goes on here.
        flow::tell(draft, task, &summary);
    }
    Ok(())
}

fn take_back(draft: &mut Draft<'_, Companion>, turn: u32) -> Result<(), Refusal> {
    if draft.state.desks.iter().any(|task| draft.state.is_busy(task)) || draft.state.is_changing_files() {
        return Err(Refusal::Busy);
    }
    let known = draft.state.turns.iter().find(|one| one.number == turn).ok_or(Refusal::NoSuchTurn)?;
    let changes = draft.state.changes_since(turn);
    if known.taken_back.is_some() && changes.is_empty() {
        return Err(Refusal::NoSuchTurn);
    }
    draft.record(Event::TakingBack { turn, changes });
    Ok(())
}

/// The way out of whatever state (G15): the task is cleared; files, log and rules stay.
fn reset(draft: &mut Draft<'_, Companion>) {
    let id = ensure_front(draft);
    if draft.state.task(id).is_some_and(|task| task.gate.is_some()) {
        draft.record(Event::GateWithdrawn { desk: id });
    }
    message::interrupt(draft, id);
    if draft.state.task(id).is_some_and(|task| task.task.is_some()) {
        draft.record(Event::TaskEnded { desk: id, ending: Ending::Reset });
    }
    let task = draft.state.task(id);
    if let Some(thread) = task.filter(|task| draft.state.failure(task).is_some()).map(Task::thread) {
        draft.record(flow::step(&thread, ThreadEvent::Rested));
    }
    if draft.state.task(id).is_some_and(|task| task.mind.has_work()) {
        draft.record(Event::Minded { desk: id, delta: Delta::clear(), cut: Vec::new() });
    }
    set_status(draft, id, Status::RequiresUserInput);
}

fn retry(draft: &mut Draft<'_, Companion>) -> Result<(), Refusal> {
    let failed: Vec<(u32, String)> = draft
        .state
        .desks
        .iter()
        .filter(|task| draft.state.failure(task).is_some())
        .map(|task| (task.id, task.thread()))
        .collect();
    if failed.is_empty() {
        return Err(Refusal::Common(CommonRefusal::NothingToRetry));
    }
    for (id, thread) in failed {
        // A person wants it: what it was about to do may be done (G11).
        draft.record(Event::Completed { desk: id });
        draft.record(flow::step(&thread, ThreadEvent::Retried));
        set_status(draft, id, Status::InProgress);
    }
    agent::enforce_limits(draft);
    Ok(())
}

/// Shortens the conversation in mind to its summary. The log keeps all of it.
fn compact(draft: &mut Draft<'_, Companion>) -> Result<(), Refusal> {
    let task = draft.state.front().ok_or(Refusal::NothingUnderWay)?;
    if draft.state.is_busy(task) {
        return Err(Refusal::Busy);
    }
    let thread = task.thread();
    let dropped = draft.state.cast.threads.get(&thread).map_or(0, |thread| thread.messages.len());
    let summary = super::prompts::summary(&draft.state, draft.state.front());
    draft.record(flow::step(&thread, ThreadEvent::Compacted { dropped, summary: summary.into() }));
    Ok(())
}

fn ensure_front(draft: &mut Draft<'_, Companion>) -> u32 {
    if draft.state.front().is_none() {
        flow::open_front(draft);
    }
    draft.state.focus
}

impl Companion {
    /// The gate of a session that a person may answer now, if one waits.
    pub fn open_gate(state: &super::State) -> Option<&enza_kernel::gate::Gate> {
        let front = state.front().and_then(|task| task.gate.as_ref());
        let others = state.desks.iter().filter_map(|task| task.gate.as_ref());
        front.into_iter().chain(others).find_map(GateState::open)
    }
}
