//! What stands below everything else on a terminal: words that are being written, a status, and the line being typed.
//!
//! It is drawn as one text and taken away again by going up as many rows as it has. Whatever is shown above it comes in
//! the same write, so that nothing flickers. It never has more rows than the window: of words the last are kept, of a long
//! line those around the cursor. A window that was made narrower has folded our rows, which is counted in.

use std::io::Write as _;

use crate::screen::{Paint, clip, fold, width};

/// What is to be drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Footer {
    /// Words that are being written, in lines that may be painted.
    pub words: Vec<String>,
    pub status: String,
    /// What stands before the line.
    pub prompt: String,
}

/// The line being typed, set for a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineLayout {
    /// Its rows, with what stands before it.
    pub rows: Vec<String>,
    /// The row and column of the cursor.
    pub cursor: (usize, usize),
}

/// How large a window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub columns: usize,
    pub rows: usize,
}

impl Window {
    /// This terminal's.
    pub fn now() -> Self {
        let size = terminal_size::terminal_size();
        let (columns, rows) = size.map_or((80, 24), |(columns, rows)| (columns.0, rows.0));
        Self { columns: usize::from(columns).max(12), rows: usize::from(rows).max(4) }
    }
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// How wide each row from the first down to the cursor's is; of the cursor's, only what is before it.
    rows: Vec<usize>,
    text: String,
}

impl Drawing {
    /// Sets everything for a window: what is offered for completion, what stands below, and the line being typed.
    pub fn set(below: &Footer, offers: &[String], line: LineLayout, paint: Paint, window: Window) -> Self {
        let columns = window.columns;
        let LineLayout { rows: mut typed, cursor: (mut row, column) } = line;
        let most = window.rows - 2;
        if typed.len() > most {
            let first = (row + 1).saturating_sub(most).min(typed.len() - most);
            typed = typed[first..first + most].to_vec();
            row -= first;
        }
        let mut above: Vec<String> = Vec::new();
        if !offers.is_empty() {
            above.push(paint.faint(&clip(&offers.join("  "), columns - 1)));
        }
        above.extend(fold(&below.status, columns - 1).iter().map(|line| paint.faint(line)));
        let room = (window.rows - 1).saturating_sub(typed.len());
        above.truncate(room);
        let words = &below.words[below.words.len().saturating_sub(room - above.len())..];
        let whole: Vec<&str> = words.iter().chain(&above).chain(&typed).map(String::as_str).collect();
        let cursor = words.len() + above.len() + row;
        let up = match typed.len() - 1 - row {
            0 => String::new(),
            down => format!("\u{1b}[{down}A"),
        };
        let on = if column > 0 { format!("\u{1b}[{column}C") } else { String::new() };
        let mut rows: Vec<usize> = whole[..cursor].iter().map(|row| visible_width(row)).collect();
        rows.push(column);
        Self { rows, text: format!("{}{up}\r{on}", whole.join("\r\n")) }
    }

    /// What draws it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What takes it away again, in a window that may have become narrower.
    pub fn wiped(&self, window: Window) -> String {
        let folded = |wide: &usize| wide.saturating_sub(1) / window.columns;
        let (cursor, above) = self.rows.split_last().map_or((0, &[][..]), |(cursor, above)| (*cursor, above));
        let up = above.iter().map(|wide| 1 + folded(wide)).sum::<usize>() + cursor / window.columns;
        if up > 0 { format!("\u{1b}[{up}A\r\u{1b}[J") } else { "\r\u{1b}[J".to_owned() }
    }
}

/// How wide a line is without its paint.
fn visible_width(line: &str) -> usize {
    let mut plain = String::new();
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' {
            letters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            plain.push(letter);
        }
    }
    width(&plain)
}

/// Writes to the terminal, all at once.
pub fn write(text: &str) {
    let mut out = std::io::stdout().lock();
    // A terminal that is gone is found out when the keyboard is.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(words: usize, typed: usize, row: usize, window: Window) -> Drawing {
        let below = Footer {
            words: (0..words).map(|place| format!("\u{1b}[2mword {place}\u{1b}[0m")).collect(),
            status: "作業中".to_owned(),
            prompt: "> ".to_owned(),
        };
        let line = LineLayout { rows: (0..typed).map(|place| format!("> {place}")).collect(), cursor: (row, 3) };
        Drawing::set(&below, &[], line, Paint::new(false), window)
    }

    #[test]
    fn everything_is_drawn_at_once_and_taken_away_by_its_rows() {
        let window = Window { columns: 40, rows: 10 };
        let drawing = drawn(1, 2, 0, window);
        assert_eq!(drawing.text(), "\u{1b}[2mword 0\u{1b}[0m\r\n作業中\r\n> 0\r\n> 1\u{1b}[1A\r\u{1b}[3C");
        assert_eq!(drawing.wiped(window), "\u{1b}[2A\r\u{1b}[J");
    }

    #[test]
    fn a_narrower_window_has_folded_what_was_drawn() {
        let drawing = drawn(1, 1, 0, Window { columns: 40, rows: 10 });
        // "word 0" takes two rows of four, the status of six columns two, and the cursor stands in the first.
        assert_eq!(drawing.wiped(Window { columns: 4, rows: 10 }), "\u{1b}[4A\r\u{1b}[J");
    }

    #[test]
    fn it_never_has_more_rows_than_the_window() {
        let window = Window { columns: 40, rows: 8 };
        for (words, typed, row) in [(0, 1, 0), (50, 1, 0), (50, 50, 0), (50, 50, 49), (3, 6, 5)] {
            let drawing = drawn(words, typed, row, window);
            let rows = drawing.text().matches("\r\n").count() + 1;
            assert!(rows < window.rows, "{words} {typed} {row}: {rows}");
        }
        assert!(drawn(50, 1, 0, window).text().contains("word 49"), "the last words are kept");
        assert!(drawn(0, 50, 20, window).text().contains("> 20"), "the row with the cursor is kept");
    }
}
