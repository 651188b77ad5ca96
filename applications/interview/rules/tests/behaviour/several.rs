//! One message and several fields: answered together, corrected in words, asked again where they depend on each other.
//! Peers, rows 2 to 5; section 3, "Collected facts"; section 4, 4.

use enza_interview::{Command, Event, Field, Form, Kind, Source};
use enza_kernel::text::Lang;
use serde_json::json;

use super::world::{World, open};

/// A visit: who, when, what was agreed on that day, and remarks.
fn visit() -> World {
    let form = Form {
        title: "Visit".to_owned(),
        language: Lang::En,
        fields: vec![
            Field::new("customer", "Customer", Kind::Text).required(),
            Field::new("day", "Day of the visit", Kind::Date).required(),
            Field {
                depends_on: vec!["day".to_owned()],
                ..Field::new("agreed", "What was agreed", Kind::LongText).required()
            },
            Field::new("next", "Next meeting", Kind::Date),
            Field::new("remarks", "Remarks", Kind::LongText),
        ],
        ..Form::default()
    };
    let mut world = World::new();
    world.tell(open(form, None)).unwrap();
    world.asks_for("Whom did you visit?");
    world
}

fn reviews(world: &World) -> usize {
    world.log.iter().filter(|entry| matches!(entry.event, Event::Reviewed { .. })).count()
}

/// Each of them goes through a review of its own (INT-52), and the interviewer asks for what is left.
#[test]
fn one_message_fills_all_the_fields_it_answers_each_through_the_reviewer() {
    let mut world = visit();
    let said = "I was at Kobo Ltd on 3 November 2026 and we agreed on two more seats";
    world.say(said);
    world.reviews(json!({ "passed": true, "field_value": "Kobo Ltd", "other_fields": ["day", "agreed"] }));
    assert_eq!(world.asks().len(), 2, "two reviews at once, and no question meanwhile");
    assert_eq!(world.state.question(), None);
    world.reviews(json!({ "passed": true, "field_value": "3 November 2026" }));
    world.reviews(json!({ "passed": true, "field_value": "two more seats" }));
    let values = world.state.values();
    assert_eq!([values["customer"], values["day"], values["agreed"]], ["Kobo Ltd", "2026-11-03", "two more seats"]);
    assert_eq!(reviews(&world), 3);
    assert_eq!(world.state.current().unwrap().0.field_id, "next");
    assert_eq!(world.state.threads().replies, 4, "one question and three reviews: fewer than two calls for each field");
    let sources: Vec<Source> = world
        .log
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::AnswerGiven { source, .. } => Some(*source),
            _ => None,
        })
        .collect();
    assert_eq!(sources, [Source::Question, Source::Aside, Source::Aside]);
}

/// What names a field by its label needs no model to find it.
#[test]
fn lines_with_labels_are_given_to_their_fields_by_rule() {
    let mut world = visit();
    world.say("Customer: Kobo Ltd\nDay of the visit: 2026-11-03\nNext meeting: 2026-12-01");
    assert_eq!([world.field("day"), world.field("next"), world.field("customer")], ["done", "done", "reviewing"]);
    world.reviews(json!({ "passed": true, "field_value": "Kobo Ltd", "other_fields": ["day"] }));
    assert_eq!(world.ask().agent, "interviewer", "what a rule has taken is not reviewed twice");
    assert_eq!(world.state.current().unwrap().0.field_id, "agreed");
}

/// A field that was only half answered along the way is asked for the rest in its turn.
#[test]
fn what_is_lacking_of_a_volunteered_field_is_asked_when_its_turn_comes() {
    let mut world = visit();
    world.say("Kobo Ltd, and we agreed on something");
    world.reviews(json!({ "passed": true, "field_value": "Kobo Ltd", "other_fields": ["agreed"] }));
    world.reviews(json!({ "passed": false, "missing_facts": ["what"] }));
    assert_eq!(world.field("agreed"), "interviewing");
    assert_eq!(world.state.current().unwrap().0.field_id, "day", "the plan's order");
}

