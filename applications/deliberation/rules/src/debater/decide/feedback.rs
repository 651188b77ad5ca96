//! Feedback: one for each completed debate, until the next seat is held (DEL-47 to DEL-56, DEL-C4).

use enza_kernel::application::Draft;

use super::{for_its_owner, growth};
use crate::debater::Debater;
use crate::debater::event::{AskedReflection, DebaterEvent, GivenFeedback};
use crate::debater::refusal::DebaterRefusal;
use crate::debater::state::CompletedDebate;
use crate::limits::FEEDBACK;
use crate::names::of_words;
use crate::stable::GrowthTime;

pub(super) fn give(draft: &mut Draft<'_, Debater>, debate: &str, content: &str) -> Result<(), DebaterRefusal> {
    let profile = for_its_owner(draft)?;
    let content = FEEDBACK.check(content).map_err(DebaterRefusal::Text)?;
    let known = can_be_given(draft, debate)?;
    let now = draft.now().time;
    let feedback = GivenFeedback {
        number: draft.state.counts.feedbacks + 1,
        id: of_words(&["feedback", &profile.debater, debate]),
        debate: debate.to_owned(),
        content,
        created_at: now,
        applied_at: None,
    };
    let answers = known.reflection.map(|reflection| AskedReflection { is_answered: true, ..reflection });
    let look_up = draft.state.look_up(&profile, &draft.state.knowledge, Some(now));
    draft.record(DebaterEvent::FeedbackGiven { feedback, answers, look_up });
    match profile.house.growth {
        GrowthTime::AtOnce => growth::want(draft),
        GrowthTime::AtCompletion => {}
    }
    Ok(())
}

pub(super) fn edit(draft: &mut Draft<'_, Debater>, id: &str, content: &str) -> Result<(), DebaterRefusal> {
    for_its_owner(draft)?;
    let content = FEEDBACK.check(content).map_err(DebaterRefusal::Text)?;
    let is_it = |debate: &&CompletedDebate| debate.feedback.as_ref().is_some_and(|feedback| feedback.id == id);
    let debate = draft.state.completed.iter().find(is_it).ok_or(DebaterRefusal::FeedbackUnknown)?;
    let feedback = debate.feedback.clone().ok_or(DebaterRefusal::FeedbackUnknown)?;
    if feedback.applied_at.is_some() {
        return Err(DebaterRefusal::FeedbackApplied);
    }
    if !draft.state.is_open_for_feedback(debate) {
        return Err(DebaterRefusal::FeedbackClosed);
    }
    let is_in_growth =
        draft.state.growth.under_way.as_ref().is_some_and(|feedbacks| feedbacks.iter().any(|one| one == id));
    if is_in_growth {
        return Err(DebaterRefusal::Growing);
    }
    if feedback.content != content {
        draft.record(DebaterEvent::FeedbackEdited { feedback: GivenFeedback { content, ..feedback } });
    }
    Ok(())
}

/// The debate, if a feedback on it can be given now.
pub(super) fn can_be_given(draft: &Draft<'_, Debater>, debate: &str) -> Result<CompletedDebate, DebaterRefusal> {
    if draft.state.seat(debate).is_some() {
        return Err(DebaterRefusal::NotCompleted);
    }
    let known = draft.state.debate(debate).ok_or(DebaterRefusal::NotAParticipant)?;
    if known.feedback.is_some() {
        return Err(DebaterRefusal::FeedbackExists);
    }
    if !draft.state.is_open_for_feedback(known) {
        return Err(DebaterRefusal::FeedbackClosed);
    }
    Ok(known.clone())
}
