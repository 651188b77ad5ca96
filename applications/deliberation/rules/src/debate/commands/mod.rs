//! What is decided about each command, a file for what belongs together.

mod altered;
mod directions;
mod opening;
mod people;

use enza_kernel::application::Draft;
use enza_kernel::refusal::CommonRefusal;

use super::command::DebateCommand;
use super::refusal::DebateRefusal;
use super::state::{DebateState, Seat};
use super::{Debates, redraw};

pub(super) fn decide(draft: &mut Draft<'_, Debates>, command: DebateCommand) -> Result<(), DebateRefusal> {
    match command {
        DebateCommand::Open { topic, mode, turns, seats, window, settings } => {
            opening::open(draft, opening::Opening { topic, mode, turns, seats, window, settings })
        }
        DebateCommand::Withdraw { debater } => people::withdraw(draft, &debater),
        DebateCommand::Direct { debater, turn, text } => directions::give(draft, &debater, turn, &text),
        DebateCommand::ChangeDirection { direction, text } => directions::change(draft, &direction, &text),
        DebateCommand::WithdrawDirection { direction } => directions::withdraw(draft, &direction),
        DebateCommand::Arrive => people::arrive(draft),
        DebateCommand::SpeakNow => people::speak_now(draft),
        DebateCommand::Advance => people::advance(draft),
        DebateCommand::Cancel => people::cancel(draft),
        DebateCommand::Vote { statement, choice } => people::vote(draft, statement, choice),
        DebateCommand::DrawWithout { turn, seat } => redraw::ask(draft, turn, &seat),
        DebateCommand::Counterfactual { turn, seat, direction } => altered::begin(draft, turn, &seat, direction),
    }
}

/// The person who asks, where a person does.
fn person(draft: &Draft<'_, Debates>) -> Result<String, DebateRefusal> {
    draft.now().by.person().map(str::to_owned).ok_or(DebateRefusal::Common(CommonRefusal::NotAPerson))
}

/// A seat that is this person's, and is the one that is meant.
pub(super) fn own_seat<'a>(
    state: &'a DebateState,
    person: &'a str,
    is_meant: impl Fn(&Seat) -> bool,
) -> Result<&'a Seat, DebateRefusal> {
    state.seats_of(person).find(|seat| is_meant(seat)).ok_or(DebateRefusal::NotSeated)
}

/// Turns away whoever comes before it has begun or after it is over.
fn only_active(draft: &Draft<'_, Debates>) -> Result<(), DebateRefusal> {
    if draft.state.is_active() { Ok(()) } else { Err(DebateRefusal::NotActive) }
}
