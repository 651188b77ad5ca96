//! From the opening to the first question: where the respondent is at home, the order of the fields, what the link fills
//! in. The greeter and the architect are asked only for what rules cannot find out.

use enza_kernel::agent::{self, ThreadEvent};
use enza_kernel::application::Draft;
use enza_kernel::moves::NotMoved;
use enza_kernel::prompt::fence;

use super::{advance, review, step};
use crate::command::Bootstrap;
use crate::event::{DecidedBy, Event, Source};
use crate::form::Order;
use crate::plan::Plan;
use crate::state::{ARCHITECT, GREETER, Stage};
use crate::{Interview, locale, prompts};

/// How often the greeter is answered before a rule decides.
const GREETINGS: u32 = 3;

/// Begins with what is known: the greeter asks for the rest.
pub(crate) fn begin(draft: &mut Draft<'_, Interview>) -> Result<(), NotMoved> {
    let known = draft.state.bootstrap.clone();
    settle(draft, known, DecidedBy::Rule);
    if is_settled(&draft.state.bootstrap) {
        return plan(draft);
    }
    let word = prompts::greeting(&draft.state);
    agent::start(draft, GREETER, GREETER, &word);
    Ok(())
}

/// The respondent answers the greeter. What a rule can read needs no model.
pub(crate) fn greeted(draft: &mut Draft<'_, Interview>, text: &str) -> Result<(), NotMoved> {
    draft.record(Event::Greeted { text: text.to_owned() });
    let known = &draft.state.bootstrap;
    let heard = Bootstrap {
        language: known.language.clone().or_else(|| locale::read_language(text)),
        country: known.country.clone().or_else(|| locale::read_country(text)),
        timezone: known.timezone.clone(),
    };
    settle(draft, heard, DecidedBy::Rule);
    if !is_settled(&draft.state.bootstrap) && draft.state.greetings < GREETINGS {
        agent::hear(draft, GREETER, &fence("answer", text));
        return Ok(());
    }
    draft.record(step(GREETER, ThreadEvent::Closed));
    plan(draft)
}

/// Takes in what became known, with the time zone that follows from it. Nothing new is not recorded.
pub(crate) fn settle(draft: &mut Draft<'_, Interview>, heard: Bootstrap, by: DecidedBy) {
    let zone = || {
        let zone = locale::zone_of(heard.country.as_deref()?).unwrap_or(locale::FALLBACK_ZONE);
        Some(zone.to_owned())
    };
    let bootstrap = Bootstrap { timezone: heard.timezone.clone().or_else(zone), ..heard };
    if bootstrap != draft.state.bootstrap {
        draft.record(Event::Settled { bootstrap, by });
    }
}

/// Whether the greeter has nothing left to find out.
pub(crate) fn is_settled(known: &Bootstrap) -> bool {
    known.language.is_some() && known.country.is_some() && known.timezone.is_some()
}

/// Has the order decided: by the architect, where there is something to decide.
pub(crate) fn plan(draft: &mut Draft<'_, Interview>) -> Result<(), NotMoved> {
    let as_written = Plan::as_written(&draft.state.form);
    if draft.state.form.order == Order::Fixed || as_written.fields.len() < 3 {
        return planned(draft, as_written, DecidedBy::Rule);
    }
    let word = prompts::planning(&draft.state);
    agent::start(draft, ARCHITECT, ARCHITECT, &word);
    Ok(())
}

/// The order is decided: the first question, but for what the link fills in.
pub(crate) fn planned(draft: &mut Draft<'_, Interview>, plan: Plan, by: DecidedBy) -> Result<(), NotMoved> {
    draft.record(Event::Planned { plan, by });
    super::groups::expand(draft);
    prefilled(draft)?;
    advance(draft)
}

/// Takes in what the link fills in.
pub(crate) fn prefilled(draft: &mut Draft<'_, Interview>) -> Result<(), NotMoved> {
    for (id, text) in draft.state.prefill.clone() {
        if draft.state.record(&id).is_some() {
            review::answered(draft, &id, &text, Source::Link)?;
        }
    }
    Ok(())
}

/// Goes on by rule where an agent of the beginning cannot: nobody is kept from a form by a greeting.
pub(crate) fn without_agents(draft: &mut Draft<'_, Interview>) -> Result<(), NotMoved> {
    for agent in [GREETER, ARCHITECT] {
        if draft.state.cast.threads.contains_key(agent) {
            draft.record(step(agent, ThreadEvent::Closed));
        }
    }
    match draft.state.stage {
        Stage::Greeting | Stage::Planning => {
            let plan = Plan::as_written(&draft.state.form);
            draft.record(Event::Planned { plan, by: DecidedBy::Rule });
            super::groups::expand(draft);
            Ok(())
        }
        Stage::New
        | Stage::Interviewing
        | Stage::Confirming
        | Stage::Choosing
        | Stage::Delivering
        | Stage::Delivered
        | Stage::Abandoned => Ok(()),
    }
}
