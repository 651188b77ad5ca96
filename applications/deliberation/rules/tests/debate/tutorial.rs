//! A tutorial: opened by a stable, three partners of the house, three turns, nothing for a topic to hear of.

use enza_deliberation::Debates;
use enza_deliberation::debate::{DebateCommand, Status};
use enza_deliberation::topic::house;
use enza_kernel::application::Application;
use enza_kernel::text::Lang;
use enza_kernel::time::Actor;
use serde_json::json;

use super::world::{World, brief, debater, owner};

/// The opening as a stable writes it.
fn opening(lang: Lang) -> DebateCommand {
    let mut seats = vec![brief("d1", "Sora", lang)];
    seats.extend(house(lang));
    let opening = json!({ "open": {
        "topic": { "id": "tutorial-topic", "title": "AI and us", "description": "What is it for?", "lang": lang },
        "mode": "tutorial", "turns": 3, "seats": seats, "window": 90_000,
        "settings": { "debate": "debate-1", "host": owner("d1"), "seed": "debate-1", "is_tutorial": true },
    } });
    serde_json::from_value(opening).unwrap()
}

fn begun(lang: Lang) -> World {
    let mut world = World::new();
    let stable = Actor::Session { session: "stable-1".to_owned(), application: "debate-stable".to_owned() };
    world.by(stable, opening(lang)).unwrap();
    world
}

#[test]
fn a_tutorial_runs_three_turns_with_the_house_partners_in_both_languages() {
    for lang in [Lang::Ja, Lang::En] {
        let mut world = begun(lang);
        world.direct("d1", 1, lang.pick("質問で始めて", "Begin with a question")).unwrap();
        world.play();
        assert_eq!((world.state.card.status, world.state.card.is_tutorial), (Status::Completed, true));
        assert_eq!(world.state.statements.len(), 12);
        assert_eq!(world.state.outcome.next, None, "its topic is the house's and does not go on");
        let told: Vec<_> = world.errands();
        assert_eq!(told.len(), 1, "the debater alone is told: {told:?}");
        assert_eq!(world.told("d1").len(), 1);
    }
}

#[test]
fn whoever_takes_it_is_its_host_and_holds_its_one_seat() {
    let mut world = begun(Lang::Ja);
    let reader = Debates::reader(&world.state, Some(&owner("d1")), true).unwrap();
    assert_eq!((reader.is_host(), reader.seats), (true, vec!["s1".to_owned()]));
    world.owner("d1", DebateCommand::SpeakNow).unwrap();
    assert_eq!(world.threads().len(), 4, "nobody else has to be waited for");
}

#[test]
fn partners_among_themselves_have_no_debate() {
    let mut world = begun(Lang::Ja);
    world.by(debater("d1"), DebateCommand::Withdraw { debater: "d1".into() }).unwrap();
    assert_eq!(world.state.card.status, Status::Cancelled);
    assert_eq!(world.errands(), []);
}
