//! One or several options, by value, label, place or beginning.

use enza_interview::{Choice, Field, Kind, ValueFault, show};
use enza_kernel::text::Lang;

use super::values::{all_read, field, read_en, read_ja};

fn options(kind: Kind, options: &[(&str, &str)]) -> Field {
    let choice =
        |(value, label): &(&str, &str)| Choice { value: (*value).to_owned(), label: Some((*label).to_owned()) };
    Field { options: options.iter().map(choice).collect(), ..field(kind) }
}

fn rooms(kind: Kind) -> Field {
    options(kind, &[("large", "大会議室"), ("small", "小会議室"), ("hall", "Hall and stage"), ("yard", "中庭, 外")])
}

#[test]
fn a_choice_is_read_by_value_label_place_and_beginning() {
    let cases = [
        ("large", "large"),
        ("LARGE!", "large"),
        ("ｌａｒｇｅ", "large"),
        ("小会議室", "small"),
        ("小会議室でお願いします。", "small"),
        ("I'd like the hall and stage, please", "hall"),
        ("2", "small"),
        ("２", "small"),
        ("②", "small"),
        ("no. 2", "small"),
        ("option 3", "hall"),
        ("the second one", "small"),
        ("2番", "small"),
        ("二番目", "small"),
        ("2つ目です", "small"),
        ("the last one", "yard"),
        ("sm", "small"),
        ("大会議", "large"),
    ];
    all_read(&cases, |text| read_ja(&rooms(Kind::Choice), text));
}

#[test]
fn what_is_no_option_is_refused_with_the_options() {
    let refused = read_en(&rooms(Kind::Choice), "garden");
    let listed = ["大会議室", "小会議室", "Hall and stage", "中庭, 外"].map(str::to_owned).to_vec();
    let no_such = ValueFault::NoSuchOption { given: "garden".to_owned(), options: listed, more: 0 };
    assert_eq!(refused, Err(no_such.clone()));
    assert_eq!(
        [Lang::Ja, Lang::En].map(|lang| no_such.say(lang)),
        [
            "「garden」は選択肢にありません。次の中から選んでください：大会議室、小会議室、Hall and stage、中庭, 外。",
            "\"garden\" is not one of the options; please choose from: 大会議室, 小会議室, Hall and stage, 中庭, 外.",
        ]
    );
    for text in ["5", "0", "large or small", "not large"] {
        assert!(matches!(read_en(&rooms(Kind::Choice), text), Err(ValueFault::NoSuchOption { .. })), "{text}");
    }
}

#[test]
fn ten_options_are_listed_and_the_rest_is_counted() {
    let names: Vec<String> = (0..12).map(|nth| format!("option{nth}")).collect();
    let many = Field { options: names.iter().map(|name| Choice::plain(name)).collect(), ..field(Kind::Choice) };
    let Err(refused) = read_en(&many, &"長".repeat(100)) else { panic!("read") };
    let given = format!("{}…", "長".repeat(40));
    assert_eq!(refused, ValueFault::NoSuchOption { given, options: names[..10].to_vec(), more: 2 });
    assert!(refused.say(Lang::En).ends_with("option9 and 2 more."), "{}", refused.say(Lang::En));
    assert!(refused.say(Lang::Ja).ends_with("option9、ほか2件。"), "{}", refused.say(Lang::Ja));
}

#[test]
fn a_beginning_of_several_options_is_refused_with_those() {
    let sizes = options(Kind::Choice, &[("small", "Small"), ("smaller", "Smaller"), ("tall", "Tall")]);
    let both = ValueFault::SeveralOptions { options: vec!["Small".to_owned(), "Smaller".to_owned()] };
    assert_eq!(read_en(&sizes, "sm"), Err(both));
    assert_eq!(read_en(&sizes, "small").as_deref(), Ok("small"));
}

#[test]
fn options_that_are_numbers_are_meant_by_their_numbers() {
    let counts = options(Kind::Choice, &[("5", "5"), ("10", "10"), ("1", "1")]);
    all_read(&[("1", "1"), ("5", "5"), ("10", "10"), ("the second one", "10")], |text| read_en(&counts, text));
    assert!(read_en(&counts, "3").is_err());
}

