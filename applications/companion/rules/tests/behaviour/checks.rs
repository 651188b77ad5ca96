//! What the project's checks say decides whether work is done.

use enza_companion::{Acceptable, CheckCommand, Command, Mode, Note, Refusal, Settings, Status, Step, When};
use enza_kernel::application::Reason as _;
use enza_kernel::effect::{Effect, Outcome, RunTool};
use enza_kernel::text::Lang;
use enza_work::{Job, Order, Receipt, RunEnd};
use serde_json::{Value, json};

use super::world::{World, verdict};

fn checked() -> World {
    let check = |name: &str, words: &[&str]| CheckCommand {
        name: name.to_owned(),
        command: words.iter().map(|word| (*word).to_owned()).collect(),
    };
    let checks = vec![check("lint", &["ruff", "check"]), check("tests", &["pytest", "-q"])];
    World::with(Settings { checks, mode: Mode::AcceptEdits, recoveries: 1, ..Settings::default() })
}

fn write(path: &str, content: &str) -> Value {
    json!([{ "operation": "write", "path": path, "content": content }])
}

/// A change after which the second check fails.
fn red() -> World {
    let mut world = checked();
    world.statuses = vec![0, 1];
    world.say("Change it");
    world.decides(json!({ "actions": write("a.txt", "wrong\n"), "next_step": "done", "step": "EXECUTION" }));
    world
}

fn last_note(world: &World) -> Option<Note> {
    world.log.iter().rev().find_map(|entry| match &entry.event {
        enza_companion::Event::Noted { note, .. } => Some(note.clone()),
        _ => None,
    })
}

fn failing() -> Option<Note> {
    Some(Note::ChecksFailed { checks: vec!["pytest -q".to_owned()] })
}

#[test]
fn red_checks_ended_as_success_where_the_model_said_done() {
    let mut world = red();
    world.decides(json!({ "reply": "Done!", "next_step": "done", "step": "PLANNING" }));
    assert_eq!(last_note(&world), failing());
    assert_eq!(world.position(), (Step::Planning, Status::RequiresUserInput));
    assert_eq!(world.state.red_checks(), ["pytest -q"]);
    for (lang, words) in [
        (Lang::En, "Not done: the checks fail: pytest -q"),
        (Lang::Ja, "完了していません。変更後の確認が失敗しています: pytest -q"),
    ] {
        assert!(world.read(lang).contains(words), "{}", world.read(lang));
    }
}

#[test]
fn a_review_that_is_content_does_not_make_red_checks_green() {
    let mut world = red();
    world.decides(json!({ "prompt_pattern": "base_main_specialized", "step": "REVIEW", "next_step": "continue" }));
    let review = json!({ "rating": "good", "problems": [], "proposals": [], "approval": "approved" });
    world.decides(json!({ "step": "REVIEW", "next_step": "done", "review": review }));
    assert_eq!(last_note(&world), failing());
    assert_eq!(world.state.acceptable(), None, "there is no result to accept");
    let refused = world.tell(Command::Accept).unwrap_err();
    assert_eq!(refused, Refusal::ChecksFailed { checks: vec!["pytest -q".to_owned()] });
    assert!(refused.say(Lang::Ja).message.contains("pytest -q") && refused.say(Lang::En).message.contains("pytest -q"));
}

#[test]
fn checks_that_pass_after_a_mend_let_the_work_be_accepted() {
    let mut world = red();
    world.decides(json!({ "actions": write("a.txt", "right\n"), "next_step": "done", "step": "EXECUTION" }));
    assert_eq!(world.state.red_checks(), Vec::<String>::new());
    let review = json!({ "rating": "good", "problems": [], "proposals": [], "approval": "approved" });
    world.decides(json!({ "step": "REVIEW", "next_step": "done", "review": review }));
    assert_eq!(world.state.acceptable(), Some(Acceptable::Result));
}

