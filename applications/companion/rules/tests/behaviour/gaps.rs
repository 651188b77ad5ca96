//! How gaps of the document are closed, one by one, where no longer story comes by.

use enza_companion::{
    Command, Delta, Event, Mismatch, Note, Rule, Ruling, Settings, Status, Step, Template, Tokens, Unfinished,
};
use enza_kernel::agent::ThreadFailure;
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::gate::Verdict as Yes;
use serde_json::{Value, json};

use super::world::{World, plan, verdict};

fn write(path: &str) -> Value {
    json!({ "operation": "write", "path": path, "content": "new\n" })
}

fn mismatches(world: &World) -> Vec<Mismatch> {
    let noted = world.log.iter().filter_map(|entry| match &entry.event {
        Event::Noted { note: Note::Mismatch(one), .. } => Some(*one),
        _ => None,
    });
    noted.collect()
}

fn allowing() -> Settings {
    let rule = Rule { verdict: Ruling::Allow, operation: "change".to_owned(), pattern: String::new() };
    Settings { rules: vec![rule], ..Settings::default() }
}

/// In review after an allowed change.
fn in_review() -> World {
    let mut world = World::with(allowing());
    world.say("Change it");
    world.decides(json!({ "actions": [write("a.txt")], "next_step": "done" }));
    assert_eq!((world.position().0, world.role().as_str()), (Step::Review, "reviewer"));
    world
}

fn review(approval: &str) -> Value {
    json!({ "step": "REVIEW", "review": { "rating": "good", "problems": ["a typo"], "proposals": [], "approval": approval } })
}

/// G1: an answer with neither words nor operations is sent back.
#[test]
fn an_answer_without_words_and_operations_is_sent_back() {
    let mut world = World::opened();
    world.say("Hello");
    world.decides(json!({}));
    assert!(world.last_told().contains("neither a reply nor actions"), "{}", world.last_told());
}

/// G3, G4, DUCK-129: the model chooses between two patterns; further calls inside a task are base and procedure alone.
#[test]
fn a_model_that_asks_for_the_third_pattern_gets_the_second() {
    let mut world = World::opened();
    world.say("Do it");
    world.decides(json!({ "prompt_pattern": "base_specialized" }));
    let parts = |world: &World| world.request().fresh.iter().map(|part| part.name.clone()).collect::<Vec<_>>();
    assert!(parts(&world).contains(&"main".to_owned()) && parts(&world).contains(&"specialized".to_owned()));
    world.decides(json!({ "plan": plan() }));
    assert!(!parts(&world).contains(&"main".to_owned()) && parts(&world).contains(&"specialized".to_owned()));
}

/// G5, G6, G14: a rejected review is an error; it leads back to planning, which is not counted.
#[test]
fn a_rejected_review_leads_back_to_planning() {
    let mut world = in_review();
    world.decides(review("rejected"));
    assert_eq!(world.moves().last().unwrap(), "REVIEW>PLANNING");
    assert_eq!(world.role(), "executor", "and it is mended");
}

/// G7, G8, G9: a session begins at PLANNING and waits; a task ends in DONE, which is no step, and the next one begins anew.
#[test]
fn a_task_ends_in_done_and_the_next_begins_at_planning() {
    let mut world = World::opened();
    assert_eq!(world.position(), (Step::Planning, Status::RequiresUserInput));
    world = in_review();
    world.decides(review("approved"));
    world.tell(Command::Accept).unwrap();
    assert_eq!(world.moves().last().unwrap(), "REVIEW>DONE");
    assert_eq!(world.position(), (Step::Planning, Status::Success));
}

