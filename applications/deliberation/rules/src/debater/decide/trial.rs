//! Trying a feedback before it is given: the strategy that it would lead to, and the first sentence with and without it.
//!
//! Nothing of it is a feedback, and no other prompt reads it.

use enza_kernel::agent;
use enza_kernel::application::Draft;

use super::{feedback, for_its_owner};
use crate::debater::Debater;
use crate::debater::agents::{SPEAKER, STRATEGIST, TRIAL_STRATEGY, trial_thread};
use crate::debater::event::{DebaterEvent, TrialSide};
use crate::debater::refusal::DebaterRefusal;
use crate::debater::state::{DebaterState, FeedbackTrial};
use crate::limits::FEEDBACK;
use crate::prompts::{self, statement, strategy};

pub(super) fn begin(draft: &mut Draft<'_, Debater>, debate: String, content: &str) -> Result<(), DebaterRefusal> {
    let profile = for_its_owner(draft)?;
    let content = FEEDBACK.check(content).map_err(DebaterRefusal::Text)?;
    let known = feedback::can_be_given(draft, &debate)?;
    if draft.state.trial.as_ref().is_some_and(|trial| !trial.is_over()) {
        return Err(DebaterRefusal::TrialUnderWay);
    }
    let persona = draft.state.persona.clone().ok_or(DebaterRefusal::Unborn)?;
    let strategy = strategy::user(profile.lang, &persona.pretty(), &known.own, &content);
    let speech = prompts::trial_speech(profile.lang, &known.title);
    draft.record(DebaterEvent::TrialBegun { trial: draft.state.counts.trials + 1, debate, content });
    agent::start(draft, TRIAL_STRATEGY, STRATEGIST, &strategy);
    agent::start(draft, trial_thread(TrialSide::Without), SPEAKER, &speech);
    Ok(())
}

/// The strategy is there: now it can be heard.
pub(in crate::debater) fn take_strategy(draft: &mut Draft<'_, Debater>, strategy: String) {
    let Some(trial) = draft.state.trial.clone() else { return };
    let title = draft.state.debate(&trial.debate).map(|debate| debate.title.clone()).unwrap_or_default();
    draft.record(DebaterEvent::TrialStrategy { trial: trial.number, strategy });
    let speech = prompts::trial_speech(draft.state.lang(), &title);
    agent::start(draft, trial_thread(TrialSide::With), SPEAKER, &speech);
}

/// A first sentence is there.
pub(in crate::debater) fn say(draft: &mut Draft<'_, Debater>, side: TrialSide, sentence: String) {
    if let Some(FeedbackTrial { number, .. }) = draft.state.trial {
        draft.record(DebaterEvent::TrialSaid { trial: number, side, sentence });
    }
}

/// The system prompt of a speaker in the trial.
pub(in crate::debater) fn trial_voice(state: &DebaterState, side: TrialSide) -> Option<String> {
    let (profile, persona, trial) = (state.profile.as_ref()?, state.persona.as_ref()?, state.trial.as_ref()?);
    let strategy = match side {
        TrialSide::With => trial.strategy.as_deref(),
        TrialSide::Without => None,
    };
    let speaker = statement::Speaker {
        name: &profile.name,
        persona: &persona.pretty(),
        strategy,
        knowledge: &state.knowledge,
        direction: None,
    };
    Some(statement::system(profile.lang, &speaker))
}
