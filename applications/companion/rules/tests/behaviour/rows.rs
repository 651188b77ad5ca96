//! Rows of the requirements that no longer story comes by: each is tried by itself.

use enza_companion::{Command, Delta, Event, Mismatch, Mode, Note, Rule, Ruling, Settings, Status, Step, When};
use enza_kernel::conversation::Role;
use enza_kernel::gate::Verdict as Yes;
use enza_kernel::time::Timestamp;
use serde_json::{Value, json};

use super::world::{World, plan, verdict};

fn write(path: &str) -> Value {
    json!({ "operation": "write", "path": path, "content": "new\n" })
}

fn allowing() -> Settings {
    let rule = Rule { verdict: Ruling::Allow, operation: "change".to_owned(), pattern: String::new() };
    Settings { rules: vec![rule], ..Settings::default() }
}

fn notes(world: &World) -> Vec<&Note> {
    let noted = world.log.iter().filter_map(|entry| match &entry.event {
        Event::Noted { note, .. } => Some(note),
        _ => None,
    });
    noted.collect()
}

/// In review after an allowed change, with the one move of that utterance made.
fn in_review() -> World {
    let mut world = World::with(allowing());
    world.say("Change it");
    world.decides(json!({ "actions": [write("a.txt")], "next_step": "done" }));
    assert_eq!(world.position().0, Step::Review);
    world
}

/// DUCK-77, G10: a counter that no utterance has released for 60 seconds is released by itself, and no sooner.
#[test]
fn a_stuck_counter_is_released_after_sixty_seconds() {
    for (seconds, expected) in [(59, (0, 1)), (60, (1, 0))] {
        let mut world = in_review();
        world.time = Timestamp(world.time.0 + seconds * 1_000);
        world.decides(json!({ "step": "EXECUTION", "actions": [write("b.txt")], "next_step": "continue" }));
        let was_moved = world.moves().iter().filter(|one| *one == "REVIEW>EXECUTION").count();
        let was_refused = world.refused().iter().filter(|one| *one == "REVIEW>EXECUTION").count();
        assert_eq!((was_moved, was_refused), expected, "after {seconds} seconds");
    }
}

/// DUCK-02: no operation without a reason; one that gives none has the reply's, and a reply without one is sent back.
#[test]
fn every_operation_has_a_reason() {
    let mut world = World::opened();
    world.say("Change it");
    world.decides(json!({ "rationale": "to try it", "actions": [write("a.txt")] }));
    assert_eq!(world.gate().unwrap().ask.grounds, "to try it");
    let mut world = World::opened();
    world.say("Change it");
    world.decides(json!({ "rationale": " ", "actions": [write("a.txt")] }));
    assert_eq!((world.gate(), world.asks().len()), (None, 1), "it is asked again");
}

/// DUCK-60, G43: the five items are held against each other after every change, and what does not go together is told.
#[test]
fn what_does_not_go_together_in_mind_is_told() {
    let mut world = World::opened();
    world.say("Go");
    world.decides(json!({ "reply": "Yes.", "next_step": "done", "state_delta": { "plan_brief": ["edit auth/a.rs"], "constraints": ["do not touch auth"] } }));
    let found: Vec<Mismatch> = notes(&world)
        .into_iter()
        .filter_map(|note| if let Note::Mismatch(one) = note { Some(*one) } else { None })
        .collect();
    assert_eq!(found, [Mismatch::PlanWithoutGoal, Mismatch::MoveAgainstConstraint]);
}

