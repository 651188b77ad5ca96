//! Growth: from feedback alone, all or nothing, and back again (DEL-03, DEL-85 to DEL-90, DEL-C1, DEL-C12, DEL-C20).

use enza_deliberation::{DebaterCommand, DebaterRefusal, GrowthTime};
use enza_deliberation_cast::{Persona, PersonaDiff};
use enza_kernel::application::Application as _;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use serde_json::json;

use super::world::World;

/// It has heard a feedback, and a further debate has just ended.
fn growing() -> World {
    let mut world = World::back_home();
    world.give("d1", "もっと質問して、相手の話を聞いて").unwrap();
    world.seat("d2");
    world.complete("d2");
    world
}

fn applied(world: &World) -> usize {
    world.table("feedbacks").iter().filter(|row| row["applied_at"].is_i64()).count()
}

/// DEL-85, DEL-86, DEL-89, DEL-90
#[test]
fn it_grows_when_the_next_debate_is_over_and_applies_exactly_what_it_used() {
    let mut world = growing();
    let before = world.persona();
    assert!(world.is_asking("growth"));
    world.give("d2", "これはまだ").unwrap();
    world.play();
    assert_eq!((world.version(), applied(&world)), (2, 1));
    let change = world.state.changes().last().unwrap().clone();
    assert_eq!((change.before, change.after), (before, world.persona()));
    assert_eq!(world.table("agents")[0]["persona"], json!(world.persona()));
    assert_eq!(world.state.unapplied().len(), 1, "what came meanwhile waits for the next debate");
    assert!(!world.is_asking("growth"));
}

/// DEL-87
#[test]
fn without_feedback_no_model_is_asked_and_nothing_changes() {
    let mut world = World::born();
    world.seat("d1");
    world.complete("d1");
    assert!(!world.is_asking("growth"));
    world.play();
    assert_eq!((world.version(), world.state.changes().len()), (1, 0));
}

/// DEL-03: neither a direction nor knowledge is in the prompt; a direction never comes to a debater at all.
#[test]
fn no_knowledge_reaches_the_prompt_of_growth() {
    let mut world = World::back_home();
    world.learn("ひみつの表").unwrap();
    world.give("d1", "もっと聞いて").unwrap();
    world.seat("d2");
    world.complete("d2");
    let prompt = world.request("growth").to_plain_text();
    let task = world.request("growth").task.unwrap().to_string();
    assert!(prompt.contains("もっと聞いて") && !prompt.contains("ひみつの表") && !task.contains("ひみつの表"));
    assert!(!enza_deliberation::Debater::commands().to_string().contains("direction"));
}

/// DEL-86: of whichever debates, in the order in which they were said.
#[test]
fn everything_that_was_not_applied_is_learnt_from_in_order() {
    let mut world = growing();
    world.unanswered("growth");
    world.play();
    world.give("d2", "二つ目").unwrap();
    world.seat("d3");
    world.complete("d3");
    let prompt = world.request("growth").to_plain_text();
    assert!(prompt.contains("\nもっと質問して、相手の話を聞いて\n---\n二つ目\n"), "{prompt}");
    world.play();
    assert_eq!((world.version(), applied(&world)), (2, 2));
}

/// DEL-C12
#[test]
fn a_growth_that_failed_applies_nothing_and_can_be_tried_again() {
    let mut world = growing();
    let before = world.persona();
    while world.is_asking("growth") {
        world.say("growth", "成長しました！ {\"core_values\": \"優しさ\"}");
    }
    assert_eq!((world.persona(), applied(&world)), (before.clone(), 0));
    world.play();
    let waiting = enza_deliberation::Debater::standing(&world.state).waiting_for;
    assert!(waiting.is_some(), "the owner is told");
    world.tell(DebaterCommand::RetryGrowth).unwrap();
    assert_eq!(world.tell(DebaterCommand::RetryGrowth), Err(DebaterRefusal::Growing));
    let late = world.ask("growth");
    world.wait(301);
    assert_eq!((world.persona(), applied(&world)), (before, 0), "nobody answered in time");
    let head = world.head();
    world.reply(&late, enza_kernel::conversation::Reply::default());
    assert_eq!(world.head(), head, "a late answer changes nothing");
    world.tell(DebaterCommand::RetryGrowth).unwrap();
    world.play();
    assert_eq!((world.version(), applied(&world)), (2, 1));
    let nothing = Err(DebaterRefusal::Common(CommonRefusal::NothingToRetry));
    assert_eq!(world.tell(DebaterCommand::RetryGrowth), nothing);
}

