//! What people write, read into the spelling in which it is kept: what is common to all kinds, and addresses, telephone
//! numbers, times, yes and no, and files. Rows 14 and 15 of the peers; the gaps "Value formats" and "Values are strings only".

use enza_interview::{Field, Kind, Locale, ReadContext, ValueFault, read, show};
use enza_kernel::text::Lang;
use jiff::civil::date;

/// A respondent of a language and a country, on Monday, 2 November 2026.
pub fn read_as(language: &str, country: Option<&str>, field: &Field, text: &str) -> Result<String, ValueFault> {
    let locale = Locale {
        language: language.to_owned(),
        country: country.map(str::to_owned),
        timezone: "Asia/Tokyo".to_owned(),
    };
    read(field, text, &ReadContext { locale: &locale, today: date(2026, 11, 2) })
}

/// A respondent in Japan.
pub fn read_ja(field: &Field, text: &str) -> Result<String, ValueFault> {
    read_as("ja", Some("JP"), field, text)
}

/// A respondent in the United States.
pub fn read_en(field: &Field, text: &str) -> Result<String, ValueFault> {
    read_as("en-US", Some("US"), field, text)
}

pub fn field(kind: Kind) -> Field {
    Field::new("field", "Field", kind)
}

pub fn bounded(kind: Kind, min: &str, max: &str) -> Field {
    Field { min: Some(min.to_owned()), max: Some(max.to_owned()), ..field(kind) }
}

/// Each text with the value it is read as.
pub fn all_read(cases: &[(&str, &str)], read: impl Fn(&str) -> Result<String, ValueFault>) {
    for (text, value) in cases {
        assert_eq!(read(text).as_deref(), Ok(*value), "{text}");
    }
}

/// Texts that are refused alike.
pub fn all_refused(texts: &[&str], why: &ValueFault, read: impl Fn(&str) -> Result<String, ValueFault>) {
    for text in texts {
        assert_eq!(read(text).as_ref(), Err(why), "{text}");
    }
}

#[test]
fn any_text_is_a_value_of_a_text_field_without_the_space_around_it() {
    for kind in [Kind::Text, Kind::LongText] {
        assert_eq!(read_en(&field(kind), "  Ｔwo\nlines. ").as_deref(), Ok("Ｔwo\nlines."));
    }
}

#[test]
fn what_is_empty_or_too_long_is_refused_for_every_kind() {
    for kind in Kind::ALL {
        for text in ["", " \u{200B}\n", &"x".repeat(4_001)] {
            let refused = read_en(&field(kind), text);
            assert!(matches!(refused, Err(ValueFault::Text(_))), "{kind} {refused:?}");
        }
    }
}

#[test]
fn a_time_is_read_from_clocks_and_from_words() {
    let cases = [
        ("14:30", "14:30"),
        ("１４：３０", "14:30"),
        ("14:30:15", "14:30"),
        ("9:05", "09:05"),
        ("2:30 pm", "14:30"),
        ("2:30 P.M.", "14:30"),
        ("2pm", "14:00"),
        ("14:30 pm", "14:30"),
        ("at 2 pm", "14:00"),
        ("12am", "00:00"),
        ("12 pm", "12:00"),
        ("14.30", "14:30"),
        ("14h30", "14:30"),
        ("14h", "14:00"),
        ("0900", "09:00"),
        ("9", "09:00"),
        ("nine o'clock", "09:00"),
        ("half past nine", "09:30"),
        ("quarter to 3 in the afternoon", "14:45"),
        ("a quarter past ten", "10:15"),
        ("8 in the evening", "20:00"),
        ("14時30分", "14:30"),
        ("14時半", "14:30"),
        ("十四時です", "14:00"),
        ("午後2時", "14:00"),
        ("午後2時半でお願いします", "14:30"),
        ("午前0時", "00:00"),
        ("朝9時", "09:00"),
        ("夜8時", "20:00"),
        ("夜の1時", "01:00"),
        ("24:00", "00:00"),
        ("noon", "12:00"),
        ("midnight", "00:00"),
        ("正午", "12:00"),
    ];
    all_read(&cases, |text| read_ja(&field(Kind::Time), text));
    let wrong = ["25:00", "14:60", "13 am", "14:3", "soon", "2 or 3", "14:30-15:00", "午後", "-5", "1:2:3:4"];
    all_refused(&wrong, &ValueFault::NotATime, |text| read_ja(&field(Kind::Time), text));
}

