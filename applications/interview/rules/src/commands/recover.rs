//! Going on after something failed. Nothing was lost: what failed is simply due again.

use enza_kernel::agent::{self, Step, ThreadEvent, ThreadFailure};
use enza_kernel::application::Draft;
use enza_kernel::budget::{Exceeded, LedgerScope};
use enza_kernel::refusal::CommonRefusal;

use super::{must_be_opened, must_be_unsubmitted};
use crate::Interview;
use crate::event::Event;
use crate::refusal::Refusal;
use crate::state::DeliveryPhase;

pub(super) fn retry_model(draft: &mut Draft<'_, Interview>) -> Result<(), Refusal> {
    must_be_unsubmitted(draft)?;
    let threads = &draft.state.cast.threads;
    let failed: Vec<String> =
        threads.iter().filter(|(_, thread)| thread.standing.is_failed()).map(|(name, _)| name.clone()).collect();
    if failed.is_empty() {
        return Err(Refusal::Common(CommonRefusal::NothingToRetry));
    }
    for thread in failed {
        draft.record(Event::Stepped(Step { thread, what: ThreadEvent::Retried }));
    }
    agent::enforce_limits(draft);
    match draft.state.failure() {
        Some(ThreadFailure::BudgetExhausted { need, left }) => {
            Err(Refusal::Budget(Exceeded { which: LedgerScope::Session, need: *need, left: *left }))
        }
        Some(
            ThreadFailure::RoundsExhausted { .. } | ThreadFailure::Malformed { .. } | ThreadFailure::Unanswered { .. },
        )
        | None => Ok(()),
    }
}

pub(super) fn raise_budget(draft: &mut Draft<'_, Interview>, budget: u64) -> Result<(), Refusal> {
    must_be_unsubmitted(draft)?;
    let limit = draft.state.cast.ledger.limit;
    if limit.is_none_or(|limit| budget <= limit) {
        return Err(Refusal::BudgetNotHigher { limit });
    }
    draft.record(Event::BudgetRaised { budget });
    Ok(())
}

/// A delivery is the form's owner's business as much as the respondent's.
pub(super) fn retry_delivery(draft: &mut Draft<'_, Interview>) -> Result<(), Refusal> {
    must_be_opened(draft)?;
    // One that would try again by itself may be told to do so now.
    let phase = draft.state.delivery.as_ref().map(|delivery| &delivery.phase);
    if !matches!(phase, Some(DeliveryPhase::Failed | DeliveryPhase::Resting { .. })) {
        return Err(Refusal::Common(CommonRefusal::NothingToRetry));
    }
    draft.record(Event::DeliveryRequeued);
    Ok(())
}
