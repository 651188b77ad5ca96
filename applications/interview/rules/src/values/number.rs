//! Numbers: "1,234.5", "about 30 people", １２００円, 1万2千, 三十, "minus two", "5k".
//!
//! Which of point and comma separates thousands goes by the locale; where that gives nonsense and the other way does
//! not, the other way is meant ("1.5" in German). Units and currencies are taken off and not kept: the form says which
//! it wants. A range is not a number.

use super::super::{Field, Locale};
use super::decimal::Decimal;
use super::fault::ValueFault;
use super::politeness::{bare, strip_after, strip_before, words};
use super::scan::kanji_digit;

/// Reads a number and holds it to the field's bounds.
pub(super) fn read(field: &Field, text: &str, locale: &Locale) -> Result<String, ValueFault> {
    let number = bare(text).and_then(|text| number(&text, locale)).ok_or(ValueFault::NotANumber)?;
    within_bounds(field, &number)
}

/// Reads a whole number and holds it to the field's bounds. `3.0` is one; what has a part left over is never rounded.
pub(super) fn read_whole(field: &Field, text: &str, locale: &Locale) -> Result<String, ValueFault> {
    let number = bare(text).and_then(|text| number(&text, locale));
    let whole = number.filter(Decimal::is_whole).ok_or(ValueFault::NotWhole)?;
    within_bounds(field, &whole)
}

fn within_bounds(field: &Field, number: &Decimal) -> Result<String, ValueFault> {
    let bound = |bound: &Option<String>| bound.as_deref().and_then(bound_of);
    if let Some(min) = bound(&field.min).filter(|min| number < min) {
        return Err(ValueFault::BelowMin { kind: field.kind, min: min.keep() });
    }
    if let Some(max) = bound(&field.max).filter(|max| number > max) {
        return Err(ValueFault::AboveMax { kind: field.kind, max: max.keep() });
    }
    Ok(number.keep())
}

/// The number with separators.
pub(super) fn show(value: &str) -> Option<String> {
    Decimal::kept(value).map(|number| number.show())
}

/// A form's bound may be spelt in any way in which machines write numbers, such as `1e3`.
fn bound_of(bound: &str) -> Option<Decimal> {
    Decimal::kept(bound).or_else(|| Decimal::kept(&bound.parse::<f64>().ok()?.to_string()))
}

const ABOUT: &str = "about|around|approximately|approx.|approx|roughly|約|およそ|おおよそ|だいたい|大体|ざっと|~";
const OR_SO: &str = "くらい|ぐらい|ほど|程度|前後|or so|approximately|~";
const MINUS: &str = "-|minus|マイナス|▲|△";
const SIGNS: &str = "us$|a$|c$|$|¥|€|£|₩|₹|usd|jpy|eur|gbp|金|計|合計|total";
const UNITS: &str = "円|ドル|ユーロ|ポンド|ウォン|元|人|名|名様|個|回|件|本|枚|台|匹|頭|冊|杯|社|歳|才|日|日間|週間|か月|ヶ月|\
    カ月|ヵ月|年|年間|時間|分|秒|つ|階|点|%|％|パーセント|キロ|グラム|メートル|センチ|km|m|cm|mm|kg|g|l|kwh|gb|\
    mb|$|€|£|¥|yen|dollars|dollar|bucks|euros|euro|pounds|usd|jpy|eur|gbp|people|persons|person|guests|guest|\
    adults|adult|children|items|item|pieces|times|hours|hour|minutes|days|day|weeks|months|years|year|percent";

fn number(text: &str, locale: &Locale) -> Option<Decimal> {
    let mut rest = any(text, OR_SO, strip_end);
    let mut negative = false;
    loop {
        let minus = words(MINUS).find_map(|word| strip_start(rest, word)).filter(|_| !negative);
        let sign = words(ABOUT).chain(words(SIGNS)).find_map(|word| strip_start(rest, word)).or(rest.strip_prefix('+'));
        match (minus, sign) {
            (Some(after), _) => (rest, negative) = (after, true),
            (None, Some(after)) => rest = after,
            (None, None) => break,
        }
    }
    let rest = rest.strip_suffix(" old").unwrap_or(rest);
    let core = any(any(rest, UNITS, strip_end), OR_SO, strip_end);
    let number = separated(core, locale).or_else(|| japanese(core)).or_else(|| counted(core, locale))?;
    Some(number.signed(negative))
}

fn any<'a>(text: &'a str, list: &'static str, strip: fn(&'a str, &str) -> Option<&'a str>) -> &'a str {
    // The longest first: 日間 before 間, "us$" before "$".
    let found = words(list).filter_map(|word| strip(text, word)).min_by_key(|rest| rest.len());
    found.unwrap_or(text)
}

/// Signs need no space after them.
fn strip_start<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let is_word = word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let rest = if is_word { strip_before(text, word) } else { text.strip_prefix(word) };
    rest.map(str::trim_start).filter(|rest| !rest.is_empty())
}

/// Units need no space before them: 5km.
fn strip_end<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_suffix(word)?;
    let after_digit = rest.ends_with(|letter: char| letter.is_ascii_digit());
    let rest = if after_digit { Some(rest) } else { strip_after(text, word) };
    rest.map(str::trim_end).filter(|rest| !rest.is_empty())
}

/// Digits, perhaps in groups, perhaps with a fraction.
fn separated(text: &str, locale: &Locale) -> Option<Decimal> {
    let (first, second) = if has_decimal_comma(locale) { (',', '.') } else { ('.', ',') };
    with_point(text, first).or_else(|| with_point(text, second))
}

