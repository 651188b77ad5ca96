//! Every sentence that a form puts together from parts, over all its parts, in both languages.
//!
//! Titles, labels and notes end in every mark there is, or are questions. Whatever the owner reads on the way is looked at:
//! each line of the history, where the form stands, what can be done, and every refusal.

use enza_forms::{Command, Forms, Going, LinkFault, LinkKind, PREFILL, Refusal, RuleFault, Rules, WebhookFault};
use enza_interview::{Field, Form, FormFault, Kind, unpunctuated};
use enza_kernel::application::{Application as _, Reason as _};
use enza_kernel::floor::{Offer, Who};
use enza_kernel::reader::Reader;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::testing::prose;
use enza_kernel::text::Lang;
use enza_kernel::time::Actor;
use serde_json::json;

use super::world::{TOKEN, World, begin, webhook};

const LANGS: [Lang; 2] = [Lang::Ja, Lang::En];
const LABELS: [&str; 9] = [
    "Your name",
    "Your name.",
    "Your name:",
    "How many people will come?",
    "Really!",
    "お名前。",
    "お名前：",
    "ご来場の人数は？",
    "Name (as on the badge).",
];

fn named(lang: Lang, label: &str) -> Form {
    let fields = vec![Field::new("f_zz9", label, Kind::Text).required(), Field::new("second", label, Kind::LongText)];
    Form { title: label.to_owned(), language: lang, fields, ..Form::default() }
}

/// Everything that the owner has read so far and can read now.
fn visible(world: &World, lang: Lang) -> Vec<String> {
    let lines = world.log.iter().filter_map(|entry| Forms::line(entry, &Reader::host(), lang));
    let mut all: Vec<String> = lines.filter(|line| !matches!(line.who, Who::Person(_))).map(|line| line.text).collect();
    all.extend(Forms::standing(&world.state).waiting_for);
    let floor = world.app.floor(&world.state, &Reader::host(), lang);
    all.extend(floor.offers.iter().map(|offer| match offer {
        Offer::Say { label, .. } | Offer::Press { label, .. } => label.clone(),
    }));
    all.extend(floor.facts().filter_map(|fact| fact.remark.clone()));
    all
}

fn reads_well(text: &str, what: &str) {
    assert_eq!(prose::faults(text), Vec::<String>::new(), "{what}: {text}");
    assert!(!text.trim().is_empty(), "{what}");
    assert!(!text.contains("f_zz9"), "an id is shown, {what}: {text}");
}

/// Holds everything visible to what reads well; what is nothing but the author's own name is the author's doing.
fn all_reads_well(world: &World, lang: Lang, label: &str) {
    for text in visible(world, lang).iter().filter(|text| *text != label) {
        let what = format!("{lang:?} {label:?}");
        reads_well(text, &what);
        if lang == Lang::Ja {
            let text = text.replace(unpunctuated(label), "");
            let is_english = ["The ", " the ", "was ", "Please"].iter().any(|word| text.contains(word));
            assert!(!is_english, "two languages at once, {what}: {text}");
        }
    }
}

/// A form through everything that its history can tell.
fn lived(lang: Lang, label: &str) -> World {
    let mut world = World::new();
    world.tell(begin(Some(named(lang, label)), None)).unwrap();
    world.edit(Form { description: Some("Two minutes.".to_owned()), ..named(lang, label) }).unwrap();
    world.tell(Command::Describe { sentence: label.to_owned() }).unwrap();
    let fields = [
        json!({ "label": label, "kind": "text", "required": true }),
        json!({ "label": label, "kind": "date", "required": false }),
    ];
    world.calls("write_form", json!({ "title": label, "fields": fields }));
    world.tell(Command::Publish).unwrap();
    let links = [
        (TOKEN, LinkKind::Public, label),
        ("single0000", LinkKind::Single, label),
        ("bare000000", LinkKind::Single, ""),
    ];
    for (token, kind, note) in links {
        let (token, note) = (token.to_owned(), note.to_owned());
        world.tell(Command::MakeLink { token, kind, note, prefill: [].into() }).unwrap();
    }
    for token in ["single0000", "bare000000"] {
        world.tell(Command::RevokeLink { token: token.to_owned() }).unwrap();
    }
    world.tell(Command::SetRules { rules: Rules { most_answers: Some(9), ..Rules::default() } }).unwrap();
    for receiver in [Some(webhook()), None] {
        world.tell(Command::SetWebhook { webhook: receiver }).unwrap();
    }
    for (session, why) in [("one", Going::Respondent), ("two", Going::Days), ("three", Going::Owner)] {
        world.admit(TOKEN, session).unwrap();
        world.receive(session).unwrap();
        let forget = Command::Forget { session: session.to_owned(), copies: 2, why };
        world.by(Actor::Runtime, forget).unwrap();
    }
    world.tell(Command::Close).unwrap();
    world.tell(Command::Reopen).unwrap();
    world.tell(Command::Describe { sentence: label.to_owned() }).unwrap();
    world
}

