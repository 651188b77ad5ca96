//! What a model is told of what came of its wishes: the reviewer of the change itself, everyone of what a person made of it.

use enza_companion::{
    CheckCommand, Command, Companion, Event, Mode, Note, Pick, Refusal, Scope, Settings, Status, Step,
};
use enza_kernel::application::Application as _;
use enza_kernel::gate::Verdict as Yes;
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use serde_json::{Value, json};

use super::world::{World, plan, verdict};

fn write(path: &str, content: &str) -> Value {
    json!([{ "operation": "write", "path": path, "content": content }])
}

fn answer(world: &mut World, verdict: Yes, note: Option<&str>, picks: Vec<Pick>) {
    let gate = world.gate().expect("a gate").id;
    let note = note.map(str::to_owned);
    world.tell(Command::Answer { gate, verdict, note, scope: Scope::Once, picks, left: Vec::new() }).unwrap();
    world.work();
}

fn lines(world: &World) -> Vec<String> {
    world
        .log
        .iter()
        .filter_map(|entry| Companion::line(entry, &Reader::host(), Lang::En))
        .map(|line| line.text)
        .collect()
}

fn last_line(world: &World) -> String {
    lines(world).pop().unwrap_or_default()
}

fn notes(world: &World) -> Vec<Note> {
    let noted = world.log.iter().filter_map(|entry| match &entry.event {
        Event::Noted { note, .. } => Some(note.clone()),
        _ => None,
    });
    noted.collect()
}

