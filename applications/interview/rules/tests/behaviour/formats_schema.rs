//! JSON Schemas as people and generators write them, and what a form makes of them.

use enza_interview::{
    Choice, Condition, Field, Form, FormFault, Group, Kind, Loss, OneOrMore, Remark, read_json_schema, to_json_schema,
};
use enza_kernel::text::Lang;
use serde_json::{Value, json};

fn read(schema: &Value) -> (Form, Vec<Remark>) {
    read_json_schema(schema).unwrap_or_else(|fault| panic!("{fault:?}: {schema:#}"))
}

fn remark(place: &str, keyword: &str, loss: Loss) -> Remark {
    Remark { place: place.to_owned(), keyword: keyword.to_owned(), loss }
}

fn is(field: &str, value: &str) -> Condition {
    Condition { field: field.to_owned(), is: Some(OneOrMore::One(value.to_owned())), ..Condition::default() }
}

/// A schema of one property, and the field that it becomes.
fn one(property: Value) -> (Field, Vec<Remark>) {
    let (mut form, remarks) = read(&json!({ "title": "T", "type": "object", "properties": { "p": property } }));
    assert_eq!(form.fields.len(), 1);
    (form.fields.remove(0), remarks)
}

#[test]
fn a_form_is_described_as_draft_2020_12() {
    let form = Form::parse(
        r#"
        title = "Incident"
        language = "en"
        groups = [{ groupId = "witnesses", item = "witness", min = 1, max = 5 }]
        fields = [
            { fieldId = "injured", label = "Anyone injured?", kind = "yes_no", required = true },
            { fieldId = "who", label = "Who?", intent = "To help.", required = true, when = [{ field = "injured", is = true }] },
            { fieldId = "note", label = "Note", kind = "long_text", when = [{ field = "who", answered = true }, { field = "injured", isNot = "no" }] },
            { fieldId = "name", label = "Name", group = "witnesses", required = true },
            { fieldId = "size", label = "Size", kind = "choice", options = ["s", { value = "l", label = "Large" }], allowOther = true },
            { fieldId = "count", label = "Count", kind = "number", min = "1.0", max = 6 },
        ]
        "#,
    );
    let injured = json!({ "properties": { "injured": { "const": true } }, "required": ["injured"] });
    let with_note = json!({ "allOf": [
        { "properties": { "who": {} }, "required": ["who"] },
        { "properties": { "injured": { "not": { "const": false } } }, "required": ["injured"] },
    ] });
    let is_yes = json!([{ "field": "injured", "is": "yes" }]);
    let note = json!([{ "field": "who", "answered": true }, { "field": "injured", "isNot": "no" }]);
    let witness = json!({
        "title": "witness", "type": "object", "required": ["name"],
        "properties": { "name": { "title": "Name", "type": "string", "x-enza": { "order": 3, "kind": "text" } } },
    });
    let expected = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Incident",
        "type": "object",
        "x-enza": { "language": "en", "order": "free" },
        "required": ["injured", "witnesses"],
        "properties": {
            "injured": { "title": "Anyone injured?", "type": "boolean", "x-enza": { "order": 0, "kind": "yes_no" } },
            "who": {
                "title": "Who?", "description": "To help.", "type": "string",
                "x-enza": { "order": 1, "kind": "text", "required": true, "when": is_yes },
            },
            "note": { "title": "Note", "type": "string", "x-enza": { "order": 2, "kind": "long_text", "when": note } },
            "witnesses": {
                "title": "witness", "type": "array", "minItems": 1, "maxItems": 5, "items": witness,
                "x-enza": { "order": 3, "nth": 0 },
            },
            "size": {
                "title": "Size",
                "anyOf": [{ "oneOf": [{ "const": "s" }, { "const": "l", "title": "Large" }] }, { "type": "string" }],
                "x-enza": { "order": 4, "kind": "choice" },
            },
            "count": {
                "title": "Count", "type": "number", "minimum": 1.0, "maximum": 6,
                "x-enza": { "order": 5, "kind": "number", "min": "1.0" },
            },
        },
        "allOf": [
            { "if": injured, "then": { "required": ["who"] } },
            { "if": with_note, "then": { "properties": { "note": true } } },
        ],
    });
    assert_eq!(to_json_schema(&form.unwrap()), expected);
}

