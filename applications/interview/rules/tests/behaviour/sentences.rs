//! Every sentence that the interview puts together from parts, over all its parts, in both languages.
//!
//! Names end in every mark there is, or are questions, or are the form's title; answers are absences, nonsense, questions
//! and too little; reviewers find facts, whole sentences, the label, or nothing. Whatever a person reads on the way is
//! looked at: each line, the open question, the offers, the gate and every refusal.

use enza_interview::{Absence, Command, Field, Form, Group, Interview, Kind, Refusal, ValueFault, unpunctuated};
use enza_kernel::application::{Application as _, Reason as _};
use enza_kernel::floor::{Line, Offer, Who};
use enza_kernel::gate::Verdict;
use enza_kernel::reader::Reader;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::testing::prose;
use enza_kernel::text::Lang;
use serde_json::{Value, json};

use super::world::{World, open};

const LANGS: [Lang; 2] = [Lang::Ja, Lang::En];
const LABELS: [&str; 14] = [
    "Your name",
    "Your name.",
    "Your name:",
    "Your name?",
    "How many people will come?",
    "Really!",
    "お名前",
    "お名前。",
    "お名前：",
    "ご来場の人数は？",
    "参加されますか",
    "その他、ご要望など。",
    "Name (as on the badge).",
    "?",
];

fn one_field(lang: Lang, label: &str, kind: Kind, required: bool) -> Form {
    let options = if kind.has_options() { vec![choice("Fish."), choice("Meat?")] } else { Vec::new() };
    let field = Field { required, options, follow_ups: Some(1), ..Field::new("f_zz9", label, kind) };
    // The form is called like its field: two names that are easily said twice.
    Form { title: label.to_owned(), language: lang, fields: vec![field], ..Form::default() }
}

fn choice(value: &str) -> enza_interview::Choice {
    enza_interview::Choice::plain(value)
}

/// What a respondent may say to anything.
fn answers(lang: Lang) -> Vec<&'static str> {
    lang.pick(
        vec!["スキップ", "答えたくありません", "わかりません", "該当なし", "ええと", "それは何ですか？", "さあ"],
        vec!["skip", "I'd rather not say", "I don't know", "n/a", "well, so so", "What is that for?", "eh"],
    )
}

/// Everything that a person has read so far and can read now.
fn visible(world: &World, lang: Lang) -> Vec<String> {
    let lines = world.log.iter().filter_map(|entry| Interview::line(entry, &Reader::host(), lang));
    let ours = lines.filter(|line| !matches!(line.who, Who::Person(_))).map(|Line { text, .. }| text);
    let mut all: Vec<String> = ours.collect();
    all.extend(Interview::standing(&world.state).waiting_for);
    let floor = world.app.floor(&world.state, &Reader::host(), lang);
    all.extend(floor.offers.iter().map(|offer| match offer {
        Offer::Say { label, .. } | Offer::Press { label, .. } => label.clone(),
    }));
    all.extend(floor.facts().filter_map(|fact| fact.remark.clone()));
    if let Some(gate) = world.state.gate() {
        let ask = &gate.ask;
        all.extend([ask.intent.clone(), ask.grounds.clone(), ask.impact.clone()]);
        all.extend(ask.alternatives.iter().chain(&ask.diff).cloned());
    }
    for (_, record) in world.state.fields() {
        all.extend(world.state.lacking(record, lang));
    }
    all
}

/// Holds everything visible to what reads well, and says nothing twice in a row.
fn reads_well(world: &World, lang: Lang, label: &str, what: &str) {
    let name = unpunctuated(label);
    // A name of one sign stands in many a sentence by itself, and that is its author's doing.
    let names = if name.chars().count() > 1 { vec![name, "f_zz9"] } else { Vec::new() };
    for text in visible(world, lang) {
        let own = [label, "Fish.", "Meat?"].iter().any(|own| text == *own);
        let faults = if own || name.len() < 2 { Vec::new() } else { prose::faults(&text) };
        assert_eq!((faults, prose::repeated(&text, &names)), (vec![], vec![]), "{what}: {text}");
        assert!(!text.contains("f_zz9"), "an id is shown, {what}: {text}");
        if label.is_ascii() && lang == Lang::En {
            assert!(!text.chars().any(is_japanese), "two languages at once, {what}: {text}");
        }
        if lang == Lang::Ja {
            let text = text.replace(name, "");
            let english = ["Please", " the ", "It is", "There "].iter().any(|word| text.contains(word));
            assert!(!english, "two languages at once, {what}: {text}");
        }
    }
    nothing_twice(world, lang, what);
}

