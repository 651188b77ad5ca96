//! Fields and their states: INT-30 to INT-37, INT-50 to INT-53.

use enza_interview::Interview;
use enza_kernel::application::Application;
use serde_json::json;

use super::world::{SKIP, World};

fn passed(value: &str) -> serde_json::Value {
    json!({ "passed": true, "field_value": value })
}

/// INT-50, INT-51: the whole table.
#[test]
fn the_table_of_a_field_has_no_way_around_the_review() {
    let app = Interview::new();
    let table = app.tables()[0];
    insta::assert_snapshot!(table.to_mermaid(), @r#"
    stateDiagram-v2
        [*] --> pending
        pending --> interviewing : its turn
        interviewing --> reviewing : answer
        reviewing --> done : review passed
        reviewing --> interviewing : feedback
        done --> interviewing : answer to be changed
        done --> [*]
    "#);
    let into_done: Vec<&str> = table.moves().iter().filter(|one| one.to == "done").map(|one| &*one.from).collect();
    assert_eq!(into_done, ["reviewing"]);
}

/// INT-51: five moves of sixteen, the fifth being the change of an answer on the confirmation.
#[test]
fn every_move_that_the_table_does_not_have_is_refused() {
    let app = Interview::new();
    let table = app.tables()[0];
    let allowed =
        table.states().iter().flat_map(|from| table.states().iter().map(move |to| table.step(from, to).is_ok()));
    assert_eq!(allowed.filter(|is_allowed| *is_allowed).count(), 5);
    assert!(!table.allows("pending", "done") && !table.allows("interviewing", "done"));
    assert!(!table.allows("pending", "reviewing") && !table.allows("done", "reviewing"));
}

/// INT-30, INT-34, INT-50: the system names the field, the model does not choose.
#[test]
fn a_field_goes_from_pending_to_done_and_the_next_is_injected() {
    let mut world = World::opened();
    assert_eq!([world.field("symptom"), world.field("place")], ["interviewing", "pending"]);
    world.asks_for("What is wrong?");
    world.say("The lift is stuck since this morning");
    assert_eq!(world.field("symptom"), "reviewing");
    world.reviews(passed("Lift stuck since this morning"));
    assert_eq!([world.field("symptom"), world.field("place")], ["done", "interviewing"]);
    assert_eq!(world.state.values()["symptom"], "Lift stuck since this morning");
    let task = world.request().fresh.into_iter().find(|part| part.name == "task").unwrap();
    assert!(task.text.contains("Where it is"), "{}", task.text);
}

/// INT-32, INT-33, INT-38: the session itself starts the reviewer after every answer, to follow-ups too, so that no call
/// of the interviewer's is spent on it, and the next question waits for the result.
#[test]
fn every_answer_goes_to_the_reviewer_at_once() {
    let mut world = World::opened();
    world.asks_for("What is wrong?");
    for (nth, answer) in ["The lift", "Since this morning"].into_iter().enumerate() {
        world.say(answer);
        assert_eq!((world.ask().agent, world.ask().thread), ("reviewer".to_owned(), format!("reviewer-{}", nth + 1)));
        assert_eq!(world.state.question(), None, "nothing is asked while a review is under way");
        world.reviews(json!({ "passed": false, "missing_facts": ["since"] }));
        assert_eq!(world.ask().agent, "interviewer");
        world.asks_for("Since when?");
    }
    assert_eq!([world.field("symptom"), world.field("place")], ["interviewing", "pending"]);
}

/// INT-52: nothing that the interviewer says or calls moves a field on.
#[test]
fn no_field_is_passed_without_a_passing_review_whatever_the_model_does() {
    let mut world = World::opened();
    world.calls(&[("subtask", json!({ "agent": "reviewer" }))]);
    assert!(world.last_told("interviewer").contains("The last answer has been reviewed"));
    world.asks_for("What is wrong?");
    world.say("The lift is stuck");
    assert_eq!(world.field("symptom"), "reviewing");
    assert_eq!(world.state.threads().threads.len(), 2);
    world.reviews(json!({ "passed": false, "feedback": "Since when?" }));
    world.calls(&[("subtask", json!({ "agent": "reviewer" })), ("subtask", json!({ "agent": "reviewer" }))]);
    assert_eq!(world.state.question(), None);
    assert_eq!([world.field("symptom"), world.field("place")], ["interviewing", "pending"]);
    assert_eq!(world.state.progress(), (0, 3));
}

/// INT-35, INT-36: what is missing goes back to the interviewer, which asks on.
#[test]
fn missing_facts_drive_the_follow_up() {
    let mut world = World::opened();
    world.round("The lift", json!({ "passed": false, "missing_facts": ["since"], "extracted_facts": ["what: lift"] }));
    let told: serde_json::Value = serde_json::from_str(&world.last_told("interviewer")).unwrap();
    assert_eq!(
        told,
        json!({
            "field": "What is wrong",
            "answer": "The lift",
            "review": { "passed": false, "missing_facts": ["since"] },
        })
    );
    world.asks_for("Since when is the lift stuck?");
    assert_eq!(world.state.question(), Some("Since when is the lift stuck?"));
}

/// INT-15, INT-37.
#[test]
fn after_the_last_field_the_confirmation_opens_without_another_model_call() {
    let mut world = World::opened();
    for value in ["Lift stuck", "Building A", "ada@example.org"] {
        assert!(world.state.gate().is_none());
        world.round(value, passed(value));
    }
    assert!(world.asks().is_empty());
    assert_eq!(world.state.progress(), (3, 3));
    assert_eq!(world.state.gate().unwrap().id, "submit-1");
}

/// Requirements, section 3, "Optional fields": the respondent may decline; the field is done and empty.
#[test]
fn an_optional_field_may_be_skipped() {
    let mut world = World::opened();
    world.asks_for("What is wrong?");
    world.say("The lift is stuck");
    world.reviews(passed("Lift stuck"));
    world.round("Building A", passed("Building A"));
    world.asks_for("How can we reach you?");
    world.tell(SKIP).unwrap();
    assert_eq!(world.field("contact"), "done");
    assert!(!world.state.values().contains_key("contact"));
    assert!(world.state.gate().is_some());
    let (_, contact) = world.state.fields().last().unwrap();
    assert!(contact.finding().is_some_and(|finding| finding.passed), "a decline is on record as a passing review");
}
