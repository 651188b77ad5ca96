//! `*** Begin Patch` … `*** End Patch`, with a section for each file.
//!
//! The end must be there: without it the patch may have been cut short in the middle of a file. The form cannot say
//! whether a last line ends; the file decides.
//!
//! Models indent the marks now and then. A line that begins with a space is also a line of the file that stays; so an
//! indented mark counts only where it cannot be one of those.

use enza_work::Fault;

use super::body::{Body, Heading, changes_nothing, heading, marked, trim_blank};
use super::names::plain;
use super::{Form, PatchLines, push_update};
use crate::patch::lines::split;
use crate::patch::{Operation, Piece};

/// A line that begins with `***` and means something.
#[derive(Debug, Clone, PartialEq, Eq)]
enum EnvelopeMark {
    Begin,
    End,
    Add(String),
    Update(String),
    Delete(String),
    MoveTo(String),
    EndOfFile,
}

/// Reads all the sections, in one envelope or several.
pub(super) fn read(page: &PatchLines<'_>) -> Result<Vec<Operation>, Fault> {
    let mut operations = Vec::new();
    let mut is_open = false;
    let mut at = 0;
    while let Some(line) = page.bare(at) {
        let found = mark(line);
        is_open = !matches!(found, Some(EnvelopeMark::End)) && (is_open || found.is_some());
        at = match found {
            Some(EnvelopeMark::Begin | EnvelopeMark::End) => at + 1,
            Some(EnvelopeMark::Add(path)) => add(page, at + 1, path, &mut operations)?,
            Some(EnvelopeMark::Update(path)) => update(page, at, &path, &mut operations)?,
            Some(EnvelopeMark::Delete(path)) => {
                operations.push(Operation::Delete { path });
                at + 1
            }
            Some(EnvelopeMark::MoveTo(_)) => {
                return Err(page.unreadable(at, "*** Move to stands only right below *** Update File."));
            }
            Some(EnvelopeMark::EndOfFile) => at + 1,
            None if is_open && !line.trim().is_empty() && !line.starts_with("```") => {
                return Err(page.unreadable(at, "The line begins with neither a space nor + nor - nor @@."));
            }
            None => {
                page.no_other_form(at, Form::Envelope)?;
                at + 1
            }
        };
    }
    match is_open {
        true => Err(page.unreadable(at, "*** End Patch is missing. The patch may be cut short.")),
        false if operations.is_empty() => Err(page.unreadable(0, "The patch names no file.")),
        false => Ok(operations),
    }
}

/// A patch in which marks that are indented are not; none where there is nothing to mend.
pub(super) fn unindented(text: &str) -> Option<String> {
    let lines = split(text);
    let begins = lines.iter().position(|line| mark(line.trim_start()) == Some(EnvelopeMark::Begin));
    let first =
        lines.iter().position(|line| mark(line.trim_start()).is_some_and(|mark| mark != EnvelopeMark::EndOfFile))?;
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    // The whole of it is indented, as in a list.
    let around = begins.map_or(0, |at| indent(lines[at]));
    let margin = begins.map_or("", |at| &lines[at][..around]);
    let is_inside = |line: &&str| line.trim().is_empty() || line.starts_with(margin);
    if around > 0 && lines[first..].iter().take_while(|line| !line.trim().starts_with("```")).all(is_inside) {
        return Some(lines.iter().map(|line| line.get(around.min(indent(line))..).unwrap_or(line)).collect());
    }
    let habit = lines[first..].iter().find(|line| is_section(line)).map_or(0, |line| indent(line));
    let last = lines.iter().rposition(|line| !line.trim().is_empty() && !line.trim_start().starts_with("```"));
    let mut is_certain = true;
    let mut mended = String::with_capacity(text.len());
    for (at, line) in lines.iter().enumerate() {
        let found = mark(line.trim_start());
        let is_last = found == Some(EnvelopeMark::End) && Some(at) == last;
        let is_habit = habit > 0 && indent(line) == habit && is_section(line);
        if found.is_none() || !(indent(line) == 0 || is_certain || is_last || is_habit) {
            mended.push_str(line);
            continue;
        }
        mended.push_str(line.trim_start_matches([' ', '\t']));
        // Below an update stand lines of the file; everywhere else none can begin with a space.
        is_certain = matches!(
            found,
            Some(EnvelopeMark::Begin | EnvelopeMark::End | EnvelopeMark::Add(_) | EnvelopeMark::Delete(_))
        );
    }
    (mended.len() < text.len()).then_some(mended)
}

