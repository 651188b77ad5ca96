//! Publishing: a version is frozen and opened; closing and opening again.

use enza_forms::{Card, CloseReason, Command, Event, Forms, Refusal, Rules};
use enza_interview::{Form, FormFault};
use enza_kernel::application::{Application, Reason};
use enza_kernel::effect::{Effect, Outcome, Wake};
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;

use super::world::{TOKEN, World, form};

fn closing_at(world: &World) -> Option<Wake> {
    world.app.due(&world.state).into_iter().find_map(|effect| match effect {
        Effect::Wake(wake) => Some(wake),
        Effect::AskModel(_) | Effect::RunTool(_) | Effect::RunErrand(_) => None,
    })
}

fn rules_closing_at(at: i64) -> Command {
    Command::SetRules { rules: Rules { closes: Some(Timestamp(at)), ..Rules::default() } }
}

#[test]
fn a_version_is_the_checked_draft_and_is_open() {
    let mut world = World::begun();
    world.edit(form("  Visit  ")).unwrap();
    let events = world.tell(Command::Publish).unwrap();
    let card = Card { title: "Visit".to_owned(), version: 1, is_open: true, edition: 1 };
    assert_eq!(events, [Event::Published { form: form("Visit"), card }]);
    let published = world.state.published().unwrap();
    assert_eq!((published.version, &*published.form, published.at), (1, &form("Visit"), world.time));
}

/// INT section 3, "Form changed during a session": what is published stays as it was.
#[test]
fn an_edit_after_publishing_leaves_the_version_alone_until_the_next() {
    let mut world = World::begun();
    world.tell(Command::Publish).unwrap();
    world.edit(form("Visits")).unwrap();
    assert_eq!(world.state.published().unwrap().form.title, "Visit");
    world.tell(Command::Publish).unwrap();
    let published = world.state.published().unwrap();
    assert_eq!((published.version, published.form.title.as_str()), (2, "Visits"));
}

#[test]
fn a_draft_that_cannot_be_asked_is_not_published() {
    let mut world = World::begun();
    world.edit(Form { fields: Vec::new(), ..form("Visit") }).unwrap();
    assert_eq!(world.tell(Command::Publish), Err(Refusal::Form(FormFault::FieldCount { count: 0 })));
    assert!(world.state.published().is_none());
}

#[test]
fn what_has_not_changed_is_not_published_again_and_the_hint_says_what_helps() {
    let mut world = World::begun();
    world.tell(Command::Publish).unwrap();
    let open = Refusal::NothingToPublish { is_open: true };
    assert_eq!(world.tell(Command::Publish), Err(open.clone()));
    world.edit(form("Other")).unwrap();
    world.edit(form("Visit")).unwrap();
    assert_eq!(world.tell(Command::Publish), Err(open), "there and back again is no change");
    world.tell(Command::Close).unwrap();
    let refused = world.tell(Command::Publish).unwrap_err();
    assert_eq!(refused.say(Lang::En).hint, "To accept answers again, reopen the form.");
}

#[test]
fn a_form_is_closed_and_opened_again() {
    let mut world = World::shared();
    world.tell(Command::Close).unwrap();
    assert_eq!(world.admit(TOKEN, "s1"), Err(Refusal::Closed));
    assert_eq!(world.tell(Command::Close), Ok(Vec::new()), "a second click does no harm");
    world.tell(Command::Reopen).unwrap();
    assert_eq!(world.tell(Command::Reopen), Ok(Vec::new()));
    assert!(world.admit(TOKEN, "s1").is_ok());
}

#[test]
fn a_form_that_was_never_published_can_be_neither_closed_nor_opened() {
    let mut world = World::begun();
    assert_eq!(world.tell(Command::Close), Err(Refusal::Unpublished));
    assert_eq!(world.tell(Command::Reopen), Err(Refusal::Unpublished));
}

#[test]
fn a_new_version_opens_a_closed_form() {
    let mut world = World::shared();
    world.tell(Command::Close).unwrap();
    world.edit(form("Visits")).unwrap();
    world.tell(Command::Publish).unwrap();
    assert!(world.state.card().is_open);
}

#[test]
fn the_close_date_shuts_the_form_once() {
    let mut world = World::shared();
    assert_eq!(closing_at(&world), None);
    world.tell(rules_closing_at(5_000)).unwrap();
    let wake = closing_at(&world).unwrap();
    assert_eq!(wake.at, Timestamp(5_000));
    let before = world.log.len();
    world.settle(&Effect::Wake(wake.clone()), Outcome::Rang);
    assert_eq!(world.log.len(), before, "a timer that rings early is not heard");
    world.time = Timestamp(5_000);
    world.settle(&Effect::Wake(wake.clone()), Outcome::Rang);
    assert!(matches!(world.log.last().unwrap().event, Event::Closed { why: CloseReason::Date, .. }));
    assert_eq!(closing_at(&world), None);
    let before = world.log.len();
    world.settle(&Effect::Wake(wake), Outcome::Rang);
    assert_eq!(world.log.len(), before);
}

#[test]
fn opening_a_form_takes_away_a_close_date_that_has_passed() {
    let mut world = World::shared();
    world.tell(rules_closing_at(5_000)).unwrap();
    world.tell(Command::Close).unwrap();
    world.time = Timestamp(4_999);
    world.tell(Command::Reopen).unwrap();
    assert_eq!(world.state.rules().closes, Some(Timestamp(5_000)), "one that lies ahead stays");
    world.tell(Command::Close).unwrap();
    world.time = Timestamp(6_000);
    world.tell(Command::Reopen).unwrap();
    assert_eq!(world.state.rules().closes, None);
    assert!(world.admit(TOKEN, "s1").is_ok());
    assert_eq!(Forms::standing(&world.state).waiting_for, None);
}
