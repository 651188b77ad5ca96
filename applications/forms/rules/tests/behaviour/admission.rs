//! Who is let in, and what is counted.

use enza_forms::{Admission, Command, Event, Forms, Going, LinkKind, LinkUse, Refusal, Rules};
use enza_kernel::application::{Application as _, Entry, Stored, restore};
use enza_kernel::limits::{self, TextRefusal};
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Seq, Timestamp};

use super::world::{TOKEN, World, bob, form, link, single};

fn forget(session: &str) -> Command {
    Command::Forget { session: session.to_owned(), copies: 0, why: Going::Owner }
}

#[test]
fn a_respondent_is_let_in_to_the_newest_version() {
    let mut world = World::shared();
    world.edit(form("Visits")).unwrap();
    world.tell(Command::Publish).unwrap();
    let admitted = Event::Admitted { token: TOKEN.to_owned(), session: "s1".to_owned(), version: 2 };
    assert_eq!(world.admit(TOKEN, "s1"), Ok(vec![admitted]));
    assert_eq!(world.state.admitted(), 1);
    let by_a_person = Command::Admit { token: TOKEN.to_owned(), session: "s2".to_owned() };
    assert!(world.by(bob(), by_a_person).is_ok(), "the link is the key, whoever brings it");
}

#[test]
fn nobody_is_let_in_before_the_first_version() {
    let mut world = World::begun();
    world.tell(link(TOKEN, LinkKind::Public)).unwrap();
    assert_eq!(world.admit(TOKEN, "s1"), Err(Refusal::Unpublished));
}

#[test]
fn nobody_is_let_in_by_a_link_that_is_unknown_or_withdrawn() {
    let mut world = World::shared();
    assert_eq!(world.admit("nosuchlink", "s1"), Err(Refusal::LinkUnknown));
    world.tell(Command::RevokeLink { token: TOKEN.to_owned() }).unwrap();
    assert_eq!(world.admit(TOKEN, "s1"), Err(Refusal::LinkRevoked));
}

/// Peers 29: close date.
#[test]
fn nobody_is_let_in_from_the_close_date_on_even_before_the_timer_rings() {
    let mut world = World::shared();
    let rules = Rules { closes: Some(Timestamp(5_000)), ..Rules::default() };
    world.tell(Command::SetRules { rules }).unwrap();
    world.time = Timestamp(4_999);
    assert!(world.admit(TOKEN, "s1").is_ok());
    world.time = Timestamp(5_000);
    assert_eq!(world.admit(TOKEN, "s2"), Err(Refusal::Closed));
}

/// Peers 29: quotas.
#[test]
fn nobody_is_let_in_once_there_are_enough_answers() {
    let mut world = World::shared();
    let rules = Rules { most_answers: Some(1), ..Rules::default() };
    world.tell(Command::SetRules { rules }).unwrap();
    world.admit(TOKEN, "s1").unwrap();
    world.admit(TOKEN, "s2").unwrap();
    assert_eq!(world.receive("s1"), Ok(vec![Event::Received { session: "s1".to_owned(), count: 1 }]));
    assert_eq!(world.admit(TOKEN, "s3"), Err(Refusal::Full));
    assert!(world.receive("s2").is_ok(), "whoever was let in may still submit");
    assert_eq!(world.state.received(), 2);
}

/// Peers 28: single-use links.
#[test]
fn a_single_link_lets_in_one_interview_and_the_same_one_again() {
    let mut world = World::shared();
    world.admit(&single(0), "s1").unwrap();
    assert_eq!(world.admit(&single(0), "s1"), Ok(Vec::new()));
    assert_eq!(world.admit(&single(0), "s2"), Err(Refusal::LinkUsed));
    world.tell(Command::Close).unwrap();
    assert_eq!(world.admit(&single(0), "s1"), Ok(Vec::new()), "it was let in before the form was closed");
    assert_eq!(world.state.admitted(), 1);
}

