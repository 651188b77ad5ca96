//! Form files: what is read, what a fault says, and that what is written is read back as the same form.

use enza_interview::{
    Choice, Condition, Fact, Field, Form, FormFault, Group, Kind, OneOrMore, Order, read_json_schema, to_json_schema,
};
use enza_kernel::application::Reason;
use enza_kernel::text::Lang;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

const TOML: &str = r#"
title = "Sign-up"
language = "en"
order = "fixed"
followUps = 2

[[fields]]
fieldId = "attending"
label = "Will you come?"
kind = "yes_no"
required = true

[[fields]]
fieldId = "day"
label = "Which day?"
kind = "date"
min = 2026-11-03
max = "2026-11-05"
when = [{ field = "attending", is = true }]

[[fields]]
fieldId = "hour"
label = "At what time?"
kind = "time"
min = 09:00:00
when = [{ field = "day", isNot = [2026-11-04], answered = true }]
"#;

fn sign_up() -> Form {
    let attending = Field::new("attending", "Will you come?", Kind::YesNo).required();
    let day = Field {
        min: Some("2026-11-03".to_owned()),
        max: Some("2026-11-05".to_owned()),
        when: vec![Condition {
            field: "attending".to_owned(),
            is: Some(OneOrMore::One("yes".to_owned())),
            ..Condition::default()
        }],
        ..Field::new("day", "Which day?", Kind::Date)
    };
    let hour = Field {
        min: Some("09:00".to_owned()),
        when: vec![Condition {
            field: "day".to_owned(),
            is_not: Some(OneOrMore::Any(vec!["2026-11-04".to_owned()])),
            answered: Some(true),
            ..Condition::default()
        }],
        ..Field::new("hour", "At what time?", Kind::Time)
    };
    Form {
        title: "Sign-up".to_owned(),
        order: Order::Fixed,
        follow_ups: Some(2),
        fields: vec![attending, day, hour],
        ..Form::default()
    }
}

#[test]
fn days_times_and_truths_may_stand_bare_in_a_toml_form() {
    assert_eq!(Form::parse(TOML), Ok(sign_up()));
}

#[test]
fn a_form_is_the_same_in_snake_case_and_in_camel_case_in_both_formats() {
    let toml = TOML.replace("fieldId", "field_id").replace("followUps", "follow_ups").replace("isNot", "is_not");
    assert_eq!(Form::parse(&toml), Ok(sign_up()));
    let json = sign_up().to_json();
    let snake = json.replace("fieldId", "field_id").replace("followUps", "follow_ups").replace("isNot", "is_not");
    assert_ne!(snake, json);
    assert_eq!(Form::parse(&snake), Ok(sign_up()));
}

#[test]
fn every_condition_knows_both_spellings() {
    let form = |than: &str| {
        format!(
            "title = \"T\"\n[[fields]]\nfieldId = \"n\"\nlabel = \"N\"\nkind = \"number\"\n\
             [[fields]]\nfieldId = \"m\"\nlabel = \"M\"\nwhen = [{{ field = \"n\", {than} = 3 }}]\n"
        )
    };
    assert_eq!(Form::parse(&form("more_than")), Form::parse(&form("moreThan")));
    assert_eq!(Form::parse(&form("less_than")), Form::parse(&form("lessThan")));
    let wanted = Form::parse(&form("is")).unwrap().fields.remove(1).when;
    let three = Some(OneOrMore::One("3".to_owned()));
    assert_eq!(wanted, [Condition { field: "n".to_owned(), is: three, ..Condition::default() }]);
}

#[test]
fn a_mark_before_the_first_letter_is_passed_over() {
    assert_eq!(Form::parse(&format!("\u{FEFF}{TOML}")), Ok(sign_up()));
    assert_eq!(Form::parse(&format!("\u{FEFF}\n {}", sign_up().to_json())), Ok(sign_up()));
}

#[test]
fn a_fault_names_line_and_column_and_where_to_look() {
    let said = |text: &str| Form::parse(text).unwrap_err().say(Lang::En).message;
    let toml = said("title = \"T\"\n\n[[fields]]\nfieldId = \"a\"\n日付 = 1\nlabel = \"A\"\n");
    assert!(toml.contains("line 5, column 1: "), "{toml}");
    assert!(toml.contains("docs/guides/forms.md"), "{toml}");
    let unknown = said("title = \"T\"\n[[fields]]\nfieldId = \"a\"\nlabel = \"A\"\n  colour = 1\n");
    assert!(unknown.contains("line 5, column 3: unknown field `colour`"), "{unknown}");
    let json =
        said("{\n  \"title\": \"T\",\n  \"fields\": [{ \"fieldId\": \"a\", \"label\": \"A\", \"colour\": 1 }]\n}");
    assert!(json.contains("line 3, column 53: unknown field `colour`"), "{json}");
    let broken = said("{\n  \"title\": \"T\",,\n}");
    assert!(broken.contains("line 2, column 16: "), "{broken}");
    let list = said("[{ \"title\": \"T\" }]");
    assert!(list.contains("line 1, column "), "{list}");
    let prose = said("Please ask for the name.");
    assert!(prose.contains("line 1, column "), "{prose}");
}

