//! Numbers as people write them, by locale.

use enza_interview::{Kind, ValueFault, show};
use enza_kernel::text::Lang;

use super::values::{all_read, all_refused, bounded, field, read_as, read_en, read_ja};

#[test]
fn a_number_is_read_without_its_clothing() {
    let cases = [
        ("12", "12"),
        ("012", "12"),
        ("1,234.50", "1234.5"),
        ("1,234,567", "1234567"),
        ("12,34,567", "1234567"),
        (".5", "0.5"),
        ("1,5", "1.5"),
        ("-3", "-3"),
        ("−3", "-3"),
        ("-0", "0"),
        ("+5", "5"),
        ("minus two", "-2"),
        ("about 30 people", "30"),
        ("around 5 or so", "5"),
        ("It's 7.", "7"),
        ("$1,200", "1200"),
        ("-$5", "-5"),
        ("US$ 20", "20"),
        ("50%", "50"),
        ("5km", "5"),
        ("20 years old", "20"),
        ("seven", "7"),
        ("Twenty", "20"),
        ("twenty-one", "21"),
        ("two hundred guests", "200"),
        ("1.5 million", "1500000"),
        ("5k", "5000"),
        ("٣٤", "34"),
    ];
    all_read(&cases, |text| read_en(&field(Kind::Number), text));
}

#[test]
fn japanese_numerals_and_units_are_read() {
    let cases = [
        ("１，２００円", "1200"),
        ("¥1,200", "1200"),
        ("約30人です", "30"),
        ("３０名くらいです", "30"),
        ("三十", "30"),
        ("十", "10"),
        ("百二十三", "123"),
        ("二〇二六", "2026"),
        ("1万2千", "12000"),
        ("1万2千円", "12000"),
        ("千五百円", "1500"),
        ("1.5億", "150000000"),
        ("1億2,000万", "120000000"),
        ("マイナス5", "-5"),
        ("二つ", "2"),
        ("25歳です", "25"),
        ("3時間", "3"),
    ];
    all_read(&cases, |text| read_ja(&field(Kind::Number), text));
}

#[test]
fn point_and_comma_go_by_the_locale() {
    let number = field(Kind::Number);
    all_read(
        &[("1.234,5", "1234.5"), ("1.234", "1234"), ("1,5", "1.5"), ("1.5", "1.5"), ("1,234.5", "1234.5")],
        |text| read_as("de", Some("DE"), &number, text),
    );
    all_read(&[("1 234,5", "1234.5"), ("1\u{202F}234,5", "1234.5")], |text| read_as("fr", Some("FR"), &number, text));
    all_read(&[("1'234.5", "1234.5"), ("1’234", "1234")], |text| read_as("de", Some("CH"), &number, text));
    all_read(&[("1,234", "1234"), ("1,5", "1.5")], |text| read_as("es", Some("MX"), &number, text));
    all_read(&[("1,234", "1234"), ("1.234", "1.2340")], |text| read_ja(&number, text));
}

#[test]
fn what_is_no_number_or_more_than_one_is_refused() {
    let wrong = [
        "many",
        "3 or 4",
        "3-4",
        "3~4",
        "1,2345,6",
        "1.2.3",
        "12 34",
        "万",
        "1千2万3億",
        "--5",
        "$",
        "3 apples",
        "half",
        "5?",
        "1e5",
        "0x10",
        "1234567890123456789",
        "NaN",
        "inf",
    ];
    all_refused(&wrong, &ValueFault::NotANumber, |text| read_en(&field(Kind::Number), text));
    all_refused(&["たくさん", "三四人くらいかな", "十十"], &ValueFault::NotANumber, |text| {
        read_ja(&field(Kind::Number), text)
    });
}

