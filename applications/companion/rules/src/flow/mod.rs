//! What follows from what happened: which call comes next, what is carried out, where the work moves.
//!
//! `go_on` looks at every piece of work after each decision and records what must follow, until nothing does. It never
//! waits and never repeats itself, so it does not matter how often it is asked or in which order outcomes arrive.

pub(super) mod closed_paths;
pub(super) mod dispatch;
pub(super) mod execute;
pub(super) mod message;
pub(super) mod permit;
pub(super) mod report;
pub(super) mod revert;
pub(super) mod state_delta;
pub(super) mod transition;
pub(super) mod wants;

use enza_kernel::agent::{self, Step as Stepped, ThreadEvent, ThreadState};
use enza_kernel::application::Draft;

use super::Companion;
use super::event::Event;
use super::note::Note;
use super::steps::Status;
use super::task::{ModelCall, Task};

/// Records whatever must follow now.
pub(super) fn advance_all(draft: &mut Draft<'_, Companion>) {
    execute::withhold_waiting(draft);
    let ids: Vec<u32> = draft.state.desks.iter().map(|task| task.id).collect();
    for id in ids {
        while execute::advance(draft, id) {}
    }
    message::take_turn(draft);
    clear_finished(draft);
    agent::enforce_limits(draft);
}

/// Sets which model call comes next, and makes it due with a word of the session to the model.
pub(super) fn call_model(draft: &mut Draft<'_, Companion>, id: u32, call: ModelCall, word: &str) {
    let Some(task) = draft.state.task(id) else { return };
    let thread = task.thread();
    let rounds = draft.state.settings.rounds;
    if task.rounds >= rounds {
        return leave_to_person(draft, id, Note::RoundsSpent { rounds });
    }
    if task.call != call {
        draft.record(Event::CallSet { desk: id, call });
    }
    set_status(draft, id, Status::InProgress);
    draft.record(step(&thread, ThreadEvent::Nudged { text: word.into(), strike: false }));
}

/// Tells the model something that it learns when it is next called.
pub(super) fn tell(draft: &mut Draft<'_, Companion>, id: u32, word: &str) {
    let Some(thread) = draft.state.task(id).map(Task::thread) else { return };
    if draft.state.cast.threads.contains_key(&thread) {
        draft.record(step(&thread, ThreadEvent::Nudged { text: word.into(), strike: false }));
        draft.record(step(&thread, ThreadEvent::Rested));
    }
}

/// Leaves it to the person, who is told why.
pub(super) fn leave_to_person(draft: &mut Draft<'_, Companion>, id: u32, note: Note) {
    draft.record(Event::Noted { desk: id, note });
    set_status(draft, id, Status::RequiresUserInput);
}

/// Clears the front for the next word: what was there goes on behind.
pub(super) fn open_front(draft: &mut Draft<'_, Companion>) {
    let task = draft.state.desks_made + 1;
    draft.record(Event::DeskSet { desk: task, aside: false });
}

/// Sets the status, if it is another one.
pub(super) fn set_status(draft: &mut Draft<'_, Companion>, id: u32, status: Status) {
    if draft.state.task(id).is_some_and(|task| task.status != status) {
        draft.record(Event::StatusSet { desk: id, status });
    }
}

/// Something that happened in a thread.
pub(super) fn step(thread: &str, what: ThreadEvent) -> Event {
    Event::Stepped(Stepped { thread: thread.to_owned(), what })
}

/// Whether a thread rests, so that it can be spoken to.
pub(super) fn rests(draft: &Draft<'_, Companion>, task: &Task) -> bool {
    match draft.state.cast.threads.get(&task.thread()).map(|thread| &thread.standing) {
        None | Some(ThreadState::Resting | ThreadState::Failed { .. }) => true,
        Some(ThreadState::Asking { .. } | ThreadState::Acting { .. }) => false,
    }
}

/// A question beside the work is answered, a task in the background is over: their places are free.
fn clear_finished(draft: &mut Draft<'_, Companion>) {
    let over = |task: &&Task| {
        let is_beside = task.aside || task.id != draft.state.focus;
        is_beside
            && task.task.is_none()
            && task.batch.is_none()
            && task.gate.is_none()
            && rests(draft, task)
            && task.status != Status::InProgress
    };
    let cleared: Vec<(u32, String)> =
        draft.state.desks.iter().filter(over).map(|task| (task.id, task.thread())).collect();
    for (task, thread) in cleared {
        if draft.state.cast.threads.contains_key(&thread) {
            draft.record(step(&thread, ThreadEvent::Closed));
        }
        draft.record(Event::DeskCleared { desk: task });
    }
}
