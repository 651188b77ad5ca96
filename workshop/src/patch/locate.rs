//! Finds the one place in a file where a piece goes.
//!
//! Lines are compared in three rounds: letter by letter, then without their endings, then without the white space at
//! their ends; a later round counts only if the earlier ones found nothing. Within a round the place that the patch
//! states comes first, then the nearest. Where two places fit equally well, neither is taken.

use super::lines::bare;
use super::nearest::nearest;
use super::{Anchor, Piece};

/// Where a piece goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceMatch {
    /// The line it begins at, from 0.
    pub at: usize,
    /// Whether its lines are there letter by letter.
    pub exact: bool,
}

/// What the pieces before this one tell about where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Bearing {
    /// The first line that they have not touched.
    pub next: usize,
    /// How far lines have moved from where the patch believes them.
    pub shift: isize,
}

/// How alike two lines must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    Same,
    ButEnding,
    ButSpaceAtEnd,
}

/// Where the piece goes, or why it goes nowhere.
pub(super) fn find(rows: &[String], piece: &Piece, bearing: Bearing) -> Result<PieceMatch, String> {
    let old = piece.old();
    if old.is_empty() {
        return without_lines(rows, piece, bearing).map(|at| PieceMatch { at, exact: true });
    }
    // Nothing can be better than the stated place, so there is no need to look at the whole file.
    if let Anchor::Line(line) = piece.place
        && let at = stated(line, bearing)
        && !piece.at_end
        && rows.get(at..at.saturating_add(old.len())).is_some_and(|there| there == old)
    {
        return Ok(PieceMatch { at, exact: true });
    }
    let scopes = scopes(rows, piece)?;
    let mut is_elsewhere = false;
    for likeness in [Likeness::Same, Likeness::ButEnding, Likeness::ButSpaceAtEnd] {
        let mut places = places(rows, &old, likeness);
        is_elsewhere |= !places.is_empty();
        if piece.at_end {
            places.retain(|at| at + old.len() == rows.len());
        }
        if let Some(at) = best(&places, piece, &scopes, bearing)? {
            return Ok(PieceMatch { at, exact: likeness == Likeness::Same });
        }
    }
    Err(match (is_elsewhere, piece.at_end) {
        (true, true) => "The lines are in the file, but not at its end.".to_owned(),
        (true, false) => "The lines are in the file, but not below the line that @@ names.".to_owned(),
        (false, _) => format!("These lines are not in the file. {}", nearest(rows, &old)),
    })
}

/// Where a piece goes that has no lines to look for.
fn without_lines(rows: &[String], piece: &Piece, bearing: Bearing) -> Result<usize, String> {
    if rows.is_empty() {
        return Ok(0);
    }
    if piece.at_end {
        return Ok(rows.len());
    }
    match &piece.place {
        Anchor::Line(line) => {
            let at = stated(*line, bearing);
            let is_there = at <= rows.len();
            is_there.then_some(at).ok_or_else(|| format!("The file has only {} lines.", rows.len()))
        }
        Anchor::Below(headers) if !headers.is_empty() => match scopes(rows, piece)?.as_slice() {
            [only] => Ok(only.0 + 1),
            several => Err(too_many(&several.iter().map(|scope| scope.0).collect::<Vec<_>>())),
        },
        Anchor::Below(_) | Anchor::Anywhere => {
            Err("Nothing says where the new lines go. Add lines of the file around them.".to_owned())
        }
    }
}

/// The best of the places, if there is one; a reason where several are equally good.
fn best(places: &[usize], piece: &Piece, scopes: &[(usize, usize)], bearing: Bearing) -> Result<Option<usize>, String> {
    let equally_good = match &piece.place {
        Anchor::Anywhere => places.to_vec(),
        Anchor::Line(line) => {
            let stated = stated(*line, bearing);
            let least = places.iter().map(|at| at.abs_diff(stated)).min();
            places.iter().copied().filter(|at| Some(at.abs_diff(stated)) == least).collect()
        }
        Anchor::Below(headers) => {
            let below = match headers.is_empty() {
                true => places.to_vec(),
                false => first_in_each(scopes, places),
            };
            let onward: Vec<usize> = below.iter().copied().filter(|at| *at >= bearing.next).collect();
            if onward.is_empty() { below } else { onward }
        }
    };
    match equally_good.as_slice() {
        [] => Ok(None),
        [only] => Ok(Some(*only)),
        several => Err(too_many(several)),
    }
}

