//! Countries: how people call them, and which time zones they have.
//!
//! A country is its ISO 3166-1 alpha-2 code. The table has every one, each with at least one zone, its main one first;
//! a test holds the table to that and to the bundled zones. Where someone lives is read from a few words, never guessed
//! from anything else.

use std::sync::LazyLock;

use enza_kernel::text::Lang;

use super::fold::narrow;
use super::names::{Names, is_short};

/// The country that a few words name: `JP`, `Japan`, 日本, "I live in Germany". None where they name none, or two.
pub fn read_country(text: &str) -> Option<String> {
    let text = Some(text.trim()).filter(|text| is_short(text))?;
    let place = by_code(text).or_else(|| TABLE.names.whole(text)).or_else(|| within(text));
    place.map(|place| TABLE.rows[place].code.to_owned())
}

/// The zones of a country, its main one first; none where the country is unknown.
pub fn zones_of(country: &str) -> &'static [&'static str] {
    row(country).map_or(&[], |row| &row.zones)
}

/// The main zone of a country.
pub fn zone_of(country: &str) -> Option<&'static str> {
    zones_of(country).first().copied()
}

/// Whether the country has this zone.
pub fn is_zone_of(country: &str, zone: &str) -> bool {
    zones_of(country).contains(&zone)
}

/// What a country is called; its code where it is unknown.
pub fn country_name(code: &str, lang: Lang) -> String {
    row(code).map_or(code, |row| lang.pick(row.ja, row.en)).to_owned()
}

/// The code of every country, in order.
pub fn countries() -> impl Iterator<Item = &'static str> {
    TABLE.rows.iter().map(|row| row.code)
}

/// The code in its one spelling, if it is one.
pub(super) fn known(code: &str) -> Option<&'static str> {
    let upper = code.to_ascii_uppercase();
    row(&upper).map(|row| row.code)
}

/// Codes that are also everyday words; in small letters they are taken for those.
const WORDS: [&str; 22] = [
    "ad", "al", "am", "as", "at", "be", "by", "do", "er", "hm", "in", "is", "it", "la", "me", "mm", "my", "na", "no",
    "so", "to", "um",
];

fn by_code(text: &str) -> Option<usize> {
    let code = narrow(text);
    let code = code.trim_end_matches(['.', '。']);
    if WORDS.contains(&code) { None } else { place(&code.to_ascii_uppercase()) }
}

/// A name in the sentence; else a code in capitals, where not everything is in capitals.
fn within(text: &str) -> Option<usize> {
    // 日本語 is a language and 日本人 a nationality: neither says where someone lives.
    if let Some(place) = TABLE.names.within(text, &['語', '人', '文']) {
        return Some(place);
    }
    let text = narrow(text);
    let tokens = text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|token| !token.is_empty());
    let (codes, others): (Vec<&str>, Vec<&str>) = tokens.partition(|token| place(token).is_some());
    let shouted = !others.is_empty() && !text.chars().any(|letter| letter.is_ascii_lowercase());
    match codes.as_slice() {
        [code] if !shouted && others.len() <= 6 => place(code),
        _ => None,
    }
}

struct CountryRow {
    code: &'static str,
    en: &'static str,
    ja: &'static str,
    zones: Vec<&'static str>,
}

struct CountryTable {
    rows: Vec<CountryRow>,
    names: Names,
}

static TABLE: LazyLock<CountryTable> = LazyLock::new(|| {
    let lines = include_str!("countries.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut rows = Vec::new();
    let mut names = Vec::new();
    for line in lines {
        let [code, en, ja, others, zones] = super::columns(line);
        let called = [en, ja].into_iter().chain(super::others(others));
        names.extend(called.map(|name| (name, rows.len())));
        rows.push(CountryRow { code, en, ja, zones: zones.split(' ').collect() });
    }
    CountryTable { rows, names: Names::new(names.into_iter()) }
});

fn row(code: &str) -> Option<&'static CountryRow> {
    place(code).map(|place| &TABLE.rows[place])
}

/// The rows stand in the order of their codes.
fn place(code: &str) -> Option<usize> {
    TABLE.rows.binary_search_by(|row| row.code.cmp(code)).ok()
}