fn with_point(text: &str, point: char) -> Option<Decimal> {
    let (whole, fraction) = match text.split_once(point) {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return None,
        None => (text, ""),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let between = |letter: char| ",. '_".contains(letter) && letter != point;
    let Some(separator) = whole.chars().find(|letter| between(*letter)) else {
        return Decimal::new(whole, fraction);
    };
    let groups: Vec<&str> = whole.split(separator).collect();
    let (first, rest) = groups.split_first()?;
    let (last, middle) = rest.split_last()?;
    let begins = (1..=3).contains(&first.len()) && !first.starts_with('0');
    // Threes everywhere, or the Indian way: 12,34,567.
    let threes = middle.iter().all(|group| group.len() == 3);
    let twos = first.len() <= 2 && separator == ',' && middle.iter().all(|group| group.len() == 2);
    (begins && last.len() == 3 && (threes || twos)).then(|| Decimal::new(&groups.concat(), fraction))?
}

/// The languages that write a comma before the fraction.
const COMMA: &str = "af|az|be|bg|bs|ca|cs|da|de|el|es|et|eu|fi|fr|gl|hr|hu|hy|id|is|it|ka|kk|lt|lv|mk|nb|nl|nn|pl|pt|ro|ru|\
    sk|sl|sq|sr|sv|tr|uk|vi";

/// The countries where some of them write a point all the same.
const POINT: [(&str, &str); 3] = [("de", "CH|LI"), ("es", "DO|GT|HN|MX|NI|PA|PE|PR|SV|US"), ("it", "CH")];

fn has_decimal_comma(locale: &Locale) -> bool {
    let mut parts = locale.language.split(['-', '_']);
    let language = parts.next().unwrap_or_default().to_ascii_lowercase();
    let region = parts.find(|part| part.len() == 2).or(locale.country.as_deref());
    let except = POINT.iter().find(|(one, _)| *one == language).map_or("", |(_, countries)| *countries);
    words(COMMA).any(|one| one == language) && !words(except).any(|country| Some(country) == region)
}

/// 1万2千, 三十, 1.5億, 二〇二六.
fn japanese(text: &str) -> Option<Decimal> {
    let mut total = Decimal::of(0)?;
    let mut section = Decimal::of(0)?;
    let mut coefficient: Option<String> = None;
    let (mut least, mut least_small) = (usize::MAX, usize::MAX);
    for letter in text.chars() {
        // A space may follow a unit, but not stand inside a number.
        if letter == ' ' && coefficient.is_none() {
            continue;
        }
        if let Some(digit) = kanji_digit(letter).and_then(|digit| char::from_digit(digit, 10)).or(plain_digit(letter)) {
            coefficient.get_or_insert_default().push(digit);
            continue;
        }
        let small = [('十', 1), ('百', 2), ('千', 3)].into_iter().find(|(unit, _)| *unit == letter);
        let big = [('万', 4), ('億', 8), ('兆', 12)].into_iter().find(|(unit, _)| *unit == letter);
        let (_, zeros) = small.or(big)?;
        let counted = coefficient.take().map(|digits| with_point(&digits, '.'));
        if small.is_some() {
            let counted = counted.unwrap_or_else(|| Decimal::of(1))?;
            section = section.plus(&counted.shifted(zeros)?)?;
            (zeros < least_small).then(|| least_small = zeros)?;
        } else {
            section = section.plus(&counted.unwrap_or_else(|| Decimal::of(0))?)?;
            // 万 alone counts nothing.
            (section > Decimal::of(0)? && zeros < least).then(|| least = zeros)?;
            total = total.plus(&section.shifted(zeros)?)?;
            (section, least_small) = (Decimal::of(0)?, usize::MAX);
        }
    }
    let rest = coefficient.map_or_else(|| Decimal::of(0), |digits| with_point(&digits, '.'))?;
    (!text.is_empty()).then(|| total.plus(&section)?.plus(&rest))?
}

fn plain_digit(letter: char) -> Option<char> {
    (letter.is_ascii_digit() || ".,".contains(letter)).then_some(letter)
}

const ONES: &str = "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|\
    seventeen|eighteen|nineteen";
const TENS: &str = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety";
const TIMES: [(&str, usize); 5] = [("hundred", 2), ("thousand", 3), ("k", 3), ("million", 6), ("billion", 9)];

/// "twelve", "twenty-one", "two hundred", "1.5 million", "5k".
fn counted(text: &str, locale: &Locale) -> Option<Decimal> {
    for (word, zeros) in TIMES {
        let Some(rest) = strip_end(text, word) else { continue };
        let count =
            if ["a", "an"].contains(&rest) { Decimal::of(1) } else { separated(rest, locale).or_else(|| spoken(rest)) };
        return count?.shifted(zeros);
    }
    spoken(text)
}

fn spoken(text: &str) -> Option<Decimal> {
    word(text).and_then(|number| Decimal::of(number.into()))
}

/// A number of up to two digits as a word.
pub(super) fn word(text: &str) -> Option<u8> {
    let one = |word: &str| words(ONES).position(|one| one == word);
    let ten = |word: &str| words(TENS).position(|ten| ten == word).map(|place| (place + 2) * 10);
    let number = match text.split_once([' ', '-']) {
        None => one(text).or_else(|| ten(text)),
        Some((tens, ones)) => {
            ten(tens).zip(one(ones).filter(|ones| (1..10).contains(ones))).map(|(tens, ones)| tens + ones)
        }
    };
    number.and_then(|number| u8::try_from(number).ok())
}
