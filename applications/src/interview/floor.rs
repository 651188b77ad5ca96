//! What the respondent finds on coming to an interview: the question or the gate, the answers so far, the ways on.
//!
//! An offer is made exactly where its command would be accepted from the respondent; `tests/behaviour/interview/floor.rs`
//! tries every offer of every state it passes through.

use enza_kernel::agent::Failure;
use enza_kernel::floor::{Floor, Known, Offer, Opening, Position, Progress, Weight};
use enza_kernel::limits;
use enza_kernel::text::Lang;
use serde_json::{Value, json};

use super::Interview;
use super::command::Command;
use super::form::Form;
use super::state::{Record, Stage, State};
use super::words;

pub(super) fn floor(app: &Interview, state: &State, lang: Lang) -> Floor {
    let (done, total) = state.progress();
    let current = state.current_place();
    let known = state.fields().enumerate().map(|(place, (field, record))| Known {
        label: field.label.clone(),
        value: record.value.clone(),
        remark: remark(record, lang),
        current: current == Some(place),
        change: may_change(state, record).then(|| order(&Command::ChangeAnswer { field_id: field.field_id.clone() })),
    });
    let positions = state.fields().map(|(field, record)| Position {
        table: app.fields.name().to_owned(),
        thing: field.label.clone(),
        at: record.at().to_owned(),
    });
    Floor {
        gate: state.gate().cloned(),
        offers: offers(state, lang),
        progress: (total > 0).then_some(Progress { done, total }),
        known: known.collect(),
        positions: positions.collect(),
    }
}

/// The forms that are there before anyone has written one.
pub(super) fn openings(lang: Lang) -> Vec<Opening> {
    let form = Form::sample(lang);
    vec![Opening {
        name: "sample".to_owned(),
        title: form.title.clone(),
        about: words::sample(lang),
        command: order(&Command::Open { form, budget: None }),
    }]
}

fn offers(state: &State, lang: Lang) -> Vec<Offer> {
    let mut offers = Vec::new();
    match state.stage {
        Stage::Interviewing => match (state.failure(), state.question().is_some()) {
            (Some(failure), _) => offers.push(after_failure(state, failure, lang)),
            (None, true) => offers.extend(answers(state, lang)),
            (None, false) => {}
        },
        Stage::Choosing => {
            offers.push(press(
                Weight::Main,
                lang.pick("このまま確認に戻る", "Back to the confirmation"),
                &Command::Reconfirm,
            ));
        }
        Stage::Delivering if state.is_undelivered() => {
            offers.push(press(Weight::Retry, lang.pick("もう一度送る", "Deliver again"), &Command::RetryDelivery));
        }
        Stage::New | Stage::Confirming | Stage::Delivering | Stage::Delivered | Stage::Abandoned => {}
    }
    if let Stage::Interviewing | Stage::Confirming | Stage::Choosing = state.stage {
        offers.push(press(Weight::Grave, lang.pick("取りやめる", "Give up"), &Command::Abandon));
    }
    offers
}

fn answers(state: &State, lang: Lang) -> impl Iterator<Item = Offer> {
    let say = Offer::Say {
        label: lang.pick("回答", "Your answer").to_owned(),
        limit: limits::MESSAGE,
        command: order(&Command::Say { text: String::new() }),
        place: "/say/text".to_owned(),
    };
    let optional = state.current().is_some_and(|(field, _)| !field.required);
    let skip = optional.then(|| press(Weight::Plain, lang.pick("この項目を飛ばす", "Skip this one"), &Command::Skip));
    [Some(say), skip].into_iter().flatten()
}

fn after_failure(state: &State, failure: &Failure, lang: Lang) -> Offer {
    match (failure, state.cast.ledger.limit) {
        (Failure::BudgetExhausted { need, .. }, Some(limit)) if !state.cast.ledger.fits(*need) => {
            let budget = limit + (*need).max(limit);
            let label =
                lang.pick(format!("予算を{budget}トークンに増やす"), format!("Raise the budget to {budget} tokens"));
            press(Weight::Retry, &label, &Command::RaiseBudget { budget })
        }
        (
            Failure::BudgetExhausted { .. }
            | Failure::RoundsExhausted { .. }
            | Failure::Malformed { .. }
            | Failure::Unanswered { .. },
            _,
        ) => press(Weight::Retry, lang.pick("もう一度試す", "Try again"), &Command::RetryModel),
    }
}

fn may_change(state: &State, record: &Record) -> bool {
    record.is_done() && matches!(state.stage, Stage::Confirming | Stage::Choosing)
}

fn remark(record: &Record, lang: Lang) -> Option<String> {
    if record.is_incomplete() {
        return Some(lang.pick("不足あり", "incomplete").to_owned());
    }
    (record.is_done() && record.value.is_none()).then(|| lang.pick("未記入", "left empty").to_owned())
}

fn press(weight: Weight, label: &str, command: &Command) -> Offer {
    Offer::Press { label: label.to_owned(), command: order(command), weight }
}

fn order(command: &Command) -> Value {
    json!(command)
}
