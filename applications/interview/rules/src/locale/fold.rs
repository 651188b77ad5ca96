//! Letters without their clothing, so that what people type can be compared.
//!
//! Full width and half width, capitals, accents and the many dashes and quotes become one spelling; kana and Hangul
//! keep their marks, because these make other letters. What is folded is for comparing and never for keeping.

use unicode_normalization::UnicodeNormalization as _;

/// The text as it is compared.
pub(crate) fn fold(text: &str) -> String {
    let lower = text.chars().flat_map(char::to_lowercase);
    let plain = lower.nfkd().filter(|letter| !is_mark(*letter)).map(plain).nfc();
    spaced(plain)
}

/// Only without full width and needless space, for what is told by its letters or kept: codes and addresses.
pub(crate) fn narrow(text: &str) -> String {
    spaced(text.chars().nfkc().filter(|letter| !is_unseen(*letter)))
}

/// One space for every run of spaces, and none around the text.
fn spaced(letters: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    for letter in letters {
        if !letter.is_whitespace() {
            text.push(letter);
        } else if !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
    }
    text.truncate(text.trim_end().len());
    text
}

fn is_mark(letter: char) -> bool {
    is_unseen(letter) || matches!(letter, '\u{300}'..='\u{36F}')
}

/// What carries no meaning and shows no ink: soft hyphens, joiners, selectors, byte order marks, controls.
fn is_unseen(letter: char) -> bool {
    (letter.is_control() && !letter.is_whitespace())
        || matches!(letter, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
}

fn plain(letter: char) -> char {
    match letter {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE63}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{201B}' | '\u{2032}' | '\u{2BB}' | '\u{2BC}' | '`' | '´' => '\'',
        '\u{201C}' | '\u{201D}' | '\u{201E}' | '\u{2033}' | '«' | '»' => '"',
        '\u{2044}' | '\u{2215}' => '/',
        '〜' | '～' | '\u{223C}' => '~',
        other => digit(other).unwrap_or(other),
    }
}

/// The digits of other scripts.
fn digit(letter: char) -> Option<char> {
    let zeros = ['\u{660}', '\u{6F0}', '\u{966}', '\u{9E6}', '\u{E50}'].map(u32::from);
    let zero = zeros.into_iter().find(|zero| (*zero..*zero + 10).contains(&u32::from(letter)))?;
    char::from_digit(u32::from(letter) - zero, 10)
}
