//! Tasks from request to acceptance: planned, asked for, done, reviewed; and everything that may come between.

use enza_companion::{
    CheckCommand, Command, Companion, Event, Mode, Note, Refusal, Rule, Scope, Settings, Status, Step, When,
};
use enza_kernel::application::Application as _;
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::gate::{Risk, Verdict as Yes};
use enza_work::Fault;
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
    let no = Command::Answer { gate, verdict: Yes::No, note, scope: Scope::Once, picks: Vec::new(), left: Vec::new() };
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
    assert!(matches!(notes(&world).last(), Some(Note::GivenUp { recoveries: Some(3), .. })));
    let said = world.read(enza_kernel::text::Lang::En);
    assert!(said.contains("3 more attempts (the limit is recoveries in the settings)"), "{said}");
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

/// G18: "no conflict" is not a no. A small model writes so where it is asked for yes or no.
#[test]
fn a_no_that_says_that_nothing_is_wrong_is_no_doubt() {
    for said in ["no conflict with the goal", "No reason against it", "yes", "No constraints are violated", "none"] {
        let mut world = World::opened();
        world.say("hello");
        world.decides(json!({ "goal_consistency": said, "next_step": "done", "reply": "Hello." }));
        let doubts =
            world.log.iter().filter(|entry| matches!(entry.event, Event::Noted { note: Note::Doubt(_), .. })).count();
        assert_eq!((doubts, world.position().1), (0, Status::Success), "{said}");
    }
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
    assert_eq!(world.state.desks.iter().map(|task| task.id).collect::<Vec<_>>(), [1, 2]);
    world.tell(Command::Stop { task: Some(1) }).unwrap();
    assert_eq!(world.asks().len(), 1);
    assert_eq!(world.state.desks.iter().map(|task| task.id).collect::<Vec<_>>(), [2], "its place is free");
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

/// Peers, row 17: so it is where there is no task, only looking, and where each wish has another reason; the second time a
/// model is told. A new word of the person begins anew.
#[test]
fn looking_in_circles_is_stopped_too() {
    let mut world = World::opened();
    for _ in 0..2 {
        world.say("What is in README.md?");
        for reason in ["to see it", "to see it again", "once more"] {
            assert!(world.state.front().is_some_and(|task| task.task.is_none()));
            world.decides(json!({ "actions": [{ "operation": "read", "path": "README.md", "rationale": reason }] }));
            assert_eq!(world.last_told().contains("seen exactly this before"), reason != "to see it");
        }
        assert_eq!(notes(&world).last(), Some(&Note::Loop));
        assert!(world.asks().is_empty());
    }
}

/// A small model answers, and asks to see the same again. Its answer counts.
#[test]
fn an_answer_counts_though_the_model_wants_to_look_once_more() {
    let mut world = World::opened();
    world.say("What is in README.md?");
    let read = json!([{ "operation": "read", "path": "README.md" }]);
    world.decides(json!({ "reply": "Let me see.", "actions": read }));
    assert_eq!(world.asks().len(), 1, "the first time it looks");
    world.decides(json!({ "reply": "A title.", "actions": read }));
    assert_eq!((world.asks().len(), world.position().1), (0, Status::Success));
    assert_eq!(notes(&world), []);
}

/// Peers, row 17: a turn has so many model calls and no more, task or not.
#[test]
fn a_turn_of_nothing_but_looking_comes_to_its_end() {
    let mut world = World::with(Settings { rounds: 4, ..Settings::default() });
    world.say("Look around");
    for line in 1..=4 {
        assert!(!world.asks().is_empty(), "{line}");
        let read = json!({ "operation": "read", "path": "README.md", "from_line": line });
        world.decides(json!({ "actions": [read] }));
    }
    assert_eq!(notes(&world).last(), Some(&Note::RoundsSpent { rounds: 4 }));
    let said = world.read(enza_kernel::text::Lang::En);
    assert!(said.contains("4 model calls") && said.contains("rounds in the settings"), "{said}");
    assert!(world.asks().is_empty());
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
    let turn = world.state.turns.last().unwrap();
    assert_eq!(turn.taken_back, Some(vec!["README.md".to_owned(), "b.txt".to_owned()]), "it stays to be seen");
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

/// Commits on a person's word, and by their setting once a result is accepted; never unasked.
#[test]
fn what_was_changed_is_committed_when_a_person_says_so() {
    let mut world = at_the_gate();
    assert_eq!(world.tell(Command::Commit { message: None }), Err(Refusal::NothingToCommit));
    world.answer(Yes::Yes);
    world.tell(Command::Stop { task: None }).unwrap();
    world.tell(Command::Commit { message: Some("Greet".to_owned()) }).unwrap();
    world.work();
    assert_eq!(world.commits, [("Greet".to_owned(), vec!["src/hello.rs".to_owned()])]);
    assert_eq!(world.tell(Command::Commit { message: None }), Err(Refusal::NothingToCommit), "it is committed");
}

#[test]
fn a_commit_says_who_helped_only_where_that_is_set() {
    for (set, message) in [(None, "Greet"), (Some("Assisted-by: Enza"), "Greet\n\nAssisted-by: Enza")] {
        let mut world = at_the_gate();
        world.state.settings.attribution = set.map(str::to_owned);
        world.answer(Yes::Yes);
        world.tell(Command::Stop { task: None }).unwrap();
        world.tell(Command::Commit { message: Some("Greet".to_owned()) }).unwrap();
        world.work();
        assert_eq!(world.commits, [(message.to_owned(), vec!["src/hello.rs".to_owned()])]);
    }
}

#[test]
fn an_accepted_result_is_committed_only_where_that_is_set() {
    for commit in [false, true] {
        let mut world = at_the_gate();
        world.state.settings.commit = commit;
        world.answer(Yes::Yes);
        world.decides(json!({ "step": "EXECUTION", "next_step": "done", "reply": "Done." }));
        let review = json!({ "rating": "good", "problems": [], "proposals": [], "approval": "approved" });
        world.decides(json!({ "step": "REVIEW", "review": review }));
        assert_eq!(world.commits, [], "not before it is accepted");
        world.tell(Command::Accept).unwrap();
        world.work();
        let expected = vec![("a greeting".to_owned(), vec!["src/hello.rs".to_owned()])];
        assert_eq!(world.commits, if commit { expected } else { Vec::new() });
    }
}

/// After its turn was taken back, an assignment is over and the task is where a new one begins.
#[test]
fn a_task_whose_turn_is_taken_back_is_over() {
    let mut world = at_the_gate();
    world.answer(Yes::Yes);
    world.decides(json!({ "step": "EXECUTION", "next_step": "done", "reply": "Done." }));
    let review = json!({ "rating": "good", "problems": [], "proposals": [], "approval": "approved" });
    world.decides(json!({ "step": "REVIEW", "review": review }));
    world.tell(Command::TakeBack { turn: 1 }).unwrap();
    world.work();
    assert!(!world.files.contains_key("src/hello.rs"));
    assert_eq!(world.position(), (Step::Planning, Status::RequiresUserInput));
    assert!(world.state.front().unwrap().task.is_none());
    assert_eq!(world.tell(Command::Commit { message: None }), Err(Refusal::NothingToCommit));
}

/// DUCK-14: what came off here, and what a person did not want, is known in the next session.
#[test]
fn commands_that_come_off_and_reasons_for_a_no_are_learned() {
    let mut world = World::opened();
    world.say("Run the tests");
    world.decides(json!({ "actions": [{ "operation": "run", "command": ["cargo", "test"] }] }));
    world.answer(Yes::Yes);
    world.decides(json!({ "actions": create("src/hello.rs") }));
    world.gives(Yes::No, Some("tabs, please"), Scope::Once);
    assert_eq!(world.state.memory.learned_patterns, ["works: cargo test", "declined: tabs, please"]);
}

/// DUCK-72, G11: a reason given with a no is a word like any other: the next attempt can be asked for.
#[test]
fn after_a_no_with_a_reason_the_next_attempt_opens_a_gate() {
    let mut world = at_the_gate();
    world.gives(Yes::No, Some("call it greet"), Scope::Once);
    assert_eq!(world.position().0, Step::Planning);
    world.decides(json!({ "step": "EXECUTION", "actions": create("src/greet.rs") }));
    assert_eq!(world.gate().unwrap().ask.intent, "Create: src/greet.rs");
    assert_eq!(world.position().0, Step::AwaitingApproval);
}

/// Section 4, item 5: a session can be called something, and is found by it.
#[test]
fn a_session_is_called_what_a_person_calls_it() {
    let mut world = World::opened();
    world.say("Add a greeting");
    assert_eq!(Companion::standing(&world.state).title, "Add a greeting");
    world.tell(Command::Rename { title: "Greetings".to_owned() }).unwrap();
    assert_eq!(Companion::standing(&world.state).title, "Greetings");
}

/// Peers row 5: an answer for the project outlives the session, wherever it was given.
#[test]
fn a_rule_for_the_project_is_written_down_and_one_for_the_session_is_not() {
    for (scope, written) in [(Scope::Session, 0), (Scope::Project, 1)] {
        let mut world = at_the_gate();
        world.gives(Yes::Yes, None, scope);
        world.work();
        assert_eq!(world.written.iter().map(Rule::say).collect::<Vec<_>>(), vec!["allow change src/hello.rs"; written]);
        assert_eq!(world.state.unwritten, []);
    }
}

/// A change that was made before a crash and fails when it is tried again can still be taken back.
#[test]
fn a_change_that_failed_when_it_was_tried_again_is_taken_back_with_its_turn() {
    for was_made in [true, false] {
        let mut world = at_the_gate();
        world.gives(Yes::Yes, None, Scope::Once);
        let make = world.runs().remove(0);
        if was_made {
            world.files.insert("src/hello.rs".to_owned(), "fn hello() {}\n".to_owned());
        }
        world.settle(&Effect::RunTool(make), Outcome::ToolFailed { why: "the disk is full".to_owned() });
        world.tell(Command::Stop { task: None }).unwrap();
        world.tell(Command::TakeBack { turn: 1 }).unwrap();
        world.work();
        assert!(!world.files.contains_key("src/hello.rs"));
    }
}
