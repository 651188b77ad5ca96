//! Tasks from request to acceptance: planned, asked for, done, reviewed; and everything that may come between.

use enza_applications::companion::work::Fault;
use enza_applications::companion::{CheckCommand, Command, Event, Mode, Note, Scope, Settings, Status, Step, When};
use enza_kernel::gate::{Risk, Verdict as Yes};
use serde_json::{Value, json};

use super::world::{World, plan};

fn create(path: &str) -> Value {
    json!([{ "operation": "create", "path": path, "content": "fn hello() {}\n" }])
}

/// Asked, planned, and at the gate with a file to make.
fn at_the_gate() -> World {
    let mut world = World::opened();
    world.say("Add a greeting");
    world.decides(json!({ "prompt_pattern": "base_main_specialized", "state_delta": { "goal": "a greeting" } }));
    world.decides(json!({ "plan": plan() }));
    world.decides(json!({ "step": "EXECUTION", "actions": create("src/hello.rs") }));
    world
}

fn notes(world: &World) -> Vec<Note> {
    let notes = world.log.iter().filter_map(|entry| match &entry.event {
        Event::Noted { note, .. } => Some(note.clone()),
        _ => None,
    });
    notes.filter(|note| *note != Note::PatternMissing).collect()
}

/// DUCK-07, DUCK-62, DUCK-64, DUCK-65, DUCK-70, DUCK-71, DUCK-122, DUCK-126: request, plan, gate, work, review, done.
/// Each move belongs to an utterance of its own (DUCK-76, G11), and nothing is touched before the yes (DUCK-95).
#[test]
fn a_task_goes_from_the_request_to_its_acceptance() {
    let mut world = World::opened();
    assert_eq!(world.position(), (Step::Planning, Status::RequiresUserInput), "G9");
    world.say("Add a greeting");
    assert_eq!(world.role(), "commander");
    world.decides(json!({ "prompt_pattern": "base_main_specialized", "state_delta": { "goal": "a greeting" } }));
    assert_eq!((world.role().as_str(), world.position()), ("planner", (Step::Planning, Status::InProgress)));
    world.decides(json!({ "plan": plan(), "reply": "Here is my plan." }));
    assert_eq!(world.role(), "executor");
    world.decides(json!({ "step": "EXECUTION", "actions": create("src/hello.rs") }));
    assert_eq!(world.position(), (Step::AwaitingApproval, Status::RequiresUserInput));
    assert!(world.state.front().unwrap().mind.pending_gate, "G29");
    let gate = world.gate().unwrap();
    assert_eq!((gate.risk, gate.ask.intent.as_str()), (Risk::Low, "Create: src/hello.rs"));
    assert_eq!(gate.ask.diff.as_deref(), Some("+fn hello() {}\n"), "DUCK-87");
    assert_eq!(gate.ask.impact, "src/hello.rs +1 -0");
    assert!(!world.files.contains_key("src/hello.rs"), "nothing before the yes");
    world.answer(Yes::Yes);
    assert_eq!(world.files["src/hello.rs"], "fn hello() {}\n");
    assert_eq!((world.role().as_str(), world.position().0), ("executor", Step::Execution));
    world.decides(json!({ "step": "EXECUTION", "next_step": "done", "reply": "It is done." }));
    assert_eq!((world.role().as_str(), world.position().0), ("reviewer", Step::Review));
    let review = json!({ "rating": "good", "problems": [], "proposals": [], "approval": "approved" });
    world.decides(json!({ "step": "REVIEW", "review": review }));
    assert_eq!(world.position(), (Step::Review, Status::RequiresUserInput), "G13: the person accepts");
    world.tell(Command::Accept).unwrap();
    assert_eq!(world.position(), (Step::Planning, Status::Success));
    assert_eq!(
        world.moves(),
        ["PLANNING>AWAITING_APPROVAL", "AWAITING_APPROVAL>EXECUTION", "EXECUTION>REVIEW", "REVIEW>DONE"]
    );
    assert_eq!(world.refused(), Vec::<String>::new());
    assert_eq!(world.state.memory.total_files, 1);
}

