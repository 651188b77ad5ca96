//! Closed paths: outside the folder, secret, closed by a rule. A person may open exactly one, for one operation.

use enza_companion::{Command, Companion, Decision, Event, Mode, Rule, Ruling, Scope, Settings, Status, Step};
use enza_kernel::gate::{Risk, Verdict as Yes};
use enza_kernel::text::Lang;
use enza_work::{Job, Order};
use serde_json::{Value, json};

use super::world::World;

fn read(path: &str) -> Value {
    json!([{ "operation": "read", "path": path, "rationale": "to see how it is set up" }])
}

fn write(path: &str) -> Value {
    json!([{ "operation": "write", "path": path, "content": "new\n" }])
}

fn in_phase(safety_phase: u8) -> World {
    let mut world = World::with(Settings { safety_phase, ..Settings::default() });
    for (path, text) in [("/home/ada/notes.txt", "remember\n"), (".env", "TOKEN=1\n"), ("private/plan.md", "soon\n")] {
        world.files.insert(path.to_owned(), text.to_owned());
    }
    world.say("How is it set up?");
    world
}

/// What was decided last, and whether the model was told this text.
fn decided(world: &World) -> Vec<Decision> {
    let decided = world.log.iter().rev().find_map(|entry| match &entry.event {
        Event::Decided { decisions, .. } => Some(decisions.clone()),
        _ => None,
    });
    decided.expect("it was decided")
}

fn told(world: &World, text: &str) -> bool {
    world.request().messages.iter().any(|message| format!("{message:?}").contains(text))
}

/// DUCK-90, DUCK-113, G21, G22: T7 word for word, in the language of the session.
#[test]
fn reading_outside_the_folder_asks_in_the_words_of_the_document() {
    let mut world = in_phase(4);
    world.state.lang = Some(Lang::Ja);
    world.decides(json!({ "actions": read("/home/ada/notes.txt") }));
    let gate = world.gate().unwrap();
    assert_eq!(
        gate.ask.intent,
        "以下の操作の承認が必要です：\n操作: read\n対象: /home/ada/notes.txt\n\
         理由: 作業フォルダーの外のファイルを操作しようとしています\n\n承認しますか？ (yes/no)"
    );
    assert_eq!((gate.risk, gate.ask.grounds.as_str()), (Risk::High, "to see how it is set up"));
    assert_eq!(world.position(), (Step::AwaitingApproval, Status::RequiresUserInput));
}

#[test]
fn a_yes_opens_exactly_that_path_for_that_operation_and_no_longer() {
    let mut world = in_phase(4);
    world.decides(json!({ "actions": read("/home/ada/notes.txt") }));
    assert!(world.gate().is_some());
    world.answer(Yes::Yes);
    assert!(told(&world, "remember"));
    assert_eq!(world.position().0, Step::Execution, "DUCK-71");
    world.decides(json!({ "actions": read("/home/ada/notes.txt") }));
    assert!(world.gate().is_some(), "the next read of it asks again");
    world.answer(Yes::No);
    world.say("Then leave it.");
    world.decides(json!({ "next_step": "done", "reply": "All right." }));
    assert_eq!(world.position(), (Step::Planning, Status::Success), "nothing was changed, so nothing is reviewed");
}

#[test]
fn a_yes_for_longer_than_once_still_opens_a_closed_path_only_once() {
    let mut world = in_phase(4);
    world.decides(json!({ "actions": read(".env") }));
    world.gives(Yes::Yes, None, Scope::Project);
    world.work();
    assert!(told(&world, "TOKEN=1") && world.state.rules.is_empty());
    world.decides(json!({ "actions": read(".env") }));
    assert!(world.gate().is_some(), "secrets always ask (G21)");
}

/// DUCK-89, DUCK-114, DUCK-116: in the first phases it is refused, in the document's words.
#[test]
fn before_the_third_phase_nothing_outside_is_read_or_written() {
    for phase in [1, 2] {
        let mut world = in_phase(phase);
        world.state.lang = Some(Lang::Ja);
        world.decides(json!({ "actions": read("/home/ada/notes.txt") }));
        assert_eq!(world.gate(), None);
        assert!(told(&world, "作業フォルダ外のファイルは読み取れません"), "DUCK-114");
        world.decides(json!({ "actions": write("/home/ada/notes.txt") }));
        assert_eq!(world.gate(), None);
        assert!(told(&world, "作業フォルダ外のファイルは書き込めません"), "DUCK-115");
        assert_eq!(world.files["/home/ada/notes.txt"], "remember\n");
    }
}