/// G13, G30: only the person accepts a result. A model that takes the next request for a new task leaves the old one behind.
#[test]
fn no_model_accepts_a_result() {
    let mut world = in_review();
    world.decides(review("approved"));
    world.say("Now something else");
    world.decides(json!({ "new_task": true, "actions": [write("b.txt")], "next_step": "done" }));
    assert!(!world.moves().contains(&"REVIEW>DONE".to_owned()), "{:?}", world.moves());
    assert_eq!(world.state.memory.experiences, Vec::<String>::new(), "nobody said that it came off");
    assert!(world.log.iter().any(|entry| matches!(entry.event, Event::TaskEnded { .. })));
    assert_eq!(world.moves().iter().filter(|one| one.starts_with("PLANNING>")).count(), 2, "one move each (G11)");
}

/// DUCK-63, G11: a plan may be checked before it is carried out, which is a move of its own.
#[test]
fn a_plan_can_be_reviewed_before_it_is_carried_out() {
    let mut world = World::opened();
    world.say("Plan it, and check the plan first");
    world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
    world.decides(json!({ "plan": plan(), "next_step": "pending_user" }));
    world.say("Check it");
    world.decides(json!({ "step": "REVIEW", "prompt_pattern": "base_main_specialized" }));
    assert_eq!((world.moves(), world.role().as_str()), (vec!["PLANNING>REVIEW".to_owned()], "reviewer"));
    world.decides(review("approved"));
    assert_eq!(world.role(), "executor", "the plan is good: it is carried out");
    world.decides(json!({ "step": "EXECUTION", "actions": [write("a.txt")], "next_step": "done" }));
    assert_eq!(world.moves().last().unwrap(), "REVIEW>AWAITING_APPROVAL");
    world.answer(Yes::Yes);
    assert!(world.files.contains_key("a.txt"));
}

/// G16, DUCK-78: a refused move is told to the next call, once.
#[test]
fn a_refused_move_is_told_to_the_next_call() {
    let mut world = World::opened();
    world.say("Change it");
    world.decides(json!({ "actions": [write("a.txt")] }));
    world.answer(Yes::Yes);
    world.decides(json!({ "step": "PLANNING", "reply": "Back to planning.", "next_step": "pending_user" }));
    world.say("Go on");
    assert!(world.request().to_plain_text().contains("The move to PLANNING was refused"));
    world.decides(json!({ "step": "EXECUTION", "reply": "Yes.", "next_step": "pending_user" }));
    world.say("And now?");
    assert!(!world.request().to_plain_text().contains("was refused"));
}

/// G17: defer sends a task to the background with what it wants; continue goes on, and a model that only says so is stopped.
#[test]
fn the_four_words_for_what_comes_next() {
    let mut world = World::with(allowing());
    world.say("Long work");
    world.decides(json!({ "actions": [write("a.txt")], "next_step": "defer" }));
    assert_eq!((world.state.focus, world.files.contains_key("a.txt")), (2, true), "behind, and done");

    let mut world = World::opened();
    world.say("Work");
    world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
    world.decides(json!({ "reply": "I shall.", "next_step": "continue" }));
    assert_eq!((world.asks().len(), world.position().1), (1, Status::InProgress), "it goes on");
    world.decides(json!({ "reply": "I shall.", "next_step": "continue" }));
    assert_eq!((world.asks().len(), world.position().1), (0, Status::RequiresUserInput), "and not for ever");
}

/// G18, DUCK-83: an answer to yes or no begins with one of them; "no reason to do it" is a no.
#[test]
fn a_self_check_begins_with_yes_or_no() {
    for vague in ["", "it fits the goal", "perhaps"] {
        let mut world = World::opened();
        world.say("Go");
        world.decides(json!({ "goal_consistency": vague, "reply": "Yes.", "next_step": "done" }));
        assert!(world.last_told().contains("goal_consistency: begin with"), "{vague}: {}", world.last_told());
    }
    let mut world = World::opened();
    world.say("Go");
    world.decides(json!({ "goal_consistency": "No reason to delete this", "actions": [write("a.txt")] }));
    assert_eq!((world.gate(), world.position().1), (None, Status::RequiresUserInput), "it is a doubt");
}