#[test]
fn no_text_at_all_is_a_fault_and_not_a_form() {
    for text in ["", " \n", "{}", "[]", "null", "# only a comment", "{\"fields\": []}", "\u{FEFF}"] {
        assert!(matches!(Form::parse(text), Err(FormFault::Unreadable { .. })), "{text:?}: {:?}", Form::parse(text));
    }
}

#[test]
fn a_text_of_any_depth_is_refused_and_not_followed() {
    for deep in
        ["[".repeat(100_000), format!("a = {}", "[".repeat(100_000)), "{\"a\":".repeat(100_000), "[{".repeat(100_000)]
    {
        assert!(matches!(Form::parse(&deep), Err(FormFault::Unreadable { .. })));
    }
}

#[test]
fn a_toml_form_says_only_what_is_special() {
    insta::assert_snapshot!(sign_up().to_toml(), @r#"
    # A form for an interview. Every key is explained in docs/guides/forms.md.

    title = "Sign-up"
    order = "fixed"
    followUps = 2

    [[fields]]
    fieldId = "attending"
    label = "Will you come?"
    kind = "yes_no"
    required = true

    [[fields]]
    fieldId = "day"
    label = "Which day?"
    kind = "date"
    min = "2026-11-03"
    max = "2026-11-05"
    when = [{ field = "attending", is = "yes" }]

    [[fields]]
    fieldId = "hour"
    label = "At what time?"
    kind = "time"
    min = "09:00"
    when = [{ field = "day", isNot = ["2026-11-04"], answered = true }]
    "#);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_written_is_read_back_as_the_same_form(form in forms()) {
        prop_assert_eq!(Form::parse(&form.to_toml()), Ok(form.clone()), "{}", form.to_toml());
        prop_assert_eq!(Form::parse(&form.to_json()), Ok(form));
    }

    #[test]
    fn our_own_json_schema_is_read_back_as_the_same_form_without_a_remark(form in forms()) {
        let schema = to_json_schema(&form);
        prop_assert_eq!(read_json_schema(&schema), Ok((form.clone(), Vec::new())), "{:#}", schema);
        prop_assert_eq!(Form::read(&schema.to_string()), Ok((form, Vec::new())));
    }

    #[test]
    fn no_text_makes_reading_panic(text in ".{0,80}", cut in 0_usize..400, form in forms()) {
        let _ = Form::parse(&text);
        let written = form.to_toml();
        let _ = Form::parse(&written.chars().take(cut).collect::<String>());
        let schema = to_json_schema(&form).to_string();
        let _ = Form::parse(&schema.chars().take(cut).collect::<String>());
    }
}

/// Forms that can be asked, with everything that a form can have.
fn forms() -> impl Strategy<Value = Form> {
    let head = (text(), option::of(text()), option::of(text()), any::<bool>(), any::<bool>(), option::of(0_u32..=5));
    (head, vec(field(), 1..9), vec((0_u32..3, 3_u32..=20, text()), 0..3)).prop_filter_map(
        "a form that can be asked",
        |((title, description, consent, is_japanese, is_fixed, follow_ups), fields, groups)| {
            let language = if is_japanese { Lang::Ja } else { Lang::En };
            let order = if is_fixed { Order::Fixed } else { Order::Free };
            let (fields, groups) = related(fields, groups);
            Form { title, description, consent, language, order, follow_ups, fields, groups }.checked().ok()
        },
    )
}

/// Gives fields their ids, groups of neighbours, and conditions on those before them.
fn related(drawn: Vec<(Field, Vec<(usize, Condition)>)>, groups: Vec<(u32, u32, String)>) -> (Vec<Field>, Vec<Group>) {
    let id = |place: usize| ["_", "a-b", "Z9", "--", "item", "order", "properties", "x_y"][place % 8].to_owned();
    let mut fields: Vec<Field> = Vec::new();
    for (place, (field, conditions)) in drawn.into_iter().enumerate() {
        let group = groups.get(place / 3).map(|_| format!("g{}", place / 3));
        let is_in_sight = |other: &Field| other.group.is_none() || other.group == group;
        let mut when = Vec::new();
        let mut depends_on = Vec::new();
        for (back, condition) in conditions {
            let Some(other) = fields.iter().rev().filter(|other| is_in_sight(other)).nth(back) else { continue };
            depends_on.push(other.field_id.clone());
            when.push(Condition { field: other.field_id.clone(), ..condition });
        }
        fields.push(Field { field_id: id(place), group, when, depends_on, ..field });
    }
    let is_used = |id: &String| fields.iter().any(|field| field.group.as_ref() == Some(id));
    let groups = groups.into_iter().enumerate().map(|(nth, (min, max, item))| {
        let item = item.chars().take(20).collect();
        Group { group_id: format!("g{nth}"), item, min, max }
    });
    let mut groups: Vec<Group> = groups.filter(|group| is_used(&group.group_id)).collect();
    groups.reverse();
    (fields, groups)
}

