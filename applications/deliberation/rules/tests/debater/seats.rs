//! Seats: held, started, given back and over; what was seated is what is used (DEL-C3, DEL-C4, DEL-C6, DEL-C20).

use enza_deliberation::{Brief, Debater, DebaterCommand, DebaterRefusal, DebaterStatus, GrowthTime};
use enza_kernel::application::Application as _;
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::moves::MoveKind;
use enza_kernel::reader::Reader;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use serde_json::{from_value, json};

use super::world::{RUN, TOPIC, World, ada, completed, id, itself, session, stable, summons, topic};

fn brief(world: &World) -> Brief {
    let told = world.told();
    let (to, command) = told.first().expect("a brief is owed");
    assert_eq!(to, TOPIC);
    from_value(command["brief"]["brief"].clone()).unwrap()
}

#[test]
fn whoever_is_summoned_sends_a_brief_and_has_a_seat() {
    let mut world = World::born();
    world.learn("表").unwrap();
    world.summon("d1").unwrap();
    let brief = brief(&world);
    assert_eq!((brief.debater, brief.owner, brief.name), (id(), Some("ada".to_owned()), "メイ".to_owned()));
    assert_eq!((brief.persona, brief.persona_version), (world.persona(), 1));
    assert_eq!(brief.knowledge, world.state.knowledge());
    assert_eq!(brief.feedback, None, "there is no debate to speak of (DEL-66)");
    assert_eq!(world.state.seats().len(), 1);
}

/// DEL-C6: what its owner does after that changes nothing of it.
#[test]
fn what_was_seated_stays_as_it_was() {
    let mut world = World::born();
    world.summon("d1").unwrap();
    let before = brief(&world);
    world.learn("後から").unwrap();
    assert_eq!(brief(&world), before);
}

/// DEL-66 to DEL-68: the latest completed debate counts, and nothing but what it said there itself.
#[test]
fn a_brief_has_the_feedback_on_the_latest_debate_alone() {
    let mut world = World::back_home();
    world.give("d1", "もっと聞いて").unwrap();
    world.summon("d2").unwrap();
    let feedback = brief(&world).feedback.unwrap();
    assert_eq!((feedback.debate.as_str(), feedback.content.as_str()), ("d1", "もっと聞いて"));
    assert_eq!(feedback.own.iter().map(|own| own.turn).collect::<Vec<_>>(), [1, 2]);
    world.deliver();
    world.by(topic(), DebaterCommand::Seated { debate: "d2".to_owned(), started_at: world.time }).unwrap();
    world.complete("d2");
    world.play();
    world.summon("d3").unwrap();
    assert_eq!(brief(&world).feedback, None, "nothing was said of d2 (DEL-67)");
}

/// DEL-C3: counted by the instant of the schedule, whichever topics want it.
#[test]
fn two_seats_in_a_run_are_enough() {
    let mut world = World::born();
    world.summon("d1").unwrap();
    world.by(session("topic-2", "debate-topic"), summons("d2", RUN)).unwrap();
    let third = world.by(session("topic-3", "debate-topic"), summons("d3", RUN));
    assert_eq!(third, Err(DebaterRefusal::RunFull { most_per_run: 2 }));
    world.by(session("topic-3", "debate-topic"), summons("d3", Timestamp(8))).unwrap();
    world.by(topic(), DebaterCommand::Release { debate: "d1".to_owned() }).unwrap();
    world.by(session("topic-3", "debate-topic"), summons("d4", RUN)).unwrap();
}

/// DEL-C2
#[test]
fn one_in_reserve_is_not_drawn_and_one_that_sits_cannot_rest() {
    let mut world = World::born();
    let set = |status| DebaterCommand::SetStatus { status };
    world.by(stable(), set(DebaterStatus::Reserve)).unwrap();
    assert_eq!(world.summon("d1"), Err(DebaterRefusal::InReserve));
    world.learn("控えでも学べる").unwrap();
    assert_eq!(world.by(stable(), set(DebaterStatus::Reserve)).unwrap(), [], "it rests already");
    world.by(stable(), set(DebaterStatus::Active)).unwrap();
    world.summon("d1").unwrap();
    assert_eq!(world.by(stable(), set(DebaterStatus::Reserve)), Err(DebaterRefusal::Seated));
    world.by(topic(), DebaterCommand::Release { debate: "d1".to_owned() }).unwrap();
    world.by(stable(), set(DebaterStatus::Reserve)).unwrap();
}

