//! Kinds, conditions, groups, links: what rules do with a field before any model sees it.
//! Peers, rows 14 to 17, 19, 20; section 3, "Values are strings only".

use enza_interview::{Absence, Choice, Command, Condition, Field, Form, Group, Kind, OneOrMore, Open, Refusal, Stage};
use enza_kernel::application::Application;
use enza_kernel::floor::Offer;
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use serde_json::json;

use super::world::{SKIP, World, open};

fn form(fields: Vec<Field>) -> Form {
    Form { title: "Form".to_owned(), language: Lang::En, fields, ..Form::default() }
}

fn asked(fields: Vec<Field>) -> World {
    let mut world = World::new();
    world.tell(open(form(fields), None)).unwrap();
    world.asks_for("?");
    world
}

fn meal() -> Field {
    let options = ["meat", "fish", "none"].map(Choice::plain).to_vec();
    Field { options, ..Field::new("meal", "Meal", Kind::Choice).required() }
}

fn only_if(field: &str, is: &str) -> Vec<Condition> {
    vec![Condition { field: field.to_owned(), is: Some(OneOrMore::One(is.to_owned())), ..Condition::default() }]
}

/// A plain value of the field's kind is reviewed by rule: one call for the field, not two (INT-52 holds: there is a review).
#[test]
fn a_plain_value_passes_by_rule_in_the_spelling_of_its_kind() {
    for (field, said, kept) in [
        (Field::new("f", "F", Kind::Number), "about 1,200 people", "1200"),
        (Field::new("f", "F", Kind::Date), "Nov 3, 2026", "2026-11-03"),
        (Field::new("f", "F", Kind::Time), "2:30 pm", "14:30"),
        (Field::new("f", "F", Kind::YesNo), "yes please", "yes"),
        (Field::new("f", "F", Kind::Email), " Ada@Example.ORG ", "Ada@example.org"),
        (Field::new("f", "F", Kind::Phone), "(212) 555-0123", "+12125550123"),
        (meal(), "Fish", "fish"),
        (meal(), "none", "none"),
    ] {
        let mut world = asked(vec![field.clone()]);
        world.say(said);
        let id = field.field_id.as_str();
        assert_eq!(world.state.values().get(id), Some(&kept), "{said}");
        assert_eq!(world.state.threads().replies, 1, "{said}: only the question was a model's");
        assert!(world.state.record(id).unwrap().finding().unwrap().passed);
        assert_eq!(world.state.record(id).unwrap().sentence(), Some(said.trim()));
    }
}

/// Whatever a model calls a value is read by the kind once more; what cannot be read is asked for again (peers, row 14).
#[test]
fn a_models_value_that_is_none_of_the_kind_becomes_a_follow_up() {
    let mut world = asked(vec![Field::new("day", "Day", Kind::Date).required()]);
    world.say("sometime around the harvest festival");
    world.reviews(json!({ "passed": true, "field_value": "harvest" }));
    let record = world.state.record("day").unwrap();
    assert_eq!((record.at(), record.follow_ups(), record.value()), ("interviewing", 1, None));
    assert!(world.last_told("interviewer").contains("missing_facts"), "{}", world.last_told("interviewer"));
    world.asks_for("Which day was that?");
    world.say("the one after the full moon, 2026-11-25 I think");
    world.reviews(json!({ "passed": true, "field_value": "2026-11-25" }));
    assert_eq!(world.state.values()["day"], "2026-11-25");
}

/// Words that the respondent never said are not put into their mouth.
#[test]
fn a_text_that_a_model_made_up_is_replaced_by_what_was_said() {
    let mut world = asked(vec![Field::new("what", "What", Kind::LongText).required()]);
    world.say("The pump on the roof drips");
    world.reviews(json!({ "passed": true, "field_value": "Quarterly revenue exceeded expectations" }));
    assert_eq!(world.state.values()["what"], "The pump on the roof drips");
}