/// DUCK-72, G28: a no changes nothing, leads back to planning, and the model hears the reason.
#[test]
fn a_refused_gate_leaves_everything_as_it_was() {
    let mut world = at_the_gate();
    let before = world.files.clone();
    let gate = world.gate().unwrap().id;
    let note = Some("use lib.rs instead".to_owned());
    let no = Command::Answer { gate, verdict: Yes::No, note, scope: Scope::Once, picks: Vec::new() };
    world.tell(no.clone()).unwrap();
    assert_eq!((world.files.clone(), world.position().0), (before, Step::Planning));
    assert!(world.last_told().contains("use lib.rs instead"));
    assert_eq!(world.role(), "executor", "it may try another way");
    assert!(world.tell(no).is_err(), "one answer for one gate");
}

/// G30: only a plain yes or no is one; anything else said meanwhile is talk and leaves the gate open (G28).
#[test]
fn talk_at_a_gate_is_answered_and_leaves_it_open() {
    let mut world = at_the_gate();
    let gate = world.gate();
    world.say("What does hello() return?");
    assert_eq!((world.role().as_str(), world.gate()), ("commander", gate.clone()));
    let actions = create("src/other.rs");
    world.decides(json!({ "reply": "Nothing.", "next_step": "done", "actions": actions }));
    assert_eq!(world.gate(), gate, "what is asked aside changes nothing");
    assert!(!world.files.contains_key("src/other.rs"));
    world.decides(json!({ "reply": "Nothing.", "next_step": "done" }));
    assert_eq!(world.state.desks.len(), 1, "and its place is free again");
    world.say("はい");
    world.work();
    assert!(world.files.contains_key("src/hello.rs"));
}

/// A model's words are never consent: there is no command by which it could give it.
#[test]
fn what_a_model_says_is_no_consent() {
    let mut world = at_the_gate();
    assert!(world.asks().is_empty() && world.runs().is_empty(), "everything waits for the person");
    assert!(!world.files.contains_key("src/hello.rs"));
    world.work();
    assert!(!world.files.contains_key("src/hello.rs"));
}

/// G28: a file that changed after it was shown is not written over; the model hears of it.
#[test]
fn a_file_that_changed_since_is_left_alone() {
    let mut world = at_the_gate();
    world.files.insert("src/hello.rs".to_owned(), "mine\n".to_owned());
    world.answer(Yes::Yes);
    assert_eq!(world.files["src/hello.rs"], "mine\n");
    assert!(notes(&world).contains(&Note::ChangedSince { path: "src/hello.rs".to_owned() }));
    assert!(world.last_told().contains("src/hello.rs"));
}

/// DUCK-67, DUCK-74, DUCK-75, G5, G14: a failure leads back to planning by itself, three times, and then to the person.
#[test]
fn failures_lead_back_to_planning_and_then_to_the_person() {
    let checks = vec![CheckCommand { name: "test".to_owned(), command: vec!["cargo".to_owned(), "test".to_owned()] }];
    let mut world = World::with(Settings { checks, mode: Mode::AcceptEdits, ..Settings::default() });
    world.statuses = vec![1; 10];
    world.say("Add a greeting");
    let attempt = |number: u32| json!([{ "operation": "write", "path": "a.rs", "content": format!("{number}\n") }]);
    for number in 0..4 {
        let pattern = if number == 0 { "base_main" } else { "base_main_specialized" };
        world.decides(json!({ "prompt_pattern": pattern, "step": "EXECUTION", "actions": attempt(number) }));
    }
    assert_eq!(world.state.front().unwrap().task.as_ref().unwrap().recoveries, 3);
    assert_eq!(world.position(), (Step::Planning, Status::RequiresUserInput));
    assert!(matches!(notes(&world).last(), Some(Note::GivenUp { .. })));
    assert_eq!(world.ran.len(), 4, "the checks ran after every change");
    assert!(world.moves().contains(&"EXECUTION>PLANNING".to_owned()));
    world.say("Try something else");
    assert_eq!(world.asks().len(), 1, "a word of the person goes on");
}