#[test]
fn nobody_but_whoever_summoned_speaks_for_a_seat() {
    let mut world = World::born();
    world.summon("d1").unwrap();
    let release = || DebaterCommand::Release { debate: "d1".to_owned() };
    assert_eq!(world.by(session("other", "debate-topic"), release()), Err(DebaterRefusal::NoSuchSeat));
    assert_eq!(world.by(ada(), release()), Err(DebaterRefusal::Common(CommonRefusal::NotASession)));
    assert_eq!(world.by(ada(), summons("d9", RUN)), Err(DebaterRefusal::Common(CommonRefusal::NotASession)));
    let over = completed("d1", world.time);
    assert_eq!(world.by(itself("d2"), over.clone()), Err(DebaterRefusal::Common(CommonRefusal::NotYourPart)));
    assert_eq!(world.by(ada(), over), Err(DebaterRefusal::Common(CommonRefusal::NotASession)));
    let unknown = completed("d2", world.time);
    assert_eq!(world.by(itself("d2"), unknown), Err(DebaterRefusal::NoSuchSeat));
    assert_eq!(world.summon("d1"), Err(DebaterRefusal::AlreadySeated));
}

#[test]
fn a_topic_that_does_not_take_the_brief_holds_nothing_up() {
    let mut world = World::born();
    world.summon("d1").unwrap();
    let errand = world.errands().remove(0);
    let declined = Outcome::Declined { code: "session-unknown".to_owned(), why: "gone".to_owned() };
    world.settle(&Effect::RunErrand(errand.clone()), declined.clone());
    assert!(world.errands().is_empty());
    // Its summons came after the topic had done without it: the seat is free again.
    assert!(world.summon("d1").is_ok());
    let head = world.head();
    world.settle(&Effect::RunErrand(errand), declined);
    assert_eq!(world.head(), head, "once it has ended, it has ended");
}

/// The first steps of a debater whose persona is still being written.
#[test]
fn a_stable_summons_to_the_tutorial_and_the_brief_follows_the_birth() {
    let mut world = World::opened(Lang::Ja, GrowthTime::AtCompletion);
    world.by(stable(), summons("t1", RUN)).unwrap();
    assert!(world.errands().is_empty());
    world.play();
    let told = world.told();
    assert_eq!(told[0].1["brief"]["debate"], json!("t1"));
    assert_eq!(stable(), session(&told[0].0, "debate-stable"));
    world.deliver();
    let started_at = world.time;
    world.by(stable(), DebaterCommand::Seated { debate: "t1".to_owned(), started_at }).unwrap();
    world.complete("t1");
    assert_eq!(world.told()[0].1, json!({ "ended": { "debate": "t1", "outcome": "completed" } }));
    let foreign = world.by(session("another", "debate-stable"), summons("t2", RUN));
    assert_eq!(foreign, Err(DebaterRefusal::Common(CommonRefusal::NotYourPart)));
}

/// DEL-63, DEL-65: birth, knowledge and feedback are activity; nothing else is.
#[test]
fn topics_see_when_there_was_last_something_new() {
    let mut world = World::back_home();
    let active_at = |world: &World| world.table("debaters")[0]["active_at"].as_i64().unwrap();
    let born = active_at(&world);
    assert!(born < world.time.0, "debates are no activity");
    world.learn("表").unwrap();
    let learnt = world.time.0;
    assert_eq!(active_at(&world), learnt);
    world.give("d1", "もっと聞いて").unwrap();
    assert_eq!(active_at(&world), world.time.0);
    let (given, id) = (world.time.0, world.state.knowledge()[0].id.clone());
    world.tell(DebaterCommand::RemoveKnowledge { id }).unwrap();
    assert_eq!(active_at(&world), given);
}

/// The table of moves is what seats live by: every order is accepted exactly where the table has its move.
#[test]
fn a_seat_moves_by_its_table() {
    let app = Debater::new();
    let table = app.tables()[0];
    assert_eq!((table.name(), table.start(), table.ends().len()), ("debater-seat", "held", 3));
    for is_begun in [false, true] {
        let world = || {
            let mut world = World::born();
            world.summon("d1").unwrap();
            if is_begun {
                world.by(topic(), DebaterCommand::Seated { debate: "d1".to_owned(), started_at: world.time }).unwrap();
            }
            world
        };
        let at = world().state.seats()[0].at();
        let d1 = || "d1".to_owned();
        let orders = [
            (itself("d1"), completed("d1", Timestamp(9)), MoveKind::Ordinary, "over"),
            (topic(), DebaterCommand::Release { debate: d1() }, MoveKind::Error, "unused"),
            (itself("d1"), DebaterCommand::Released { debate: d1() }, MoveKind::Error, "cancelled"),
        ];
        for (by, order, way, to) in orders {
            let (told, allowed) = (world().by(by, order), table.pass(way, at, to));
            assert_eq!(told.as_ref().err(), allowed.clone().map_err(DebaterRefusal::Move).err().as_ref(), "{at} {to}");
        }
        let floor = app.floor(&world().state, &Reader::host(), Lang::En);
        assert_eq!(floor.positions[0].at, at);
    }
}
