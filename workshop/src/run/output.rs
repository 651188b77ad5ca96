//! What a command printed, kept within bounds and made fit to be read.
//!
//! However much is printed, only the beginning and the end are held in memory. What comes out is valid text without
//! control sequences, with secrets masked, cut between lines wherever there are lines.
//!
//! A secret that is cut in two would escape the mask. So the masking comes before the last cut, and where a single line
//! is longer than the bounds, the word at the first cut is dropped.

use std::collections::VecDeque;

use enza_work::hazard::mask;

/// How far back the end of a word is looked for.
const WORD: usize = 512;

/// The beginning and the end of what was printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    half: usize,
    all: u64,
}

impl Output {
    /// Room for `most` bytes.
    pub fn of(most: u64) -> Self {
        let half = usize::try_from(most / 2).unwrap_or(usize::MAX);
        Self { head: Vec::new(), tail: VecDeque::new(), half, all: 0 }
    }

    /// Takes what was printed next.
    pub fn take(&mut self, bytes: &[u8]) {
        self.all += bytes.len() as u64;
        let (first, rest) = bytes.split_at(bytes.len().min(self.half - self.head.len()));
        self.head.extend_from_slice(first);
        // Of a piece that is longer than all we keep, only the end matters.
        let rest = &rest[rest.len().saturating_sub(self.half)..];
        let too_many = (self.tail.len() + rest.len()).saturating_sub(self.half);
        self.tail.drain(..too_many);
        self.tail.extend(rest);
    }

    /// Everything that was printed, as it came; none where some of it is gone.
    pub fn whole(self) -> Option<Vec<u8>> {
        let whole = [self.head, self.tail.into()].concat();
        (whole.len() as u64 == self.all).then_some(whole)
    }

    /// The text, and whether something was cut.
    pub fn read(self) -> (String, bool) {
        let tail: Vec<u8> = self.tail.into();
        let gone = self.all - (self.head.len() + tail.len()) as u64;
        if gone == 0 {
            let whole = readable(&[self.head, tail].concat());
            if whole.len() <= self.half * 2 {
                return (whole, false);
            }
            let (head, tail) = (beginning(&whole, self.half), ending(&whole, self.half));
            return (joined(head, tail, (whole.len() - head.len() - tail.len()) as u64), true);
        }
        let head_bytes = &self.head[..last_line_end(&self.head)];
        let tail_bytes = &tail[first_line_start(&tail)..];
        let (head, tail) = (readable(head_bytes), readable(tail_bytes));
        let gone = self.all - (head_bytes.len() + tail_bytes.len()) as u64;
        (joined(beginning(&head, self.half), ending(&tail, self.half), gone), true)
    }
}

fn joined(head: &str, tail: &str, gone: u64) -> String {
    let line = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    format!("{head}{line}[… {gone} bytes …]\n{tail}")
}

/// Text as a person would have seen it, secrets masked.
fn readable(bytes: &[u8]) -> String {
    mask(&plain(&String::from_utf8_lossy(bytes))).into_owned()
}

/// Where the last whole line ends; in a line without end, where its last word but one does.
fn last_line_end(bytes: &[u8]) -> usize {
    if let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') {
        return end + 1;
    }
    let from = bytes.len().saturating_sub(WORD);
    bytes[from..].iter().rposition(u8::is_ascii_whitespace).map_or(from, |at| from + at)
}

/// Where the first whole line begins; in a line without beginning, where its second word does.
fn first_line_start(bytes: &[u8]) -> usize {
    if let Some(end) = bytes.iter().position(|byte| *byte == b'\n').filter(|end| end + 1 < bytes.len()) {
        return end + 1;
    }
    let to = bytes.len().min(WORD);
    bytes[..to].iter().position(u8::is_ascii_whitespace).unwrap_or(to)
}

fn beginning(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let cut = &text[..text.floor_char_boundary(most)];
    cut.rfind('\n').map_or(cut, |end| &cut[..=end])
}

fn ending(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let cut = &text[text.ceil_char_boundary(text.len() - most)..];
    cut.find('\n').filter(|end| end + 1 < cut.len()).map_or(cut, |end| &cut[end + 1..])
}

