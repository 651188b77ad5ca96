//! Growth: from feedback alone, all of it that was not applied (DEL-03, DEL-85 to DEL-90, DEL-C12).
//!
//! A growth that failed applies nothing. One that is taken back is a new version with the old text; its feedback stays
//! applied (DEL-C20).

use enza_deliberation_cast::Persona;
use enza_kernel::agent;
use enza_kernel::application::Draft;
use enza_kernel::refusal::CommonRefusal;

use super::for_its_owner;
use crate::debater::Debater;
use crate::debater::agents::GROWTH;
use crate::debater::event::{DebaterEvent, GivenFeedback, PersonaChange};
use crate::debater::refusal::DebaterRefusal;
use crate::names::of_words;
use crate::prompts;

/// Begins to grow where there is something to learn from; at the end of the growth under way, if there is one.
pub(super) fn want(draft: &mut Draft<'_, Debater>) {
    let (Some(profile), Some(persona)) = (&draft.state.profile, &draft.state.persona) else { return };
    if draft.state.growth.under_way.is_some() {
        // What came meanwhile is looked for when that growth has ended.
        return;
    }
    let unapplied = draft.state.unapplied();
    if unapplied.is_empty() {
        return;
    }
    let said: Vec<&str> = unapplied.iter().map(|feedback| feedback.content.as_str()).collect();
    let prompt = prompts::growth(profile.lang, persona, &said);
    let feedbacks = unapplied.iter().map(|feedback| feedback.id.clone()).collect();
    draft.record(DebaterEvent::GrowthBegun { feedbacks });
    agent::start(draft, GROWTH, GROWTH, &prompt);
}

/// The persona has grown: exactly the feedbacks that it grew by are applied.
pub(in crate::debater) fn finish(draft: &mut Draft<'_, Debater>, grown: &Persona) {
    let (Some(profile), Some(used)) = (draft.state.profile.clone(), draft.state.growth.under_way.clone()) else {
        return;
    };
    let now = draft.now().time;
    let feedbacks: Vec<GivenFeedback> = draft
        .state
        .unapplied()
        .into_iter()
        .filter(|feedback| used.contains(&feedback.id))
        .map(|feedback| GivenFeedback { applied_at: Some(now), ..feedback.clone() })
        .collect();
    let change = change(draft, &profile.debater, grown, used, None);
    let card = draft.state.card(&profile, grown, now);
    draft.record(DebaterEvent::Grown { change, feedbacks, card });
}

/// What was said while it grew is learnt from next, where the time for it has come already. Not before the thread of the
/// growth that has ended rests: the next one goes by the same name.
pub(in crate::debater) fn go_on(draft: &mut Draft<'_, Debater>) {
    if draft.state.growth.is_wanted {
        want(draft);
    }
}

pub(super) fn retry(draft: &mut Draft<'_, Debater>) -> Result<(), DebaterRefusal> {
    for_its_owner(draft)?;
    if draft.state.growth.under_way.is_some() {
        return Err(DebaterRefusal::Growing);
    }
    if draft.state.growth.failed.is_none() || draft.state.unapplied().is_empty() {
        return Err(DebaterRefusal::Common(CommonRefusal::NothingToRetry));
    }
    want(draft);
    Ok(())
}

pub(super) fn take_back(draft: &mut Draft<'_, Debater>, id: &str) -> Result<(), DebaterRefusal> {
    let profile = for_its_owner(draft)?;
    if draft.state.growth.under_way.is_some() {
        return Err(DebaterRefusal::Growing);
    }
    let last = draft.state.last_growth().filter(|change| change.id == id);
    let last = last.cloned().ok_or(DebaterRefusal::NothingToTakeBack)?;
    let version = draft.state.persona.as_ref().map_or(0, Persona::version);
    // What was kept was read when it was written.
    let old = Persona::read(&last.before).map_err(|_| DebaterRefusal::NothingToTakeBack)?;
    let old = old.with_version(version + 1);
    let change = change(draft, &profile.debater, &old, Vec::new(), Some(last.id));
    let card = draft.state.card(&profile, &old, draft.now().time);
    draft.record(DebaterEvent::TakenBack { change, card });
    Ok(())
}

fn change(
    draft: &Draft<'_, Debater>,
    debater: &str,
    after: &Persona,
    feedbacks: Vec<String>,
    undoes: Option<String>,
) -> PersonaChange {
    let number = draft.state.counts.changes + 1;
    PersonaChange {
        number,
        id: of_words(&["change", debater, &number.to_string()]),
        before: draft.state.persona.as_ref().map(|persona| persona.raw().to_owned()).unwrap_or_default(),
        after: after.raw().to_owned(),
        feedbacks,
        created_at: draft.now().time,
        undoes,
    }
}
