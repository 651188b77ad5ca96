//! Files: an answer only where this very interview took the file in, whoever names it and however.

use std::collections::BTreeMap;

use enza_interview::{Command, Event, Field, Form, Interview, Kind, Open, Order, Refusal, ValueFault};
use enza_kernel::application::{Application as _, Stored, restore};
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use enza_kernel::time::Actor;

use super::world::{World, open};

fn form() -> Form {
    let fields = vec![Field::new("photo", "A photo", Kind::File).required(), Field::new("name", "Name", Kind::Text)];
    Form { title: "Report".to_owned(), language: Lang::En, fields, ..Form::default() }
}

fn asked() -> World {
    let mut world = World::new();
    world.tell(open(form(), None)).unwrap();
    world.asks_for("?");
    world
}

fn digest(letter: &str) -> String {
    letter.repeat(64)
}

fn take(letter: &str) -> Command {
    Command::TakeFile { digest: digest(letter), name: "a.png".to_owned(), size: 4 }
}

fn fill(letter: &str) -> Command {
    Command::Fill { answers: BTreeMap::from([("photo".to_owned(), format!("{}/a.png", digest(letter)))]) }
}

fn not_a_file() -> Refusal {
    Refusal::Unread { field_id: "photo".to_owned(), label: "A photo".to_owned(), unread: ValueFault::NotAFile }
}

#[test]
fn a_digest_that_this_interview_did_not_take_in_is_no_answer() {
    let mut world = asked();
    assert_eq!(world.tell(fill("a")), Err(not_a_file()));
    world.by(Actor::Runtime, take("b")).unwrap();
    assert_eq!(world.tell(fill("a")), Err(not_a_file()), "another file changes nothing");
    world.by(Actor::Runtime, take("a")).unwrap();
    world.tell(fill("a")).unwrap();
    assert_eq!(world.state.values().get("photo"), Some(&format!("{}/a.png", digest("a")).as_str()));
}

#[test]
fn a_digest_said_in_the_chat_is_no_answer_either() {
    let mut world = asked();
    world.say(&format!("{}/a.png", digest("a")));
    world.play();
    assert_eq!(world.state.values().get("photo"), None);
}

#[test]
fn a_digest_that_a_link_brings_is_no_answer_either() {
    let mut world = World::new();
    let prefill = BTreeMap::from([("photo".to_owned(), format!("{}/a.png", digest("a")))]);
    let form = Form { order: Order::Fixed, ..form() };
    world.tell(Command::Open(Box::new(Open { prefill, ..Open::at_home(form) }))).unwrap();
    world.play();
    assert_eq!(world.state.values().get("photo"), None);
}

#[test]
fn no_person_can_say_of_a_file_that_it_came_in() {
    let mut world = asked();
    assert_eq!(world.tell(take("a")), Err(Refusal::FileNotTaken));
    assert_eq!(world.by(Actor::Clock, take("a")), Err(Refusal::FileNotTaken));
    let odd = Command::TakeFile { digest: "a".to_owned(), name: "a.png".to_owned(), size: 4 };
    assert_eq!(world.by(Actor::Runtime, odd), Err(Refusal::FileNotTaken));
    assert_eq!(world.tell(fill("a")), Err(not_a_file()));
}

#[test]
fn a_file_that_was_given_up_is_no_answer_any_more() {
    let mut world = asked();
    world.by(Actor::Runtime, take("a")).unwrap();
    world.by(Actor::Runtime, Command::LeaveFile { digest: digest("a") }).unwrap();
    assert_eq!(world.tell(fill("a")), Err(not_a_file()));
}

#[test]
fn an_answer_that_was_a_file_before_files_were_told_of_stays() {
    let mut world = asked();
    let value = format!("{}/a.png", digest("a"));
    let body = format!(r#"{{"field_id":"photo","label":"A photo","value":"{value}","incomplete":false,"lacking":[]}}"#);
    let old = Stored { kind: "FieldClosed".to_owned(), version: 2, body };
    let done = Event::FieldMoved { field_id: "photo".to_owned(), to: "done".to_owned() };
    world.take(vec![done, restore::<Interview>(&old).unwrap()]);
    assert_eq!(world.state.values().get("photo"), Some(&value.as_str()));
    assert_eq!(world.tell(fill("b")), Err(not_a_file()));
    assert_eq!(world.tell(fill("a")), Ok(()), "what is there may be sent again as it is");
}

#[test]
fn a_file_in_the_conversation_is_called_by_its_name() {
    let mut world = asked();
    world.by(Actor::Runtime, take("a")).unwrap();
    world.tell(fill("a")).unwrap();
    let given = world.log.iter().find(|entry| matches!(entry.event, Event::AnswerGiven { .. })).unwrap();
    assert_eq!(
        Interview::line(given, &Reader::host(), Lang::En).map(|line| line.text),
        Some("(filled in) a.png".to_owned())
    );
}
