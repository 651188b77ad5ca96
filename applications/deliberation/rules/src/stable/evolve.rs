//! Takes recorded events into the state. Never fails: what is recorded has happened.

use std::time::Duration;

use enza_kernel::application::Entry;

use super::errands;
use super::event::StableEvent;
use super::state::{KeptDebater, StableState, Tutorial, TutorialStep};

/// How long a tutorial may take to come about: a persona is written meanwhile.
const PATIENCE: Duration = Duration::from_secs(180);

pub(super) fn evolve(state: &mut StableState, entry: &Entry<StableEvent>) {
    errands::evolve(state, entry);
    match &entry.event {
        StableEvent::Opened { owner, lang } => {
            state.owner = Some(owner.clone());
            state.lang = *lang;
        }
        StableEvent::DebaterPlanned { debater, name, status, tutorial, .. } => state.debaters.push(KeptDebater {
            debater: debater.clone(),
            name: name.clone(),
            status: *status,
            asked: None,
            is_ready: false,
            tutorial: tutorial.clone(),
        }),
        StableEvent::DebaterReady { debater } => on_debater(state, debater, |kept| kept.is_ready = true),
        StableEvent::DebaterFailed { debater, .. } | StableEvent::DebaterDeleted { debater } => {
            state.debaters.retain(|kept| kept.debater != *debater);
        }
        StableEvent::Renamed { debater, name } => on_debater(state, debater, |kept| kept.name.clone_from(name)),
        StableEvent::StatusAsked { debater, status } => {
            on_debater(state, debater, |kept| kept.asked = Some(*status));
        }
        StableEvent::StatusSet { debater, status } => on_debater(state, debater, |kept| {
            kept.status = *status;
            kept.asked = None;
        }),
        StableEvent::ChangeDeclined { debater, .. } => on_debater(state, debater, |kept| kept.asked = None),
        StableEvent::TutorialBegun { debate, debater, .. } => {
            on_debater(state, debater, |kept| kept.tutorial = None);
            state.tutorial = Some(Tutorial {
                debate: debate.clone(),
                debater: debater.clone(),
                step: TutorialStep::Summoned,
                deadline: Some(entry.at + PATIENCE),
            });
        }
        StableEvent::TutorialSeated { .. } => on_tutorial(state, TutorialStep::Seated),
        StableEvent::TutorialOpened { .. } => on_tutorial(state, TutorialStep::Running),
        StableEvent::TutorialEnded { .. } => on_tutorial(state, TutorialStep::Over),
        StableEvent::TutorialFailed { .. } => state.tutorial = None,
        StableEvent::RenameAsked { .. } | StableEvent::ErrandEnded { .. } => {}
    }
}

fn on_debater(state: &mut StableState, debater: &str, change: impl FnOnce(&mut KeptDebater)) {
    if let Some(kept) = state.debaters.iter_mut().find(|kept| kept.debater == debater) {
        change(kept);
    }
}

fn on_tutorial(state: &mut StableState, step: TutorialStep) {
    if let Some(tutorial) = &mut state.tutorial {
        tutorial.step = step;
        tutorial.deadline = None;
    }
}
