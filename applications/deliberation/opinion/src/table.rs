//! Files of comma-separated values, read so that whoever made a mistake is told where.
//!
//! A byte-order mark, either kind of line end, quoted cells over several lines and blank lines are all fine. Every complaint
//! names the line of the file, counted from 1 as an editor counts, and the column. Its English is for logs and for a
//! terminal that has no better words; the parts are there for sentences in any language.

use std::fmt;

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    Empty,
    NotUtf8 {
        line: usize,
    },
    MissingColumn {
        column: String,
        found: Vec<String>,
    },
    RepeatedColumn {
        column: String,
    },
    /// A line has more or fewer cells than the header.
    Uneven {
        line: usize,
        expected: usize,
        found: usize,
    },
    /// A quote was opened and never closed.
    OpenQuote {
        line: usize,
    },
    BadCell {
        line: usize,
        column: String,
        value: String,
        expected: Expected,
    },
    /// One ballot names a candidate twice.
    TwiceOnBallot {
        line: usize,
        column: String,
        candidate: String,
    },
    /// A voter has a second ballot, a participant a second row, or a comment a second line.
    Twice {
        line: usize,
        column: String,
        name: String,
        first: usize,
    },
}

/// What should have stood in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Vote,
    WholeNumber,
    Rank,
    Name,
}

impl fmt::Display for Expected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Expected::Vote => "a vote: 1, 0, -1 or nothing",
            Expected::WholeNumber => "a whole number",
            Expected::Rank => "a rank: 1, 2, 3 … or nothing",
            Expected::Name => "a name",
        })
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Empty => write!(out, "the file is empty"),
            ReadError::NotUtf8 { line } => write!(out, "line {line} is not UTF-8 text"),
            ReadError::MissingColumn { column, found } => {
                write!(out, "a column \"{column}\" is missing; found {}", Quoted(found))
            }
            ReadError::RepeatedColumn { column } => write!(out, "there are two columns \"{column}\""),
            ReadError::Uneven { line, expected, found } => {
                write!(out, "line {line} has {found} cells, the header {expected}")
            }
            ReadError::OpenQuote { line } => write!(out, "line {line} opens a quote that is never closed"),
            ReadError::BadCell { line, column, value, expected } => {
                write!(out, "line {line}, column \"{column}\": \"{value}\" is not {expected}")
            }
            ReadError::TwiceOnBallot { line, column, candidate } => {
                write!(out, "line {line}, column \"{column}\": \"{candidate}\" is on this ballot already")
            }
            ReadError::Twice { line, column, name, first } => {
                write!(out, "line {line}, column \"{column}\": \"{name}\" stands in line {first} already")
            }
        }
    }
}

impl std::error::Error for ReadError {}

/// Names in quotes with commas between, of many only the first.
struct Quoted<'a>(&'a [String]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 12;
        for (at, name) in self.0.iter().take(SHOWN).enumerate() {
            write!(out, "{}\"{name}\"", if at > 0 { ", " } else { "" })?;
        }
        if self.0.len() > SHOWN { write!(out, " and {} more", self.0.len() - SHOWN) } else { Ok(()) }
    }
}

/// Whether a row may have fewer cells than the header.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    Whole,
    MayEndEarly,
}

/// A header and the rows under it, blank ones left out.
pub(crate) struct Table {
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

/// A row with the line it begins in.
pub(crate) struct Row {
    pub(crate) line: usize,
    cells: Vec<String>,
}

impl Table {
    pub(crate) fn read(bytes: &[u8], shape: Rows) -> Result<Table, ReadError> {
        let mut rows = rows(bytes)?.into_iter();
        let first = rows.next().ok_or(ReadError::Empty)?;
        let header: Vec<String> = first.cells.iter().map(|name| name.trim().to_owned()).collect();
        for (at, name) in header.iter().enumerate() {
            if !name.is_empty() && header[..at].contains(name) {
                return Err(ReadError::RepeatedColumn { column: name.clone() });
            }
        }
        let rows: Vec<Row> = rows.collect();
        for row in &rows {
            let is_over = row.cells.iter().skip(header.len()).any(|cell| !cell.trim().is_empty());
            if is_over || (shape == Rows::Whole && row.cells.len() < header.len()) {
                return Err(ReadError::Uneven { line: row.line, expected: header.len(), found: row.cells.len() });
            }
        }
        Ok(Table { header, rows })
    }

