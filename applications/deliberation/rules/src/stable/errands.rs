//! What a stable has its debaters and its tutorial do, and what follows from how that ended.

use enza_kernel::application::{Draft, Entry};
use enza_kernel::effect::{Key, Outcome};
use enza_kernel::errand::{Errand, ErrandKind};
use enza_kernel::time::Timestamp;
use serde_json::{Value, json};

use super::event::StableEvent;
use super::state::{ErrandPurpose, StableErrand, StableState, TutorialStep};
use super::{DEBATE, DEBATER, Stable, decide};
use crate::debater::DebaterCommand;

/// What became due with this event, seen before the event is taken in, and what is not due any more.
pub(super) fn evolve(state: &mut StableState, entry: &Entry<StableEvent>) {
    let key = Key { seq: entry.seq, ordinal: 0 };
    if let StableEvent::ErrandEnded { key, .. } = &entry.event {
        state.errands.retain(|sent| sent.errand.key != *key);
    }
    if let Some((what, purpose)) = errand_of(state, &entry.event, entry.at) {
        state.errands.push(StableErrand { errand: Errand { key, what }, purpose });
    }
}

fn errand_of(state: &StableState, event: &StableEvent, at: Timestamp) -> Option<(ErrandKind, ErrandPurpose)> {
    let debater = state.tutorial.as_ref().map(|tutorial| tutorial.debater.as_str());
    match event {
        StableEvent::DebaterPlanned { debater, owner, name, values, lang, status, house, tutorial: _ } => {
            let command = json!(DebaterCommand::Open {
                debater: debater.clone(),
                owner: owner.clone(),
                name: name.clone(),
                values: values.clone(),
                lang: *lang,
                status: *status,
                house: *house,
            });
            Some((open(debater, DEBATER, command), ErrandPurpose::Create { debater: debater.clone() }))
        }
        StableEvent::RenameAsked { debater, name } => {
            let purpose = ErrandPurpose::Rename { debater: debater.clone(), name: name.clone() };
            Some((tell(debater, &DebaterCommand::Rename { name: name.clone() }), purpose))
        }
        StableEvent::StatusAsked { debater, status } => {
            let purpose = ErrandPurpose::Status { debater: debater.clone(), status: *status };
            Some((tell(debater, &DebaterCommand::SetStatus { status: *status }), purpose))
        }
        StableEvent::DebaterDeleted { debater } => Some((tell(debater, &DebaterCommand::Retire), ErrandPurpose::News)),
        StableEvent::TutorialBegun { debate, debater, title } => {
            let summon =
                DebaterCommand::Summon { debate: debate.clone(), run: at, most_per_run: 1, title: title.clone() };
            Some((tell(debater, &summon), ErrandPurpose::Summon { debate: debate.clone() }))
        }
        StableEvent::TutorialSeated { debate, command } => {
            Some((open(debate, DEBATE, command.clone()), ErrandPurpose::OpenDebate { debate: debate.clone() }))
        }
        StableEvent::TutorialOpened { debate, started_at } => {
            let seated = DebaterCommand::Seated { debate: debate.clone(), started_at: *started_at };
            Some((tell(debater?, &seated), ErrandPurpose::News))
        }
        StableEvent::TutorialFailed { debate, .. } => {
            Some((tell(debater?, &DebaterCommand::Release { debate: debate.clone() }), ErrandPurpose::News))
        }
        StableEvent::Opened { .. }
        | StableEvent::DebaterReady { .. }
        | StableEvent::DebaterFailed { .. }
        | StableEvent::Renamed { .. }
        | StableEvent::StatusSet { .. }
        | StableEvent::ChangeDeclined { .. }
        | StableEvent::TutorialEnded { .. }
        | StableEvent::ErrandEnded { .. } => None,
    }
}

