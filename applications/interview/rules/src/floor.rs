//! What the respondent finds on coming to an interview: the question or the gate, the answers so far, the ways on.
//!
//! An offer is made exactly where its command would be accepted from the respondent; `tests/behaviour/floor.rs`
//! tries every offer of every state it passes through.

use enza_kernel::agent::ThreadFailure;
use enza_kernel::floor::{Floor, Offer, Opening, Position, Progress, Weight};
use enza_kernel::limits;
use enza_kernel::panel::{Fact, Panel};
use enza_kernel::text::Lang;
use serde_json::{Value, json};

use super::Interview;
use super::command::{Command, Open};
use super::commands::may_keep_as_is;
use super::form::{Form, Kind};
use super::state::{FieldRecord, Stage, State};
use super::values::Absence;
use super::words;
use crate::words::words;

/// How many options are offered as buttons.
const BUTTONS: usize = 8;

pub(super) fn floor(app: &Interview, state: &State, lang: Lang) -> Floor {
    let (done, total) = state.progress();
    let current = state.current().map(|(_, record)| record.id());
    let asked = || state.fields().filter(|(field, record)| !field.hidden && state.applies(record));
    let answers = asked().map(|(_, record)| Fact {
        label: state.label(record),
        value: record.value().and_then(|_| words::shown(state, record)),
        remark: remark(state, record, lang),
        current: current == Some(record.id()),
        change: may_change(state, record).then(|| order(&Command::ChangeAnswer { field_id: record.id().to_owned() })),
    });
    let positions = asked().map(|(_, record)| Position {
        table: app.fields.name().to_owned(),
        thing: state.label(record),
        at: record.at().to_owned(),
    });
    Floor {
        gate: state.gate().cloned(),
        offers: offers(state, lang),
        progress: (total > 0).then_some(Progress { done, total }),
        positions: positions.collect(),
        panels: vec![Panel::facts("answers", words(lang).say("floor.answers"), answers.collect())],
        ..Floor::default()
    }
}

/// The forms that are there before anyone has written one.
pub(super) fn openings(lang: Lang) -> Vec<Opening> {
    let form = Form::sample(lang);
    vec![Opening {
        name: "sample".to_owned(),
        title: form.title.clone(),
        about: words::sample(lang),
        command: order(&Command::Open(Box::new(Open::at_home(form)))),
    }]
}

fn offers(state: &State, lang: Lang) -> Vec<Offer> {
    let mut offers = Vec::new();
    match state.stage {
        Stage::Greeting | Stage::Planning | Stage::Interviewing => {
            match (state.failure(), state.question().is_some()) {
                (Some(failure), _) => offers.push(after_failure(state, failure, lang)),
                (None, true) => offers.extend(answers(state, lang)),
                (None, false) => {}
            }
        }
        Stage::Choosing if state.required_not_done().is_empty() => {
            let label = words(lang).say("floor.back");
            offers.push(press(Weight::Main, label, &Command::Reconfirm));
        }
        Stage::Delivering if state.is_undelivered() => {
            offers.push(press(Weight::Retry, words(lang).say("floor.deliver_again"), &Command::RetryDelivery));
        }
        Stage::New | Stage::Confirming | Stage::Choosing | Stage::Delivering | Stage::Delivered | Stage::Abandoned => {}
    }
    if state.stage.is_open() {
        offers.push(press(Weight::Grave, words(lang).say("floor.give_up"), &Command::Abandon));
    }
    offers
}

/// The ways to answer: in words, by a button for each option, or not at all.
fn answers(state: &State, lang: Lang) -> Vec<Offer> {
    let say = Offer::Say {
        label: words(lang).say("floor.answer").to_owned(),
        limit: limits::MESSAGE,
        command: order(&Command::Say { text: String::new() }),
        place: "/say/text".to_owned(),
    };
    let Some((field, _)) = state.current() else { return vec![say] };
    let mut offers = vec![say];
    let said = |text: &str| Command::Say { text: text.to_owned() };
    match field.kind {
        Kind::Choice if field.options.len() <= BUTTONS => {
            let options =
                field.options.iter().map(|option| press(Weight::Plain, option.shown(), &said(option.shown())));
            offers.extend(options);
        }
        Kind::YesNo => {
            let both = [words(lang).say("floor.yes"), words(lang).say("floor.no")];
            offers.extend(both.map(|word| press(Weight::Plain, word, &said(word))));
        }
        Kind::Choice
        | Kind::Choices
        | Kind::Text
        | Kind::LongText
        | Kind::Number
        | Kind::Integer
        | Kind::Date
        | Kind::Time
        | Kind::Email
        | Kind::Phone
        | Kind::File => {}
    }
    if may_keep_as_is(state) {
        offers.push(press(Weight::Plain, words(lang).say("floor.keep"), &Command::KeepAsIs));
    }
    let skip = |label: &str, absence| press(Weight::Plain, label, &Command::Skip { absence });
    if field.required {
        offers.push(skip(words(lang).say("floor.later"), Absence::Skipped));
    } else {
        offers.push(skip(words(lang).say("floor.skip"), Absence::Skipped));
        offers.push(skip(words(lang).say("floor.unknown"), Absence::Unknown));
        offers.push(skip(words(lang).say("floor.decline"), Absence::Declined));
    }
    offers
}

fn after_failure(state: &State, failure: &ThreadFailure, lang: Lang) -> Offer {
    match (failure, state.cast.ledger.limit) {
        (ThreadFailure::BudgetExhausted { need, .. }, Some(limit)) if !state.cast.ledger.fits(*need) => {
            let budget = limit + (*need).max(limit);
            let label = words(lang).fill("floor.raise", &[("budget", &budget)]);
            press(Weight::Retry, &label, &Command::RaiseBudget { budget })
        }
        (
            ThreadFailure::BudgetExhausted { .. }
            | ThreadFailure::RoundsExhausted { .. }
            | ThreadFailure::Malformed { .. }
            | ThreadFailure::Unanswered { .. },
            _,
        ) => press(Weight::Retry, words(lang).say("floor.try_again"), &Command::RetryModel),
    }
}

/// Whether the respondent may turn to this field now.
fn may_change(state: &State, record: &FieldRecord) -> bool {
    match state.stage {
        Stage::Confirming => record.is_done(),
        Stage::Choosing => true,
        Stage::Interviewing => {
            let is_free = state.question().is_some() && state.failure().is_none();
            is_free && (record.is_done() || record.is_set_aside())
        }
        Stage::New | Stage::Greeting | Stage::Planning | Stage::Delivering | Stage::Delivered | Stage::Abandoned => {
            false
        }
    }
}

fn remark(state: &State, record: &FieldRecord, lang: Lang) -> Option<String> {
    if record.is_incomplete() {
        return Some(words(lang).say("floor.incomplete").to_owned());
    }
    if record.is_set_aside() || (state.stage == Stage::Choosing && !record.is_done()) {
        return Some(words(lang).say("floor.still_open").to_owned());
    }
    let absence = record.absence().filter(|_| record.is_done() && record.value().is_none());
    absence.map(|absence| absence.say(lang).to_owned())
}

fn press(weight: Weight, label: &str, command: &Command) -> Offer {
    Offer::Press { label: label.to_owned(), command: order(command), weight }
}

fn order(command: &Command) -> Value {
    json!(command)
}