#[test]
fn no_line_of_a_forms_history_reads_like_a_machine() {
    for (lang, label) in LANGS.into_iter().flat_map(|lang| LABELS.map(|label| (lang, label))) {
        let mut world = lived(lang, label);
        let told = visible(&world, lang).join("\n");
        assert!(told.contains(unpunctuated(label)), "names are told: {told}");
        // The other reader's language puts the same parts together.
        for lang in LANGS {
            all_reads_well(&world, lang, label);
        }
        for _ in 0..9 {
            if world.ask().is_some() {
                world.unanswered();
            }
        }
        all_reads_well(&world, lang, label);
    }
}

#[test]
fn a_form_begun_with_a_sentence_that_ends_in_a_mark_reads_well() {
    let sentences =
        ["訪問日、お客様の名前、決まったことを聞く訪問報告。", "A visit report: date, customer, what was agreed?"];
    for (sentence, lang) in sentences.into_iter().zip(LANGS) {
        let mut world = World::described(sentence, lang);
        world.play();
        let written = visible(&world, lang);
        assert!(written.len() > 1, "{written:?}");
        all_reads_well(&world, lang, sentence);
    }
}

/// Every fault of a form, with a reason that ends in a mark and names that do.
fn faults(label: &str) -> Vec<FormFault> {
    let text = || label.to_owned();
    let (field_id, group) = (|| "visit".to_owned(), || "guests".to_owned());
    let empty = PREFILL.check("").expect_err("nothing is too little");
    let long = PREFILL.check(&"x".repeat(2_000)).expect_err("that is too much");
    let large = PREFILL.check(&"家".repeat(100_000)).expect_err("that is too much");
    let mut all = vec![
        FormFault::Unreadable { why: text() },
        FormFault::FieldCount { count: 0 },
        FormFault::Count { place: "fields[0].options".to_owned(), count: 201, most: 200 },
        FormFault::RepeatedField { field_id: field_id() },
        FormFault::RepeatedFact { field_id: field_id(), fact_key: "since".to_owned() },
        FormFault::BadOptions { field_id: field_id() },
        FormFault::BadBounds { field_id: field_id() },
        FormFault::EmptyCondition { field_id: field_id(), other: "day".to_owned() },
        FormFault::NotEarlier { field_id: field_id(), other: "day".to_owned() },
        FormFault::InsideGroup { field_id: field_id(), other: "day".to_owned() },
        FormFault::UnknownGroup { field_id: field_id(), group: group() },
        FormFault::ScatteredGroup { group: group() },
        FormFault::BadItems { group: group() },
        FormFault::HiddenRequired { field_id: field_id() },
        FormFault::BadId { id: text() },
    ];
    all.extend([empty, long, large].map(|unfit| FormFault::Text { place: "title".to_owned(), unfit }));
    all
}

fn refusals(label: &str) -> Vec<Refusal> {
    use CommonRefusal::{AlreadyOpen, NoSuchGate, NotAPerson, NotOpen, NothingToRetry};
    let mut all = vec![
        Refusal::NotYours { who: label.to_owned() },
        Refusal::EditedMeanwhile { edition: 3 },
        Refusal::TooLarge { bytes: 300_000 },
        Refusal::Writing,
        Refusal::NothingToPublish { is_open: true },
        Refusal::NothingToPublish { is_open: false },
        Refusal::Unpublished,
        Refusal::Closed,
        Refusal::Full,
        Refusal::LinkUnknown,
        Refusal::LinkRevoked,
        Refusal::LinkUsed,
        Refusal::LinksExhausted,
        Refusal::UnknownField { field_id: label.to_owned() },
    ];
    all.extend([AlreadyOpen, NoSuchGate, NotAPerson, NotOpen, NothingToRetry].map(Refusal::Common));
    all.extend([LinkFault::Token, LinkFault::Taken].map(Refusal::Link));
    all.extend([RuleFault::Closes, RuleFault::MostAnswers, RuleFault::KeepDays, RuleFault::Budget].map(Refusal::Rules));
    all.extend([WebhookFault::Url, WebhookFault::Secret].map(Refusal::Webhook));
    all.extend(faults(label).into_iter().map(Refusal::Form));
    all
}

#[test]
fn every_refusal_reads_well_in_two_parts_and_in_one() {
    for (lang, label) in LANGS.into_iter().flat_map(|lang| LABELS.map(|label| (lang, label))) {
        for refusal in refusals(label) {
            let (said, what) = (refusal.say(lang), format!("{lang:?} {refusal:?}"));
            for text in [&said.message, &said.hint, &said.in_one()] {
                reads_well(text, &what);
            }
            assert_ne!(said.message, said.hint, "said twice: {what}");
        }
    }
}
