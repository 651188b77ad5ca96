//! One or several of a field's options, by value, label, place in the list, or beginning.
//!
//! What names an option exactly always wins, so options may look like numbers or contain "and". A bare number is a place
//! in the list only where no option begins with a digit. Several choices are kept as values in the form's order, with `; `
//! between them. Where other answers are allowed, they are kept as they are given, and beginnings are not guessed at.

use std::collections::BTreeSet;

use enza_kernel::text::Lang;

use super::super::locale::fold;
use super::super::{Choice, Field};
use super::fault::ValueFault;
use super::number::word;
use super::politeness::{strip_politeness, words};
use super::scan::with_digits;

const BETWEEN: &str = "; ";
/// More parts than a form may have options are no list of choices.
const MOST_PARTS: usize = 200;

/// How many bytes of politeness there may be around a choice.
const LONGEST_CLOTHING: usize = 200;

/// Reads one choice.
pub(super) fn read_one(field: &Field, text: &str) -> Result<String, ValueFault> {
    let options = Options::of(field);
    match options.find(text) {
        OptionMatch::One(place) => Ok(options.value(place).to_owned()),
        OptionMatch::None if field.allow_other => Ok(text.to_owned()),
        OptionMatch::None => Err(options.no_such(text)),
        OptionMatch::Several(places) => Err(ValueFault::SeveralOptions { options: options.shown(&places) }),
    }
}

/// Reads several choices.
pub(super) fn read_several(field: &Field, text: &str) -> Result<String, ValueFault> {
    let options = Options::of(field);
    let (chosen, others) = options.split(text)?;
    let values = chosen.into_iter().map(|place| options.value(place)).chain(others);
    Ok(values.collect::<Vec<_>>().join(BETWEEN))
}

const ALL: &str = "all|all of them|all of these|all of the above|everything|全部|全て|すべて|ぜんぶ|全部とも|いずれも";
const BOTH: &str = "both|both of them|両方|どちらも|両方とも";

/// The label, if reading it gives the value again; else the value.
pub(super) fn show_one<'a>(field: &'a Field, value: &'a str) -> &'a str {
    let option = field.options.iter().position(|option| option.value == value);
    let is_own = |place: &usize| matches!(Options::of(field).find(field.options[*place].shown()), OptionMatch::One(found) if found == *place);
    option.filter(is_own).map_or(value, |place| field.options[place].shown())
}

/// The labels with commas between them.
pub(super) fn show_several(field: &Field, value: &str, lang: Lang) -> String {
    let shown: Vec<&str> = value.split(BETWEEN).map(|value| show_one(field, value)).collect();
    lang.list(&shown)
}

enum OptionMatch {
    None,
    One(usize),
    Several(Vec<usize>),
}

/// A field's options, folded once.
struct Options<'a> {
    field: &'a Field,
    folded: Vec<[String; 2]>,
    begin_with_digits: bool,
    /// The length of the longest name. What is far longer cannot be one, and is not looked at letter by letter.
    longest: usize,
}

impl<'a> Options<'a> {
    fn of(field: &'a Field) -> Self {
        let names = |option: &Choice| [fold(&option.value), fold(option.shown())];
        let folded: Vec<[String; 2]> = field.options.iter().map(names).collect();
        let begin_with_digits = folded.iter().flatten().any(|name| name.starts_with(is_digit));
        let longest = field.options.iter().map(|option| option.value.len().max(option.shown().len())).max();
        Self { field, folded, begin_with_digits, longest: longest.unwrap_or(0) }
    }

