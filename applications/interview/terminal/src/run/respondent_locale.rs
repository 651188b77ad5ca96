//! Where the respondent is at home: what was typed, else what the environment says.
//!
//! The greeter asks for what stays unknown, where someone is there to be asked. Where nobody is, the language decides
//! the country, so that a run without anyone begins with the first field.

use enza_interview::{Bootstrap, country_of_language, read_country, read_language};
use enza_kernel::text::Lang;

/// What can be known beforehand.
#[derive(Debug, Clone, Copy, Default)]
pub struct RespondentLocale<'a> {
    /// The language that was named for the interview.
    pub language: Option<&'a str>,
    /// The country that was named.
    pub country: Option<&'a str>,
    /// The language of the screen, where it was typed.
    pub typed: Option<Lang>,
    /// The locale of the environment: `ja_JP.UTF-8`.
    pub locale: Option<&'a str>,
}

impl RespondentLocale<'_> {
    /// As far as it is known; the greeter asks for the rest.
    pub fn as_far(self) -> Bootstrap {
        let (of_locale, region) = self.locale.map_or((None, None), parts);
        let typed = self.typed.map(|lang| lang.to_string());
        // What was named is passed on as it is: the interview says no to what it does not know.
        let language = self.language.map(str::to_owned).or(typed).or(of_locale.clone());
        let read = language.as_deref().and_then(read_language);
        let own_region = read.as_deref().filter(|tag| tag.contains('-')).and_then(country_of_language);
        let is_of_locale = || read.as_deref().map(primary) == of_locale.as_deref().map(primary);
        let country = self.country.map(str::to_owned).or(own_region.map(str::to_owned));
        Bootstrap { country: country.or_else(|| region.filter(|_| is_of_locale())), language, timezone: None }
    }

    /// Wholly, for a form in this language, where nobody is there to be asked.
    pub fn wholly(self, form: Lang) -> Bootstrap {
        let Bootstrap { language, country, timezone } = self.as_far();
        let usual = Bootstrap::of(language.as_deref().map_or(form, Lang::of_locale));
        let of_language = || language.as_deref().and_then(country_of_language).map(str::to_owned);
        Bootstrap {
            country: country.or_else(of_language).or(usual.country),
            language: language.or(usual.language),
            timezone,
        }
    }
}

/// The language and the region of a locale, if it has them: `C` and `POSIX` have neither.
fn parts(locale: &str) -> (Option<String>, Option<String>) {
    let bare = locale.split(['.', '@']).next().unwrap_or_default();
    if ["C", "POSIX"].contains(&bare) {
        return (None, None);
    }
    let (language, region) = bare.split_once('_').unwrap_or((bare, ""));
    (read_language(language), read_country(region))
}

fn primary(tag: &str) -> &str {
    tag.split('-').next().unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(language: Option<&str>, country: Option<&str>) -> Bootstrap {
        Bootstrap { language: language.map(str::to_owned), country: country.map(str::to_owned), timezone: None }
    }

    #[test]
    fn a_locale_says_language_and_region() {
        let of = |locale| RespondentLocale { locale: Some(locale), ..RespondentLocale::default() }.as_far();
        assert_eq!(of("ja_JP.UTF-8"), home(Some("ja"), Some("JP")));
        assert_eq!(of("de_AT@euro"), home(Some("de"), Some("AT")));
        assert_eq!(of("en"), home(Some("en"), None));
        assert_eq!(of("C.UTF-8"), home(None, None));
        assert_eq!(of("nonsense_XX"), home(None, None));
    }

    #[test]
    fn what_is_typed_goes_first_and_takes_no_region_from_a_locale_of_another_language() {
        let known = RespondentLocale { locale: Some("en_US.UTF-8"), ..RespondentLocale::default() };
        assert_eq!(RespondentLocale { language: Some("ja"), ..known }.as_far(), home(Some("ja"), None));
        assert_eq!(RespondentLocale { typed: Some(Lang::Ja), ..known }.as_far(), home(Some("ja"), None));
        assert_eq!(RespondentLocale { typed: Some(Lang::En), ..known }.as_far(), home(Some("en"), Some("US")));
        assert_eq!(RespondentLocale { language: Some("en-GB"), ..known }.as_far(), home(Some("en-GB"), Some("GB")));
        assert_eq!(RespondentLocale { country: Some("Canada"), ..known }.as_far(), home(Some("en"), Some("Canada")));
    }

    #[test]
    fn where_nobody_can_be_asked_the_language_decides() {
        let none = RespondentLocale::default();
        assert_eq!(none.wholly(Lang::Ja), home(Some("ja"), Some("JP")));
        assert_eq!(RespondentLocale { locale: Some("C"), ..none }.wholly(Lang::En), home(Some("en"), Some("US")));
        assert_eq!(RespondentLocale { language: Some("ja"), ..none }.wholly(Lang::En), home(Some("ja"), Some("JP")));
        assert_eq!(RespondentLocale { language: Some("ko"), ..none }.wholly(Lang::En), home(Some("ko"), Some("KR")));
    }
}