/// Leaves out what only a terminal understands. Of a line that was written over, the last version stays.
fn plain(text: &str) -> String {
    const ESCAPE: char = '\u{1b}';
    let mut out = String::with_capacity(text.len());
    let mut line = 0;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ESCAPE => skip_sequence(&mut letters),
            '\u{9b}' => skip_until(&mut letters, |letter| ('@'..='~').contains(&letter)),
            '\n' => {
                out.push('\n');
                line = out.len();
            }
            '\r' if letters.peek().is_none_or(|next| matches!(next, '\n' | '\r')) => {}
            '\r' => out.truncate(line),
            '\t' => out.push('\t'),
            other if other.is_control() => {}
            other => out.push(other),
        }
    }
    out
}

/// Skips what follows an escape: a control sequence, a string for the terminal, or a letter or two.
fn skip_sequence(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match letters.next() {
        Some('[') => skip_until(letters, |letter| ('@'..='~').contains(&letter)),
        Some(']' | 'P' | '^' | '_' | 'X') => {
            // A string ends with a bell or an escape and a backslash; one that never ends, ends with its line.
            while let Some(letter) = letters.next_if(|letter| *letter != '\n') {
                if letter == '\u{7}' || (letter == '\u{1b}' && letters.next_if_eq(&'\\').is_some()) {
                    return;
                }
            }
        }
        Some('(' | ')' | '*' | '+' | '#' | '%' | ' ') => {
            letters.next();
        }
        Some(_) | None => {}
    }
}

fn skip_until(letters: &mut std::iter::Peekable<std::str::Chars<'_>>, last: impl Fn(char) -> bool) {
    while let Some(letter) = letters.next_if(|letter| *letter != '\n') {
        if last(letter) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop, proptest};

    use super::*;

    fn read(most: u64, pieces: &[&[u8]]) -> (String, bool) {
        let mut output = Output::of(most);
        pieces.iter().for_each(|piece| output.take(piece));
        output.read()
    }

    #[test]
    fn what_fits_is_given_as_it_came() {
        assert_eq!(read(100, &[b"one\ntwo\n", b"three\n"]), ("one\ntwo\nthree\n".to_owned(), false));
    }

    #[test]
    fn the_middle_is_cut_between_lines_and_counted() {
        let lines: String = (10..60).map(|number| format!("line {number}\n")).collect();
        let expected = "line 10\nline 11\n[… 368 bytes …]\nline 58\nline 59\n".to_owned();
        assert_eq!(read(40, &[lines.as_bytes()]), (expected, true));
    }

    #[test]
    fn a_line_without_end_is_cut_between_words() {
        let line = "word ".repeat(100);
        assert_eq!(read(24, &[line.as_bytes()]), ("word word\n[… 480 bytes …]\n word word ".to_owned(), true));
    }

    #[test]
    fn sequences_for_a_terminal_are_left_out() {
        let printed =
            "\u{1b}[1;31mred\u{1b}[0m \u{1b}]0;title\u{7}plain\u{8}\n10%\r20%\rdone\r\n\u{1b}(Bend\u{9b}2J\n日本語\n";
        assert_eq!(read(1000, &[printed.as_bytes()]), ("red plain\ndone\nend\n日本語\n".to_owned(), false));
    }

    #[test]
    fn a_sequence_without_end_swallows_no_further_line() {
        assert_eq!(read(1000, &[b"a\x1b]0;never ends\nb\x1b[12\nc"]), ("a\nb\nc".to_owned(), false));
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_such() {
        assert_eq!(read(1000, &[b"a\xff\xfeb\0\n"]), ("a\u{fffd}\u{fffd}b\n".to_owned(), false));
    }

    proptest! {
        #[test]
        fn whatever_is_printed_stays_within_bounds(
            pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..20),
            most in 0u64..300,
        ) {
            let mut output = Output::of(most);
            for piece in &pieces {
                output.take(piece);
                assert!(output.head.len() + output.tail.len() <= most as usize);
            }
            let (text, cut) = output.read();
            let note = if cut { "\n[… 4000 bytes …]\n".len() } else { 0 };
            assert!(text.len() <= most as usize + note, "{text:?}");
            assert!(!text.contains(['\u{1b}', '\r', '\u{7}']), "{text:?}");
        }
    }
}