    fn value(&self, place: usize) -> &'a str {
        &self.field.options[place].value
    }

    fn find(&self, text: &str) -> OptionMatch {
        if let Some(found) = self.named(text) {
            return found;
        }
        let bare = fold(strip_politeness(text));
        let bare = bare.strip_suffix(" one").unwrap_or(&bare);
        // What begins an option is not its place in the list: "second" may be the second floor.
        let begun = self.matching(|name| begins(name, bare)).filter(|_| !bare.is_empty());
        match begun {
            Some(_) if self.field.allow_other => OptionMatch::None,
            Some(found) => found,
            None => self.counted(bare).map_or(OptionMatch::None, OptionMatch::One),
        }
    }

    /// The option that the text names in full, as it is or without its clothing.
    fn named(&self, text: &str) -> Option<OptionMatch> {
        self.exactly(text).or_else(|| self.exactly(strip_politeness(text)))
    }

    fn exactly(&self, text: &str) -> Option<OptionMatch> {
        let options = &self.field.options;
        let text = text.trim();
        if text.len() > 4 * self.longest + LONGEST_CLOTHING {
            return None;
        }
        let value = options.iter().position(|option| option.value == text);
        let exact = value.or_else(|| options.iter().position(|option| option.shown() == text));
        let folded = fold(text);
        exact.map(OptionMatch::One).or_else(|| self.matching(|name| *name == folded))
    }

    fn matching(&self, fits: impl Fn(&String) -> bool) -> Option<OptionMatch> {
        let fitting = |names: &[String; 2]| names.iter().any(|name| !name.is_empty() && fits(name));
        let places: Vec<usize> = (0..self.folded.len()).filter(|place| fitting(&self.folded[*place])).collect();
        match places.as_slice() {
            [] => None,
            [place] => Some(OptionMatch::One(*place)),
            [_, _, ..] => Some(OptionMatch::Several(places)),
        }
    }

    /// "2", "no. 2", "second", 2番目, "last".
    fn counted(&self, bare: &str) -> Option<usize> {
        let count = self.field.options.len();
        if ["last", "最後", "一番下"].contains(&bare) {
            return count.checked_sub(1);
        }
        let digits = with_digits(bare);
        let number = |text: &str| text.trim().parse::<usize>().ok().or_else(|| word(text.trim()).map(usize::from));
        let ordinal = words(ORDINALS).position(|ordinal| ordinal == bare).map(|place| place + 1);
        let nth = || words(NTH).find_map(|mark| digits.strip_suffix(mark)).and_then(number);
        // A bare number, or one that is only marked as such, may be meant for an option that does not exist.
        let is_name = |mark: &str| self.folded.iter().flatten().any(|name| name.starts_with(mark));
        let marked = || words(MARKED).filter(|mark| !is_name(mark)).find_map(|mark| digits.strip_prefix(mark));
        let behind = || words(BEHIND).find_map(|mark| digits.strip_suffix(mark));
        let plain = || marked().or_else(behind).or(Some(digits.as_str())).filter(|_| !self.begin_with_digits);
        let place = ordinal.or_else(nth).or_else(|| plain().and_then(number));
        place.filter(|nth| (1..=count).contains(nth)).map(|nth| nth - 1)
    }

    /// Every part of a list: the places of the options, in order and once each, and the other answers.
    fn split<'t>(&self, text: &'t str) -> Result<(BTreeSet<usize>, Vec<&'t str>), ValueFault> {
        let (mut chosen, mut others) = (BTreeSet::new(), Vec::new());
        for found in self.runs(text, &[",", "、", "，", ";", "；", "\n", "\r"])? {
            match found.map_or_else(|part| self.joined(part).map_err(|unread| (part, unread)), |place| Ok(vec![place]))
            {
                Ok(places) => chosen.extend(places),
                Err((part, _)) if self.field.allow_other && others.contains(&part) => {}
                Err((part, _)) if self.field.allow_other => others.push(part),
                Err((_, unread)) => return Err(unread),
            }
        }
        if chosen.is_empty() && others.is_empty() { Err(self.no_such(text)) } else { Ok((chosen, others)) }
    }

    /// The options of a part that joins them with words: "tea and cake", 東京と大阪.
    fn joined(&self, part: &str) -> Result<Vec<usize>, ValueFault> {
        if self.is_all(part) {
            return Ok((0..self.field.options.len()).collect());
        }
        let one = match self.find(part) {
            OptionMatch::One(place) => return Ok(vec![place]),
            OptionMatch::Several(places) => ValueFault::SeveralOptions { options: self.shown(&places) },
            OptionMatch::None => self.no_such(part),
        };
        let pieces = self.runs(strip_politeness(part), &[" and ", "&", "/", "および", "及び", "と", "・", "+", " "])?;
        if pieces.len() < 2 {
            return Err(one);
        }
        let place = |piece: Result<usize, &str>| match piece.map_or_else(|piece| self.find(piece), OptionMatch::One) {
            OptionMatch::One(place) => Ok(place),
            OptionMatch::Several(places) => Err(ValueFault::SeveralOptions { options: self.shown(&places) }),
            // The whole part is what was not understood: a piece of it may be half a word.
            OptionMatch::None => Err(self.no_such(part)),
        };
        pieces.into_iter().map(place).collect()
    }

    fn is_all(&self, part: &str) -> bool {
        let bare = fold(strip_politeness(part));
        let both = self.field.options.len() == 2 && words(BOTH).any(|word| word == bare);
        both || words(ALL).any(|word| word == bare)
    }

    /// The text cut at the separators, except where a longer run of it names an option in full.
    fn runs<'t>(&self, text: &'t str, separators: &[&str]) -> Result<Vec<Result<usize, &'t str>>, ValueFault> {
        let parts = parts(text, separators);
        if parts.len() > MOST_PARTS {
            return Err(self.no_such(text));
        }
        let mut runs = Vec::new();
        let mut first = 0;
        while first < parts.len() {
            let run = |end: usize| without_joint(&text[parts[first].0..parts[end - 1].1]);
            let named = |end: usize| {
                let bare = strip_politeness(run(end));
                // Clothing may go with the part it belongs to, but not a whole part with it.
                let is_whole = self::parts(bare, separators).len() == end - first;
                let found = self.exactly(run(end)).or_else(|| self.exactly(bare).filter(|_| is_whole));
                match found {
                    Some(OptionMatch::One(place)) => Some((Ok(place), end)),
                    Some(OptionMatch::None | OptionMatch::Several(_)) | None => None,
                }
            };
            // An option's name has few separators in it.
            let longest = (first + 1..=parts.len().min(first + 8)).rev().find_map(named);
            let (found, end) = longest.unwrap_or_else(|| (Err(run(first + 1)), first + 1));
            runs.push(found);
            first = end;
        }
        Ok(runs)
    }

    fn shown(&self, places: &[usize]) -> Vec<String> {
        places.iter().map(|place| self.field.options[*place].shown().to_owned()).collect()
    }

    fn no_such(&self, given: &str) -> ValueFault {
        ValueFault::no_such_option(given, self.field.options.iter().map(Choice::shown))
    }
}