#[test]
fn every_type_and_format_becomes_a_kind() {
    let kinds = [
        (json!({ "type": "string" }), Kind::Text),
        (json!({}), Kind::Text),
        (json!(true), Kind::Text),
        (json!({ "type": ["string", "null"] }), Kind::Text),
        (json!({ "type": "string", "format": "date" }), Kind::Date),
        (json!({ "type": "string", "format": "time" }), Kind::Time),
        (json!({ "type": "string", "format": "email" }), Kind::Email),
        (json!({ "type": "string", "format": "tel" }), Kind::Phone),
        (json!({ "type": "string", "format": "textarea" }), Kind::LongText),
        (json!({ "type": "string", "contentMediaType": "text/markdown" }), Kind::LongText),
        (json!({ "type": "string", "contentEncoding": "base64", "contentMediaType": "image/png" }), Kind::File),
        (json!({ "type": "string", "format": "data-url" }), Kind::File),
        (json!({ "type": "boolean" }), Kind::YesNo),
        (json!({ "enum": [true, false] }), Kind::YesNo),
        (json!({ "type": "number", "minimum": 0.5 }), Kind::Number),
        (json!({ "type": "integer", "minimum": 0, "exclusiveMaximum": 7 }), Kind::Integer),
        (json!({ "type": ["integer", "null"] }), Kind::Integer),
        (json!({ "type": "number", "multipleOf": 1 }), Kind::Integer),
        (json!({ "enum": ["a", "b"] }), Kind::Choice),
        (json!({ "const": "a" }), Kind::Choice),
        (json!({ "type": "array", "uniqueItems": true, "items": { "enum": ["a"] } }), Kind::Choices),
        (json!({ "anyOf": [{ "type": "string", "format": "date" }, { "type": "null" }], "default": null }), Kind::Date),
    ];
    for (property, kind) in kinds {
        let (field, remarks) = one(property.clone());
        assert_eq!((field.kind, remarks), (kind, vec![]), "{property}");
    }
}

#[test]
fn options_keep_their_labels_their_others_and_their_numbers() {
    let labelled = json!({ "oneOf": [{ "const": "s", "title": "Small" }, { "const": "l" }] });
    let small = Choice { value: "s".to_owned(), label: Some("Small".to_owned()) };
    assert_eq!(one(labelled.clone()).0.options, [small, Choice::plain("l")]);
    let (other, _) = one(json!({ "anyOf": [labelled, { "type": "string" }] }));
    assert_eq!((other.kind, other.options.len(), other.allow_other), (Kind::Choice, 2, true));
    let (numbers, _) = one(json!({ "type": "integer", "enum": [1, 2, null] }));
    assert_eq!(numbers.options, [Choice::plain("1"), Choice::plain("2")]);
    let (unfit, remarks) = one(json!({ "enum": ["a;b", "", { "x": 1 }, "a,b"] }));
    assert_eq!(unfit.options, [Choice { value: "a,b".to_owned(), label: Some("a;b".to_owned()) }]);
    let expected = [
        remark("#/properties/p/enum/0", "a;b", Loss::Renamed { to: "a,b".to_owned() }),
        remark("#/properties/p/enum/1", "const", Loss::LeftOut),
        remark("#/properties/p/enum/2", "const", Loss::LeftOut),
        remark("#/properties/p/enum/3", "const", Loss::LeftOut),
    ];
    assert_eq!(remarks, expected);
}

