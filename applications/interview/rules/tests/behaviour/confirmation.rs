//! The confirmation, and changing an answer on it: INT-53, INT-92, INT-15.

use enza_interview::{Command, Event, Form, GatePurpose, Interview, Refusal, Stage};
use enza_kernel::application::{Application, Phase};
use enza_kernel::gate::{Gate, GateRefusal, Points, Risk, Verdict};
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use enza_kernel::time::Actor;

use super::world::{SKIP, World, open};

#[test]
fn the_gate_shows_the_five_points_and_every_value() {
    let world = World::confirming();
    let standing = Interview::standing(&world.state);
    assert_eq!(
        (standing.phase, standing.waiting_for.as_deref()),
        (Phase::Gate, Some("Submit \"Report of a fault in the building\""))
    );
    let ask = &world.state.gate().unwrap().ask;
    assert!(!ask.grounds.is_empty() && !ask.impact.is_empty() && ask.alternatives.len() == 2);
    insta::assert_snapshot!(ask.diff.as_deref().unwrap(), @r#"
    What is wrong: The lift is stuck since this morning
    Where it is: Building A, ground floor
    How to reach you: ada@example.org
    "#);
}

/// INT-53: held when the answer is decided, whoever opened the gate.
#[test]
fn nothing_is_submitted_while_a_required_field_is_not_done() {
    let mut world = World::opened();
    let gate =
        Gate { id: "forged".to_owned(), ask: Points::default(), risk: Risk::Low, expires: None, may_answer: vec![] };
    world.take(vec![Event::GateOpened { purpose: GatePurpose::Submit, gate }]);
    let labels = vec!["What is wrong".to_owned(), "Where it is".to_owned()];
    assert_eq!(world.confirm(Verdict::Yes), Err(Refusal::FieldsMissing { labels }));
    assert!(world.run().is_none());
}

#[test]
fn a_gate_takes_one_answer_from_the_respondent_alone() {
    let mut world = World::confirming();
    let confirm = |gate: &str| Command::Confirm { gate: gate.to_owned(), verdict: Verdict::Yes, note: None };
    let stranger = Actor::Person("eve".to_owned());
    assert_eq!(world.by(stranger, confirm("submit-1")), Err(Refusal::NotYours { who: "eve".to_owned() }));
    assert_eq!(world.by(Actor::Runtime, confirm("submit-1")), Err(Refusal::Common(CommonRefusal::NotAPerson)));
    assert_eq!(world.tell(confirm("submit-9")), Err(Refusal::Common(CommonRefusal::NoSuchGate)));
    world.tell(confirm("submit-1")).unwrap();
    let answered = GateRefusal::AlreadyAnswered { by: "ada".to_owned() };
    assert_eq!(world.tell(confirm("submit-1")), Err(Refusal::Gate(answered)));
}

/// Section 3, "Editing on the confirmation screen": a changed value is reviewed before the gate opens again (INT-52).
#[test]
fn a_no_leads_to_a_changed_answer_that_is_reviewed_before_the_gate_reopens() {
    let mut world = World::confirming();
    world.confirm(Verdict::No).unwrap();
    assert_eq!(world.state.stage(), Stage::Choosing);
    assert_eq!(
        Interview::standing(&world.state).waiting_for.as_deref(),
        Some("Which answer would you like to change?")
    );
    world.tell(Command::ChangeAnswer { field_id: "place".to_owned() }).unwrap();
    assert_eq!((world.field("place"), world.state.gate()), ("interviewing", None));
    assert!(!world.state.values().contains_key("place"));
    world.play();
    world.say("Building B, first floor");
    assert!(world.state.gate().is_none());
    assert_eq!((world.field("place"), world.state.gate()), ("reviewing", None));
    world.play();
    assert_eq!(world.state.values()["place"], "Building B, first floor");
    assert_eq!(world.state.gate().unwrap().id, "submit-2");
}

#[test]
fn an_answer_can_be_changed_from_the_open_gate_and_a_no_can_be_taken_back() {
    let mut world = World::confirming();
    world.tell(Command::ChangeAnswer { field_id: "contact".to_owned() }).unwrap();
    world.play();
    world.tell(SKIP).unwrap();
    assert!(!world.state.values().contains_key("contact"));
    world.confirm(Verdict::No).unwrap();
    world.tell(Command::Reconfirm).unwrap();
    assert_eq!(world.state.gate().unwrap().id, "submit-3");
}

#[test]
fn an_answer_is_changed_while_it_is_the_respondents_turn_and_not_after_the_yes() {
    let change = |field_id: &str| Command::ChangeAnswer { field_id: field_id.to_owned() };
    let mut world = World::opened();
    assert_eq!(world.tell(change("symptom")), Err(Refusal::NotYourTurn));
    let mut world = World::confirming();
    assert_eq!(world.tell(change("colour")), Err(Refusal::UnknownField { field_id: "colour".to_owned() }));
    world.confirm(Verdict::Yes).unwrap();
    assert_eq!(world.tell(change("symptom")), Err(Refusal::AlreadySubmitted));
    assert_eq!(world.tell(Command::Abandon), Err(Refusal::AlreadySubmitted));
}

#[test]
fn the_gate_speaks_the_language_of_the_form() {
    let mut world = World::new();
    world.tell(open(Form::sample(Lang::Ja), None)).unwrap();
    for answer in ["エレベーターが今朝から動かない", "A棟1階", "ada@example.org"] {
        world.play();
        world.say(answer);
    }
    world.play();
    assert_eq!(world.state.gate().unwrap().ask.intent, "「設備の不具合報告」を送信する");
}
