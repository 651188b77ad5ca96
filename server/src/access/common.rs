//! Passwords that everybody guesses first: the words that are used most, dressed up or not, and what a hand types by
//! itself.
//!
//! A password has ten characters at least, so what is looked for is a common word (`common.txt`) with digits and signs
//! around it, or several times in a row; also written with digits for letters. Besides that: one character or a short
//! piece again and again, runs along the alphabet or the keyboard, digits alone, and the person's own name. What is none
//! of these may still be weak; that nobody tries it quickly is for `rate_limiter` and `hash_pool`.

use std::collections::HashSet;
use std::sync::LazyLock;

static WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("common.txt").split_ascii_whitespace().collect());

/// What fingers run along, in either direction.
const RUNS: [&str; 11] = [
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop",
    "qwertzuiop",
    "azertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qazwsxedcrfvtgbyhnujmikolp",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
    "1q2w3e4r5t6y7u8i9o0p",
    "!@#$%^&*()",
];
/// The shortest piece that counts as running along.
const RUN: usize = 3;
/// The longest piece that is nothing more when it is written again and again.
const PIECE: usize = 4;
/// How much may stand around a word that everybody uses before it is a password of its own.
const AROUND: usize = 8;
/// Fewer digits than this alone can all be tried.
const DIGITS: usize = 16;

/// Whether a password of somebody's is one that is guessed first.
pub fn is_guessed_first(name: &str, password: &str) -> bool {
    let lower = password.trim().to_lowercase();
    let name: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let letters: Vec<char> = lower.chars().collect();
    is_digits(&letters)
        || is_repeated(&letters, PIECE)
        || is_run(&letters)
        || spellings(&lower).iter().any(|spelt| is_common_word(spelt, &name, letters.len()))
}

fn is_digits(letters: &[char]) -> bool {
    letters.len() < DIGITS && letters.iter().all(|letter| letter.is_numeric())
}

/// Whether it is one piece of at most so many characters, again and again.
fn is_repeated(letters: &[char], longest: usize) -> bool {
    (1..=longest.min(letters.len() / 2)).any(|piece| letters.chunks(piece).all(|next| letters.starts_with(next)))
}

/// Whether all of it runs along the alphabet or a keyboard, piece by piece; a few digits may stand at the end.
fn is_run(letters: &[char]) -> bool {
    let mut rest = letters;
    while !rest.is_empty() {
        let longest = (RUN..=rest.len()).rev().find(|length| runs_along(&rest[..*length]));
        match longest {
            Some(length) => rest = &rest[length..],
            None => return rest.len() < letters.len() / 2 && rest.iter().all(|letter| letter.is_numeric()),
        }
    }
    true
}

fn runs_along(piece: &[char]) -> bool {
    let forth: String = piece.iter().collect();
    let back: String = piece.iter().rev().collect();
    RUNS.iter().any(|run| run.contains(&forth) || run.contains(&back))
}

/// The word in the middle, as it is and with letters for the digits and signs that stand for them.
fn spellings(lower: &str) -> [String; 3] {
    let plain: String = lower.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let bare = |text: &str| text.trim_matches(|letter: char| !letter.is_alphabetic()).to_owned();
    let spelt: String = bare(lower).chars().map(letter_for).filter(|letter| letter.is_alphanumeric()).collect();
    let middle: String = bare(lower).chars().filter(|letter| letter.is_alphanumeric()).collect();
    [plain, middle, spelt]
}

fn letter_for(sign: char) -> char {
    match sign {
        '0' => 'o',
        '1' | '!' | '|' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' | '+' => 't',
        other => other,
    }
}

fn is_common_word(spelt: &str, name: &str, whole: usize) -> bool {
    let length = spelt.chars().count();
    let is_known = |word: &str| WORDS.contains(word) || word == name;
    whole - length.min(whole) <= AROUND && (is_known(spelt) || is_known_repeated(spelt, is_known))
}

/// Whether it is one known word, two times or more.
fn is_known_repeated(spelt: &str, is_known: impl Fn(&str) -> bool) -> bool {
    let letters: Vec<char> = spelt.chars().collect();
    (2..=letters.len() / 2).filter(|piece| letters.len().is_multiple_of(*piece)).any(|piece| {
        let word: String = letters[..piece].iter().collect();
        letters.chunks(piece).all(|next| letters.starts_with(next)) && is_known(&word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_everybody_guesses_first_is_known() {
        let guessed = [
            "password123",
            "Password123!",
            "P@ssw0rd2024",
            "passwordpassword",
            "1234567890",
            "0987654321",
            "aaaaaaaaaa",
            "abcabcabcabc",
            "qwertyuiop",
            "qwerty123456",
            "qwertyuiop123",
            "1q2w3e4r5t6y",
            "1qaz2wsx3edc",
            "zaq12wsxcde3",
            "abcdefghij",
            "iloveyou123",
            "I love you!!!",
            "letmein12345",
            "Welcome2025!",
            "administrator",
            "adminadmin123",
            "correct horse battery staple",
            "correcthorsebatterystaple",
            "sakurasakura",
            "Konnichiwa123",
            "!@#$%^&*()",
            "19900101199",
            "２０２４２０２４２０２４",
            "adalovelace1815",
            "Adalovelace!",
        ];
        for password in guessed {
            assert!(is_guessed_first("adalovelace", password), "{password}");
        }
    }

    #[test]
    fn what_nobody_guesses_first_is_taken() {
        let taken = [
            "correct horse battery",
            "another fine password",
            "not the password",
            "k3ttle-of-moss",
            "purple monkey dishwasher",
            "Zwei alte Boote am Steg",
            "ゆきどけの橋をわたる",
            "x7#Qp!m2Lw",
            "passwords are for the forgetful",
            "8012739465018273940",
            "ada likes the rain",
        ];
        for password in taken {
            assert!(!is_guessed_first("ada", password), "{password}");
        }
    }
}
