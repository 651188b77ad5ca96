//! The lines below an `@@`, which the unified form and `*** Begin Patch` share.
//!
//! Numbers and counts are what models get wrong most. Right counts are believed: they tell a deleted `-- comment` from
//! the header of the next file. Wrong ones are passed over, and the marks at the beginning of the lines decide.

use enza_work::Fault;

use super::PatchLines;
use crate::patch::{Anchor, DiffLine, Piece};

/// What stands in an `@@` line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Heading {
    /// Where the old lines begin, and how many there are.
    pub old: Option<(usize, usize)>,
    /// How many new lines there are.
    pub new: Option<usize>,
    /// The text behind it.
    pub text: String,
}

/// Lines that were read, and the line after them.
pub(super) struct Body {
    pub lines: Vec<DiffLine>,
    pub end: usize,
}

/// An `@@` line, with numbers or without; none where this is no such line.
pub(super) fn heading(line: &str) -> Option<Heading> {
    let rest = line.strip_prefix("@@")?.trim();
    let mut words = rest.splitn(3, ' ');
    let (old, new) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if let (Some(old), Some(new)) = (numbers(old, '-'), numbers(new, '+')) {
        let text = words.next().unwrap_or_default();
        let text = text.strip_prefix("@@").unwrap_or(text).trim().to_owned();
        return Some(Heading { old: Some(old), new: Some(new.1), text });
    }
    let text = rest.strip_suffix("@@").unwrap_or(rest).trim();
    // Dots stand for numbers that the model did not know.
    let is_filler = text.chars().all(|letter| matches!(letter, '.' | '…' | '-' | '+' | ',' | ' ' | '0'..='9'));
    Some(Heading { text: if is_filler { String::new() } else { text.to_owned() }, ..Heading::default() })
}

/// `-12,3` or `-12`.
fn numbers(word: &str, mark: char) -> Option<(usize, usize)> {
    let word = word.strip_prefix(mark)?;
    let word = word.strip_suffix("@@").unwrap_or(word);
    let (start, count) = word.split_once(',').unwrap_or((word, "1"));
    let number = |text: &str| text.parse::<u32>().ok().and_then(|number| usize::try_from(number).ok());
    Some((number(start)?, number(count)?))
}

impl Heading {
    /// A piece with these lines, where the heading says that it goes.
    pub fn piece(self, above: Vec<String>, at_end: bool, lines: Vec<DiffLine>) -> Piece {
        let has_old = lines.iter().any(|line| !matches!(line, DiffLine::Add(_)));
        let place = match self.old {
            Some((start, _)) if has_old => Anchor::Line(start),
            // Without old lines, the number names the line above the new ones, and only if it says so itself.
            Some((start, 0)) => Anchor::Line(start.saturating_add(1)),
            Some(_) => Anchor::Below(Vec::new()),
            None => {
                let text = Some(self.text).filter(|text| !text.is_empty());
                Anchor::Below(above.into_iter().chain(text).collect())
            }
        };
        Piece { place, at_end, lines }
    }
}

/// Reads the lines of a unified hunk, from the one after its `@@`.
pub(super) fn hunk(page: &PatchLines<'_>, from: usize, heading: &Heading) -> Result<Body, Fault> {
    if let Some(body) = counted(page, from, heading) {
        return Ok(body);
    }
    let mut body = marked(page, from, |at| begins_file(page, at));
    let stop = body.end;
    let blank_before = trim_blank(page, &mut body, from);
    let Some(next) = page.bare(stop) else { return Ok(body) };
    let is_end = next.starts_with("```") || next.starts_with("@@") || page.form_at(stop).is_some() || is_footer(next);
    let falls_short = heading.old.zip(heading.new).is_some_and(|((_, old), new)| {
        let (has_old, has_new) = tally(&body.lines);
        has_old < old || has_new < new
    });
    // An unmarked line right below, or where lines are still due, is rather a forgotten mark than prose.
    if !is_end && (falls_short || !blank_before) {
        return Err(page.unreadable(stop, "The line begins with neither a space nor + nor -."));
    }
    Ok(body)
}