const ORDINALS: &str = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth";
const NTH: &str = "番目の|番目|つ目|つめ";
const MARKED: &str = "no.|number|option|choice|#|番号";
const BEHIND: &str = "番|st|nd|rd|th";

/// Whether the name begins with the text; 1 does not begin 10.
fn begins(name: &str, text: &str) -> bool {
    let in_number = |rest: &str| text.ends_with(is_digit) && rest.starts_with(is_digit);
    name.strip_prefix(text).is_some_and(|rest| !in_number(rest))
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// The part without the words that join it to the one before.
fn without_joint(part: &str) -> &str {
    let part = part.trim();
    let joined =
        ["and ", "& ", "および", "及び", "それと", "それから"].iter().find_map(|joint| part.strip_prefix(joint));
    joined.map_or(part, without_joint)
}

/// Where the parts between the separators begin and end, leaving out empty ones.
fn parts(text: &str, separators: &[&str]) -> Vec<(usize, usize)> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut place = 0;
    while let Some(letter) = text[place..].chars().next() {
        let separator = separators.iter().find(|separator| text[place..].starts_with(**separator));
        let step = separator.map_or(letter.len_utf8(), |separator| separator.len());
        if separator.is_some() {
            parts.push((start, place));
            start = place + step;
        }
        place += step;
    }
    parts.push((start, text.len()));
    parts.retain(|(start, end)| !text[*start..*end].trim().is_empty());
    parts
}
