//! What becomes of a person's command.

use enza_kernel::agent::{self, What};
use enza_kernel::application::Draft;
use enza_kernel::gate::{GateState, Verdict as Yes};
use enza_kernel::limits;

use super::command::{Command, Open, Pick};
use super::consent::{Rule, Ruling, Scope, is_change};
use super::constraints::Constraint;
use super::desk::{Call, Desk, Ending};
use super::event::{Event, Opened};
use super::flow::{self, carrying, hearing, moving, set_status};
use super::refusal::Refusal;
use super::steps::{DONE, Status, Step};
use super::{Companion, words};

/// Decides a command.
pub(super) fn decide(draft: &mut Draft<'_, Companion>, command: Command) -> Result<(), Refusal> {
    if let Command::Open(open) = command {
        return self::open(draft, *open);
    }
    if draft.state.owner.is_empty() || draft.state.closed {
        return Err(Refusal::NotOpen);
    }
    match command {
        Command::Open(_) => return Err(Refusal::AlreadyOpen),
        Command::Say { text, when, files } => {
            let gate = draft.state.front().and_then(|desk| desk.gate.as_ref()?.open()).map(|gate| gate.id.clone());
            match (gate, hearing::plain_answer(&text)) {
                (Some(gate), Some(verdict)) => answer(draft, &gate, verdict, None, Scope::Once, Vec::new())?,
                (_, _) => hearing::say(draft, &text, when, files)?,
            }
        }
        Command::Answer { gate, verdict, note, scope, picks } => answer(draft, &gate, verdict, note, scope, picks)?,
        Command::Accept => accept(draft)?,
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
            let constraint = Constraint::of(&text).or_else(|| named(&text)).ok_or(Refusal::ForbidsNothing)?;
            draft.record(Event::Forbidden { constraint });
        }
        Command::Lift { place } => {
            draft.state.constraints.get(place as usize).ok_or(Refusal::NoSuchLine)?;
            draft.record(Event::Lifted { place });
        }
        Command::Mind(delta) => {
            let delta = delta.checked().map_err(Refusal::Text)?;
            let desk = front_desk(draft);
            draft.record(Event::Minded { desk, delta, cut: Vec::new() });
        }
        Command::RaiseBudget { tokens } => {
            draft.record(Event::BudgetRaised { tokens });
            let _ = retry(draft);
        }
        Command::Compact => compact(draft)?,
        Command::Close => draft.record(Event::Closed),
    }
    flow::go_on(draft);
    Ok(())
}

fn open(draft: &mut Draft<'_, Companion>, open: Open) -> Result<(), Refusal> {
    if !draft.state.owner.is_empty() {
        return Err(Refusal::AlreadyOpen);
    }
    let owner = draft.now().by.person().unwrap_or("local").to_owned();
    let on = super::day(draft.now().time);
    draft.record(Event::Opened(Box::new(Opened { owner, on, open })));
    draft.record(Event::DeskSet { desk: 1, aside: false });
    if let Some(unfinished) = draft.state.memory.unfinished.clone() {
        let delta = super::agent_state::Delta {
            goal: Some(unfinished.goal),
            why_now: Some(unfinished.why_now),
            plan_brief: Some(unfinished.plan_brief),
            open_questions: Some(unfinished.open_questions),
            ..super::agent_state::Delta::default()
        };
        let (delta, _) = delta.fitted();
        draft.record(Event::Minded { desk: 1, delta, cut: Vec::new() });
    }
    Ok(())
}

