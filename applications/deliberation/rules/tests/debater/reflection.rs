//! The question that a debater asks its owner after a debate, and that waits until it is answered.

use enza_deliberation::Debater;
use enza_kernel::application::Application as _;
use enza_kernel::limits::length;
use serde_json::json;

use super::world::World;

fn waiting(world: &World) -> Option<String> {
    Debater::standing(&world.state).waiting_for
}

fn over() -> World {
    let mut world = World::born();
    world.seat("d1");
    world.complete("d1");
    world
}

#[test]
fn a_question_waits_for_the_owner_until_feedback_answers_it() {
    let mut world = over();
    assert_eq!(waiting(&world), None);
    world.say(
        "reflection/d1",
        "{\"question\": \"数字と物語、どちらがいい？\", \"context_summary\": \"費用の話で迷った。\"}",
    );
    assert_eq!(waiting(&world).as_deref(), Some("数字と物語、どちらがいい？"));
    let row = world.table("reflections")[0];
    assert_eq!((&row["session_id"], &row["is_answered"]), (&json!("d1"), &json!(false)));
    world.give("d1", "物語で").unwrap();
    assert_eq!(waiting(&world), None);
    assert_eq!(world.table("reflections")[0]["is_answered"], json!(true));
}

#[test]
fn a_long_question_is_cut_to_forty_characters_and_its_context_to_eighty() {
    let mut world = over();
    let answer = json!({ "question": "長".repeat(60), "context_summary": "文\n".repeat(90) }).to_string();
    world.say("reflection/d1", &answer);
    let asked = world.state.completed()[0].reflection.clone().unwrap();
    assert_eq!((length(&asked.question), length(&asked.context)), (40, 80));
    assert!(!asked.context.contains('\n'));
}

#[test]
fn nonsense_silence_and_a_model_that_hangs_end_in_a_question_by_rule() {
    let mut nonsense = over();
    while nonsense.is_asking("reflection/d1") {
        nonsense.say("reflection/d1", "{\"question\": \"  \"}");
    }
    let mut silent = over();
    silent.unanswered("reflection/d1");
    let mut late = over();
    late.wait(61);
    for world in [nonsense, silent, late] {
        let question = waiting(&world).expect("it asks all the same");
        assert!((1..=40).contains(&length(&question)), "{question}");
        assert!(world.asks().is_empty());
    }
}

#[test]
fn whoever_was_quicker_than_the_question_has_answered_it() {
    let mut world = over();
    world.give("d1", "もっと聞いて").unwrap();
    world.play();
    assert_eq!(waiting(&world), None);
    assert_eq!(world.table("reflections")[0]["is_answered"], json!(true));
}

#[test]
fn a_question_about_a_debate_that_is_closed_waits_for_nobody() {
    let mut world = World::back_home();
    assert!(waiting(&world).is_some());
    world.summon("d2").unwrap();
    assert_eq!(waiting(&world), None);
}
