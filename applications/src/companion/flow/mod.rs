//! What follows from what happened: which call comes next, what is carried out, where the work moves.
//!
//! `go_on` looks at every piece of work after each decision and records what must follow, until nothing does. It never
//! waits and never repeats itself, so it does not matter how often it is asked or in which order outcomes arrive.

pub(super) mod carrying;
pub(super) mod consenting;
pub(super) mod hearing;
pub(super) mod minding;
pub(super) mod moving;
pub(super) mod obeying;
pub(super) mod opening;
pub(super) mod telling;
pub(super) mod trespassing;
pub(super) mod wanting;

use enza_kernel::agent::{self, Standing, Step as Stepped, What};
use enza_kernel::application::Draft;

use super::Companion;
use super::desk::{Call, Desk};
use super::event::Event;
use super::note::Note;
use super::steps::Status;

/// Records whatever must follow now.
pub(super) fn go_on(draft: &mut Draft<'_, Companion>) {
    carrying::withhold_waiting(draft);
    let ids: Vec<u32> = draft.state.desks.iter().map(|desk| desk.id).collect();
    for id in ids {
        while carrying::advance(draft, id) {}
    }
    hearing::take_turn(draft);
    clear_finished(draft);
    agent::govern(draft);
}

/// Sets which model call comes next, and makes it due with a word of the session to the model.
pub(super) fn call(draft: &mut Draft<'_, Companion>, id: u32, call: Call, word: &str) {
    let Some(desk) = draft.state.desk(id) else { return };
    let thread = desk.thread();
    if desk.rounds >= draft.state.settings.rounds {
        return leave_to_person(draft, id, Note::Loop);
    }
    if desk.call != call {
        draft.record(Event::CallSet { desk: id, call });
    }
    set_status(draft, id, Status::InProgress);
    draft.record(step(&thread, What::Nudged { text: word.into(), strike: false }));
}

/// Tells the model something that it learns when it is next called.
pub(super) fn tell(draft: &mut Draft<'_, Companion>, id: u32, word: &str) {
    let Some(thread) = draft.state.desk(id).map(Desk::thread) else { return };
    if draft.state.cast.threads.contains_key(&thread) {
        draft.record(step(&thread, What::Nudged { text: word.into(), strike: false }));
        draft.record(step(&thread, What::Rested));
    }
}

/// Leaves it to the person, who is told why.
pub(super) fn leave_to_person(draft: &mut Draft<'_, Companion>, id: u32, note: Note) {
    draft.record(Event::Noted { desk: id, note });
    set_status(draft, id, Status::RequiresUserInput);
}

/// Clears the front for the next word: what was there goes on behind.
pub(super) fn set_front(draft: &mut Draft<'_, Companion>) {
    let desk = draft.state.desks_made + 1;
    draft.record(Event::DeskSet { desk, aside: false });
}

/// Sets the status, if it is another one.
pub(super) fn set_status(draft: &mut Draft<'_, Companion>, id: u32, status: Status) {
    if draft.state.desk(id).is_some_and(|desk| desk.status != status) {
        draft.record(Event::StatusSet { desk: id, status });
    }
}

/// Something that happened in a thread.
pub(super) fn step(thread: &str, what: What) -> Event {
    Event::Stepped(Stepped { thread: thread.to_owned(), what })
}

/// Whether a thread rests, so that it can be spoken to.
pub(super) fn rests(draft: &Draft<'_, Companion>, desk: &Desk) -> bool {
    match draft.state.cast.threads.get(&desk.thread()).map(|thread| &thread.standing) {
        None | Some(Standing::Resting | Standing::Failed { .. }) => true,
        Some(Standing::Asking { .. } | Standing::Acting { .. }) => false,
    }
}

/// A question beside the work is answered, a task in the background is over: their places are free.
fn clear_finished(draft: &mut Draft<'_, Companion>) {
    let over = |desk: &&Desk| {
        let is_beside = desk.aside || desk.id != draft.state.focus;
        is_beside
            && desk.task.is_none()
            && desk.batch.is_none()
            && desk.gate.is_none()
            && rests(draft, desk)
            && desk.status != Status::InProgress
    };
    let cleared: Vec<(u32, String)> =
        draft.state.desks.iter().filter(over).map(|desk| (desk.id, desk.thread())).collect();
    for (desk, thread) in cleared {
        if draft.state.cast.threads.contains_key(&thread) {
            draft.record(step(&thread, What::Closed));
        }
        draft.record(Event::DeskCleared { desk });
    }
}
