//! Languages: tags as BCP 47 writes them, and how people call their languages.
//!
//! Of a tag we keep language, script, region and variants, in canonical letters; extensions say nothing about the
//! language and are dropped. The language must be in the table and the region a country or a UN area, because an
//! interview in a language that nobody knows would fail later and worse.

use std::sync::LazyLock;

use enza_kernel::text::Lang;

use super::country::{country_name, known};
use super::fold::narrow;
use super::names::{Names, is_short};

/// The tag of the language that a few words name: `pt-br`, `Japanese`, 日本語でお願いします. None where they name none, or two.
pub fn read_language(text: &str) -> Option<String> {
    let text = Some(text.trim()).filter(|text| is_short(text))?;
    let narrow = narrow(text);
    let bare = narrow.trim_matches(|letter: char| "\"'.。!、,".contains(letter));
    if let Some(tag) = tag(bare) {
        return Some(tag);
    }
    if let Some(tag) = with_country(bare) {
        return Some(tag);
    }
    let place = TABLE.names.whole(text).or_else(|| TABLE.names.within(text, &[]))?;
    Some(TABLE.rows[place].tag.to_owned())
}

/// The country of a language: its region, or the one country where the language is mainly at home. None where a
/// language is at home in many.
pub fn country_of_language(tag: &str) -> Option<&'static str> {
    let mut parts = tag.split(['-', '_']);
    let language = parts.next()?;
    let region = parts.find(|part| part.len() == 2);
    match region {
        Some(region) => known(region),
        None => row(&language.to_ascii_lowercase())?.country,
    }
}

/// What a language is called; the tag where it is unknown.
pub fn language_name(tag: &str, lang: Lang) -> String {
    if let Some(row) = row(tag) {
        return row.name(lang).to_owned();
    }
    let parts: Vec<&str> = tag.split('-').collect();
    let with_script = parts.get(..2).map(|parts| parts.join("-"));
    let base = with_script.and_then(|tag| row(&tag)).or_else(|| row(parts[0]));
    let Some(base) = base else { return tag.to_owned() };
    match parts.iter().skip(1).find_map(|part| if part.len() == 2 { known(part) } else { None }) {
        None => base.name(lang).to_owned(),
        Some(region) => {
            let region = country_name(region, lang);
            lang.pick(format!("{}（{region}）", base.ja), format!("{} ({region})", base.en))
        }
    }
}

/// Every tag with a name of its own.
pub fn languages() -> impl Iterator<Item = &'static str> {
    TABLE.rows.iter().map(|row| row.tag)
}

/// Older codes, and what stands for them today.
const OLDER: [(&str, &str); 6] = [("in", "id"), ("iw", "he"), ("ji", "yi"), ("jw", "jv"), ("mo", "ro"), ("no", "nb")];

fn tag(text: &str) -> Option<String> {
    // As a whole answer these are words. Norwegian is also nb, and Indonesian id.
    if ["in", "no"].contains(&text) {
        return None;
    }
    let mut parts = text.split(['-', '_']).peekable();
    let language = parts.next()?.to_ascii_lowercase();
    let language = OLDER.iter().find(|(older, _)| *older == language).map_or(language.as_str(), |(_, today)| today);
    let mut tag = row(language)?.tag.to_owned();
    if let Some(script) = parts.next_if(|part| part.len() == 4 && is_alphabetic(part)) {
        let (first, rest) = script.split_at(1);
        tag += &format!("-{}{}", first.to_ascii_uppercase(), rest.to_ascii_lowercase());
    }
    if let Some(area) = parts.next_if(|part| part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit())) {
        tag += &format!("-{area}");
    } else if let Some(region) = parts.next_if(|part| part.len() == 2) {
        tag += &format!("-{}", known(region)?);
    }
    for part in parts {
        match part.len() {
            // The rest is an extension or for private use.
            1 => return Some(tag),
            4..=8 if part.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
                tag += &format!("-{}", part.to_ascii_lowercase());
            }
            _ => return None,
        }
    }
    Some(tag)
}

/// "French (Canada)", the way `language_name` writes it.
fn with_country(text: &str) -> Option<String> {
    let (name, country) = text.strip_suffix(')')?.split_once('(')?;
    let row = &TABLE.rows[TABLE.names.whole(name)?];
    let country = super::country::read_country(country)?;
    tag(&format!("{}-{country}", row.tag))
}

fn is_alphabetic(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_alphabetic())
}

struct LanguageRow {
    tag: &'static str,
    en: &'static str,
    ja: &'static str,
    country: Option<&'static str>,
}

impl LanguageRow {
    fn name(&self, lang: Lang) -> &'static str {
        lang.pick(self.ja, self.en)
    }
}

struct LanguageTable {
    rows: Vec<LanguageRow>,
    names: Names,
}

static TABLE: LazyLock<LanguageTable> = LazyLock::new(|| {
    let lines = include_str!("languages.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut rows = Vec::new();
    let mut names = Vec::new();
    for line in lines {
        let [tag, en, ja, own, others, country] = super::columns(line);
        let called = [en, ja, own].into_iter().chain(super::others(others));
        names.extend(called.map(|name| (name, rows.len())));
        rows.push(LanguageRow { tag, en, ja, country: super::others(country).next() });
    }
    LanguageTable { rows, names: Names::new(names.into_iter()) }
});

fn row(tag: &str) -> Option<&'static LanguageRow> {
    TABLE.rows.iter().find(|row| row.tag == tag)
}
