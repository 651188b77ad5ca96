//! Commands whose end nobody saw, since whoever ran them was killed: what they wrote is found out and can be taken back.

use enza_companion::{Command, Companion, Event, Note, Scope, Settings};
use enza_kernel::application::Application as _;
use enza_kernel::conversation::Digest;
use enza_kernel::effect::{Effect, Outcome, RunTool, Safety};
use enza_kernel::gate::Verdict as Yes;
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use enza_work::{Change, Job, Order, Receipt, RunEnd, RunResult};
use serde_json::json;

use super::world::World;

fn task(run: &RunTool) -> Job {
    serde_json::from_value::<Order>(run.arguments.clone()).unwrap().task
}

/// A session in which a command runs, and another waits behind it.
fn running(settings: Settings) -> (World, RunTool) {
    let mut world = World::with(settings);
    world.say("Build it.");
    let run = |word: &str| json!({ "operation": "run", "command": ["make", word] });
    world.decides(json!({ "actions": [run("all"), run("docs")], "next_step": "done" }));
    world.gives(Yes::Yes, None, Scope::Once);
    let run = world.runs().remove(0);
    world.settle(&Effect::RunTool(run.clone()), Outcome::Starting { mark: "m".to_owned() });
    (world, run)
}

fn half() -> Change {
    let after = Some(Digest::of(b"half\n"));
    Change { path: "build.txt".to_owned(), to: None, before: None, after, mode: None, folders: 0, seen: true }
}

fn recovered(world: &mut World, run: &RunTool) {
    let ran = RunResult { ended: RunEnd::Unseen, changes: vec![half()], ..RunResult::stopped_before_it_began() };
    let text = serde_json::to_string(&Receipt::Ran(ran)).unwrap();
    world.settle(&Effect::RunTool(run.clone()), Outcome::Returned { text });
}

fn changes(world: &World) -> Vec<Change> {
    world.state.turns.iter().flat_map(|turn| turn.changes.clone()).collect()
}

fn unknown(world: &World) -> Vec<(String, Vec<String>)> {
    let notes = world.log.iter().filter_map(|entry| match &entry.event {
        Event::Noted { note: Note::Unknown { what, changed }, .. } => Some((what.clone(), changed.clone())),
        _ => None,
    });
    notes.collect()
}

#[test]
fn what_a_command_wrote_before_the_process_was_killed_is_asked_for_and_belongs_to_the_turn() {
    let (mut world, run) = running(Settings::default());
    world.settle(&Effect::RunTool(run.clone()), Outcome::Unknown);
    let [recover] = &world.runs()[..] else { panic!("{:?}", world.runs()) };
    assert_eq!((task(recover), recover.safety), (Job::Recover { run: run.key }, Safety::Repeatable));
    assert_ne!(recover.key, run.key);
    recovered(&mut world, &recover.clone());
    assert_eq!(changes(&world), [half()], "it can be taken back");
    assert!(world.state.uncommitted.contains("build.txt"));
    world.work();
    assert_eq!(unknown(&world), [("run make all".to_owned(), vec!["build.txt".to_owned()])]);
    let said = world.log.iter().filter_map(|entry| Companion::line(entry, &Reader::host(), Lang::En));
    assert!(said.into_iter().any(|line| line.text.contains("These files had changed by then: build.txt")));
    world.tell(Command::TakeBack { turn: 1 }).unwrap();
    assert!(matches!(task(&world.runs()[0]), Job::Restore { changes } if changes == [half()]));
}

#[test]
fn a_person_who_breaks_in_before_it_is_found_out_still_gets_to_know() {
    let (mut world, run) = running(Settings::default());
    world.settle(&Effect::RunTool(run), Outcome::Unknown);
    let recover = world.runs().remove(0);
    world.tell(Command::Stop { task: None }).unwrap();
    assert_eq!(world.runs(), std::slice::from_ref(&recover), "it is still due, under the same key");
    recovered(&mut world, &recover);
    assert_eq!((changes(&world), world.runs()), (vec![half()], Vec::new()));
}

#[test]
fn what_a_command_wrote_that_was_being_stopped_when_the_process_was_killed_is_found_out() {
    let (mut world, run) = running(Settings::default());
    world.tell(Command::Stop { task: None }).unwrap();
    world.settle(&Effect::RunTool(run.clone()), Outcome::Unknown);
    let [recover] = &world.runs()[..] else { panic!("{:?}", world.runs()) };
    assert_eq!(task(recover), Job::Recover { run: run.key });
    recovered(&mut world, &recover.clone());
    assert_eq!((changes(&world), world.state.leaving.len()), (vec![half()], 0));
}

#[test]
fn what_a_lost_command_wrote_where_nothing_may_be_changed_is_put_back() {
    let (mut world, run) = running(Settings::default());
    world.tell(Command::Forbid { text: "Do not touch build.txt".to_owned() }).unwrap();
    world.settle(&Effect::RunTool(run), Outcome::Unknown);
    let recover = world.runs().remove(0);
    recovered(&mut world, &recover);
    world.work();
    let put_back =
        world.log.iter().any(|entry| matches!(&entry.event, Event::PutBack { changes, .. } if *changes == [half()]));
    assert!(put_back);
}

/// A log from before lost commands were looked after goes on as it did.
#[test]
fn an_old_log_with_a_lost_command_comes_to_the_same_state() {
    let (mut world, run) = running(Settings::default());
    let task = world.state.focus;
    world.take(vec![
        serde_json::from_value(json!({ "OrderLost": { "order": run.key } })).unwrap(),
        Event::BatchEnded { desk: task },
        Event::Noted { desk: task, note: Note::Unknown { what: "run make all".to_owned(), changed: Vec::new() } },
    ]);
    assert_eq!((world.runs(), world.state.task(task).unwrap().batch.is_none()), (Vec::new(), true));
}

/// What the gate says of a command holds on the machine where the session was opened.
#[test]
fn the_gate_says_what_stays_open_where_the_kernel_cannot_close_it() {
    for (unsealed, says) in
        [(false, "can only change the folder"), (true, "cannot be prevented from changing the permissions")]
    {
        let mut world = World::with(Settings { unsealed, ..Settings::default() });
        world.say("Build it.");
        world.decides(json!({ "actions": [{ "operation": "run", "command": ["make"] }] }));
        let impact = world.gate().unwrap().ask.impact;
        assert!(impact.contains(says), "{impact}");
        world
            .tell(Command::Answer {
                gate: world.gate().unwrap().id,
                verdict: Yes::Yes,
                note: None,
                scope: Scope::Once,
                picks: Vec::new(),
                left: Vec::new(),
            })
            .unwrap();
        let order: Order = serde_json::from_value(world.runs()[0].arguments.clone()).unwrap();
        assert_eq!(order.bounds.unsealed, unsealed, "and the workshop is held to it");
    }
}

#[test]
fn limits_of_commands_come_from_the_settings() {
    let settings =
        Settings { command_memory_mb: 512, command_processes: 7, command_disk_mb: 100, ..Settings::default() };
    let (_, run) = running(settings);
    let order: Order = serde_json::from_value(run.arguments).unwrap();
    let most = order.bounds.most;
    assert_eq!((most.memory, most.processes, most.disk), (512 << 20, 7, 100 << 20));
}
