//! People who break in, outcomes that come late, and wishes that hide behind each other.

use enza_companion::{Command, Companion, DetachedOrder, Event, Note, Refusal, Settings, When};
use enza_kernel::application::Application as _;
use enza_kernel::conversation::Digest;
use enza_kernel::effect::{Effect, Outcome, RunTool, Safety};
use enza_kernel::gate::Verdict as Yes;
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use enza_work::{Change, Job, Order, Receipt, RunResult, SideEffects};
use serde_json::{Value, json};

use super::world::{World, verdict};

fn write(path: &str) -> Value {
    json!({ "operation": "write", "path": path, "content": "new\n" })
}

/// At the gate with these operations.
fn asked(actions: Value) -> World {
    let mut world = World::opened();
    world.files.insert("secret/key.txt".to_owned(), "key\n".to_owned());
    world.say("Change it. Do not touch secret/");
    world.decides(json!({ "actions": actions, "next_step": "done" }));
    world
}

/// The one order that is due, and what came of it.
fn the_make(world: &World) -> (RunTool, Vec<Change>) {
    let run = world.runs().into_iter().next().expect("an order is due");
    let order: Order = serde_json::from_value(run.arguments.clone()).unwrap();
    let Job::Make { changes } = order.task else { panic!("{run:?}") };
    (run, changes)
}

/// A command that runs, and its order.
fn running(command: &str) -> (World, RunTool) {
    let mut world = asked(json!([{ "operation": "run", "command": command.split(' ').collect::<Vec<_>>() }]));
    let gate = world.gate().unwrap().id;
    let scope = enza_companion::Scope::Once;
    world
        .tell(Command::Answer { gate, verdict: Yes::Yes, note: None, scope, picks: Vec::new(), left: Vec::new() })
        .unwrap();
    let run = world.runs().into_iter().next().expect("it is due");
    world.settle(&Effect::RunTool(run), Outcome::Starting { mark: "m".to_owned() });
    let run = world.runs().into_iter().next().expect("it runs");
    (world, run)
}

fn task(run: &RunTool) -> Job {
    serde_json::from_value::<Order>(run.arguments.clone()).unwrap().task
}

fn is_receipt(event: &Event) -> bool {
    matches!(event, Event::OrderEnded { receipt, .. } if **receipt != Receipt::Halted)
}

/// A person who breaks in while a change is being made: it is made to its end, and can be taken back with its turn.
#[test]
fn a_change_that_is_being_made_when_a_person_breaks_in_belongs_to_its_turn() {
    for (name, breaks_in) in [
        ("says", Command::Say { text: "wait".to_owned(), when: When::Now, files: Vec::new() }),
        ("stops", Command::Stop { task: None }),
        ("resets", Command::Reset),
    ] {
        let mut world = asked(json!([write("a.txt")]));
        let gate = world.gate().unwrap().id;
        let scope = enza_companion::Scope::Once;
        world
            .tell(Command::Answer { gate, verdict: Yes::Yes, note: None, scope, picks: Vec::new(), left: Vec::new() })
            .unwrap();
        let (run, changes) = the_make(&world);
        world.tell(breaks_in).unwrap();
        assert_eq!(the_make(&world), (run.clone(), changes.clone()), "{name}: it is still due, under the same key");
        assert_eq!(world.tell(Command::TakeBack { turn: 1 }), Err(Refusal::Busy), "{name}");
        let text = serde_json::to_string(&Receipt::Made(changes.clone())).unwrap();
        world.settle(&Effect::RunTool(run), Outcome::Returned { text });
        assert_eq!(world.runs(), [], "{name}");
        let kept: Vec<_> = world.state.turns.iter().flat_map(|turn| turn.changes.clone()).collect();
        assert_eq!(kept, changes, "{name}: what was made can be taken back");
    }
}

