//! What follows from a line, by where it is typed: at a question, at a gate, at the choice of a field, or where an agent
//! has failed.
//!
//! Decides nothing about the interview: what is sent may be refused. Everything that can be typed does something or says
//! why not, everywhere.

use enza_interview::{Absence, Command, Stage, State};
use enza_kernel::application::Phase;
use enza_kernel::gate::{Verdict, typed_answer};
use enza_kernel::time::Timestamp;
use enza_terminal::screen::Screen;

use super::parse::{ParsedAnswer, field_meant, spelt_out};
use super::wait::IdleSession;
use crate::words::{interview as words, question};

/// Where a line is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputPlace {
    /// A question is open.
    Question,
    /// A yes or a no is asked for.
    Gate,
    /// Nothing is left to ask, and a field can be chosen.
    Choice,
    /// An agent has failed.
    Stuck,
}

/// What follows from a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineAction {
    /// This is sent.
    Send(Command),
    /// The field before is asked again.
    Back,
    /// The rest is filled in, field by field.
    Fill,
    /// This is shown, and the question stays.
    Show(String),
    /// The person leaves.
    Leave,
}

impl InputPlace {
    /// Where a session stands that has not ended.
    pub fn of(moment: &IdleSession) -> Self {
        match moment.phase {
            Phase::Gate => Self::Gate,
            Phase::Stuck => Self::Stuck,
            Phase::Waiting if moment.state.stage() == Stage::Choosing => Self::Choice,
            Phase::Waiting | Phase::Working | Phase::Ended => Self::Question,
        }
    }
}

/// What follows from a word.
pub fn line_action(
    screen: &Screen,
    moment: &IdleSession,
    place: InputPlace,
    word: ParsedAnswer,
    now: Timestamp,
) -> LineAction {
    let (lang, state) = (screen.lang, &moment.state);
    let show = |text: &str| LineAction::Show(screen.faintly(text));
    match word {
        ParsedAnswer::Answer(text) => answer(screen, moment, place, text, now),
        ParsedAnswer::Leave(absence) => leave(screen, state, place, absence),
        ParsedAnswer::Later => match (place, state.current()) {
            (InputPlace::Question, Some((field, _))) if !field.required => show(words::is_optional(lang)),
            (InputPlace::Question | InputPlace::Gate | InputPlace::Choice | InputPlace::Stuck, _) => {
                leave(screen, state, place, Absence::Skipped)
            }
        },
        ParsedAnswer::Keep if place == InputPlace::Question => LineAction::Send(Command::KeepAsIs),
        ParsedAnswer::Keep => show(words::not_here(lang, place)),
        ParsedAnswer::Change(text) if text.is_empty() => LineAction::Show(question::which(screen, state)),
        ParsedAnswer::Change(text) => match field_meant(state, &text) {
            Some(field_id) => LineAction::Send(Command::ChangeAnswer { field_id }),
            None => LineAction::Show(question::no_such_field(screen, state, &text)),
        },
        ParsedAnswer::Fields => LineAction::Show(question::table(screen, state)),
        ParsedAnswer::Form if state.stage().is_open() && state.stage() != Stage::Greeting => LineAction::Fill,
        ParsedAnswer::Form => show(words::not_here(lang, place)),
        ParsedAnswer::Back => match place {
            InputPlace::Question => LineAction::Back,
            InputPlace::Choice => LineAction::Send(Command::Reconfirm),
            InputPlace::Gate => LineAction::Show(question::which(screen, state)),
            InputPlace::Stuck => show(words::not_here(lang, place)),
        },
        ParsedAnswer::Retry => LineAction::Send(retry(state)),
        ParsedAnswer::Abandon => LineAction::Send(Command::Abandon),
        ParsedAnswer::Quit => LineAction::Leave,
        ParsedAnswer::Help => LineAction::Show(words::commands(screen, place)),
        ParsedAnswer::Nonsense(command) => show(&words::no_such_command(lang, &command)),
    }
}

/// What tries again whatever has failed.
pub fn retry(state: &State) -> Command {
    if state.is_undelivered() { Command::RetryDelivery } else { Command::RetryModel }
}

fn answer(screen: &Screen, moment: &IdleSession, place: InputPlace, text: String, now: Timestamp) -> LineAction {
    let (lang, state) = (screen.lang, &moment.state);
    if text.is_empty() {
        return LineAction::Show(screen.faintly(words::not_here(lang, place)));
    }
    match place {
        InputPlace::Question => match state.current() {
            Some((field, _)) => LineAction::Send(Command::Say { text: spelt_out(field, &text, state, now) }),
            None => LineAction::Send(Command::Say { text }),
        },
        InputPlace::Gate => match (typed_answer(&text), state.gate()) {
            (Some((verdict, note)), Some(gate)) => {
                LineAction::Send(Command::Confirm { gate: gate.id.clone(), verdict, note })
            }
            (Some(_) | None, _) => LineAction::Show(screen.faintly(words::not_here(lang, place))),
        },
        InputPlace::Choice => match field_meant(state, &text) {
            Some(field_id) => LineAction::Send(Command::ChangeAnswer { field_id }),
            None => LineAction::Show(question::no_such_field(screen, state, &text)),
        },
        InputPlace::Stuck => LineAction::Show(screen.faintly(words::not_here(lang, place))),
    }
}

fn leave(screen: &Screen, state: &State, place: InputPlace, absence: Absence) -> LineAction {
    match place {
        InputPlace::Question if state.stage() == Stage::Greeting => {
            LineAction::Show(screen.faintly(words::is_needed(screen.lang)))
        }
        InputPlace::Question => LineAction::Send(Command::Skip { absence }),
        InputPlace::Gate | InputPlace::Choice | InputPlace::Stuck => {
            LineAction::Show(screen.faintly(words::not_here(screen.lang, place)))
        }
    }
}

/// The answer to a gate.
pub fn confirm(gate: &str, verdict: Verdict) -> Command {
    Command::Confirm { gate: gate.to_owned(), verdict, note: None }
}
