//! Words of steering, one for each seat and turn, until the turn's directions are frozen (DEL-02, DEL-39 to DEL-46, DEL-C7).

use enza_kernel::application::Draft;

use super::{only_active, own_seat, person};
use crate::debate::Debates;
use crate::debate::event::{Direction, Event};
use crate::debate::refusal::Refusal;
use crate::debate::state::{Stage, State};
use crate::{DIRECTION, of_words};

pub(super) fn give(draft: &mut Draft<'_, Debates>, debater: &str, turn: u32, text: &str) -> Result<(), Refusal> {
    let person = person(draft)?;
    let content = checked(text)?;
    let state = &draft.state;
    let seat = own_seat(state, &person, |seat| seat.brief.debater == debater)?.word.clone();
    only_active(draft)?;
    if turn == 0 || turn > state.card.current_turn {
        return Err(Refusal::TurnInFuture { turn });
    }
    if state.directions.iter().any(|one| one.turn == turn && one.seat == seat) {
        return Err(Refusal::DirectionExists);
    }
    let direction = Direction {
        // A withdrawn one is gone; the next has a name of its own.
        id: of_words(&["direction", &state.settings.debate, &turn.to_string(), &seat, &draft.now().head.to_string()]),
        seat,
        debater: debater.to_owned(),
        turn,
        content,
        created_at: draft.now().time.0,
        is_late: !is_waiting(state, turn),
    };
    draft.record(Event::DirectionGiven { direction });
    Ok(())
}

pub(super) fn change(draft: &mut Draft<'_, Debates>, id: &str, text: &str) -> Result<(), Refusal> {
    let content = checked(text)?;
    let direction = changeable(draft, id)?;
    if direction.content != content {
        draft.record(Event::DirectionChanged { direction: Direction { content, ..direction } });
    }
    Ok(())
}

pub(super) fn withdraw(draft: &mut Draft<'_, Debates>, id: &str) -> Result<(), Refusal> {
    let Direction { id, seat, .. } = changeable(draft, id)?;
    draft.record(Event::DirectionWithdrawn { seat, id });
    Ok(())
}

/// A direction of the sender's whose turn still waits. Somebody else's is as good as none.
fn changeable(draft: &Draft<'_, Debates>, id: &str) -> Result<Direction, Refusal> {
    let person = person(draft)?;
    let state = &draft.state;
    let direction = state.directions.iter().find(|one| one.id == id).ok_or(Refusal::DirectionUnknown)?;
    own_seat(state, &person, |seat| seat.word == direction.seat).map_err(|_| Refusal::DirectionUnknown)?;
    if direction.is_late || !is_waiting(state, direction.turn) {
        return Err(Refusal::DirectionFrozen);
    }
    Ok(direction.clone())
}

/// The text on one line (DEL-C9), if it fits.
pub(super) fn checked(text: &str) -> Result<String, Refusal> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    DIRECTION.check(&line).map_err(Refusal::Text)
}

fn is_waiting(state: &State, turn: u32) -> bool {
    matches!(state.stage, Stage::Waiting { turn: open, .. } if open == turn)
}
