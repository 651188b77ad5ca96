//! Telephone numbers, kept with the calling code of their country: `+819012345678`.
//!
//! A number without a calling code is one of the respondent's country. A table says how numbers are made there: enough
//! to find a missing or a surplus digit, not whether the number is in use. Letters and extensions are refused: they
//! would be lost.

use std::sync::LazyLock;

use super::super::Locale;
use super::fault::ValueFault;
use super::politeness::{bare, words};

/// Reads a number.
pub(super) fn read(text: &str, locale: &Locale) -> Result<String, ValueFault> {
    let text = bare(text).ok_or(ValueFault::NotATelephoneNumber)?;
    let text = words(BEFORE).find_map(|word| text.strip_prefix(word)).unwrap_or(&text).trim_start_matches([':', ' ']);
    let (is_international, digits) = digits(text).ok_or(ValueFault::NotATelephoneNumber)?;
    // Two noughts are what one dials instead of a plus in most countries; no number begins with them at home.
    let abroad = if is_international { Some(digits.as_str()) } else { digits.strip_prefix("00") };
    if let Some(digits) = abroad {
        return international(digits).ok_or(ValueFault::NotATelephoneNumber);
    }
    let home = locale.country.as_deref().and_then(|country| PLANS.iter().find(|plan| plan.country == country));
    if let Some(number) = home.and_then(|home| home.national(&digits)) {
        return Ok(number);
    }
    // The same from Japan and from North America.
    let abroad = ["010", "011"].iter().find_map(|prefix| digits.strip_prefix(prefix)).and_then(international);
    match (abroad, home) {
        (Some(number), _) => Ok(number),
        (None, Some(_)) => Err(ValueFault::NotATelephoneNumber),
        (None, None) => Err(ValueFault::TelephoneOfWhichCountry),
    }
}

const BEFORE: &str = "tel|phone|mobile|携帯電話|携帯|電話番号は|電話番号|電話";

/// The digits, and whether they begin with a plus.
fn digits(text: &str) -> Option<(bool, String)> {
    let plus = text.strip_prefix('+').or_else(|| text.strip_prefix("(+"));
    let rest = plus.unwrap_or(text);
    // In Japanese typing, the long sound mark serves as a hyphen.
    let is_known = |letter: char| letter.is_ascii_digit() || " -()./ー".contains(letter);
    // After a calling code, "(0)" is what one leaves out from abroad.
    let rest = if plus.is_some() { rest.replacen("(0)", "", 1) } else { rest.to_owned() };
    let digits: String = rest.chars().filter(char::is_ascii_digit).collect();
    (rest.chars().all(is_known) && !digits.is_empty()).then_some((plus.is_some(), digits))
}

fn international(digits: &str) -> Option<String> {
    // Several countries share a calling code, and not all of them have numbers of the same length.
    PLANS.iter().find_map(|plan| plan.national(digits.strip_prefix(plan.code)?))
}

/// How the numbers of a country are made.
struct NumberingPlan {
    country: &'static str,
    code: &'static str,
    prefix: Option<&'static str>,
    lengths: Vec<usize>,
}

impl NumberingPlan {
    /// The number as it is kept, from its digits with or without the prefix of national calls.
    fn national(&self, digits: &str) -> Option<String> {
        let without = self.prefix.and_then(|prefix| digits.strip_prefix(prefix));
        // Where the prefix is a nought, no number begins with one; other prefixes may also begin a number.
        let needs_none = self.prefix != Some("0") || without.is_none();
        let number = without.filter(|rest| self.is_possible(rest)).or_else(|| Some(digits).filter(|_| needs_none))?;
        self.is_possible(number).then(|| format!("+{}{number}", self.code))
    }

    fn is_possible(&self, number: &str) -> bool {
        // In Japan, mobile and internet telephones have a digit more than lines in houses.
        let is_longer = ["50", "60", "70", "80", "90"].iter().any(|begin| number.starts_with(begin));
        let fits_japan = self.country != "JP" || number.len() == if is_longer { 10 } else { 9 };
        self.lengths.contains(&number.len()) && fits_japan
    }
}

static PLANS: LazyLock<Vec<NumberingPlan>> = LazyLock::new(|| {
    let lines = include_str!("phones.tsv").lines().filter(|line| !line.starts_with('#'));
    let plan = |line: &'static str| {
        let [country, code, prefix, lengths] = super::super::locale::columns(line);
        let lengths = lengths.split(',').filter_map(|length| length.parse().ok()).collect();
        NumberingPlan { country, code, prefix: Some(prefix).filter(|prefix| *prefix != "-"), lengths }
    };
    lines.map(plan).collect()
});