/// DUCK-73, DUCK-78, G16: what the table forbids is refused, recorded and told; the step stays.
#[test]
fn a_step_that_the_table_forbids_is_refused() {
    let mut world = World::opened();
    world.say("Hello");
    world.decides(json!({ "step": "REVIEW", "reply": "Hello!", "next_step": "done" }));
    assert_eq!(world.refused(), Vec::<String>::new(), "PLANNING to REVIEW is in the table");
    let mut world = at_the_gate();
    world.answer(Yes::Yes);
    world.decides(json!({ "step": "PLANNING", "reply": "Back to planning.", "next_step": "pending_user" }));
    assert_eq!(world.refused(), ["EXECUTION>PLANNING"], "DUCK-67: only where something failed");
    assert_eq!(world.position().0, Step::Execution);
}

/// DUCK-85, G18: a model that says no to itself changes nothing, and puts one question.
#[test]
fn a_doubt_of_its_own_stops_every_side_effect() {
    let mut world = World::opened();
    world.say("Delete everything");
    let actions = json!([{ "operation": "delete", "path": "README.md" }]);
    world.decides(json!({ "constraint_check": "no: it would destroy the work", "actions": actions }));
    assert!(world.files.contains_key("README.md") && world.gate().is_none());
    assert_eq!(world.position().1, Status::RequiresUserInput);
    assert_eq!(world.state.front().unwrap().mind.open_questions.len(), 1);
}

/// Peers (d) 3: what a person forbade is a fact. No gate can lift it, and it stays after everything else is forgotten.
#[test]
fn what_a_person_forbade_is_denied_before_anybody_is_asked() {
    let mut world = World::opened();
    world.say("Add a greeting, but don't touch src/auth");
    world.decides(json!({ "actions": create("src/auth/hello.rs") }));
    assert!(world.gate().is_none() && !world.files.contains_key("src/auth/hello.rs"));
    assert!(world.last_told().contains("src/auth"));
    world.decides(json!({ "reply": "I will leave it.", "next_step": "pending_user" }));
    world.tell(Command::Compact).unwrap();
    world.say("Go on");
    assert!(world.request().to_plain_text().contains("don't touch src/auth"));
    world.tell(Command::Lift { place: 0 }).unwrap();
    world.decides(json!({ "actions": create("src/auth/hello.rs") }));
    assert!(world.gate().is_some(), "lifted by the person, it is asked for");
}

/// Peers, row 1: nothing is changed in plan mode, and the plan is there.
#[test]
fn plan_mode_looks_and_plans_and_changes_nothing() {
    let mut world = World::with(Settings { mode: Mode::Plan, ..Settings::default() });
    world.say("Add a greeting");
    world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
    world.decides(json!({ "actions": [{ "operation": "read", "path": "README.md" }] }));
    assert!(world.last_told().contains("# Work"));
    world.decides(json!({ "plan": plan() }));
    assert_eq!(world.position(), (Step::Planning, Status::RequiresUserInput));
    world.say("Do it");
    world.decides(json!({ "actions": create("src/hello.rs") }));
    assert!(world.gate().is_none() && !world.files.contains_key("src/hello.rs"));
}

/// Peers, row 18: in turn, now and aside are three different things.
#[test]
fn what_is_said_while_work_runs_waits_interrupts_or_stands_aside() {
    let mut world = World::opened();
    world.say("Explain the readme");
    world.say("And then the tests");
    assert_eq!((world.state.queue.len(), world.asks().len()), (1, 1), "in turn: it waits");
    world.say_when("What time is it?", When::Aside).unwrap();
    assert_eq!(world.asks().len(), 2, "aside: both are answered");
    let before = world.asks()[0].key;
    world.say_when("No, explain the licence", When::Now).unwrap();
    assert_ne!(world.asks()[0].key, before, "now: the call under way is given up");
    world.decides(json!({ "reply": "It is MIT.", "next_step": "done" }));
    assert_eq!((world.state.queue.len(), world.state.front().unwrap().said.as_str()), (0, "And then the tests"));
}