/// A person's answer at a gate: exactly what was shown is done, or nothing.
fn answer(
    draft: &mut Draft<'_, Companion>,
    gate: &str,
    verdict: Yes,
    note: Option<String>,
    scope: Scope,
    picks: Vec<Pick>,
) -> Result<(), Refusal> {
    let asked = |desk: &&Desk| desk.gate.as_ref().is_some_and(|one| one.gate().id == gate);
    let desk = draft.state.desks.iter().find(asked).ok_or(Refusal::NoSuchGate)?;
    let (id, state) = (desk.id, desk.gate.clone().ok_or(Refusal::NoSuchGate)?);
    let note = note.map(|note| limits::NOTE.check_optional(&note)).transpose().map_err(Refusal::Text)?;
    let answer = state
        .answer(verdict, note.filter(|note| !note.is_empty()), &draft.state.owner, draft.now())
        .map_err(Refusal::Gate)?;
    check_picks(desk, &picks)?;
    let kept = if verdict == Yes::Yes { rules(desk, scope) } else { Vec::new() };
    let told = words::refused(draft.state.lang(), answer.note.as_deref());
    let has_note = answer.note.is_some();
    draft.record(Event::GateAnswered { desk: id, answer, scope, picks });
    for rule in kept {
        draft.record(Event::RuleKept { rule, scope });
    }
    draft.record(Event::GateWithdrawn { desk: id });
    match verdict {
        Yes::Yes => carrying::begin(draft, id, "approved"),
        Yes::No => {
            draft.record(Event::BatchEnded { desk: id });
            moving::shift(draft, id, Step::Planning.word(), "refused");
            if has_note {
                let call = draft.state.desk(id).map_or(Call::Main, |desk| desk.call);
                flow::call(draft, id, call, &told);
            } else {
                tell(draft, id, &told);
                set_status(draft, id, Status::RequiresUserInput);
            }
        }
    }
    Ok(())
}

/// The model learns of it when it is next called.
fn tell(draft: &mut Draft<'_, Companion>, id: u32, text: &str) {
    let Some(thread) = draft.state.desk(id).map(Desk::thread) else { return };
    draft.record(flow::step(&thread, What::Nudged { text: text.into(), strike: false }));
    draft.record(flow::step(&thread, What::Rested));
}

fn check_picks(desk: &Desk, picks: &[Pick]) -> Result<(), Refusal> {
    let prepared = desk.batch.as_ref().map_or(&[][..], |batch| &batch.prepared);
    for pick in picks {
        let one = prepared.get(pick.file as usize).ok_or(Refusal::NoSuchHunk)?;
        let is_there = |hunk: &u32| (1..=one.hunks).contains(hunk);
        if pick.hunks.as_ref().is_some_and(|hunks| !hunks.iter().all(is_there)) {
            return Err(Refusal::NoSuchHunk);
        }
    }
    Ok(())
}

/// The standing rules that an answer makes: by the kind of change and its ending, by the first words of a command, by
/// the tool.
fn rules(desk: &Desk, scope: Scope) -> Vec<Rule> {
    if scope == Scope::Once {
        return Vec::new();
    }
    let Some(batch) = &desk.batch else { return Vec::new() };
    let rule = |want: &super::desk::Want| {
        let (operation, pattern) = if is_change(want.operation) {
            ("change".to_owned(), want.target.clone())
        } else {
            let words: Vec<&str> = want.target.split_whitespace().take(2).collect();
            (want.operation.word().to_owned(), format!("{} *", words.join(" ")))
        };
        Rule { verdict: Ruling::Allow, operation, pattern }
    };
    batch.wants.iter().filter(|want| !want.operation.only_looks()).map(rule).collect()
}

fn accept(draft: &mut Draft<'_, Companion>) -> Result<(), Refusal> {
    let desk = draft.state.front().ok_or(Refusal::NothingToAccept)?;
    let (id, is_ready) = (desk.id, desk.task.is_some() && desk.step() == Step::Review && !draft.state.is_busy(desk));
    if !is_ready {
        return Err(Refusal::NothingToAccept);
    }
    draft.record(Event::Completed { desk: id });
    if moving::shift(draft, id, DONE, "accepted") {
        draft.record(Event::TaskEnded { desk: id, ending: Ending::Accepted });
    }
    Ok(())
}

fn stop(draft: &mut Draft<'_, Companion>, task: Option<u32>) -> Result<(), Refusal> {
    let id = task.unwrap_or(draft.state.focus);
    let desk = draft.state.desk(id).ok_or(Refusal::NoSuchTask)?;
    if !draft.state.is_busy(desk) && desk.gate.is_none() && desk.task.is_none() {
        return Err(Refusal::NothingUnderWay);
    }
    if desk.gate.is_some() {
        draft.record(Event::GateWithdrawn { desk: id });
    }
    hearing::interrupt(draft, id);
    if draft.state.desk(id).is_some_and(|desk| desk.task.is_some()) {
        draft.record(Event::TaskEnded { desk: id, ending: Ending::Stopped });
    }
    set_status(draft, id, Status::RequiresUserInput);
    Ok(())
}

