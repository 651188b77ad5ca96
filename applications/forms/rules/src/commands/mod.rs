//! Decides what is asked of a form.
//!
//! The owner may ask for everything. Whoever answers is let in by anyone's command, since the link is the key; what
//! became of an interview is reported by the runtime. A command that would change nothing is accepted and records
//! nothing, so that a second click does no harm.

mod admission;
mod draft;
mod links;
mod settings;

pub(super) use draft::replace;
pub(super) use settings::shut;

use enza_kernel::application::Draft;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::time::Actor;

use super::Forms;
use super::command::Command;
use super::refusal::Refusal;

pub(super) fn decide(draft: &mut Draft<'_, Forms>, command: Command) -> Result<(), Refusal> {
    match command {
        Command::Begin { title, language, form, sentence } => draft::begin(draft, &title, language, form, sentence),
        Command::Edit { form, edition } => draft::edit(draft, form, edition),
        Command::Describe { sentence } => draft::describe(draft, &sentence),
        Command::Publish => draft::publish(draft),
        Command::RetryModel => draft::retry_model(draft),
        Command::Close => settings::close(draft),
        Command::Reopen => settings::reopen(draft),
        Command::SetRules { rules } => settings::set_rules(draft, rules),
        Command::SetWebhook { webhook } => settings::set_webhook(draft, webhook),
        Command::MakeLink { token, kind, note, prefill } => links::make(draft, token, kind, &note, prefill),
        Command::RevokeLink { token } => links::revoke(draft, token),
        Command::Admit { token, session } => admission::admit(draft, token, &session),
        Command::Receive { session } => admission::receive(draft, &session),
        Command::Forget { session, copies, why } => admission::forget(draft, session, copies, why),
    }
}

/// The form has begun, and it is its owner who speaks.
fn must_be_owner(draft: &Draft<'_, Forms>) -> Result<(), Refusal> {
    let owner = draft.state.owner.as_deref().ok_or(Refusal::Common(CommonRefusal::NotOpen))?;
    let who = draft.now().by.person().ok_or(Refusal::Common(CommonRefusal::NotAPerson))?;
    if who == owner { Ok(()) } else { Err(Refusal::NotYours { who: who.to_owned() }) }
}

/// The same, or the runtime, which reports what became of interviews.
fn must_be_runtime_or_owner(draft: &Draft<'_, Forms>) -> Result<(), Refusal> {
    match draft.now().by {
        Actor::Person(_) => must_be_owner(draft),
        Actor::Clock | Actor::Runtime => must_have_begun(draft),
        Actor::Session { .. } => Err(Refusal::Common(CommonRefusal::NotAPerson)),
    }
}

fn must_have_begun(draft: &Draft<'_, Forms>) -> Result<(), Refusal> {
    if draft.state.owner.is_some() { Ok(()) } else { Err(Refusal::Common(CommonRefusal::NotOpen)) }
}
