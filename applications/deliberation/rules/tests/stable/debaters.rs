//! How many debaters a person has, and which of them are active (DEL-C2).

use std::collections::BTreeSet;

use enza_deliberation::{
    Debater, DebaterCommand, DebaterState, DebaterStatus, HouseRules, STABLE_CODES, Stable, StableCommand,
    StableRefusal,
};
use enza_kernel::application::{Application as _, Phase, Reason as _};
use enza_kernel::floor::Floor;
use enza_kernel::reader::Reader;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use enza_kernel::time::{Now, Seq};
use serde_json::json;

use super::world::{World, ada, bob, create, create_called, id, itself};

fn set(number: usize, status: DebaterStatus) -> StableCommand {
    StableCommand::SetStatus { debater: id(number), status }
}

fn statuses(world: &World) -> Vec<DebaterStatus> {
    world.state.debaters().iter().map(|kept| kept.status).collect()
}

fn floor(world: &World) -> Floor {
    world.app.floor(&world.state, &Reader::host(), Lang::Ja)
}

#[test]
fn a_debater_is_raised_by_an_errand_that_the_debater_accepts() {
    let mut world = World::new();
    world.tell(create(0)).unwrap();
    assert_eq!(Stable::standing(&world.state).phase, Phase::Working);
    let (session, command) = world.errand();
    assert_eq!(session, id(0));
    let command: DebaterCommand = serde_json::from_value(command).unwrap();
    let now = Now { time: world.time, head: Seq::START, by: itself() };
    assert!(Debater::new().decide(&DebaterState::default(), command, &now).is_ok());
    world.deliver();
    assert_eq!((world.state.owner(), world.state.debaters()[0].is_ready), (Some("ada"), true));
    assert_eq!(Stable::standing(&world.state).phase, Phase::Waiting);
}

/// DEL-C2: four, of which two are active and the others in reserve.
#[test]
fn the_third_is_in_reserve_and_a_fifth_is_refused() {
    use DebaterStatus::{Active, Reserve};
    let mut world = World::with(4);
    assert_eq!(statuses(&world), [Active, Active, Reserve, Reserve]);
    assert_eq!(world.tell(create(4)), Err(StableRefusal::DebatersFull { most_debaters: 4 }));
    assert_eq!(world.tell(set(2, Active)), Err(StableRefusal::ActiveFull { most_active: 2 }));
    let meters: Vec<_> = floor(&world).meters().map(|meter| (meter.used, meter.limit)).collect();
    assert_eq!(meters, [(4, 4), (2, 2)]);
}

/// DEL-C2: two pages of one person ask at once; the order of the log decides.
#[test]
fn two_pages_cannot_race_for_the_last_place() {
    let mut world = World::with(3);
    let before = world.state.clone();
    world.tell(create(3)).unwrap();
    assert_eq!(world.tell(create(4)), Err(StableRefusal::DebatersFull { most_debaters: 4 }));
    let now = Now { time: world.time, head: world.head(), by: ada() };
    assert!(world.app.decide(&before, create(4), &now).is_ok(), "before, there was a place");
}

#[test]
fn two_pages_cannot_race_for_the_last_active_one() {
    use DebaterStatus::{Active, Reserve};
    let mut world = World::with(4);
    world.tell(set(0, Reserve)).unwrap();
    assert_eq!(world.tell(set(2, Active)), Err(StableRefusal::ActiveFull { most_active: 2 }), "it has not rested yet");
    assert_eq!(world.tell(set(0, Active)), Err(StableRefusal::ChangeUnderWay));
    world.deliver();
    world.tell(set(2, Active)).unwrap();
    assert_eq!(world.tell(set(3, Active)), Err(StableRefusal::ActiveFull { most_active: 2 }));
    world.deliver();
    assert_eq!(statuses(&world), [Reserve, Active, Active, Reserve]);
}

#[test]
fn a_debater_that_sits_in_a_debate_says_no_and_stays_active() {
    let mut world = World::with(1);
    world.tell(set(0, DebaterStatus::Reserve)).unwrap();
    assert_eq!(world.errand(), (id(0), json!({ "set_status": { "status": "reserve" } })));
    world.decline("debater-seated");
    assert_eq!((statuses(&world), world.state.debaters()[0].asked), (vec![DebaterStatus::Active], None));
    let line = Stable::line(world.log.last().unwrap(), &Reader::host(), Lang::En).unwrap();
    assert!(line.text.contains("sits in a debate"), "{}", line.text);
}

#[test]
fn a_house_sets_how_many() {
    let mut world = World::under(HouseRules { most_debaters: 1, most_active: 0, ..HouseRules::default() });
    world.tell(create(0)).unwrap();
    assert_eq!(statuses(&world), [DebaterStatus::Reserve]);
    assert_eq!(world.tell(create(1)), Err(StableRefusal::DebatersFull { most_debaters: 1 }));
}

/// DEL-C2
#[test]
fn exactly_three_different_values_of_the_twenty_four() {
    let mut world = World::new();
    let choices: [&[&str]; 5] = [
        &[],
        &["honesty", "curiosity"],
        &["honesty", "curiosity", "empathy", "peace"],
        &["honesty", "honesty", "empathy"],
        &["honesty", "curiosity", "perfection"],
    ];
    for values in choices {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        assert_eq!(world.tell(create_called(0, "メイ", values)), Err(StableRefusal::ValuesUnfit));
    }
    assert_eq!(world.head(), Seq::START, "nothing was begun");
}

