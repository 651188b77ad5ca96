//! "Without my words" (DEL-C23): a statement drawn twice more, once without its direction and once with nothing changed,
//! so that chance is not taken for effect. No prompt reads what comes of it.

use enza_kernel::application::Draft;
use enza_kernel::refusal::CommonRefusal;

use super::commands::own_seat;
use super::event::{DebateEvent, Redraw};
use super::refusal::DebateRefusal;
use super::work::Work;
use super::{Debates, turns};

pub(super) fn ask(draft: &mut Draft<'_, Debates>, turn: u32, word: &str) -> Result<(), DebateRefusal> {
    let person = draft.now().by.person().ok_or(DebateRefusal::Common(CommonRefusal::NotAPerson))?.to_owned();
    let seat = own_seat(&draft.state, &person, |seat| seat.word == word)?.word.clone();
    let spoken = draft.state.statement(turn, &seat).is_some_and(|one| !one.content.is_empty());
    if !spoken {
        return Err(DebateRefusal::StatementUnknown);
    }
    if draft.state.direction(turn, &seat).is_none() {
        return Err(DebateRefusal::NothingDirected);
    }
    let works = [Redraw::Without, Redraw::Unchanged].map(|way| Work::Redraw { way, turn, seat: seat.clone() });
    if works.iter().any(|work| draft.state.cast.threads.contains_key(&work.thread())) {
        return Err(DebateRefusal::RedrawUnderWay);
    }
    draft.record(DebateEvent::RedrawAsked { turn, seat });
    for work in &works {
        turns::begin(draft, work);
    }
    Ok(())
}

pub(super) fn drawn(draft: &mut Draft<'_, Debates>, way: Redraw, turn: u32, seat: &str, text: Option<String>) {
    draft.record(DebateEvent::Redrawn { turn, seat: seat.to_owned(), way, text });
}
