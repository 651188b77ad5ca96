//! All faults of a draft at once, and none exactly where the form can be asked.

use enza_forms::problems;
use enza_interview::{Condition, Field, Form, FormFault, Group, Kind, OneOrMore};
use enza_kernel::limits::{self, TextRefusal};

use super::world::form;

fn text(id: &str) -> Field {
    Field::new(id, "Label", Kind::Text)
}

fn on(field: &str) -> Condition {
    Condition { field: field.to_owned(), is: Some(OneOrMore::One("x".to_owned())), ..Condition::default() }
}

fn group(id: &str) -> Group {
    Group { group_id: id.to_owned(), item: "guest".to_owned(), min: 0, max: 3 }
}

fn empty(place: &str, limit: limits::Limit) -> FormFault {
    FormFault::Text { place: place.to_owned(), unfit: TextRefusal::Empty { limit } }
}

#[test]
fn a_sound_form_has_no_problems() {
    assert_eq!(problems(&form("Visit")), []);
}

#[test]
fn a_blank_draft_lacks_a_title_and_a_field() {
    let faults = [FormFault::FieldCount { count: 0 }, empty("title", limits::TITLE)];
    assert_eq!(problems(&Form::default()), faults);
}

#[test]
fn each_field_is_named_at_its_own_place() {
    let fields = vec![
        text("a"),
        Field { label: String::new(), ..text("b") },
        Field { kind: Kind::Choice, ..text("c") },
        Field { label: " ".to_owned(), ..text("d") },
        Field { hidden: true, required: true, ..text("e") },
        Field { field_id: "not an id".to_owned(), ..text("") },
    ];
    let faults = [
        empty("fields[1].label", limits::TITLE),
        FormFault::BadOptions { field_id: "c".to_owned() },
        empty("fields[3].label", limits::TITLE),
        FormFault::HiddenRequired { field_id: "e".to_owned() },
        FormFault::BadId { id: "not an id".to_owned() },
    ];
    assert_eq!(problems(&Form { fields, ..form("Visit") }), faults);
}

#[test]
fn ids_that_are_there_twice_are_each_named_once() {
    let fields =
        vec![text("a"), text("b"), text("a"), text("b"), text("a"), Field { label: String::new(), ..text("c") }];
    let faults = [
        FormFault::RepeatedField { field_id: "a".to_owned() },
        FormFault::RepeatedField { field_id: "b".to_owned() },
        empty("fields[5].label", limits::TITLE),
    ];
    assert_eq!(problems(&Form { fields, ..form("Visit") }), faults);
}

#[test]
fn references_and_groups_are_judged_beside_faults_of_fields() {
    let fields = vec![
        Field { when: vec![on("b")], ..text("a") },
        Field { label: String::new(), ..text("b") },
        Field { group: Some("guests".to_owned()), ..text("c") },
        Field { depends_on: vec!["c".to_owned()], ..text("d") },
        Field { group: Some("guests".to_owned()), ..text("e") },
        Field { group: Some("nowhere".to_owned()), ..text("f") },
    ];
    // No part that stands in for the rest is taken for one of the draft's, whatever that is called.
    let groups = vec![group("guests"), Group { max: 0, ..group("x") }];
    let pair = |field_id: &str, other: &str| (field_id.to_owned(), other.to_owned());
    let (ahead, into, lost) = (pair("a", "b"), pair("d", "c"), pair("f", "nowhere"));
    let faults = [
        empty("fields[1].label", limits::TITLE),
        FormFault::BadItems { group: "x".to_owned() },
        FormFault::NotEarlier { field_id: ahead.0, other: ahead.1 },
        FormFault::InsideGroup { field_id: into.0, other: into.1 },
        FormFault::UnknownGroup { field_id: lost.0, group: lost.1 },
        FormFault::ScatteredGroup { group: "guests".to_owned() },
        FormFault::ScatteredGroup { group: "x".to_owned() },
    ];
    assert_eq!(problems(&Form { fields, groups, ..form("Visit") }), faults);
}

#[test]
fn a_huge_draft_is_judged_field_by_field() {
    let fields = (0..2_000).map(|number| Field { label: String::new(), ..text(&format!("f{number}")) }).collect();
    let faults = problems(&Form { fields, ..form("Visit") });
    assert_eq!(faults.len(), 2_001);
    assert_eq!(faults[0], FormFault::FieldCount { count: 2_000 });
    assert_eq!(faults[2_000], empty("fields[1999].label", limits::TITLE));
}

/// Every combination of a few good and bad parts: there are problems exactly where the form cannot be asked.
#[test]
fn there_are_problems_exactly_where_the_form_cannot_be_asked() {
    let fields = [
        text("a"),
        text(" a "),
        Field { group: Some("g".to_owned()), ..text("b") },
        Field { when: vec![on("a")], ..text("c") },
        Field { when: vec![Condition { field: "a".to_owned(), ..Condition::default() }], ..text("d") },
        Field { min: Some("3".to_owned()), ..text("e") },
        Field { follow_ups: Some(9), ..text("f") },
        Field { depends_on: vec!["b".to_owned()], group: Some("g".to_owned()), ..text("h") },
    ];
    let groups = [group("g"), group("a"), Group { item: String::new(), ..group("i") }];
    let mut sound = 0;
    for chosen in 0_usize..1 << (fields.len() + groups.len()) {
        let is_in = |nth: usize| chosen >> nth & 1 == 1;
        let form = Form {
            fields: fields.iter().enumerate().filter(|(nth, _)| is_in(*nth)).map(|(_, one)| one.clone()).collect(),
            groups: groups
                .iter()
                .enumerate()
                .filter(|(nth, _)| is_in(fields.len() + nth))
                .map(|(_, one)| one.clone())
                .collect(),
            ..form("Visit")
        };
        let is_sound = form.clone().checked().is_ok();
        assert_eq!(problems(&form).is_empty(), is_sound, "{form:?}");
        sound += usize::from(is_sound);
    }
    assert!(sound > 5, "some can be asked: {sound}");
}
