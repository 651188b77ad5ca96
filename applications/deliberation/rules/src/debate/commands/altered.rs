//! How it might have gone: another direction for one statement, and the rest of the debate after it (DEL-C23).
//!
//! Only the house sends this, as the first command of a quiet fork that ends right before the turn's freeze
//! (`State::fork_before`): a person cannot, so that no debate that goes on is ever turned back. No timer is waited for.

use enza_kernel::application::Draft;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::time::Actor;

use super::directions::checked;
use crate::debate::event::{DebateEvent, Direction};
use crate::debate::refusal::DebateRefusal;
use crate::debate::state::Stage;
use crate::debate::{Debates, turns};
use crate::of_words;

pub(super) fn begin(
    draft: &mut Draft<'_, Debates>,
    turn: u32,
    word: &str,
    text: Option<String>,
) -> Result<(), DebateRefusal> {
    if draft.now().by != Actor::Runtime {
        return Err(DebateRefusal::Common(CommonRefusal::NotYourPart));
    }
    let is_waiting = matches!(draft.state.stage, Stage::Waiting { turn: open, .. } if open == turn);
    if !is_waiting || draft.state.altered.is_some() {
        return Err(DebateRefusal::NoWindow);
    }
    let content = text.map(|text| checked(&text)).transpose()?;
    let seat = draft.state.present().find(|seat| seat.word == word).ok_or(DebateRefusal::NotSeated)?;
    let debater = seat.brief.debater.clone();
    let direction = content.map(|content| Direction {
        id: of_words(&["altered", &draft.state.settings.debate, &turn.to_string(), word]),
        seat: word.to_owned(),
        debater,
        turn,
        content,
        created_at: draft.now().time.0,
        is_late: false,
    });
    draft.record(DebateEvent::CounterfactualBegun { turn, seat: word.to_owned(), direction });
    turns::freeze(draft);
    Ok(())
}
