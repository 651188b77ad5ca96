//! What a debate proposes to go on with: taken or dropped, with the way back kept.

use enza_deliberation::topic::{DebateOutcome, TopicCommand, TopicRefusal, TopicStatus};
use enza_deliberation_cast::NextTopic;
use enza_kernel::errand::ErrandKind;
use enza_kernel::refusal::CommonRefusal;

use super::world::{World, every_four_hours, owner, session};

fn next() -> NextTopic {
    NextTopic { title: "誰が水をやるか".to_owned(), description: "木の世話の話です。".to_owned() }
}

fn proposed() -> (World, String) {
    let mut world = World::begun(every_four_hours());
    world.ring("run");
    world.find(&["d1", "d2"]);
    let debate = world.opens();
    let ended = TopicCommand::Ended {
        debate: debate.clone(),
        outcome: DebateOutcome::Completed,
        summary: "要約".to_owned(),
        next: Some(next()),
    };
    world.by(session(&debate, "debate"), ended.clone()).unwrap();
    assert_eq!(world.by(session(&debate, "debate"), ended), Ok(vec![]), "told twice, it happens once");
    (world, debate)
}

#[test]
fn an_accepted_proposal_begins_a_topic_that_knows_where_it_came_from() {
    let (mut world, debate) = proposed();
    world.owner(TopicCommand::AcceptNext { debate: debate.clone() }).unwrap();
    assert_eq!(world.state.listing.as_ref().unwrap().status, TopicStatus::Archived);
    let (errand, command) = world.opening().unwrap();
    let ErrandKind::Open { session: id, application, .. } = errand.what else { panic!("it opens") };
    assert_eq!(application, "debate-topic");
    let mut following = World::default();
    following.by(session("topic-1", "debate-topic"), serde_json::from_value(command).unwrap()).unwrap();
    let listing = following.state.listing.unwrap();
    assert_eq!((listing.predecessor.as_deref(), listing.owner.as_str()), (Some("topic-1"), "hana"));
    assert_eq!((listing.title, listing.session), (next().title, Some(id)));
    assert_eq!(following.state.settings, world.state.settings);
    assert_eq!(world.owner(TopicCommand::AcceptNext { debate }), Err(TopicRefusal::Archived));
}

#[test]
fn a_dropped_proposal_is_gone() {
    let (mut world, debate) = proposed();
    world.owner(TopicCommand::DropNext { debate: debate.clone() }).unwrap();
    assert_eq!(world.owner(TopicCommand::AcceptNext { debate }), Err(TopicRefusal::ProposalUnknown));
}

#[test]
fn only_the_debate_itself_says_how_it_ended_and_only_one_of_this_topic() {
    let (mut world, debate) = proposed();
    let ended = |debate: &str| TopicCommand::Ended {
        debate: debate.to_owned(),
        outcome: DebateOutcome::Cancelled,
        summary: String::new(),
        next: None,
    };
    let no = Err(TopicRefusal::Common(CommonRefusal::NotASession));
    assert_eq!(world.by(owner(), ended(&debate)), no);
    assert_eq!(world.by(session("other", "debate"), ended(&debate)), no);
    assert_eq!(world.by(session("other", "debate"), ended("other")), Err(TopicRefusal::DebateUnknown));
}

#[test]
fn a_topic_begins_once_and_nobody_begins_one_for_somebody_else() {
    let mut world = World::begun(every_four_hours());
    assert_eq!(
        world.owner(super::world::begin(every_four_hours())),
        Err(TopicRefusal::Common(CommonRefusal::AlreadyOpen))
    );
    let TopicCommand::Begin { id, title, description, lang, settings, .. } = super::world::begin(every_four_hours())
    else {
        panic!("it begins")
    };
    let begin = TopicCommand::Begin { id, title, description, lang, settings, owner: Some("ada".to_owned()) };
    let mut other = World::default();
    other.owner(begin.clone()).unwrap();
    assert_eq!(other.state.listing.unwrap().owner, "hana", "whoever begins it owns it");
    let refused = World::default().by(session("d1", "debater"), begin);
    assert_eq!(refused, Err(TopicRefusal::Common(CommonRefusal::NotAPerson)));
}
