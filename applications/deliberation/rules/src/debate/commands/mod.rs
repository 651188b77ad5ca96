//! What is decided about each command, a file for what belongs together.

mod altered;
mod directions;
mod opening;
mod people;

use enza_kernel::application::Draft;
use enza_kernel::refusal::CommonRefusal;

use super::command::Command;
use super::refusal::Refusal;
use super::state::{Seat, State};
use super::{Debates, redraw};

pub(super) fn decide(draft: &mut Draft<'_, Debates>, command: Command) -> Result<(), Refusal> {
    match command {
        Command::Open { topic, mode, turns, seats, window, settings } => {
            opening::open(draft, opening::Opening { topic, mode, turns, seats, window, settings })
        }
        Command::Withdraw { debater } => people::withdraw(draft, &debater),
        Command::Direct { debater, turn, text } => directions::give(draft, &debater, turn, &text),
        Command::ChangeDirection { direction, text } => directions::change(draft, &direction, &text),
        Command::WithdrawDirection { direction } => directions::withdraw(draft, &direction),
        Command::Arrive => people::arrive(draft),
        Command::SpeakNow => people::speak_now(draft),
        Command::Advance => people::advance(draft),
        Command::Cancel => people::cancel(draft),
        Command::Vote { statement, choice } => people::vote(draft, statement, choice),
        Command::DrawWithout { turn, seat } => redraw::ask(draft, turn, &seat),
        Command::Counterfactual { turn, seat, direction } => altered::begin(draft, turn, &seat, direction),
    }
}

/// The person who asks, where a person does.
fn person(draft: &Draft<'_, Debates>) -> Result<String, Refusal> {
    draft.now().by.person().map(str::to_owned).ok_or(Refusal::Common(CommonRefusal::NotAPerson))
}

/// A seat that is this person's, and is the one that is meant.
pub(super) fn own_seat<'a>(
    state: &'a State,
    person: &'a str,
    is_meant: impl Fn(&Seat) -> bool,
) -> Result<&'a Seat, Refusal> {
    state.seats_of(person).find(|seat| is_meant(seat)).ok_or(Refusal::NotSeated)
}

/// Turns away whoever comes before it has begun or after it is over.
fn only_active(draft: &Draft<'_, Debates>) -> Result<(), Refusal> {
    if draft.state.is_active() { Ok(()) } else { Err(Refusal::NotActive) }
}