/// A point before three digits means thousands in German. A kept value must not change its meaning on the way.
#[test]
fn a_kept_number_means_the_same_in_every_locale() {
    let number = field(Kind::Number);
    let kept = read_as("de", Some("DE"), &number, "1,234").unwrap();
    assert_eq!(kept, "1.2340");
    for (language, country) in [("de", "DE"), ("en", "US"), ("ja", "JP"), ("fr", "FR")] {
        assert_eq!(read_as(language, Some(country), &number, &kept).as_ref(), Ok(&kept));
    }
    assert_eq!(show(&number, &kept, Lang::En), "1.234");
}

#[test]
fn a_number_is_held_to_its_bounds_exactly() {
    let guests = bounded(Kind::Number, "1", "1e2");
    let min = ValueFault::BelowMin { kind: Kind::Number, min: "1".to_owned() };
    let max = ValueFault::AboveMax { kind: Kind::Number, max: "100".to_owned() };
    let read = ["0", "0.999999999999999999", "1", "100", "100.1", "-5"].map(|text| read_en(&guests, text));
    let wanted = [Err(min.clone()), Err(min.clone()), Ok("1".to_owned()), Ok("100".to_owned()), Err(max), Err(min)];
    assert_eq!(read, wanted);
}

#[test]
fn numbers_are_shown_with_separators_in_both_languages() {
    let number = field(Kind::Number);
    for lang in [Lang::Ja, Lang::En] {
        let shown = ["0", "999", "1000", "-1234567.25", "not kept so"].map(|value| show(&number, value, lang));
        assert_eq!(shown, ["0", "999", "1,000", "-1,234,567.25", "not kept so"]);
    }
}

#[test]
fn a_whole_number_is_read_in_full_width_in_kanji_and_with_separators() {
    let japanese = [
        ("12", "12"),
        ("１２", "12"),
        ("１，２００人", "1200"),
        ("三十", "30"),
        ("二〇二六", "2026"),
        ("1万2千", "12000"),
        ("1.5億", "150000000"),
        ("マイナス５", "-5"),
        ("3.0", "3"),
        ("約30人です", "30"),
    ];
    all_read(&japanese, |text| read_ja(&field(Kind::Integer), text));
    let english =
        [("1,200", "1200"), ("12,34,567", "1234567"), ("about thirty people", "30"), ("-0", "0"), ("5k", "5000")];
    all_read(&english, |text| read_en(&field(Kind::Integer), text));
    all_read(&[("1.234", "1234"), ("1.234,0", "1234")], |text| read_as("de", Some("DE"), &field(Kind::Integer), text));
}

#[test]
fn a_number_with_a_part_left_over_is_no_whole_number_and_is_never_rounded() {
    let whole = field(Kind::Integer);
    all_refused(&["1.5", "0.999999999999999999", "2,5", "half", "3 or 4", "many"], &ValueFault::NotWhole, |text| {
        read_en(&whole, text)
    });
    all_refused(&["１．５", "2.5人", "たくさん"], &ValueFault::NotWhole, |text| read_ja(&whole, text));
    all_refused(&["1,5", "1,234.5"], &ValueFault::NotWhole, |text| read_as("de", Some("DE"), &whole, text));
}

#[test]
fn a_whole_number_is_held_to_its_bounds_and_shown_with_separators() {
    let guests = bounded(Kind::Integer, "1", "1e4");
    let min = ValueFault::BelowMin { kind: Kind::Integer, min: "1".to_owned() };
    let max = ValueFault::AboveMax { kind: Kind::Integer, max: "10000".to_owned() };
    let read = ["0", "1", "10000", "10001", "1.5"].map(|text| read_en(&guests, text));
    assert_eq!(
        read,
        [Err(min), Ok("1".to_owned()), Ok("10000".to_owned()), Err(max.clone()), Err(ValueFault::NotWhole)]
    );
    assert_eq!(max.say(Lang::En), "Please give a number of at most 10,000, such as 10,000.");
    assert_eq!(show(&guests, "10000", Lang::Ja), "10,000");
}