/// What came of an errand. One that has ended changes nothing again.
pub(super) fn settle(draft: &mut Draft<'_, Stable>, errand: &Errand, outcome: Outcome) {
    let sent = draft.state.errands.iter().find(|sent| sent.errand.key == errand.key);
    let Some(purpose) = sent.map(|sent| sent.purpose.clone()) else { return };
    let code = match outcome {
        Outcome::Delivered { .. } => None,
        Outcome::Declined { code, .. } => Some(code),
        Outcome::Replied { .. }
        | Outcome::Unanswered { .. }
        | Outcome::TooLong { .. }
        | Outcome::CallsLost { .. }
        | Outcome::Starting { .. }
        | Outcome::Returned { .. }
        | Outcome::ToolFailed { .. }
        | Outcome::Unknown
        | Outcome::Found { .. }
        | Outcome::Rang => return,
    };
    draft.record(StableEvent::ErrandEnded { key: errand.key, code: code.clone() });
    match code {
        None => delivered(draft, purpose),
        Some(code) => declined(draft, purpose, code),
    }
}

fn delivered(draft: &mut Draft<'_, Stable>, purpose: ErrandPurpose) {
    match purpose {
        ErrandPurpose::Create { debater } => {
            let Some(kept) = draft.state.kept(&debater).cloned() else { return };
            draft.record(StableEvent::DebaterReady { debater: debater.clone() });
            if let Some(debate) = kept.tutorial {
                decide::begin_tutorial(draft, debater, debate);
            }
        }
        ErrandPurpose::Rename { debater, name } => draft.record(StableEvent::Renamed { debater, name }),
        ErrandPurpose::Status { debater, status } => draft.record(StableEvent::StatusSet { debater, status }),
        ErrandPurpose::OpenDebate { debate } if is_at(&draft.state, &debate, TutorialStep::Seated) => {
            let started_at = draft.now().time;
            draft.record(StableEvent::TutorialOpened { debate, started_at });
        }
        ErrandPurpose::OpenDebate { .. } | ErrandPurpose::Summon { .. } | ErrandPurpose::News => {}
    }
}

fn declined(draft: &mut Draft<'_, Stable>, purpose: ErrandPurpose, code: String) {
    match purpose {
        ErrandPurpose::Create { debater } => draft.record(StableEvent::DebaterFailed { debater, code }),
        ErrandPurpose::Rename { debater, .. } | ErrandPurpose::Status { debater, .. } => {
            draft.record(StableEvent::ChangeDeclined { debater, code });
        }
        ErrandPurpose::Summon { debate } if is_at(&draft.state, &debate, TutorialStep::Summoned) => {
            draft.record(StableEvent::TutorialFailed { debate, code });
        }
        ErrandPurpose::OpenDebate { debate } if is_at(&draft.state, &debate, TutorialStep::Seated) => {
            draft.record(StableEvent::TutorialFailed { debate, code });
        }
        ErrandPurpose::Summon { .. } | ErrandPurpose::OpenDebate { .. } | ErrandPurpose::News => {}
    }
}

/// Nobody sat down in time.
pub(super) fn give_tutorial_up(draft: &mut Draft<'_, Stable>) {
    let now = draft.now().time;
    let late = draft.state.tutorial.as_ref().filter(|tutorial| tutorial.deadline.is_some_and(|at| now >= at));
    if let Some(debate) = late.map(|tutorial| tutorial.debate.clone()) {
        draft.record(StableEvent::TutorialFailed { debate, code: "debater-unready".to_owned() });
    }
}

fn is_at(state: &StableState, debate: &str, step: TutorialStep) -> bool {
    state.tutorial.as_ref().is_some_and(|tutorial| tutorial.debate == debate && tutorial.step == step)
}

fn tell(session: &str, command: &DebaterCommand) -> ErrandKind {
    ErrandKind::Tell { session: session.to_owned(), command: json!(command) }
}

fn open(session: &str, application: &str, command: Value) -> ErrandKind {
    ErrandKind::Open { session: session.to_owned(), application: application.to_owned(), of: None, command }
}
