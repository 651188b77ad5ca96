//! Fits the pieces of a patch into a text, one after the other.
//!
//! Lines that stay keep the bytes that the file has. Where a piece was found letter by letter, its new lines are taken
//! letter by letter too; where it was not, the file decides how lines end, and whether the last one does.

use enza_work::Fault;

use super::lines::{bare, end_with_returns, ending, split, usual_ending, with_newlines};
use super::locate::{Bearing, PieceMatch, find};
use super::{Anchor, DiffLine, Piece};

/// The text with all the pieces in it, or which piece did not fit and why.
pub(super) fn fit(path: &str, text: &str, pieces: &[Piece]) -> Result<String, Fault> {
    let fitted = fit_lines(path, text, pieces);
    // What fits letter by letter is not looked at in another way.
    if fitted.is_ok() || !end_with_returns(text) {
        return fitted;
    }
    with_newlines(text, |text| fit_lines(path, text, pieces))
}

fn fit_lines(path: &str, text: &str, pieces: &[Piece]) -> Result<String, Fault> {
    let mut rows: Vec<String> = split(text).into_iter().map(str::to_owned).collect();
    let mut bearing = Bearing::default();
    for (number, piece) in (1..).zip(pieces) {
        let spot = find(&rows, piece, bearing).map_err(|why| Fault::DoesNotApply {
            path: path.to_owned(),
            piece: number,
            why,
        })?;
        bearing = put(&mut rows, piece, spot, bearing);
    }
    Ok(rows.concat())
}

/// Puts a piece in its place, and says what that means for the next one.
fn put(rows: &mut Vec<String>, piece: &Piece, spot: PieceMatch, bearing: Bearing) -> Bearing {
    let old = piece.old().len();
    let there = &rows[spot.at..spot.at + old];
    let ending_there = there.iter().find_map(|row| ending(row));
    // A file without a single ending has no habit to keep.
    let habit = ending_there.or_else(|| usual_ending(rows.iter().map(String::as_str)));
    let is_verbatim = spot.exact && ending_there.is_some();
    let wanted = habit.filter(|_| !is_verbatim);

    let mut new = renewed(piece, there, wanted);
    let reaches_end = spot.at + old == rows.len();
    if reaches_end && !spot.exact {
        settle_end(piece, there, &mut new);
    }
    let untouched = piece.lines.iter().rev().take_while(|line| matches!(line, DiffLine::Keep(_))).count();
    let next = spot.at + new.len() - untouched;
    let grown = new.len() as isize - old as isize;
    let shift = match piece.place {
        Anchor::Line(line) => spot.at as isize - line.saturating_sub(1) as isize + grown,
        Anchor::Anywhere | Anchor::Below(_) => bearing.shift + grown,
    };
    let around = spot.at.saturating_sub(1)..(spot.at + new.len()).saturating_sub(usize::from(reaches_end));
    rows.splice(spot.at..spot.at + old, new);
    // Only the last line of a text may lack its ending, and another line may have become the last.
    for row in rows[around].iter_mut().filter(|row| !row.ends_with('\n')) {
        row.push_str(habit.unwrap_or("\n"));
    }
    Bearing { next, shift }
}

/// The lines that take the place of those that are there.
fn renewed(piece: &Piece, there: &[String], wanted: Option<&str>) -> Vec<String> {
    let mut there = there.iter();
    let mut new = Vec::new();
    for line in &piece.lines {
        match line {
            DiffLine::Keep(_) => new.extend(there.next().cloned()),
            DiffLine::Drop(_) => {
                there.next();
            }
            DiffLine::Add(text) => new.push(match (wanted, text.ends_with('\n')) {
                (Some(ending), true) => format!("{}{ending}", bare(text)),
                (Some(_), false) => bare(text).to_owned(),
                (None, _) => text.clone(),
            }),
        }
    }
    new
}

/// Lets the file decide whether its last line ends, unless the patch knew how it was: most patches simply do not say.
fn settle_end(piece: &Piece, there: &[String], new: &mut [String]) {
    let did_end = there.last().is_some_and(|row| row.ends_with('\n'));
    let believed = piece.old().last().is_some_and(|line| line.ends_with('\n'));
    let Some(last) = new.last_mut().filter(|_| did_end != believed) else { return };
    if !did_end {
        bare(last).to_owned().clone_into(last);
    } else if !last.ends_with('\n') {
        last.push_str(there.last().and_then(|row| ending(row)).unwrap_or("\n"));
    }
}
