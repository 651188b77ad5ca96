//! The tutorial: the first debater sits down at once with the three partners of the house, once for each person.

use enza_deliberation::{
    Brief, Debater, DebaterCommand, DebaterState, StableCommand, StableRefusal, TutorialOutcome, TutorialStep, of_words,
};
use enza_kernel::application::{Application as _, Entry};
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::time::{Actor, Now, Seq, Timestamp};
use serde_json::{Value, json};

use super::world::{World, create, debater, id, itself};

fn debate() -> String {
    of_words(&["a tutorial"])
}

fn begin(number: usize) -> StableCommand {
    StableCommand::BeginTutorial { debater: id(number), debate: debate() }
}

/// The brief of a debater that these commands of the stable were carried to.
fn brief(commands: &[Value]) -> Brief {
    let (app, mut state, mut head) = (Debater::new(), DebaterState::default(), Seq::START);
    let mut take = |state: &mut DebaterState, events: Vec<_>| {
        for event in events {
            head = head.next();
            Debater::evolve(state, &Entry { seq: head, at: Timestamp(1), event });
        }
        head
    };
    let mut at = Seq::START;
    for command in commands {
        let now = Now { time: Timestamp(1), head: at, by: itself() };
        let command: DebaterCommand = serde_json::from_value(command.clone()).unwrap();
        let events = app.decide(&state, command, &now).unwrap();
        at = take(&mut state, events);
    }
    let due = app.due(&state);
    let asks = due.iter().find(|effect| matches!(effect, Effect::AskModel(AskModel { .. }))).unwrap();
    let now = Now { time: Timestamp(1), head: at, by: Actor::Runtime };
    let events = app.settle(&state, asks, Outcome::Unanswered { why: "503".to_owned() }, &now);
    take(&mut state, events);
    state.brief().unwrap()
}

/// From the first command to four seats, all of it by commands and errands.
fn seated() -> World {
    let mut world = World::new();
    let StableCommand::Create { debater: name, name: called, values, lang, .. } = create(0) else { panic!() };
    let tutorial = Some(debate());
    world.tell(StableCommand::Create { debater: name, name: called, values, lang, tutorial }).unwrap();
    let opening = world.errand().1;
    world.deliver();
    let summons = world.errand().1;
    world.deliver();
    let brief = brief(&[opening, summons]);
    world.by(debater(0), StableCommand::Brief { debate: debate(), brief }).unwrap();
    world
}

#[test]
fn the_first_debater_sits_down_with_three_labelled_partners_of_the_house() {
    let world = seated();
    let (session, command) = world.errand();
    let open = &command["open"];
    assert_eq!((session, &open["mode"], &open["turns"]), (debate(), &json!("tutorial"), &json!(3)));
    assert_eq!(open["window"], json!(90_000));
    assert_eq!(open["settings"]["is_tutorial"], json!(true));
    let seats: Vec<Brief> = serde_json::from_value(open["seats"].clone()).unwrap();
    let owners: Vec<Option<&str>> = seats.iter().map(|seat| seat.owner.as_deref()).collect();
    assert_eq!(owners, [Some("ada"), None, None, None]);
    assert!(seats[1..].iter().all(|seat| seat.persona_version == 0 && !seat.knowledge.is_empty()));
    assert!(!open["topic"]["title"].as_str().unwrap().is_empty());
}

#[test]
fn the_debater_hears_that_the_debate_has_opened_and_tells_how_it_went() {
    let mut world = seated();
    world.deliver();
    assert_eq!(world.errand().1, json!({ "seated": { "debate": debate(), "started_at": world.time } }));
    world.deliver();
    let ended = || StableCommand::Ended { debate: debate(), outcome: TutorialOutcome::Completed };
    let by_another = world.by(debater(1), ended());
    assert_eq!(by_another, Err(StableRefusal::Common(CommonRefusal::NotYourPart)));
    assert_eq!(world.tell(ended()), Err(StableRefusal::Common(CommonRefusal::NotASession)));
    world.by(debater(0), ended()).unwrap();
    assert_eq!(world.state.tutorial().unwrap().step, TutorialStep::Over);
}

#[test]
fn there_is_one_for_each_person() {
    let mut world = seated();
    world.deliver();
    world.deliver();
    world.tell(create(1)).unwrap();
    world.deliver();
    assert_eq!(world.tell(begin(1)), Err(StableRefusal::TutorialUsed));
    let mut world = World::with(2);
    world.tell(begin(0)).unwrap();
    assert_eq!(world.tell(begin(1)), Err(StableRefusal::TutorialUsed), "of two pages the first");
}

#[test]
fn one_that_did_not_come_about_can_be_begun_again() {
    let mut declined = World::with(1);
    declined.tell(begin(0)).unwrap();
    declined.decline("seat-taken");
    let mut unopened = seated();
    unopened.decline("session-exists");
    let mut late = World::with(1);
    late.tell(begin(0)).unwrap();
    late.deliver();
    late.time = Timestamp(late.time.0 + 180_000);
    let due = late.app.due(&late.state);
    let wake = due.iter().find(|effect| matches!(effect, Effect::Wake(_))).unwrap();
    late.settle(wake, Outcome::Rang);
    for mut world in [declined, unopened, late] {
        assert_eq!(world.state.tutorial(), None);
        assert_eq!(world.errand().1, json!({ "release": { "debate": debate() } }), "the seat is given back");
        world.decline("seat-unknown");
        world.tell(begin(0)).unwrap();
    }
}

#[test]
fn nobody_else_brings_a_brief() {
    let mut world = World::with(2);
    world.tell(begin(0)).unwrap();
    world.deliver();
    let opening = json!({ "open": {
        "debater": id(0), "owner": "ada", "name": "メイ", "values": ["honesty", "curiosity", "empathy"],
    } });
    let brief = brief(&[opening]);
    let bring = || StableCommand::Brief { debate: debate(), brief: brief.clone() };
    assert_eq!(world.by(debater(1), bring()), Err(StableRefusal::Common(CommonRefusal::NotYourPart)));
    assert_eq!(world.tell(bring()), Err(StableRefusal::Common(CommonRefusal::NotASession)));
    world.by(debater(0), bring()).unwrap();
    assert_eq!(world.by(debater(0), bring()), Err(StableRefusal::Common(CommonRefusal::NotYourPart)), "once");
}
