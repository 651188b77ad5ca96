//! What owners, the host and those who watch may do: be there, have a turn begin, vote, leave, cancel.

use enza_kernel::application::Draft;
use enza_kernel::refusal::CommonRefusal;

use super::{only_active, person};
use crate::debate::command::Choice;
use crate::debate::event::{CancelReason, DebateEvent};
use crate::debate::refusal::DebateRefusal;
use crate::debate::state::{DebateState, Stage};
use crate::debate::{Debates, turns};

/// A debate with fewer seats has nobody to talk with.
const FEWEST: usize = 2;

pub(super) fn arrive(draft: &mut Draft<'_, Debates>) -> Result<(), DebateRefusal> {
    let seats = waiting_seats(draft)?;
    // Looking again changes nothing.
    if seats.iter().any(|seat| !draft.state.arrived.contains(seat)) {
        draft.record(DebateEvent::Arrived { seats });
    }
    Ok(())
}

/// The turn begins when everyone who has arrived says so (DEL-C8, DEL-C19).
pub(super) fn speak_now(draft: &mut Draft<'_, Debates>) -> Result<(), DebateRefusal> {
    let seats = waiting_seats(draft)?;
    if seats.iter().any(|seat| !draft.state.wanting.contains(seat)) {
        draft.record(DebateEvent::WantedNow { seats });
    }
    if draft.state.arrived.is_subset(&draft.state.wanting) {
        turns::freeze(draft);
    }
    Ok(())
}

/// The seats of the sender, while a turn waits.
fn waiting_seats(draft: &Draft<'_, Debates>) -> Result<Vec<String>, DebateRefusal> {
    let person = person(draft)?;
    let seats: Vec<String> = draft.state.seats_of(&person).map(|seat| seat.word.clone()).collect();
    if seats.is_empty() {
        return Err(DebateRefusal::NotSeated);
    }
    only_waiting(&draft.state)?;
    Ok(seats)
}

fn only_waiting(state: &DebateState) -> Result<(), DebateRefusal> {
    match state.stage {
        Stage::Waiting { .. } => Ok(()),
        Stage::Unopened | Stage::Preparing { .. } | Stage::Speaking { .. } | Stage::Closing | Stage::Over => {
            Err(DebateRefusal::NoWindow)
        }
    }
}

pub(super) fn advance(draft: &mut Draft<'_, Debates>) -> Result<(), DebateRefusal> {
    only_host(draft)?;
    only_active(draft)?;
    only_waiting(&draft.state)?;
    turns::freeze(draft);
    Ok(())
}

pub(super) fn cancel(draft: &mut Draft<'_, Debates>) -> Result<(), DebateRefusal> {
    only_host(draft)?;
    match draft.state.stage {
        Stage::Unopened | Stage::Over => Err(DebateRefusal::NotActive),
        Stage::Preparing { .. } | Stage::Waiting { .. } | Stage::Speaking { .. } | Stage::Closing => {
            turns::cancel(draft, CancelReason::Host);
            Ok(())
        }
    }
}

fn only_host(draft: &Draft<'_, Debates>) -> Result<(), DebateRefusal> {
    let person = person(draft)?;
    if person == draft.state.settings.host { Ok(()) } else { Err(DebateRefusal::Common(CommonRefusal::NotYourPart)) }
}

pub(super) fn vote(draft: &mut Draft<'_, Debates>, statement: String, choice: Choice) -> Result<(), DebateRefusal> {
    let person = person(draft)?;
    let is_spoken = |id: &str| draft.state.statements.iter().any(|one| one.id == id && !one.content.is_empty());
    if !is_spoken(&statement) {
        return Err(DebateRefusal::StatementUnknown);
    }
    if draft.state.votes.get(&statement).and_then(|votes| votes.get(&person)) != Some(&choice) {
        draft.record(DebateEvent::VoteCast { statement, person, choice });
    }
    Ok(())
}

/// A debater is gone for good. What it said stays; what was kept for it goes.
pub(super) fn withdraw(draft: &mut Draft<'_, Debates>, debater: &str) -> Result<(), DebateRefusal> {
    if draft.now().by.session_of("debater") != Some(debater) {
        return Err(DebateRefusal::Common(CommonRefusal::NotASession));
    }
    let state = &draft.state;
    let Some(seat) = state.present().find(|seat| seat.brief.debater == debater) else { return Ok(()) };
    let (word, id) = (seat.word.clone(), seat.id.clone());
    let strategy = seat.strategy.as_ref().map(|strategy| strategy.id.clone());
    let directions = state.directions.iter().filter(|one| one.seat == word).map(|one| one.id.clone()).collect();
    let of_it: Vec<String> = state.cast.threads.keys().filter(|name| is_of(name, &word)).cloned().collect();
    for thread in of_it {
        turns::close_thread(draft, &thread);
    }
    draft.record(DebateEvent::SeatWithdrawn { seat: word, id, directions, strategy });
    let state = &draft.state;
    let is_alive = !matches!(state.stage, Stage::Unopened | Stage::Over);
    let has_owner = state.present().any(|seat| seat.brief.owner.is_some());
    if is_alive && (state.present().count() < FEWEST || !has_owner) {
        turns::cancel(draft, CancelReason::Withdrawn);
    } else if matches!(state.stage, Stage::Waiting { .. })
        && !state.arrived.is_empty()
        && state.arrived.is_subset(&state.wanting)
    {
        // Whoever is left has said so already.
        turns::freeze(draft);
    }
    Ok(())
}

fn is_of(thread: &str, seat: &str) -> bool {
    crate::debate::work::Work::of(thread).is_some_and(|work| work.seat() == Some(seat))
}
