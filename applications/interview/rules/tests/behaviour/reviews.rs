//! The reviewer and what follows from it: INT-38 to INT-49, and the limit of section 3.

use enza_interview::{Command, Event, Refusal, Stage, USUAL_FOLLOW_UPS};
use serde_json::{Value, json};

use super::world::{SKIP, World};

fn lacking() -> Value {
    json!({ "passed": false, "missing_facts": ["since"] })
}

/// The first field, sent back as often as it may be.
fn sent_back_thrice() -> World {
    let mut world = World::opened();
    for _ in 0..USUAL_FOLLOW_UPS {
        world.round("The lift", lacking());
    }
    world
}

/// INT-38, INT-46, INT-47, INT-48.
#[test]
fn a_reviewer_starts_in_its_own_thread_from_conversation_field_and_facts() {
    let mut world = World::opened();
    world.round(
        "The lift is stuck",
        json!({ "passed": false, "missing_facts": ["since"], "extracted_facts": ["what: lift"] }),
    );
    world.asks_for("Since when?");
    world.say("Since ``` this morning");
    let request = world.request();
    assert_eq!((request.agent.as_str(), request.thread.as_str()), ("reviewer", "reviewer-2"));
    assert_eq!(request.messages.len(), 1);
    insta::assert_snapshot!(request.messages[0].text, @r#"
    # Summary so far
    0 of 3 fields are done

    # The field under review
    What is wrong

    # The conversation about it
    ````conversation
    {"question":"Tell me?","answer":"The lift is stuck"}
    {"question":"Since when?","answer":"Since ``` this morning"}
    ````

    # The facts collected for it
    ```facts
    what: lift
    ```
    "#);
}

/// INT-49: the result is kept, and is the result of the interviewer's call.
#[test]
fn the_result_of_a_review_is_kept_and_given_back() {
    let mut world = World::opened();
    world.round("The lift", lacking());
    let (_, record) = world.state.current().unwrap();
    assert_eq!(serde_json::to_value(record.finding()).unwrap(), lacking());
    let told: Value = serde_json::from_str(&world.last_told("interviewer")).unwrap();
    assert_eq!(told["review"], lacking());
    assert!(!world.state.threads().threads.contains_key("reviewer-1"), "the thread is over");
}

/// INT-45.
#[test]
fn a_passed_review_gives_the_field_its_value() {
    let mut world = World::opened();
    world.round("um, the lift is stuck", json!({ "passed": true, "field_value": " Lift stuck ", "feedback": null }));
    assert_eq!(world.state.values()["symptom"], "Lift stuck");
    let (_, record) = world.state.fields().next().unwrap();
    assert_eq!(record.sentence(), Some("um, the lift is stuck"), "peers, row 13: where it came from");
}

/// INT-44 and section 3: a required field does not pass without a value.
#[test]
fn passed_without_a_value_is_an_error_for_a_required_field() {
    let mut world = World::opened();
    world.round("The lift", json!({ "passed": true }));
    assert!(world.last_told("reviewer-1").contains("This field is required"));
    world.reviews(json!({ "passed": true, "field_value": " \u{200B} " }));
    assert!(world.last_told("reviewer-1").contains("This field is required"));
    assert_eq!(world.field("symptom"), "reviewing");
    world.reviews(json!({ "passed": true, "field_value": "Lift stuck" }));
    assert_eq!(world.field("symptom"), "done");
}

/// Section 3: passed with no value closes an optional field, done and empty.
#[test]
fn passed_without_a_value_closes_an_optional_field_empty() {
    let mut world = World::opened();
    world.round("Lift stuck", json!({ "passed": true, "field_value": "Lift stuck" }));
    world.round("Building A", json!({ "passed": true, "field_value": "Building A" }));
    world.round("That is a secret of mine", json!({ "passed": true }));
    assert_eq!(world.state.progress(), (3, 3));
    assert!(!world.state.values().contains_key("contact"));
}

/// Section 3: without missing facts the feedback is used; with neither, the reviewer is asked again.
#[test]
fn not_passed_without_missing_facts_uses_the_feedback() {
    let mut world = World::opened();
    world.round("The lift", json!({ "passed": false }));
    assert!(world.last_told("reviewer-1").contains("say what is lacking"));
    world.reviews(json!({ "passed": false, "feedback": "Since when?", "missing_facts": [] }));
    let reviewed = world.log.iter().rev().find_map(|entry| {
        let Event::Reviewed { step, .. } = &entry.event else { return None };
        Some(serde_json::to_value(step).unwrap())
    });
    assert_eq!(reviewed, Some(json!({ "sent_back": { "feedback": ["Since when?"] } })));
}

#[test]
fn a_review_that_contradicts_itself_is_an_error() {
    let mut world = World::opened();
    world.round("The lift", json!({ "passed": true, "field_value": "Lift", "missing_facts": ["since"] }));
    assert!(world.last_told("reviewer-1").contains("passed is true, but missing_facts"));
    assert_eq!(world.field("symptom"), "reviewing");
}

/// INT-44: garbage goes back to the model and closes nothing.
#[test]
fn garbage_from_a_reviewer_changes_nothing() {
    let mut world = World::opened();
    world.asks_for("What is wrong?");
    world.say("The lift is stuck");
    for garbage in [json!(null), json!("passed"), json!({ "passed": "yes" }), json!({ "passed": true, "grade": 5 })] {
        world.reviews(garbage);
        assert!(world.last_told("reviewer-1").starts_with("Your output could not be used"));
    }
    world.reviews(json!({ "passed": true, "field_value": "x".repeat(5_000) }));
    assert!(world.last_told("reviewer-1").contains("field_value"));
    assert_eq!(world.field("symptom"), "reviewing");
}

/// Section 3, "Endless follow-ups" and "A required field that can never pass".
#[test]
fn after_three_follow_ups_the_best_value_closes_the_field_as_incomplete() {
    let mut world = sent_back_thrice();
    world.round("It just is", json!({ "passed": false, "missing_facts": ["since"], "field_value": "The lift" }));
    let (_, record) = world.state.fields().next().unwrap();
    assert_eq!((record.at(), record.is_incomplete(), record.follow_ups()), ("done", true, 3));
    assert_eq!(world.state.values()["symptom"], "The lift");
    assert_eq!(world.field("place"), "interviewing");
}

/// Section 3: a refusal keeps a required field not done, and the respondent is told so by the session itself.
#[test]
fn after_three_follow_ups_without_a_value_the_respondent_is_told_and_may_answer_as_is() {
    let mut world = sent_back_thrice();
    world.round("I will not say", lacking());
    assert_eq!(world.field("symptom"), "interviewing");
    insta::assert_snapshot!(world.state.question().unwrap(), @r#"About "What is wrong", this is still not known: since. Please answer as far as you can, or leave it for later. The field is required; without an answer the form cannot be submitted."#);
    assert!(world.asks().is_empty(), "no model is asked until the respondent decides");
    world.say("All right: the lift is stuck");
    assert_eq!(world.ask().agent, "reviewer");
    world.reviews(json!({ "passed": true, "field_value": "Lift stuck", "missing_facts": ["since"] }));
    let (_, record) = world.state.fields().next().unwrap();
    assert_eq!((record.at(), record.is_incomplete()), ("done", true));
    assert_eq!(world.ask().agent, "interviewer");
}

/// Section 3: whoever still has no answer is let on to the rest; the field stays not done, and finalising blocked.
#[test]
fn a_required_field_that_never_gets_an_answer_is_left_for_later_and_holds_up_the_submission() {
    let mut world = sent_back_thrice();
    world.round("I will not say", lacking());
    world.say("Still no");
    world.reviews(lacking());
    let (_, record) = world.state.fields().next().unwrap();
    assert_eq!((record.at(), record.is_set_aside()), ("interviewing", true));
    world.round("Building A", json!({ "passed": true, "field_value": "Building A" }));
    world.asks_for("How can we reach you?");
    world.tell(SKIP).unwrap();
    assert_eq!((world.state.stage(), world.state.gate()), (Stage::Choosing, None));
    let labels = vec!["What is wrong".to_owned()];
    assert_eq!(world.tell(Command::Reconfirm), Err(Refusal::FieldsMissing { labels }));
    world.tell(Command::ChangeAnswer { field_id: "symptom".to_owned() }).unwrap();
    world.round("The lift is stuck", json!({ "passed": true, "field_value": "The lift is stuck" }));
    assert!(world.state.gate().is_some());
}

/// Section 3: "answer as is" after the limit keeps the respondent's words, marked for the owner; not before it.
#[test]
fn what_was_said_may_be_kept_as_it_is_only_after_the_limit() {
    let mut world = World::opened();
    world.round("The lift", lacking());
    world.asks_for("Since when?");
    assert_eq!(world.tell(Command::KeepAsIs), Err(Refusal::NotYet), "INT-52");
    world.say("No idea at all");
    world.reviews(lacking());
    for _ in 0..2 {
        world.round("The lift", lacking());
    }
    world.tell(Command::KeepAsIs).unwrap();
    let (_, record) = world.state.fields().next().unwrap();
    assert_eq!((record.at(), record.is_incomplete()), ("done", true));
    assert!(world.state.values()["symptom"].contains("The lift"));
}

/// Section 3: an optional field that used up its rounds may still be skipped.
#[test]
fn an_optional_field_without_a_value_may_be_skipped_after_the_limit() {
    let mut world = World::opened();
    world.round("Lift stuck", json!({ "passed": true, "field_value": "Lift stuck" }));
    world.round("Building A", json!({ "passed": true, "field_value": "Building A" }));
    for _ in 0..=USUAL_FOLLOW_UPS {
        world.round("Hm", lacking());
    }
    assert!(world.state.question().unwrap().contains("skip this field"));
    world.tell(SKIP).unwrap();
    assert_eq!(world.state.progress(), (3, 3));
    assert!(world.state.gate().is_some());
}