/// What is refused names the setting that would have it otherwise, in one sentence.
#[test]
fn a_refused_path_named_no_setting_and_ended_in_two_stops() {
    let refused = |safety_phase: u8, actions: Value| {
        let mut world = in_phase(safety_phase);
        world.decides(json!({ "actions": actions }));
        world.read(Lang::En)
    };
    let read_it = "Not done: read /home/ada/notes.txt (/home/ada/notes.txt is outside the folder of work and may not be read – \
                a folder under readable in the settings can be read, and with safety_phase 3 or more a person is asked)";
    let write_it = "/home/ada/notes.txt is outside the folder of work and may not be written. Use a path inside the folder of \
                    work. With safety_phase 3 or more in the settings, a person is asked.";
    for phase in [1, 2] {
        let said = refused(phase, read("/home/ada/notes.txt"));
        assert!(said.contains(read_it), "{said}");
    }
    let said = refused(2, write("/home/ada/notes.txt"));
    assert!(said.contains(write_it), "{said}");
    let said = refused(4, read("/etc/passwd"));
    assert!(said.contains("may not be read – no answer opens folders of the system)"), "{said}");
}

/// DUCK-120: writing outside asks for the path first, then for the change itself with its diff.
#[test]
fn writing_outside_asks_for_the_path_and_then_for_the_change() {
    let mut world = in_phase(3);
    world.decides(json!({ "actions": write("/home/ada/notes.txt") }));
    let first = world.gate().unwrap();
    assert!(first.ask.intent.contains("Operation: write\nTarget: /home/ada/notes.txt") && first.ask.diff.is_none());
    world.answer(Yes::Yes);
    let second = world.gate().unwrap();
    assert_eq!(
        (second.ask.intent.as_str(), second.ask.diff.as_deref()),
        ("Write: /home/ada/notes.txt", Some("+new\n"))
    );
    assert_eq!(world.files["/home/ada/notes.txt"], "remember\n", "not before the second yes");
    assert!(world.state.front().unwrap().mind.pending_gate, "G29");
    world.answer(Yes::Yes);
    assert_eq!(world.files["/home/ada/notes.txt"], "new\n");
    assert_eq!(world.position().0, Step::Execution);
}

#[test]
fn a_no_at_either_question_changes_nothing() {
    for yes_first in [false, true] {
        let mut world = in_phase(4);
        world.decides(json!({ "actions": write("/home/ada/notes.txt") }));
        if yes_first {
            world.answer(Yes::Yes);
        }
        world.answer(Yes::No);
        assert_eq!(world.files["/home/ada/notes.txt"], "remember\n");
        assert_eq!(world.position(), (Step::Planning, Status::RequiresUserInput), "DUCK-72");
    }
}

#[test]
fn folders_of_the_system_are_never_opened() {
    let mut world = in_phase(4);
    world.decides(json!({ "actions": read("/etc/passwd") }));
    assert_eq!(world.gate(), None);
    assert!(matches!(decided(&world)[0], Decision::Denied(_)));
}

#[test]
fn where_nobody_can_be_asked_closed_paths_stay_closed() {
    let mut world = in_phase(4);
    world.state.attended = false;
    world.decides(json!({ "actions": read(".env") }));
    assert_eq!(world.gate(), None);
    assert_eq!(decided(&world), [Decision::Denied("nobody to ask what is always asked".to_owned())]);
    assert!(!told(&world, "TOKEN=1"));
}

/// Deny wins, ask asks, also for reading (section 4, item 3).
#[test]
fn rules_about_reading_are_kept() {
    let rule = |verdict, pattern: &str| Rule { verdict, operation: "read".to_owned(), pattern: pattern.to_owned() };
    for (ruling, is_asked) in [(Ruling::Deny, false), (Ruling::Ask, true)] {
        let mut world = in_phase(4);
        world.tell(Command::Remember { rule: rule(ruling, "private/**"), scope: Scope::Session }).unwrap();
        world.decides(json!({ "actions": read("private/plan.md") }));
        assert_eq!(world.gate().is_some(), is_asked);
        if is_asked {
            world.answer(Yes::Yes);
        }
        assert_eq!(told(&world, "soon"), is_asked);
    }
}

#[test]
fn in_plan_mode_a_path_outside_may_be_read_and_not_written() {
    let mut world = in_phase(4);
    world.tell(Command::SetMode { mode: Mode::Plan }).unwrap();
    world.decides(json!({ "actions": write("/home/ada/notes.txt") }));
    assert_eq!(world.gate(), None);
    world.decides(json!({ "actions": read("/home/ada/notes.txt") }));
    assert!(world.gate().is_some());
}

/// A path that was opened for a look is not open to the commands and checks of the same reply.
#[test]
fn what_was_opened_for_a_look_is_closed_to_commands() {
    let mut world = in_phase(4);
    let actions = json!([
        { "operation": "read", "path": "/home/ada/notes.txt", "rationale": "to see" },
        { "operation": "run", "command": ["make", "all"], "rationale": "to try" },
    ]);
    world.decides(json!({ "actions": actions }));
    world.answer(Yes::Yes);
    let gate = world.gate().expect("the command is asked for by itself").id;
    let answer = Command::Answer {
        gate,
        verdict: Yes::Yes,
        note: None,
        scope: Scope::Once,
        picks: Vec::new(),
        left: Vec::new(),
    };
    world.tell(answer).unwrap();
    let due: Vec<Order> =
        world.runs().into_iter().map(|run| serde_json::from_value(run.arguments).expect("an order")).collect();
    let granted: Vec<(bool, usize)> =
        due.iter().map(|order| (matches!(order.task, Job::Run(_)), order.granted.len())).collect();
    assert_eq!(granted, [(true, 0)]);
}