/// As many lines as the heading counts, if they are all there and no line of the hunk follows.
fn counted(page: &PatchLines<'_>, from: usize, heading: &Heading) -> Option<Body> {
    let ((_, old), new) = heading.old.zip(heading.new)?;
    let mut lines = Vec::new();
    let mut at = from;
    let (mut has_old, mut has_new) = (0, 0);
    while has_old < old || has_new < new {
        let line = marked_line(page, at)?;
        has_old += usize::from(!matches!(line, DiffLine::Add(_)));
        has_new += usize::from(!matches!(line, DiffLine::Drop(_)));
        lines.push(line);
        at = end_mark(page, at + 1, &mut lines);
    }
    let goes_on = page.bare(at).is_some_and(|next| next.starts_with([' ', '+', '-'])) && !begins_file(page, at);
    (has_old == old && has_new == new && !goes_on).then_some(Body { lines, end: at })
}

/// All the lines from here that have a mark, and blank ones, up to where another part begins.
pub(super) fn marked(page: &PatchLines<'_>, from: usize, is_end: impl Fn(usize) -> bool) -> Body {
    let mut lines = Vec::new();
    let mut at = from;
    while let Some(line) = marked_line(page, at).filter(|_| !is_end(at)) {
        lines.push(line);
        at = end_mark(page, at + 1, &mut lines);
    }
    Body { lines, end: at }
}

/// Takes away blank lines without a mark at the end, which stand between the patch and what follows; says whether there
/// were any.
pub(super) fn trim_blank(page: &PatchLines<'_>, body: &mut Body, from: usize) -> bool {
    let stop = body.end;
    while body.end > from && page.bare(body.end - 1) == Some("") {
        body.lines.pop();
        body.end -= 1;
    }
    body.end < stop
}

/// One line with its mark. A blank line has lost the space that was its mark.
fn marked_line(page: &PatchLines<'_>, at: usize) -> Option<DiffLine> {
    let line = page.lines.get(at)?;
    let whole = |text: &str| if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
    match line.chars().next()? {
        ' ' => Some(DiffLine::Keep(whole(&line[1..]))),
        '-' => Some(DiffLine::Drop(whole(&line[1..]))),
        '+' => Some(DiffLine::Add(whole(&line[1..]))),
        '\n' | '\r' => Some(DiffLine::Keep(whole(line))),
        _ => None,
    }
}

/// Passes over `\ No newline at end of file`, and takes the ending of the line above it.
fn end_mark(page: &PatchLines<'_>, at: usize, lines: &mut [DiffLine]) -> usize {
    if !page.bare(at).is_some_and(|line| line.starts_with("\\ ")) {
        return at;
    }
    if let Some(DiffLine::Keep(text) | DiffLine::Drop(text) | DiffLine::Add(text)) = lines.last_mut() {
        text.truncate(text.strip_suffix('\n').map_or(text.len(), str::len));
    }
    at + 1
}

fn tally(lines: &[DiffLine]) -> (usize, usize) {
    let old = lines.iter().filter(|line| !matches!(line, DiffLine::Add(_))).count();
    let new = lines.iter().filter(|line| !matches!(line, DiffLine::Drop(_))).count();
    (old, new)
}

/// Whether lines change anything at all.
pub(super) fn changes_nothing(lines: &[DiffLine]) -> bool {
    lines.iter().all(|line| matches!(line, DiffLine::Keep(_)))
}

/// Whether the next file begins here, in the midst of lines with marks: both names and a hunk, one after the other.
/// Fewer would also be met by a `-- comment` that goes.
fn begins_file(page: &PatchLines<'_>, at: usize) -> bool {
    let starts = |at: usize, mark: &str| page.bare(at).is_some_and(|line| line.starts_with(mark));
    starts(at, "--- ") && starts(at + 1, "+++ ") && starts(at + 2, "@@")
}

/// What other programs write between files.
fn is_footer(line: &str) -> bool {
    ["Index: ", "index ", "====", "Only in ", "Binary files "].iter().any(|mark| line.starts_with(mark))
}
