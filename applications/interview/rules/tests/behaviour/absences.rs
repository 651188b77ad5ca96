//! Not answering: skipped, declined, unknown and not applicable are four things; a question is not an answer.
//! Section 3, "Optional fields"; section 4, 4; peers, rows 5, 7, 8.

use enza_interview::{Absence, Command, Event, Interview, Refusal, Stage};
use enza_kernel::application::Application;
use enza_kernel::reader::Reader;
use serde_json::json;

use super::world::{SKIP, World};

/// The sample, at its last field, which is optional.
fn at_the_optional_field() -> World {
    let mut world = World::opened();
    world.round("The lift is stuck", json!({ "passed": true, "field_value": "The lift is stuck" }));
    world.round("Building A", json!({ "passed": true, "field_value": "Building A" }));
    world.asks_for("How can we reach you?");
    world
}

fn absence(world: &World, id: &str) -> Option<Absence> {
    world.state.record(id).unwrap().absence()
}

/// Peers, row 8: in plain words, by rule, without a model.
#[test]
fn an_optional_field_is_left_empty_in_plain_words_and_the_reason_is_kept() {
    for (words, why) in [
        ("skip", Absence::Skipped),
        ("I'd rather not say.", Absence::Declined),
        ("I don't know", Absence::Unknown),
        ("n/a", Absence::NotApplicable),
        ("答えたくありません", Absence::Declined),
        ("わかりません", Absence::Unknown),
    ] {
        let mut world = at_the_optional_field();
        let replies = world.state.threads().replies;
        world.say(words);
        assert_eq!((world.field("contact"), absence(&world, "contact")), ("done", Some(why)), "{words}");
        assert_eq!(world.state.threads().replies, replies, "no model is asked");
        assert!(!world.state.values().contains_key("contact"));
        assert_eq!(world.state.submission().answers[2].absence, Some(why));
        assert!(world.state.gate().is_some());
    }
}

/// By a button, with its reason.
#[test]
fn a_button_says_why_there_is_no_answer() {
    let mut world = at_the_optional_field();
    world.tell(Command::Skip { absence: Absence::Unknown }).unwrap();
    assert_eq!(absence(&world, "contact"), Some(Absence::Unknown));
    let line = world.log.iter().rev().find_map(|entry| match &entry.event {
        Event::FieldDeclined { .. } => Interview::line(entry, &Reader::host(), enza_kernel::text::Lang::En),
        _ => None,
    });
    assert_eq!(line.unwrap().text, format!("({})", Absence::Unknown.say(enza_kernel::text::Lang::En)));
}

/// A reviewer may hear it between the lines.
#[test]
fn a_reviewer_may_find_that_there_is_no_answer() {
    let mut world = at_the_optional_field();
    world.say("That is really none of your business, my friend");
    world.reviews(json!({ "passed": false, "stance": "declined" }));
    assert_eq!(world.field("contact"), "interviewing", "not passed: it is asked once more");
    world.asks_for("May we at least have a number?");
    world.say("As I said, it is none of your business");
    world.reviews(json!({ "passed": true, "stance": "declined" }));
    assert_eq!((world.field("contact"), absence(&world, "contact")), ("done", Some(Absence::Declined)));
}

/// INT-53 and section 3: a required field is asked for in another way, and is never passed over, whatever a model says.
#[test]
fn a_required_field_does_not_pass_on_i_do_not_know() {
    let mut world = World::opened();
    world.asks_for("What is wrong?");
    world.say("I don't know");
    assert_eq!((world.field("symptom"), world.ask().agent.as_str()), ("interviewing", "interviewer"));
    assert!(world.last_told("interviewer").contains("\"stance\":\"unknown\""), "{}", world.last_told("interviewer"));
    world.asks_for("What did you see?");
    world.say("Well, no idea really, sorry about that");
    world.reviews(json!({ "passed": true, "stance": "not_applicable" }));
    assert_eq!(world.field("symptom"), "interviewing");
    assert_eq!(world.state.progress(), (0, 3));
}

/// Section 3: nobody is trapped; the rest is asked, and the missing one holds up the submission with an explanation.
#[test]
fn a_required_field_is_left_for_later_by_a_button() {
    let mut world = World::opened();
    world.asks_for("What is wrong?");
    world.tell(SKIP).unwrap();
    assert_eq!(world.state.current().unwrap().0.field_id, "place");
    world.round("Building A", json!({ "passed": true, "field_value": "Building A" }));
    world.asks_for("How can we reach you?");
    world.tell(SKIP).unwrap();
    assert_eq!(world.state.stage(), Stage::Choosing);
    assert_eq!(
        Interview::standing(&world.state).waiting_for.as_deref(),
        Some("These required fields are still open: What is wrong. Answer them to submit.")
    );
    let fill = Command::Fill { answers: [("symptom".to_owned(), String::new())].into() };
    assert_eq!(world.tell(fill), Err(Refusal::Required { label: "What is wrong".to_owned() }));
}

/// Peers, row 5: the question is answered and the same field asked again; it counts against nothing.
#[test]
fn an_off_topic_question_leads_back_to_the_same_field() {
    let mut world = World::opened();
    for _ in 0..5 {
        world.asks_for("What is wrong?");
        world.say("Who will read this?");
        world.reviews(json!({ "passed": false, "stance": "question" }));
        let record = world.state.record("symptom").unwrap();
        assert_eq!((record.at(), record.follow_ups()), ("interviewing", 0));
        assert!(world.last_told("interviewer").contains("\"stance\":\"question\""));
        assert!(world.last_told("interviewer").contains("Who will read this?"));
    }
    world.asks_for("What is wrong?");
    world.say("And why?");
    world.reviews(json!({ "passed": false, "stance": "question" }));
    assert_eq!(world.state.record("symptom").unwrap().follow_ups(), 1, "but not for ever: the sixth counts");
}

/// Whatever is written there, a required field cannot be emptied and an unknown one not be filled.
#[test]
fn what_is_skipped_can_be_answered_after_all() {
    let mut world = at_the_optional_field();
    world.tell(SKIP).unwrap();
    let fill = |id: &str, text: &str| Command::Fill { answers: [(id.to_owned(), text.to_owned())].into() };
    assert_eq!(world.tell(fill("colour", "red")), Err(Refusal::UnknownField { field_id: "colour".to_owned() }));
    world.tell(fill("contact", "ada@example.org")).unwrap();
    assert_eq!(world.ask().agent, "reviewer", "the field has facts: what is written in is reviewed as well");
    world.reviews(json!({ "passed": true, "field_value": "ada@example.org" }));
    assert_eq!((world.state.values()["contact"], absence(&world, "contact")), ("ada@example.org", None));
    assert_eq!(world.state.gate().unwrap().id, "submit-2");
}
