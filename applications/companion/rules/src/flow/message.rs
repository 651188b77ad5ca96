//! A person speaks: at once, in turn, or beside the work.
//!
//! A word for the work in front is heard when the work rests; until then it waits, unless the person wants it heard now,
//! which stops what is under way, or aside, which leaves it alone. A plain yes or no while one question is open is its
//! answer (G30), wherever that waits; everything else said meanwhile is talk and leaves the question open (G28).

use enza_kernel::agent::{self, ThreadEvent};
use enza_kernel::application::Draft;
use enza_kernel::gate::Gate;
use enza_kernel::limits::{self, Limit};
use enza_kernel::prompt::fence;

use super::super::command::{Attached, When};
use super::super::constraints::Constraint;
use super::super::event::Event;
use super::super::note::Note;
use super::super::refusal::Refusal;
use super::super::state::{MOST_QUEUED, State};
use super::super::task::Task;
use super::super::{COMMANDER, Companion, choice, prompts, words};
use super::{rests, step, tell, transition};

/// What a person may say at once.
pub const WORDS: Limit = Limit { name: "message", graphemes: 60_000, bytes: 240 * 1024 };
/// How much of an offer is told back, in characters.
const OFFER: usize = 200;
/// How many tasks there may be at once.
const MOST_TASKS: usize = 8;

/// A person speaks.
pub(in super::super) fn say(
    draft: &mut Draft<'_, Companion>,
    text: &str,
    when: When,
    files: Vec<Attached>,
) -> Result<(), Refusal> {
    let text = WORDS.check(text).map_err(Refusal::Text)?;
    let mut not_kept = Vec::new();
    for constraint in Constraint::all_of(&text) {
        match constraint.fits_beside(&draft.state.constraints) {
            true => draft.record(Event::Forbidden { constraint }),
            false => not_kept.push(constraint.text),
        }
    }
    speak(draft, text, when, files)?;
    for text in not_kept {
        let task = draft.state.focus;
        draft.record(Event::Noted { desk: task, note: Note::NotKept { text } });
    }
    Ok(())
}

fn speak(draft: &mut Draft<'_, Companion>, text: String, when: When, files: Vec<Attached>) -> Result<(), Refusal> {
    let front = draft.state.front().map(|task| (task.id, draft.state.is_busy(task), task.gate.is_some()));
    match (front, when) {
        (Some((id, true, _)), When::Now) => {
            interrupt(draft, id);
            hear(draft, id, &text, when, files);
        }
        (Some((_, true, _)), When::Turn) => {
            if draft.state.queue.len() >= MOST_QUEUED {
                return Err(Refusal::QueueFull);
            }
            draft.record(Event::Queued { text, files });
        }
        (Some((_, false, true)), When::Turn) | (Some(_), When::Aside) => aside(draft, &text, files)?,
        (Some((id, false, true)), When::Now) => {
            draft.record(Event::GateWithdrawn { desk: id });
            interrupt(draft, id);
            hear(draft, id, &text, when, files);
        }
        (Some((id, false, false)), When::Turn | When::Now) => hear(draft, id, &text, when, files),
        (None, When::Turn | When::Now | When::Aside) => {
            let id = draft.state.desks_made + 1;
            draft.record(Event::DeskSet { desk: id, aside: false });
            hear(draft, id, &text, when, files);
        }
    }
    Ok(())
}

/// The gate that a plain yes or no is about: the one in front, or the only one that is open, wherever it waits. What was
/// asked in front comes before one behind: a yes to that is no consent to anything else.
pub(in super::super) fn gate_meant(state: &State) -> Option<&Gate> {
    let front = state.front().and_then(|task| task.gate.as_ref()?.open());
    let asks = state.front().is_some_and(|task| task.asked.is_some());
    let mut open = state.desks.iter().filter_map(|task| task.gate.as_ref()?.open());
    let only = open.next().filter(|_| open.next().is_none() && !asks);
    front.or(only)
}