/// DEL-C2, DEL-C16
#[test]
fn a_name_has_one_to_a_hundred_characters() {
    let values = || ["honesty", "curiosity", "empathy"].map(str::to_owned).to_vec();
    for unfit in [String::new(), " \u{3000}\n".to_owned(), "名".repeat(101)] {
        let refused = World::new().tell(create_called(0, &unfit, values()));
        assert!(matches!(refused, Err(StableRefusal::Text(_))), "{unfit:?}");
    }
    World::new().tell(create_called(0, &"名".repeat(100), values())).unwrap();
}

#[test]
fn a_session_has_a_name_that_is_a_uuid_and_new() {
    let mut world = World::with(1);
    assert_eq!(world.tell(create(0)), Err(StableRefusal::DebaterExists));
    for unfit in ["", "debater", "ABCDEF01-2345-4678-9abc-def012345678", "abcdef01x2345-4678-9abc-def012345678"] {
        let StableCommand::Create { name, values, lang, tutorial, .. } = create(1) else { panic!() };
        let wish = StableCommand::Create { debater: unfit.to_owned(), name, values, lang, tutorial };
        assert_eq!(world.tell(wish), Err(StableRefusal::IdUnfit), "{unfit}");
    }
}

#[test]
fn a_debater_that_could_not_be_opened_frees_its_place() {
    let mut world = World::new();
    world.tell(create(0)).unwrap();
    let rename = StableCommand::Rename { debater: id(0), name: "ナツ".to_owned() };
    assert_eq!(world.tell(rename), Err(StableRefusal::DebaterUnready));
    world.decline("session-exists");
    assert_eq!(world.state.debaters(), []);
    world.tell(create(1)).unwrap();
}

#[test]
fn a_debater_is_called_otherwise_once_it_has_heard_so() {
    let mut world = World::with(1);
    let rename = |name: &str| StableCommand::Rename { debater: id(0), name: name.to_owned() };
    world.tell(rename("ナツ")).unwrap();
    assert_eq!(world.state.debaters()[0].name, "メイ");
    assert_eq!(world.errand(), (id(0), json!({ "rename": { "name": "ナツ" } })));
    world.deliver();
    assert_eq!(world.state.debaters()[0].name, "ナツ");
    assert_eq!(world.tell(rename("ナツ")).unwrap(), []);
}

#[test]
fn a_debater_that_is_deleted_is_told_and_makes_room_at_once() {
    let mut world = World::with(4);
    world.tell(StableCommand::Delete { debater: id(0) }).unwrap();
    assert_eq!(world.errand(), (id(0), json!("retire")));
    world.tell(create(4)).unwrap();
    assert_eq!(world.state.debaters().len(), 4);
    assert_eq!(world.tell(StableCommand::Delete { debater: id(0) }), Err(StableRefusal::DebaterUnknown));
}

/// DEL-33
#[test]
fn nobody_but_its_owner_asks_a_stable_for_anything() {
    let mut world = World::with(1);
    let refused = Err(StableRefusal::Common(CommonRefusal::NotYourPart));
    assert_eq!(world.by(bob(), create(1)), refused);
    assert_eq!(world.by(bob(), StableCommand::Delete { debater: id(0) }), refused);
    let by_session = world.by(itself(), set(0, DebaterStatus::Reserve));
    assert_eq!(by_session, Err(StableRefusal::Common(CommonRefusal::NotAPerson)));
    let again = world.tell(StableCommand::Open { lang: Lang::Ja });
    assert_eq!(again, Err(StableRefusal::Common(CommonRefusal::AlreadyOpen)));
}

#[test]
fn every_deed_that_is_offered_is_accepted() {
    let mut world = World::with(3);
    world.tell(set(0, DebaterStatus::Reserve)).unwrap();
    world.deliver();
    let floor = floor(&world);
    let deeds: Vec<_> = floor.lists().flat_map(|(_, things)| things).flat_map(|thing| &thing.deeds).collect();
    assert_eq!(deeds.len(), 6);
    for deed in deeds {
        let command: StableCommand = serde_json::from_value(deed.command.clone()).unwrap();
        let now = Now { time: world.time, head: world.head(), by: ada() };
        assert!(world.app.decide(&world.state, command, &now).is_ok(), "{deed:?}");
    }
    assert_eq!(world.app.openings(Lang::En).len(), 1);
}

#[test]
fn every_refusal_has_its_code_and_says_what_happened_and_what_to_do() {
    use StableRefusal::*;
    let all = [
        ValuesUnfit,
        IdUnfit,
        DebaterExists,
        DebaterUnknown,
        DebaterUnready,
        DebatersFull { most_debaters: 4 },
        ActiveFull { most_active: 2 },
        ChangeUnderWay,
        TutorialUsed,
    ];
    let codes: BTreeSet<&str> = all.iter().map(StableRefusal::code).collect();
    assert_eq!(codes, STABLE_CODES.iter().copied().collect());
    for (refusal, lang) in all.iter().flat_map(|refusal| [(refusal, Lang::Ja), (refusal, Lang::En)]) {
        let said = refusal.say(lang);
        let ends = |text: &str| text.ends_with(['.', '。']) && !text.contains(['⁇', '{']);
        assert!(ends(&said.message) && ends(&said.hint) && said.message != said.hint, "{refusal:?}: {said:?}");
    }
}