/// Peers, row 19.
#[test]
fn choices_and_yes_or_no_are_offered_as_buttons() {
    let presses = |world: &World| -> Vec<String> {
        let offers = world.app.floor(&world.state, &Reader::host(), Lang::En).offers.into_iter();
        offers.filter_map(|offer| if let Offer::Press { label, .. } = offer { Some(label) } else { None }).collect()
    };
    let world = asked(vec![meal()]);
    assert_eq!(presses(&world)[..3], ["meat", "fish", "none"]);
    let world = asked(vec![Field::new("f", "F", Kind::YesNo)]);
    assert_eq!(presses(&world)[..2], ["Yes", "No"]);
}

/// Peers, row 16: what does not apply is neither asked nor required nor submitted, and changes with the answer.
#[test]
fn a_field_applies_only_while_its_condition_holds() {
    let fields = vec![
        Field::new("hurt", "Was anybody hurt", Kind::YesNo).required(),
        Field { when: only_if("hurt", "yes"), ..Field::new("who", "Who", Kind::Email).required() },
        Field::new("note", "Note", Kind::Email),
    ];
    let mut world = asked(fields);
    assert_eq!(world.state.progress(), (0, 2));
    world.say("no");
    assert_eq!(world.state.current().unwrap().0.field_id, "note");
    world.asks_for("Anything else?");
    world.tell(SKIP).unwrap();
    assert_eq!(world.state.stage(), Stage::Confirming);
    assert_eq!(world.state.submission().answers[1].absence, Some(Absence::NotApplicable));
    let fill = |id: &str, text: &str| Command::Fill { answers: [(id.to_owned(), text.to_owned())].into() };
    assert_eq!(world.tell(fill("who", "a@b.cd")), Err(Refusal::UnknownField { field_id: "who".to_owned() }));
    world.tell(fill("hurt", "yes")).unwrap();
    assert_eq!((world.state.gate(), world.state.current().unwrap().0.field_id.as_str()), (None, "who"));
    world.asks_for("Who?");
    world.say("ben@example.org");
    assert_eq!(world.state.values()["who"], "ben@example.org");
    world.tell(fill("hurt", "no")).unwrap();
    assert!(!world.state.values().contains_key("who"), "it does not apply any more");
    world.tell(fill("hurt", "yes")).unwrap();
    assert_eq!(world.state.values()["who"], "ben@example.org", "and changing back loses nothing");
}

/// Peers, row 17.
#[test]
fn a_group_is_asked_item_by_item_until_there_is_no_more() {
    let guest = |field: Field| Field { group: Some("guests".to_owned()), ..field };
    let mut sheet = form(vec![
        guest(Field::new("mail", "E-mail", Kind::Email).required()),
        guest(Field::new("age", "Age", Kind::Number)),
        Field::new("day", "Day", Kind::Date).required(),
    ]);
    sheet.groups = vec![Group { group_id: "guests".to_owned(), item: "guest".to_owned(), min: 1, max: 3 }];
    let mut world = World::new();
    world.tell(open(sheet, None)).unwrap();
    let mut asked = Vec::new();
    for answer in ["a@b.cd", "42", "yes", "e@f.gh", "skip", "no", "2026-11-03"] {
        let (field, record) = world.state.current().unwrap();
        asked.push((record.id().to_owned(), field.kind));
        world.asks_for("?");
        world.say(answer);
    }
    let ids: Vec<&str> = asked.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(
        ids,
        ["guests.1.mail", "guests.1.age", "guests.1.more", "guests.2.mail", "guests.2.age", "guests.2.more", "day"]
    );
    let values: Vec<_> = world.state.values().into_iter().collect();
    assert_eq!(
        values,
        [("day", "2026-11-03"), ("guests.1.age", "42"), ("guests.1.mail", "a@b.cd"), ("guests.2.mail", "e@f.gh")]
    );
    assert_eq!(world.state.label(world.state.record("guests.2.mail").unwrap()), "E-mail (guest 2)");
    let none = Command::Fill { answers: [("guests.1.more".to_owned(), "no".to_owned())].into() };
    world.tell(none).unwrap();
    assert_eq!(world.state.values().len(), 3, "the second guest does not come after all");
}