/// DUCK-08, peers rows 22 and 23: whoever reviews sees the change and what the checks printed, not only names of files.
#[test]
fn a_reviewer_is_shown_the_change_and_what_the_checks_printed() {
    let checks =
        vec![CheckCommand { name: "unit tests".to_owned(), command: vec!["make".to_owned(), "test".to_owned()] }];
    let mut world = World::with(Settings { checks, ..Settings::default() });
    world.say("Change it");
    world.decides(json!({ "actions": write("a.txt", "new words\n"), "next_step": "done" }));
    world.answer(Yes::Yes);
    assert_eq!((world.role().as_str(), world.position().0), ("reviewer", Step::Review));
    let told = world.last_told();
    for part in [
        "Changed: a.txt",
        "+new words",
        "check make test (unit tests): it succeeded",
        "out\n",
        "Review what was changed",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

/// DUCK-08: what was not done is told to the reviewer, too.
#[test]
fn a_reviewer_is_told_what_was_not_done() {
    let mut world = World::with(Settings { mode: Mode::AcceptEdits, ..Settings::default() });
    world.say("Change it, but don't touch src/auth");
    let actions = json!([
        { "operation": "write", "path": "a.txt", "content": "new\n" },
        { "operation": "write", "path": "src/auth/b.txt", "content": "new\n" },
    ]);
    world.decides(json!({ "actions": actions, "next_step": "done" }));
    assert_eq!(world.role(), "reviewer");
    assert!(world.last_told().contains("Not done: write src/auth/b.txt"), "{}", world.last_told());
}

/// Section 4, item 2, G28: a person's own wording is what was made, and what the model goes on from.
#[test]
fn a_model_is_told_what_a_person_made_of_its_change() {
    let mut world = World::opened();
    world.say("Change it");
    world.decides(json!({ "actions": write("a.txt", "its words\n"), "next_step": "continue" }));
    let mine = Pick { file: 0, hunks: None, content: Some("my words\n".to_owned()) };
    answer(&mut world, Yes::Yes, None, vec![mine]);
    assert_eq!(world.files["a.txt"], "my words\n");
    let told = world.last_told();
    assert!(told.contains("worded it anew") && told.contains("+my words"), "{told}");

    world.decides(json!({ "actions": write("b.txt", "all of it\n"), "next_step": "continue" }));
    world.answer(Yes::Yes);
    assert!(!world.last_told().contains("worded it anew"), "what was taken whole is known: {}", world.last_told());
}

/// G28: what a person says with a yes is heard as what they say with a no.
#[test]
fn what_is_said_with_a_yes_reaches_the_model() {
    let mut world = World::opened();
    world.say("Change it");
    world.decides(json!({ "actions": write("a.txt", "new\n"), "next_step": "continue" }));
    answer(&mut world, Yes::Yes, Some("and mind the tests"), Vec::new());
    assert_eq!(world.files["a.txt"], "new\n");
    let said = world.request().messages.iter().map(|message| message.text.to_string()).collect::<Vec<_>>().join("\n");
    assert!(said.contains("The person said yes, and this with it: and mind the tests"), "{said}");
}

/// Peers row 1, DUCK-41: a plan that was made while nothing may be changed waits for its acceptance, which says so, and is
/// then carried out, each change asked for.
#[test]
fn an_accepted_plan_is_carried_out() {
    let mut world = World::with(Settings { mode: Mode::Plan, ..Settings::default() });
    assert_eq!(world.tell(Command::Accept), Err(Refusal::NothingToAccept));
    world.say("Add a greeting");
    world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
    world.decides(json!({ "plan": plan() }));
    assert_eq!((world.position(), world.asks().len()), ((Step::Planning, Status::RequiresUserInput), 0));
    assert_eq!(notes(&world).last(), Some(&Note::PlanAwaits));
    assert!(last_line(&world).starts_with("This is the plan. Accept it"), "{}", last_line(&world));
    world.tell(Command::Accept).unwrap();
    assert_eq!((world.state.settings.mode, world.role().as_str()), (Mode::Ask, "executor"));
    world.decides(json!({ "step": "EXECUTION", "actions": write("src/hello.rs", "fn hello() {}\n") }));
    assert!(world.gate().is_some() && !world.files.contains_key("src/hello.rs"), "it is asked for as usual");
    assert_eq!(world.tell(Command::Accept), Err(Refusal::NothingToAccept), "a gate is answered, not accepted");
}

/// DUCK-41: whoever is waited for is told what for, whatever led there.
#[test]
fn whoever_is_waited_for_is_told_what_for() {
    let mut world = World::opened();
    world.say("Change it");
    world.decides(json!({ "actions": write("a.txt", "new\n") }));
    world.answer(Yes::No);
    assert_eq!(world.position().1, Status::RequiresUserInput);

    let mut world = World::opened();
    world.say("Change it");
    world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
    world.decides(json!({ "plan": plan() }));
    for _ in 0..2 {
        world.decides(json!({ "reply": "I go on.", "next_step": "continue", "step": "PLANNING" }));
    }
    assert_eq!((world.position().1, notes(&world).last()), (Status::RequiresUserInput, Some(&Note::Idle)));
    assert!(last_line(&world).contains("Say how to continue"), "{}", last_line(&world));
}

/// DUCK-99: the prompt that the commander names is the one of the next call, also where it wants to look first.
#[test]
fn a_procedure_that_was_chosen_with_a_look_comes_next() {
    let read = json!([{ "operation": "read", "path": "README.md" }]);
    for (pattern, role) in [("base_main", "commander"), ("base_main_specialized", "planner")] {
        let mut world = World::opened();
        world.say("Plan a change of README.md");
        world.decides(json!({ "prompt_pattern": pattern, "actions": read }));
        assert_eq!(world.role(), role, "{pattern}");
        assert!(world.last_told().contains("# Work"), "{}", world.last_told());
        world.decides(json!({ "prompt_pattern": "base_main_specialized", "actions": read }));
        assert_eq!(world.role(), "planner", "a procedure goes on with what it looked at");
    }
}

/// DUCK-78: a move that is refused is recorded, told to the model, and shown to the person with what to do.
#[test]
fn a_refused_move_is_shown() {
    let mut world = World::with(Settings { mode: Mode::AcceptEdits, ..Settings::default() });
    world.say("Change it");
    world.decides(json!({ "actions": write("a.txt", "new\n"), "next_step": "continue" }));
    world.decides(json!({ "reply": "Let me think.", "step": "PLANNING", "next_step": "pending_user" }));
    assert_eq!(world.refused(), ["EXECUTION>PLANNING"]);
    let shown: Vec<String> = lines(&world).into_iter().filter(|line| line.starts_with("PLANNING: ")).collect();
    assert_eq!(shown.len(), 1, "{:?}", lines(&world));
}

/// DUCK-68: a review that sends work back leads to EXECUTION, where the mend may be made unasked.
#[test]
fn a_review_that_asks_for_a_mend_leads_back_to_the_work() {
    let mut world = World::with(Settings { mode: Mode::AcceptEdits, ..Settings::default() });
    world.say("Change it");
    world.decides(json!({ "actions": write("a.txt", "new\n"), "next_step": "done" }));
    let review = json!({ "rating": "poor", "problems": ["b.txt is missing"], "proposals": [], "approval": "mend" });
    world.decides(json!({ "step": "REVIEW", "review": review }));
    assert_eq!(world.role(), "executor");
    assert!(world.last_told().contains("b.txt is missing"), "{}", world.last_told());
    world.decides(json!({ "step": "EXECUTION", "actions": write("b.txt", "new\n"), "next_step": "continue" }));
    assert_eq!(world.moves().last().map(String::as_str), Some("REVIEW>EXECUTION"));
    assert_eq!(world.files["b.txt"], "new\n");
}

/// DUCK-103, DUCK-108, G36: a layer that is too long although everything was left out is told, a procedure's, too.
#[test]
fn a_plan_that_takes_more_room_than_there_is_is_told() {
    let mut world = World::opened();
    world.say("Plan it");
    world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
    let mut long = plan();
    long["steps"] = json!(["Write it ".repeat(1_000)]);
    world.decides(json!({ "plan": long, "next_step": "pending_user" }));
    let told =
        notes(&world).into_iter().any(|note| matches!(note, Note::TooLong { layer, .. } if layer == "specialized"));
    assert!(told, "{:?}", notes(&world));
}

/// DUCK-85, G18: nothing is done upon a no, whatever it is wrapped in; talk is not held up by one that means nothing.
#[test]
fn a_no_blocks_what_would_be_done() {
    for said in [
        "No constraints allow this",
        "no rules permit deleting it",
        "No doubt it violates the goal",
        "none of the constraints allow it",
        "いいえ、目標に反します",
    ] {
        let mut world = World::with(Settings { mode: Mode::AcceptEdits, ..Settings::default() });
        world.say("Change it");
        world.decides(json!({ "constraint_check": said, "actions": write("a.txt", "new\n") }));
        assert!(!world.files.contains_key("a.txt"), "{said}");
        assert_eq!(world.position().1, Status::RequiresUserInput, "{said}");
    }
    let mut world = World::with(Settings { mode: Mode::AcceptEdits, ..Settings::default() });
    world.say("Change it");
    world.reply_text(&verdict(json!({ "goal_consistency": "no", "actions": write("a.txt", "new\n") })).to_string());
    world.work();
    assert!(!world.files.contains_key("a.txt"), "a bare no is sent back before anything is done");
    assert!(world.last_told().contains("goal_consistency"), "{}", world.last_told());
}
