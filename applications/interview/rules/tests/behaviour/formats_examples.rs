//! The example forms and the guide: each example can be asked as it is, and is the same form in both languages; the
//! guide names everything that a form can say.

use enza_interview::{Condition, Form, Group, Kind, Order, read_json_schema, to_json_schema};
use enza_kernel::schema::schema_of;
use enza_kernel::text::Lang;
use serde_json::Value;

const FORMS: [(&str, &str, &str); 3] = [
    (
        "visit-report",
        include_str!("../../../../../examples/forms/visit-report.en.toml"),
        include_str!("../../../../../examples/forms/visit-report.ja.toml"),
    ),
    (
        "incident-report",
        include_str!("../../../../../examples/forms/incident-report.en.toml"),
        include_str!("../../../../../examples/forms/incident-report.ja.toml"),
    ),
    (
        "event-sign-up",
        include_str!("../../../../../examples/forms/event-sign-up.en.toml"),
        include_str!("../../../../../examples/forms/event-sign-up.ja.toml"),
    ),
];

fn parsed(name: &str, text: &str) -> Form {
    Form::parse(text).unwrap_or_else(|fault| panic!("{name}: {fault:?}"))
}

/// The form without its words.
fn bones(form: Form) -> Form {
    let mut form = Form { title: String::new(), language: Lang::En, ..form };
    form.description = form.description.map(|_| String::new());
    form.consent = form.consent.map(|_| String::new());
    for Group { item, .. } in &mut form.groups {
        item.clear();
    }
    for field in &mut form.fields {
        field.label.clear();
        field.intent = field.intent.take().map(|_| String::new());
        for option in &mut field.options {
            option.label = option.label.take().map(|_| String::new());
        }
        for fact in &mut field.facts {
            fact.fact.clear();
            fact.done_criteria.clear();
            fact.questioning_hints = fact.questioning_hints.take().map(|_| String::new());
        }
    }
    form
}

#[test]
fn each_example_is_the_same_form_in_both_languages() {
    for (name, english, japanese) in FORMS {
        let (english, japanese) = (parsed(name, english), parsed(name, japanese));
        assert_eq!((english.language, japanese.language), (Lang::En, Lang::Ja), "{name}");
        assert_eq!(bones(english), bones(japanese), "{name}");
    }
}

#[test]
fn facts_stand_only_where_a_rule_cannot_check_the_answer() {
    for (name, english, _) in FORMS {
        for field in parsed(name, english).fields {
            assert!(field.facts.is_empty() || field.kind.is_free_text(), "{name}: {}", field.field_id);
        }
    }
}

#[test]
fn the_examples_show_every_kind_but_a_bare_number_and_a_file_and_one_keeps_its_order() {
    let forms: Vec<Form> = FORMS.iter().map(|(name, english, _)| parsed(name, english)).collect();
    let has = |kind: Kind| forms.iter().flat_map(|form| &form.fields).any(|field| field.kind == kind);
    assert_eq!(Kind::ALL.into_iter().filter(|kind| !has(*kind)).collect::<Vec<_>>(), [Kind::Number, Kind::File]);
    assert_eq!(forms.iter().map(|form| form.order).collect::<Vec<_>>(), [Order::Free, Order::Free, Order::Fixed]);
}

#[test]
fn each_example_survives_every_format() {
    for (name, english, japanese) in FORMS {
        for text in [english, japanese] {
            let form = parsed(name, text);
            assert_eq!(Form::parse(&form.to_toml()).as_ref(), Ok(&form), "{name}");
            assert_eq!(Form::parse(&form.to_json()).as_ref(), Ok(&form), "{name}");
            assert_eq!(read_json_schema(&to_json_schema(&form)), Ok((form, Vec::new())), "{name}");
        }
    }
}

/// What stands in `x-enza` is for us; another tool has only the rest.
#[test]
fn without_what_only_we_understand_the_conditions_of_an_example_are_still_read() {
    let (name, english, _) = FORMS[2];
    let form = parsed(name, english);
    let mut schema = to_json_schema(&form);
    schema.as_object_mut().unwrap().remove("x-enza");
    for (_, property) in schema["properties"].as_object_mut().unwrap() {
        property.as_object_mut().unwrap().remove("x-enza");
    }
    let (read, remarks) = read_json_schema(&schema).unwrap();
    let conditions = |form: &Form| -> Vec<(String, bool, Vec<Condition>)> {
        let fields = form.fields.iter().map(|field| (field.field_id.clone(), field.required, field.when.clone()));
        let mut conditions: Vec<_> = fields.collect();
        conditions.sort_by(|one, other| one.0.cmp(&other.0));
        conditions
    };
    assert_eq!((conditions(&read), remarks), (conditions(&form), vec![]));
}

const GUIDES: [(&str, &str); 2] = [
    ("forms.md", include_str!("../../../../../docs/guides/forms.md")),
    ("forms.ja.md", include_str!("../../../../../docs/guides/forms.ja.md")),
];

#[test]
fn the_guide_names_every_key_and_every_kind_in_both_languages() {
    let mut words = keys(&schema_of::<Form>());
    words.extend(Kind::ALL.map(|kind| kind.word().to_owned()));
    assert!(words.contains(&"questioningHints".to_owned()), "{words:?}");
    for (name, guide) in GUIDES {
        let missing: Vec<&String> = words.iter().filter(|word| !guide.contains(&format!("`{word}`"))).collect();
        assert!(missing.is_empty(), "{name} does not name {missing:?}");
    }
}

/// The names of all properties, however deep.
fn keys(schema: &Value) -> Vec<String> {
    match schema {
        Value::Object(object) => {
            let own = object.get("properties").and_then(Value::as_object).into_iter().flatten();
            own.map(|(name, _)| name.clone()).chain(object.values().flat_map(keys)).collect()
        }
        Value::Array(list) => list.iter().flat_map(keys).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

#[test]
fn the_forms_in_the_guide_can_be_read() {
    for (name, guide) in GUIDES {
        let first = guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
        assert_eq!(parsed(name, first).fields.len(), 2, "{name}");
    }
}