/// DUCK-50 to DUCK-57, DUCK-59, G40, G42: limits of every field, at the moment of the change.
#[test]
fn every_field_keeps_its_limit() {
    let mut world = World::opened();
    let long = "x".repeat(300);
    world.say("Go");
    world.decides(json!({ "reply": "Yes.", "next_step": "done", "state_delta": {
        "goal": long, "why_now": long, "last_delta": long, "constraints": ["a", "b", "c"], "plan_brief": ["1", "2", "3", "4"],
        "open_questions": ["p", "q", "r"], "context_refs": ["file:a.rs"], "decision_log": ["first", "second"],
    } }));
    let mind = &world.state.front().unwrap().mind;
    assert_eq!([&mind.goal, &mind.why_now, &mind.last_delta].map(|line| line.chars().count()), [200; 3]);
    assert_eq!(
        (&mind.constraints[..], &mind.plan_brief[..]),
        (&["b", "c"].map(str::to_owned)[..], &["1", "2", "3"].map(str::to_owned)[..])
    );
    assert_eq!(mind.open_questions, ["q", "r"]);
    assert_eq!(
        (&mind.context_refs[..], &mind.decision_log[..]),
        (&["file:a.rs".to_owned()][..], &["first", "second"].map(str::to_owned)[..])
    );
    assert!(!mind.pending_gate, "DUCK-56");
    let too_long = Delta { goal: Some("x".repeat(201)), ..Delta::default() };
    assert!(world.tell(Command::Mind(too_long)).is_err(), "what a person supplies is refused, not cut");
}

/// DUCK-56, DUCK-66, G29: a gate out of EXECUTION; pending and the step go together.
#[test]
fn a_gate_out_of_execution_is_pending_exactly_while_it_is_open() {
    let mut world = World::opened();
    world.say("Change two");
    world.decides(json!({ "actions": [write("a.txt")], "next_step": "continue" }));
    world.answer(Yes::Yes);
    world.decides(json!({ "step": "EXECUTION", "actions": [write("b.txt")], "next_step": "done" }));
    assert_eq!(world.moves().last().unwrap(), "EXECUTION>AWAITING_APPROVAL");
    assert!(world.state.front().unwrap().mind.pending_gate);
    world.answer(Yes::Yes);
    assert!(!world.state.front().unwrap().mind.pending_gate);
}

/// DUCK-04, DUCK-39: the status changes within a step.
#[test]
fn step_and_status_change_apart() {
    let mut world = World::opened();
    world.say("Hello");
    assert_eq!(world.position(), (Step::Planning, Status::InProgress));
    world.decides(json!({ "reply": "Hello.", "next_step": "done" }));
    assert_eq!(world.position(), (Step::Planning, Status::Success));
    let world = in_review();
    assert_eq!(world.position(), (Step::Review, Status::InProgress));
}

/// DUCK-43 to DUCK-46, DUCK-48, G53: talk and a task have one owner; what the task did is known when the next word is heard.
#[test]
fn talk_goes_on_beside_a_task_and_knows_how_it_ended() {
    let mut world = World::with(allowing());
    world.say("Long work");
    world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
    world.tell(Command::Background).unwrap();
    world.say("How are you?");
    assert_eq!(world.asks().len(), 2, "both are worked on");
    let behind = world.state.desks[0].id;
    world.decides(json!({ "plan": plan() }));
    let told = world.state.task(behind).map(|task| task.task.as_ref().is_some_and(|work| work.plan.is_some()));
    assert_eq!(told, Some(true), "the one state has it");
}

/// DUCK-28, DUCK-29, DUCK-35, DUCK-123, DUCK-124, G46: one way to a plan; its steps become specs under its name, and a plan
/// that cannot be measured or carried out is sent back.
#[test]
fn a_plan_has_specs_and_one_without_steps_or_measure_is_sent_back() {
    for lacking in [
        json!({ "steps": [] }),
        json!({ "steps": ["Write it", " "] }),
        json!({ "success": " " }),
        json!({ "name": "" }),
        json!({ "purpose": "" }),
        json!({ "risk": "" }),
        json!({ "risk": "who knows" }),
    ] {
        let mut world = World::opened();
        world.say("Plan it");
        world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
        let mut plan = plan();
        plan.as_object_mut().unwrap().extend(lacking.as_object().unwrap().clone());
        world.decides(json!({ "plan": plan }));
        assert_eq!((world.asks().len(), world.role().as_str()), (1, "planner"), "{plan}");
    }
    let mut world = World::opened();
    world.say("Plan it");
    world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
    world.decides(json!({ "plan": plan(), "next_step": "pending_user" }));
    let work = world.state.front().unwrap().task.as_ref().unwrap();
    let spec = &work.specs[0];
    assert_eq!((spec.kind.as_str(), spec.path.as_deref(), spec.optional), ("implement", Some("src/hello.rs"), false));
    assert_eq!(work.plan.as_ref().unwrap().0, "20261116_001");
    world.say("Plan it anew");
    world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
    world.decides(json!({ "plan": plan(), "next_step": "pending_user" }));
    let work = world.state.front().unwrap().task.as_ref().unwrap();
    assert_eq!(work.plan.as_ref().unwrap().0, "20261116_002", "each plan has a name of its own");
}

