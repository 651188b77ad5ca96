//! Brings a submission to whoever wanted it, once.
//!
//! The start is recorded before the tool runs. When it is cut off, only the respondent can say what to make of it;
//! when it fails, it waits to be told to try again. The submission keeps one id through all attempts, so that a
//! receiver can tell a repetition from a second submission.

use std::collections::BTreeMap;

use enza_kernel::application::Draft;
use enza_kernel::effect::{Effect, Outcome, RunTool, Safety};
use enza_kernel::gate::Risk;
use serde_json::json;

use super::event::{Event, Purpose};
use super::state::{DeliveryPhase, Stage, State};
use super::{Interview, flow, words};

/// The tool that delivers.
pub const DELIVER: &str = "deliver";
/// How much is kept of what a receiver answers, in characters.
const RECEIPT_KEPT: usize = 1_000;

/// The delivery that is owed now.
pub(super) fn due(state: &State) -> Option<Effect> {
    let delivery = state.delivery.as_ref().filter(|_| state.stage == Stage::Delivering)?;
    let started = match &delivery.phase {
        DeliveryPhase::Queued => None,
        DeliveryPhase::Started { mark } => Some(mark.clone()),
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
            "values": values,
            "incomplete": incomplete,
        }),
        safety: Safety::Once,
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
        Outcome::ToolFailed { why } => draft.record(Event::DeliveryFailed { why }),
        Outcome::Unknown => {
            draft.record(Event::DeliveryLost);
            let ask = words::redelivery(&draft.state);
            flow::open_gate(draft, Purpose::Redeliver, ask, Risk::High);
        }
        Outcome::Replied { .. } | Outcome::Unanswered { .. } | Outcome::CallsLost { .. } | Outcome::Rang => {}
    }
}

/// The submission has arrived: by a receipt, or by the respondent's word.
pub(super) fn arrived(draft: &mut Draft<'_, Interview>, receipt: Option<String>) {
    let Some(delivery) = &draft.state.delivery else { return };
    let (id, submission) = (delivery.id.clone(), draft.state.submission());
    draft.record(Event::Delivered { id, submission, receipt });
}