/// Peers, row 19: a task goes on in the background while the person talks, and can be stopped by its number.
#[test]
fn a_task_goes_on_behind_while_the_talk_goes_on() {
    let mut world = World::opened();
    world.say("Add a greeting");
    world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
    world.tell(Command::Background).unwrap();
    world.say("Meanwhile: what is this?");
    assert_eq!(world.asks().len(), 2);
    assert_eq!(world.state.desks.iter().map(|desk| desk.id).collect::<Vec<_>>(), [1, 2]);
    world.tell(Command::Stop { task: Some(1) }).unwrap();
    assert_eq!(world.asks().len(), 1);
    assert_eq!(world.state.desks.iter().map(|desk| desk.id).collect::<Vec<_>>(), [2], "its place is free");
}

/// Peers, row 17: the same wish three times is a circle, and it really stops.
#[test]
fn going_in_circles_is_stopped() {
    let mut world = World::opened();
    world.say("Add a greeting");
    world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
    for _ in 0..3 {
        world.decides(json!({ "actions": [{ "operation": "read", "path": "missing.rs" }] }));
    }
    assert_eq!(notes(&world).last(), Some(&Note::Loop));
    assert!(world.asks().is_empty());
    assert_eq!(world.position().1, Status::RequiresUserInput);
}

/// Section 4, 1: a turn is taken back, and what a person changed since is left alone (peers, rows 10 and 11).
#[test]
fn a_turn_is_taken_back_without_touching_what_the_person_changed() {
    let mut world = World::with(Settings { mode: Mode::AcceptEdits, ..Settings::default() });
    world.say("Two files");
    let write = |path: &str| json!({ "operation": "write", "path": path, "content": "new\n" });
    world.decides(json!({ "actions": [write("README.md"), write("b.txt")], "step": "EXECUTION" }));
    world.decides(json!({ "reply": "Done.", "next_step": "pending_user", "step": "EXECUTION" }));
    world.files.insert("b.txt".to_owned(), "by hand\n".to_owned());
    world.tell(Command::TakeBack { turn: 1 }).unwrap();
    world.work();
    assert_eq!((world.files["README.md"].as_str(), world.files["b.txt"].as_str()), ("# Work\n", "by hand\n"));
    assert!(world.state.turns.is_empty());
}

/// DUCK-84, G20: what cannot be read is asked for again, and then fails visibly; nothing is made up.
#[test]
fn nonsense_is_asked_again_and_then_fails_visibly() {
    let mut world = World::opened();
    world.say("Hello");
    for _ in 0..3 {
        world.reply_text("I am sorry, I cannot answer in JSON.");
    }
    assert!(world.asks().is_empty());
    assert_eq!(world.position().1, Status::Error);
    assert!(matches!(notes(&world).last(), Some(Note::NoModel { .. })));
    world.tell(Command::Retry).unwrap();
    world.reply_text("```json\n{\"rationale\":\"r\",\"goal_consistency\":\"yes\",\"constraint_check\":\"yes\",\"next_step\":\"done\",\"step\":\"PLANNING\",\"reply\":\"Hello!\"}\n```");
    assert_eq!(world.position().1, Status::Success, "G2: without a pattern it is base_main");
}

/// DUCK-81, G15: there is always a way out, and it loses nothing.
#[test]
fn reset_is_a_way_out_of_everything() {
    let mut world = at_the_gate();
    world.tell(Command::Reset).unwrap();
    assert_eq!((world.position(), world.gate()), ((Step::Planning, Status::RequiresUserInput), None));
    assert!(world.asks().is_empty() && world.runs().is_empty());
    world.say("Hello");
    assert_eq!(world.role(), "commander");
}

/// A change that cannot be prepared goes back to the model with the reason.
#[test]
fn a_missing_file_is_told_to_the_model() {
    let mut world = World::opened();
    world.say("Read it");
    world.decides(json!({ "actions": [{ "operation": "read", "path": "nowhere.md" }] }));
    let said = Fault::Missing { path: "nowhere.md".to_owned() }.say(enza_kernel::text::Lang::En);
    assert!(world.last_told().contains(&said.message));
}
