//! What a debater has others do: a topic takes its brief, a debate learns that it left, the stable how the tutorial went.
//!
//! A refusal, or a session that is gone, is an outcome like any other: nobody waits for it here, and whoever summoned has
//! a deadline of its own.

use enza_kernel::application::{Draft, Entry};
use enza_kernel::effect::{Key, Outcome};
use enza_kernel::errand::{Errand, ErrandKind};
use serde_json::{Value, json};

use super::event::DebaterEvent;
use super::state::DebaterState;
use super::{Debater, STABLE};
use crate::stable::{StableCommand, TutorialOutcome};

/// What became due with this event, seen before the event is taken in, and what is not due any more.
pub(super) fn evolve(state: &mut DebaterState, entry: &Entry<DebaterEvent>) {
    let seq = entry.seq;
    match &entry.event {
        DebaterEvent::Briefed { debate, to, brief } => {
            let command = json!({ "brief": { "debate": debate, "brief": brief } });
            state.errands.push(tell(Key { seq, ordinal: 0 }, to, command));
        }
        DebaterEvent::Retired { .. } => {
            let debater = state.profile.as_ref().map(|profile| profile.debater.clone()).unwrap_or_default();
            let debates: Vec<String> = state.seats.iter().map(|seat| seat.debate.clone()).collect();
            for (ordinal, debate) in (0..).zip(debates) {
                state.errands.push(withdrawal(Key { seq, ordinal }, &debate, &debater));
            }
        }
        DebaterEvent::SeatGivenUp { debate } => {
            let debater = state.profile.as_ref().map(|profile| profile.debater.clone()).unwrap_or_default();
            state.errands.push(withdrawal(Key { seq, ordinal: 0 }, debate, &debater));
        }
        DebaterEvent::DebateCompleted { debate, .. } => tutorial_over(state, entry, debate, TutorialOutcome::Completed),
        DebaterEvent::SeatReleased { debate } => tutorial_over(state, entry, debate, TutorialOutcome::Cancelled),
        DebaterEvent::ErrandEnded { key, .. } => state.errands.retain(|errand| errand.key != *key),
        DebaterEvent::Opened { .. }
        | DebaterEvent::Born { .. }
        | DebaterEvent::Renamed { .. }
        | DebaterEvent::StatusSet { .. }
        | DebaterEvent::KnowledgeAdded { .. }
        | DebaterEvent::KnowledgeEdited { .. }
        | DebaterEvent::KnowledgeRemoved { .. }
        | DebaterEvent::SeatHeld { .. }
        | DebaterEvent::SeatStarted { .. }
        | DebaterEvent::Reflected { .. }
        | DebaterEvent::FeedbackGiven { .. }
        | DebaterEvent::FeedbackEdited { .. }
        | DebaterEvent::GrowthBegun { .. }
        | DebaterEvent::Grown { .. }
        | DebaterEvent::GrowthFailed { .. }
        | DebaterEvent::TakenBack { .. }
        | DebaterEvent::TrialBegun { .. }
        | DebaterEvent::TrialStrategy { .. }
        | DebaterEvent::TrialSaid { .. }
        | DebaterEvent::TrialFailed { .. }
        | DebaterEvent::Stepped(_) => {}
    }
}

/// What came of an errand. One that has ended changes nothing again.
pub(super) fn settle(draft: &mut Draft<'_, Debater>, errand: &Errand, outcome: Outcome) {
    if !draft.state.errands.iter().any(|known| known.key == errand.key) {
        return;
    }
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
    // Whoever summoned it has done without it meanwhile, and nobody else would ever free the seat.
    let unwanted = brief_for(errand)
        .filter(|debate| code.is_some() && draft.state.seat(debate).is_some_and(|seat| seat.started_at.is_none()));
    draft.record(DebaterEvent::ErrandEnded { key: errand.key, code });
    if let Some(debate) = unwanted {
        draft.record(DebaterEvent::SeatReleased { debate });
    }
}

/// The debate that a brief is for.
fn brief_for(errand: &Errand) -> Option<String> {
    let ErrandKind::Tell { command, .. } = &errand.what else { return None };
    command.pointer("/brief/debate")?.as_str().map(str::to_owned)
}

/// The stable hears how its tutorial went; what never began was ended by the stable itself.
fn tutorial_over(state: &mut DebaterState, entry: &Entry<DebaterEvent>, debate: &str, outcome: TutorialOutcome) {
    let seat = state.seat(debate).filter(|seat| seat.by.application == STABLE && seat.started_at.is_some());
    if let Some(stable) = seat.map(|seat| seat.by.session.clone()) {
        let command = StableCommand::Ended { debate: debate.to_owned(), outcome };
        state.errands.push(tell(Key { seq: entry.seq, ordinal: 0 }, &stable, json!(command)));
    }
}

fn withdrawal(key: Key, debate: &str, debater: &str) -> Errand {
    tell(key, debate, json!({ "withdraw": { "debater": debater } }))
}

fn tell(key: Key, session: &str, command: Value) -> Errand {
    Errand { key, what: ErrandKind::Tell { session: session.to_owned(), command } }
}
