//! Delivery: once, with a recorded start, and a person where nobody knows.

use enza_interview::{Command, DeliveryWay, Form, Interview, Open, Refusal};
use enza_kernel::application::{Application, Entry, Phase, Row};
use enza_kernel::effect::{Effect, Outcome, RunTool, Safety, Wake};
use enza_kernel::gate::Verdict;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use serde_json::json;

use super::world::World;

fn submitted() -> (World, RunTool) {
    let mut world = World::confirming();
    world.confirm(Verdict::Yes).unwrap();
    let run = world.run().expect("a delivery is due");
    (world, run)
}

fn rows(world: &World) -> Vec<Row> {
    world.log.iter().flat_map(|entry: &Entry<_>| Interview::rows(entry)).collect()
}

#[test]
fn a_yes_makes_one_delivery_due_that_must_not_be_repeated() {
    let (world, run) = submitted();
    assert_eq!((run.tool.as_str(), run.safety, run.started), ("deliver", Safety::Once, None));
    assert_eq!(
        run.arguments,
        json!({
            "id": run.key.to_string(),
            "title": "Report of a fault in the building",
            "values": {
                "symptom": "The lift is stuck since this morning",
                "place": "Building A, ground floor",
                "contact": "ada@example.org",
            },
            "incomplete": [],
            "version": null,
            "attempt": 1,
        })
    );
    assert_eq!(world.app.due(&world.state).len(), 1, "what is submitted is never given up for idleness");
}

#[test]
fn a_start_is_recorded_before_the_end_and_the_end_ends_the_session() {
    let (mut world, run) = submitted();
    world.settle(&Effect::RunTool(run), Outcome::Starting { mark: "test#1".to_owned() });
    let run = world.run().unwrap();
    assert_eq!(run.started.as_deref(), Some("test#1"));
    world.settle(&Effect::RunTool(run.clone()), Outcome::Returned { text: "kept as 17".to_owned() });
    assert_eq!(Interview::standing(&world.state).phase, Phase::Ended);
    assert!(world.app.due(&world.state).is_empty());
    let before = world.log.len();
    world.settle(&Effect::RunTool(run), Outcome::Returned { text: "again".to_owned() });
    assert_eq!(world.log.len(), before, "a late outcome changes nothing");
    assert_eq!(world.tell(Command::Abandon), Err(Refusal::AlreadySubmitted));
}

#[test]
fn the_submissions_row_is_written_on_opening_and_updated_on_submission_and_delivery() {
    let (mut world, run) = submitted();
    let submissions =
        |world: &World| -> Vec<Row> { rows(world).into_iter().filter(|row| row.table == "submissions").collect() };
    let first = submissions(&world);
    assert_eq!(first.len(), 2);
    assert_eq!(first[0].key, "submission");
    assert_eq!(first[0].content.as_ref().unwrap()["status"], "in_progress", "from the opening on");
    let content = first[1].content.as_ref().unwrap();
    assert_eq!((&content["status"], &content["delivered"]), (&json!("submitted"), &json!(false)));
    assert_eq!(content["answers"][0]["fieldId"], "symptom");
    assert_eq!(content["answers"][0]["incomplete"], false);
    world.settle(&Effect::RunTool(run.clone()), Outcome::Starting { mark: "test#1".to_owned() });
    world.settle(&Effect::RunTool(run), Outcome::Returned { text: "kept".to_owned() });
    let content = submissions(&world)[2].content.clone().unwrap();
    assert_eq!((&content["delivered"], &content["receipt"]), (&json!(true), &json!("kept")));
    assert_eq!(content["id"], first[1].content.as_ref().unwrap()["id"]);
    let answers = rows(&world).into_iter().filter(|row| row.table == "answers").count();
    assert_eq!(answers, 3);
}