#[test]
fn bounds_are_kept_where_a_form_has_such() {
    let (whole, remarks) = one(json!({ "type": "integer", "exclusiveMinimum": 0, "maximum": 6 }));
    assert_eq!((whole.min.as_deref(), whole.max.as_deref()), (Some("1"), Some("6")));
    assert_eq!((whole.kind, remarks), (Kind::Integer, vec![]));
    let inwards = [
        (json!({ "type": "integer", "minimum": 0.5, "maximum": 6.5 }), ["1", "6"]),
        (json!({ "type": "integer", "exclusiveMinimum": -0.5, "exclusiveMaximum": 6.5 }), ["0", "6"]),
        (json!({ "type": "integer", "exclusiveMinimum": -3, "exclusiveMaximum": 7.0 }), ["-2", "6"]),
        (json!({ "type": "integer", "minimum": -2.5, "maximum": -0.5 }), ["-2", "-1"]),
    ];
    for (schema, bounds) in inwards {
        let (whole, remarks) = one(schema.clone());
        let found = [whole.min, whole.max].map(|bound| bound.unwrap_or_default());
        assert_eq!((found, remarks), (bounds.map(str::to_owned), vec![]), "{schema}");
    }
    let (real, remarks) = one(json!({ "type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5 }));
    assert_eq!((real.min, real.max), (None, None));
    let left_out = |keyword| remark("#/properties/p", keyword, Loss::LeftOut);
    assert_eq!(remarks, [left_out("exclusiveMinimum"), left_out("multipleOf")]);
    let (day, remarks) =
        one(json!({ "type": "string", "format": "date", "formatMinimum": "2026-01-01", "formatMaximum": "soon" }));
    assert_eq!((day.min.as_deref(), day.max), (Some("2026-01-01"), None));
    assert_eq!(remarks, [left_out("formatMaximum")]);
}

#[test]
fn what_cannot_be_carried_over_is_remarked_on_in_both_languages() {
    let (field, remarks) = one(json!({ "type": "string", "maxLength": 500, "pattern": "^a", "default": "a" }));
    assert_eq!(field.kind, Kind::LongText);
    let said: Vec<String> = remarks.iter().map(|remark| remark.say(Lang::En)).collect();
    assert_eq!(
        said,
        ["default", "maxLength", "pattern"]
            .map(|keyword| format!("{keyword} at #/properties/p was left out: forms have nothing like it."))
    );
    let japanese = remarks[2].say(Lang::Ja);
    assert_eq!(japanese, "#/properties/p の pattern は、フォームに相当するものがないため省きました。");
    let (field, remarks) = one(json!({ "type": "array", "items": { "type": "string" } }));
    assert_eq!((field.kind, remarks), (Kind::LongText, vec![remark("#/properties/p", "array", Loss::KeptAsText)]));
}

#[test]
fn the_order_in_which_a_schema_was_written_is_the_order_of_the_form() {
    let text = r#"{ "title": "T", "properties": { "z": {}, "a": {}, "m": { "properties": { "y": {}, "b": {} } } } }"#;
    let ids = |form: Form| form.fields.into_iter().map(|field| field.field_id).collect::<Vec<_>>();
    assert_eq!(ids(Form::parse(text).unwrap()), ["z", "a", "y", "b"]);
}

#[test]
fn an_array_of_objects_becomes_a_group() {
    let schema = json!({
        "title": "Visit", "type": "object", "required": ["people", "name"],
        "properties": {
            "name": { "type": "string", "title": "Customer" },
            "people": {
                "type": "array", "title": "Participants", "maxItems": 500,
                "items": { "$ref": "#/$defs/person" },
            },
        },
        "$defs": { "person": {
            "type": "object", "required": ["name"],
            "properties": { "name": { "title": "Name" }, "role": { "title": "Role" } },
        } },
    });
    let (form, remarks) = read(&schema);
    let within = |field: Field| Field { group: Some("people".to_owned()), ..field };
    let expected = Form {
        title: "Visit".to_owned(),
        fields: vec![
            Field::new("name", "Customer", Kind::Text).required(),
            within(Field::new("people_name", "Name", Kind::Text).required()),
            within(Field::new("role", "Role", Kind::Text)),
        ],
        groups: vec![Group { group_id: "people".to_owned(), item: "Participants".to_owned(), min: 1, max: 20 }],
        ..Form::default()
    };
    assert_eq!(form, expected);
    let place = "#/properties/people";
    assert_eq!(
        remarks,
        [
            remark(place, "maxItems", Loss::Lowered { to: 20 }),
            remark("#/properties/people/items/properties/name", "name", Loss::Renamed { to: "people_name".to_owned() }),
        ]
    );
}

#[test]
fn an_object_within_the_object_gives_its_fields_to_the_form() {
    let (form, remarks) = read(&json!({
        "title": "T", "type": "object", "required": ["home"],
        "properties": {
            "home": { "type": "object", "title": "Home", "required": ["city"], "properties": { "city": { "title": "City" } } },
            "work": { "type": "object", "title": "Work", "required": ["city"], "properties": { "city": { "title": "City" } } },
        },
    }));
    let expected =
        [Field::new("city", "Home: City", Kind::Text).required(), Field::new("work_city", "Work: City", Kind::Text)];
    assert_eq!(form.fields, expected);
    assert_eq!(remarks.iter().filter(|remark| remark.loss == Loss::Flattened).count(), 2);
}

#[test]
fn if_then_and_else_become_conditions() {
    let (form, remarks) = read(&json!({
        "title": "T", "type": "object",
        "properties": { "a_why": {}, "hurt": { "type": "boolean" }, "size": { "enum": ["s", "m", "l"] }, "b": {} },
        "if": { "properties": { "hurt": { "const": true } }, "required": ["hurt"] },
        "then": { "required": ["a_why"], "properties": { "who": { "title": "Who" } } },
        "else": { "required": ["b"] },
        "allOf": [
            { "if": { "properties": { "size": { "const": "s" } } }, "then": { "properties": { "note": true } } },
            { "if": { "properties": { "size": { "enum": ["m", "s"] } } }, "then": { "properties": { "note": true } } },
        ],
    }));
    let note = Condition {
        is: Some(OneOrMore::Any(vec!["s".to_owned(), "m".to_owned()])),
        ..Condition { field: "size".to_owned(), ..Condition::default() }
    };
    let not_hurt =
        Condition { field: "hurt".to_owned(), is_not: Some(OneOrMore::One("yes".to_owned())), ..Condition::default() };
    let conditions: Vec<(&str, bool, Vec<Condition>)> =
        form.fields.iter().map(|field| (field.field_id.as_str(), field.required, field.when.clone())).collect();
    assert_eq!(
        conditions,
        [
            ("hurt", false, vec![]),
            ("a_why", true, vec![is("hurt", "yes")]),
            ("b", true, vec![not_hurt]),
            ("size", false, vec![]),
            ("who", false, vec![is("hurt", "yes")]),
            ("note", false, vec![note]),
        ]
    );
    assert_eq!(remarks, []);
}

#[test]
fn what_one_property_needs_becomes_a_condition_on_its_being_answered() {
    for keyword in ["dependentRequired", "dependencies"] {
        let (form, remarks) = read(&json!({
            "title": "T", "type": "object", "properties": { "a_bill": {}, "card": {} }, keyword: { "card": ["a_bill"] },
        }));
        let answered = Condition { field: "card".to_owned(), answered: Some(true), ..Condition::default() };
        let bill = Field { when: vec![answered], ..Field::new("a_bill", "a_bill", Kind::Text).required() };
        assert_eq!((form.fields, remarks), (vec![Field::new("card", "card", Kind::Text), bill], vec![]));
    }
}

#[test]
fn conditions_that_a_form_cannot_have_are_dropped_with_a_remark() {
    let (form, remarks) = read(&json!({
        "title": "T", "type": "object", "properties": { "a": {}, "b": { "type": "number" } },
        "allOf": [
            { "if": { "properties": { "a": { "const": "1" } } }, "then": { "required": ["b"] } },
            { "if": { "properties": { "b": { "const": 1 } } }, "then": { "required": ["a"] } },
            { "if": { "properties": { "a": { "pattern": "x" } } }, "then": { "required": ["b"] } },
            { "if": { "required": ["a"] }, "then": { "required": ["nobody"] } },
        ],
    }));
    let b = Field { when: vec![is("a", "1")], ..Field::new("b", "b", Kind::Number).required() };
    assert_eq!(form.fields, [Field::new("a", "a", Kind::Text).required(), b]);
    let expected = [
        remark("#/allOf/2", "if", Loss::LeftOut),
        remark("#/allOf/3/then", "nobody", Loss::UnknownField),
        remark("fields", "a", Loss::UnusableCondition),
    ];
    assert_eq!(remarks, expected);
}

#[test]
fn names_and_texts_are_made_to_fit() {
    let (form, remarks) = read(&json!({
        "type": "object",
        "properties": { "お名前": { "description": "x".repeat(2_000) }, "E-mail!": {}, "\u{200B}": {} },
    }));
    let ids: Vec<(&str, &str)> = form.fields.iter().map(|field| (&*field.field_id, &*field.label)).collect();
    assert_eq!(ids, [("E-mail_", "E-mail!"), ("field", "field"), ("field_2", "お名前")]);
    assert_eq!((form.language, form.title.as_str()), (Lang::Ja, "フォーム"));
    assert!(remarks.contains(&remark("#/properties/お名前", "description", Loss::Shortened)), "{remarks:?}");
}

#[test]
fn a_schema_that_points_to_itself_comes_to_an_end() {
    let node = json!({ "type": "object", "properties": { "l": { "$ref": "#" }, "r": { "$ref": "#" }, "v": {} } });
    assert_eq!(read_json_schema(&node), Err(FormFault::FieldCount { count: 63 }));
    let (field, remarks) = one(json!({ "$ref": "#/properties/p" }));
    assert_eq!((field.kind, remarks), (Kind::Text, vec![remark("#/properties/p", "$ref", Loss::Unresolved)]));
    let (_, remarks) = one(json!({ "$ref": "https://example.com/address.json" }));
    assert_eq!(remarks, [remark("#/properties/p", "$ref", Loss::Unresolved)]);
    let every_way = json!({ "type": "object", "allOf": [{ "$ref": "#" }, { "$ref": "#" }, { "$ref": "#" }], "properties": { "a": { "$ref": "#" } } });
    assert_eq!(read(&every_way).0.fields.len(), 1);
    let wide: serde_json::Map<String, Value> =
        (0..2_000).map(|nth| (format!("p{nth}"), json!({ "$ref": "#" }))).collect();
    assert!(matches!(read_json_schema(&json!({ "properties": wide })), Err(FormFault::Count { .. })));
}

#[test]
fn a_large_part_that_is_pointed_to_from_everywhere_is_refused_before_it_is_read_often() {
    let pointing = |target: &str| -> serde_json::Map<String, Value> {
        (0..40).map(|nth| (format!("p{nth}"), json!({ "$ref": format!("#/$defs/{target}") }))).collect()
    };
    let keywords: serde_json::Map<String, Value> = (0..20_000).map(|nth| (format!("x-{nth}"), json!(1))).collect();
    let parts = json!({ "keywords": keywords, "options": { "enum": vec![json!({}); 20_000] } });
    for target in ["keywords", "options"] {
        let read = read_json_schema(&json!({ "properties": pointing(target), "$defs": parts }));
        assert!(matches!(read, Err(FormFault::Count { .. })), "{target}");
    }
    let all_of = |target: &str| json!({ "allOf": vec![json!({ "$ref": format!("#/$defs/{target}") }); 200] });
    let tested = json!({
        "properties": { "a": {}, "b": {} }, "if": all_of("one"), "then": { "required": ["b"] },
        "$defs": { "one": all_of("two"), "two": all_of("three"), "three": { "required": ["a"] } },
    });
    assert!(matches!(read_json_schema(&tested), Err(FormFault::Count { .. })));
}

#[test]
fn what_is_no_schema_of_an_object_is_refused() {
    for value in [json!(null), json!(true), json!([]), json!({}), json!({ "type": "string" }), json!({ "fields": [] })]
    {
        assert!(matches!(read_json_schema(&value), Err(FormFault::Unreadable { .. })), "{value}");
    }
    let empty = read_json_schema(&json!({ "type": "object", "title": "T" }));
    assert_eq!(empty, Err(FormFault::FieldCount { count: 0 }));
}

#[test]
fn odd_schemas_are_read_or_refused_but_never_break() {
    let odd = [
        json!({ "properties": { "a": 3 } }),
        json!({ "properties": { "a": false, "b": null } }),
        json!({ "properties": { "a": { "enum": 3, "oneOf": "x", "type": 7, "items": [1] } }, "required": "a" }),
        json!({ "properties": { "a": { "type": "array", "items": [{ "type": "string" }] } }, "allOf": 3 }),
        json!({ "properties": { "a": { "minimum": "x", "type": "number" } }, "if": 1, "then": 2, "else": [] }),
        json!({ "properties": { "a": {} }, "if": {}, "then": { "required": ["a"] }, "dependencies": { "a": { "oneOf": [] } } }),
        json!({ "properties": { "a": { "x-enza": 3 } }, "x-enza": { "language": "fr" } }),
        json!({ "properties": { "a": { "type": "array", "items": { "properties": {} } }, "b": {} } }),
        json!({ "properties": { "a": { "type": "array", "items": { "properties": { "n": { "type": "array", "items": { "properties": { "x": {} } } } } } } } }),
    ];
    for schema in odd {
        let read = read_json_schema(&schema);
        assert!(read.is_ok(), "{schema}: {read:?}");
    }
}

#[test]
fn an_edited_keyword_counts_more_than_what_was_kept_beside_it() {
    let form = Form { title: "T".to_owned(), fields: vec![Field::new("n", "N", Kind::LongText)], ..Form::default() };
    let mut schema = to_json_schema(&form);
    schema["properties"]["n"]["title"] = json!("Number");
    schema["properties"]["n"]["type"] = json!("number");
    assert_eq!(read(&schema).0.fields, [Field::new("n", "Number", Kind::Number)]);
}
