//! Decides what the respondent asks for.
//!
//! Each command is looked at by three questions, in this order: is there such an interview, may this person speak in
//! it, and is this the moment. Only then does it change anything.

mod answer;
mod confirm;
mod files;
mod language;
mod recover;

use enza_kernel::application::Draft;
use enza_kernel::gate::Verdict;
use enza_kernel::limits;
use enza_kernel::refusal::CommonRefusal;

use super::command::{Bootstrap, Command, Open};
use super::event::{AbandonReason, Event};
use super::flow::start;
use super::refusal::Refusal;
use super::state::Stage;
use super::{Interview, locale};

pub(super) use answer::may_keep_as_is;

pub(super) fn decide(draft: &mut Draft<'_, Interview>, command: Command) -> Result<(), Refusal> {
    match command {
        Command::Open(opening) => open(draft, *opening),
        Command::Say { text } => answer::say(draft, &text),
        Command::Fill { answers } => answer::fill(draft, answers),
        Command::TakeFile { digest, name, size } => files::take(draft, digest, name, size),
        Command::LeaveFile { digest } => files::leave(draft, digest),
        Command::Skip { absence } => answer::skip(draft, absence),
        Command::KeepAsIs => answer::keep_as_is(draft),
        Command::Confirm { gate, verdict, note } => confirm::confirm(draft, &gate, verdict, note),
        Command::ChangeAnswer { field_id } => confirm::change(draft, &field_id),
        Command::ChangeLanguage { language } => language::change(draft, &language),
        Command::Reconfirm => confirm::reconfirm(draft),
        Command::RetryModel => recover::retry_model(draft),
        Command::RaiseBudget { budget } => recover::raise_budget(draft, budget),
        Command::RetryDelivery => recover::retry_delivery(draft),
        Command::Abandon => abandon(draft),
    }
}

fn open(draft: &mut Draft<'_, Interview>, order: Open) -> Result<(), Refusal> {
    if draft.state.stage != Stage::New {
        return Err(Refusal::Common(CommonRefusal::AlreadyOpen));
    }
    let respondent = draft.now().by.person().ok_or(Refusal::Common(CommonRefusal::NotAPerson))?.to_owned();
    let Open { form, version, budget, bootstrap, consented, mut prefill, delivery, key, link, keep_days } = order;
    let form = form.checked().map_err(Refusal::Form)?;
    if form.consent.is_some() && !consented {
        return Err(Refusal::ConsentMissing);
    }
    let bootstrap = known(bootstrap)?;
    // A link is older than the form it leads to: what it cannot fill in any more is left out.
    prefill.retain(|id, _| form.find(id).is_some_and(|(_, field)| field.group.is_none()));
    for text in prefill.values_mut() {
        *text = limits::MESSAGE.check(text).map_err(Refusal::Text)?;
    }
    draft.record(Event::Opened {
        form,
        respondent,
        budget,
        version,
        bootstrap,
        consented,
        prefill,
        delivery,
        key,
        link,
        keep_days,
    });
    start::begin(draft).map_err(Refusal::Move)
}

/// What is known of a respondent beforehand, in the spelling in which it is kept.
fn known(said: Bootstrap) -> Result<Bootstrap, Refusal> {
    let unknown = |text: &str| Refusal::UnknownPlace { text: text.to_owned() };
    let language = said.language.map(|text| locale::read_language(&text).ok_or_else(|| unknown(&text))).transpose()?;
    let country = said.country.map(|text| locale::read_country(&text).ok_or_else(|| unknown(&text))).transpose()?;
    // A browser knows its zone better than its country: one that does not fit is not worth a refusal.
    let fits = |zone: &String| country.as_deref().is_some_and(|country| locale::is_zone_of(country, zone));
    Ok(Bootstrap { language, timezone: said.timezone.filter(fits), country })
}

fn abandon(draft: &mut Draft<'_, Interview>) -> Result<(), Refusal> {
    must_be_unsubmitted(draft)?;
    draft.record(Event::Abandoned { why: AbandonReason::Respondent });
    Ok(())
}

/// The interview has begun, and it is a person who speaks.
fn must_be_opened<'a>(draft: &Draft<'a, Interview>) -> Result<&'a str, Refusal> {
    if draft.state.stage == Stage::New {
        return Err(Refusal::Common(CommonRefusal::NotOpen));
    }
    draft.now().by.person().ok_or(Refusal::Common(CommonRefusal::NotAPerson))
}

/// It is the respondent, too.
fn must_be_respondent(draft: &Draft<'_, Interview>) -> Result<(), Refusal> {
    let who = must_be_opened(draft)?;
    if who == draft.state.respondent { Ok(()) } else { Err(Refusal::NotYours { who: who.to_owned() }) }
}

/// It can still be changed, too.
fn must_be_unsubmitted(draft: &Draft<'_, Interview>) -> Result<(), Refusal> {
    must_be_respondent(draft)?;
    must_be_open(draft)
}

/// It can still be changed, whoever asks.
fn must_be_open(draft: &Draft<'_, Interview>) -> Result<(), Refusal> {
    match draft.state.stage {
        Stage::New => Err(Refusal::Common(CommonRefusal::NotOpen)),
        Stage::Greeting | Stage::Planning | Stage::Interviewing | Stage::Confirming | Stage::Choosing => Ok(()),
        Stage::Delivering | Stage::Delivered => Err(Refusal::AlreadySubmitted),
        Stage::Abandoned => Err(Refusal::Abandoned),
    }
}

/// It is the respondent's turn, too: the field that is asked about, or none where the greeter asks.
fn must_be_asked(draft: &Draft<'_, Interview>) -> Result<Option<String>, Refusal> {
    must_be_unsubmitted(draft)?;
    if !draft.state.stage.is_spoken() {
        return Err(Refusal::NoQuestion);
    }
    if draft.state.failure().is_some() {
        return Err(Refusal::Stuck);
    }
    match (draft.state.question(), draft.state.stage) {
        (Some(_), Stage::Greeting) => Ok(None),
        (Some(_), _) => draft.state.current.clone().map(Some).ok_or(Refusal::NotYourTurn),
        (None, _) => Err(Refusal::NotYourTurn),
    }
}

/// Takes an answer to the open gate, if the gate accepts it.
fn answer_gate(draft: &mut Draft<'_, Interview>, verdict: Verdict, note: Option<String>) -> Result<(), Refusal> {
    let Some((_, gate)) = &draft.state.gate else { return Ok(()) };
    let answer = gate.answer(verdict, note, &draft.state.respondent, draft.now()).map_err(Refusal::Gate)?;
    draft.record(Event::GateAnswered { answer });
    Ok(())
}
