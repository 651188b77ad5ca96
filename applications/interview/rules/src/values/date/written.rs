//! Days with the name of their month, and days as Japanese writes them, with the years of the eras.
//!
//! Month names are English; other languages write their days in figures, or are read by a model. An era may be counted
//! on after its end, as forms printed before then do. Whether there is such a day is for `settle` to say.

use super::super::scan::Scan;
use super::{WrittenDate, whole_year};

/// The months, by their whole names; three letters will do, too.
pub(super) const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// "3 Nov 2026", "November 3rd", "the 3rd of November, 2026", "2026 Nov 3".
pub(super) fn day(text: &str) -> Option<WrittenDate> {
    let words: Vec<&str> = text.split([' ', ',', '-', '/']).filter(|word| !["", "of", "the"].contains(word)).collect();
    let month = |word: &str| i16::try_from(MONTHS.iter().position(|month| is_month(word, month))? + 1).ok();
    match words.as_slice() {
        [one, other] => {
            let (month, day) = month(one).zip(ordinal(other)).or_else(|| month(other).zip(ordinal(one)))?;
            Some(WrittenDate { year: None, month, day })
        }
        [first, second, third] => {
            if let Some((month, day)) = month(first).zip(ordinal(second)).or_else(|| month(second).zip(ordinal(first)))
                && let Some(year) = year(third)
            {
                return Some(WrittenDate { year: Some(year), month, day });
            }
            let year = year(first).filter(|_| first.len() == 4)?;
            Some(WrittenDate { year: Some(year), month: month(second)?, day: ordinal(third)? })
        }
        _ => None,
    }
}

fn is_month(word: &str, month: &str) -> bool {
    let word = word.trim_end_matches('.');
    word.len() >= 3 && month.starts_with(word) && (word.len() <= 4 || word == month)
}

/// "3", "3rd", "3.".
pub(super) fn ordinal(word: &str) -> Option<i16> {
    let mut scan = Scan::new(word);
    let (number, digits) = scan.number()?;
    scan.word(&["st", "nd", "rd", "th", "."]);
    (digits <= 2 && scan.is_done()).then_some(number)
}

fn year(word: &str) -> Option<i16> {
    let mut scan = Scan::new(word.trim_start_matches('\''));
    let year = scan.number()?;
    scan.is_done().then(|| whole_year(year))?
}

/// The year before the first of each era, by its name and its letter.
const ERAS: [(&str, &str, i16); 5] =
    [("令和", "r", 2018), ("平成", "h", 1988), ("昭和", "s", 1925), ("大正", "t", 1911), ("明治", "m", 1867)];

/// 2026年11月3日, 11月3日, 令和8年11月3日, R8.11.3.
pub(super) fn japanese_day(text: &str) -> Option<WrittenDate> {
    let text: String = text.chars().filter(|letter| *letter != ' ').collect();
    let text = text.replace("元年", "1年");
    let mut scan = Scan::new(&text);
    let era = era(&mut scan);
    let first = scan.number()?;
    let (year, month) = match scan.word(&["年", "月", ".", "/", "-"]) {
        Some(0) => {
            let year = era.map_or_else(|| whole_year(first), |before| before.checked_add(first.0));
            let month = scan.number()?.0;
            scan.word(&["月"])?;
            (Some(year?), month)
        }
        Some(1) if era.is_none() => (None, first.0),
        // Only after an era's letter: everything else in figures is read by the country.
        Some(_) => {
            let month = scan.number()?.0;
            scan.word(&[".", "/", "-", "月"])?;
            (Some(era?.checked_add(first.0)?), month)
        }
        None => return None,
    };
    let day = scan.number()?.0;
    scan.word(&["日"]);
    scan.is_done().then_some(WrittenDate { year, month, day })
}

fn era(scan: &mut Scan<'_>) -> Option<i16> {
    let names = ERAS.map(|(name, _, _)| name);
    let letters = ERAS.map(|(_, letter, _)| letter);
    let place = scan.word(&names).or_else(|| scan.word(&letters))?;
    Some(ERAS[place].2)
}