#[test]
fn a_deleted_interview_is_forgotten_by_name_and_its_link_stays_used() {
    let mut world = World::shared();
    world.admit(&single(0), "s1").unwrap();
    let forgotten = world.by(Actor::Runtime, forget("s1"));
    assert_eq!(forgotten, Ok(vec![Event::Forgotten { session: "s1".to_owned(), copies: 0, why: Going::Owner }]));
    assert_eq!(world.state.links()[&single(0)].used, LinkUse::ByAForgotten);
    assert!(!serde_json::to_string(&world.state).unwrap().contains("s1\""));
    assert_eq!(world.admit(&single(0), "s2"), Err(Refusal::LinkUsed));
    assert_eq!(world.by(Actor::Runtime, forget("s1")), Ok(Vec::new()));
}

#[test]
fn a_stranger_can_neither_count_nor_forget() {
    let mut world = World::shared();
    let not_yours = || Err(Refusal::NotYours { who: "bob".to_owned() });
    assert_eq!(world.by(bob(), Command::Receive { session: "s1".to_owned() }), not_yours());
    assert_eq!(world.by(bob(), forget("s1")), not_yours());
}

#[test]
fn an_interview_has_a_name_of_bounded_length() {
    let mut world = World::shared();
    assert_eq!(world.admit(TOKEN, " "), Err(Refusal::Text(TextRefusal::Empty { limit: limits::NAME })));
    let unfit = TextRefusal::TooLong { limit: limits::NAME, graphemes: 61 };
    assert_eq!(world.receive(&"s".repeat(61)), Err(Refusal::Text(unfit)));
}

#[test]
fn a_page_can_greet_before_there_is_an_interview() {
    let mut world = World::shared();
    let greeted = world.state.admission(TOKEN, None, world.time);
    assert!(matches!(greeted, Ok(Admission::New { published, link })
        if published.form.title == "Visit" && link.kind == LinkKind::Public));
    world.admit(&single(0), "s1").unwrap();
    assert_eq!(world.state.admission(&single(0), None, world.time), Err(Refusal::LinkUsed));
    assert_eq!(world.state.admission(&single(0), Some("s1"), world.time), Ok(Admission::Again));
}

#[test]
fn the_owner_is_told_when_copies_went_with_an_interview() {
    let mut world = World::shared();
    world.admit(TOKEN, "s1").unwrap();
    let went = |why| Command::Forget { session: "s1".to_owned(), copies: 2, why };
    let event = |why| Event::Forgotten { session: "s1".to_owned(), copies: 2, why };
    assert_eq!(world.by(Actor::Runtime, went(Going::Respondent)), Ok(vec![event(Going::Respondent)]));
    let line = |why, lang| {
        let entry = Entry { seq: Seq(9), at: Timestamp(0), event: event(why) };
        Forms::line(&entry, &Reader::host(), lang).map(|line| line.text)
    };
    for (why, ja, en) in [
        (
            Going::Respondent,
            "回答者が自分の回答を削除しました。そこから作られた写し(2件)も削除されました。",
            "A respondent deleted their answers. Copies made of them were deleted too: 2.",
        ),
        (
            Going::Days,
            "保存の日数を過ぎた回答と、その写し(2件)を削除しました。",
            "Answers past their time limit were deleted, together with their copies: 2.",
        ),
    ] {
        assert_eq!((line(why, Lang::Ja).as_deref(), line(why, Lang::En).as_deref()), (Some(ja), Some(en)));
    }
    assert_eq!(line(Going::Owner, Lang::En), None, "owners know what they did");
}

#[test]
fn an_interview_that_was_forgotten_before_copies_were_counted_is_still_read() {
    let stored = Stored { kind: "Forgotten".to_owned(), version: 1, body: r#"{"session":"s1"}"#.to_owned() };
    let read = Event::Forgotten { session: "s1".to_owned(), copies: 0, why: Going::Owner };
    assert_eq!(restore::<Forms>(&stored), Ok(read));
}