/// Whether a line names a file, indented or not.
fn is_section(line: &str) -> bool {
    matches!(mark(line.trim_start()), Some(EnvelopeMark::Add(_) | EnvelopeMark::Update(_) | EnvelopeMark::Delete(_)))
}

/// Whether a line belongs to this form.
pub(super) fn is_mark(line: &str) -> bool {
    mark(line).is_some_and(|mark| mark != EnvelopeMark::EndOfFile)
}

fn mark(line: &str) -> Option<EnvelopeMark> {
    let rest = line.strip_prefix("***")?.trim();
    let named = |label: &str| rest.strip_prefix(label).map(plain).filter(|name| !name.is_empty());
    match rest {
        "Begin Patch" => Some(EnvelopeMark::Begin),
        "End Patch" => Some(EnvelopeMark::End),
        "End of File" => Some(EnvelopeMark::EndOfFile),
        _ => None
            .or_else(|| named("Add File:").map(EnvelopeMark::Add))
            .or_else(|| named("Update File:").map(EnvelopeMark::Update))
            .or_else(|| named("Delete File:").map(EnvelopeMark::Delete))
            .or_else(|| named("Move to:").map(EnvelopeMark::MoveTo)),
    }
}

/// A new file, from the line below its name.
fn add(page: &PatchLines<'_>, from: usize, path: String, operations: &mut Vec<Operation>) -> Result<usize, Fault> {
    let mut lines = Vec::new();
    let mut at = from;
    while let Some(line) = page.lines.get(at).filter(|line| mark(line).is_none() && !line.starts_with("```")) {
        let text = line.strip_prefix('+').or_else(|| line.trim().is_empty().then_some(*line));
        lines.push(text.ok_or_else(|| page.unreadable(at, "Every line of a new file begins with +."))?);
        at += 1;
    }
    // Blank lines without a mark at the end stand between the file and what follows.
    let last = (from..at).rev().find(|at| page.lines[*at].starts_with('+'));
    lines.truncate(last.map_or(0, |last| last + 1 - from));
    let whole = |line: &str| if line.ends_with('\n') { line.to_owned() } else { format!("{line}\n") };
    operations.push(Operation::Create { path, text: lines.into_iter().map(whole).collect() });
    Ok(at)
}

/// A file that changes, from the line of its name.
fn update(page: &PatchLines<'_>, start: usize, path: &str, operations: &mut Vec<Operation>) -> Result<usize, Fault> {
    let mut at = start + 1;
    let to =
        page.bare(at).and_then(mark).and_then(|mark| if let EnvelopeMark::MoveTo(to) = mark { Some(to) } else { None });
    at += usize::from(to.is_some());
    let mut is_bare = to.is_none();
    while let Some((piece, end)) = piece(page, at)? {
        push_update(operations, path, piece);
        is_bare = false;
        at = end;
    }
    if is_bare {
        return Err(page.unreadable(start, "The file is named, but no change follows."));
    }
    operations.extend(to.map(|to| Operation::Move { path: path.to_owned(), to }));
    Ok(at)
}

/// The next piece of a file that changes, and the line after it; none where the section is over.
fn piece(page: &PatchLines<'_>, from: usize) -> Result<Option<(Piece, usize)>, Fault> {
    let mut at = from;
    let mut headings: Vec<Heading> = Vec::new();
    while let Some(found) = page.bare(at).and_then(heading) {
        headings.push(found);
        at += 1;
    }
    let mut body = marked(page, at, |_| false);
    let stop = body.end;
    trim_blank(page, &mut body, at);
    let Body { lines, .. } = body;
    if lines.is_empty() && headings.is_empty() {
        return Ok(None);
    }
    if changes_nothing(&lines) {
        return Err(page.unreadable(from, "The change has no line that begins with + or -."));
    }
    let at_end = page.bare(stop).and_then(mark) == Some(EnvelopeMark::EndOfFile);
    let last = headings.pop().unwrap_or_default();
    let above = headings.into_iter().map(|heading| heading.text).filter(|text| !text.is_empty()).collect();
    Ok(Some((last.piece(above, at_end, lines), stop + usize::from(at_end))))
}