fn background(draft: &mut Draft<'_, Companion>) -> Result<(), Refusal> {
    let desk = draft.state.front().ok_or(Refusal::NothingUnderWay)?;
    let (id, is_busy) = (desk.id, draft.state.is_busy(desk) || desk.gate.is_some());
    if !is_busy {
        return Err(Refusal::NothingUnderWay);
    }
    draft.record(Event::SentBack { desk: id });
    flow::set_front(draft);
    Ok(())
}

fn front(draft: &mut Draft<'_, Companion>, task: u32) -> Result<(), Refusal> {
    let desk = draft.state.desk(task).filter(|desk| !desk.aside).ok_or(Refusal::NoSuchTask)?.id;
    draft.record(Event::BroughtForward { desk });
    Ok(())
}

fn take_back(draft: &mut Draft<'_, Companion>, turn: u32) -> Result<(), Refusal> {
    if draft.state.desks.iter().any(|desk| draft.state.is_busy(desk)) || draft.state.taking_back.is_some() {
        return Err(Refusal::Busy);
    }
    draft.state.turns.iter().find(|one| one.number == turn).ok_or(Refusal::NoSuchTurn)?;
    let changes = draft.state.changes_since(turn);
    draft.record(Event::TakingBack { turn, changes });
    Ok(())
}

/// The way out of whatever state (G15): the task is cleared; files, log and rules stay.
fn reset(draft: &mut Draft<'_, Companion>) {
    let id = front_desk(draft);
    if draft.state.desk(id).is_some_and(|desk| desk.gate.is_some()) {
        draft.record(Event::GateWithdrawn { desk: id });
    }
    hearing::interrupt(draft, id);
    if draft.state.desk(id).is_some_and(|desk| desk.task.is_some()) {
        draft.record(Event::TaskEnded { desk: id, ending: Ending::Reset });
    }
    set_status(draft, id, Status::RequiresUserInput);
}

fn retry(draft: &mut Draft<'_, Companion>) -> Result<(), Refusal> {
    let failed: Vec<(u32, String)> = draft
        .state
        .desks
        .iter()
        .filter(|desk| draft.state.failure(desk).is_some())
        .map(|desk| (desk.id, desk.thread()))
        .collect();
    if failed.is_empty() {
        return Err(Refusal::NothingFailed);
    }
    for (id, thread) in failed {
        draft.record(flow::step(&thread, What::Retried));
        set_status(draft, id, Status::InProgress);
    }
    agent::govern(draft);
    Ok(())
}

/// Shortens the conversation in mind to its summary. The log keeps all of it.
fn compact(draft: &mut Draft<'_, Companion>) -> Result<(), Refusal> {
    let desk = draft.state.front().ok_or(Refusal::NothingUnderWay)?;
    if draft.state.is_busy(desk) {
        return Err(Refusal::Busy);
    }
    let thread = desk.thread();
    let dropped = draft.state.cast.threads.get(&thread).map_or(0, |thread| thread.messages.len());
    let summary = super::prompts::summary(&draft.state);
    draft.record(flow::step(&thread, What::Compacted { dropped, summary: summary.into() }));
    Ok(())
}

/// A constraint from a bare path.
fn named(text: &str) -> Option<Constraint> {
    let text = text.trim();
    let is_name = !text.is_empty() && !text.contains(char::is_whitespace);
    is_name.then(|| Constraint { text: text.to_owned(), paths: vec![text.to_owned()] })
}

fn front_desk(draft: &mut Draft<'_, Companion>) -> u32 {
    if draft.state.front().is_none() {
        flow::set_front(draft);
    }
    draft.state.focus
}

impl Companion {
    /// The gate of a session that a person may answer now, if one waits.
    pub fn open_gate(state: &super::State) -> Option<&enza_kernel::gate::Gate> {
        let front = state.front().and_then(|desk| desk.gate.as_ref());
        let others = state.desks.iter().filter_map(|desk| desk.gate.as_ref());
        front.into_iter().chain(others).find_map(GateState::open)
    }
}
