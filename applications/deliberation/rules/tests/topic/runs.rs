//! Runs: who is looked for, drawn, summoned and seated, and why there is none.

use enza_deliberation::debate::{self, Stage};
use enza_deliberation::topic::{DebateOutcome, SkipReason, TopicCommand, TopicEvent, TopicRefusal, TopicSettings, lot};
use enza_deliberation::{Debates, ToDebater};
use enza_kernel::application::{Application, Phase};
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::errand::ErrandKind;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::time::{Now, Seq, Timestamp};
use serde_json::json;

use super::world::{HOUR, World, every_four_hours, owner, session};
use enza_deliberation::Topics;

const FIVE: [&str; 5] = ["d1", "d2", "d3", "d4", "d5"];

fn looked() -> World {
    let mut world = World::begun(every_four_hours());
    world.ring("run");
    world
}

#[test]
fn del_63_65_and_c3_candidates_are_active_debaters_for_whom_something_was_done_within_three_days() {
    let world = looked();
    let ErrandKind::Look(look) = &world.errands()[0].what else { panic!("it looks") };
    let now = world.time;
    assert_eq!(now, 4 * HOUR);
    assert!(look.takes(&json!({"status": "active", "active_at": now - 72 * HOUR})));
    assert!(!look.takes(&json!({"status": "active", "active_at": now - 72 * HOUR - 1})));
    assert!(!look.takes(&json!({"status": "reserve", "active_at": now})));
}

#[test]
fn del_64_the_lot_is_the_same_for_the_same_seed_in_whatever_order_they_came() {
    let names = |order: &[&str]| order.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let one = lot([7, 11], names(&FIVE));
    assert_eq!(one, lot([7, 11], names(&["d5", "d3", "d1", "d2", "d4", "d3"])), "and nobody twice");
    assert!((0..20).any(|seed| lot([seed, 0], names(&FIVE)) != one));
    let mut world = looked();
    world.find(&FIVE);
    let run = world.state.run.clone().unwrap();
    assert_eq!(run.order, lot(run.seed, names(&FIVE)), "what was drawn can be drawn again");
}

#[test]
fn del_64_four_are_summoned_at_once_with_the_instant_of_the_run() {
    let mut world = looked();
    world.find(&FIVE);
    let order = world.state.run.as_ref().unwrap().order.clone();
    assert_eq!(world.summoned(), order[..4]);
    let (_, command) = &world.told()[0];
    let ToDebater::Summon { debate, run, most_per_run, title } = command else { panic!("a summons") };
    assert_eq!((debate, run.0, *most_per_run, title.as_str()), (&world.debate(), 4 * HOUR, 2, "駅前の広場"));
}

#[test]
fn whoever_declines_makes_room_for_the_next_of_the_lot() {
    let mut world = looked();
    world.find(&FIVE);
    let order = world.state.run.as_ref().unwrap().order.clone();
    world.declines(&order[0]);
    assert!(world.summoned().contains(&order[4]));
    let debate = world.opens();
    assert_eq!(world.state.debates[&debate].debaters, order[1..]);
}

#[test]
fn a_debate_is_opened_with_what_everybody_brought_and_they_hear_that_it_has() {
    let mut world = looked();
    world.find(&FIVE[..3]);
    let order = world.state.run.as_ref().unwrap().order.clone();
    // In whatever order they sit down, seats follow the lot.
    for debater in order.iter().rev() {
        world.comes(debater);
    }
    let (errand, command) = world.opening().unwrap();
    let ErrandKind::Open { session: debate, application, of, .. } = errand.what.clone() else { panic!("it opens") };
    assert_eq!((application.as_str(), of.as_deref()), ("debate", Some("topic-1")));
    let open: debate::DebateCommand = serde_json::from_value(command).unwrap();
    let now = Now { time: Timestamp(world.time), head: Seq(0), by: session("topic-1", "debate-topic") };
    let events = Debates::new().decide(&debate::DebateState::default(), open, &now).unwrap();
    let mut state = debate::DebateState::default();
    for event in events {
        let entry = enza_kernel::application::Entry { seq: Seq(1), at: Timestamp(0), event };
        Debates::evolve(&mut state, &entry);
    }
    assert_eq!(state.seats.iter().map(|seat| seat.brief.debater.clone()).collect::<Vec<_>>(), order);
    assert_eq!((state.settings.debate.clone(), state.settings.host.as_str()), (debate, "hana"));
    assert!(matches!(state.stage, Stage::Waiting { turn: 1, .. }));
    world.time += 5;
    world.settle(&Effect::RunErrand(errand), Outcome::Delivered { at: Seq(1) });
    let seated = world
        .told()
        .into_iter()
        .filter(|(_, command)| matches!(command, ToDebater::Seated { started_at, .. } if started_at.0 == 4 * HOUR + 5));
    assert_eq!(seated.count(), 3);
}