/// A command that runs when a person breaks in: it is told to end, and what it changed until then belongs to the turn.
#[test]
fn a_command_that_runs_when_a_person_breaks_in_is_stopped_and_still_gives_its_receipt() {
    for (name, breaks_in) in [
        ("says", Command::Say { text: "wait".to_owned(), when: When::Now, files: Vec::new() }),
        ("stops", Command::Stop { task: None }),
        ("resets", Command::Reset),
    ] {
        let (mut world, run) = running("make");
        world.tell(breaks_in).unwrap();
        let [halt, still] = &world.runs()[..] else { panic!("{name}: {:?}", world.runs()) };
        assert_eq!((still.key, still.safety, &still.started), (run.key, run.safety, &Some("m".to_owned())), "{name}");
        assert_eq!(task(still), task(&run), "{name}: the same command");
        assert_eq!((task(halt), halt.safety), (Job::Halt { run: run.key }, Safety::Repeatable), "{name}");
        let halted = serde_json::to_string(&Receipt::Halted).unwrap();
        world.settle(&Effect::RunTool(halt.clone()), Outcome::Returned { text: halted });
        assert_eq!(world.runs().len(), 1, "{name}: it is told once");
        assert_eq!(world.tell(Command::TakeBack { turn: 1 }), Err(Refusal::Busy), "{name}");
        let change = Change {
            path: "build.txt".to_owned(),
            to: None,
            before: None,
            after: Some(Digest::of(b"half\n")),
            mode: None,
            folders: 0,
            seen: true,
        };
        let ran = RunResult { changes: vec![change.clone()], ..RunResult::stopped_before_it_began() };
        let text = serde_json::to_string(&Receipt::Ran(ran)).unwrap();
        world.settle(&Effect::RunTool(run), Outcome::Returned { text });
        assert_eq!(world.runs(), [], "{name}");
        let last = Companion::line(
            world.log.iter().rev().find(|one| is_receipt(&one.event)).unwrap(),
            &Reader::host(),
            Lang::En,
        );
        assert!(last.unwrap().text.starts_with("the command was stopped"), "{name}");
        let kept: Vec<_> = world.state.turns.iter().flat_map(|turn| turn.changes.clone()).collect();
        assert_eq!(kept, [change], "{name}: what it changed can be taken back");
        assert!(world.state.uncommitted.contains("build.txt"), "{name}");
    }
}

/// Whatever the person wants next waits until the command that is being stopped has let go of the folder.
#[test]
fn nothing_else_touches_the_folder_before_a_stopped_command_has_ended() {
    let (mut world, run) = running("make");
    world.say_when("Write it yourself", When::Now).unwrap();
    let halt = world.runs().remove(0);
    world.settle(&Effect::RunTool(halt), Outcome::Returned { text: "\"halted\"".to_owned() });
    world.reply_text(&verdict(json!({ "actions": [write("a.txt")], "next_step": "done" })).to_string());
    let prepare = world.runs().into_iter().find(|one| one.key != run.key).expect("looking is free");
    world.carry_out_one(&prepare);
    let gate = world.gate().unwrap().id;
    let scope = enza_companion::Scope::Once;
    world
        .tell(Command::Answer { gate, verdict: Yes::Yes, note: None, scope, picks: Vec::new(), left: Vec::new() })
        .unwrap();
    assert_eq!(world.runs().iter().map(|one| one.key).collect::<Vec<_>>(), [run.key]);
    let text = serde_json::to_string(&Receipt::Ran(RunResult::stopped_before_it_began())).unwrap();
    world.settle(&Effect::RunTool(run), Outcome::Returned { text });
    world.work();
    assert_eq!(world.files["a.txt"], "new\n");
}

/// A process that dies while it stops a command: nobody knows how that ended, and the person is told so.
#[test]
fn a_stopped_command_whose_end_nobody_saw_is_told_as_unknown() {
    let (mut world, run) = running("make all");
    world.tell(Command::Stop { task: None }).unwrap();
    world.settle(&Effect::RunTool(run), Outcome::Unknown);
    world.work();
    assert_eq!((world.runs(), world.state.leaving.len()), (Vec::new(), 0));
    let notes = world.log.iter().filter_map(|entry| match &entry.event {
        Event::Noted { note: Note::Unknown { what, .. }, .. } => Some(what.as_str()),
        _ => None,
    });
    assert_eq!(notes.collect::<Vec<_>>(), ["make all"]);
}

/// A command that was allowed and has not begun does not begin after a stop.
#[test]
fn a_command_that_has_not_begun_is_not_run_after_a_stop() {
    let mut world = asked(json!([{ "operation": "run", "command": ["make"] }]));
    let gate = world.gate().unwrap().id;
    let scope = enza_companion::Scope::Once;
    world
        .tell(Command::Answer { gate, verdict: Yes::Yes, note: None, scope, picks: Vec::new(), left: Vec::new() })
        .unwrap();
    assert_eq!(world.runs().len(), 1);
    world.tell(Command::Stop { task: None }).unwrap();
    assert_eq!((world.runs(), world.state.leaving.len()), (Vec::new(), 0));
}

/// A commit would have half of what the command writes.
#[test]
fn nothing_is_committed_while_a_command_is_being_stopped() {
    let mut world = asked(json!([write("a.txt"), { "operation": "run", "command": ["make"] }]));
    let gate = world.gate().unwrap().id;
    let scope = enza_companion::Scope::Once;
    world
        .tell(Command::Answer { gate, verdict: Yes::Yes, note: None, scope, picks: Vec::new(), left: Vec::new() })
        .unwrap();
    let (make, _) = the_make(&world);
    world.carry_out_one(&make);
    let run = world.runs().remove(0);
    world.settle(&Effect::RunTool(run), Outcome::Starting { mark: "m".to_owned() });
    world.tell(Command::Stop { task: None }).unwrap();
    assert_eq!(world.tell(Command::Commit { message: None }), Err(Refusal::Busy));
    world.work();
    world.tell(Command::Commit { message: None }).unwrap();
}