/// DEL-C1: a model that writes another version, or forgets values, is put right; its wording stays.
#[test]
fn the_version_goes_up_by_one_whatever_the_model_writes() {
    let mut world = growing();
    let answer = r#"{"background": "海辺。", "core_values": ["誠実"], "thinking_style": "待つ。", "personality_traits": ["静か"], "version": 99}"#;
    world.say("growth", answer);
    let persona = world.state.persona().unwrap();
    assert_eq!((persona.version(), persona.background()), (2, "海辺。"));
    assert_eq!(persona.core_values(), ["誠実", "好奇心", "共感"]);
}

/// DEL-C12
#[test]
fn a_growth_is_shown_as_a_diff_and_can_be_taken_back() {
    let mut world = growing();
    let first = Persona::read(&world.persona()).unwrap();
    world.play();
    let change = world.state.changes()[0].clone();
    let grown = Persona::read(&change.after).unwrap();
    let diff = PersonaDiff::between(&first, &grown);
    assert!(!diff.is_empty() && (diff.from_version, diff.to_version) == (1, 2));

    world.tell(DebaterCommand::TakeBack { change: change.id.clone() }).unwrap();
    let back = Persona::read(&world.persona()).unwrap();
    assert_eq!(back, first.with_version(3), "a new version with the old text");
    assert_eq!(applied(&world), 1, "the feedback stays applied (DEL-C20)");
    let rows = world.table("persona_changes");
    assert_eq!((rows.len(), &rows[1]["undoes"]), (2, &json!(change.id)));
    let again = world.tell(DebaterCommand::TakeBack { change: change.id });
    assert_eq!(again, Err(DebaterRefusal::NothingToTakeBack), "once");
}

#[test]
fn growths_are_taken_back_the_newest_first() {
    let mut world = growing();
    world.play();
    world.give("d2", "もっと具体的に、数字で").unwrap();
    world.sit_through("d3");
    assert_eq!(world.version(), 3);
    let ids: Vec<String> = world.state.changes().iter().map(|change| change.id.clone()).collect();
    let take_back = |id: &String| DebaterCommand::TakeBack { change: id.clone() };
    assert_eq!(world.tell(take_back(&ids[0])), Err(DebaterRefusal::NothingToTakeBack));
    world.tell(take_back(&ids[1])).unwrap();
    world.tell(take_back(&ids[0])).unwrap();
    assert_eq!(world.version(), 5);
    let first = Persona::read(&world.state.changes()[0].before).unwrap();
    assert_eq!(world.state.persona(), Some(&first.with_version(5)));
}

/// DEL-C12: where the house says so.
#[test]
fn a_house_can_let_debaters_grow_at_once() {
    let mut world = World::born_in(Lang::En, GrowthTime::AtOnce);
    world.sit_through("d1");
    world.give("d1", "Ask more questions").unwrap();
    assert!(world.is_asking("growth"));
    let id = world.state.completed()[0].feedback.clone().unwrap().id;
    let edit = DebaterCommand::EditFeedback { id, content: "Ask fewer questions".to_owned() };
    assert_eq!(world.tell(edit.clone()), Err(DebaterRefusal::Growing));
    world.play();
    assert_eq!((world.version(), applied(&world)), (2, 1));
    assert_eq!(world.tell(edit), Err(DebaterRefusal::FeedbackApplied));
}

/// Two debates run at once, and the second feedback comes while it grows by the first.
#[test]
fn what_is_said_while_it_grows_at_once_is_learnt_from_next() {
    let mut world = World::born_in(Lang::En, GrowthTime::AtOnce);
    world.seat("d1");
    world.seat("d2");
    world.complete("d1");
    world.complete("d2");
    world.give("d1", "Ask more questions").unwrap();
    world.give("d2", "Be more concrete, use numbers").unwrap();
    let only_first = world.request("growth").to_plain_text();
    assert!(!only_first.contains("use numbers"));
    world.play();
    assert_eq!((world.version(), applied(&world)), (3, 2));
}
