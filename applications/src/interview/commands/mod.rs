//! Decides what the respondent asks for.
//!
//! Each command is looked at by three questions, in this order: is there such an interview, may this person speak in
//! it, and is this the moment. Only then does it change anything.

mod answering;
mod confirming;
mod recovering;

use enza_kernel::agent;
use enza_kernel::application::Draft;
use enza_kernel::gate::Verdict;

use super::command::Command;
use super::event::{Event, Parting};
use super::form::Form;
use super::refusal::Refusal;
use super::state::{INTERVIEWER, INTERVIEWING, Stage};
use super::{Interview, flow, prompts};

pub(super) fn decide(draft: &mut Draft<'_, Interview>, command: Command) -> Result<(), Refusal> {
    match command {
        Command::Open { form, budget } => open(draft, form, budget),
        Command::Say { text } => answering::say(draft, &text),
        Command::Skip => answering::skip(draft),
        Command::Confirm { gate, verdict, note } => confirming::confirm(draft, &gate, verdict, note),
        Command::ChangeAnswer { field_id } => confirming::change(draft, &field_id),
        Command::Reconfirm => confirming::reconfirm(draft),
        Command::RetryModel => recovering::retry_model(draft),
        Command::RaiseBudget { budget } => recovering::raise_budget(draft, budget),
        Command::RetryDelivery => recovering::retry_delivery(draft),
        Command::Abandon => abandon(draft),
    }
}

fn open(draft: &mut Draft<'_, Interview>, form: Form, budget: Option<u64>) -> Result<(), Refusal> {
    if draft.state.stage != Stage::New {
        return Err(Refusal::AlreadyOpened);
    }
    let respondent = draft.now().by.person().ok_or(Refusal::NotAPerson)?.to_owned();
    let form = form.checked().map_err(Refusal::Form)?;
    draft.record(Event::Opened { form, respondent, budget });
    flow::shift(draft, 0, INTERVIEWING).map_err(Refusal::Move)?;
    let word = prompts::opening(&draft.state);
    agent::start(draft, INTERVIEWER, INTERVIEWER, &word);
    Ok(())
}

fn abandon(draft: &mut Draft<'_, Interview>) -> Result<(), Refusal> {
    must_be_unsubmitted(draft)?;
    draft.record(Event::Abandoned { why: Parting::Respondent });
    Ok(())
}

/// The interview has begun, and it is the respondent who speaks.
fn must_be_respondent(draft: &Draft<'_, Interview>) -> Result<(), Refusal> {
    if draft.state.stage == Stage::New {
        return Err(Refusal::NotOpened);
    }
    let who = draft.now().by.person().ok_or(Refusal::NotAPerson)?;
    if who == draft.state.respondent { Ok(()) } else { Err(Refusal::NotYours { who: who.to_owned() }) }
}

/// It can still be changed, too.
fn must_be_unsubmitted(draft: &Draft<'_, Interview>) -> Result<(), Refusal> {
    must_be_respondent(draft)?;
    match draft.state.stage {
        Stage::New => Err(Refusal::NotOpened),
        Stage::Interviewing | Stage::Confirming | Stage::Choosing => Ok(()),
        Stage::Delivering | Stage::Delivered => Err(Refusal::AlreadySubmitted),
        Stage::Abandoned => Err(Refusal::Abandoned),
    }
}

/// It is the respondent's turn, too: the place of the field that is asked about.
fn must_be_asked(draft: &Draft<'_, Interview>) -> Result<usize, Refusal> {
    must_be_unsubmitted(draft)?;
    if draft.state.stage != Stage::Interviewing {
        return Err(Refusal::NoQuestion);
    }
    if draft.state.failure().is_some() {
        return Err(Refusal::Stuck);
    }
    match (draft.state.question(), draft.state.current_place()) {
        (Some(_), Some(place)) => Ok(place),
        (Some(_), None) | (None, Some(_) | None) => Err(Refusal::NotYourTurn),
    }
}

/// Takes an answer to the open gate, if the gate accepts it.
fn answer_gate(draft: &mut Draft<'_, Interview>, verdict: Verdict, note: Option<String>) -> Result<(), Refusal> {
    let Some((_, gate)) = &draft.state.gate else { return Ok(()) };
    let answer = gate.answer(verdict, note, &draft.state.respondent, draft.now()).map_err(Refusal::Gate)?;
    draft.record(Event::GateAnswered { answer });
    Ok(())
}