    /// The place of a column that must be there.
    pub(crate) fn column(&self, name: &str) -> Result<Column, ReadError> {
        let missing = || ReadError::MissingColumn { column: name.to_owned(), found: self.header.clone() };
        self.optional(name).ok_or_else(missing)
    }

    pub(crate) fn optional(&self, name: &str) -> Option<Column> {
        self.header.iter().position(|column| column == name).map(|at| Column { at, name: name.to_owned() })
    }
}

/// A column, by its place and name.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) at: usize,
    pub(crate) name: String,
}

impl Row {
    /// A cell as it stands; of a row that ended early, nothing.
    pub(crate) fn cell(&self, column: &Column) -> &str {
        self.cells.get(column.at).map_or("", String::as_str)
    }

    pub(crate) fn bad(&self, column: &Column, expected: Expected) -> ReadError {
        let value = self.cell(column).trim().to_owned();
        ReadError::BadCell { line: self.line, column: column.name.clone(), value, expected }
    }

    pub(crate) fn name(&self, column: &Column) -> Result<String, ReadError> {
        match self.cell(column).trim() {
            "" => Err(self.bad(column, Expected::Name)),
            name => Ok(name.to_owned()),
        }
    }

    pub(crate) fn number<N: std::str::FromStr>(&self, column: &Column) -> Result<N, ReadError> {
        self.cell(column).trim().parse().map_err(|_| self.bad(column, Expected::WholeNumber))
    }
}

/// All rows that are not blank, each with its line.
fn rows(bytes: &[u8]) -> Result<Vec<Row>, ReadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|bad| {
        let good = &bytes[..bad.valid_up_to()];
        ReadError::NotUtf8 { line: 1 + good.iter().filter(|byte| **byte == b'\n').count() }
    })?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut lines = Lines { text: text.as_bytes(), at: 0, line: 1 };
    let (mut found, mut record, mut last) = (Vec::new(), csv::StringRecord::new(), (0, 1));
    // Reading from memory what is UTF-8, with rows of any length, cannot fail.
    while reader.read_record(&mut record).unwrap_or(false) {
        let begin = record.position().map_or(0, csv::Position::byte);
        let line = lines.of_row(usize::try_from(begin).unwrap_or(usize::MAX));
        last = (lines.at, line);
        if record.iter().any(|cell| !cell.trim().is_empty()) {
            found.push(Row { line, cells: record.iter().map(str::to_owned).collect() });
        }
    }
    match is_left_open(&text[last.0..]) {
        true => Err(ReadError::OpenQuote { line: last.1 }),
        false => Ok(found),
    }
}

/// Whether a row ends inside a quote: it has taken the rest of the file with it.
fn is_left_open(row: &str) -> bool {
    let (mut is_open, mut is_at_begin) = (false, true);
    for letter in row.chars() {
        match letter {
            '"' if is_open || is_at_begin => is_open = !is_open,
            _ if is_open => continue,
            _ => {}
        }
        // A doubled quote closes and opens at once; only it may follow what was closed.
        is_at_begin = matches!(letter, ',' | '\n' | '\r' | '"');
    }
    is_open
}

/// Counts lines forward.
struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
}

impl Lines<'_> {
    /// The line of the row that is read from a byte on: blank lines before it, and the rest of a line end, are skipped.
    fn of_row(&mut self, begin: usize) -> usize {
        while self.at < self.text.len() {
            let byte = self.text[self.at];
            let is_end = byte == b'\n' || (byte == b'\r' && self.text.get(self.at + 1) != Some(&b'\n'));
            if self.at >= begin && byte != b'\n' && byte != b'\r' {
                break;
            }
            self.line += usize::from(is_end);
            self.at += 1;
        }
        self.line
    }
}
