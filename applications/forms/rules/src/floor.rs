//! What the owner finds on coming to a form: how it stands, and the ways on.
//!
//! An offer is made exactly where its command would be accepted from the owner and change something;
//! `tests/behaviour/floor.rs` tries every offer of every state it passes through. Editing, rules and links want
//! more than a button, and are left to the pages.

use enza_kernel::floor::{Floor, Offer, Opening, Progress, Weight};
use enza_kernel::limits;
use enza_kernel::panel::{Fact, Panel};
use enza_kernel::text::Lang;
use serde_json::{Value, json};

use super::command::Command;
use super::link::{Link, LinkKind, LinkUse};
use super::state::State;
use super::words;
use crate::words::words;
use enza_interview::Form;

/// How many links are shown, the newest first.
const LINKS: usize = 10;

pub(super) fn floor(state: &State, lang: Lang) -> Floor {
    if state.owner.is_none() {
        return Floor::default();
    }
    Floor { offers: offers(state, lang), progress: progress(state), panels: panels(state, lang), ..Floor::default() }
}

/// A blank form, and one of each example.
pub(super) fn openings(lang: Lang) -> Vec<Opening> {
    let begin =
        |title: String, form: Option<Form>| order(&Command::Begin { title, language: lang, form, sentence: None });
    let blank = words(lang).say("floor.blank");
    let blank = Opening {
        name: "blank".to_owned(),
        title: blank.to_owned(),
        about: words(lang).say("floor.blank_about").to_owned(),
        command: begin(blank.to_owned(), None),
    };
    let examples = examples(lang).into_iter().enumerate().map(|(place, form)| Opening {
        name: format!("example-{}", place + 1),
        title: form.title.clone(),
        about: words(lang).say("floor.example_about").to_owned(),
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
        offers.push(press(Weight::Retry, words(lang).say("floor.try_again"), &Command::RetryModel));
    }
    if !state.is_writing() {
        offers.push(Offer::Say {
            label: words(lang).say("floor.describe").to_owned(),
            limit: limits::NOTE,
            command: order(&Command::Describe { sentence: String::new() }),
            place: "/describe/sentence".to_owned(),
        });
    }
    if state.publishable().is_ok() {
        offers.push(press(Weight::Main, words(lang).say("floor.publish"), &Command::Publish));
    }
    match (state.published.is_some(), state.card.is_open) {
        (true, true) => offers.push(press(Weight::Plain, words(lang).say("floor.close"), &Command::Close)),
        (true, false) => offers.push(press(Weight::Plain, words(lang).say("floor.reopen"), &Command::Reopen)),
        (false, true | false) => {}
    }
    offers
}

fn progress(state: &State) -> Option<Progress> {
    let total = usize::try_from(state.rules.most_answers?).ok()?;
    let done = usize::try_from(state.received).unwrap_or(total);
    Some(Progress { done: done.min(total), total })
}

fn panels(state: &State, lang: Lang) -> Vec<Panel> {
    let words = words(lang);
    let columns = [words.say("floor.link_note"), words.say("floor.link_kind"), words.say("floor.link_use")];
    vec![
        Panel::facts("form", words.say("floor.form"), facts(state, lang)),
        Panel::table("links", words.say("floor.links"), &columns, links(state, lang)),
    ]
}

/// The links that still let somebody in or once did, without those that were withdrawn.
fn links(state: &State, lang: Lang) -> Vec<Vec<String>> {
    let mut links: Vec<&Link> = state.links.values().filter(|link| !link.is_revoked).collect();
    links.sort_by_key(|link| std::cmp::Reverse(link.made_at));
    links.into_iter().take(LINKS).map(|link| row(link, lang)).collect()
}

fn row(link: &Link, lang: Lang) -> Vec<String> {
    let words = words(lang);
    let note = if link.note.is_empty() { words.say("floor.link_unnamed") } else { &link.note };
    let kind = match link.kind {
        LinkKind::Public => words.say("floor.link_public"),
        LinkKind::Single => words.say("floor.link_single"),
    };
    let used = match link.used {
        LinkUse::No => words.say("floor.link_open"),
        LinkUse::By(_) | LinkUse::ByAForgotten => words.say("floor.link_used"),
    };
    [note, kind, used].map(str::to_owned).to_vec()
}

fn facts(state: &State, lang: Lang) -> Vec<Fact> {
    let live_links = state.links.values().filter(|link| !link.is_revoked).count();
    let fact = |label: &str, value: String| Fact {
        label: label.to_owned(),
        value: Some(value),
        remark: None,
        current: false,
        change: None,
    };
    vec![
        fact(words(lang).say("floor.standing"), words::standing(lang, &state.card)),
        fact(words(lang).say("floor.version"), state.card.version.to_string()),
        fact(words(lang).say("floor.fields"), state.draft.fields.len().to_string()),
        fact(words(lang).say("floor.links"), live_links.to_string()),
        fact(words(lang).say("floor.respondents"), state.admitted.to_string()),
        fact(words(lang).say("floor.answers"), state.received.to_string()),
    ]
}

fn press(weight: Weight, label: &str, command: &Command) -> Offer {
    Offer::Press { label: label.to_owned(), command: order(command), weight }
}

fn order(command: &Command) -> Value {
    json!(command)
}
