//! JSON Forms UI schemas: order, labels and rules onto a form.

use enza_interview::{Condition, Field, Form, Group, Kind, Loss, OneOrMore, Remark, apply_ui_schema, read_json_schema};
use proptest::prelude::*;
use serde_json::{Value, json};

fn remark(place: &str, keyword: &str, loss: Loss) -> Remark {
    Remark { place: place.to_owned(), keyword: keyword.to_owned(), loss }
}

fn form() -> Form {
    let within = |id: &str| Field { group: Some("people".to_owned()), ..Field::new(id, id, Kind::Text) };
    let fields = vec![
        Field::new("a", "A", Kind::Text),
        Field::new("b", "B", Kind::YesNo),
        within("who"),
        within("role"),
        Field::new("c", "C", Kind::Text),
    ];
    let groups = vec![Group { group_id: "people".to_owned(), item: "person".to_owned(), min: 0, max: 3 }];
    Form { title: "T".to_owned(), fields, groups, ..Form::default() }
}

fn control(name: &str) -> Value {
    json!({ "type": "Control", "scope": format!("#/properties/{name}") })
}

fn ids(form: &Form) -> Vec<&str> {
    form.fields.iter().map(|field| field.field_id.as_str()).collect()
}

#[test]
fn controls_are_asked_in_the_order_in_which_they_stand() {
    let mut form = form();
    let remarks = apply_ui_schema(
        &mut form,
        &json!({ "type": "Categorization", "elements": [
            { "type": "Category", "elements": [control("people")] },
            { "type": "Category", "elements": [{ "type": "HorizontalLayout", "elements": [control("c"), control("b")] }] },
        ] }),
    );
    assert_eq!(ids(&form), ["who", "role", "c", "b", "a"]);
    assert_eq!(remarks, [remark("#", "a", Loss::NotMentioned)]);
    assert_eq!(form.clone().checked(), Ok(form));
}

#[test]
fn labels_long_texts_and_rules_are_taken_over() {
    let mut form = form();
    let show = json!({ "effect": "SHOW", "condition": { "scope": "#/properties/b", "schema": { "const": true } } });
    let hide =
        json!({ "effect": "HIDE", "condition": { "type": "LEAF", "scope": "#/properties/b", "expectedValue": false } });
    let remarks = apply_ui_schema(
        &mut form,
        &json!({ "type": "VerticalLayout", "elements": [
            { "type": "Control", "scope": "#/properties/c", "label": "Why?", "options": { "multi": true }, "rule": show },
            control("b"),
            { "type": "Group", "rule": hide, "elements": [control("a"), control("people")] },
        ] }),
    );
    assert_eq!(remarks, []);
    // The order is the layout's, but what is looked at comes first.
    assert_eq!(ids(&form), ["b", "c", "a", "who", "role"]);
    let yes = Condition { is: Some(OneOrMore::One("yes".to_owned())), ..on_b() };
    let not_no = Condition { is_not: Some(OneOrMore::One("no".to_owned())), ..on_b() };
    assert_eq!(form.fields[1], Field { when: vec![yes], ..Field::new("c", "Why?", Kind::LongText) });
    assert!(form.fields[2..].iter().all(|field| field.when == [not_no.clone()]), "{form:?}");
    assert_eq!(form.clone().checked(), Ok(form));
}

fn on_b() -> Condition {
    Condition { field: "b".to_owned(), ..Condition::default() }
}

#[test]
fn what_has_no_effect_is_remarked_on() {
    let mut changed = form();
    let or = json!({ "effect": "SHOW", "condition": { "type": "OR", "conditions": [] } });
    let remarks = apply_ui_schema(
        &mut changed,
        &json!({ "type": "Group", "label": "Head", "elements": [
            { "type": "Label", "text": "Hello" },
            control("nobody"),
            { "type": "Control", "scope": "#/properties/a", "label": false, "options": { "slider": true } },
            { "type": "Control", "scope": "#/properties/b", "rule": or },
            { "type": "Control", "scope": "#/properties/people", "label": "People" },
            { "type": "Control", "scope": "#/properties/c", "options": { "multi": false } },
            3,
        ] }),
    );
    assert_eq!(changed, form());
    let expected = [
        remark("#", "label", Loss::LeftOut),
        remark("#/elements/0", "Label", Loss::LeftOut),
        remark("#/elements/1", "#/properties/nobody", Loss::UnknownField),
        remark("#/elements/2/options", "slider", Loss::LeftOut),
        remark("#/elements/3", "rule", Loss::LeftOut),
        remark("#/elements/4", "label", Loss::LeftOut),
        remark("#/elements/6", "elements", Loss::LeftOut),
    ];
    assert_eq!(remarks, expected);
}

