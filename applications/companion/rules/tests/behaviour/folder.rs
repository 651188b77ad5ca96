//! Several hands at one folder: pieces of work that wait for each other, turns that overlap, and what is forbidden while it
//! is asked for, waits or is being made.

use enza_companion::{Command, Event, Mode, Note, Pick, Rule, Ruling, Scope, Settings, When};
use enza_kernel::effect::{Effect, Outcome, RunTool};
use enza_kernel::gate::Verdict as Yes;
use enza_work::{Job, Order};
use serde_json::{Value, json};

use super::world::{World, verdict};

fn write(path: &str, content: &str) -> Value {
    json!({ "operation": "write", "path": path, "content": content })
}

fn task(run: &RunTool) -> Job {
    serde_json::from_value::<Order>(run.arguments.clone()).unwrap().task
}

/// Answers a gate, and leaves what follows from it undone.
fn yes(world: &mut World, gate: &str, picks: Vec<Pick>) {
    let (gate, scope) = (gate.to_owned(), Scope::Once);
    world.tell(Command::Answer { gate, verdict: Yes::Yes, note: None, scope, picks, left: Vec::new() }).unwrap();
}

fn forbid_docs(world: &mut World) {
    world.tell(Command::Forbid { text: "do not touch docs/".to_owned() }).unwrap();
}

/// At a gate that asks for two files, one of them among the documents.
fn asked() -> World {
    let mut world = World::opened();
    world.say("Change it");
    let actions = json!([write("docs/a.md", "a\n"), write("b.txt", "b\n")]);
    world.decides(json!({ "actions": actions, "next_step": "done" }));
    world
}

/// In front a command has begun; behind, a change to the documents has been allowed after that.
fn a_command_runs_and_a_change_waits() -> (World, RunTool) {
    let mut world = World::opened();
    world.say("Write it");
    world.decides(json!({ "actions": [write("docs/a.md", "a\n")], "next_step": "done" }));
    let behind = world.gate().unwrap().id;
    world.tell(Command::Background).unwrap();
    world.say("Build it");
    world.decides(json!({ "actions": [{ "operation": "run", "command": ["make"] }] }));
    let front = world.gate().unwrap().id;
    yes(&mut world, &front, Vec::new());
    let run = world.runs().remove(0);
    world.settle(&Effect::RunTool(run), Outcome::Starting { mark: "m".to_owned() });
    let run = world.runs().remove(0);
    yes(&mut world, &behind, Vec::new());
    (world, run)
}

/// What was put back, as the person was told.
fn put_back(world: &World) -> Vec<&str> {
    let told = world.log.iter().filter_map(|entry| match &entry.event {
        Event::Noted { note: Note::PutBack { paths }, .. } => Some(paths),
        _ => None,
    });
    told.flatten().map(String::as_str).collect()
}

/// Its result would come when it is not due, be dropped, and the command be run a second time.
#[test]
fn a_command_that_runs_stays_due_when_older_work_gets_its_yes() {
    let (mut world, run) = a_command_runs_and_a_change_waits();
    assert_eq!(world.runs(), std::slice::from_ref(&run), "nothing takes the folder from it");
    world.carry_out_one(&run);
    let next = world.runs().remove(0);
    assert!(matches!(task(&next), Job::Make { .. }), "then it is the other's turn: {next:?}");
    world.work();
    assert_eq!((world.ran.len(), world.files["docs/a.md"].as_str()), (1, "a\n"));
}

/// Work behind belongs to the turn in which it was asked for, and what it changes last must be taken back first.
#[test]
fn changes_of_overlapping_turns_are_taken_back_in_the_reverse_order_in_which_they_were_made() {
    let mut world = World::with(Settings { mode: Mode::AcceptEdits, ..Settings::default() });
    world.say("First");
    world.tell(Command::Background).unwrap();
    world.say("Second");
    for (thread, content) in [("desk-2", "second\n"), ("desk-1", "first\n")] {
        let wants = json!({ "actions": [write("README.md", content)], "next_step": "done" });
        world.reply_in(thread, &verdict(wants).to_string());
        world.work();
        assert_eq!(world.files["README.md"], content);
    }
    for task in [1, 2] {
        world.tell(Command::Stop { task: Some(task) }).unwrap();
    }
    world.tell(Command::TakeBack { turn: 1 }).unwrap();
    world.work();
    assert_eq!(world.files["README.md"], "# Work\n");
    let kept = world.log.iter().find_map(|entry| match &entry.event {
        Event::TakenBack { restored, .. } => Some(restored.kept.clone()),
        _ => None,
    });
    assert_eq!(kept, Some(Vec::new()), "and nothing is told to have changed since");
}