/// G19: a plain line fills the last change alone.
#[test]
fn a_plain_line_is_the_latest_change() {
    let mut world = World::opened();
    world.say("Go");
    world.decides(json!({ "state_delta": "looked around", "reply": "Yes.", "next_step": "done" }));
    let mind = &world.state.front().unwrap().mind;
    assert_eq!((mind.last_delta.as_str(), mind.goal.as_str()), ("looked around", ""));
}

/// G33, G36: where not even the core fits, the short wording is used; what is then still too long is reported and not cut.
#[test]
fn under_an_extreme_budget_the_short_wording_is_used() {
    let tokens = Tokens { base_max_tokens: 100, main_max_tokens: 60, ..Tokens::default() };
    let mut world = World::with(Settings { tokens, ..Settings::default() });
    world.say("Hello");
    let said = world.request().to_plain_text();
    assert!(said.contains("Personality: ") && said.contains("The situation: "), "{said}");
    world.tell(Command::Mind(Delta { goal: Some("goal ".repeat(40)), ..Delta::default() })).unwrap();
    assert!(world.request().to_plain_text().contains(&"goal ".repeat(39)), "never cut");
    let is_told = |event: &Event| matches!(event, Event::Noted { note: Note::TooLong { .. }, .. });
    assert!(world.log.iter().any(|entry| is_told(&entry.event)), "and told");
    assert_eq!(world.state.settings.template, Template::Standard);
}

/// DUCK-103: a procedure keeps to its own limit: the files it names give way first.
#[test]
fn a_procedure_keeps_to_its_limit() {
    let tokens = Tokens { specialized_max_tokens: 400, ..Tokens::default() };
    let mut world = World::with(Settings { tokens, ..Settings::default() });
    for number in 0..15 {
        world.files.insert(format!("{number}/{}.txt", "n".repeat(80)), "x\n".to_owned());
    }
    world.say("Plan");
    for number in 0..15 {
        let path = format!("{number}/{}.txt", "n".repeat(80));
        world.decides(json!({ "actions": [{ "operation": "read", "path": path }] }));
    }
    world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
    let request = world.request();
    let part = request.fresh.iter().find(|part| part.name == "specialized").unwrap();
    assert!(enza_kernel::conversation::estimate_tokens(&part.text) <= 400);
    assert!(request.cuts.iter().any(|cut| cut.section == "files_seen"), "{:?}", request.cuts);
}

/// G43, DUCK-60: the five items are held against each other after a person's change, a plan, and an operation, too.
#[test]
fn what_does_not_go_together_is_found_after_every_change() {
    let mut world = World::opened();
    let mind = Delta { why_now: Some("the release".to_owned()), ..Delta::default() };
    world.tell(Command::Mind(mind)).unwrap();
    assert_eq!(mismatches(&world), [Mismatch::ReasonWithoutGoal]);
    let mut world = World::opened();
    let mind = Delta {
        goal: Some("a greeting".to_owned()),
        constraints: Some(vec!["don't touch legacy".to_owned()]),
        open_questions: Some(vec!["Which name?".to_owned()]),
        decision_log: Some(vec!["Which name? Ada".to_owned()]),
        ..Delta::default()
    };
    world.tell(Command::Mind(mind)).unwrap();
    world.say("Go");
    world.decides(json!({ "actions": [write("legacy/a.txt")] }));
    assert_eq!(mismatches(&world), [Mismatch::QuestionAnswered, Mismatch::ActionAgainstConstraint]);
}

