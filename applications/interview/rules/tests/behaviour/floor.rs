//! What a respondent sees and may do: every offer is one that would be accepted, and the transcript says what happened.

use enza_interview::{Command, Form, Interview};
use enza_kernel::application::Application;
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::floor::{Offer, Tone, Weight, Who, put_words};
use enza_kernel::gate::{Given, Scope, Verdict};
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Now};
use serde_json::Value;

use super::world::{World, open};

/// Every command that the floor offers, words put in.
fn offered(world: &World, lang: Lang) -> Vec<Value> {
    let floor = world.app.floor(&world.state, &Reader::host(), lang);
    let changes: Vec<Value> = floor.facts().filter_map(|fact| fact.change.clone()).collect();
    let offers = floor.offers.into_iter().map(|offer| match offer {
        Offer::Say { command, place, .. } => put_words(&command, &place, "An answer"),
        Offer::Press { command, .. } => command,
    });
    offers.chain(changes).collect()
}

/// Tries each offer on the state as it is, and changes nothing.
fn accepts_all_it_offers(world: &World) -> usize {
    let offers = offered(world, Lang::En);
    for command in &offers {
        let order: Command = serde_json::from_value(command.clone()).unwrap();
        let now = Now { time: world.time, head: world.head(), by: Actor::Person("ada".to_owned()) };
        let decided = world.app.decide(&world.state, order, &now);
        assert!(decided.is_ok(), "{command} was offered and refused: {decided:?}");
    }
    offers.len()
}

#[test]
fn every_offer_of_every_state_is_accepted() {
    let mut world = World::opened();
    let mut seen = Vec::new();
    for answer in ["?", "The lift is stuck since this morning", "Building A", "ada@example.org"] {
        seen.push(accepts_all_it_offers(&world));
        world.play();
        seen.push(accepts_all_it_offers(&world));
        world.say(answer);
    }
    world.play();
    seen.push(accepts_all_it_offers(&world));
    world.confirm(Verdict::No).unwrap();
    seen.push(accepts_all_it_offers(&world));
    world.tell(Command::Reconfirm).unwrap();
    world.confirm(Verdict::Yes).unwrap();
    seen.push(accepts_all_it_offers(&world));
    let run = world.run().unwrap();
    world.settle(&Effect::RunTool(run), Outcome::Starting { mark: "test#1".to_owned() });
    let run = world.run().unwrap();
    world.settle(&Effect::RunTool(run), Outcome::ToolFailed { why: "no road".to_owned() });
    seen.push(accepts_all_it_offers(&world));
    // Giving up while agents work; an answer or leaving it for later besides while asked, and a change of each field
    // that is done; three ways to leave the optional last field empty; three fields to change at the gate, and one way
    // back besides after a no; nothing once submitted; trying again once failed.
    assert_eq!(seen, [1, 3, 1, 3, 1, 4, 1, 7, 4, 5, 0, 1]);
}

#[test]
fn after_a_failure_the_one_offer_that_helps_is_made() {
    let mut world = World::new();
    world.tell(open(Form::sample(Lang::En), Some(10))).unwrap();
    let raise = |world: &World| match &world.app.floor(&world.state, &Reader::host(), Lang::En).offers[0] {
        Offer::Press { command, weight: Weight::Retry, .. } => serde_json::from_value(command.clone()).unwrap(),
        other => panic!("{other:?}"),
    };
    let first: Command = raise(&world);
    assert!(matches!(first, Command::RaiseBudget { .. }), "{first:?}");
    accepts_all_it_offers(&world);
    world.tell(first).unwrap();
    let mut presses = 0;
    while world.state.failure().is_some() {
        presses += 1;
        assert!(presses < 5, "pressing what is offered leads out");
        let next: Command = raise(&world);
        world.tell(next).unwrap();
    }
    assert!(!world.asks().is_empty());
}

#[test]
fn the_transcript_has_what_was_said_and_nothing_of_what_agents_do_among_themselves() {
    let mut world = World::opened();
    world.round("Noise", serde_json::json!({ "passed": false, "missing_facts": ["since"] }));
    world.asks_for("Since when?");
    let lines: Vec<_> =
        world.log.iter().filter_map(|entry| Interview::line(entry, &Reader::host(), Lang::En)).collect();
    let told: Vec<_> = lines.iter().map(|line| (line.who.clone(), line.tone, line.text.as_str())).collect();
    let interviewer = || Who::Agent("interviewer".to_owned());
    assert_eq!(
        told,
        [
            (Who::Session, Tone::Note, "\"Report of a fault in the building\" starts. It has 3 fields."),
            (interviewer(), Tone::Said, "Tell me?"),
            (Who::Person(None), Tone::Said, "Noise"),
            (Who::Agent("reviewer".to_owned()), Tone::Note, "Still to be known: since"),
            (interviewer(), Tone::Said, "Since when?"),
        ]
    );
}

#[test]
fn the_gate_is_in_the_transcript_with_its_five_points() {
    let world = World::confirming();
    let lines: Vec<_> =
        world.log.iter().filter_map(|entry| Interview::line(entry, &Reader::host(), Lang::Ja)).collect();
    let last = lines.last().unwrap();
    assert_eq!(last.gate.as_ref(), world.state.gate());
    assert_eq!(
        Interview::answer_gate("submit-1", Given::new(Verdict::Yes, None)),
        Some(Command::Confirm { gate: "submit-1".to_owned(), verdict: Verdict::Yes, note: None })
    );
    let lasting = Given { scope: Scope::Session, ..Given::new(Verdict::Yes, None) };
    assert_eq!(Interview::answer_gate("submit-1", lasting), None, "there is nothing to decide but yes and no");
}
