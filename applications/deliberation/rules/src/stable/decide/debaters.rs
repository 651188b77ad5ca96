//! Debaters are raised, named, made active, rested and let go.

use enza_deliberation_cast::check_chosen;
use enza_kernel::application::Draft;
use enza_kernel::limits::one_line;
use enza_kernel::text::Lang;

use super::{for_its_owner, is_uuid, open, ready};
use crate::limits::DEBATER_NAME;
use crate::stable::Stable;
use crate::stable::event::StableEvent;
use crate::stable::house::DebaterStatus;
use crate::stable::refusal::StableRefusal;

/// The debater that somebody wants.
pub(super) struct Wish {
    pub debater: String,
    pub name: String,
    pub values: Vec<String>,
    pub lang: Lang,
    pub tutorial: Option<String>,
}

pub(super) fn create(draft: &mut Draft<'_, Stable>, wish: Wish) -> Result<(), StableRefusal> {
    if draft.state.owner.is_none() {
        open(draft, wish.lang)?;
    }
    let owner = for_its_owner(draft)?;
    let name = named(&wish.name)?;
    let [first, second, third] = check_chosen(&wish.values).map_err(|_| StableRefusal::ValuesUnfit)?;
    let values = [first, second, third].map(|value| value.key.clone());
    if !is_uuid(&wish.debater) || wish.tutorial.as_deref().is_some_and(|debate| !is_uuid(debate)) {
        return Err(StableRefusal::IdUnfit);
    }
    if draft.state.kept(&wish.debater).is_some() {
        return Err(StableRefusal::DebaterExists);
    }
    let house = draft.app.house;
    if draft.state.debaters.len() >= house.most_debaters as usize {
        return Err(StableRefusal::DebatersFull { most_debaters: house.most_debaters });
    }
    if wish.tutorial.is_some() && draft.state.has_used_tutorial() {
        return Err(StableRefusal::TutorialUsed);
    }
    let has_room = draft.state.active() < house.most_active as usize;
    let status = if has_room { DebaterStatus::Active } else { DebaterStatus::Reserve };
    let Wish { debater, lang, tutorial, .. } = wish;
    draft.record(StableEvent::DebaterPlanned { debater, owner, name, values, lang, status, house, tutorial });
    Ok(())
}

pub(super) fn rename(draft: &mut Draft<'_, Stable>, debater: String, name: &str) -> Result<(), StableRefusal> {
    for_its_owner(draft)?;
    let name = named(name)?;
    let kept = ready(draft, &debater)?;
    if kept.name != name {
        draft.record(StableEvent::RenameAsked { debater, name });
    }
    Ok(())
}

pub(super) fn set_status(
    draft: &mut Draft<'_, Stable>,
    debater: String,
    status: DebaterStatus,
) -> Result<(), StableRefusal> {
    for_its_owner(draft)?;
    let kept = ready(draft, &debater)?;
    if kept.asked.is_some() {
        return Err(StableRefusal::ChangeUnderWay);
    }
    if kept.status == status {
        return Ok(());
    }
    let most_active = draft.app.house.most_active;
    match status {
        DebaterStatus::Active if draft.state.active() >= most_active as usize => {
            return Err(StableRefusal::ActiveFull { most_active });
        }
        DebaterStatus::Active | DebaterStatus::Reserve => {}
    }
    draft.record(StableEvent::StatusAsked { debater, status });
    Ok(())
}

pub(super) fn delete(draft: &mut Draft<'_, Stable>, debater: String) -> Result<(), StableRefusal> {
    for_its_owner(draft)?;
    ready(draft, &debater)?;
    draft.record(StableEvent::DebaterDeleted { debater });
    Ok(())
}

fn named(name: &str) -> Result<String, StableRefusal> {
    let name = DEBATER_NAME.check(name).map_err(StableRefusal::Text)?;
    Ok(one_line(&name, DEBATER_NAME.graphemes))
}
