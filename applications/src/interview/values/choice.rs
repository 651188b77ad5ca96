//! One or several of a field's options, by value, label, place in the list, or beginning.
//!
//! What names an option exactly always wins, so options may look like numbers or contain "and". A place in the list
//! counts only where no option begins with a digit. Several choices are kept as values in the form's order, with `; `
//! between them. Where other answers are allowed, they are kept as they are given, and beginnings are not guessed at.

use std::collections::BTreeSet;

use enza_kernel::text::Lang;

use super::super::locale::fold;
use super::super::{Choice, Field};
use super::clothing::{strip_after, strip_before, undress, words};
use super::number::word;
use super::scan::with_digits;
use super::unread::Unread;

const BETWEEN: &str = "; ";
/// More parts than a form may have options are no list of choices.
const MOST_PARTS: usize = 200;

/// How many bytes of politeness there may be around a choice.
const LONGEST_CLOTHING: usize = 200;

/// Reads one choice.
pub(super) fn read_one(field: &Field, text: &str) -> Result<String, Unread> {
    let options = Options::of(field);
    match options.find(text) {
        Found::One(place) => Ok(options.value(place).to_owned()),
        Found::None if field.allow_other => Ok(text.to_owned()),
        Found::None => Err(options.no_such(text)),
        Found::Several(places) => Err(Unread::SeveralOptions { options: options.shown(&places) }),
    }
}

/// Reads several choices.
pub(super) fn read_several(field: &Field, text: &str) -> Result<String, Unread> {
    let options = Options::of(field);
    let bare = fold(undress(text));
    let both = field.options.len() == 2 && words(BOTH).any(|word| word == bare);
    let (mut chosen, mut others) = (Vec::new(), Vec::new());
    if options.named(text).is_none() && (both || words(ALL).any(|word| word == bare)) {
        chosen.extend(0..field.options.len());
    } else {
        options.split(text, &mut chosen, &mut others)?;
    }
    chosen.sort_unstable();
    chosen.dedup();
    let values = chosen.into_iter().map(|place| options.value(place)).chain(others);
    Ok(values.collect::<Vec<_>>().join(BETWEEN))
}

const ALL: &str = "all|all of them|all of these|all of the above|everything|全部|全て|すべて|ぜんぶ|全部です|すべてです|\
    全部とも|いずれも";
const BOTH: &str = "both|both of them|両方|どちらも|両方とも";

/// The label, if reading it gives the value again; else the value.
pub(super) fn show_one<'a>(field: &'a Field, value: &'a str) -> &'a str {
    let option = field.options.iter().position(|option| option.value == value);
    let is_own = |place: &usize| matches!(Options::of(field).find(field.options[*place].shown()), Found::One(found) if found == *place);
    option.filter(is_own).map_or(value, |place| field.options[place].shown())
}

/// The labels with commas between them.
pub(super) fn show_several(field: &Field, value: &str, lang: Lang) -> String {
    let shown: Vec<&str> = value.split(BETWEEN).map(|value| show_one(field, value)).collect();
    shown.join(lang.pick("、", ", "))
}