/// Between two messages of the respondent's no sentence comes twice.
fn nothing_twice(world: &World, lang: Lang, what: &str) {
    let mut said: Vec<String> = Vec::new();
    for line in world.log.iter().filter_map(|entry| Interview::line(entry, &Reader::host(), lang)) {
        if matches!(line.who, Who::Person(_)) {
            said.clear();
            continue;
        }
        for sentence in line.text.split(['。', '.']).map(str::trim).filter(|sentence| sentence.len() > 8) {
            assert!(!said.iter().any(|before| before == sentence), "said twice, {what}: {sentence}");
            said.push(sentence.to_owned());
        }
    }
}

fn is_japanese(letter: char) -> bool {
    matches!(letter, '\u{3000}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
}

#[test]
fn no_question_of_the_stand_in_reads_like_a_machine() {
    // Every name with the kinds that are asked in the most different ways, and every kind with a name that is a question.
    let kinds = [Kind::LongText, Kind::Integer, Kind::Choice];
    let every_name = LABELS.into_iter().flat_map(|label| kinds.map(|kind| (label, kind)));
    let every_kind = Kind::ALL.map(|kind| ("How many people will come?", kind));
    for (label, kind) in every_name.chain(every_kind) {
        for (lang, required) in LANGS.into_iter().flat_map(|lang| [(lang, true), (lang, false)]) {
            for answer in answers(lang) {
                let what = format!("{lang:?} {label:?} {kind} required={required} {answer:?}");
                let mut world = World::new();
                world.tell(open(one_field(lang, label, kind, required), None)).unwrap();
                world.play();
                reads_well(&world, lang, label, &what);
                // Twice the same: first it is sent back, then the respondent is asked for help.
                for _ in 0..3 {
                    if world.state.question().is_none() {
                        break;
                    }
                    world.say(answer);
                    world.play();
                    reads_well(&world, lang, label, &what);
                }
            }
        }
    }
}

#[test]
fn whatever_a_reviewer_finds_is_told_once_and_whole() {
    for lang in LANGS {
        let findings = [
            json!({ "missing_facts": ["since when"] }),
            json!({ "missing_facts": ["since when.", "who was there?"] }),
            json!({ "missing_facts": ["since when"], "feedback": "Say since when." }),
            json!({ "feedback": lang.pick("いつからかを教えてください。", "Please say since when.") }),
            json!({ "missing_facts": ["LABEL"] }),
            json!({ "stance": "unknown" }),
            json!({ "stance": "declined" }),
            json!({ "stance": "skipped", "passed": true }),
            json!({ "stance": "not_applicable" }),
            json!({ "stance": "question" }),
            json!({ "stance": "elsewhere" }),
        ];
        for (label, finding) in LABELS.into_iter().flat_map(|label| findings.clone().map(|finding| (label, finding))) {
            for required in [true, false] {
                let what = format!("{lang:?} {label:?} required={required} {finding}");
                let mut world = World::new();
                world.tell(open(one_field(lang, label, Kind::LongText, required), None)).unwrap();
                for _ in 0..8 {
                    if world.state.question().is_none() && !world.asks().is_empty() {
                        world.play_once();
                    }
                    if world.state.question().is_none() {
                        break;
                    }
                    world.say(lang.pick("よくわからない音がする", "There is a noise of some kind"));
                    reviews(&mut world, label, &finding);
                    reads_well(&world, lang, label, &what);
                }
            }
        }
    }
}

fn reviews(world: &mut World, label: &str, finding: &Value) {
    let mut finding = finding.clone();
    if finding["missing_facts"] == json!(["LABEL"]) {
        finding["missing_facts"] = json!([label]);
    }
    if finding["passed"].is_null() {
        finding["passed"] = json!(false);
    }
    let is_review = |world: &World| world.asks().first().is_some_and(|ask| ask.agent == "reviewer");
    if is_review(world) {
        world.reviews(finding);
    }
}

/// An older log has the bare word for why there was no answer.
#[test]
fn what_older_logs_say_of_absences_is_not_shown_by_its_word() {
    let mut world = World::new();
    world.tell(open(one_field(Lang::Ja, "お名前", Kind::Number, true), None)).unwrap();
    world.play();
    world.say("わかりません");
    for entry in &mut world.log {
        let old = json!(entry.event)
            .to_string()
            .replace("送信に必要な項目です。おおよそでかまいません。後で答えることもできます。", "unknown");
        entry.event = serde_json::from_str(&old).unwrap();
    }
    assert!(world.log.iter().any(|entry| json!(entry.event).to_string().contains("\"unknown\"")));
    reads_well(&world, Lang::Ja, "お名前", "an older log");
}

#[test]
fn groups_greetings_gates_and_the_last_look_read_well() {
    for (lang, label) in LANGS.into_iter().flat_map(|lang| LABELS.map(|label| (lang, label))) {
        let fields = vec![
            Field { group: Some("g_zz9".to_owned()), ..Field::new("f_zz9", label, Kind::Text).required() },
            Field::new("second", lang.pick("備考", "Remarks"), Kind::LongText),
        ];
        let group =
            Group { group_id: "g_zz9".to_owned(), item: lang.pick("参加者", "guest").to_owned(), min: 0, max: 3 };
        let form = Form { title: label.to_owned(), language: lang, fields, groups: vec![group], ..Form::default() };
        let what = format!("{lang:?} {label:?}");
        let mut world = World::new();
        world.tell(open(form, None)).unwrap();
        let (yes, no) = lang.pick(("はい", "いいえ"), ("yes", "no"));
        for answer in [yes, "Ada Lovelace", no, lang.pick("特にありません、ありがとう", "Nothing else, thank you")]
        {
            world.play();
            reads_well(&world, lang, label, &what);
            if world.state.question().is_some() {
                world.say(answer);
            }
        }
        world.play();
        reads_well(&world, lang, label, &what);
        assert!(world.state.gate().is_some(), "{what}");
        assert_eq!(world.confirm(Verdict::No), Ok(()));
        reads_well(&world, lang, label, &what);
    }
}

#[test]
fn every_refusal_with_a_name_in_it_reads_well() {
    for (lang, label) in LANGS.into_iter().flat_map(|lang| LABELS.map(|label| (lang, label))) {
        let unread = [
            ValueFault::NotANumber,
            ValueFault::NotWhole,
            ValueFault::NotADay,
            ValueFault::NoSuchDay,
            ValueFault::NotATime,
            ValueFault::NotYesOrNo,
            ValueFault::NotAnAddress,
            ValueFault::NotATelephoneNumber,
            ValueFault::TelephoneOfWhichCountry,
            ValueFault::NotAFile,
            ValueFault::BelowMin { kind: Kind::Integer, min: "1".to_owned() },
            ValueFault::AboveMax { kind: Kind::Date, max: "2026-11-03".to_owned() },
            ValueFault::AmbiguousDay { one: "2026-03-11".to_owned(), other: "2026-11-03".to_owned() },
            ValueFault::OtherWeekday { day: "2026-11-03".to_owned() },
            ValueFault::NoSuchOption {
                given: label.to_owned(),
                options: vec!["Fish.".to_owned(), "Meat?".to_owned()],
                more: 2,
            },
            ValueFault::NoSuchOption { given: "x".to_owned(), options: vec!["Fish.".to_owned()], more: 0 },
            ValueFault::SeveralOptions { options: vec!["Fish.".to_owned(), "Fish!".to_owned()] },
        ];
        let unread =
            unread.map(|unread| Refusal::Unread { field_id: "f_zz9".to_owned(), label: label.to_owned(), unread });
        let named = [
            Refusal::Required { label: label.to_owned() },
            Refusal::FieldsMissing { labels: vec![label.to_owned(), "Day?".to_owned()] },
            Refusal::Common(CommonRefusal::NoSuchGate),
        ];
        for refusal in unread.into_iter().chain(named) {
            let said = refusal.say(lang);
            for text in [&said.message, &said.hint] {
                let faults = if label == "?" { vec![] } else { prose::faults(text) };
                assert_eq!(faults, Vec::<String>::new(), "{text}");
                assert!(!text.contains("submit-1") && !text.contains("f_zz9"), "{text}");
            }
            assert_ne!(said.message, said.hint, "a refusal is said once");
        }
    }
}

/// The words that a respondent may leave a field with, each as it is asked again.
#[test]
fn each_absence_of_a_required_field_has_its_own_words() {
    let mut seen = std::collections::BTreeSet::new();
    for lang in LANGS {
        for (absence, answer) in Absence::ALL.into_iter().zip(answers(lang)) {
            let mut world = World::new();
            world.tell(open(one_field(lang, "お名前", Kind::Number, true), None)).unwrap();
            world.play();
            world.say(answer);
            world.play();
            let question = world.state.question().map(str::to_owned).unwrap_or_default();
            assert!(question.contains("お名前") && seen.insert(question.clone()), "{absence:?}: {question}");
        }
    }
    let skip = Command::Skip { absence: Absence::Declined };
    let mut world = World::new();
    world.tell(open(one_field(Lang::En, "Your name", Kind::Text, true), None)).unwrap();
    world.play();
    world.tell(skip).unwrap();
    reads_well(&world, Lang::En, "Your name", "left for later");
}