/// Peers, row 3: at any time, in words; what depends on the answer is asked again, what does not is kept.
#[test]
fn an_earlier_answer_is_corrected_in_words_and_only_its_dependents_are_asked_again() {
    let mut world = visit();
    world.round_from_question("Kobo Ltd", json!({ "passed": true, "field_value": "Kobo Ltd" }));
    world.asks_for("When?");
    world.say("2026-11-03");
    world.round("Two more seats", json!({ "passed": true, "field_value": "Two more seats" }));
    world.asks_for("When do you meet next?");
    world.say("Wait, the visit was on the 4th of November");
    world.reviews(json!({ "passed": false, "stance": "elsewhere", "other_fields": ["day"] }));
    assert_eq!(world.field("day"), "reviewing");
    world.reviews(json!({ "passed": true, "field_value": "4 November 2026" }));
    let values = world.state.values();
    assert_eq!((values["day"], values["customer"]), ("2026-11-04", "Kobo Ltd"));
    assert!(!values.contains_key("agreed"), "it depends on the day");
    assert_eq!(world.state.record("next").unwrap().follow_ups(), 0, "what was said elsewhere counts against nothing");
    assert_eq!(world.state.current().unwrap().0.field_id, "next", "the question that was open is asked again");
    world.asks_for("And when do you meet next?");
    world.say("2026-12-01");
    assert_eq!(world.state.current().unwrap().0.field_id, "agreed", "and then what the change made doubtful");
    assert!(world.state.current().unwrap().1.value().is_some(), "with what it was");
}

/// What is taken back beyond doubt needs no model: a word of the label and another value of its kind, or the value that
/// it takes the place of. The open question stays open and nothing counts against it.
#[test]
fn a_correction_that_names_its_field_and_a_value_is_taken_by_rule() {
    for words in [
        "Sorry, the visit was on 4 November 2026.",
        "Correction: it was 2026-11-04, not 2026-11-03",
        "visit: I was wrong, it should be 2026-11-04",
    ] {
        let mut world = visit();
        world.round_from_question("Kobo Ltd", json!({ "passed": true, "field_value": "Kobo Ltd" }));
        world.asks_for("When?");
        world.say("2026-11-03");
        world.round("Two more seats", json!({ "passed": true, "field_value": "Two more seats" }));
        world.asks_for("When do you meet next?");
        world.say(words);
        assert_eq!(world.state.values()["day"], "2026-11-04", "{words}");
        assert_eq!(world.asks().iter().map(|ask| ask.agent.as_str()).collect::<Vec<_>>(), ["interviewer"], "{words}");
        assert_eq!(world.state.current().unwrap().0.field_id, "next", "{words}");
        assert_eq!(world.state.record("next").unwrap().follow_ups(), 0, "{words}");
    }
}

/// Where two answers could be meant, or nothing is taken back, the reviewer looks.
#[test]
fn a_correction_that_leaves_a_doubt_goes_to_the_reviewer() {
    for words in
        ["Sorry, 5 November 2026 or 6 November 2026, I was wrong", "The visit was pleasant, on 4 November 2026"]
    {
        let mut world = visit();
        world.round_from_question("Kobo Ltd", json!({ "passed": true, "field_value": "Kobo Ltd" }));
        world.asks_for("When?");
        world.say("2026-11-03");
        world.asks_for("What was agreed?");
        world.say(words);
        assert_eq!(world.state.values()["day"], "2026-11-03", "{words}");
        assert_eq!(world.asks().len(), 1, "{words}");
    }
}

/// A model asked for a day gives one. Where the respondent named none, the question stays open.
#[test]
fn a_value_that_the_respondent_did_not_name_is_not_taken() {
    let mut world = visit();
    world.round_from_question("Kobo Ltd", json!({ "passed": true, "field_value": "Kobo Ltd" }));
    world.round("Is there a hotel near you?", json!({ "passed": true, "field_value": "2026-11-19" }));
    assert_eq!(world.field("day"), "interviewing");
    assert_eq!(world.state.record("day").unwrap().follow_ups(), 0);
}

