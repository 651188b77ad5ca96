//! A debater comes into being, whatever a model does (DEL-C1, DEL-C2), and leaves.

use enza_deliberation::{
    DebaterCommand, DebaterEvent, DebaterRefusal, DebaterStatus, GrowthTime, HouseRules, PersonaAuthor,
};
use enza_kernel::application::{Application as _, Phase, Standing};
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use serde_json::json;

use super::world::{World, ada, id, itself, open, session, stable};

const ANSWER: &str = "こちらです。{\"thinking_style\": \"ゆっくり考える。\", \"core_values\": [\"誠実\", \"笑い\"], \"personality_traits\": [\"のんびり\"], \"background\": \"海辺で育った。\", \"version\": 7} 以上。";

fn born_by(world: &World) -> Option<PersonaAuthor> {
    world.log.iter().find_map(|entry| if let DebaterEvent::Born { by, .. } = entry.event { Some(by) } else { None })
}

#[test]
fn a_models_persona_keeps_its_words_and_gets_the_values_that_it_forgot() {
    let mut world = World::opened(Lang::Ja, GrowthTime::AtCompletion);
    world.say("portrait", ANSWER);
    let persona = world.state.persona().unwrap();
    assert_eq!(born_by(&world), Some(PersonaAuthor::Model));
    assert_eq!(persona.core_values(), ["好奇心", "共感", "誠実", "笑い"]);
    assert_eq!((persona.version(), persona.background()), (1, "海辺で育った。"));
    assert!(persona.raw().find("thinking_style") < persona.raw().find("core_values"), "{}", persona.raw());
    assert!(world.asks().is_empty());
}

#[test]
fn nonsense_from_the_model_is_sent_back_and_then_a_rule_stands_in() {
    let mut world = World::opened(Lang::En, GrowthTime::AtCompletion);
    let mut times = 0;
    while world.is_asking("portrait") {
        world.say("portrait", "I am somebody else, and { \"core_values\": [\"");
        times += 1;
    }
    assert!(times > 1, "it was asked again");
    assert_eq!((born_by(&world), world.version()), (Some(PersonaAuthor::Rule), 1));
    assert_eq!(world.state.persona().unwrap().core_values(), ["Honesty", "Curiosity", "Empathy"]);
}

#[test]
fn a_model_that_is_not_there_or_hangs_keeps_nobody_from_being_born() {
    let mut world = World::opened(Lang::Ja, GrowthTime::AtCompletion);
    world.unanswered("portrait");
    assert_eq!(born_by(&world), Some(PersonaAuthor::Rule));

    let mut world = World::opened(Lang::Ja, GrowthTime::AtCompletion);
    let late = world.ask("portrait");
    world.wait(59);
    assert_eq!(born_by(&world), None);
    world.wait(2);
    assert_eq!(born_by(&world), Some(PersonaAuthor::Rule));
    let (persona, head) = (world.persona(), world.head());
    let reply = enza_kernel::conversation::Reply { text: ANSWER.to_owned(), ..Default::default() };
    world.reply(&late, reply);
    assert_eq!((world.persona(), world.head()), (persona, head), "a late answer changes nothing");
}

#[test]
fn only_a_stable_opens_a_debater_and_only_its_own_one_changes_it() {
    let mut world = World::born();
    let house = HouseRules::default();
    let again = world.by(stable(), open(Lang::Ja, house));
    assert_eq!(again, Err(DebaterRefusal::Common(CommonRefusal::AlreadyOpen)));
    let rename = || DebaterCommand::Rename { name: "ナツ".to_owned() };
    assert_eq!(world.by(ada(), rename()), Err(DebaterRefusal::Common(CommonRefusal::NotASession)));
    let other = session("another", "debate-stable");
    assert_eq!(world.by(other, rename()), Err(DebaterRefusal::Common(CommonRefusal::NotYourPart)));
    world.by(stable(), rename()).unwrap();
    assert_eq!(world.table("agents")[0]["name"], json!("ナツ"));
    assert_eq!(world.table("debaters")[0]["name"], json!("ナツ"));
    let values = DebaterCommand::SetStatus { status: DebaterStatus::Reserve };
    world.by(stable(), values).unwrap();
    assert_eq!(world.table("debaters")[0]["status"], json!("reserve"));
}

#[test]
fn a_name_has_one_to_a_hundred_characters_and_is_one_line() {
    let mut world = World::born();
    let mut rename = |name: &str| world.by(stable(), DebaterCommand::Rename { name: name.to_owned() });
    assert!(matches!(rename(&"名".repeat(101)), Err(DebaterRefusal::Text(_))));
    assert!(matches!(rename(" \u{3000}"), Err(DebaterRefusal::Text(_))));
    rename(&"👨‍👩‍👧".repeat(50)).unwrap();
    assert!(matches!(rename(&"👨‍👩‍👧".repeat(101)), Err(DebaterRefusal::Text(_))));
    rename("## ナツ\n\n## あなたの人格").unwrap();
    assert_eq!(world.state.profile().unwrap().name, "## ナツ ## あなたの人格");
}

#[test]
fn one_that_leaves_frees_its_seats_and_takes_all_its_rows_along() {
    let mut world = World::back_home();
    world.learn("表").unwrap();
    world.give("d1", "もっと聞いて").unwrap();
    world.seat("d2");
    world.summon("d3").unwrap();
    world.by(stable(), DebaterCommand::Retire).unwrap();
    assert!(world.rows.is_empty(), "{:?}", world.rows);
    let withdraw = json!({ "withdraw": { "debater": id() } });
    let told = world.told();
    assert!(told.contains(&("d2".to_owned(), withdraw.clone())) && told.contains(&("d3".to_owned(), withdraw)));
    world.deliver();
    assert_eq!(enza_deliberation::Debater::standing(&world.state).phase, Phase::Ended);
    assert_eq!(world.summon("d4"), Err(DebaterRefusal::Retired));
    assert_eq!(world.learn("x"), Err(DebaterRefusal::Retired));
    assert_eq!(world.by(itself("d2"), super::world::completed("d2", world.time)), Err(DebaterRefusal::Retired));
}

#[test]
fn one_that_left_between_its_brief_and_the_opening_tells_the_debate() {
    let mut world = World::born();
    world.summon("d1").unwrap();
    world.by(stable(), DebaterCommand::Retire).unwrap();
    world.deliver();
    let started_at = world.time;
    world.by(super::world::topic(), DebaterCommand::Seated { debate: "d1".to_owned(), started_at }).unwrap();
    assert_eq!(world.told(), [("d1".to_owned(), json!({ "withdraw": { "debater": id() } }))]);
}

#[test]
fn an_unopened_debater_refuses_everything_and_waits() {
    let world = World::born();
    let unopened = enza_deliberation::DebaterState::default();
    let now = enza_kernel::time::Now { time: world.time, head: enza_kernel::time::Seq::START, by: ada() };
    let refused = world.app.decide(&unopened, DebaterCommand::RetryGrowth, &now);
    assert_eq!(refused, Err(DebaterRefusal::Common(CommonRefusal::NotOpen)));
    let waiting = Standing { phase: Phase::Waiting, ..Standing::default() };
    assert_eq!(enza_deliberation::Debater::standing(&unopened), waiting);
}