/// What a command changed beyond what can be seen is told to the model and to the person.
#[test]
fn what_cannot_be_taken_back_after_a_command_is_told() {
    let mut world = World::opened();
    world.say("Build it");
    world.decides(json!({ "actions": [{ "operation": "run", "command": ["make"] }] }));
    assert!(world.gate().unwrap().ask.impact.contains("cannot be undone"), "{:?}", world.gate());
    world.beyond = SideEffects { files: vec!["disk.img".to_owned()], others: true, put_back: Vec::new() };
    world.answer(Yes::Yes);
    let told = "The command may have changed these and others, and they cannot be taken back: disk.img";
    let said =
        world.log.iter().filter_map(|entry| Companion::line(entry, &Reader::host(), Lang::En)).map(|line| line.text);
    assert!(said.into_iter().any(|line| line.ends_with(told)), "the person");
    assert!(world.last_told().contains(told), "the model: {}", world.last_told());
}

/// A receipt that was recorded before anything was known of this reads as if there were nothing of it.
#[test]
fn a_receipt_of_an_older_version_is_read() {
    let old = r#"{"ran":{"ended":{"status":0},"output":"ok","cut":false,"millis":5}}"#;
    let Receipt::Ran(ran) = serde_json::from_str(old).unwrap() else { panic!() };
    assert_eq!((ran.output.as_str(), ran.beyond.is_nothing()), ("ok", true));
    let old = r#"{"key":{"seq":7,"ordinal":0},"changes":[]}"#;
    assert_eq!(serde_json::from_str::<DetachedOrder>(old).unwrap().stopping, None);
}

/// A stop before anything of a piece of work has begun leaves it undone.
#[test]
fn what_only_waits_for_the_folder_is_not_made_after_a_stop() {
    let mut world = asked(json!([write("a.txt")]));
    world.tell(Command::Stop { task: None }).unwrap();
    assert_eq!((world.runs(), world.state.leaving.len()), (Vec::new(), 0));
    assert!(!world.files.contains_key("a.txt"));
}

/// A workshop that fails while it takes back: nothing is forgotten, and it can be tried again.
#[test]
fn taking_back_that_failed_can_be_tried_again() {
    let mut world = asked(json!([write("a.txt")]));
    world.answer(Yes::Yes);
    world.decides(json!({ "step": "REVIEW", "review": { "rating": "good", "approval": "approved" } }));
    world.tell(Command::TakeBack { turn: 1 }).unwrap();
    let run = world.runs().into_iter().next().expect("it is due");
    world.settle(&Effect::RunTool(run), Outcome::ToolFailed { why: "the disk is gone".to_owned() });
    assert!(world.files.contains_key("a.txt"));
    world.tell(Command::TakeBack { turn: 1 }).unwrap();
    world.work();
    assert!(!world.files.contains_key("a.txt"));
    let turn = world.state.turns.last().unwrap();
    assert!(turn.changes.is_empty() && turn.taken_back.is_some(), "{turn:?}");
}

/// Peers (d) 3, DUCK-95: what is forbidden is not made with what is allowed beside it, whatever stands beside it in the
/// same reply.
#[test]
fn a_forbidden_file_hides_behind_no_other_wish() {
    for actions in [
        json!([write("a.txt"), write("secret/key.txt")]),
        json!([write("secret/key.txt"), write("a.txt")]),
        json!([write("a.txt"), { "operation": "delete", "path": "secret/key.txt" }, { "operation": "read", "path": "secret/key.txt" }]),
    ] {
        let mut world = asked(actions.clone());
        let gate = world.gate().unwrap();
        assert!(!gate.ask.impact.contains("secret"), "{actions}: {gate:?}");
        world.answer(Yes::Yes);
        assert_eq!(world.files["secret/key.txt"], "key\n", "{actions}");
        assert_eq!(world.files["a.txt"], "new\n", "{actions}");
        assert!(world.log.iter().any(|entry| matches!(&entry.event, Event::Noted { .. })), "{actions}: it is told");
    }
}

/// DUCK-76, G11: a review that sends work back is done, and what it leads to is an utterance of its own.
#[test]
fn a_review_that_sends_work_back_leads_to_a_gate() {
    let mut world = World::with(Settings::default());
    world.say("Change it");
    world.decides(json!({ "actions": [write("a.txt")], "next_step": "done" }));
    world.answer(Yes::Yes);
    world.decides(json!({ "step": "REVIEW", "review": { "rating": "poor", "approval": "mend", "problems": ["old"] } }));
    world.decides(json!({ "actions": [write("b.txt")], "next_step": "done" }));
    assert!(world.gate().is_some(), "{:?}", world.refused());
    assert_eq!(world.moves().last().unwrap(), "REVIEW>AWAITING_APPROVAL", "DUCK-69");
}