/// G42, DUCK-54, DUCK-55: lists keep the newest of what they may hold.
#[test]
fn references_and_decisions_are_bounded() {
    let mut world = World::opened();
    for number in 0..60 {
        world.say("Go");
        let delta =
            json!({ "context_refs": [format!("file:{number}.rs")], "decision_log": [format!("decided {number}")] });
        world.decides(json!({ "state_delta": delta, "reply": "Yes.", "next_step": "done" }));
    }
    world.say("Plan");
    world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
    world.decides(json!({ "plan": plan(), "next_step": "pending_user" }));
    let mind = &world.state.front().unwrap().mind;
    assert_eq!((mind.context_refs.len(), mind.decision_log.len()), (20, 50));
    assert!(mind.context_refs.last().unwrap().starts_with("plan:"));
}

/// G47, DUCK-27: three steps on a level; a step that is carried out may have a plan of its own.
#[test]
fn a_plan_has_three_steps_and_a_step_may_have_its_own() {
    let mut world = World::opened();
    world.say("Plan");
    world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
    let steps = |count: usize| (0..count).map(|number| format!("step {number}")).collect::<Vec<_>>();
    let mut long = plan();
    long["steps"] = json!(steps(4));
    world.decides(json!({ "plan": long }));
    assert!(world.last_told().contains("at most 3"), "{}", world.last_told());
    world.decides(json!({ "plan": plan() }));
    let mut part = plan();
    (part["name"], part["steps"]) = (json!("Part"), json!(steps(3)));
    world.decides(
        json!({ "step": "EXECUTION", "plan": part, "actions": [{ "operation": "read", "path": "README.md" }] }),
    );
    let work = world.state.front().unwrap().task.clone().unwrap();
    assert_eq!((work.plan.unwrap().1.name.as_str(), work.part.unwrap().1.name.as_str()), ("Greet", "Part"));
    assert!(world.request().to_plain_text().contains("Plan of this step"));
}

/// G50, DUCK-93: what a reply asks is an open question until the person speaks.
#[test]
fn a_question_is_open_until_the_person_speaks() {
    let mut world = World::opened();
    world.say("Add a test");
    world.decides(json!({ "reply": "Which folder? Any other?", "next_step": "pending_user" }));
    assert_eq!(world.state.front().unwrap().mind.open_questions, ["Which folder?"]);
    world.say("tests");
    assert_eq!(world.state.front().unwrap().mind.open_questions, Vec::<String>::new());
}

/// G15, DUCK-81: the way out leads to the beginning, out of a failure and without a task, too.
#[test]
fn a_reset_leads_to_the_beginning() {
    let mut world = World::opened();
    world.tell(Command::Mind(Delta { goal: Some("a goal".to_owned()), ..Delta::default() })).unwrap();
    world.say("Go");
    let ask = world.asks().remove(0);
    world.settle(&Effect::AskModel(ask), Outcome::Unanswered { why: "nobody there".to_owned() });
    let failure = |world: &World| world.state.front().and_then(|task| world.state.failure(task)).cloned();
    assert!(matches!(failure(&world), Some(ThreadFailure::Unanswered { .. })));
    world.tell(Command::Reset).unwrap();
    assert_eq!((failure(&world), world.position()), (None, (Step::Planning, Status::RequiresUserInput)));
    assert_eq!(world.state.front().unwrap().mind.goal, "");
}

/// DUCK-75: work whose call fails goes back to planning, and is tried again from there.
#[test]
fn a_call_that_fails_leads_back_to_planning() {
    let mut world = World::with(allowing());
    world.say("Change it");
    world.decides(json!({ "actions": [write("a.txt")] }));
    assert_eq!(world.position().0, Step::Execution);
    let ask = world.asks().remove(0);
    world.settle(&Effect::AskModel(ask), Outcome::Unanswered { why: "nobody there".to_owned() });
    assert_eq!(world.position(), (Step::Planning, Status::Error));
    world.tell(Command::Retry).unwrap();
    world.decides(json!({ "step": "EXECUTION", "actions": [write("b.txt")], "next_step": "done" }));
    assert_eq!((world.position().0, world.files.contains_key("b.txt")), (Step::Review, true));
    let ask = world.asks().remove(0);
    world.settle(&Effect::AskModel(ask), Outcome::Unanswered { why: "nobody there".to_owned() });
    world.tell(Command::Retry).unwrap();
    world.decides(review("approved"));
    world.tell(Command::Accept).unwrap();
    assert_eq!(world.position().1, Status::Success, "a review that is tried again ends as well");
}