/// Peers, row 20: what the link brings is not asked; hidden fields are filled by it alone.
#[test]
fn a_link_fills_in_fields_and_hidden_ones_are_never_asked() {
    let fields = vec![
        Field::new("name", "Name", Kind::Text).required(),
        Field { hidden: true, ..Field::new("campaign", "Campaign", Kind::Text) },
        Field::new("day", "Day", Kind::Date).required(),
    ];
    let prefill = [("name", "Ada"), ("campaign", "spring"), ("day", "not a day"), ("gone", "x")];
    let prefill = prefill.map(|(id, text)| (id.to_owned(), text.to_owned())).into();
    let mut world = World::new();
    world.tell(Command::Open(Box::new(Open { prefill, ..Open::at_home(form(fields)) }))).unwrap();
    let values = world.state.values();
    assert_eq!((values["name"], values["campaign"]), ("Ada", "spring"));
    assert_eq!(world.ask().agent, "reviewer", "what a rule cannot read is looked at");
    world.reviews(json!({ "passed": false, "missing_facts": ["a day"] }));
    assert_eq!(world.state.current().unwrap().0.field_id, "day");
    assert_eq!(world.state.progress(), (1, 2), "hidden fields do not count");
}

/// Section 4, 9: the classic form goes on where the model has stopped, by rules alone.
#[test]
fn a_form_can_be_filled_in_while_the_model_is_down() {
    let mut world = World::new();
    world.tell(Command::Open(Box::new(Open::form(Form::sample(Lang::En))))).unwrap();
    let down = |world: &mut World| {
        while let Some(ask) = world.asks().into_iter().next() {
            let silent = enza_kernel::effect::Outcome::Unanswered { why: "503".to_owned() };
            world.settle(&enza_kernel::effect::Effect::AskModel(ask), silent);
        }
    };
    down(&mut world);
    let answers = [("symptom", "The lift is stuck"), ("place", "Building A"), ("contact", "")];
    for (id, text) in answers {
        world.tell(Command::Fill { answers: [(id.to_owned(), text.to_owned())].into() }).unwrap();
        down(&mut world);
    }
    assert_eq!(world.state.stage(), Stage::Confirming);
    assert_eq!(world.state.values().len(), 2);
}

/// Bad input into a field is refused with what would do, and changes nothing.
#[test]
fn what_is_no_value_of_the_kind_cannot_be_written_in() {
    let mut world = asked(vec![Field::new("day", "Day", Kind::Date).required(), meal()]);
    let before = world.log.len();
    let answers = [("meal", "fish"), ("day", "soon")].map(|(id, text)| (id.to_owned(), text.to_owned()));
    let refused = world.tell(Command::Fill { answers: answers.into() });
    assert!(matches!(&refused, Err(Refusal::Unread { field_id, .. }) if field_id == "day"), "{refused:?}");
    assert_eq!(world.log.len(), before);
}

/// Consent is asked for before anything else, and its version is on record.
#[test]
fn a_form_with_a_consent_text_begins_only_with_consent() {
    let sheet = Form { consent: Some("We keep this for a year.".to_owned()), ..Form::sample(Lang::En) };
    let opening =
        |consented| Command::Open(Box::new(Open { consented, version: Some(7), ..Open::at_home(sheet.clone()) }));
    let mut world = World::new();
    assert_eq!(world.tell(opening(false)), Err(Refusal::ConsentMissing));
    world.tell(opening(true)).unwrap();
    let row = enza_interview::Interview::rows(&world.log[0]).remove(0).content.unwrap();
    assert_eq!((&row["version"], &row["consented"]), (&json!(7), &json!(true)));
}
