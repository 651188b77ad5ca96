//! Where a value came from: the sentence of an answer that carries it best.
//!
//! Words, numbers and Japanese letters that the value shares with a sentence are counted, after folding. A value that
//! gathers from several sentences has the whole answer as its source, and so has one that shares nothing with any, such
//! as a yes for "gladly".

use std::collections::BTreeSet;

use super::super::locale::fold;

/// The sentence of the answer that carries the value best; the first of several, the whole answer where none does.
pub fn sentence_of<'a>(answer: &'a str, value: &str) -> &'a str {
    let (wanted, folded) = (Marks::of(value), fold(value));
    let whole = wanted.shared(&Marks::of(answer));
    let mut best = (0, answer);
    for sentence in sentences(answer) {
        // Word for word counts for more than every word of it elsewhere, and nothing but the value for most: an answer that
        // was given again stands behind the one that could not be taken ("3.5", then "3").
        let said = fold(sentence);
        let verbatim = match said.contains(&folded) {
            true if said == folded => 2 * folded.len(),
            true => folded.len(),
            false => 0,
        };
        let shared = wanted.shared(&Marks::of(sentence)) + verbatim;
        if shared > best.0 {
            best = (shared, sentence);
        }
    }
    // Less than half of what the answer has of it: the value was gathered.
    if best.0 * 2 < whole { answer } else { best.1 }
}

/// The sentences, without the space around them.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let ends = match letter {
            '。' | '！' | '？' | '\n' | '．' => true,
            // A point in a number or an address ends nothing, nor does one after "Nov" or "approx".
            '.' => next.is_none_or(char::is_whitespace) && !goes_on(&text[place + 1..]),
            '!' | '?' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends {
            let end = place + letter.len_utf8();
            found.push(text[start..end].trim());
            start = end;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// Whether what follows a point is not the beginning of a sentence.
fn goes_on(rest: &str) -> bool {
    let next = rest.trim_start_matches(' ').chars().next();
    next.is_some_and(|letter| letter.is_ascii_digit() || letter.is_lowercase())
}

/// What a text is recognised by.
struct Marks {
    /// Words of spaced scripts, numbers without separators, and single letters of Japanese and Chinese.
    words: BTreeSet<String>,
    /// All digits in a row, for telephone numbers.
    digits: String,
}

/// Names of months, as people may write what is kept in figures.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

impl Marks {
    fn of(text: &str) -> Self {
        let folded = fold(text);
        let mut words = BTreeSet::new();
        let mut word = String::new();
        let mut letters = folded.chars().peekable();
        while let Some(letter) = letters.next() {
            let next_is_digit = letters.peek().is_some_and(char::is_ascii_digit);
            let in_number = word.ends_with(|letter: char| letter.is_ascii_digit());
            if is_ideograph(letter) {
                words.insert(letter.to_string());
                finish(&mut word, &mut words);
            } else if letter.is_alphanumeric() && !is_hiragana(letter) {
                // 3rd is 3, and 30kg is 30.
                if in_number && !letter.is_ascii_digit() {
                    finish(&mut word, &mut words);
                }
                word.push(letter);
            } else if !(letter == ',' && in_number && next_is_digit) {
                finish(&mut word, &mut words);
            }
        }
        finish(&mut word, &mut words);
        let digits = folded.chars().filter(char::is_ascii_digit).take(64).collect();
        Self { words, digits }
    }

    /// How many letters of the other's marks say what these say.
    fn shared(&self, other: &Self) -> usize {
        let carries = |word: &&String| {
            let is_digits = word.bytes().all(|byte| byte.is_ascii_digit());
            let in_digits = is_digits && word.len() >= 3 && self.digits.contains(word.as_str());
            let month = || MONTHS.iter().position(|month| word.len() >= 3 && word.starts_with(month));
            let in_date = || month().is_some_and(|month| self.words.contains(&(month + 1).to_string()));
            self.words.contains(*word) || in_digits || in_date()
        };
        other.words.iter().filter(carries).map(|word| word.chars().count()).sum()
    }
}

fn finish(word: &mut String, words: &mut BTreeSet<String>) {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let plain = if is_number && word.len() <= 2 { word.trim_start_matches('0') } else { word.as_str() };
    if !plain.is_empty() {
        words.insert(plain.to_owned());
    }
    word.clear();
}

fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{9FFF}' | '々')
}

/// Endings and particles, which every sentence has.
fn is_hiragana(letter: char) -> bool {
    matches!(letter, '\u{3041}'..='\u{309F}')
}