/// What waited is heard when the work in front rests.
pub(super) fn take_turn(draft: &mut Draft<'_, Companion>) {
    let Some(task) = draft.state.front() else { return };
    let is_free = !draft.state.is_busy(task) && task.gate.is_none() && rests(draft, task) && task.batch.is_none();
    let id = task.id;
    if let Some(next) = draft.state.queue.first().cloned().filter(|_| is_free) {
        hear(draft, id, &next.text, When::Turn, next.files);
    }
}

/// Stops what is under way for a piece of work. What was already done stays done.
pub(in super::super) fn interrupt(draft: &mut Draft<'_, Companion>, id: u32) {
    let Some(task) = draft.state.task(id) else { return };
    let thread = task.thread();
    let left =
        task.batch.as_ref().map(|batch| words::stopped(draft.state.lang(), batch.under_way().map(|order| order.does)));
    if left.is_some() {
        draft.record(Event::BatchEnded { desk: id });
    }
    if !draft.state.task(id).is_none_or(|task| rests(draft, task)) {
        draft.record(step(&thread, ThreadEvent::Rested));
    }
    if let Some(left) = left {
        // Its last reply stands in the thread with operations that were never done.
        tell(draft, id, &left);
    }
    transition::stop(draft, id);
}

fn hear(draft: &mut Draft<'_, Companion>, id: u32, text: &str, when: When, files: Vec<Attached>) {
    let Some(thread) = draft.state.task(id).map(Task::thread) else { return };
    let is_new = !draft.state.cast.threads.contains_key(&thread);
    // A talk that goes on at another place starts from where it was (DUCK-01).
    let goes_on = is_new && !draft.state.talk.is_empty();
    let before = draft.state.desks.iter().rev().find(|task| task.id != id && !task.aside);
    let summary = goes_on.then(|| prompts::summary(&draft.state, before));
    let reply = draft.state.task(id).and_then(|task| task.verdict.as_ref()?.reply.as_deref());
    let offer = reply.and_then(|reply| choice::chosen(text, reply));
    draft.record(Event::Heard { desk: id, text: text.to_owned(), when, files: files.clone() });
    let heard = match offer {
        Some(offer) => {
            let heard = words::chosen(draft.state.lang(), text, &offer);
            draft.record(Event::Noted { desk: id, note: Note::Took { offer: limits::one_line(&offer, OFFER) } });
            heard
        }
        None => text.to_owned(),
    };
    begin_talk(draft, &thread, is_new, summary.as_deref(), &with_files(&heard, &files));
}

/// Says something in a thread, which begins with it where it is new.
fn begin_talk(draft: &mut Draft<'_, Companion>, thread: &str, is_new: bool, summary: Option<&str>, text: &str) {
    if is_new {
        draft.record(step(thread, ThreadEvent::Began { agent: COMMANDER.to_owned(), text: "".into() }));
    }
    let told = summary.map_or_else(|| text.to_owned(), |summary| format!("{summary}\n\n{text}"));
    agent::hear(draft, thread, &told);
}

/// A question beside the work gets a place of its own, with a summary of what is going on.
fn aside(draft: &mut Draft<'_, Companion>, text: &str, files: Vec<Attached>) -> Result<(), Refusal> {
    if draft.state.desks.len() >= MOST_TASKS {
        return Err(Refusal::TooManyTasks);
    }
    let id = draft.state.desks_made + 1;
    draft.record(Event::DeskSet { desk: id, aside: true });
    let Some(thread) = draft.state.task(id).map(Task::thread) else { return Ok(()) };
    let summary = prompts::summary(&draft.state, draft.state.front());
    let told = with_files(text, &files);
    draft.record(Event::Heard { desk: id, text: text.to_owned(), when: When::Aside, files });
    begin_talk(draft, &thread, true, Some(&summary), &told);
    Ok(())
}

/// Named files stand behind the words, fenced: they are data.
fn with_files(text: &str, files: &[Attached]) -> String {
    let files = files.iter().map(|file| format!("\n\n{}", fence(&file.path, &file.text)));
    format!("{text}{}", files.collect::<String>())
}