/// DUCK-14, DUCK-15, DUCK-17: what a person has set is told, and when anything last changed.
#[test]
fn the_memory_names_settings_and_the_last_change() {
    let mut world = World::with(Settings { commit: true, ..Settings::default() });
    world.time = enza_kernel::time::Timestamp(world.time.0 + 86_400_000);
    world.say("Hello");
    let said = world.request().to_plain_text();
    assert!(said.contains("accepted results are committed") && said.contains("2026-11-17"), "{said}");
}

/// DUCK-40: every pair of step and status can be had, and is kept as it is.
#[test]
fn every_pair_of_step_and_status_can_be_had() {
    let mut world = World::opened();
    let statuses = [Status::InProgress, Status::Success, Status::Error, Status::RequiresUserInput];
    for (from, step) in [("PLANNING", "EXECUTION"), ("EXECUTION", "REVIEW"), ("REVIEW", "AWAITING_APPROVAL")] {
        world.take(vec![Event::Moved {
            desk: 1,
            way: enza_kernel::moves::MoveKind::Ordinary,
            from: from.to_owned(),
            to: step.to_owned(),
            trigger: "a test".to_owned(),
        }]);
        for status in statuses {
            world.take(vec![Event::StatusSet { desk: 1, status }]);
            let kept = serde_json::to_value(&world.state).unwrap();
            let kept: enza_companion::State = serde_json::from_value(kept).unwrap();
            assert_eq!(kept.position(), (Step::from_word(step).unwrap(), status));
        }
    }
}

/// DUCK-37, DUCK-41: where a person has to say something, it is said what.
#[test]
fn whoever_must_say_something_is_told_what() {
    let world = {
        let mut world = in_review();
        world.decides(review("approved"));
        world
    };
    assert_eq!(world.position(), (Step::Review, Status::RequiresUserInput));
    let last = world.log.iter().rev().find_map(|entry| match &entry.event {
        Event::Noted { note, .. } => Some(note.clone()),
        _ => None,
    });
    assert_eq!(last, Some(Note::AwaitsAcceptance));
}

/// G16, G28: a verdict that was never sent back is one; what a person says at a gate leaves it open.
#[test]
fn a_whole_verdict_is_taken_at_once() {
    let mut world = World::opened();
    world.say("Change it");
    world.reply_text(&verdict(json!({ "actions": [write("a.txt")] })).to_string());
    world.work();
    let gate = world.gate().unwrap().id;
    world.say("Hm, let me think");
    assert_eq!(world.gate().unwrap().id, gate);
}

/// DUCK-61: where work stood is brought over whole.
#[test]
fn unfinished_work_is_brought_over() {
    let unfinished = Unfinished {
        goal: "a greeting".to_owned(),
        why_now: "the release".to_owned(),
        plan_brief: vec!["write it".to_owned()],
        open_questions: vec!["which name?".to_owned()],
        constraints: vec!["no new dependency".to_owned()],
        decision_log: vec!["in Rust".to_owned()],
    };
    let memory = enza_companion::Memory { unfinished: Some(unfinished), ..enza_companion::Memory::default() };
    let mut world = World::opened();
    let Event::Opened(opened) = world.log[0].event.clone() else { panic!("opened first") };
    world = World::open(enza_companion::Open { memory, ..opened.open });
    let mind = &world.state.front().unwrap().mind;
    assert_eq!((mind.goal.as_str(), mind.plan_brief.len()), ("a greeting", 1));
    assert_eq!((mind.constraints.len(), mind.decision_log.len()), (1, 1));
}
