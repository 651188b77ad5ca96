//! What a respondent brings along: where the browser says they are at home, and what the address fills in.
//!
//! A browser says which languages its reader likes and, by a script, its time zone. The region of the language is the
//! country; without one, the country where the language is mainly at home, else the one that has the zone. What cannot
//! be told stays open, and the greeter asks for it.

use std::collections::BTreeMap;

use enza_interview::{Bootstrap, MOST_FIELDS, countries, country_of_language, is_zone, is_zone_of, read_language};
use enza_kernel::limits;
use enza_kernel::text::Lang;

/// How many bytes of a list of languages are looked at.
const LONGEST_LIST: usize = 500;
/// What stands before a field's id in an address that fills it in.
pub const PREFIX: &str = "p.";

/// What a respondent brings to the first question.
#[derive(Debug, Clone, Default)]
pub struct InterviewStart {
    /// What the browser tells of where the respondent is at home.
    pub bootstrap: Bootstrap,
    /// Whether the respondent agreed to the consent text.
    pub consented: bool,
    /// What the address fills in, by field id; what the link fills in goes first.
    pub prefill: BTreeMap<String, String>,
}

/// Where a respondent seems to be at home: by the browser's wishes, the language chosen on the page, and the zone.
pub fn detect_locale(wishes: &str, chosen: Option<Lang>, zone: Option<&str>) -> Bootstrap {
    let liked = best_language(wishes);
    let language = match (chosen, &liked) {
        (Some(lang), Some(tag)) if tag.split('-').next() == Some(lang.pick("ja", "en")) => Some(tag.clone()),
        (Some(lang), _) => Some(lang.to_string()),
        (None, liked) => liked.clone(),
    };
    let zone = zone.filter(|zone| is_zone(zone));
    let by_region = liked.as_deref().and_then(country_of_language);
    let by_language = language.as_deref().and_then(country_of_language);
    let by_zone = || zone.and_then(|zone| countries().find(|country| is_zone_of(country, zone)));
    let country = by_region.or(by_language).or_else(by_zone);
    Bootstrap { language, country: country.map(str::to_owned), timezone: zone.map(str::to_owned) }
}

/// What an address or a form fills in: `p.FIELD=value`. What cannot be an answer is left out.
pub fn prefill_of<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> BTreeMap<String, String> {
    let named = pairs.into_iter().filter_map(|(name, value)| Some((name.strip_prefix(PREFIX)?, value)));
    let fit = named.filter_map(|(id, value)| {
        let is_name = !id.is_empty() && id.len() <= limits::NAME.bytes;
        let value = limits::MESSAGE.check(value).ok()?;
        is_name.then(|| (id.to_owned(), value))
    });
    fit.take(MOST_FIELDS).collect()
}

/// The language that a browser likes best, of all there are.
fn best_language(wishes: &str) -> Option<String> {
    let wishes = wishes.get(..LONGEST_LIST).unwrap_or(wishes);
    let mut best: Option<(f32, String)> = None;
    for wish in wishes.split(',').take(20) {
        let mut parts = wish.split(';');
        let tag = parts.next().unwrap_or_default().trim();
        let weight = parts.find_map(|part| part.trim().strip_prefix("q=")?.parse::<f32>().ok()).unwrap_or(1.0);
        if weight > 0.0
            && best.as_ref().is_none_or(|(most, _)| weight > *most)
            && let Some(tag) = read_language(tag)
        {
            best = Some((weight, tag));
        }
    }
    best.map(|(_, tag)| tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(wishes: &str, chosen: Option<Lang>, zone: Option<&str>) -> [Option<String>; 3] {
        let Bootstrap { language, country, timezone } = detect_locale(wishes, chosen, zone);
        [language, country, timezone]
    }

    fn some(parts: [&str; 3]) -> [Option<String>; 3] {
        parts.map(|part| Some(part.to_owned()).filter(|part| !part.is_empty()))
    }

    #[test]
    fn a_browser_says_where_its_reader_is_at_home() {
        let tokyo = Some("Asia/Tokyo");
        assert_eq!(found("en-GB,en;q=0.9", None, Some("Europe/London")), some(["en-GB", "GB", "Europe/London"]));
        assert_eq!(found("ja,en-US;q=0.9", None, tokyo), some(["ja", "JP", "Asia/Tokyo"]));
        assert_eq!(found("fr;q=0.5, de-CH", None, None), some(["de-CH", "CH", ""]));
        assert_eq!(found("en", None, tokyo), some(["en", "JP", "Asia/Tokyo"]), "where the language is at home in many");
        assert_eq!(found("en-US", Some(Lang::Ja), None), some(["ja", "US", ""]), "a choice is a choice");
        assert_eq!(found("en-US", Some(Lang::En), None), some(["en-US", "US", ""]));
        for nothing in ["", "*", ";;;,,,", "q=1", "\u{3042}\u{3042}"] {
            assert_eq!(found(nothing, None, Some("Moon/Base")), [None, None, None], "{nothing}");
        }
    }

    #[test]
    fn an_address_fills_in_what_can_be_an_answer() {
        let long = "x".repeat(100_000);
        let pairs = [("p.name", " Ada "), ("p.", "x"), ("p.empty", " "), ("other", "x"), ("p.long", &long)];
        assert_eq!(prefill_of(pairs), BTreeMap::from([("name".to_owned(), "Ada".to_owned())]));
    }
}
