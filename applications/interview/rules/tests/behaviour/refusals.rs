//! Every no has a code, a reason and a next step, in both languages.

use enza_interview::{Command, Form, FormFault, Refusal};
use enza_kernel::application::Reason;
use enza_kernel::gate::Verdict;
use enza_kernel::limits::TextRefusal;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use enza_kernel::time::Actor;

use super::world::{SKIP, World, open};

fn say(text: &str) -> Command {
    Command::Say { text: text.to_owned() }
}

#[test]
fn before_it_is_opened_an_interview_takes_nothing() {
    let mut world = World::new();
    for command in [say("Hello"), SKIP, Command::RetryModel, Command::Abandon, Command::Reconfirm] {
        assert_eq!(world.tell(command), Err(Refusal::Common(CommonRefusal::NotOpen)));
    }
    let open = open(Form::sample(Lang::En), None);
    assert_eq!(world.by(Actor::Runtime, open.clone()), Err(Refusal::Common(CommonRefusal::NotAPerson)));
    world.tell(open.clone()).unwrap();
    assert_eq!(world.tell(open), Err(Refusal::Common(CommonRefusal::AlreadyOpen)));
}

#[test]
fn an_answer_needs_a_question_a_turn_and_a_text() {
    let mut world = World::opened();
    assert_eq!(world.tell(say("Too early")), Err(Refusal::NotYourTurn));
    world.asks_for("What is wrong?");
    assert!(matches!(world.tell(say("  ")), Err(Refusal::Text(TextRefusal::Empty { .. }))));
    assert!(matches!(world.tell(say(&"x".repeat(4_001))), Err(Refusal::Text(TextRefusal::TooLong { .. }))));
    assert_eq!(
        world.by(Actor::Person("eve".to_owned()), say("Mine")),
        Err(Refusal::NotYours { who: "eve".to_owned() })
    );
    world.say("The lift is stuck");
    assert_eq!(world.tell(say("And another thing")), Err(Refusal::NotYourTurn));
    let mut world = World::confirming();
    assert_eq!(world.tell(say("Hello")), Err(Refusal::NoQuestion));
}

#[test]
fn every_refusal_says_what_to_do_next_in_both_languages() {
    let label = || "Label".to_owned();
    let refusals = [
        Refusal::Common(CommonRefusal::NotOpen),
        Refusal::Common(CommonRefusal::AlreadyOpen),
        Refusal::Common(CommonRefusal::NotAPerson),
        Refusal::NotYours { who: label() },
        Refusal::NoQuestion,
        Refusal::NotYourTurn,
        Refusal::Stuck,
        Refusal::Required { label: label() },
        Refusal::UnknownField { field_id: label() },
        Refusal::NotConfirming,
        Refusal::NotYet,
        Refusal::ConsentMissing,
        Refusal::UnknownPlace { text: label() },
        Refusal::FieldsMissing { labels: vec![label()] },
        Refusal::Common(CommonRefusal::NoSuchGate),
        Refusal::Common(CommonRefusal::NothingToRetry),
        Refusal::BudgetNotHigher { limit: None },
        Refusal::AlreadySubmitted,
        Refusal::Abandoned,
    ];
    let mut codes: Vec<&str> = refusals.iter().map(Reason::code).collect();
    for refusal in &refusals {
        let (ja, en) = (refusal.say(Lang::Ja), refusal.say(Lang::En));
        assert!(!ja.is_ascii_only() && en.message.is_ascii(), "{refusal:?}");
        assert!(ja.hint.ends_with('。') && en.hint.ends_with('.'), "{refusal:?}");
    }
    codes.dedup();
    assert_eq!(codes.len(), refusals.len());
}

trait InJapanese {
    fn is_ascii_only(&self) -> bool;
}

impl InJapanese for enza_kernel::text::Said {
    fn is_ascii_only(&self) -> bool {
        self.message.is_ascii() || self.hint.is_ascii()
    }
}

#[test]
fn commands_are_written_in_snake_case_and_unknown_keys_are_refused() {
    let written = |command: &Command| serde_json::to_string(command).unwrap();
    assert_eq!(written(&say("Hi")), r#"{"say":{"text":"Hi"}}"#);
    assert_eq!(written(&SKIP), r#"{"skip":{"absence":"skipped"}}"#);
    let confirm = Command::Confirm { gate: "submit-1".to_owned(), verdict: Verdict::Yes, note: None };
    assert_eq!(written(&confirm), r#"{"confirm":{"gate":"submit-1","verdict":"yes","note":null}}"#);
    assert!(serde_json::from_str::<Command>(r#"{"say":{"text":"Hi","loud":true}}"#).is_err());
    let read: Command = serde_json::from_str(r#"{"confirm":{"gate":"submit-1","verdict":"yes"}}"#).unwrap();
    assert_eq!(read, confirm);
}

/// Names come from people and files; escaping them for a programmer's eyes is no quotation mark.
#[test]
fn a_name_in_a_sentence_is_quoted_as_it_was_written() {
    let name = "C:\\名前\u{301}".to_owned();
    let no_field = Refusal::UnknownField { field_id: name.clone() };
    let no_place = Refusal::UnknownPlace { text: name.clone() };
    let twice = FormFault::RepeatedField { field_id: name.clone() };
    for said in [no_field.say(Lang::En).message, no_place.say(Lang::En).message, twice.say(Lang::En).message] {
        assert!(said.contains(&format!("\"{name}\"")), "{said}");
    }
    for said in [no_field.say(Lang::Ja).message, no_place.say(Lang::Ja).message, twice.say(Lang::Ja).message] {
        assert!(said.contains(&format!("「{name}」")), "{said}");
    }
}
