//! The draft comes about: by hand, by the architect, and becomes a version.
//!
//! The owner's hand goes before the architect's: an edit calls the architect off, so that no draft is ever overwritten
//! by an answer to an older wish.

use enza_kernel::agent::{self, Step, ThreadEvent};
use enza_kernel::application::Draft;
use enza_kernel::limits;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;

use super::{must_be_owner, settings};
use crate::event::{Author, Card, Event};
use crate::refusal::Refusal;
use crate::state::ARCHITECT;
use crate::{Forms, LARGEST_DRAFT, prompts};
use enza_interview::Form;

pub(super) fn begin(
    draft: &mut Draft<'_, Forms>,
    title: &str,
    language: Lang,
    form: Option<Form>,
    sentence: Option<String>,
) -> Result<(), Refusal> {
    if draft.state.owner.is_some() {
        return Err(Refusal::Common(CommonRefusal::AlreadyOpen));
    }
    let owner = draft.now().by.person().ok_or(Refusal::Common(CommonRefusal::NotAPerson))?.to_owned();
    let title = limits::TITLE.check_optional(title).map_err(Refusal::Text)?;
    let mut form = form.unwrap_or_else(|| Form { language, ..Form::default() });
    if !title.is_empty() {
        form.title = title;
    }
    must_be_small_enough(&form)?;
    let sentence = sentence.map(|sentence| limits::NOTE.check(&sentence)).transpose().map_err(Refusal::Text)?;
    let card = draft.state.card_of(&form);
    draft.record(Event::Begun { owner, form, card });
    if let Some(sentence) = sentence {
        ask_architect(draft, sentence);
    }
    Ok(())
}

pub(super) fn edit(draft: &mut Draft<'_, Forms>, form: Form, edition: u64) -> Result<(), Refusal> {
    must_be_owner(draft)?;
    let current = draft.state.card.edition;
    if edition != current {
        return Err(Refusal::EditedMeanwhile { edition: current });
    }
    must_be_small_enough(&form)?;
    if *draft.state.draft != form {
        replace(draft, form, Author::Owner);
        call_architect_off(draft);
    }
    Ok(())
}

pub(super) fn describe(draft: &mut Draft<'_, Forms>, sentence: &str) -> Result<(), Refusal> {
    must_be_owner(draft)?;
    if draft.state.is_writing() {
        return Err(Refusal::Writing);
    }
    let sentence = limits::NOTE.check(sentence).map_err(Refusal::Text)?;
    ask_architect(draft, sentence);
    Ok(())
}

pub(super) fn publish(draft: &mut Draft<'_, Forms>) -> Result<(), Refusal> {
    must_be_owner(draft)?;
    let form = draft.state.publishable()?;
    settings::drop_passed_date(draft);
    let card = &draft.state.card;
    let card = Card { version: card.version + 1, is_open: true, ..card.clone() };
    draft.record(Event::Published { form, card });
    Ok(())
}

pub(super) fn retry_model(draft: &mut Draft<'_, Forms>) -> Result<(), Refusal> {
    must_be_owner(draft)?;
    if draft.state.failure().is_none() {
        return Err(Refusal::Common(CommonRefusal::NothingToRetry));
    }
    draft.record(Event::Stepped(Step { thread: ARCHITECT.to_owned(), what: ThreadEvent::Retried }));
    agent::enforce_limits(draft);
    Ok(())
}

/// Puts another draft in the place of the present one.
pub(crate) fn replace(draft: &mut Draft<'_, Forms>, form: Form, by: Author) {
    let card = draft.state.card_of(&form);
    let card = Card { edition: card.edition + 1, ..card };
    draft.record(Event::Edited { form, by, card });
}

fn ask_architect(draft: &mut Draft<'_, Forms>, sentence: String) {
    let word = prompts::opening(draft.state.draft.language, &sentence);
    draft.record(Event::Described { sentence });
    agent::start(draft, ARCHITECT, ARCHITECT, &word);
}

fn call_architect_off(draft: &mut Draft<'_, Forms>) {
    if draft.state.cast.threads.contains_key(ARCHITECT) {
        draft.record(Event::Stepped(Step { thread: ARCHITECT.to_owned(), what: ThreadEvent::Closed }));
    }
}

fn must_be_small_enough(form: &Form) -> Result<(), Refusal> {
    let bytes = serde_json::to_string(form).expect("plain data always serialises").len();
    if bytes > LARGEST_DRAFT { Err(Refusal::TooLarge { bytes }) } else { Ok(()) }
}
