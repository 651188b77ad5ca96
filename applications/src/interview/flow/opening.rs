//! From the opening to the first question: where the respondent is at home, the order of the fields, what the link fills
//! in. The greeter and the architect are asked only for what rules cannot find out.

use enza_kernel::agent::{self, What};
use enza_kernel::application::Draft;
use enza_kernel::moves::Stay;
use enza_kernel::prompt::fence;

use super::{go_on, reviewing, step};
use crate::interview::command::Bootstrap;
use crate::interview::event::{Event, Hand, Source};
use crate::interview::form::Order;
use crate::interview::plan::Plan;
use crate::interview::state::{ARCHITECT, GREETER, Stage};
use crate::interview::{Interview, locale, prompts};

/// How often the greeter is answered before a rule decides.
const GREETINGS: u32 = 3;

/// Begins with what is known: the greeter asks for the rest.
pub(in crate::interview) fn begin(draft: &mut Draft<'_, Interview>) -> Result<(), Stay> {
    let known = draft.state.bootstrap.clone();
    settle(draft, known, Hand::Rule);
    if is_settled(&draft.state.bootstrap) {
        return plan(draft);
    }
    let word = prompts::greeting(&draft.state);
    agent::start(draft, GREETER, GREETER, &word);
    Ok(())
}

/// The respondent answers the greeter. What a rule can read needs no model.
pub(in crate::interview) fn greeted(draft: &mut Draft<'_, Interview>, text: &str) -> Result<(), Stay> {
    draft.record(Event::Greeted { text: text.to_owned() });
    let known = &draft.state.bootstrap;
    let heard = Bootstrap {
        language: known.language.clone().or_else(|| locale::read_language(text)),
        country: known.country.clone().or_else(|| locale::read_country(text)),
        timezone: known.timezone.clone(),
    };
    settle(draft, heard, Hand::Rule);
    if !is_settled(&draft.state.bootstrap) && draft.state.greetings < GREETINGS {
        agent::hear(draft, GREETER, &fence("answer", text));
        return Ok(());
    }
    draft.record(step(GREETER, What::Closed));
    plan(draft)
}

/// Takes in what became known, with the time zone that follows from it. Nothing new is not recorded.
pub(in crate::interview) fn settle(draft: &mut Draft<'_, Interview>, heard: Bootstrap, by: Hand) {
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
pub(in crate::interview) fn is_settled(known: &Bootstrap) -> bool {
    known.language.is_some() && known.country.is_some() && known.timezone.is_some()
}

/// Has the order decided: by the architect, where there is something to decide.
pub(in crate::interview) fn plan(draft: &mut Draft<'_, Interview>) -> Result<(), Stay> {
    let as_written = Plan::as_written(&draft.state.form);
    if draft.state.form.order == Order::Fixed || as_written.fields.len() < 3 {
        return planned(draft, as_written, Hand::Rule);
    }
    let word = prompts::planning(&draft.state);
    agent::start(draft, ARCHITECT, ARCHITECT, &word);
    Ok(())
}

/// The order is decided: the first question, but for what the link fills in.
pub(in crate::interview) fn planned(draft: &mut Draft<'_, Interview>, plan: Plan, by: Hand) -> Result<(), Stay> {
    draft.record(Event::Planned { plan, by });
    super::groups::expand(draft);
    prefilled(draft)?;
    go_on(draft)
}

/// Takes in what the link fills in.
pub(in crate::interview) fn prefilled(draft: &mut Draft<'_, Interview>) -> Result<(), Stay> {
    for (id, text) in draft.state.prefill.clone() {
        if draft.state.record(&id).is_some() {
            reviewing::answered(draft, &id, &text, Source::Link)?;
        }
    }
    Ok(())
}

/// Goes on by rule where an agent of the beginning cannot: nobody is kept from a form by a greeting.
pub(in crate::interview) fn without_agents(draft: &mut Draft<'_, Interview>) -> Result<(), Stay> {
    for agent in [GREETER, ARCHITECT] {
        if draft.state.cast.threads.contains_key(agent) {
            draft.record(step(agent, What::Closed));
        }
    }
    match draft.state.stage {
        Stage::Greeting | Stage::Planning => {
            let plan = Plan::as_written(&draft.state.form);
            draft.record(Event::Planned { plan, by: Hand::Rule });
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