#[test]
fn fields_of_inner_objects_are_found_by_their_scope() {
    let inner = |title: &str| json!({ "title": title, "properties": { "city": { "type": "string" } } });
    let schema = json!({ "title": "T", "properties": { "home": inner("Home"), "work": inner("Work") } });
    let (mut form, _) = read_json_schema(&schema).unwrap();
    let scope = |object: &str| json!({ "type": "Control", "scope": format!("#/properties/{object}/properties/city") });
    let remarks =
        apply_ui_schema(&mut form, &json!({ "type": "VerticalLayout", "elements": [scope("work"), scope("home")] }));
    assert_eq!((ids(&form), remarks), (vec!["work_city", "city"], vec![]));
}

#[test]
fn a_layout_of_any_depth_comes_to_an_end() {
    let mut ui = control("a");
    for _ in 0..100 {
        ui = json!({ "type": "VerticalLayout", "elements": [ui] });
    }
    let mut changed = form();
    let remarks = apply_ui_schema(&mut changed, &ui);
    assert_eq!(changed, form());
    assert!(remarks.iter().any(|remark| remark.keyword == "elements" && remark.loss == Loss::LeftOut), "{remarks:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn no_schema_and_no_layout_breaks_reading_or_leaves_a_form_that_cannot_be_asked(schema in keywords(), ui in keywords()) {
        if let Ok((read, _)) = read_json_schema(&schema) {
            prop_assert_eq!(read.clone().checked(), Ok(read));
        }
        let mut changed = form();
        apply_ui_schema(&mut changed, &ui);
        prop_assert_eq!(changed.clone().checked(), Ok(changed));
    }
}

/// JSON made of the words that readers look for, in any place.
fn keywords() -> impl Strategy<Value = Value> {
    let words = vec![
        "$ref",
        "#",
        "#/properties/a",
        "#/properties/b",
        "#/$defs/a",
        "a",
        "b",
        "c",
        "people",
        "who",
        "type",
        "object",
        "array",
        "string",
        "number",
        "integer",
        "boolean",
        "null",
        "enum",
        "const",
        "oneOf",
        "anyOf",
        "allOf",
        "not",
        "if",
        "then",
        "else",
        "required",
        "items",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "format",
        "date",
        "time",
        "x-enza",
        "order",
        "kind",
        "when",
        "elements",
        "Control",
        "VerticalLayout",
        "Group",
        "scope",
        "label",
        "rule",
        "effect",
        "SHOW",
        "HIDE",
        "condition",
        "schema",
        "options",
        "multi",
        "dependencies",
        "title",
        "description",
        "properties",
    ];
    let word = proptest::sample::select(words);
    let leaf = prop_oneof![
        word.clone().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        (-3_i64..60).prop_map(Value::from),
        Just(Value::Null),
    ];
    let within = leaf.prop_recursive(5, 60, 6, move |inner| {
        let object = proptest::collection::btree_map(word.clone(), inner.clone(), 0..6);
        let object =
            object.prop_map(|entries| entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect());
        prop_oneof![proptest::collection::vec(inner, 0..4).prop_map(Value::Array), object.prop_map(Value::Object)]
    });
    // Most of it is to be taken for a schema or a layout, or nothing would be read.
    (within.clone(), within.clone(), within.clone(), within).prop_map(|(a, b, test, then)| {
        json!({
            "title": "T", "properties": { "a": a, "b": b, "c": {} }, "if": test, "then": then,
            "type": "VerticalLayout", "elements": [a, control("c"), b, { "type": "Control", "scope": "#/properties/a", "rule": test, "options": then }],
        })
    })
}
