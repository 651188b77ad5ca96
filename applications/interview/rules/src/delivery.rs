//! Brings a submission to whoever wanted it, once.
//!
//! The start is recorded before the tool runs. When it is cut off, only the respondent can say what to make of it;
//! when it fails, it waits to be told to try again. The submission keeps one id through all attempts, so that a
//! receiver can tell a repetition from a second submission; where the receiver does, the delivery is simply repeated,
//! after ever longer pauses, until it arrives or about three days are over.

use std::collections::BTreeMap;
use std::time::Duration;

use enza_kernel::application::Draft;
use enza_kernel::effect::{Effect, Outcome, RunTool, Safety, Wake};
use enza_kernel::gate::Risk;
use enza_kernel::time::Timestamp;
use serde_json::json;

use super::command::DeliveryWay;
use super::event::{Event, GatePurpose};
use super::state::{DeliveryPhase, Stage, State};
use super::{Interview, flow, words};

/// The tool that delivers.
pub const DELIVER: &str = "deliver";
/// The timer of the next attempt.
pub(super) const AGAIN: &str = "delivery";
/// The pauses after failed attempts, in seconds.
const PAUSES: [u64; 9] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/// How much is kept of what a receiver answers, in characters.
const RECEIPT_KEPT: usize = 1_000;

/// The delivery that is owed now.
pub(super) fn due(state: &State) -> Option<Effect> {
    let delivery = state.delivery.as_ref().filter(|_| state.stage == Stage::Delivering)?;
    let started = match &delivery.phase {
        DeliveryPhase::Queued => None,
        DeliveryPhase::Started { mark } => Some(mark.clone()),
        DeliveryPhase::Resting { until } => return Some(Effect::Wake(Wake { name: AGAIN.to_owned(), at: *until })),
        DeliveryPhase::Failed | DeliveryPhase::Lost | DeliveryPhase::Done => return None,
    };
    let values: BTreeMap<&str, &str> = state.values();
    let incomplete = state.fields().filter(|(_, record)| record.is_incomplete());
    let incomplete: Vec<&str> = incomplete.map(|(field, _)| field.field_id.as_str()).collect();
    Some(Effect::RunTool(RunTool {
        key: delivery.key,
        tool: DELIVER.to_owned(),
        arguments: json!({
            "id": delivery.id,
            "title": state.form.title,
            "version": state.version,
            "values": values,
            "incomplete": incomplete,
            "attempt": delivery.failed + 1,
        }),
        safety: match state.delivery_way {
            DeliveryWay::Once => Safety::Once,
            DeliveryWay::UntilItArrives => Safety::Repeatable,
        },
        started,
        reserve: 0,
    }))
}

/// Takes what came of a delivery.
pub(super) fn settle(draft: &mut Draft<'_, Interview>, run: &RunTool, outcome: Outcome) {
    let is_due = matches!(due(&draft.state), Some(Effect::RunTool(owed)) if owed.key == run.key);
    if !is_due {
        return;
    }
    match outcome {
        Outcome::Starting { mark } => draft.record(Event::DeliveryStarted { mark }),
        Outcome::Returned { text } => arrived(draft, Some(text.chars().take(RECEIPT_KEPT).collect())),
        Outcome::ToolFailed { why } => {
            let again = next_attempt(&draft.state, draft.now().time);
            draft.record(Event::DeliveryFailed { why, again });
        }
        Outcome::Unknown => {
            draft.record(Event::DeliveryLost);
            let ask = words::redelivery(&draft.state);
            flow::open_gate(draft, GatePurpose::Redeliver, ask, Risk::High);
        }
        Outcome::Replied { .. }
        | Outcome::Unanswered { .. }
        | Outcome::TooLong { .. }
        | Outcome::CallsLost { .. }
        | Outcome::Delivered { .. }
        | Outcome::Declined { .. }
        | Outcome::Found { .. }
        | Outcome::Rang => {}
    }
}

/// The pause is over.
pub(super) fn on_timer(draft: &mut Draft<'_, Interview>) {
    if draft.state.delivers_again().is_some_and(|until| draft.now().time >= until) {
        draft.record(Event::DeliveryRequeued);
    }
}

/// When a delivery that has just failed is tried again by itself.
fn next_attempt(state: &State, now: Timestamp) -> Option<Timestamp> {
    let failed = state.delivery.as_ref().map_or(0, |delivery| delivery.failed);
    match state.delivery_way {
        DeliveryWay::Once => None,
        DeliveryWay::UntilItArrives => PAUSES.get(failed as usize).map(|pause| now + Duration::from_secs(*pause)),
    }
}

/// The submission has arrived: by a receipt, or by the respondent's word.
pub(super) fn arrived(draft: &mut Draft<'_, Interview>, receipt: Option<String>) {
    let Some(delivery) = &draft.state.delivery else { return };
    let (id, submitted_at) = (delivery.id.clone(), Some(delivery.since));
    let submission = draft.state.submission();
    draft.record(Event::Delivered { id, submission, receipt, submitted_at });
}
