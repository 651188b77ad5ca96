//! Forms: what is read, and what is refused with a reason.

use enza_interview::{Fact, Field, Form, FormFault, MOST_FIELDS, Refusal};
use enza_kernel::application::Reason;
use enza_kernel::text::Lang;
use serde_json::json;

use super::world::{World, open};

fn field(field_id: &str) -> Field {
    Field { field_id: field_id.to_owned(), label: "Label".to_owned(), ..Field::default() }
}

fn form(fields: Vec<Field>) -> Form {
    Form { title: "Form".to_owned(), language: Lang::En, fields, ..Form::default() }
}

#[test]
fn the_sample_is_the_same_form_in_both_languages() {
    let ids = |lang| -> Vec<(String, bool, usize)> {
        let form = Form::sample(lang).checked().unwrap();
        form.fields.into_iter().map(|field| (field.field_id, field.required, field.facts.len())).collect()
    };
    assert_eq!(ids(Lang::Ja), ids(Lang::En));
    assert_eq!(ids(Lang::Ja).len(), 3);
}

/// INT-83 to INT-85: the names of the document.
#[test]
fn a_form_is_written_with_the_names_of_the_document() {
    let written = serde_json::to_value(Form::sample(Lang::Ja)).unwrap();
    let fact = written["fields"][0]["facts"][0].as_object().unwrap();
    assert_eq!(fact.keys().collect::<Vec<_>>(), ["doneCriteria", "fact", "factKey", "questioningHints"]);
    assert_eq!(Form::parse(&written.to_string()), Ok(Form::sample(Lang::Ja)));
}

#[test]
fn an_unknown_key_is_refused_by_name() {
    let json = json!({ "title": "T", "language": "en", "fields": [{ "fieldId": "a", "label": "A", "required": true, "colour": 1 }] });
    let fault = Form::parse(&json.to_string()).unwrap_err();
    assert!(fault.say(Lang::En).message.contains("unknown field `colour`"), "{fault:?}");
}

#[test]
fn a_form_has_one_to_fifty_fields_with_ids_of_their_own() {
    let many = |count: usize| form((0..count).map(|nth| field(&format!("f{nth}"))).collect()).checked();
    assert_eq!(many(0), Err(FormFault::FieldCount { count: 0 }));
    assert!(many(MOST_FIELDS).is_ok());
    assert_eq!(many(MOST_FIELDS + 1), Err(FormFault::FieldCount { count: MOST_FIELDS + 1 }));
    let repeated = form(vec![field("a"), field(" a ")]).checked();
    assert_eq!(repeated, Err(FormFault::RepeatedField { field_id: "a".to_owned() }));
    assert_eq!(form(vec![field("a/b")]).checked(), Err(FormFault::BadId { id: "a/b".to_owned() }));
}

#[test]
fn texts_are_held_to_the_limits_and_the_place_is_named() {
    let long = Field { label: "x".repeat(121), ..field("a") };
    let Err(FormFault::Text { place, .. }) = form(vec![field("z"), long]).checked() else { panic!("too long") };
    assert_eq!(place, "fields[1].label");
    let fact = Fact { fact_key: "k".to_owned(), fact: " ".to_owned(), ..Fact::default() };
    let empty = Field { facts: vec![fact], ..field("a") };
    let Err(FormFault::Text { place, .. }) = form(vec![empty]).checked() else { panic!("empty") };
    assert_eq!(place, "fields[0].facts[0].fact");
}

#[test]
fn a_faulty_form_opens_nothing() {
    let mut world = World::new();
    let refused = world.tell(open(form(vec![]), None));
    assert_eq!(refused, Err(Refusal::Form(FormFault::FieldCount { count: 0 })));
    assert!(world.log.is_empty());
}
