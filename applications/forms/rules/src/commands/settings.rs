//! The owner closes and opens the form, and says what holds for those who answer.

use enza_kernel::application::Draft;

use super::must_be_owner;
use crate::Forms;
use crate::event::{Card, CloseReason, Event};
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::webhook::Webhook;

pub(super) fn close(draft: &mut Draft<'_, Forms>) -> Result<(), Refusal> {
    must_be_published(draft)?;
    if draft.state.card.is_open {
        shut(draft, CloseReason::Owner);
    }
    Ok(())
}

pub(super) fn reopen(draft: &mut Draft<'_, Forms>) -> Result<(), Refusal> {
    must_be_published(draft)?;
    if !draft.state.card.is_open {
        drop_passed_date(draft);
        let card = Card { is_open: true, ..draft.state.card.clone() };
        draft.record(Event::Reopened { card });
    }
    Ok(())
}

pub(super) fn set_rules(draft: &mut Draft<'_, Forms>, rules: Rules) -> Result<(), Refusal> {
    must_be_owner(draft)?;
    rules.check(&draft.state.rules, draft.now().time).map_err(Refusal::Rules)?;
    if rules != draft.state.rules {
        draft.record(Event::RulesSet { rules });
    }
    Ok(())
}

pub(super) fn set_webhook(draft: &mut Draft<'_, Forms>, webhook: Option<Webhook>) -> Result<(), Refusal> {
    must_be_owner(draft)?;
    if let Some(webhook) = &webhook {
        webhook.check().map_err(Refusal::Webhook)?;
    }
    if webhook != draft.state.webhook {
        draft.record(Event::WebhookSet { webhook });
    }
    Ok(())
}

/// Records that no more answers are taken.
pub(crate) fn shut(draft: &mut Draft<'_, Forms>, why: CloseReason) {
    let card = Card { is_open: false, ..draft.state.card.clone() };
    draft.record(Event::Closed { why, card });
}

/// A close date that has passed would keep the form shut whatever the owner does, so opening it takes the date away.
pub(super) fn drop_passed_date(draft: &mut Draft<'_, Forms>) {
    if draft.state.rules.has_closed(draft.now().time) {
        let rules = Rules { closes: None, ..draft.state.rules.clone() };
        draft.record(Event::RulesSet { rules });
    }
}

fn must_be_published(draft: &Draft<'_, Forms>) -> Result<(), Refusal> {
    must_be_owner(draft)?;
    if draft.state.published.is_some() { Ok(()) } else { Err(Refusal::Unpublished) }
}