/// A patch names no file, so that only what it was worked out to change tells what it may do.
#[test]
fn a_patch_that_was_denied_is_not_asked_for_without_a_diff_once_a_path_was_opened_beside_it() {
    let rule = Rule { verdict: Ruling::Deny, operation: "change".to_owned(), pattern: "src/**".to_owned() };
    let mut world = World::with(Settings { rules: vec![rule], ..Settings::default() });
    world.files.insert("/home/ada/notes.txt".to_owned(), "notes\n".to_owned());
    world.say("Look and patch");
    let read = json!({ "operation": "read", "path": "/home/ada/notes.txt" });
    world.decides(json!({ "actions": [read, { "operation": "patch", "patch": "src/new.py" }] }));
    assert!(world.gate().unwrap().ask.intent.contains("/home/ada/notes.txt"), "{:?}", world.gate());
    world.answer(Yes::Yes);
    assert_eq!(world.gate(), None);
    assert!(world.last_told().contains("deny change src/**"), "{}", world.last_told());
}

#[test]
fn what_is_forbidden_while_the_question_waits_is_not_done_after_a_yes() {
    let mut world = asked();
    forbid_docs(&mut world);
    world.answer(Yes::Yes);
    assert_eq!((world.files.get("docs/a.md"), world.files["b.txt"].as_str()), (None, "b\n"));
    let is_told = |entry: &_| matches!(entry, Event::Noted { note: Note::Denied { lines }, .. } if lines.len() == 1);
    assert!(world.log.iter().any(|entry| is_told(&entry.event)), "and that is told");
}

/// Files are picked by their places, and one that is forbidden leaves its place to the next.
#[test]
fn what_was_picked_stays_picked_when_a_file_before_it_was_forbidden() {
    let mut world = asked();
    forbid_docs(&mut world);
    let gate = world.gate().unwrap().id;
    yes(&mut world, &gate, vec![Pick { file: 1, hunks: None, content: Some("mine\n".to_owned()) }]);
    world.work();
    assert_eq!((world.files.get("docs/a.md"), world.files["b.txt"].as_str()), (None, "mine\n"));
}

#[test]
fn what_is_forbidden_while_it_waits_for_the_folder_is_not_made() {
    let (mut world, run) = a_command_runs_and_a_change_waits();
    forbid_docs(&mut world);
    world.carry_out_one(&run);
    world.work();
    assert_eq!((world.files.get("docs/a.md"), put_back(&world)), (None, Vec::new()));
}

#[test]
fn what_is_forbidden_while_it_is_being_made_is_put_back() {
    let word = Command::Forbid { text: "do not touch docs/".to_owned() };
    let aloud = "No! Do not touch docs/".to_owned();
    let breaks_in = Command::Say { text: aloud, when: When::Now, files: Vec::new() };
    for forbids in [word, breaks_in] {
        let mut world = asked();
        let gate = world.gate().unwrap().id;
        yes(&mut world, &gate, Vec::new());
        let make = world.runs().remove(0);
        world.tell(forbids.clone()).unwrap();
        world.carry_out_one(&make);
        assert!(world.files.contains_key("docs/a.md"), "{forbids:?}: it had begun");
        world.work();
        assert_eq!((world.files.get("docs/a.md"), world.files["b.txt"].as_str()), (None, "b\n"), "{forbids:?}");
        assert_eq!(put_back(&world), ["docs/a.md"], "{forbids:?}");
        let changed: Vec<_> = world.state.turns.iter().flat_map(|turn| turn.changes.iter()).collect();
        assert_eq!(changed.iter().map(|change| change.path.as_str()).collect::<Vec<_>>(), ["b.txt"], "{forbids:?}");
    }
}

/// What was done before it was forbidden was allowed, and stays.
#[test]
fn what_was_made_before_it_was_forbidden_stays() {
    let mut world = asked();
    world.answer(Yes::Yes);
    forbid_docs(&mut world);
    world.work();
    assert_eq!((world.files["docs/a.md"].as_str(), put_back(&world)), ("a\n", Vec::new()));
}