#[test]
fn what_a_person_mended_by_hand_is_checked_again_before_it_is_called_red() {
    let mut world = red();
    world.decides(json!({ "reply": "Done!", "next_step": "done", "step": "PLANNING" }));
    let ran = world.ran.len();
    world.files.insert("a.txt".to_owned(), "right\n".to_owned());
    world.say("I have mended it myself, go on");
    world.decides(json!({ "reply": "Fine.", "next_step": "done", "step": "PLANNING" }));
    assert_eq!((world.ran.len(), world.state.red_checks().len()), (ran + 2, 0), "{:?}", world.ran);
    assert_eq!(world.role(), "reviewer");

    let mut world = red();
    world.decides(json!({ "reply": "Done!", "next_step": "done", "step": "PLANNING" }));
    world.statuses = vec![0, 1];
    world.say("Is it done?");
    world.decides(json!({ "reply": "Yes, done.", "next_step": "done", "step": "PLANNING" }));
    assert_eq!(world.state.red_checks(), ["pytest -q"], "still red, and it goes back to the model");
    assert!(world.last_told().contains("check pytest -q (tests): it ended with status 1"), "{}", world.last_told());
}

#[test]
fn a_check_that_the_model_runs_itself_with_success_counts() {
    let mut world = red();
    let run = json!([{ "operation": "run", "command": ["pytest", "-q"] }]);
    world.decides(json!({ "actions": run, "next_step": "continue", "step": "EXECUTION" }));
    world.answer(enza_kernel::gate::Verdict::Yes);
    assert_eq!(world.state.red_checks(), Vec::<String>::new());
}

#[test]
fn what_came_of_a_command_did_not_say_of_which() {
    let mut world = checked();
    world.statuses = vec![2, 0, 1];
    world.say("Change it");
    let run = json!({ "operation": "run", "command": ["make", "all"], "path": "src" });
    let actions = json!([{ "operation": "write", "path": "a.txt", "content": "x\n" }, run]);
    world.decides(json!({ "actions": actions, "next_step": "done", "step": "EXECUTION" }));
    world.answer(enza_kernel::gate::Verdict::Yes);
    let ran = world.log.iter().filter_map(|entry| match &entry.event {
        enza_companion::Event::OrderEnded { receipt, .. } => match &**receipt {
            Receipt::Ran(ran) => Some((ran.command.clone(), ran.ended)),
            _ => None,
        },
        _ => None,
    });
    let ended = |command: &str, status| (command.to_owned(), RunEnd::Status(status));
    let expected = vec![ended("cd src && make all", 2), ended("ruff check", 0), ended("pytest -q", 1)];
    assert_eq!(ran.collect::<Vec<_>>(), expected);
}

#[test]
fn a_change_is_checked_although_a_command_failed_beside_it() {
    let mut world = checked();
    world.statuses = vec![2, 0, 0];
    world.say("Change it");
    let run = json!({ "operation": "run", "command": ["make"] });
    let actions = json!([{ "operation": "write", "path": "a.txt", "content": "x\n" }, run]);
    world.decides(json!({ "actions": actions, "next_step": "done", "step": "EXECUTION" }));
    world.answer(enza_kernel::gate::Verdict::Yes);
    assert_eq!(world.ran.len(), 3, "the command and both checks: {:?}", world.ran);
}

#[test]
fn what_was_taken_back_is_no_longer_red() {
    let mut world = red();
    world.decides(json!({ "reply": "Done!", "next_step": "done", "step": "PLANNING" }));
    world.tell(Command::TakeBack { turn: 1 }).unwrap();
    world.work();
    assert_eq!(world.state.red_checks(), Vec::<String>::new());
}

/// A second turn on top of work whose checks fail, and it is over.
fn second_turn() -> World {
    let mut world = red();
    world.decides(json!({ "reply": "Done!", "next_step": "done", "step": "PLANNING" }));
    world.say("Write it down, too");
    world.statuses = vec![0, 1];
    world.decides(json!({ "actions": write("notes.txt", "n\n"), "next_step": "done", "step": "EXECUTION" }));
    world.decides(json!({ "reply": "Noted.", "next_step": "done", "step": "PLANNING" }));
    world
}

#[test]
fn taking_back_a_later_turn_made_red_checks_green() {
    let mut world = second_turn();
    world.tell(Command::TakeBack { turn: 2 }).unwrap();
    world.work();
    assert_eq!((world.files.get("notes.txt"), world.state.red_checks()), (None, vec!["pytest -q".to_owned()]));
    let ran = world.ran.len();
    world.statuses = vec![0, 1];
    world.say("Is it done?");
    world.decides(json!({ "reply": "Yes, done.", "next_step": "done", "step": "PLANNING" }));
    assert_eq!(world.ran.len(), ran + 2, "the checks decide: {:?}", world.ran);
    assert_eq!(world.state.red_checks(), ["pytest -q"]);
}