#[test]
fn a_time_is_held_to_its_bounds_and_shown_as_people_write_it() {
    let open = bounded(Kind::Time, "09:00", "17:30");
    let outside = ["8:59", "5:31 pm"].map(|text| read_en(&open, text));
    let min = ValueFault::BelowMin { kind: Kind::Time, min: "09:00".to_owned() };
    let max = ValueFault::AboveMax { kind: Kind::Time, max: "17:30".to_owned() };
    assert_eq!(outside, [Err(min), Err(max)]);
    assert_eq!(read_en(&open, "5:30 pm").as_deref(), Ok("17:30"));
    assert_eq!(show(&open, "25:99", Lang::En), "25:99");
    let shown = ["00:05", "12:00", "14:30"].map(|time| [Lang::Ja, Lang::En].map(|lang| show(&open, time, lang)));
    assert_eq!(shown, [["0:05", "12:05 am"], ["12:00", "12:00 pm"], ["14:30", "2:30 pm"]]);
}

#[test]
fn yes_and_no_are_read_from_the_words_for_them() {
    for text in [
        "yes",
        "Yeah!",
        "yep",
        "sure",
        "Yes, please",
        "yes, I do.",
        "はい",
        "ハイ",
        "はい、そうです。",
        "ええ",
        "うん",
        "そうです",
        "👍",
        "👍🏽",
        "ＹＥＳ",
    ] {
        assert_eq!(read_ja(&field(Kind::YesNo), text).as_deref(), Ok("yes"), "{text}");
    }
    for text in [
        "no",
        "Nope.",
        "No, thanks",
        "no, I don't",
        "いいえ",
        "いいえ、違います",
        "ありません",
        "なし",
        "👎",
        "違います",
    ] {
        assert_eq!(read_ja(&field(Kind::YesNo), text).as_deref(), Ok("no"), "{text}");
    }
    let neither = ["maybe", "yes and no", "yes, no", "はいといいえ", "no problem at all, go ahead", "yes?", "たぶん"];
    all_refused(&neither, &ValueFault::NotYesOrNo, |text| read_ja(&field(Kind::YesNo), text));
    let shown = ["yes", "no"].map(|value| [Lang::Ja, Lang::En].map(|lang| show(&field(Kind::YesNo), value, lang)));
    assert_eq!(shown, [["はい", "Yes"], ["いいえ", "No"]]);
}

#[test]
fn an_address_is_taken_out_of_what_stands_around_it() {
    let cases = [
        ("Jane.Doe+x@Example.COM", "Jane.Doe+x@example.com"),
        (" <jane@example.com> ", "jane@example.com"),
        ("Jane Doe <jane@example.com>", "jane@example.com"),
        ("mailto:jane@example.com", "jane@example.com"),
        ("It's jane@example.com.", "jane@example.com"),
        ("ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ", "jane@example.com"),
        ("hanako@example.co.jpです", "hanako@example.co.jp"),
        ("hanako@例え.jp", "hanako@例え.jp"),
    ];
    all_read(&cases, |text| read_ja(&field(Kind::Email), text));
    let long = format!("{}@{}.com", "a".repeat(64), "b.".repeat(100) + "c");
    let wrong = [
        "jane",
        "jane@",
        "@example.com",
        "jane@example",
        "jane@example..com",
        "ja ne@example.com",
        ".jane@example.com",
        "jane.@example.com",
        "a@b.com, c@d.com",
        "a@b.com c@d.com",
        "jane@1.2.3.4",
        "jane@-example.com",
        &long,
    ];
    all_refused(&wrong, &ValueFault::NotAnAddress, |text| read_ja(&field(Kind::Email), text));
}