fn field() -> impl Strategy<Value = (Field, Vec<(usize, Condition)>)> {
    let kind = proptest::sample::select(Kind::ALL.to_vec());
    let head = (kind, text(), option::of(text()), any::<[bool; 4]>(), option::of(0_u32..=5));
    let rest =
        (vec((text(), option::of(text())), 1..5), bounds(), vec(fact(), 0..3), vec((0_usize..4, condition()), 0..3));
    (head, rest).prop_map(|((kind, label, intent, flags, follow_ups), (options, numbers, facts, conditions))| {
        let [required, hidden, sensitive, allow_other] = flags;
        let (min, max) = match kind {
            Kind::Number => numbers,
            Kind::Integer => (numbers.0.map(|_| "-3".to_owned()), numbers.1.map(|_| "1e3".to_owned())),
            Kind::Date => (Some("2026-01-31".to_owned()), numbers.1.map(|_| "2026-12-01".to_owned())),
            Kind::Time => (numbers.0.map(|_| "09:00".to_owned()), Some("23:59".to_owned())),
            _ => (None, None),
        };
        let options = options
            .into_iter()
            .enumerate()
            .map(|(nth, (value, label))| Choice { value: format!("{nth}{}", value.replace(';', ",")), label });
        let facts = facts.into_iter().enumerate().map(|(nth, fact)| Fact { fact_key: format!("k{nth}"), ..fact });
        let field = Field {
            label,
            intent,
            required: required && !hidden,
            kind,
            options: options.filter(|_| kind.has_options()).collect(),
            allow_other,
            min,
            max,
            hidden,
            sensitive,
            follow_ups,
            facts: facts.collect(),
            ..Field::default()
        };
        (field, conditions)
    })
}

/// Numbers in spellings of which JSON has only some.
fn bounds() -> impl Strategy<Value = (Option<String>, Option<String>)> {
    let low = proptest::sample::select(vec!["-3", "0", "1.50", "-0.5", "1e0", "+2", "007"]);
    let high = proptest::sample::select(vec!["8", "9.0", "1e3", "12345678901234567", "99.25"]);
    (option::of(low), option::of(high)).prop_map(|(low, high)| (low.map(str::to_owned), high.map(str::to_owned)))
}

fn fact() -> impl Strategy<Value = Fact> {
    (text(), text(), option::of(text())).prop_map(|(fact, done_criteria, questioning_hints)| Fact {
        fact_key: String::new(),
        fact,
        done_criteria,
        questioning_hints,
    })
}

fn condition() -> impl Strategy<Value = Condition> {
    let wanted = prop_oneof![
        text().prop_map(OneOrMore::One),
        vec(text(), 0..3).prop_map(OneOrMore::Any),
        Just(OneOrMore::One("yes".to_owned())),
    ];
    let than = option::of(proptest::sample::select(vec!["3", "2026-11-03", "14:30"]));
    (option::of(wanted.clone()), option::of(wanted), than.clone(), than, option::of(any::<bool>())).prop_map(
        |(is, is_not, more_than, less_than, answered)| Condition {
            field: String::new(),
            is,
            is_not,
            more_than: more_than.map(str::to_owned),
            less_than: less_than.map(str::to_owned),
            answered,
        },
    )
}

/// Texts with what files stumble over: quotes, brackets, line ends, other scripts.
fn text() -> impl Strategy<Value = String> {
    let stumbling = proptest::sample::select(vec![
        "\"\"\"",
        "'''",
        "'",
        "\"",
        "\\",
        "\\n",
        "#",
        "= [",
        "]]",
        "{",
        "}",
        "\n",
        "\r\n",
        "\t",
        "\u{1}",
        "\u{7f}",
        "日本語",
        "が",
        "👨‍👩‍👧",
        "a",
        "Z",
        "0",
        " ",
        "true",
        "$ref",
    ]);
    // It begins and ends with a letter, since the space around a text is not kept.
    vec(stumbling, 0..6).prop_map(|parts| format!("x{}x", parts.concat()))
}