enum Found {
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
        let begins = |name: &String| name.starts_with(|letter: char| letter.is_ascii_digit());
        let begin_with_digits = folded.iter().flatten().any(begins);
        let longest = field.options.iter().map(|option| option.value.len().max(option.shown().len())).max();
        Self { field, folded, begin_with_digits, longest: longest.unwrap_or(0) }
    }

    fn value(&self, place: usize) -> &'a str {
        &self.field.options[place].value
    }

    fn find(&self, text: &str) -> Found {
        if let Some(found) = self.named(text) {
            return found;
        }
        let bare = fold(undress(text));
        let bare = bare.strip_suffix(" one").unwrap_or(&bare);
        if let Some(place) = self.counted(bare) {
            return Found::One(place);
        }
        if self.field.allow_other || bare.is_empty() {
            return Found::None;
        }
        self.matching(|name| name.starts_with(bare)).unwrap_or(Found::None)
    }

    /// The option that the text names in full, as it is or without its clothing.
    fn named(&self, text: &str) -> Option<Found> {
        let options = &self.field.options;
        let text = text.trim();
        if text.len() > 4 * self.longest + LONGEST_CLOTHING {
            return None;
        }
        let exact = options.iter().position(|option| option.value == text);
        if let Some(place) = exact.or_else(|| options.iter().position(|option| option.shown() == text)) {
            return Some(Found::One(place));
        }
        let folded = fold(text);
        self.matching(|name| *name == folded).or_else(|| {
            let bare = undress(&folded);
            let bare = if bare.is_empty() { &folded } else { bare };
            self.matching(|name| name == bare)
        })
    }

    fn matching(&self, fits: impl Fn(&String) -> bool) -> Option<Found> {
        let fitting = |names: &[String; 2]| names.iter().any(|name| !name.is_empty() && fits(name));
        let places: Vec<usize> = (0..self.folded.len()).filter(|place| fitting(&self.folded[*place])).collect();
        match places.as_slice() {
            [] => None,
            [place] => Some(Found::One(*place)),
            [_, _, ..] => Some(Found::Several(places)),
        }
    }

    /// "2", "no. 2", "second", 2番目, "last".
    fn counted(&self, bare: &str) -> Option<usize> {
        let count = self.field.options.len();
        if ["last", "最後", "一番下"].contains(&bare) {
            return count.checked_sub(1);
        }
        let ordinal = ORDINALS.iter().position(|ordinal| *ordinal == bare).map(|place| place + 1);
        let digits = with_digits(bare);
        let marked = MARKED.iter().find_map(|mark| strip_before(&digits, mark).or_else(|| digits.strip_prefix(mark)));
        let behind = || BEHIND.iter().find_map(|mark| strip_after(&digits, mark).or_else(|| digits.strip_suffix(mark)));
        let number = |text: &str| text.trim().parse::<usize>().ok().or_else(|| word(text.trim()).map(usize::from));
        let said = marked.or_else(behind).and_then(number);
        let plain = || number(&digits).filter(|_| !self.begin_with_digits);
        ordinal.or(said).or_else(plain).filter(|nth| (1..=count).contains(nth)).map(|nth| nth - 1)
    }

    /// Every part of a list, as places of options or as other answers.
    fn split<'t>(&self, text: &'t str, chosen: &mut Vec<usize>, others: &mut Vec<&'t str>) -> Result<(), Unread> {
        for found in self.runs(text, &[",", "、", "，", ";", "；", "\n", "\r"])? {
            let part = match found {
                Ok(place) => {
                    chosen.push(place);
                    continue;
                }
                Err(part) => part,
            };
            match self.joined(part) {
                Ok(places) => chosen.extend(places),
                Err(_) if self.field.allow_other => others.push(part),
                Err(unread) => return Err(unread),
            }
        }
        let mut seen = BTreeSet::new();
        others.retain(|other| seen.insert(*other));
        if chosen.is_empty() && others.is_empty() { Err(self.no_such(text)) } else { Ok(()) }
    }

    /// The options of a part that joins them with words: "tea and cake", 東京と大阪.
    fn joined(&self, part: &str) -> Result<Vec<usize>, Unread> {
        let one = match self.find(part) {
            Found::One(place) => return Ok(vec![place]),
            Found::Several(places) => Unread::SeveralOptions { options: self.shown(&places) },
            Found::None => self.no_such(part),
        };
        let pieces = self.runs(undress(part), &[" and ", "&", "/", "および", "及び", "と", "・", "+", " "])?;
        if pieces.len() < 2 {
            return Err(one);
        }
        let place = |piece: Result<usize, &str>| match piece.map_or_else(|piece| self.find(piece), Found::One) {
            Found::One(place) => Ok(place),
            Found::Several(places) => Err(Unread::SeveralOptions { options: self.shown(&places) }),
            // The whole part is what was not understood: a piece of it may be half a word.
            Found::None => Err(self.no_such(part)),
        };
        pieces.into_iter().map(place).collect()
    }

    /// The text cut at the separators, except where a longer run of it names an option in full.
    fn runs<'t>(&self, text: &'t str, separators: &[&str]) -> Result<Vec<Result<usize, &'t str>>, Unread> {
        let parts = parts(text, separators);
        if parts.len() > MOST_PARTS {
            return Err(self.no_such(text));
        }
        let mut runs = Vec::new();
        let mut first = 0;
        while first < parts.len() {
            let run = |end: usize| without_joint(&text[parts[first].0..parts[end - 1].1]);
            let named = |end: &usize| match self.named(run(*end)) {
                Some(Found::One(place)) => Some((Ok(place), *end)),
                Some(Found::None | Found::Several(_)) | None => None,
            };
            // An option's name has few separators in it.
            let longest = (first + 1..=parts.len().min(first + 8)).rev().find_map(|end| named(&end));
            let (found, end) = longest.unwrap_or_else(|| (Err(run(first + 1)), first + 1));
            runs.push(found);
            first = end;
        }
        Ok(runs)
    }

    fn shown(&self, places: &[usize]) -> Vec<String> {
        places.iter().map(|place| self.field.options[*place].shown().to_owned()).collect()
    }

    fn no_such(&self, given: &str) -> Unread {
        Unread::no_such_option(given, self.field.options.iter().map(Choice::shown))
    }
}

const ORDINALS: [&str; 10] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const MARKED: [&str; 6] = ["no.", "number", "option", "choice", "#", "番号"];
const BEHIND: [&str; 9] = ["番目の", "番目", "番", "つ目", "つめ", "st", "nd", "rd", "th"];

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