#[test]
fn a_telephone_number_gets_the_calling_code_of_its_country() {
    let phone = field(Kind::Phone);
    let cases = [
        ("090-1234-5678", "+819012345678"),
        ("０９０ー１２３４ー５６７８", "+819012345678"),
        ("03(1234)5678です", "+81312345678"),
        ("電話：03-1234-5678", "+81312345678"),
        ("+81 90 1234 5678", "+819012345678"),
        ("+81 (0)90-1234-5678", "+819012345678"),
        ("+81 03 1234 5678", "+81312345678"),
        ("+1 (415) 555-2671", "+14155552671"),
        ("010-1-415-555-2671", "+14155552671"),
        ("+44 20 7946 0958", "+442079460958"),
    ];
    all_read(&cases, |text| read_ja(&phone, text));
    all_read(&[("(415) 555-2671", "+14155552671"), ("1-415-555-2671", "+14155552671")], |text| read_en(&phone, text));
    all_read(&[("030 901820", "+4930901820"), ("0044 20 7946 0958", "+442079460958")], |text| {
        read_as("de", Some("DE"), &phone, text)
    });
    // In Italy the nought is a part of the number.
    all_read(&[("06 1234 5678", "+390612345678")], |text| read_as("it", Some("IT"), &phone, text));
    all_read(&[("8 (912) 345-67-89", "+79123456789")], |text| read_as("ru", Some("RU"), &phone, text));
    let wrong = [
        "03-1234-567",
        "090-1234-567",
        "1234-5678",
        "call me",
        "03-1234-5678 ext. 5",
        "0312345678, 0312345679",
        "+999 123456789",
        "+",
        "1-800-FLOWERS",
    ];
    all_refused(&wrong, &ValueFault::NotATelephoneNumber, |text| read_ja(&phone, text));
    assert_eq!(read_as("en", None, &phone, "090-1234-5678"), Err(ValueFault::TelephoneOfWhichCountry));
}

#[test]
fn a_file_is_its_digest_and_its_name_and_nothing_else() {
    let file = field(Kind::File);
    let digest = "0123456789abcdef".repeat(4);
    let value = format!("{digest}/報告 1.pdf");
    assert_eq!(read_ja(&file, &value).as_ref(), Ok(&value));
    assert_eq!(show(&file, &value, Lang::Ja), "報告 1.pdf");
    let wrong = [
        "report.pdf".to_owned(),
        digest.clone(),
        format!("{digest}/"),
        format!("{digest}/a/b"),
        format!("{digest}/.."),
        format!("{}/a", &digest[1..]),
        format!("{}/a", digest.to_uppercase()),
        format!("see {value}"),
    ];
    let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
    all_refused(&wrong, &ValueFault::NotAFile, |text| read_ja(&file, text));
}

/// Row 14 of the peers: what is wanted, with an example, in both languages.
#[test]
fn each_refusal_says_what_is_wanted() {
    let kinds = [
        (Kind::Number, "数字で教えてください（例：12、1.5）。", "Please give a number, such as 12 or 1.5."),
        (Kind::Integer, "小数点のない数字で教えてください（例：12）。", "Please give a whole number, such as 12."),
        (
            Kind::Date,
            "日付を一つ教えてください（例：2026年11月3日、明日）。",
            "Please give one date, such as November 3, 2026 or tomorrow.",
        ),
        (Kind::Time, "時刻を教えてください（例：14:30、午後2時半）。", "Please give a time, such as 14:30 or 2:30 pm."),
        (Kind::YesNo, "「はい」か「いいえ」で教えてください。", "Please answer \"yes\" or \"no\"."),
        (
            Kind::Email,
            "メールアドレスを一つ教えてください（例：hanako@example.jp）。",
            "Please give one e-mail address, such as jane@example.com.",
        ),
        (
            Kind::Phone,
            "電話番号を数字だけで教えてください（例：090-1234-5678、+81 90 1234 5678）。",
            "Please give a telephone number in digits only, such as +1 415 555 2671.",
        ),
        (Kind::File, "ファイルを一つ添付してください。", "Please attach one file."),
    ];
    for (kind, ja, en) in kinds {
        let Err(unread) = read_ja(&field(kind), "ええと、どうしようかな？") else {
            panic!("{kind} was read")
        };
        assert_eq!([Lang::Ja, Lang::En].map(|lang| unread.say(lang)), [ja, en]);
    }
}

/// What a refusal offers as an example must itself be read.
#[test]
fn the_examples_of_the_refusals_are_read() {
    let examples = [
        (Kind::Number, "12|1.5"),
        (Kind::Integer, "12"),
        (Kind::Date, "2026年11月3日|明日|November 3, 2026|tomorrow"),
        (Kind::Time, "14:30|午後2時半|2:30 pm"),
        (Kind::YesNo, "はい|いいえ|yes|no"),
        (Kind::Email, "hanako@example.jp|jane@example.com"),
        (Kind::Phone, "090-1234-5678|+81 90 1234 5678|+1 415 555 2671"),
    ];
    for (kind, texts) in examples {
        for text in texts.split('|') {
            assert!(read_ja(&field(kind), text).is_ok(), "{kind} {text}");
        }
    }
}