#[test]
fn a_place_in_the_list_is_not_guessed_where_options_have_numbers_or_ordinals_in_their_names() {
    let windows = options(Kind::Choice, &[("c", "3番窓口"), ("a", "1番窓口")]);
    all_read(&[("1番", "a"), ("3", "c"), ("2番目", "a")], |text| read_ja(&windows, text));
    assert!(read_ja(&windows, "2番").is_err());
    let floors = options(Kind::Choice, &[("2f", "Second floor"), ("1f", "First floor")]);
    all_read(&[("second", "2f"), ("first", "1f"), ("2", "2f")], |text| read_en(&floors, text));
    let plans = options(Kind::Choice, &[("p5", "Option 5"), ("p7", "Option 7")]);
    assert!(read_en(&plans, "option 2").is_err());
    assert_eq!(read_en(&plans, "option 7").as_deref(), Ok("p7"));
}

#[test]
fn another_answer_is_kept_as_it_is_given_where_that_is_allowed() {
    let rooms = Field { allow_other: true, ..rooms(Kind::Choice) };
    all_read(&[("The Garden.", "The Garden."), ("Large", "large"), ("2", "small"), ("la", "la")], |text| {
        read_en(&rooms, text)
    });
}

#[test]
fn several_choices_are_kept_in_the_order_of_the_form() {
    let cases = [
        ("small, large", "large; small"),
        ("小会議室と大会議室", "large; small"),
        ("小会議室、大会議室、および中庭, 外", "large; small; yard"),
        ("hall and stage and small", "small; hall"),
        ("Hall and stage", "hall"),
        ("1 and 3", "large; hall"),
        ("1, 2, and 4", "large; small; yard"),
        ("small / large", "large; small"),
        ("small;large", "large; small"),
        ("small\nlarge\n", "large; small"),
        ("small, small", "small"),
        ("small, 2, 小会議室です", "small"),
        ("all", "large; small; hall; yard"),
        ("全部です", "large; small; hall; yard"),
        ("中庭, 外", "yard"),
    ];
    all_read(&cases, |text| read_ja(&rooms(Kind::Choices), text));
}

#[test]
fn both_means_both_of_two() {
    let two = options(Kind::Choices, &[("tea", "Tea"), ("cake", "Cake")]);
    all_read(&[("both", "tea; cake"), ("両方", "tea; cake")], |text| read_en(&two, text));
    assert!(read_en(&rooms(Kind::Choices), "both").is_err());
}

#[test]
fn none_is_a_choice_only_where_it_is_an_option() {
    assert!(read_en(&rooms(Kind::Choices), "none").is_err());
    let with_none = options(Kind::Choices, &[("nuts", "ナッツ"), ("none", "なし")]);
    all_read(&[("None", "none"), ("なし", "none"), ("なしです", "none")], |text| read_ja(&with_none, text));
}

#[test]
fn one_unknown_part_refuses_the_whole_list_unless_others_are_allowed() {
    let refused = read_en(&rooms(Kind::Choices), "small, garden");
    assert!(matches!(&refused, Err(ValueFault::NoSuchOption { given, .. }) if given == "garden"), "{refused:?}");
    let open = Field { allow_other: true, ..rooms(Kind::Choices) };
    let cases =
        [("garden, small, Roof and attic, garden", "small; garden; Roof and attic"), ("とうきょう", "とうきょう")];
    all_read(&cases, |text| read_en(&open, text));
}

#[test]
fn choices_are_shown_by_their_labels_unless_a_label_would_mislead() {
    let rooms = rooms(Kind::Choices);
    let shown = [Lang::Ja, Lang::En].map(|lang| show(&rooms, "large; yard; garden", lang));
    assert_eq!(shown, ["大会議室、中庭, 外、garden", "大会議室, 中庭, 外, garden"]);
    let crossed = options(Kind::Choice, &[("a", "b"), ("b", "a")]);
    assert_eq!(show(&crossed, "a", Lang::En), "a");
}
