//! The text of a line as a person has to see it: what changed inside it is marked, and what nobody would see is spelt out.
//!
//! Nothing is left out and nothing is put in its place: a letter that shows itself stays as it is.

use enza_kernel::text::spelt_out;
use maud::{Markup, html};

use super::read::{Row, RowKind};

/// Where a line differs from the one that takes its place, in bytes.
pub(super) type ChangedSpan = Option<(usize, usize)>;

/// A text with everything that cannot be seen spelt out.
pub fn letters(text: &str) -> Markup {
    let mut pieces: Vec<Result<&str, String>> = Vec::new();
    let mut plain = 0;
    for (place, letter) in text.char_indices() {
        if let Some(spelt) = spelt_out(letter) {
            pieces.extend([Ok(&text[plain..place]), Err(spelt)]);
            plain = place + letter.len_utf8();
        }
    }
    pieces.push(Ok(&text[plain..]));
    html! {
        @for piece in &pieces {
            @match piece {
                Ok(text) => (text),
                Err(spelt) => span.unseen { (spelt) },
            }
        }
    }
}

/// A line with its mark.
pub(super) fn marked(text: &str, mark: ChangedSpan) -> Markup {
    match mark {
        Some((from, to)) => {
            html! { (letters(&text[..from])) mark { (letters(&text[from..to])) } (letters(&text[to..])) }
        }
        None => letters(text),
    }
}

/// The marks of every line of a hunk. Lines that go and as many that come in their place are compared one by one; where
/// two have little in common, marking would only be noise.
pub(super) fn marks(rows: &[Row<'_>]) -> Vec<ChangedSpan> {
    let mut marks = vec![None; rows.len()];
    let run = |from: usize, kind: RowKind| rows[from..].iter().take_while(|row| row.kind == kind).count();
    let mut place = 0;
    while place < rows.len() {
        let (gone, come) = (run(place, RowKind::Removed), run(place + run(place, RowKind::Removed), RowKind::Added));
        if gone == come {
            for pair in place..place + gone {
                (marks[pair], marks[pair + gone]) = differing(rows[pair].text, rows[pair + gone].text);
            }
        }
        place += (gone + come).max(1);
    }
    marks
}

fn differing(old: &str, new: &str) -> (ChangedSpan, ChangedSpan) {
    let start = shared(old.chars(), new.chars());
    let start = start - cut_word(old[..start].chars().rev(), old[start..].chars(), new[start..].chars());
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = shared(old_rest.chars().rev(), new_rest.chars().rev());
    let (old_middle, tail) = old_rest.split_at(old_rest.len() - end);
    let new_middle = &new_rest[..new_rest.len() - end];
    let end = end - cut_word(tail.chars(), old_middle.chars().rev(), new_middle.chars().rev());
    if start + end < old.len().max(new.len()) / 3 {
        return (None, None);
    }
    let mark = |line: &str| Some((start, line.len() - end)).filter(|(from, to)| from < to);
    (mark(old), mark(new))
}

/// How many bytes two lines have in common from where they are read.
fn shared(old: impl Iterator<Item = char>, new: impl Iterator<Item = char>) -> usize {
    old.zip(new).take_while(|(one, other)| one == other).map(|(letter, _)| letter.len_utf8()).sum()
}

/// How many bytes of what is shared belong to a word that goes on differently, so that words are marked whole.
fn cut_word(
    shared: impl Iterator<Item = char>,
    mut old: impl Iterator<Item = char>,
    mut new: impl Iterator<Item = char>,
) -> usize {
    let goes_on = old.next().is_some_and(is_of_word) || new.next().is_some_and(is_of_word);
    if goes_on { shared.take_while(|letter| is_of_word(*letter)).map(char::len_utf8).sum() } else { 0 }
}

fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> [String; 2] {
        let row = |kind, text| Row { kind, old: None, new: None, text };
        let marks = marks(&[row(RowKind::Removed, old), row(RowKind::Added, new)]);
        [marked(old, marks[0]).into_string(), marked(new, marks[1]).into_string()]
    }

    #[test]
    fn the_words_that_changed_inside_a_line_are_marked_whole() {
        assert_eq!(
            shown("let old = 1;", "let older = 1;"),
            ["let <mark>old</mark> = 1;", "let <mark>older</mark> = 1;"]
        );
        assert_eq!(shown("f(a)", "f(a, b)"), ["f(a)", "f(a<mark>, b</mark>)"]);
        assert_eq!(shown("空が青い日", "空が赤い日"), ["空が<mark>青</mark>い日", "空が<mark>赤</mark>い日"]);
    }

    #[test]
    fn lines_with_little_in_common_are_not_marked() {
        assert_eq!(shown("one thing", "quite another"), ["one thing", "quite another"]);
        assert_eq!(shown("", "new"), ["", "new"]);
    }

    #[test]
    fn letters_that_nobody_sees_are_spelt_out() {
        assert_eq!(
            letters("a\u{202e}<b>\r").into_string(),
            "a<span class=\"unseen\">&lt;U+202E&gt;</span>&lt;b&gt;<span class=\"unseen\">&lt;U+000D&gt;</span>"
        );
    }
}
