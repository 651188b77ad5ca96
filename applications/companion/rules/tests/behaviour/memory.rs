//! What is remembered: constraints, what waits for its turn in a prompt, and what a shortened thread keeps.

use enza_companion::{Command, Event, Note, Refusal, Settings, When};
use enza_kernel::agent::{Step, ThreadEvent};
use enza_kernel::gate::Verdict as Yes;
use serde_json::json;

use super::world::World;

fn part(world: &World, name: &str) -> String {
    let request = world.request();
    let parts = request.stable.iter().chain(&request.fresh);
    parts.filter(|part| part.name == name).map(|part| part.text.to_string()).collect()
}

/// What was forbidden is in every prompt, however much it is and whatever was compacted; what no longer fits is
/// refused, and pushes nothing out.
#[test]
fn what_was_forbidden_is_never_left_out() {
    let mut world = World::opened();
    let rule = |number: usize| format!("rule {number} {}", "x".repeat(200));
    let mut kept = 0;
    while world.tell(Command::Forbid { text: rule(kept) }).is_ok() {
        kept += 1;
    }
    assert_eq!(world.tell(Command::Forbid { text: rule(kept) }), Err(Refusal::TooMuchForbidden));
    world.say(&format!("Hello. Do not change src/{}.rs", "y".repeat(200)));
    let told = part(&world, "forbidden");
    assert!((0..kept).all(|number| told.contains(&rule(number))), "{kept} of them");
    let is_not_kept = |entry: &&Event| matches!(entry, Event::Noted { note: Note::NotKept { .. }, .. });
    assert_eq!(world.log.iter().map(|entry| &entry.event).filter(is_not_kept).count(), 1);
}

/// DUCK-106, G37: evidence goes first, the oldest before the newer; words stay, and so does what was just read.
#[test]
fn a_long_talk_loses_its_evidence_before_its_words() {
    let mut world = World::with(Settings { window: 4_000, ..Settings::default() });
    for number in 0..3 {
        world.files.insert(format!("{number}.txt"), format!("line of {number}\n").repeat(600));
    }
    world.say("Read them. The code word is heron.");
    for number in 0..3 {
        world.decides(json!({ "actions": [{ "operation": "read", "path": format!("{number}.txt") }] }));
    }
    let said = world.request().to_plain_text();
    assert!(said.contains("heron") && said.contains("line of 2"), "{said}");
    assert!(!said.contains("line of 0") && said.contains("lines left out]"), "{said}");
    let is_lightened =
        |event: &Event| matches!(event, Event::Stepped(Step { what: ThreadEvent::Lightened { .. }, .. }));
    assert!(world.log.iter().any(|entry| is_lightened(&entry.event)));
}

/// DUCK-01, G38: a talk of code is not carried in summaries of a hundred characters.
#[test]
fn talk_at_another_place_knows_what_was_said_at_length() {
    let mut world = World::opened();
    let code = format!("fn area(width: u32) -> u32 {{\n{}    width * 2\n}}", "    // a line of it\n".repeat(20));
    world.say(&format!("This is my function:\n{code}"));
    world.decides(json!({ "reply": format!("I see:\n{code}\nIt doubles."), "next_step": "done" }));
    for number in 0..4 {
        world.say(&format!("Question {number}"));
        world.decides(json!({ "reply": format!("Answer {number}."), "next_step": "done" }));
    }
    world.say_when("What did my function return?", When::Aside).unwrap();
    let ask = world.asks().pop().expect("the call of the question aside");
    let said = enza_kernel::application::Application::request(&world.app, &world.state, &ask).to_plain_text();
    assert!(said.contains("    width * 2\n}"), "{said}");
    assert!(said.contains("Question 0 → Answer 0.") && said.contains("Question 3 → Answer 3."), "{said}");
}

/// DUCK-01, DUCK-06, DUCK-48, G38: talk that goes on beside a task knows what was said and what goes on.
#[test]
fn talk_beside_a_task_knows_what_was_said_and_what_goes_on() {
    let mut world = World::opened();
    world.say("My name is Ada");
    world.decides(json!({ "reply": "Hello Ada.", "next_step": "done" }));
    world.say("Rewrite the parser");
    world.decides(json!({ "prompt_pattern": "base_main_specialized", "state_delta": { "goal": "a new parser" } }));
    world.tell(Command::Background).unwrap();
    world.say("What is my name?");
    let ask = world.asks().into_iter().find(|ask| ask.thread == "desk-2").expect("the talk's own call");
    let said = enza_kernel::application::Application::request(&world.app, &world.state, &ask).to_plain_text();
    assert!(said.contains("My name is Ada") && said.contains("Hello Ada."), "{said}");
    assert!(said.contains("- a new parser: PLANNING / IN_PROGRESS"), "{said}");
}

/// Peers, row 20: a task that is compacted keeps its own goal, whatever is in front.
#[test]
fn a_task_in_the_background_is_summed_up_by_its_own_goal() {
    let mut world = World::opened();
    world.say("Rewrite the parser");
    world.decides(json!({ "prompt_pattern": "base_main_specialized", "state_delta": { "goal": "a new parser" } }));
    world.tell(Command::Background).unwrap();
    let company = |thread: &str| enza_kernel::agent::AgentApplication::summary(&world.app, &world.state, thread);
    assert!(company("desk-1").contains("Goal: a new parser"));
    assert!(!company("desk-2").contains("a new parser"));
}

/// G44, DUCK-92: whoever talks at a gate talks about what is asked there, and leaves it open.
#[test]
fn talk_at_a_gate_knows_what_is_asked() {
    let mut world = World::opened();
    world.say("Greet");
    world.decides(json!({ "actions": [{ "operation": "write", "path": "hello.txt", "content": "Good day\n" }] }));
    assert!(world.gate().is_some());
    world.say("What exactly would you write?");
    let said = world.request().to_plain_text();
    assert!(said.contains("hello.txt") && said.contains("+Good day"), "{said}");
    assert!(world.gate().is_some());
}

/// What was taken back, stopped or refused is told to the model before it goes on.
#[test]
fn a_model_learns_that_changes_were_taken_back_and_work_was_stopped() {
    let mut world = World::opened();
    let write = json!({ "operation": "write", "path": "a.txt", "content": "a\n" });
    world.say("Write");
    world.decides(json!({ "actions": [write] }));
    world.say_when("No, wait", When::Now).unwrap();
    assert!(world.last_told().contains("were not done"), "{}", world.last_told());
    world.decides(json!({ "reply": "I wait.", "next_step": "pending_user" }));

    world.say("Now write");
    world.decides(json!({ "actions": [write], "next_step": "done" }));
    world.answer(Yes::Yes);
    world.decides(json!({ "step": "REVIEW", "reply": "Done.", "next_step": "pending_user" }));
    let turn = world.state.turn;
    world.tell(Command::TakeBack { turn }).unwrap();
    world.work();
    assert!(world.last_told().contains("as they were before: a.txt"), "{}", world.last_told());
}

/// Peers, row 10: a change belongs to the turn in which it was asked for, not to a question asked meanwhile.
#[test]
fn a_change_belongs_to_its_own_turn() {
    let mut world = World::opened();
    world.say("Write");
    world.decides(
        json!({ "actions": [{ "operation": "write", "path": "a.txt", "content": "a\n" }], "next_step": "done" }),
    );
    world.say_when("By the way, what is this?", When::Aside).unwrap();
    world.answer(Yes::Yes);
    let changes: Vec<(u32, usize)> = world.state.turns.iter().map(|turn| (turn.number, turn.changes.len())).collect();
    assert_eq!(changes, [(1, 1), (2, 0)]);
}