/// DUCK-82, G1: what models leave out where they may is demanded by the schema, and forgiven where one of the two is there.
#[test]
fn the_schema_demands_a_reply_and_actions() {
    let world = {
        let mut world = World::opened();
        world.say("Go");
        world
    };
    let output = world.request().output.expect("a schema");
    let required: Vec<&str> = output["required"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert!(
        required.contains(&"reply") && required.contains(&"actions") && required.contains(&"rationale"),
        "{required:?}"
    );
}

/// DUCK-83: each of the fields that every answer must have is missed.
#[test]
fn a_field_that_is_missing_is_named() {
    for missing in ["rationale", "goal_consistency", "constraint_check", "next_step", "step"] {
        let mut world = World::opened();
        world.say("Go");
        let mut lacking = verdict(json!({ "reply": "Yes." }));
        lacking.as_object_mut().unwrap().remove(missing);
        world.reply_text(&lacking.to_string());
        assert!(world.last_told().contains(missing), "{missing}: {}", world.last_told());
    }
}

/// DUCK-82, DUCK-83: a word that is none, a wrong type: each is sent back with its name.
#[test]
fn what_does_not_fit_the_schema_is_sent_back_by_name() {
    for (wrong, named) in [
        (json!({ "next_step": "soon" }), "next_step"),
        (json!({ "step": "DREAMING" }), "step"),
        (json!({ "goal_consistency": 7 }), "goal_consistency"),
        (json!({ "actions": [{ "operation": "edit", "path": "a" }] }), "actions[0]"),
    ] {
        let mut world = World::opened();
        world.say("Go");
        world.decides(wrong.clone());
        assert!(world.last_told().contains(named), "{wrong}: {}", world.last_told());
    }
}

/// DUCK-11, DUCK-100, DUCK-102, DUCK-05, G45: light talk is one call, whatever words it has; only the model's own choice leads further.
#[test]
fn a_request_is_routed_by_the_model_and_not_by_its_words() {
    let mut world = World::opened();
    world.say("実装プランを提案して");
    world.decides(json!({ "reply": "こうします。", "next_step": "done" }));
    assert_eq!((world.asks().len(), world.position().1), (0, Status::Success));
}

/// DUCK-80: the history of moves is bounded.
#[test]
fn the_history_of_moves_is_bounded() {
    let mut world = World::opened();
    for _ in 0..110 {
        world.say("Go");
        world.decides(json!({ "step": "REVIEW", "reply": "x", "next_step": "done" }));
        world.say("Go");
        world.decides(json!({ "actions": [write("a.txt")] }));
        world.answer(Yes::No);
    }
    assert_eq!(world.state.moves.len(), 200);
}

/// A budget that ends in the middle of a task leaves the tree consistent, and more can be allowed.
#[test]
fn a_budget_that_ends_in_the_middle_leaves_a_whole_tree() {
    let mut world = World::with(Settings { budget: Some(30_000), ..allowing() });
    world.say("Change a lot");
    let mut made = 0;
    for number in 0..2_000 {
        if world.asks().is_empty() {
            break;
        }
        let path = format!("f{number}.txt");
        world.decides(json!({ "step": "EXECUTION", "actions": [write(&path), write(&format!("g{number}.txt"))], "next_step": "continue" }));
        made = number + 1;
        if world.asks().is_empty() && world.position().1 == Status::RequiresUserInput {
            world.say_when("go on", When::Turn).unwrap();
        }
    }
    let failure = world.state.front().and_then(|task| world.state.failure(task));
    assert!(
        matches!(failure, Some(enza_kernel::agent::ThreadFailure::BudgetExhausted { .. })),
        "{failure:?} after {made}"
    );
    assert_eq!(world.runs(), [], "nothing is left in the middle");
    for number in 0..made {
        let both =
            (world.files.contains_key(&format!("f{number}.txt")), world.files.contains_key(&format!("g{number}.txt")));
        assert!(both.0 == both.1, "all of a reply or nothing: {number}");
    }
    world.tell(Command::RaiseBudget { tokens: 1_000_000 }).unwrap();
    assert_eq!(world.asks().len(), 1, "it goes on");
}

/// DUCK-20, DUCK-23 to DUCK-25: the situation is written anew for each call, and the form of the answer is in it.
#[test]
fn the_main_prompt_is_rebuilt_for_each_call() {
    let mut world = World::opened();
    world.say("Go");
    let first = world.request().to_plain_text();
    assert!(first.contains("Step: PLANNING") && first.contains("\"next_step\""), "{first}");
    world.decides(json!({ "reply": "x", "next_step": "done", "state_delta": { "goal": "a new goal" } }));
    world.say("On");
    let request = world.request();
    assert!(request.to_plain_text().contains("Goal: a new goal"));
    assert!(
        request.messages.iter().filter(|one| one.role == Role::Person).count() == 2,
        "DUCK-01, DUCK-128: the talk goes with it"
    );
}

/// DUCK-10, DUCK-113, DUCK-125, DUCK-126: looking is free in every mode, and it is the same way for every request.
#[test]
fn looking_is_free_even_where_nothing_may_change() {
    let mut world = World::with(Settings { mode: Mode::Plan, ..Settings::default() });
    world.say("What is in README.md?");
    world.decides(json!({ "actions": [{ "operation": "read", "path": "README.md" }] }));
    assert!(world.last_told().contains("# Work"), "{}", world.last_told());
    assert_eq!(world.moves(), Vec::<String>::new());
}

/// G18, G20: small models write "no" for "nothing wrong". A no that gives no reason is sent back where there is something to
/// say no to, and means nothing where there is not; one with a reason counts.
#[test]
fn a_no_without_a_reason_is_sent_back_and_not_taken_for_a_doubt() {
    for bare in ["no", "No.", "いいえ"] {
        let mut world = World::opened();
        world.say("Explain README.md");
        world.decides(
            json!({ "constraint_check": bare, "goal_consistency": bare, "reply": "A title.", "next_step": "done" }),
        );
        assert_eq!(world.position().1, Status::Success, "{bare}: there is neither a goal nor a constraint");

        world.say("Explain README.md again, and don't touch src/auth");
        world.reply_text(&verdict(json!({ "constraint_check": bare, "reply": "It is a title." })).to_string());
        assert!(format!("{:?}", world.request().messages).contains("if nothing speaks against it"), "{bare}");
        world.decides(json!({ "constraint_check": "yes", "reply": "It is a title.", "next_step": "done" }));
        assert_eq!(world.position().1, Status::Success);
    }
}

/// DUCK-87, G46: what cannot be worked out cannot be shown, so nobody is asked about it; the model is told instead.
#[test]
fn a_change_that_cannot_be_worked_out_is_told_to_the_model_and_never_asked_for() {
    let mut world = World::opened();
    world.say("Make a readme");
    let created = json!([{ "operation": "create", "path": "README.md", "content": "mine\n" }]);
    world.decides(json!({ "actions": created, "next_step": "done" }));
    assert_eq!((world.gate(), world.files["README.md"].as_str()), (None, "# Work\n"));
    assert!(world.last_told().contains("README.md is there already"), "{}", world.last_told());
}
