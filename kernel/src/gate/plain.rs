//! A yes or a no that is typed: the words that count, and that they count only alone.
//!
//! "Yes, but first show me" is not a yes. So a word of consent is one only where it is the whole reply, whoever reads it:
//! the rules of an application, and every terminal. Wide letters count like narrow ones. A reason goes only behind the
//! letter of a no, which is no word of any talk; how else an answer may be given is the application's.

use super::Verdict;

/// The yes or no that is the whole of a text; none where anything else stands beside it.
pub fn plain_answer(text: &str) -> Option<Verdict> {
    let text: String = text.chars().map(narrow).flat_map(char::to_lowercase).collect();
    match text.trim().trim_end_matches(['.', '!', '。']) {
        "yes" | "y" | "ok" | "okay" | "はい" | "承認" | "承認します" | "承認する" => Some(Verdict::Yes),
        "no" | "n" | "いいえ" | "拒否" | "拒否します" | "拒否する" => Some(Verdict::No),
        _ => None,
    }
}

/// The same, and behind the letter `n` alone the reason for the no.
pub fn typed_answer(line: &str) -> Option<(Verdict, Option<String>)> {
    if let Some(verdict) = plain_answer(line) {
        return Some((verdict, None));
    }
    let (first, reason) = line.trim().split_once([' ', '　'])?;
    let is_no = matches!(first, "n" | "N" | "ｎ" | "Ｎ");
    is_no.then(|| (Verdict::No, Some(reason.trim().to_owned())))
}

/// A letter in the width in which it is compared.
fn narrow(letter: char) -> char {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        '\u{3000}' => ' ',
        '\u{ff61}' => '。',
        _ => letter,
    }
}