#[test]
fn a_delivery_that_was_cut_off_is_put_before_the_respondent_and_not_repeated() {
    let (mut world, run) = submitted();
    world.settle(&Effect::RunTool(run), Outcome::Starting { mark: "test#1".to_owned() });
    let run = world.run().unwrap();
    world.settle(&Effect::RunTool(run.clone()), Outcome::Unknown);
    assert!(world.run().is_none());
    let gate = world.state.gate().unwrap();
    assert_eq!((gate.id.as_str(), gate.ask.intent.as_str()), ("redeliver-2", "Deliver again"));
    assert!(gate.ask.grounds.contains("it is not known whether it arrived"));
    assert_eq!(Interview::standing(&world.state).phase, Phase::Gate);

    world.confirm(Verdict::Yes).unwrap();
    let again = world.run().unwrap();
    assert!(again.started.is_none() && again.key != run.key, "a new attempt has a new key");
    assert_eq!(again.arguments["id"], run.arguments["id"], "and the same submission");
}

#[test]
fn a_person_may_say_that_a_lost_delivery_arrived() {
    let (mut world, run) = submitted();
    world.settle(&Effect::RunTool(run), Outcome::Starting { mark: "test#1".to_owned() });
    let run = world.run().unwrap();
    world.settle(&Effect::RunTool(run), Outcome::Unknown);
    world.confirm(Verdict::No).unwrap();
    assert_eq!(Interview::standing(&world.state).phase, Phase::Ended);
    assert!(world.run().is_none());
}

#[test]
fn a_failed_delivery_waits_to_be_tried_again() {
    let (mut world, run) = submitted();
    assert_eq!(world.tell(Command::RetryDelivery), Err(Refusal::Common(CommonRefusal::NothingToRetry)));
    world.settle(&Effect::RunTool(run.clone()), Outcome::Starting { mark: "test#1".to_owned() });
    world.settle(&Effect::RunTool(run.clone()), Outcome::ToolFailed { why: "connection refused".to_owned() });
    let standing = Interview::standing(&world.state);
    assert_eq!(standing.phase, Phase::Stuck);
    assert!(!standing.waiting_for.unwrap().contains("connection refused"), "causes are for the record");
    assert!(world.run().is_none());
    world.tell(Command::RetryDelivery).unwrap();
    assert_ne!(world.run().unwrap().key, run.key);
}

/// Peers, row 24: repeated after ever longer pauses, with one id, and not for ever; or now, where someone says so.
#[test]
fn a_delivery_to_a_form_is_tried_again_by_itself() {
    let mut world = World::new();
    let opening = Open { delivery: DeliveryWay::UntilItArrives, ..Open::at_home(Form::sample(Lang::En)) };
    world.tell(Command::Open(Box::new(opening))).unwrap();
    for answer in ["The lift is stuck since this morning", "Building A, ground floor", "ada@example.org"] {
        world.play();
        world.say(answer);
    }
    world.play();
    world.confirm(Verdict::Yes).unwrap();
    let mut ids = Vec::new();
    let mut pauses = Vec::new();
    while let Some(run) = world.run() {
        assert_eq!(run.safety, Safety::Repeatable);
        ids.push(run.arguments["id"].clone());
        world.settle(&Effect::RunTool(run), Outcome::ToolFailed { why: "503".to_owned() });
        let Some(until) = world.state.delivers_again() else { break };
        assert_eq!(Interview::standing(&world.state).phase, Phase::Waiting);
        pauses.push(world.time.until(until).as_secs());
        world.time = until;
        world.settle(&Effect::Wake(Wake { name: "delivery".to_owned(), at: until }), Outcome::Rang);
    }
    assert_eq!(pauses, [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    assert!(ids.len() == 10 && ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert!(world.state.is_undelivered());
    world.tell(Command::RetryDelivery).unwrap();
    let run = world.run().unwrap();
    world.settle(&Effect::RunTool(run), Outcome::Returned { text: "200".to_owned() });
    assert_eq!(Interview::standing(&world.state).phase, Phase::Ended);
}