fn stated(line: usize, bearing: Bearing) -> usize {
    line.saturating_sub(1).saturating_add_signed(bearing.shift)
}

fn first_in_each(scopes: &[(usize, usize)], places: &[usize]) -> Vec<usize> {
    let first = |scope: &(usize, usize)| places.iter().copied().find(|at| (scope.0..scope.1).contains(at));
    scopes.iter().filter_map(first).collect()
}

/// The stretches of the file that the headers point to, each from the line of the last header on. The first header may
/// stand at several lines; each further one means the next such line below.
fn scopes(rows: &[String], piece: &Piece) -> Result<Vec<(usize, usize)>, String> {
    let Anchor::Below(headers) = &piece.place else { return Ok(Vec::new()) };
    let Some((first, further)) = headers.split_first() else { return Ok(Vec::new()) };
    let starts = named(rows, first);
    let ends = starts.iter().skip(1).copied().chain([rows.len()]);
    let mut scopes: Vec<(usize, usize)> = starts.iter().copied().zip(ends).collect();
    let mut missing = first;
    for header in further {
        let below = |(start, end): &(usize, usize)| {
            named(&rows[start + 1..*end], header).first().map(|found| (start + 1 + found, *end))
        };
        if scopes.is_empty() {
            break;
        }
        scopes = scopes.iter().filter_map(below).collect();
        missing = header;
    }
    match scopes.is_empty() {
        true => Err(format!("@@ names a line that is not there: {missing}. {}", nearest(rows, &[missing.as_str()]))),
        false => Ok(scopes),
    }
}

/// The lines that a header names: the whole line if there is one such, or else its beginning, or else a part of it.
fn named(rows: &[String], header: &str) -> Vec<usize> {
    let whole = |row: &str| row == header;
    let beginning = |row: &str| row.starts_with(header);
    let part = |row: &str| row.contains(header);
    let rounds: [&dyn Fn(&str) -> bool; 3] = [&whole, &beginning, &part];
    let found = rounds.iter().map(|is_named| {
        let lines = rows.iter().enumerate().filter(|(_, row)| is_named(row.trim()));
        lines.map(|(at, _)| at).collect::<Vec<_>>()
    });
    found.into_iter().find(|lines| !lines.is_empty()).unwrap_or_default()
}

/// Every place where the lines stand.
fn places(rows: &[String], old: &[&str], likeness: Likeness) -> Vec<usize> {
    let old: Vec<&str> = old.iter().map(|line| likeness.of(line)).collect();
    let rows: Vec<&str> = rows.iter().map(|row| likeness.of(row)).collect();
    rows.windows(old.len()).enumerate().filter(|(_, window)| *window == old).map(|(at, _)| at).collect()
}

impl Likeness {
    /// What of a line is compared.
    fn of(self, line: &str) -> &str {
        match self {
            Self::Same => line,
            Self::ButEnding => bare(line),
            Self::ButSpaceAtEnd => line.trim_end(),
        }
    }
}

/// Why none of several places is taken.
pub(super) fn too_many(places: &[usize]) -> String {
    const SHOWN: usize = 10;
    let lines: Vec<String> = places.iter().take(SHOWN).map(|at| (at + 1).to_string()).collect();
    let more = if places.len() > SHOWN { " and more" } else { "" };
    let (count, lines) = (places.len(), lines.join(", "));
    format!("It fits {count} places equally well: lines {lines}{more}. Add lines around it until only one fits.")
}
