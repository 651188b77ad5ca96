//! What the owner finds on coming to a form: how it stands, and the ways on.
//!
//! An offer is made exactly where its command would be accepted from the owner and change something;
//! `tests/behaviour/forms/floor.rs` tries every offer of every state it passes through. Editing, rules and links want
//! more than a button, and are left to the pages.

use enza_kernel::floor::{Floor, Known, Offer, Opening, Progress, Weight};
use enza_kernel::limits;
use enza_kernel::text::Lang;
use serde_json::{Value, json};

use super::command::Command;
use super::state::State;
use super::words;
use enza_interview::Form;

pub(super) fn floor(state: &State, lang: Lang) -> Floor {
    if state.owner.is_none() {
        return Floor::default();
    }
    Floor { offers: offers(state, lang), progress: progress(state), known: known(state, lang), ..Floor::default() }
}

/// A blank form, and one of each example.
pub(super) fn openings(lang: Lang) -> Vec<Opening> {
    let begin =
        |title: String, form: Option<Form>| order(&Command::Begin { title, language: lang, form, sentence: None });
    let blank = lang.pick("新しいフォーム", "New form");
    let blank = Opening {
        name: "blank".to_owned(),
        title: blank.to_owned(),
        about: lang
            .pick(
                "白紙から作ります。文で説明すると下書きができます。",
                "Start from nothing, or say in a sentence what it is for.",
            )
            .to_owned(),
        command: begin(blank.to_owned(), None),
    };
    let examples = examples(lang).into_iter().enumerate().map(|(place, form)| Opening {
        name: format!("example-{}", place + 1),
        title: form.title.clone(),
        about: lang.pick("見本から作ります。", "Start from this example.").to_owned(),
        command: begin(String::new(), Some(form)),
    });
    std::iter::once(blank).chain(examples).collect()
}

/// The forms that one can start from: those of the folder `examples/forms`, and the interview's sample.
pub fn examples(lang: Lang) -> Vec<Form> {
    let texts = lang.pick(
        [
            include_str!("../../../../examples/forms/visit-report.ja.toml"),
            include_str!("../../../../examples/forms/incident-report.ja.toml"),
            include_str!("../../../../examples/forms/event-sign-up.ja.toml"),
        ],
        [
            include_str!("../../../../examples/forms/visit-report.en.toml"),
            include_str!("../../../../examples/forms/incident-report.en.toml"),
            include_str!("../../../../examples/forms/event-sign-up.en.toml"),
        ],
    );
    // A test reads every one of them.
    texts.iter().filter_map(|text| Form::parse(text).ok()).chain([Form::sample(lang)]).collect()
}

fn offers(state: &State, lang: Lang) -> Vec<Offer> {
    let mut offers = Vec::new();
    if state.failure().is_some() {
        offers.push(press(Weight::Retry, lang.pick("もう一度試す", "Try again"), &Command::RetryModel));
    }
    if !state.is_writing() {
        offers.push(Offer::Say {
            label: lang.pick("どんなフォームかを文で書く", "Say what the form is to be").to_owned(),
            limit: limits::NOTE,
            command: order(&Command::Describe { sentence: String::new() }),
            place: "/describe/sentence".to_owned(),
        });
    }
    if state.publishable().is_ok() {
        offers.push(press(Weight::Main, lang.pick("公開する", "Publish"), &Command::Publish));
    }
    match (state.published.is_some(), state.card.is_open) {
        (true, true) => offers.push(press(Weight::Plain, lang.pick("受け付けを終える", "Close"), &Command::Close)),
        (true, false) => offers.push(press(Weight::Plain, lang.pick("受け付けを再開する", "Reopen"), &Command::Reopen)),
        (false, true | false) => {}
    }
    offers
}

fn progress(state: &State) -> Option<Progress> {
    let total = usize::try_from(state.rules.most_answers?).ok()?;
    let done = usize::try_from(state.received).unwrap_or(total);
    Some(Progress { done: done.min(total), total })
}

fn known(state: &State, lang: Lang) -> Vec<Known> {
    let live_links = state.links.values().filter(|link| !link.is_revoked).count();
    let fact = |label: &str, value: String| Known {
        label: label.to_owned(),
        value: Some(value),
        remark: None,
        current: false,
        change: None,
    };
    vec![
        fact(lang.pick("状態", "Standing"), words::standing(lang, &state.card)),
        fact(lang.pick("公開した版", "Version"), state.card.version.to_string()),
        fact(lang.pick("項目", "Fields"), state.draft.fields.len().to_string()),
        fact(lang.pick("リンク", "Links"), live_links.to_string()),
        fact(lang.pick("回答を始めた人", "Respondents"), state.admitted.to_string()),
        fact(lang.pick("届いた回答", "Answers"), state.received.to_string()),
    ]
}

fn press(weight: Weight, label: &str, command: &Command) -> Offer {
    Offer::Press { label: label.to_owned(), command: order(command), weight }
}

fn order(command: &Command) -> Value {
    json!(command)
}
