//! A person's answer at a gate: what follows from it, and the rules that one which counts for longer makes.
//!
//! Exactly what was shown is done, or nothing. A lasting answer is about exactly what was asked: a yes allows it from then
//! on, a no denies it, and a denial wins over everything. A closed path is opened once, however long the answer counts.

use enza_kernel::application::Draft;
use enza_kernel::gate::{Given, Verdict as Yes};
use enza_kernel::limits;
use enza_kernel::refusal::CommonRefusal;

use super::action::Operation;
use super::batch::Batch;
use super::command::{Command, Pick};
use super::consent::{Rule, Ruling, Scope, is_change};
use super::event::Event;
use super::flow::{self, closed_paths, execute, set_status, transition};
use super::refusal::Refusal;
use super::risk::RiskTable;
use super::steps::{Status, Step};
use super::task::{ModelCall, Task};
use super::{Companion, risk, share, words};

/// The command that gives this answer.
pub(super) fn command(gate: &str, given: Given) -> Command {
    let Given { verdict, note, scope, picks, left } = given;
    Command::Answer { gate: gate.to_owned(), verdict, note, scope, picks, left }
}

/// A person's answer at a gate: exactly what was shown is done, or nothing.
pub(super) fn answer(draft: &mut Draft<'_, Companion>, gate: &str, given: Given) -> Result<(), Refusal> {
    let Given { verdict, note, scope, picks, left } = given;
    let asked = |task: &&Task| task.gate.as_ref().is_some_and(|one| one.gate().id == gate);
    let task = draft.state.desks.iter().find(asked).ok_or(Refusal::Common(CommonRefusal::NoSuchGate))?;
    let (id, state) = (task.id, task.gate.clone().ok_or(Refusal::Common(CommonRefusal::NoSuchGate))?);
    let note = note.map(|note| limits::NOTE.check_optional(&note)).transpose().map_err(Refusal::Text)?;
    check_picks(task, &picks)?;
    check_left(task, &left)?;
    let (left, shares) = task.batch.as_ref().map_or_else(Default::default, |batch| {
        (share::left_out(batch, &picks, &left), share::shares(batch, &picks, &left))
    });
    // A yes to nothing is a no.
    let takes_nothing =
        task.batch.as_ref().is_some_and(|batch| !left.is_empty() && left.len() == batch.asked().count());
    let verdict = if takes_nothing { Yes::No } else { verdict };
    let (left, shares) = if verdict == Yes::No { Default::default() } else { (left, shares) };
    let answer = state
        .answer(verdict, note.filter(|note| !note.is_empty()), &draft.state.owner, draft.now())
        .map_err(Refusal::Gate)?;
    let opened = task.batch.as_ref().filter(|_| verdict == Yes::Yes).map(closed_paths::paths).unwrap_or_default();
    let ruling = if verdict == Yes::Yes { Ruling::Allow } else { Ruling::Deny };
    let is_offer = task.batch.as_ref().is_some_and(Batch::has_kept_command);
    let lasting = task.batch.as_ref().filter(|_| scope != Scope::Once && opened.is_empty() && !is_offer);
    let came = task.batch.as_ref().filter(|_| is_offer).map(|batch| flow::report::results(&draft.state, batch));
    let kept = lasting.map(|batch| rules(batch, ruling, &left, &draft.state.settings.risk)).unwrap_or_default();
    let (lang, said) = (draft.state.lang(), answer.note.clone());
    draft.record(Event::GateAnswered { desk: id, answer, scope, picks, left, shares });
    if let (Yes::Yes, Some(said)) = (verdict, &said) {
        flow::tell(draft, id, &words::agreed(lang, said));
    }
    if !opened.is_empty() {
        closed_paths::open(draft, id, opened);
        return Ok(());
    }
    for rule in kept {
        draft.record(Event::RuleKept { rule, scope });
    }
    draft.record(Event::GateWithdrawn { desk: id });
    match verdict {
        Yes::Yes => execute::start(draft, id, "approved"),
        Yes::No => {
            draft.record(Event::BatchEnded { desk: id });
            transition::shift(draft, id, Step::Planning.word(), "refused");
            let refused = words::refused(lang, said.as_deref());
            let told = came.map_or(refused, |came| words::not_opened(lang, &came));
            if said.is_some() {
                // What the person said with it is a word like any other, and the next move is its own (G11).
                draft.record(Event::Completed { desk: id });
                let call = draft.state.task(id).map_or(ModelCall::Main, |task| task.call);
                flow::call_model(draft, id, call, &told);
            } else {
                flow::tell(draft, id, &told);
                set_status(draft, id, Status::RequiresUserInput);
            }
        }
    }
    Ok(())
}

fn check_picks(task: &Task, picks: &[Pick]) -> Result<(), Refusal> {
    let prepared = task.batch.as_ref().map_or(&[][..], |batch| &batch.prepared);
    for pick in picks {
        let one = prepared.get(pick.file as usize).ok_or(Refusal::NoSuchHunk)?;
        let is_there = |hunk: &u32| (1..=one.hunks).contains(hunk);
        if pick.hunks.as_ref().is_some_and(|hunks| !hunks.iter().all(is_there)) {
            return Err(Refusal::NoSuchHunk);
        }
    }
    Ok(())
}

/// Only what is no change of a file is left out by its place, and nothing where the question is whether a path is opened.
fn check_left(task: &Task, left: &[u32]) -> Result<(), Refusal> {
    let Some(batch) = &task.batch else { return if left.is_empty() { Ok(()) } else { Err(Refusal::NoSuchHunk) } };
    let can_be_left: Vec<u32> = others(batch).map(|place| place as u32).collect();
    if left.iter().all(|place| can_be_left.contains(place)) { Ok(()) } else { Err(Refusal::NoSuchHunk) }
}

/// The places of what is asked for besides changes, each of which can be left out.
pub(super) fn others(batch: &Batch) -> impl Iterator<Item = usize> {
    let opens = !closed_paths::paths(batch).is_empty();
    batch.asked().filter(move |place| !opens && !is_change(batch.wants[*place].operation))
}

/// What is said of everything that is asked for and not left out: by the path of a change, by the first words of a command, by
/// the tool.
pub(super) fn rules(batch: &Batch, verdict: Ruling, left: &[u32], table: &RiskTable) -> Vec<Rule> {
    let rule = |operation: &str, pattern: String| Rule { verdict, operation: operation.to_owned(), pattern };
    let mut rules: Vec<Rule> = Vec::new();
    for place in batch.asked().filter(|place| !left.contains(&(*place as u32))) {
        let want = &batch.wants[place];
        let found: Vec<Rule> = match want.operation {
            Operation::List | Operation::Read | Operation::Search => {
                let closed = closed_paths::closed(batch, place);
                closed.map(|(path, _)| rule(want.operation.word(), exactly(path))).into_iter().collect()
            }
            Operation::Run if closed_paths::closed(batch, place).is_some() => Vec::new(),
            Operation::Run => vec![rule("run", risk::lasting(&want.target, table))],
            Operation::Tool => vec![rule("tool", want.target.clone())],
            Operation::Write
            | Operation::Edit
            | Operation::Append
            | Operation::Patch
            | Operation::Create
            | Operation::Delete
            | Operation::Move => batch.changes_of(place).map(|one| rule("change", exactly(&one.change.path))).collect(),
        };
        for rule in found {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
    }
    rules
}

/// The pattern of one path. A bare name would hold in every folder, and a star in a name for other names.
fn exactly(path: &str) -> String {
    let path = path.replace('*', "\\*").replace('?', "\\?");
    if path.contains('/') { path } else { format!("./{path}") }
}
