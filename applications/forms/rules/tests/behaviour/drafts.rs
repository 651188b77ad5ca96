//! The draft: who may replace it, when, and with what.

use enza_forms::{Author, Card, Command, Event, Forms, LARGEST_DRAFT, Refusal};
use enza_interview::Form;
use enza_kernel::application::{Application, Phase, Standing, restore, store};
use enza_kernel::limits::{self, TextRefusal};
use enza_kernel::reader::Reader;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::testing::given;
use enza_kernel::text::Lang;
use enza_kernel::time::Actor;
use serde_json::json;

use super::world::{World, ada, begin, bob, form};

fn card(title: &str, edition: u64) -> Card {
    Card { title: title.to_owned(), edition, ..Card::default() }
}

#[test]
fn a_form_may_begin_blank_with_nothing_but_a_title() {
    let form = Form { title: "Visits".to_owned(), language: Lang::Ja, ..Form::default() };
    let command = Command::Begin { title: " Visits ".to_owned(), language: Lang::Ja, form: None, sentence: None };
    given(&Forms::new(), []).when(command).then([Event::Begun {
        owner: "ada".to_owned(),
        form,
        card: card("Visits", 0),
    }]);
}

#[test]
fn a_form_may_begin_from_another_and_take_a_title_of_its_own() {
    let command =
        Command::Begin { title: "Mine".to_owned(), language: Lang::Ja, form: Some(form("Theirs")), sentence: None };
    given(&Forms::new(), []).when(command).then([Event::Begun {
        owner: "ada".to_owned(),
        form: form("Mine"),
        card: card("Mine", 0),
    }]);
    let kept = World::begun();
    assert_eq!(kept.state.draft().title, "Visit");
    assert_eq!(kept.state.owner(), Some("ada"));
}

#[test]
fn a_form_begins_once_and_by_a_person() {
    given(&Forms::new(), [])
        .by(Actor::Runtime)
        .when(begin(None, None))
        .then_refused(Refusal::Common(CommonRefusal::NotAPerson));
    given(&Forms::new(), [])
        .when(begin(None, None))
        .when(begin(None, None))
        .then_refused(Refusal::Common(CommonRefusal::AlreadyOpen));
    let long = Command::Begin { title: "t".repeat(121), language: Lang::En, form: None, sentence: None };
    let unfit = TextRefusal::TooLong { limit: limits::TITLE, graphemes: 121 };
    given(&Forms::new(), []).when(long).then_refused(Refusal::Text(unfit));
}

#[test]
fn nothing_can_be_asked_of_a_form_that_has_not_begun() {
    let admit = Command::Admit { token: "t".to_owned(), session: "s".to_owned() };
    for command in [Command::Publish, Command::Close, Command::RetryModel, admit] {
        given(&Forms::new(), []).when(command).then_refused(Refusal::Common(CommonRefusal::NotOpen));
    }
    assert_eq!(World::new().app.floor(&World::new().state, &Reader::host(), Lang::En).offers, []);
}

#[test]
fn an_edit_replaces_the_draft_and_counts() {
    let mut world = World::begun();
    let events = world.tell(Command::Edit { form: form("Visits"), edition: 0 }).unwrap();
    assert_eq!(events, [Event::Edited { form: form("Visits"), by: Author::Owner, card: card("Visits", 1) }]);
    assert_eq!(**world.state.draft(), form("Visits"));
    let row = Forms::rows(world.log.last().unwrap()).remove(0);
    assert_eq!((row.table.as_str(), row.key.as_str()), ("forms", "form"));
    assert_eq!(row.content, Some(json!({ "title": "Visits", "version": 0, "open": false, "edition": 1 })));
}

#[test]
fn an_edit_of_an_older_edition_is_refused_and_changes_nothing() {
    let mut world = World::begun();
    world.edit(form("First")).unwrap();
    let late = Command::Edit { form: form("Second"), edition: 0 };
    assert_eq!(world.tell(late), Err(Refusal::EditedMeanwhile { edition: 1 }));
    assert_eq!(**world.state.draft(), form("First"));
}

#[test]
fn saving_what_is_there_already_records_nothing() {
    let mut world = World::begun();
    assert_eq!(world.edit(form("Visit")), Ok(Vec::new()));
    assert_eq!(world.state.card().edition, 0);
}

#[test]
fn a_draft_may_be_faulty_but_not_huge() {
    let mut world = World::begun();
    world.edit(Form::default()).unwrap();
    let empty = serde_json::to_string(&Form::default()).unwrap().len();
    let of = |letters: usize| Form { title: "t".repeat(letters), ..Form::default() };
    world.edit(of(LARGEST_DRAFT - empty)).unwrap();
    assert_eq!(world.edit(of(LARGEST_DRAFT - empty + 1)), Err(Refusal::TooLarge { bytes: LARGEST_DRAFT + 1 }));
    assert_eq!(Forms::standing(&world.state).title, "t".repeat(120), "a list shows the beginning");
}

#[test]
fn only_the_owner_edits() {
    let mut world = World::begun();
    let edit = Command::Edit { form: form("Bob's"), edition: 0 };
    assert_eq!(world.by(bob(), edit.clone()), Err(Refusal::NotYours { who: "bob".to_owned() }));
    assert_eq!(world.by(Actor::Runtime, edit), Err(Refusal::Common(CommonRefusal::NotAPerson)));
}

#[test]
fn a_draft_waits_for_its_owner_and_a_published_form_for_nobody() {
    let mut world = World::begun();
    let standing = |world: &World| Forms::standing(&world.state);
    let waits = |waiting_for: Option<&str>| Standing {
        phase: Phase::Waiting,
        title: "Visit".to_owned(),
        waiting_for: waiting_for.map(str::to_owned),
    };
    assert_eq!(standing(&world), waits(Some("Not published yet.")));
    world.by(ada(), Command::Publish).unwrap();
    assert_eq!(standing(&world), waits(None), "it takes answers");
    world.by(ada(), Command::Close).unwrap();
    assert_eq!(standing(&world), waits(None), "it is closed");
}

#[test]
fn what_is_recorded_can_be_read_again() {
    let mut world = World::shared();
    world.admit(&super::world::single(0), "s1").unwrap();
    world.receive("s1").unwrap();
    world.tell(Command::SetWebhook { webhook: Some(super::world::webhook()) }).unwrap();
    for entry in &world.log {
        assert_eq!(restore::<Forms>(&store::<Forms>(&entry.event)).as_ref(), Ok(&entry.event));
    }
    let json = serde_json::to_value(&world.state).unwrap();
    assert_eq!(serde_json::from_value::<enza_forms::State>(json).unwrap(), world.state);
}
