//! Languages, countries and time zones, as people name them. INT-17 to INT-20, and the gap "Value formats".

use enza_interview::{
    FALLBACK_ZONE, Locale, countries, country_name, country_of_language, is_zone, is_zone_of, language_name, languages,
    read_country, read_language, zone_of, zones_of,
};
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use jiff::civil::date;
use proptest::prelude::*;

const BOTH: [Lang; 2] = [Lang::Ja, Lang::En];

fn locale(language: &str, timezone: &str) -> Locale {
    Locale { language: language.to_owned(), country: None, timezone: timezone.to_owned() }
}

/// INT-19.
#[test]
fn every_country_has_zones_that_the_bundled_database_knows() {
    let unknown: Vec<(&str, &&str)> = countries()
        .flat_map(|country| zones_of(country).iter().map(move |zone| (country, zone)))
        .filter(|(_, zone)| !is_zone(zone))
        .collect();
    assert_eq!(unknown, []);
    let without: Vec<&str> = countries().filter(|country| zone_of(country).is_none()).collect();
    assert_eq!(without, [] as [&str; 0]);
    assert_eq!(countries().count(), 249);
}

#[test]
fn every_country_reads_back_from_its_code_and_from_its_name_in_both_languages() {
    for code in countries() {
        assert_eq!(read_country(code).as_deref(), Some(code));
        for lang in BOTH {
            let name = country_name(code, lang);
            assert_eq!(read_country(&name).as_deref(), Some(code), "{name}");
            let said = lang.pick(format!("{name}です。"), format!("I live in {name}."));
            assert_eq!(read_country(&said).as_deref(), Some(code), "{said}");
        }
    }
}

#[test]
fn every_language_reads_back_from_its_tag_and_from_its_name_in_both_languages() {
    for tag in languages() {
        assert_eq!(read_language(tag).as_deref(), Some(tag));
        for lang in BOTH {
            let name = language_name(tag, lang);
            assert_eq!(read_language(&name).as_deref(), Some(tag), "{name}");
            let said = lang.pick(format!("{name}でお願いします"), format!("{name}, please"));
            assert_eq!(read_language(&said).as_deref(), Some(tag), "{said}");
        }
    }
}

