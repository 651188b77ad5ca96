//! The respondent turns to another language in the middle: what waits for an answer is asked in it at once.

use enza_interview::{Command, Field, Form, Interview, Kind, Open, Refusal, Stage};
use enza_kernel::application::Application as _;
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;

use super::world::{World, open};

fn form() -> Form {
    let fields = vec![
        Field::new("name", "Your name", Kind::Text).required(),
        Field::new("people", "How many", Kind::Integer).required(),
    ];
    Form { title: "Party".to_owned(), language: Lang::En, fields, ..Form::default() }
}

fn turn_to(world: &mut World, language: &str) {
    world.tell(Command::ChangeLanguage { language: language.to_owned() }).unwrap();
    world.play();
}

fn asked(world: &World) -> String {
    world.state.question().unwrap_or_default().to_owned()
}

#[test]
fn the_open_question_is_asked_in_the_new_language_at_once() {
    let mut world = World::new();
    world.tell(open(form(), None)).unwrap();
    world.play();
    assert_eq!(asked(&world), "Please tell me about \"Your name\".");
    turn_to(&mut world, "ja");
    assert_eq!(asked(&world), "「Your name」を教えてください。");
    world.say("エイダ");
    world.play();
    assert_eq!(asked(&world), "「How many」を教えてください。", "and so is the next");
    turn_to(&mut world, "en-GB");
    assert_eq!(asked(&world), "Please tell me about \"How many\".");
    assert_eq!(world.state.values()["name"], "エイダ", "what was answered stays");
    assert_eq!(world.state.bootstrap().country.as_deref(), Some("US"), "where the respondent lives has not changed");
}

#[test]
fn a_question_that_was_sent_back_keeps_its_reason_in_the_new_language() {
    let mut world = World::new();
    world.tell(open(form(), None)).unwrap();
    for answer in ["Ada", "a few"] {
        world.play();
        world.say(answer);
    }
    world.play();
    assert!(asked(&world).ends_with("Please give a whole number, such as 12."), "{}", asked(&world));
    let lacking = |world: &World, lang| {
        let (_, record) = world.state.current().unwrap();
        world.state.lacking(record, lang).unwrap_or_default()
    };
    assert_eq!(lacking(&world, Lang::En), "Please give a whole number, such as 12.");
    assert_eq!(lacking(&world, Lang::Ja), "小数点のない数字で教えてください（例：12）。", "beside the field as well");
    turn_to(&mut world, "ja");
    assert_eq!(
        asked(&world),
        "「How many」の答えとして読み取れませんでした。小数点のない数字で教えてください（例：12）。"
    );
}

#[test]
fn a_plea_is_put_in_the_new_language() {
    let mut world = World::new();
    let field = Field { follow_ups: Some(0), ..Field::new("people", "How many", Kind::Integer).required() };
    world.tell(open(Form { fields: vec![field], ..form() }, None)).unwrap();
    world.play();
    world.say("a few");
    world.play();
    assert!(asked(&world).contains("leave it for later"), "{}", asked(&world));
    turn_to(&mut world, "ja");
    assert!(asked(&world).contains("後回しにしてください"), "{}", asked(&world));
    world.say("3");
    assert_eq!(world.state.values()["people"], "3");
}

#[test]
fn the_greeter_needs_not_ask_for_a_language_that_was_chosen() {
    let mut world = World::new();
    world.tell(Command::Open(Box::new(Open::form(form())))).unwrap();
    world.play();
    assert!(asked(&world).contains("Which language"), "{}", asked(&world));
    turn_to(&mut world, "ja");
    assert!(asked(&world).contains("お住まいの国") && !asked(&world).contains("言語"), "{}", asked(&world));
    world.say("日本");
    world.play();
    assert_eq!((world.state.stage(), asked(&world).as_str()), (Stage::Interviewing, "「Your name」を教えてください。"));
}

#[test]
fn the_same_language_again_asks_nothing_again() {
    let mut world = World::new();
    world.tell(open(form(), None)).unwrap();
    world.play();
    let (lines, question) = (world.log.len(), asked(&world));
    world.tell(Command::ChangeLanguage { language: "en".to_owned() }).unwrap();
    assert_eq!((world.log.len(), asked(&world)), (lines, question.clone()), "nothing happened");
    world.tell(Command::ChangeLanguage { language: "en-GB".to_owned() }).unwrap();
    assert_eq!(asked(&world), question, "another region is no other language");
}

#[test]
fn a_language_can_be_changed_wherever_something_can_be_and_nowhere_else() {
    let unknown = Command::ChangeLanguage { language: "klingonish".to_owned() };
    let mut world = World::opened();
    assert_eq!(world.tell(unknown), Err(Refusal::UnknownPlace { text: "klingonish".to_owned() }));
    let mut world = World::confirming();
    turn_to(&mut world, "ja");
    assert_eq!((world.state.stage(), world.state.lang()), (Stage::Confirming, Lang::Ja), "the gate stays open");
    world.confirm(enza_kernel::gate::Verdict::Yes).unwrap();
    let late = world.tell(Command::ChangeLanguage { language: "en".to_owned() });
    assert_eq!(late, Err(Refusal::AlreadySubmitted));
}

/// A call that was under way belongs to a question that nobody will read.
#[test]
fn a_question_that_is_being_written_is_given_up_for_one_in_the_new_language() {
    let mut world = World::new();
    world.tell(open(form(), None)).unwrap();
    let before = world.ask();
    world.tell(Command::ChangeLanguage { language: "ja".to_owned() }).unwrap();
    assert_ne!(world.ask().key, before.key);
    world.play();
    let lines: Vec<String> = world
        .log
        .iter()
        .filter_map(|entry| Interview::line(entry, &Reader::host(), Lang::Ja))
        .map(|line| line.text)
        .collect();
    assert_eq!(lines, ["「Party」をはじめます。項目は2個です。", "「Your name」を教えてください。"]);
}