#[test]
fn del_c3_a_topic_with_one_candidate_is_skipped_and_the_candidate_is_free_again() {
    let mut world = looked();
    world.find(&["d1"]);
    world.comes("d1");
    assert_eq!(world.skips(), [SkipReason::TooFew { count: 1 }]);
    assert_eq!(world.released(), ["d1"]);
    assert_eq!(world.state.run, None);
    let skipped = world.log.last().unwrap();
    assert!(Topics::logged(&world.state, &skipped.event).unwrap().contains("TooFew"), "the reason is logged");
}

#[test]
fn candidates_that_all_decline_leave_no_debate() {
    let mut world = looked();
    world.find(&FIVE);
    while let Some(debater) = world.summoned().into_iter().next() {
        world.declines(&debater);
    }
    assert_eq!(world.skips(), [SkipReason::TooFew { count: 0 }]);
    assert_eq!(world.released(), Vec::<String>::new());
    assert!(world.timer("summons").is_none());
}

#[test]
fn without_any_candidate_there_is_no_debate_and_the_schedule_goes_on() {
    let mut world = looked();
    world.find(&[]);
    assert_eq!(world.skips(), [SkipReason::TooFew { count: 0 }]);
    assert_eq!(world.timer("run").unwrap().at, Timestamp(8 * HOUR));
}

#[test]
fn del_c24_partners_of_the_house_fill_empty_seats_where_the_topic_allows_it() {
    let mut world = World::begun(TopicSettings { partners: true, ..every_four_hours() });
    world.ring("run");
    world.find(&["d1"]);
    world.comes("d1");
    let (_, command) = world.opening().unwrap();
    let seats = command["open"]["seats"].as_array().unwrap();
    assert_eq!(seats.len(), 4);
    assert_eq!(seats.iter().filter(|seat| seat["owner"].is_null()).count(), 3);
    // Among themselves they have no debate.
    let mut alone = World::begun(TopicSettings { partners: true, ..every_four_hours() });
    alone.ring("run");
    alone.find(&[]);
    assert_eq!(alone.skips(), [SkipReason::TooFew { count: 0 }]);
}

#[test]
fn after_a_minute_whoever_has_not_sat_down_is_done_without() {
    let mut world = looked();
    world.find(&FIVE[..3]);
    let debate = world.debate();
    let order = world.state.run.as_ref().unwrap().order.clone();
    world.comes(&order[0]);
    world.comes(&order[1]);
    let begun = world.time;
    world.ring("summons");
    assert_eq!(world.time - begun, 60_000);
    assert_eq!(world.released(), [order[2].clone()]);
    assert_eq!(world.state.debates[&debate].debaters, order[..2]);
    let late = TopicCommand::Brief { debate, brief: super::world::brief(&order[2]) };
    assert_eq!(world.by(session(&order[2], "debater"), late), Err(TopicRefusal::NotSummoned));
}

#[test]
fn a_brief_that_comes_before_the_summons_is_known_to_have_arrived_counts() {
    let mut world = looked();
    world.find(&FIVE[..2]);
    for debater in world.summoned() {
        world.sits_down(&debater).unwrap();
    }
    assert!(world.opening().is_some());
    // What came of the summonses afterwards changes nothing any more.
    let summonses = world.errands().into_iter().filter(|errand| matches!(errand.what, ErrandKind::Tell { .. }));
    for errand in summonses.collect::<Vec<_>>() {
        world.settle(&Effect::RunErrand(errand), Outcome::Delivered { at: Seq(9) });
    }
    assert_eq!(world.errands().len(), 1);
}