/// A model that takes a remark for a correction does not lose the answer.
#[test]
fn a_correction_that_is_none_leaves_the_answer_as_it_was() {
    let mut world = visit();
    world.round_from_question("Kobo Ltd", json!({ "passed": true, "field_value": "Kobo Ltd" }));
    world.asks_for("When?");
    world.say("They were very kind at Kobo");
    world.reviews(json!({ "passed": false, "stance": "question", "other_fields": ["customer"] }));
    assert_eq!(world.field("customer"), "done", "nothing in these words takes anything back");
    world.asks_for("And when was that?");
    world.say("Wait, they were very kind at Kobo");
    world
        .reviews(json!({ "passed": false, "stance": "question", "other_fields": ["customer", "customer", "nothing"] }));
    assert_eq!(world.field("customer"), "reviewing");
    assert!(!world.state.values().contains_key("customer"));
    world.reviews(json!({ "passed": false, "stance": "elsewhere" }));
    assert_eq!((world.field("customer"), world.state.values()["customer"]), ("done", "Kobo Ltd"));
    assert_eq!(world.state.current().unwrap().0.field_id, "day");
}

/// Peers, row 4: by the side panel, at any time; the question that was open waits.
#[test]
fn a_field_can_be_written_into_or_turned_to_while_another_is_asked() {
    let mut world = visit();
    world.round_from_question("Kobo Ltd", json!({ "passed": true, "field_value": "Kobo Ltd" }));
    world.asks_for("When?");
    let fill = |id: &str, text: &str| Command::Fill { answers: [(id.to_owned(), text.to_owned())].into() };
    world.tell(fill("remarks", "A nice office")).unwrap();
    assert_eq!(world.state.question(), Some("When?"), "nothing has to be asked again");
    world.tell(fill("customer", "Kobo Inc.")).unwrap();
    let values = world.state.values();
    assert_eq!((values["customer"], values["remarks"]), ("Kobo Inc.", "A nice office"));
    world.tell(Command::ChangeAnswer { field_id: "customer".to_owned() }).unwrap();
    assert_eq!(world.state.current().unwrap().0.field_id, "customer");
    world.round("Kobo Ltd after all", json!({ "passed": true, "field_value": "Kobo Ltd" }));
    assert_eq!(world.state.current().unwrap().0.field_id, "day");
}

/// A label says which answer is meant, so nothing else has to take it back.
#[test]
fn an_answer_that_is_named_by_its_label_is_corrected() {
    let mut world = visit();
    world.round_from_question("Kobo Ltd", json!({ "passed": true, "field_value": "Kobo Ltd" }));
    world.asks_for("When?");
    world.say("2026-11-03");
    world.asks_for("What was agreed?");
    world.say("Two more seats\nDay of the visit: 2026-11-04");
    assert_eq!(world.state.values()["day"], "2026-11-04");
    world.reviews(json!({ "passed": true, "field_value": "Two more seats" }));
    assert_eq!(world.state.values()["agreed"], "Two more seats");
}

/// What only gives other fields their answers is no answer to the one that is asked.
#[test]
fn a_correction_by_label_alone_leaves_the_open_question_open() {
    let mut world = visit();
    world.round_from_question("Kobo Ltd", json!({ "passed": true, "field_value": "Kobo Ltd" }));
    world.asks_for("When?");
    world.say("2026-11-03");
    world.asks_for("What was agreed?");
    world.say("Sorry, that was wrong.\nCustomer: Kobo Inc.");
    assert_eq!((world.field("agreed"), world.field("customer")), ("interviewing", "reviewing"));
    world.reviews(json!({ "passed": true, "field_value": "Kobo Inc." }));
    assert_eq!(world.state.values()["customer"], "Kobo Inc.");
    assert_eq!(world.state.current().unwrap().0.field_id, "agreed", "and it is asked again");
    assert_eq!(world.ask().agent, "interviewer");
}

/// Whoever is changing an answer may ask something in between, and is still asked for it.
#[test]
fn a_question_while_an_answer_is_changed_does_not_end_the_change() {
    let mut world = visit();
    world.round_from_question("Kobo Ltd", json!({ "passed": true, "field_value": "Kobo Ltd" }));
    world.asks_for("When?");
    world.tell(Command::ChangeAnswer { field_id: "customer".to_owned() }).unwrap();
    world.round("May I see what I wrote?", json!({ "passed": false, "stance": "question" }));
    assert_eq!(
        (world.field("customer"), world.state.current().unwrap().0.field_id.as_str()),
        ("interviewing", "customer")
    );
}