/// INT-17.
#[test]
fn a_language_is_read_from_a_tag_a_name_or_a_short_sentence() {
    let read = [
        ("en", "en"),
        ("en-US", "en-US"),
        ("EN_us", "en-US"),
        ("pt-br", "pt-BR"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("ja-JP-u-ca-japanese", "ja-JP"),
        ("de-1996", "de-1996"),
        ("no-NO", "nb-NO"),
        ("iw", "he"),
        ("日本語", "ja"),
        ("Japanese", "ja"),
        ("ｊａｐａｎｅｓｅ", "ja"),
        ("français", "fr"),
        ("FRANCAIS", "fr"),
        ("Deutsch bitte", "de"),
        ("한국어로 해주세요", "ko"),
        ("简体中文", "zh-Hans"),
        ("English please", "en"),
        ("English.", "en"),
        ("日本語でお願いします", "ja"),
        ("英語がいいです", "en"),
        ("French (Canada)", "fr-CA"),
        ("フランス語（カナダ）", "fr-CA"),
        ("I would rather speak Polish", "pl"),
    ];
    for (text, tag) in read {
        assert_eq!(read_language(text).as_deref(), Some(tag), "{text}");
    }
}

#[test]
fn what_names_no_language_or_two_is_not_guessed() {
    let long = format!("English {}", "and so on ".repeat(60));
    for text in [
        "",
        " ",
        "no",
        "in",
        "xx",
        "qq-JP",
        "en-XX",
        "en-US-FR",
        "Klingon",
        "English or Japanese",
        "日本語か英語",
        "not English",
        "hello",
        &long,
    ] {
        assert_eq!(read_language(text), None, "{text}");
    }
}

/// INT-18.
#[test]
fn a_country_is_read_from_a_code_a_name_or_a_short_sentence() {
    let read = [
        ("JP", "JP"),
        ("jp", "JP"),
        ("ＪＰ", "JP"),
        ("NO", "NO"),
        ("Japan", "JP"),
        ("日本", "JP"),
        ("the US", "US"),
        ("USA", "US"),
        ("U.S.", "US"),
        ("アメリカ", "US"),
        ("I live in Germany", "DE"),
        ("i'm from deutschland!", "DE"),
        ("イギリスです", "GB"),
        ("the uk", "GB"),
        ("インドネシアに住んでいます", "ID"),
        ("インド", "IN"),
        ("ｲﾝﾄﾞです", "IN"),
        ("Papua New Guinea", "PG"),
        ("Côte d’Ivoire", "CI"),
        ("cote d'ivoire", "CI"),
        ("South Korea", "KR"),
        ("한국에 살아요", "KR"),
        ("I moved to New Jersey", "US"),
        ("Currently FR", "FR"),
        ("I LIVE IN JAPAN", "JP"),
    ];
    for (text, code) in read {
        assert_eq!(read_country(text).as_deref(), Some(code), "{text}");
    }
}

#[test]
fn what_names_no_country_or_two_is_not_guessed() {
    for text in [
        "",
        "no",
        "is",
        "XX",
        "Atlantis",
        "Japan and Germany",
        "日本とドイツ",
        "日本語",
        "日本人です",
        "not Japan",
        "日本ではないです",
        "ネクタイ",
        "tell us more",
        "WHAT IS IT",
    ] {
        assert_eq!(read_country(text), None, "{text}");
    }
}

/// INT-19, INT-20.
#[test]
fn the_zone_follows_from_the_country_and_its_main_one_stands_first() {
    let main = ["JP", "US", "RU", "AU", "BR", "CA", "DE", "GB", "XX"].map(zone_of);
    let wanted = [
        Some("Asia/Tokyo"),
        Some("America/New_York"),
        Some("Europe/Moscow"),
        Some("Australia/Sydney"),
        Some("America/Sao_Paulo"),
        Some("America/Toronto"),
        Some("Europe/Berlin"),
        Some("Europe/London"),
        None,
    ];
    assert_eq!(main, wanted);
    assert!(is_zone_of("US", "America/Los_Angeles"));
    assert!(!is_zone_of("JP", "America/Los_Angeles"));
    assert!(!is_zone_of("XX", FALLBACK_ZONE));
    assert_eq!(FALLBACK_ZONE, "Asia/Tokyo");
}

#[test]
fn a_language_has_a_country_where_it_has_one_main_home() {
    let tags = ["ja", "ko", "pt-BR", "zh-Hant-TW", "en-us", "en", "es", "fr", "pt", "ar", "zh", "de", "es-419", "xx"];
    let homes = tags.map(country_of_language);
    let wanted = [Some("JP"), Some("KR"), Some("BR"), Some("TW"), Some("US")];
    assert_eq!(homes[..5], wanted);
    assert_eq!(homes[5..], [None; 9]);
}

#[test]
fn names_are_shown_in_both_languages() {
    let names = |tag: &str| BOTH.map(|lang| language_name(tag, lang));
    assert_eq!(names("ja"), ["日本語", "Japanese"]);
    assert_eq!(names("fr-CA"), ["フランス語（カナダ）", "French (Canada)"]);
    assert_eq!(names("zh-Hant-TW"), ["繁体字中国語（台湾）", "Traditional Chinese (Taiwan)"]);
    assert_eq!(names("qq"), ["qq", "qq"]);
    assert_eq!(BOTH.map(|lang| country_name("DE", lang)), ["ドイツ", "Germany"]);
    assert_eq!(BOTH.map(|lang| country_name("XX", lang)), ["XX", "XX"]);
}

/// 2026-11-02 16:00 UTC is the next day in Tokyo already. An unknown zone counts as Tokyo: INT-20.
#[test]
fn today_is_the_day_in_the_zone_of_the_respondent() {
    let at = Timestamp(1_793_635_200_000);
    let days = ["UTC", "Asia/Tokyo", "America/Los_Angeles", "Mars/Olympus"].map(|zone| locale("en", zone).today(at));
    assert_eq!(days, [date(2026, 11, 2), date(2026, 11, 3), date(2026, 11, 2), date(2026, 11, 3)]);
    assert_eq!(locale("en", "UTC").today(Timestamp(i64::MAX)).year(), 9999);
    assert_eq!(locale("en", "UTC").today(Timestamp(i64::MIN)).year(), -9999);
}

#[test]
fn japanese_is_spoken_to_whoever_reads_it_and_english_to_all_others() {
    let langs = ["ja", "ja-JP", "JA", "en", "fr", "jam", ""].map(|tag| locale(tag, "UTC").lang());
    assert_eq!(langs, [Lang::Ja, Lang::Ja, Lang::Ja, Lang::En, Lang::En, Lang::En, Lang::En]);
}

proptest! {
    #[test]
    fn what_was_read_reads_as_itself(text in "\\PC{0,40}") {
        if let Some(tag) = read_language(&text) {
            prop_assert_eq!(read_language(&tag), Some(tag));
        }
        if let Some(code) = read_country(&text) {
            prop_assert_eq!(read_country(&code), Some(code));
        }
    }
}