#[test]
fn taking_back_what_made_red_checks_green_left_them_unasked() {
    let mut world = red();
    world.decides(json!({ "reply": "Done!", "next_step": "done", "step": "PLANNING" }));
    world.say("Mend it");
    world.decides(json!({ "actions": write("a.txt", "right\n"), "next_step": "continue", "step": "EXECUTION" }));
    world.decides(json!({ "reply": "Mended.", "next_step": "pending_user", "step": "PLANNING" }));
    assert_eq!(world.state.red_checks(), Vec::<String>::new());
    world.tell(Command::TakeBack { turn: 2 }).unwrap();
    world.work();
    let ran = world.ran.len();
    world.statuses = vec![0, 1];
    world.say("Is it done?");
    world.decides(json!({ "reply": "Yes, done.", "next_step": "done", "step": "PLANNING" }));
    assert_eq!((world.files["a.txt"].as_str(), world.ran.len()), ("wrong\n", ran + 2), "{:?}", world.ran);
    assert_eq!(world.state.red_checks(), ["pytest -q"]);
}

#[test]
fn an_undo_that_restored_nothing_made_red_checks_green() {
    let mut world = red();
    world.decides(json!({ "reply": "Done!", "next_step": "done", "step": "PLANNING" }));
    world.files.insert("a.txt".to_owned(), "by hand\n".to_owned());
    world.tell(Command::TakeBack { turn: 1 }).unwrap();
    world.work();
    assert_eq!((world.files["a.txt"].as_str(), world.state.red_checks()), ("by hand\n", vec!["pytest -q".to_owned()]));
    let ran = world.ran.len();
    world.statuses = vec![0, 1];
    world.say("Is it done?");
    world.decides(json!({ "reply": "Yes, done.", "next_step": "done", "step": "PLANNING" }));
    assert_eq!((world.ran.len(), world.state.red_checks().len()), (ran + 2, 1), "{:?}", world.ran);
}

/// A change whose checks are under way, and the person breaks in.
fn cut_off() -> World {
    let mut world = checked();
    world.say("Change it");
    let change = json!({ "actions": write("a.txt", "wrong\n"), "next_step": "done", "step": "EXECUTION" });
    world.reply_text(&verdict(change).to_string());
    while let Some(run) = world.runs().into_iter().next().filter(|run| !is_command(run)) {
        world.carry_out_one(&run);
    }
    let check = world.runs().into_iter().next().expect("the first check is due");
    world.settle(&Effect::RunTool(check), Outcome::Starting { mark: "m1".to_owned() });
    world.say_when("Wait", When::Now).unwrap();
    world.work();
    world
}

fn is_command(run: &RunTool) -> bool {
    let order: Order = serde_json::from_value(run.arguments.clone()).expect("an order");
    matches!(order.task, Job::Run(_))
}

#[test]
fn checks_that_were_cut_off_counted_as_green() {
    let mut world = cut_off();
    let ran = world.ran.len();
    world.statuses = vec![0, 1];
    world.decides(json!({ "reply": "It is done.", "next_step": "done", "step": "PLANNING" }));
    assert_eq!((world.files["a.txt"].as_str(), world.ran.len()), ("wrong\n", ran + 2), "{:?}", world.ran);
    assert_eq!(world.state.red_checks(), ["pytest -q"]);
    assert!(world.last_told().contains("check pytest -q (tests): it ended with status 1"), "{}", world.last_told());

    let mut world = cut_off();
    let ran = world.ran.len();
    world.decides(json!({ "reply": "It is done.", "next_step": "done", "step": "PLANNING" }));
    assert_eq!((world.ran.len(), world.role().as_str()), (ran + 2, "reviewer"), "both pass, and it is reviewed");
    let review = json!({ "rating": "good", "problems": [], "proposals": [], "approval": "approved" });
    world.decides(json!({ "step": "REVIEW", "next_step": "done", "review": review }));
    assert_eq!((world.ran.len(), world.state.acceptable()), (ran + 2, Some(Acceptable::Result)), "once is enough");
}
