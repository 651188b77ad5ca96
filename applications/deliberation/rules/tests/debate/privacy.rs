//! What belongs to one seat is shown to its owner alone (DEL-C11, DEL-C22): lines, events, prompts, floors.

use enza_deliberation::debate::{DebateCommand, Work};
use enza_kernel::application::Application;
use enza_kernel::floor::Offer;
use enza_kernel::reader::{Following, Reader, ReaderRole};
use enza_kernel::text::Lang;
use serde_json::json;

use super::world::{HOST, World, feedback, known, owner, two};
use enza_deliberation::Debates;

const SECRETS: [&str; 5] = ["ひみつの知識", "ひみつの指示", "ひみつの方針", "ひみつの考え", "ひみつの評価"];

/// A debate in which the first seat has a secret of each kind, and every event has happened.
fn lived() -> World {
    let mut seats = two(Lang::Ja);
    seats[0].knowledge = vec![known("題", "ひみつの知識")];
    seats[0].feedback = Some(feedback("ひみつの評価"));
    let mut world = World::opened(1, seats);
    let reply = |text: &str| enza_kernel::conversation::Reply { text: text.into(), ..Default::default() };
    world.reply(&Work::Strategy { seat: "s1".into() }, reply("ひみつの方針"));
    world.direct("d1", 1, "ひみつの指示").unwrap();
    world.owner("d1", DebateCommand::Arrive).unwrap();
    world.advance();
    world.says(1, "s1", "<thinking>ひみつの考え</thinking>みんなの広場です。");
    world.says(1, "s2", "賛成です。");
    world.owner("d1", DebateCommand::DrawWithout { turn: 1, seat: "s1".into() }).unwrap();
    world.reply(
        &Work::Redraw { way: enza_deliberation::debate::Redraw::Without, turn: 1, seat: "s1".into() },
        reply("ひみつの考え"),
    );
    world.direct("d1", 1, "ひみつの指示").unwrap_err();
    world.play();
    world
}

/// Everything that a reader is shown.
fn seen(world: &World, reader: &Reader) -> String {
    let mut seen = String::new();
    for entry in &world.log {
        for lang in [Lang::Ja, Lang::En] {
            if let Some(line) = Debates::line(entry, reader, lang) {
                seen += &format!("{}\n", line.text);
            }
        }
        if Debates::shows(entry, reader) {
            seen += &json!(entry).to_string();
        }
    }
    seen + &json!(world.app.floor(&world.state, reader, Lang::Ja)).to_string()
}

fn readers(world: &World) -> Vec<Reader> {
    vec![
        Debates::reader(&world.state, Some(HOST), true).unwrap(),
        Debates::reader(&world.state, Some(&owner("d2")), false).unwrap(),
        Debates::reader(&world.state, Some("mira"), false).unwrap(),
        Debates::reader(&world.state, None, false).unwrap(),
    ]
}

#[test]
fn readers_are_who_they_are() {
    let world = lived();
    let roles: Vec<_> = readers(&world).iter().map(|reader| reader.role).collect();
    assert_eq!(roles, [ReaderRole::Host, ReaderRole::SeatHolder, ReaderRole::Spectator, ReaderRole::Spectator]);
    let own = Debates::reader(&world.state, Some(&owner("d1")), true).unwrap();
    assert_eq!((own.role, own.seats), (ReaderRole::Host, vec!["s1".to_owned()]));
}

#[test]
fn del_c22_nobody_else_sees_anything_of_a_seat_the_host_included() {
    let world = lived();
    for reader in readers(&world) {
        let seen = seen(&world, &reader);
        for secret in SECRETS {
            assert!(!seen.contains(secret), "{reader:?} sees {secret}");
        }
        assert!(seen.contains("みんなの広場です。"), "what was said is for everyone");
        assert!(!Debates::shows_state(&world.state, &reader));
    }
}

#[test]
fn no_ones_name_but_those_of_debaters_is_shown_to_those_who_watch() {
    let world = lived();
    let seen = seen(&world, &Reader::spectator());
    assert!(!seen.contains("owner-of") && !seen.contains(HOST), "{seen}");
}

#[test]
fn an_owner_sees_everything_of_their_own_seat() {
    let world = lived();
    let own = Debates::reader(&world.state, Some(&owner("d1")), false).unwrap();
    let seen = seen(&world, &own);
    for secret in SECRETS {
        assert!(seen.contains(secret), "{secret} is missing");
    }
}

#[test]
fn prompts_and_replies_being_written_are_the_seats_own() {
    let world = lived();
    let own = Debates::reader(&world.state, Some(&owner("d1")), false).unwrap();
    let others = readers(&world);
    for thread in ["turn-1/s1", "strategy/s1", "without-1/s1", "again-1/s1", "ranking/s1"] {
        assert!(Debates::shows_prompt(thread, &own));
        assert_eq!(Debates::follows(thread, &own), Following::Whole);
        for reader in &others {
            assert!(!Debates::shows_prompt(thread, reader), "{thread} {reader:?}");
            assert_eq!(Debates::follows(thread, reader), Following::Nothing);
        }
    }
    assert!(Debates::shows_prompt("verdict", &others[0]) && !Debates::shows_prompt("verdict", &others[1]));
    assert!(!Debates::shows_prompt("anything/else", &others[0]));
}

#[test]
fn every_offer_of_a_floor_is_accepted() {
    let world = World::opened(3, two(Lang::Ja));
    for (person, is_owner, count) in
        [(HOST.to_owned(), true, 2), (owner("d1"), false, 2), ("mira".to_owned(), false, 0)]
    {
        let reader = Debates::reader(&world.state, Some(&person), is_owner).unwrap();
        let offers = world.app.floor(&world.state, &reader, Lang::En).offers;
        assert_eq!(offers.len(), count, "{person}: {offers:?}");
        for offer in offers {
            let command = match offer {
                Offer::Say { command, place, .. } => enza_kernel::floor::put_words(&command, &place, "短く"),
                Offer::Press { command, .. } => command,
            };
            let mut world = World::opened(3, two(Lang::Ja));
            world.by(super::world::someone(&person), serde_json::from_value(command).unwrap()).unwrap();
        }
    }
}