#[test]
fn nobody_sits_down_for_somebody_else_or_uncalled() {
    let mut world = looked();
    world.find(&FIVE[..2]);
    let command = |debater: &str| TopicCommand::Brief { debate: world.debate(), brief: super::world::brief(debater) };
    let (for_another, uncalled) = (command("d1"), command("d9"));
    let no = Err(TopicRefusal::Common(CommonRefusal::NotASession));
    assert_eq!(world.by(session("d2", "debater"), for_another.clone()), no);
    assert_eq!(world.by(owner(), for_another), no);
    assert_eq!(world.by(session("d9", "debater"), uncalled), Err(TopicRefusal::NotSummoned));
}

#[test]
fn a_run_missed_for_three_days_is_caught_up_once() {
    let mut world = World::begun(every_four_hours());
    world.time = 72 * HOUR + 5;
    world.ring("run");
    let begun = world.log.iter().filter_map(|entry| match &entry.event {
        TopicEvent::RunBegun { run, .. } => Some(*run),
        _ => None,
    });
    let begun: Vec<_> = begun.collect();
    assert_eq!((begun.len(), begun[0].at), (1, Timestamp(72 * HOUR)));
    assert_eq!(begun[0].start.unwrap().missed, 17);
    assert_eq!(world.timer("run").unwrap().at, Timestamp(76 * HOUR));
}

#[test]
fn no_debate_is_opened_by_the_schedule_while_one_goes_on() {
    let mut world = looked();
    world.find(&FIVE);
    let debate = world.opens();
    world.ring("run");
    assert_eq!(world.skips(), [SkipReason::DebateUnderWay]);
    ended(&mut world, &debate);
    world.ring("run");
    assert!(world.state.run.is_some());
}

fn ended(world: &mut World, debate: &str) {
    let (debate, outcome) = (debate.to_owned(), DebateOutcome::Completed);
    let ended = TopicCommand::Ended { debate: debate.clone(), outcome, summary: "要約".to_owned(), next: None };
    world.by(session(&debate, "debate"), ended).unwrap();
}

#[test]
fn run_now_and_named_debaters_need_no_schedule_and_no_second_run_at_once() {
    let mut world = World::begun(TopicSettings { schedule: None, ..TopicSettings::default() });
    assert!(world.timer("run").is_none());
    world.time = 5_000;
    world.owner(TopicCommand::RunNow).unwrap();
    assert_eq!(world.owner(TopicCommand::RunNow), Err(TopicRefusal::RunUnderWay));
    world.find(&[]);
    let named = TopicCommand::Convene { debaters: vec!["d9".into(), "d8".into(), "d9".into()], turns: Some(3) };
    world.owner(named).unwrap();
    world.find(&["somebody-else"]);
    assert_eq!(world.summoned(), ["d9", "d8"], "nobody is drawn");
    let debate = world.opens();
    assert_eq!(world.state.debates[&debate].debaters, ["d9", "d8"]);
}

#[test]
fn a_debate_that_cannot_be_opened_frees_everyone() {
    let mut world = looked();
    world.find(&FIVE[..2]);
    for debater in world.summoned() {
        world.comes(&debater);
    }
    let (errand, _) = world.opening().unwrap();
    world.settle(&Effect::RunErrand(errand), Outcome::Declined { code: "x".into(), why: String::new() });
    assert_eq!(world.released().len(), 2);
    assert!(!world.state.has_debate_under_way());
}

#[test]
fn a_topic_owes_something_until_everyone_was_told() {
    let mut world = looked();
    assert_eq!(Topics::standing(&world.state).phase, Phase::Working);
    world.find(&[]);
    assert_eq!(Topics::standing(&world.state).phase, Phase::Waiting);
}

#[test]
fn a_summons_of_an_earlier_run_that_is_declined_late_takes_nobody_out_of_this_one() {
    let mut world = looked();
    world.find(&FIVE[..2]);
    let old = world.errands().into_iter().find(|errand| {
        matches!(&errand.what, ErrandKind::Tell { session, command } if session == "d1" && command.get("summon").is_some())
    });
    world.ring("summons");
    assert_eq!(world.skips(), [SkipReason::TooFew { count: 0 }]);
    world.owner(TopicCommand::RunNow).unwrap();
    world.find_with(&FIVE[..2], [3, 5]);
    let declined = Outcome::Declined { code: "late".into(), why: String::new() };
    world.settle(&Effect::RunErrand(old.unwrap()), declined);
    assert_eq!(world.state.run.as_ref().unwrap().waiting.len(), 2);
    world.sits_down("d1").unwrap();
}
