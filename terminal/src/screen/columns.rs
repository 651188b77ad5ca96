//! Columns that line up, in Japanese too: widths are counted in terminal cells.
//!
//! Text from sessions is shown with its control characters taken out, so that no answer can move a reader's cursor.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Rows of cells. Every column is as wide as its widest cell; the last one takes what is left of the line.
pub struct Columns {
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// With a first row, usually of names.
    pub fn new(first: &[&str]) -> Self {
        Self { rows: vec![first.iter().map(|cell| (*cell).to_owned()).collect()] }
    }

    /// Without one.
    pub fn bare() -> Self {
        Self { rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| plain(&cell)).collect());
    }

    /// The lines, none wider than `most`.
    pub fn lines(&self, most: usize) -> Vec<String> {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |column: usize| self.rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max();
        let widths: Vec<usize> = (0..count).map(|column| widest(column).unwrap_or(0)).collect();
        self.rows.iter().map(|row| line(row, &widths, most)).collect()
    }
}

fn line(row: &[String], widths: &[usize], most: usize) -> String {
    let mut out = String::new();
    for (column, cell) in row.iter().enumerate() {
        let is_last = column + 1 == row.len();
        if is_last {
            out += &clip(cell, most.saturating_sub(width(&out)).max(8));
        } else {
            out += &pad(cell, widths[column] + 2);
        }
    }
    out.trim_end().to_owned()
}

/// How many cells a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text with space after it up to a width.
pub fn pad(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// The text on one line, cut with an ellipsis where it is wider than `most`.
pub fn clip(text: &str, most: usize) -> String {
    let text = plain(text);
    if width(&text) <= most {
        return text;
    }
    let mut out = String::new();
    for letter in text.chars() {
        if width(&out) + letter.width().unwrap_or(0) + 1 > most {
            break;
        }
        out.push(letter);
    }
    out + "…"
}

/// A Japanese line does not begin with these; they stay with what is before them.
const NEVER_FIRST: &str = "、。」』)）ー？！?!:,.";
/// And does not end with these.
const NEVER_LAST: &str = "「『(（";

/// The text in lines of at most `most` cells: broken at spaces, and between Japanese letters.
pub fn fold(text: &str, most: usize) -> Vec<String> {
    text.lines().flat_map(|line| fold_line(&plain(line), most)).collect()
}

fn fold_line(line: &str, most: usize) -> Vec<String> {
    let (mut lines, mut now) = (Vec::new(), String::new());
    let mut put = |now: &mut String| lines.push(std::mem::take(now).trim_end().to_owned());
    for piece in pieces(line) {
        if !now.is_empty() && width(&now) + width(piece.trim_end()) > most {
            put(&mut now);
        }
        for letter in piece.chars() {
            // A piece that is wider than a line is broken anywhere.
            if width(&now) + letter.width().unwrap_or(0) > most && letter != ' ' {
                put(&mut now);
            }
            now.push(letter);
        }
    }
    put(&mut now);
    lines
}

/// What stays together on a line: a word with the space after it, or a Japanese letter with its punctuation.
fn pieces(line: &str) -> Vec<String> {
    let is_wide = |letter: char| letter.width() == Some(2);
    let mut pieces: Vec<String> = Vec::new();
    let mut last = ' ';
    for letter in line.chars() {
        let between_words = last == ' ' && letter != ' ';
        let by_a_wide_one = (is_wide(last) || is_wide(letter)) && letter != ' ';
        let is_bound = NEVER_FIRST.contains(letter) || NEVER_LAST.contains(last);
        match pieces.last_mut() {
            Some(piece) if !between_words && (!by_a_wide_one || is_bound) => piece.push(letter),
            Some(_) | None => pieces.push(letter.to_string()),
        }
        last = letter;
    }
    pieces
}

fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_in_both_languages() {
        let mut columns = Columns::new(&["状態", "title"]);
        columns.row(["ended".to_owned(), "設備の不具合報告".to_owned()]);
        columns.row(["gate".to_owned(), "a\u{1b}[31mb".to_owned()]);
        assert_eq!(columns.lines(17), ["状態   title", "ended  設備の不…", "gate   a [31mb"]);
    }

    #[test]
    fn long_text_is_folded_at_spaces_and_japanese_anywhere() {
        assert_eq!(fold("one two three", 8), ["one two", "three"]);
        assert_eq!(fold("あいうえお", 6), ["あいう", "えお"]);
        assert_eq!(fold("あいう。え", 6), ["あい", "う。え"]);
        assert_eq!(fold("答え: 「a」です", 8), ["答え:", "「a」で", "す"]);
        assert_eq!(fold("", 6), Vec::<String>::new());
    }
}