/// A command that failed since it could not read something outside.
fn kept(safety_phase: u8, path: &str) -> World {
    let mut world = World::with(Settings { safety_phase, ..Settings::default() });
    world.kept_from = Some(path.to_owned());
    world.statuses = vec![1, 0];
    world.say("Run the tests.");
    world.decides(tests());
    world.answer(Yes::Yes);
    world
}

#[test]
fn what_a_command_was_kept_from_reading_is_offered_and_it_is_run_again_with_it() {
    let mut world = kept(4, "/home/ada/envs/web");
    let gate = world.gate().expect("it is offered");
    assert!(gate.ask.intent.contains("/home/ada/envs/web") && gate.ask.intent.contains("try again"), "{gate:?}");
    assert!(gate.ask.impact.contains("Only this command can read this path"), "{gate:?}");
    assert_eq!((world.ran.len(), world.position().0), (1, Step::AwaitingApproval));
    assert!(Companion::lasting(&world.state, &gate).is_empty(), "it is opened once");
    let command = Command::Answer {
        gate: gate.id,
        verdict: Yes::Yes,
        note: None,
        scope: Scope::Session,
        picks: Vec::new(),
        left: Vec::new(),
    };
    world.tell(command).unwrap();
    let order: Order = serde_json::from_value(world.runs()[0].arguments.clone()).unwrap();
    assert_eq!(order.granted, ["/home/ada/envs/web"]);
    world.work();
    assert_eq!((world.ran.len(), world.gate(), world.state.rules.len()), (2, None, 0));
    assert_eq!(world.position().0, Step::Review, "it came off and is reviewed");
}

#[test]
fn a_no_to_reading_it_leaves_the_command_as_it_ended_and_denies_nothing_for_later() {
    let mut world = kept(4, "/home/ada/envs/web");
    world.gives(Yes::No, None, Scope::Session);
    world.work();
    assert_eq!((world.ran.len(), world.gate(), world.state.rules.len()), (1, None, 0));
    world.say("Try something else.");
    assert!(told(&world, "The person did not allow that path to be read"));

    // The command itself was never refused: it is asked for as before, and what was refused is not.
    world.statuses = vec![1];
    world.decides(tests());
    let gate = world.gate().expect("the command is asked for");
    assert_eq!(gate.ask.intent, "Run: make tests");
    world.answer(Yes::Yes);
    assert_eq!((world.ran.len(), world.gate()), (2, None), "{:?}", decided(&world));
    assert!(told(&world, "Commands may not read"), "it is told why it failed");
}

fn tests() -> Value {
    json!({ "actions": [{ "operation": "run", "command": ["make", "tests"] }], "next_step": "done" })
}

#[test]
fn a_refused_path_was_offered_again_at_every_run_of_an_allowed_command() {
    let rule = Rule { verdict: Ruling::Allow, operation: "run".to_owned(), pattern: String::new() };
    let mut world = World::with(Settings { safety_phase: 4, rules: vec![rule], ..Settings::default() });
    world.kept_from = Some("/home/ada/envs/web".to_owned());
    world.statuses = vec![1, 1, 1];
    world.say("Run the tests.");
    world.decides(tests());
    assert!(world.gate().is_some(), "it is offered once");
    world.answer(Yes::No);
    world.say("Go on.");
    world.decides(tests());
    assert_eq!((world.ran.len(), world.gate()), (2, None));
    world.decides(json!({ "reply": "It cannot be read.", "next_step": "pending_user" }));
    world.say("You may read /home/ada/envs/web.");
    world.decides(tests());
    assert!(world.gate().is_some(), "the person brought it up");
}

#[test]
fn what_may_never_be_opened_is_not_offered_to_commands() {
    for (phase, path) in [(4, "/etc/private.d"), (4, "/home/ada/.ssh/id_ed25519"), (2, "/home/ada/envs/web")] {
        let world = kept(phase, path);
        assert!(world.gate().is_none(), "{phase} {path}");
        assert!(told(&world, "Commands may not read"), "but it is told");
    }
    let mut unattended = World::with(Settings::default());
    unattended.state.attended = false;
    unattended.kept_from = Some("/home/ada/envs/web".to_owned());
    unattended.state.settings.rules =
        vec![Rule { verdict: Ruling::Allow, operation: "run".to_owned(), pattern: String::new() }];
    unattended.statuses = vec![1];
    unattended.say("Run the tests.");
    unattended.decides(json!({ "actions": [{ "operation": "run", "command": ["make", "tests"] }] }));
    assert!(unattended.gate().is_none());
}
