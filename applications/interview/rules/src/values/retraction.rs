//! Words with which people take back what they said: "actually", "not Tuesday but Wednesday", 間違えました.
//!
//! They do not say what is taken back; that is for the reviewer to find. Without any of them nothing is.

use super::super::locale::fold;

/// Whole words and phrases, folded.
const ENGLISH: [&str; 26] = [
    "actually",
    "sorry",
    "correction",
    "correct",
    "wrong",
    "mistake",
    "mistaken",
    "mixed up",
    "i meant",
    "i mean",
    "should be",
    "should have been",
    "instead",
    "rather than",
    "change",
    "changed",
    "update",
    "wait",
    "not the",
    "no it was",
    "in fact",
    "typo",
    "misspoke",
    "scratch that",
    "my bad",
    "earlier",
];
/// Anywhere in the text.
const JAPANESE: [&str; 18] = [
    "間違",
    "まちが",
    "訂正",
    "修正",
    "直し",
    "直して",
    "変更",
    "変えて",
    "やっぱり",
    "やはり",
    "ではなく",
    "じゃなく",
    "でなく",
    "実は",
    "正しくは",
    "さっき",
    "先ほど",
    "取り消",
];

/// Whether a message takes back something that was said before.
pub fn retracts(text: &str) -> bool {
    let folded = fold(text);
    let spaced: String = folded.chars().map(|letter| if letter.is_alphanumeric() { letter } else { ' ' }).collect();
    let words = format!(" {} ", spaced.split_whitespace().collect::<Vec<_>>().join(" "));
    ENGLISH.iter().any(|phrase| words.contains(&format!(" {phrase} ")))
        || JAPANESE.iter().any(|part| text.contains(part))
}

#[cfg(test)]
mod tests {
    use super::retracts;

    #[test]
    fn what_takes_back_is_told_from_what_goes_on() {
        for text in [
            "Wait, the visit was on the 4th of November",
            "Sorry, I meant Wednesday.",
            "It should be three, not two",
            "日付は間違いでした。4日です",
            "3日ではなく4日です",
        ] {
            assert!(retracts(text), "{text}");
        }
        for text in
            ["Main building, room 304", "ada@example.com, thanks", "本館の304号室です", "They were very kind at Kobo"]
        {
            assert!(!retracts(text), "{text}");
        }
    }
}
