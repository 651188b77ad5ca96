//! What holds for every text and every value: kept values read as themselves, shown values read back, nothing panics.

use enza_interview::{
    Choice, Field, Form, Kind, Locale, ReadContext, labelled, read, read_absence, read_country, read_language,
    sentence_of, show,
};
use enza_kernel::text::Lang;
use jiff::civil::{Date, date};
use proptest::prelude::*;

use super::values::field;

const LOCALES: [(&str, Option<&str>); 6] = [
    ("ja", Some("JP")),
    ("en-US", Some("US")),
    ("de", Some("DE")),
    ("fr", Some("FR")),
    ("en", None),
    ("en", Some("IN")),
];

fn locale(nth: usize) -> Locale {
    let (language, country) = LOCALES[nth % LOCALES.len()];
    Locale { language: language.to_owned(), country: country.map(str::to_owned), timezone: "Asia/Tokyo".to_owned() }
}

fn rooms(kind: Kind, allow_other: bool) -> Field {
    let labels = [("large", "大会議室"), ("small room", "Small, quiet"), ("hall", "Hall and stage"), ("4", "4階")];
    let choice = |(value, label): (&str, &str)| Choice { value: value.to_owned(), label: Some(label.to_owned()) };
    Field { options: labels.map(choice).to_vec(), allow_other, ..field(kind) }
}

fn every_field() -> Vec<Field> {
    let plain = Kind::ALL.into_iter().filter(|kind| !kind.has_options()).map(field);
    let choices =
        [Kind::Choice, Kind::Choices].into_iter().flat_map(|kind| [false, true].map(|other| rooms(kind, other)));
    plain.chain(choices).collect()
}

fn day() -> impl Strategy<Value = Date> {
    (1900i16..2100, 1i8..=12, 1i8..=28).prop_map(|(year, month, day)| date(year, month, day))
}

/// Text from the pieces that values are made of, so that much of it nearly reads.
fn nearly() -> impl Strategy<Value = String> {
    let pieces = "1|2|3|11|2026|30|１|三|十|万|年|月|日|時|分|半|.|,|、|:|/|-|ー| |'|+|(|)|%|円|人|pm|am|nov|may|\
        next |last |friday|in |days|ago|来週の|金曜|後|前|令和|r|and |と|large|hall|all|大会議室|4階|\
        yes|はい|no|@|example.com|jane|i think|です|で|the |about |約|minus |one|second|番目|;|?|<|>|k|\
        million|1,234|1.234";
    let pieces: Vec<&str> = pieces.split('|').collect();
    prop::collection::vec(prop::sample::select(pieces), 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_kept_value_reads_as_itself(text in nearly(), nth in 0..6usize, today in day()) {
        let locale = locale(nth);
        let reading = ReadContext { locale: &locale, today };
        for field in every_field() {
            if let Ok(kept) = read(&field, &text, &reading) {
                prop_assert_eq!(read(&field, &kept, &reading), Ok(kept.clone()), "{} {:?}", field.kind, text);
            }
        }
    }

    #[test]
    fn a_shown_value_reads_back(text in nearly(), nth in 0..2usize, today in day()) {
        let locale = locale(nth);
        let reading = ReadContext { locale: &locale, today };
        for field in every_field().into_iter().filter(|field| field.kind != Kind::File) {
            let Ok(kept) = read(&field, &text, &reading) else { continue };
            for lang in [Lang::Ja, Lang::En] {
                let shown = show(&field, &kept, lang);
                prop_assert_eq!(read(&field, &shown, &reading), Ok(kept.clone()), "{} {:?} {:?}", field.kind, text, shown);
            }
        }
    }

    #[test]
    fn every_day_time_and_number_survives_being_shown(
        day in day(), hour in 0..24u8, minute in 0..60u8, whole in -999_999_999i64..999_999_999, cents in 0..1000u16, today in day(),
    ) {
        let (number, zero) = (format!("{whole}.{cents:03}"), locale(1));
        let reading = ReadContext { locale: &zero, today };
        let written = [(Kind::Date, day.to_string()), (Kind::Time, format!("{hour:02}:{minute:02}")), (Kind::Number, number), (Kind::Integer, whole.to_string())];
        for (kind, text) in written {
            let kept = read(&field(kind), &text, &reading).unwrap();
            for (nth, lang) in [(0, Lang::Ja), (1, Lang::En)] {
                let locale = locale(nth);
                let shown = show(&field(kind), &kept, lang);
                let read = read(&field(kind), &shown, &ReadContext { locale: &locale, today });
                prop_assert_eq!(read, Ok(kept.clone()), "{}", shown);
            }
        }
    }

    #[test]
    fn any_choices_survive_being_shown(chosen in prop::collection::btree_set(0..4usize, 1..=4)) {
        let rooms = rooms(Kind::Choices, false);
        let kept: Vec<&str> = chosen.iter().map(|nth| rooms.options[*nth].value.as_str()).collect();
        let kept = kept.join("; ");
        for (nth, lang) in [(0, Lang::Ja), (1, Lang::En)] {
            let locale = locale(nth);
            let reading = ReadContext { locale: &locale, today: date(2026, 11, 2) };
            prop_assert_eq!(read(&rooms, &show(&rooms, &kept, lang), &reading), Ok(kept.clone()));
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_is_too_strange_to_be_read_or_refused(text in "(?s).{0,300}", nth in 0..6usize) {
        survive(&text, nth);
    }
}

fn survive(text: &str, nth: usize) {
    let locale = locale(nth);
    let reading = ReadContext { locale: &locale, today: date(2026, 11, 2) };
    for field in every_field() {
        match read(&field, text, &reading) {
            Ok(value) => {
                assert!(!show(&field, &value, Lang::Ja).is_empty());
                sentence_of(text, &value);
            }
            Err(unread) => assert!([Lang::Ja, Lang::En].iter().all(|lang| !unread.say(*lang).is_empty())),
        }
        show(&field, text, Lang::En);
    }
    let form = Form { fields: every_field(), ..Form::default() };
    labelled(&form, text);
    read_absence(text);
    read_country(text);
    read_language(text);
}

/// 60 kB of what is worst for each reader: separators, clothing, digits, kanji, letters that fold into many.
#[test]
fn sixty_thousand_bytes_of_anything_are_read_or_refused() {
    let pieces = [
        "1",
        ",",
        "と",
        "on ",
        "です",
        "十",
        "a@",
        "large, ",
        "大会議室と",
        "\u{FDFA}",
        "e\u{301}",
        "\n",
        "x: ",
        "3月",
        "。",
        "- 1. ",
        "and ",
    ];
    for piece in pieces {
        // As much as the limit lets through, and far more.
        survive(&piece.repeat(3_900 / piece.chars().count()), 0);
        survive(&piece.repeat(60_000 / piece.len()), 1);
    }
    // One cluster of many marks passes the limit of characters.
    survive(&format!("e{}", "\u{301}".repeat(30_000)), 0);
}

#[test]
fn there_is_no_day_before_which_nothing_can_be_counted() {
    for today in [Date::MIN, Date::MAX] {
        let locale = locale(0);
        let reading = ReadContext { locale: &locale, today };
        for text in [
            "tomorrow",
            "yesterday",
            "next friday",
            "last monday",
            "来週の金曜",
            "先月の3日",
            "the 31st",
            "Feb 29",
            "11/3",
            "32000年前",
        ] {
            let read = read(&field(Kind::Date), text, &reading);
            assert!(read.as_ref().map_or(true, |day| day.len() == 10), "{text} {read:?}");
        }
    }
}
