//! The state under the document's names, and what older logs give: INT-65 to INT-86.

use enza_interview::{Interview, Stage, State};
use enza_kernel::application::{Application, Entry, Stored, restore};
use enza_kernel::time::{Seq, Timestamp};
use serde_json::{Value, json};

use super::world::World;

fn view(world: &World) -> Value {
    json!(world.state.main_session_state("session-1"))
}

/// INT-71, INT-72, INT-74 to INT-85.
#[test]
fn the_state_has_the_names_of_the_document() {
    let mut world = World::opened();
    world.round("The lift", json!({ "passed": false, "missing_facts": ["since"] }));
    let seen = view(&world);
    let keys: Vec<&String> = seen.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "agentStack",
            "bootstrap",
            "collectedFields",
            "createdAt",
            "currentFieldIndex",
            "followUpCount",
            "form",
            "messages",
            "plan",
            "sessionId",
            "subSessionResults",
            "updatedAt",
        ]
    );
    assert_eq!(
        (&seen["sessionId"], &seen["followUpCount"], &seen["currentFieldIndex"]),
        (&json!("session-1"), &json!(1), &json!(0))
    );
    assert_eq!(seen["bootstrap"], json!({ "language": "en", "country": "US", "timezone": "America/New_York" }));
    assert_eq!(seen["subSessionResults"]["symptom"]["missing_facts"], json!(["since"]), "INT-49, INT-75");
    assert_eq!(seen["plan"]["fields"][1]["field_id"], "place");
    let field: Vec<&String> = seen["form"]["fields"][0].as_object().unwrap().keys().collect();
    assert_eq!(field, ["fieldId", "id", "intent", "label", "required", "sortOrder"], "INT-84");
    let fact: Vec<&String> = seen["form"]["facts"][0].as_object().unwrap().keys().collect();
    assert_eq!(fact, ["doneCriteria", "fact", "factKey", "formFieldId", "id", "questioningHints"], "INT-85");
    assert!(!seen["messages"].as_array().unwrap().is_empty());
}

/// INT-79, INT-80, INT-81, INT-82: index, values, count and time go on with the interview.
#[test]
fn index_values_and_times_go_on_with_the_interview() {
    let mut world = World::opened();
    world.round("The lift", json!({ "passed": false, "missing_facts": ["since"] }));
    let created = view(&world)["createdAt"].clone();
    world.wait(std::time::Duration::from_secs(5));
    world.round("The lift since today", json!({ "passed": true, "field_value": "The lift since today" }));
    let seen = view(&world);
    assert_eq!(seen["collectedFields"], json!({ "symptom": "The lift since today" }));
    assert_eq!((&seen["currentFieldIndex"], &seen["followUpCount"]), (&json!(1), &json!(0)), "reset at each new field");
    assert_eq!(seen["createdAt"], created);
    assert_eq!(seen["updatedAt"], json!(world.time.0));
}

/// INT-38, INT-73: a review is pushed above the interviewer and popped when it ends.
#[test]
fn the_running_agent_is_on_top_of_the_stack() {
    let mut world = World::opened();
    world.asks_for("What is wrong?");
    assert_eq!(view(&world)["agentStack"], json!([{ "agent": "interviewer" }]));
    world.say("The lift is stuck");
    assert_eq!(
        view(&world)["agentStack"],
        json!([{ "agent": "interviewer" }, { "agent": "reviewer", "subSessionId": "reviewer-1" }])
    );
    world.reviews(json!({ "passed": true, "field_value": "The lift is stuck" }));
    assert_eq!(view(&world)["agentStack"], json!([{ "agent": "interviewer" }]));
    assert_eq!(view(&World::confirming())["agentStack"], json!([]));
}

/// INT-65, INT-66: what a loop yields is in state and thread: the words for the respondent, the calls with their results,
/// whether it waits for an answer, and what it used.
#[test]
fn a_turn_yields_words_calls_state_and_usage() {
    let mut world = World::opened();
    world.calls(&[("subtask", json!({ "agent": "reviewer" }))]);
    world.asks_for("What is wrong?");
    let thread = &world.state.threads().threads["interviewer"];
    let calls: Vec<&str> =
        thread.messages.iter().flat_map(|message| message.calls.iter()).map(|call| call.tool.as_str()).collect();
    assert_eq!(calls, ["subtask", "ask"]);
    assert!(world.last_told("interviewer").contains("has been reviewed"), "the error is in the history too");
    assert_eq!(world.state.question(), Some("What is wrong?"), "awaitingUserResponse, by ask alone");
    assert_eq!(world.state.threads().usage.total(), 30);
}

/// INT-86: a log of the first version goes on where it was.
#[test]
fn a_log_of_the_first_version_is_read_and_gone_on_with() {
    let form = json!({ "title": "T", "language": "en", "fields": [
        { "fieldId": "a", "label": "A", "required": true }, { "fieldId": "b", "label": "B", "required": false } ] });
    let events = [
        ("Opened", json!({ "form": form, "respondent": "ada", "budget": null })),
        ("FieldMoved", json!({ "field_id": "a", "to": "interviewing" })),
        ("Stepped", json!({ "thread": "interviewer", "began": { "agent": "interviewer", "text": "Begin" } })),
        (
            "Stepped",
            json!({ "thread": "interviewer", "replied": {
            "calls": [{ "id": "1", "tool": "ask", "arguments": { "question": "A?" } }],
            "usage": { "input": 1, "output": 1, "cache_read": 0, "cache_write": 0, "cost": 0 },
            "asked_at": 3, "prompt": "00".repeat(32) } }),
        ),
        ("Stepped", json!({ "thread": "interviewer", "call_asks": { "call": "1", "words": "A?" } })),
    ];
    let mut world = World::new();
    for (place, (kind, body)) in events.into_iter().enumerate() {
        let stored = Stored { kind: kind.to_owned(), version: 1, body: body.to_string() };
        let event = restore::<Interview>(&stored).unwrap();
        let entry = Entry { seq: Seq(place as u64 + 1), at: Timestamp(1_000), event };
        Interview::evolve(&mut world.state, &entry);
        world.log.push(entry);
    }
    assert_eq!((world.state.stage(), world.state.question()), (Stage::Interviewing, Some("A?")));
    world.say("An answer");
    world.reviews(json!({ "passed": true, "field_value": "An answer" }));
    world.asks_for("B?");
    world.say("skip");
    assert_eq!(world.state.gate().unwrap().id, "submit-1");
    assert_ne!(world.state, State::default());
}
