//! Feedback: one for each debate, until the next seat (DEL-04, DEL-10, DEL-47 to DEL-56, DEL-C4, DEL-C20).

use enza_deliberation::{DebaterCommand, DebaterRefusal};
use enza_kernel::application::Application as _;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::time::{Now, Timestamp};

use super::world::{World, ada, bob, itself, topic};

fn feedback(debate: &str, content: &str) -> DebaterCommand {
    DebaterCommand::GiveFeedback { debate: debate.to_owned(), content: content.to_owned() }
}

fn given(world: &World) -> enza_deliberation::GivenFeedback {
    world.state.completed()[0].feedback.clone().unwrap()
}

fn edit(world: &World, content: &str) -> DebaterCommand {
    DebaterCommand::EditFeedback { id: given(world).id, content: content.to_owned() }
}

/// DEL-47, DEL-54
#[test]
fn a_feedback_is_kept_and_not_applied() {
    let mut world = World::back_home();
    world.give("d1", "  もっと聞いて\n").unwrap();
    let given = given(&world);
    assert_eq!((given.content.as_str(), given.applied_at), ("もっと聞いて", None));
    assert_eq!((given.debate.as_str(), given.created_at), ("d1", world.time));
    assert_eq!(given.id.len(), 36, "DEL-31");
}

/// DEL-50, DEL-52
#[test]
fn it_is_for_debates_that_are_over_and_that_it_took_part_in() {
    let mut world = World::born();
    world.seat("d1");
    assert_eq!(world.give("d1", "x"), Err(DebaterRefusal::NotCompleted));
    assert_eq!(world.give("d2", "x"), Err(DebaterRefusal::NotAParticipant));
    world.by(itself("d1"), DebaterCommand::Released { debate: "d1".to_owned() }).unwrap();
    assert_eq!(world.give("d1", "x"), Err(DebaterRefusal::NotAParticipant), "it was cancelled");
}

/// DEL-04, DEL-51
#[test]
fn of_two_at_once_the_order_of_the_log_decides() {
    let mut world = World::back_home();
    let before = world.state.clone();
    world.give("d1", "first").unwrap();
    assert_eq!(world.give("d1", "second"), Err(DebaterRefusal::FeedbackExists));
    let now = Now { time: world.time, head: world.head(), by: ada() };
    assert!(world.app.decide(&before, feedback("d1", "second"), &now).is_ok(), "before the first it would do");
    assert_eq!(given(&world).content, "first");
}

/// DEL-10, DEL-48, DEL-C14, DEL-C16
#[test]
fn four_hundred_characters_as_a_person_counts_them() {
    let mut world = World::back_home();
    for unfit in ["あ".repeat(401), String::new(), " \u{3000}\n".to_owned(), "👨‍👩‍👧".repeat(401)] {
        assert!(matches!(world.give("d1", &unfit), Err(DebaterRefusal::Text(_))), "{unfit}");
    }
    world.give("d1", &format!(" {} ", "👩🏽‍🚀".repeat(200))).unwrap();
    world.tell(edit(&world, &"あ".repeat(400))).unwrap();
    assert!(matches!(world.tell(edit(&world, &"あ".repeat(401))), Err(DebaterRefusal::Text(_))));
    assert!(matches!(world.tell(edit(&world, "  ")), Err(DebaterRefusal::Text(_))));
}

/// DEL-53, DEL-C4: the seat that is held closes it, in the same decision, in any topic.
#[test]
fn the_next_seat_closes_it_and_whoever_is_later_is_too_late() {
    let mut world = World::back_home();
    let before = world.state.clone();
    world.summon("d2").unwrap();
    assert_eq!(world.give("d1", "x"), Err(DebaterRefusal::FeedbackClosed));
    let now = Now { time: world.time, head: world.head(), by: ada() };
    assert!(world.app.decide(&before, feedback("d1", "x"), &now).is_ok());

    let mut world = World::back_home();
    world.give("d1", "x").unwrap();
    world.summon("d2").unwrap();
    assert_eq!(world.tell(edit(&world, "y")), Err(DebaterRefusal::FeedbackClosed));
    assert_eq!(given(&world).content, "x", "what was seated is what is used");
}

