//! What follows from a line, by where it is typed: at a question, at a gate, at the choice of a field, or where an agent
//! has failed.
//!
//! Decides nothing about the interview: what is sent may be refused. Everything that can be typed does something or says
//! why not, everywhere.

use enza_applications::interview::{Absence, Command, Stage, State};
use enza_kernel::application::Phase;
use enza_kernel::gate::Verdict;
use enza_kernel::time::Timestamp;

use super::moment::Moment;
use super::typed::{Word, field_meant, spelt_out};
use crate::screen::Screen;
use crate::words::{asking, interview as words};

/// Where a line is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
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
pub enum Turn {
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

impl Place {
    /// Where a session stands that has not ended.
    pub fn of(moment: &Moment) -> Self {
        match moment.phase {
            Phase::Gate => Self::Gate,
            Phase::Stuck => Self::Stuck,
            Phase::Waiting if moment.state.stage() == Stage::Choosing => Self::Choice,
            Phase::Waiting | Phase::Working | Phase::Ended => Self::Question,
        }
    }
}

/// What follows from a word.
pub fn turn(screen: &Screen, moment: &Moment, place: Place, word: Word, now: Timestamp) -> Turn {
    let (lang, state) = (screen.lang, &moment.state);
    let show = |text: &str| Turn::Show(screen.faintly(text));
    match word {
        Word::Answer(text) => answer(screen, moment, place, text, now),
        Word::Leave(absence) => leave(screen, state, place, absence),
        Word::Later => match (place, state.current()) {
            (Place::Question, Some((field, _))) if !field.required => show(words::is_optional(lang)),
            (Place::Question | Place::Gate | Place::Choice | Place::Stuck, _) => {
                leave(screen, state, place, Absence::Skipped)
            }
        },
        Word::Keep if place == Place::Question => Turn::Send(Command::KeepAsIs),
        Word::Keep => show(words::not_here(lang, place)),
        Word::Change(text) if text.is_empty() => Turn::Show(asking::which(screen, state)),
        Word::Change(text) => match field_meant(state, &text) {
            Some(field_id) => Turn::Send(Command::ChangeAnswer { field_id }),
            None => Turn::Show(asking::no_such_field(screen, state, &text)),
        },
        Word::Fields => Turn::Show(asking::table(screen, state)),
        Word::Form if state.stage().is_open() && state.stage() != Stage::Greeting => Turn::Fill,
        Word::Form => show(words::not_here(lang, place)),
        Word::Back => match place {
            Place::Question => Turn::Back,
            Place::Choice => Turn::Send(Command::Reconfirm),
            Place::Gate => Turn::Show(asking::which(screen, state)),
            Place::Stuck => show(words::not_here(lang, place)),
        },
        Word::Retry => Turn::Send(retry(state)),
        Word::Abandon => Turn::Send(Command::Abandon),
        Word::Quit => Turn::Leave,
        Word::Help => Turn::Show(words::commands(screen, place)),
        Word::Nonsense(command) => show(&words::no_such_command(lang, &command)),
    }
}

/// What tries again whatever has failed.
pub fn retry(state: &State) -> Command {
    if state.is_undelivered() { Command::RetryDelivery } else { Command::RetryModel }
}

fn answer(screen: &Screen, moment: &Moment, place: Place, text: String, now: Timestamp) -> Turn {
    let (lang, state) = (screen.lang, &moment.state);
    if text.is_empty() {
        return Turn::Show(screen.faintly(words::not_here(lang, place)));
    }
    match place {
        Place::Question => match state.current() {
            Some((field, _)) => Turn::Send(Command::Say { text: spelt_out(field, &text, state, now) }),
            None => Turn::Send(Command::Say { text }),
        },
        Place::Gate => match (words::verdict(&text), state.gate()) {
            (Some(verdict), Some(gate)) => Turn::Send(confirm(&gate.id, verdict)),
            (Some(_) | None, _) => Turn::Show(screen.faintly(words::not_here(lang, place))),
        },
        Place::Choice => match field_meant(state, &text) {
            Some(field_id) => Turn::Send(Command::ChangeAnswer { field_id }),
            None => Turn::Show(asking::no_such_field(screen, state, &text)),
        },
        Place::Stuck => Turn::Show(screen.faintly(words::not_here(lang, place))),
    }
}

fn leave(screen: &Screen, state: &State, place: Place, absence: Absence) -> Turn {
    match place {
        Place::Question if state.stage() == Stage::Greeting => {
            Turn::Show(screen.faintly(words::is_needed(screen.lang)))
        }
        Place::Question => Turn::Send(Command::Skip { absence }),
        Place::Gate | Place::Choice | Place::Stuck => Turn::Show(screen.faintly(words::not_here(screen.lang, place))),
    }
}

/// The answer to a gate.
pub fn confirm(gate: &str, verdict: Verdict) -> Command {
    Command::Confirm { gate: gate.to_owned(), verdict, note: None }
}
