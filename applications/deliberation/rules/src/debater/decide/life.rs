//! A debater comes into being, is called otherwise, rests, and leaves. All of it is the stable's to say.

use enza_deliberation_cast::{Persona, check_chosen};
use enza_kernel::agent;
use enza_kernel::application::Draft;
use enza_kernel::limits::one_line;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;

use super::{living, seats};
use crate::debater::agents::PORTRAIT;
use crate::debater::event::{DebaterEvent, PersonaAuthor};
use crate::debater::refusal::DebaterRefusal;
use crate::debater::state::Profile;
use crate::debater::{Debater, STABLE};
use crate::limits::DEBATER_NAME;
use crate::prompts;
use crate::stable::{DebaterStatus, HouseRules};

/// What a debater is opened with.
pub(super) struct Plan {
    pub debater: String,
    pub owner: String,
    pub name: String,
    pub values: [String; 3],
    pub lang: Lang,
    pub status: DebaterStatus,
    pub house: HouseRules,
}

pub(super) fn open(draft: &mut Draft<'_, Debater>, plan: Plan) -> Result<(), DebaterRefusal> {
    if draft.state.profile.is_some() {
        return Err(DebaterRefusal::Common(CommonRefusal::AlreadyOpen));
    }
    let stable = draft.now().by.session_of(STABLE).map(str::to_owned);
    let stable = stable.ok_or(DebaterRefusal::Common(CommonRefusal::NotASession))?;
    let Plan { debater, owner, name, values, lang, status, house } = plan;
    let name = named(&name)?;
    let chosen = check_chosen(&values).map_err(|_| DebaterRefusal::ValuesUnfit)?;
    let called = chosen.map(|value| value.text(lang).name.as_str());
    let prompt = prompts::portrait(lang, &name, &called);
    draft.record(DebaterEvent::Opened { debater, owner, stable, name, values, lang, status, house });
    agent::start(draft, PORTRAIT, PORTRAIT, &prompt);
    Ok(())
}

pub(super) fn rename(draft: &mut Draft<'_, Debater>, name: &str) -> Result<(), DebaterRefusal> {
    let profile = from_its_stable(draft)?;
    let profile = Profile { name: named(name)?, ..profile };
    let card = draft.state.persona.as_ref().map(|persona| draft.state.card(&profile, persona, draft.now().time));
    let card = card.ok_or(DebaterRefusal::Unborn)?;
    let look_up = draft.state.look_up(&profile, &draft.state.knowledge, None);
    draft.record(DebaterEvent::Renamed { card, look_up });
    Ok(())
}

pub(super) fn set_status(draft: &mut Draft<'_, Debater>, status: DebaterStatus) -> Result<(), DebaterRefusal> {
    let profile = from_its_stable(draft)?;
    if profile.status == status {
        return Ok(());
    }
    match status {
        DebaterStatus::Reserve if !draft.state.seats.is_empty() => return Err(DebaterRefusal::Seated),
        DebaterStatus::Active | DebaterStatus::Reserve => {}
    }
    let profile = Profile { status, ..profile };
    let card = draft.state.persona.as_ref().map(|persona| draft.state.card(&profile, persona, draft.now().time));
    let card = card.ok_or(DebaterRefusal::Unborn)?;
    let look_up = draft.state.look_up(&profile, &draft.state.knowledge, None);
    draft.record(DebaterEvent::StatusSet { card, look_up });
    Ok(())
}

pub(super) fn retire(draft: &mut Draft<'_, Debater>) -> Result<(), DebaterRefusal> {
    from_its_stable(draft)?;
    let knowledge = draft.state.knowledge.iter().map(|entry| entry.id.clone()).collect();
    let counted = draft.state.counts;
    draft.record(DebaterEvent::Retired { knowledge, counted });
    Ok(())
}

/// The persona is there; whoever waits for it at a table gets the brief now.
pub(in crate::debater) fn be_born(draft: &mut Draft<'_, Debater>, persona: &Persona, by: PersonaAuthor) {
    let Some(profile) = draft.state.profile.clone() else { return };
    let card = draft.state.card(&profile, persona, draft.now().time);
    let look_up = draft.state.look_up(&profile, &draft.state.knowledge, None);
    draft.record(DebaterEvent::Born { by, card, look_up });
    seats::brief_waiting(draft);
}

fn named(name: &str) -> Result<String, DebaterRefusal> {
    let name = DEBATER_NAME.check(name).map_err(DebaterRefusal::Text)?;
    Ok(one_line(&name, DEBATER_NAME.graphemes))
}

fn from_its_stable(draft: &Draft<'_, Debater>) -> Result<Profile, DebaterRefusal> {
    let profile = living(draft)?;
    let by = draft.now().by.session_of(STABLE).ok_or(DebaterRefusal::Common(CommonRefusal::NotASession))?;
    if by == profile.stable { Ok(profile) } else { Err(DebaterRefusal::Common(CommonRefusal::NotYourPart)) }
}
