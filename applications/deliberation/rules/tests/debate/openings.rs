//! How a debate begins: who may open it, strategies before the first turn.

use enza_deliberation::debate::{DebateCommand, DebateEvent, DebateRefusal, OpeningFault, Stage, Status, Work};
use enza_kernel::application::Application;
use enza_kernel::conversation::Reply;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;

use super::world::{World, brief, debater, feedback, opening, someone, topic, two};
use enza_deliberation::Debates;

#[test]
fn only_a_topic_or_a_stable_opens_a_debate_and_only_once() {
    let mut world = World::new();
    let open = || opening(Lang::Ja, 3, two(Lang::Ja));
    for by in [someone("hana"), debater("d1")] {
        assert_eq!(world.by(by, open()), Err(DebateRefusal::Common(CommonRefusal::NotASession)));
    }
    world.by(topic(), open()).unwrap();
    assert_eq!(world.by(topic(), open()), Err(DebateRefusal::Common(CommonRefusal::AlreadyOpen)));
    assert_eq!(world.state.topic.id, "topic-1", "the sender is the topic, whatever the card says");
}

#[test]
fn what_could_not_be_held_is_not_begun() {
    let mut seats = two(Lang::Ja);
    seats[1].persona = "not a persona".to_owned();
    let twice = vec![brief("d1", "ソラ", Lang::Ja), brief("d1", "ソラ", Lang::Ja)];
    for (command, fault) in [
        (opening(Lang::Ja, 3, seats), OpeningFault::Persona),
        (opening(Lang::Ja, 3, twice), OpeningFault::Seats),
        (opening(Lang::Ja, 3, two(Lang::Ja)[..1].to_vec()), OpeningFault::Seats),
        (opening(Lang::Ja, 0, two(Lang::Ja)), OpeningFault::Turns),
    ] {
        assert_eq!(World::new().by(topic(), command), Err(DebateRefusal::Opening(fault)));
    }
}

#[test]
fn del_62_and_66_to_67_without_feedback_turn_1_opens_at_once() {
    let world = World::opened(3, two(Lang::Ja));
    assert!(matches!(world.state.stage, Stage::Waiting { turn: 1, .. }));
    assert_eq!(world.threads(), Vec::<String>::new());
    assert_eq!(world.state.seats.iter().filter(|seat| seat.strategy.is_some()).count(), 0);
}

/// Two seats of which the first was given feedback, or both.
fn coached(both: bool) -> World {
    let mut seats = two(Lang::Ja);
    seats[0].feedback = Some(feedback("もっと具体的に"));
    seats[1].feedback = both.then(|| feedback("聞き役に"));
    World::opened(3, seats)
}

#[test]
fn del_05_07_69_and_71_strategies_are_there_before_turn_1_and_in_its_prompts() {
    let mut world = coached(true);
    assert_eq!(world.threads(), ["strategy/s1", "strategy/s2"]);
    assert_eq!(world.state.card.status, Status::Pending);
    world.reply(&Work::Strategy { seat: "s1".into() }, Reply { text: " 数字を出す。\n".into(), ..Reply::default() });
    assert_eq!(world.state.turns.len(), 0);
    world.reply(&Work::Strategy { seat: "s2".into() }, Reply { text: "よく聞く。".into(), ..Reply::default() });
    let strategy = world.state.seats[0].strategy.clone().unwrap();
    assert_eq!((strategy.text.as_str(), strategy.feedback_id.as_deref()), ("数字を出す。", Some("f1")));
    assert!(matches!(world.state.stage, Stage::Waiting { turn: 1, .. }));
    world.advance();
    assert!(world.prompt(1, "s1").0.contains("## 今回の熟議方針\n数字を出す。\n"));
}

#[test]
fn del_13_a_strategy_is_asked_for_with_2000_tokens_at_most() {
    assert_eq!(coached(false).request(&Work::Strategy { seat: "s1".into() }).max_output, 2_000);
}

#[test]
fn del_70_a_strategy_that_fails_is_recorded_with_the_debater_and_blocks_nobody() {
    let mut world = coached(false);
    world.unanswered(&Work::Strategy { seat: "s1".into() });
    let failed = world.log.iter().find(|entry| matches!(entry.event, DebateEvent::StrategyFailed { .. })).unwrap();
    let said = Debates::logged(&world.state, &failed.event);
    assert_eq!(said.as_deref(), Some("Failed to generate strategy for agent d1"));
    assert!(matches!(world.state.stage, Stage::Waiting { turn: 1, .. }));
    world.advance();
    assert!(!world.prompt(1, "s1").0.contains("今回の熟議方針"), "DEL-80");
}

#[test]
fn del_c10_a_strategy_that_hangs_is_done_without_after_a_minute() {
    let mut world = coached(true);
    let begun = world.time - 1;
    world.reply(&Work::Strategy { seat: "s2".into() }, Reply { text: "よく聞く。".into(), ..Reply::default() });
    world.ring("strategies");
    assert_eq!(world.time - 1 - begun, 60_000);
    assert!(matches!(world.state.stage, Stage::Waiting { turn: 1, .. }));
    assert_eq!(world.state.seats.iter().map(|seat| seat.strategy.is_some()).collect::<Vec<_>>(), [false, true]);
    assert_eq!(world.threads(), Vec::<String>::new());
}

#[test]
fn two_of_one_name_are_told_apart() {
    let seats = vec![brief("d1", "ソラ", Lang::Ja), brief("d2", "ソラ", Lang::Ja)];
    let world = World::opened(3, seats);
    assert_eq!(world.state.seats.iter().map(|seat| seat.brief.name.as_str()).collect::<Vec<_>>(), ["ソラ", "ソラ 2"]);
}

#[test]
fn nothing_is_accepted_before_it_is_opened() {
    let mut world = World::new();
    assert_eq!(world.by(someone("hana"), DebateCommand::SpeakNow), Err(DebateRefusal::NotSeated));
    assert_eq!(world.by(someone(""), DebateCommand::Cancel), Err(DebateRefusal::NotActive));
}