/// DEL-C20
#[test]
fn a_seat_that_was_not_used_opens_it_again() {
    let mut world = World::back_home();
    for debate in ["d2", "d3"] {
        world.summon(debate).unwrap();
    }
    let release = |debate: &str| DebaterCommand::Release { debate: debate.to_owned() };
    world.by(topic(), release("d2")).unwrap();
    assert_eq!(world.give("d1", "x"), Err(DebaterRefusal::FeedbackClosed), "the other seat is still held");
    world.by(topic(), release("d3")).unwrap();
    world.give("d1", "x").unwrap();
}

/// DEL-C20: the same where the debate was cancelled after it had begun.
#[test]
fn a_debate_that_was_cancelled_opens_it_again() {
    let mut world = World::back_home();
    world.seat("d2");
    world.by(itself("d2"), DebaterCommand::Released { debate: "d2".to_owned() }).unwrap();
    world.give("d1", "x").unwrap();
}

/// DEL-C4: an earlier seat closes nothing as long as its debate began before this one was over.
#[test]
fn a_debate_that_runs_beside_it_closes_nothing() {
    let mut world = World::born();
    world.seat("d1");
    world.seat("d2");
    world.complete("d1");
    world.play();
    world.give("d1", "x").unwrap();
    world.complete("d2");
    world.play();
    world.give("d2", "y").unwrap();
    assert_eq!(world.table("feedbacks").len(), 2);
}

/// DEL-C4: a seat that was held before and whose debate begins after it.
#[test]
fn a_debate_that_begins_after_it_closes_it() {
    let mut world = World::born();
    world.seat("d1");
    world.summon("d2").unwrap();
    world.complete("d1");
    world.play();
    world.give("d1", "x").unwrap();
    let started_at = Timestamp(world.time.0 + 1);
    world.by(topic(), DebaterCommand::Seated { debate: "d2".to_owned(), started_at }).unwrap();
    assert_eq!(world.tell(edit(&world, "y")), Err(DebaterRefusal::FeedbackClosed));
}

/// DEL-56
#[test]
fn it_can_be_put_into_other_words_until_then() {
    let mut world = World::back_home();
    world.give("d1", "x").unwrap();
    let created_at = given(&world).created_at;
    world.tell(edit(&world, "y")).unwrap();
    assert_eq!((given(&world).content.as_str(), given(&world).created_at), ("y", created_at));
    assert_eq!(world.tell(edit(&world, "y")).unwrap(), []);
    let unknown = DebaterCommand::EditFeedback { id: "none".to_owned(), content: "z".to_owned() };
    assert_eq!(world.tell(unknown), Err(DebaterRefusal::FeedbackUnknown));
}

/// DEL-33, DEL-49
#[test]
fn nobody_but_the_owner_gives_feedback() {
    let mut world = World::back_home();
    let refused = Err(DebaterRefusal::Common(CommonRefusal::NotYourPart));
    assert_eq!(world.by(bob(), feedback("d1", "x")), refused);
    world.give("d1", "x").unwrap();
    assert_eq!(world.by(bob(), edit(&world, "y")), refused);
}

#[test]
fn after_a_hundred_debates_the_state_is_bounded_and_old_feedback_is_closed() {
    let mut world = World::born();
    for number in 0..100 {
        world.sit_through(&format!("d{number}"));
    }
    assert_eq!(world.state.completed().len(), 50);
    assert_eq!(world.give("d98", "x"), Err(DebaterRefusal::FeedbackClosed));
    world.give("d99", "x").unwrap();
    assert_eq!(world.table("reflections").len(), 100);
}
