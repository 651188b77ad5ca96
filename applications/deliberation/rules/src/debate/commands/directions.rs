//! Words of steering, one for each seat and turn, until the turn's directions are frozen (DEL-02, DEL-39 to DEL-46, DEL-C7).

use enza_kernel::application::Draft;

use super::{only_active, own_seat, person};
use crate::debate::Debates;
use crate::debate::event::{DebateEvent, Direction};
use crate::debate::refusal::DebateRefusal;
use crate::debate::state::{DebateState, Stage};
use crate::{DIRECTION, of_words};

pub(super) fn give(draft: &mut Draft<'_, Debates>, debater: &str, turn: u32, text: &str) -> Result<(), DebateRefusal> {
    let person = person(draft)?;
    let content = checked(text)?;
    let state = &draft.state;
    let seat = own_seat(state, &person, |seat| seat.brief.debater == debater)?.word.clone();
    only_active(draft)?;
    if turn == 0 || turn > state.card.current_turn {
        return Err(DebateRefusal::TurnInFuture { turn });
    }
    if state.directions.iter().any(|one| one.turn == turn && one.seat == seat) {
        return Err(DebateRefusal::DirectionExists);
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
    draft.record(DebateEvent::DirectionGiven { direction });
    Ok(())
}

pub(super) fn change(draft: &mut Draft<'_, Debates>, id: &str, text: &str) -> Result<(), DebateRefusal> {
    let content = checked(text)?;
    let direction = changeable(draft, id)?;
    if direction.content != content {
        draft.record(DebateEvent::DirectionChanged { direction: Direction { content, ..direction } });
    }
    Ok(())
}

pub(super) fn withdraw(draft: &mut Draft<'_, Debates>, id: &str) -> Result<(), DebateRefusal> {
    let Direction { id, seat, .. } = changeable(draft, id)?;
    draft.record(DebateEvent::DirectionWithdrawn { seat, id });
    Ok(())
}

/// A direction of the sender's whose turn still waits. Somebody else's is as good as none.
fn changeable(draft: &Draft<'_, Debates>, id: &str) -> Result<Direction, DebateRefusal> {
    let person = person(draft)?;
    let state = &draft.state;
    let direction = state.directions.iter().find(|one| one.id == id).ok_or(DebateRefusal::DirectionUnknown)?;
    own_seat(state, &person, |seat| seat.word == direction.seat).map_err(|_| DebateRefusal::DirectionUnknown)?;
    if direction.is_late || !is_waiting(state, direction.turn) {
        return Err(DebateRefusal::DirectionFrozen);
    }
    Ok(direction.clone())
}

/// The text on one line (DEL-C9), if it fits.
pub(super) fn checked(text: &str) -> Result<String, DebateRefusal> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    DIRECTION.check(&line).map_err(DebateRefusal::Text)
}

fn is_waiting(state: &DebateState, turn: u32) -> bool {
    matches!(state.stage, Stage::Waiting { turn: open, .. } if open == turn)
}
