//! Takes off what people put around an answer: politeness, beginnings of sentences, full stops and quotes.
//!
//! Only words that carry nothing are taken off, and only whole ones. A question mark stays, because whoever asks back
//! has not answered.

use super::super::locale::{fold, stands_alone};

/// No number, day or time needs more letters than this, however politely it is put.
const LONGEST: usize = 200;

const BEFORE: &str = "it's|it is|its|it was|it will be|it would be|that's|that is|that was|that would be|this is|on|at|by|the|\
    i think|i'd say|i'm|i am|we're|we are|we have|i have|there are|there is|there were|i'd like|i would like|\
    i want|i choose|i'll take|i pick|let's say|make it|please|well|my answer is|the answer is|えっと|えーと|\
    ええと|私は";

const AFTER: &str = "でございます|になります|になりました|でお願いいたします|でお願いします|でおねがいします|をお願いします|\
    お願いします|がいいです|が良いです|でいいです|にします|だと思います|でした|です|だよ|だ|で|please|thank you|\
    thanks|i think";

/// The text folded and bare, if it is short enough to be a single thing.
pub(super) fn bare(text: &str) -> Option<String> {
    // Folding takes time in proportion to the letters, so a long text is turned away first.
    let text = Some(text).filter(|text| text.chars().count() <= LONGEST).map(fold)?;
    Some(strip_politeness(&text).to_owned())
}

/// The part of the text that carries something.
pub(super) fn strip_politeness(text: &str) -> &str {
    let mut bare = trim(text);
    loop {
        let before = words(BEFORE).find_map(|word| strip_before(bare, word)).unwrap_or(bare);
        let next = trim(words(AFTER).find_map(|word| strip_after(before, word)).unwrap_or(before));
        if next.len() == bare.len() || next.is_empty() {
            return bare;
        }
        bare = next;
    }
}

/// The words of a list, which is written in one string to stay readable.
pub(super) fn words(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split('|')
}

/// The text without a word at its beginning, if that is a word of its own and not all there is.
pub(super) fn strip_before<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let begins = text.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    let rest = text.get(word.len()..).filter(|rest| begins && !rest.is_empty())?;
    stands_alone(text, 0, word.len()).then(|| rest.trim_start_matches([' ', ':', '、', ',']))
}

/// The same at its end.
pub(super) fn strip_after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let start = text.len().checked_sub(word.len()).filter(|start| *start > 0)?;
    let ends = text.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(word));
    (ends && stands_alone(text, start, text.len())).then(|| text[..start].trim_end_matches([' ', '、', ',']))
}

fn trim(text: &str) -> &str {
    let quotes = |letter: char| letter.is_whitespace() || "\"'`「」『』“”‘’".contains(letter);
    text.trim_matches(quotes).trim_end_matches(|letter: char| quotes(letter) || ".。．!！、,".contains(letter))
}
