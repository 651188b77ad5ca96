//! The agents, their tools, and the loop: INT-04 to INT-06, INT-54 to INT-66.

use enza_interview::Interview;
use enza_kernel::agent::{AgentApplication, ThreadFailure};
use enza_kernel::application::{Application, Phase};
use enza_kernel::conversation::{Reply, Usage};
use serde_json::json;

use super::world::World;

fn tools(agent: &str) -> Vec<String> {
    Interview::new().agent(agent).tools.iter().map(|tool| tool.name.clone()).collect()
}

/// INT-04.
#[test]
fn the_interviewer_has_ask_and_subtask_and_nothing_else() {
    assert_eq!(tools("interviewer"), ["ask", "subtask"]);
}

/// INT-05.
#[test]
fn the_reviewer_has_review_and_never_speaks_to_the_respondent() {
    assert_eq!(tools("reviewer"), ["review"]);
}

/// INT-44, with what a message is to the field and which other fields it answers.
#[test]
fn the_schema_of_review_names_the_five_keys_of_the_document_and_two_of_ours() {
    let app = Interview::new();
    let parameters = &app.agent("reviewer").tools[0].parameters;
    let keys: Vec<&String> = parameters["properties"].as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["extracted_facts", "feedback", "field_value", "missing_facts", "other_fields", "passed", "stance"]
    );
    assert_eq!(parameters["required"], json!(["passed"]));
}

/// A model that goes on and on is stopped by the schema where that is enforced, and by the rules where it is not.
#[test]
fn a_question_has_an_end() {
    let app = Interview::new();
    let bound = |agent: &str, name: &str| app.agent(agent).tools[0].parameters["properties"][name].clone();
    assert_eq!(bound("interviewer", "question")["maxLength"], json!(400));
    assert_eq!(bound("reviewer", "feedback")["maxLength"], json!(300));
    assert_eq!(bound("reviewer", "missing_facts")["items"]["maxLength"], json!(200));
    let mut world = World::opened();
    world.asks_for(&"and ".repeat(101));
    assert_eq!(world.state.question(), None);
    assert!(world.last_told("interviewer").contains("at most 400 are allowed"), "{}", world.last_told("interviewer"));
}

/// INT-06.
#[test]
fn a_tool_of_another_agent_is_answered_with_an_error_and_changes_nothing() {
    let mut world = World::opened();
    world.calls(&[("review", json!({ "passed": true, "field_value": "x" }))]);
    assert_eq!(world.last_told("interviewer"), "You have no tool named review. Your tools: ask, subtask.");
    assert_eq!(world.state.progress(), (0, 3));
    world.asks_for("What is wrong?");
    world.say("The lift is stuck");
    world.calls(&[("ask", json!({ "question": "And?" }))]);
    assert_eq!(world.state.question(), None);
    assert_eq!(world.last_told("reviewer-1"), "You have no tool named ask. Your tools: review.");
}

/// INT-31, INT-54, INT-56, INT-66.
#[test]
fn a_question_ends_the_loop_and_waits_for_the_respondent() {
    let mut world = World::opened();
    assert_eq!(Interview::standing(&world.state).phase, Phase::Working);
    world.asks_for("What is wrong?");
    assert_eq!(world.state.question(), Some("What is wrong?"));
    assert!(world.asks().is_empty());
    assert_eq!(Interview::standing(&world.state).waiting_for.as_deref(), Some("What is wrong?"));
}

/// INT-55, INT-57: several calls run in order, and nothing after the first question.
#[test]
fn of_two_questions_in_one_reply_only_the_first_is_asked() {
    let mut world = World::opened();
    world.calls(&[("ask", json!({ "question": "First?" })), ("ask", json!({ "question": "Second?" }))]);
    assert_eq!(world.state.question(), Some("First?"));
    assert_eq!(world.last_told("interviewer"), "Not executed: your question to the person comes first.");
}

/// INT-57, INT-58.
#[test]
fn wrong_arguments_go_back_to_the_model_and_the_loop_goes_on() {
    let mut world = World::opened();
    world.calls(&[("ask", json!({ "text": "What?" }))]);
    assert!(world.last_told("interviewer").starts_with("Your output could not be used: "));
    world.calls(&[("ask", json!({ "question": "  " }))]);
    assert!(world.last_told("interviewer").contains("question: note: empty"));
    world.calls(&[("subtask", json!({ "agent": "greeter" }))]);
    assert!(world.last_told("interviewer").contains("unknown variant `greeter`"));
    world.asks_for("What is wrong?");
    assert_eq!(world.state.question(), Some("What is wrong?"));
}

/// INT-59, INT-60, INT-64.
#[test]
fn a_reply_without_a_call_is_reminded_of_what_is_left() {
    let mut world = World::opened();
    world.reply(text("All fields are done, goodbye."));
    assert_eq!(world.last_told("interviewer"), "You still need to: Ask about the current field using ask");
    world.asks_for("What is wrong?");
    world.say("The lift is stuck");
    world.reply(text("Looks good to me."));
    assert_eq!(world.last_told("reviewer-1"), "You still need to: Return the result using review");
}

/// INT-62, INT-63.
#[test]
fn endless_silence_ends_after_ten_rounds_with_a_failure() {
    let mut world = World::opened();
    for _ in 0..10 {
        world.reply(text(""));
    }
    assert!(world.asks().is_empty());
    assert_eq!(world.state.failure(), Some(&ThreadFailure::RoundsExhausted { rounds: 10 }));
    assert_eq!(Interview::standing(&world.state).phase, Phase::Stuck);
}

/// INT-65: usage is summed over all agents.
#[test]
fn usage_is_summed_over_all_agents() {
    let mut world = World::opened();
    world.round("The lift is stuck", json!({ "passed": true, "field_value": "Lift stuck" }));
    assert_eq!(world.state.threads().usage, Usage { input: 20, output: 10, ..Usage::default() });
}

fn text(text: &str) -> Reply {
    Reply { text: text.to_owned(), ..Reply::default() }
}
