//! Reads a short text from left to right: numbers, given words, and the end.
//!
//! For days and times, which have few shapes; and Japanese numerals, which both may be written with. Nothing is skipped
//! unasked, so a text that has been read to its end had nothing else in it.

/// What is left to read.
#[derive(Clone, Copy)]
pub(super) struct Scan<'a> {
    rest: &'a str,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// Goes past the spaces.
    pub(super) fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Goes past the first of these words that stands here, and says which.
    pub(super) fn word(&mut self, words: &[&str]) -> Option<usize> {
        let place = words.iter().position(|word| self.rest.starts_with(word))?;
        self.rest = &self.rest[words[place].len()..];
        Some(place)
    }

    /// Goes past digits, as many as a number of ours may have, and says how many there were.
    pub(super) fn number(&mut self) -> Option<(i16, usize)> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = self.rest[..digits].parse().ok()?;
        self.rest = &self.rest[digits..];
        Some((number, digits))
    }

    pub(super) fn is_done(&self) -> bool {
        self.rest.is_empty()
    }
}

/// The text with Japanese numerals as digits: 十一月三日 is 11月3日.
pub(super) fn with_digits(text: &str) -> String {
    let mut written = String::new();
    let mut numeral = String::new();
    for letter in text.chars() {
        if kanji_digit(letter).is_some() || letter == '十' {
            numeral.push(letter);
            continue;
        }
        written += &digits(&numeral);
        numeral.clear();
        written.push(letter);
    }
    written + &digits(&numeral)
}

/// Up to 99 with 十; any other run is read digit by digit, as years are.
fn digits(numeral: &str) -> String {
    match numeral.split_once('十') {
        None => numeral.chars().filter_map(kanji_digit).map(|digit| digit.to_string()).collect(),
        Some((tens, ones)) => {
            let part = |text: &str, empty: u32| {
                let mut letters = text.chars();
                match (letters.next(), letters.next()) {
                    (None, _) => Some(empty),
                    (Some(one), None) => kanji_digit(one),
                    (Some(_), Some(_)) => None,
                }
            };
            match (part(tens, 1), part(ones, 0)) {
                (Some(tens), Some(ones)) => (tens * 10 + ones).to_string(),
                (None, _) | (_, None) => numeral.to_owned(),
            }
        }
    }
}

/// What a kanji digit is worth.
pub(super) fn kanji_digit(letter: char) -> Option<u32> {
    let place = ["〇零", "一壱", "二弐", "三参", "四", "五", "六", "七", "八", "九"]
        .iter()
        .position(|same| same.contains(letter));
    place.and_then(|place| u32::try_from(place).ok())
}
