//! Unified diffs, as git prints them and as models remember them.
//!
//! A file may be named by `diff --git`, by `---` and `+++`, by one of these alone, or by `rename from` and `rename to`.
//! A deletion with lines must fit those lines first; a move with hunks is an update and then a move.

use enza_work::Fault;

use super::body::{Body, changes_nothing, heading, hunk};
use super::names::{HeaderName, git_names, plain, side};
use super::{Form, PatchLines};
use crate::patch::{DiffLine, Operation, Piece};

/// What the headers of one file say.
#[derive(Default)]
struct Section {
    at: usize,
    git: Option<(String, String)>,
    old: Option<HeaderName>,
    new: Option<HeaderName>,
    from: Option<String>,
    to: Option<String>,
    is_new: bool,
    is_deleted: bool,
    pieces: Vec<Piece>,
}

/// Reads all the files of a unified diff.
pub(super) fn read(page: &PatchLines<'_>) -> Result<Vec<Operation>, Fault> {
    let mut operations = Vec::new();
    let mut section: Option<Section> = None;
    let mut at = 0;
    while let Some(line) = page.bare(at) {
        page.no_other_form(at, Form::Unified)?;
        let in_headers = section.as_ref().is_some_and(|section| section.pieces.is_empty());
        if let Some(names) = line.strip_prefix("diff --git ") {
            finish(page, section.take(), &mut operations)?;
            section = Some(Section { at, git: git_names(names), ..Section::default() });
        } else if let Some(heading) = Some(line).filter(|line| line.starts_with("@@")).and_then(heading) {
            let Some(section) = section.as_mut() else {
                return Err(page.unreadable(at, "No file is named before this hunk. Add --- and +++ lines."));
            };
            let Body { lines, end } = hunk(page, at + 1, &heading)?;
            if changes_nothing(&lines) {
                return Err(page.unreadable(at, "The hunk has no line that begins with + or -."));
            }
            section.pieces.push(heading.piece(Vec::new(), false, lines));
            at = end;
            continue;
        } else if is_header(page, at) {
            // A pair of names begins a file, unless it completes the one that `diff --git` has begun.
            let begins = line.starts_with("--- ") || section.as_ref().is_none_or(|section| section.new.is_some());
            if begins && section.as_ref().is_none_or(|section| section.old.is_some() || !section.pieces.is_empty()) {
                finish(page, section.take(), &mut operations)?;
            }
            let section = section.get_or_insert_with(|| Section { at, ..Section::default() });
            match (line.strip_prefix("--- "), line.strip_prefix("+++ ")) {
                (Some(name), _) => section.old = Some(side(name)),
                (None, Some(name)) => section.new = Some(side(name)),
                (None, None) => {}
            }
        } else if let Some(section) = section.as_mut().filter(|_| in_headers) {
            section.note(page, at, line)?;
        }
        at += 1;
    }
    finish(page, section, &mut operations)?;
    Ok(operations)
}

/// Whether a line names a file: by `diff --git`, or as one of the two names above a hunk.
pub(super) fn is_header(page: &PatchLines<'_>, at: usize) -> bool {
    let starts = |at: usize, mark: &str| page.bare(at).is_some_and(|line| line.starts_with(mark));
    let above = |mark: &str| at > 0 && starts(at - 1, mark);
    starts(at, "diff --git ")
        || starts(at, "--- ") && (starts(at + 1, "+++ ") || starts(at + 1, "@@"))
        || starts(at, "+++ ") && (above("--- ") || starts(at + 1, "@@"))
}

/// Whether a line is an `@@` with numbers.
pub(super) fn is_numbered(line: &str) -> bool {
    heading(line).is_some_and(|heading| heading.old.is_some())
}

impl Section {
    /// Takes in one of git's further headers.
    fn note(&mut self, page: &PatchLines<'_>, at: usize, line: &str) -> Result<(), Fault> {
        if let Some(name) = line.strip_prefix("rename from ") {
            self.from = Some(plain(name));
        } else if let Some(name) = line.strip_prefix("rename to ") {
            self.to = Some(plain(name));
        } else if line.starts_with("new file mode ") {
            self.is_new = true;
        } else if line.starts_with("deleted file mode ") {
            self.is_deleted = true;
        } else if line.starts_with("copy from ") {
            return Err(page.unreadable(at, "Copies cannot be made. Write the new file in full."));
        } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
            return Err(page.unreadable(at, "Only texts can be changed, and this file is none."));
        }
        Ok(())
    }

    /// What the file is called before and after; the same where it does not move.
    fn names(&self, page: &PatchLines<'_>) -> Result<(String, String), Fault> {
        if let (Some(from), Some(to)) = (&self.from, &self.to) {
            return Ok((from.clone(), to.clone()));
        }
        let from_git = |pick: fn(&(String, String)) -> &String| {
            self.git.as_ref().map(|names| HeaderName::Named(pick(names).clone()))
        };
        let old = self.old.clone().or_else(|| from_git(|names| &names.0));
        let new = self.new.clone().or_else(|| from_git(|names| &names.1));
        let (old, new) = match (old, new) {
            (Some(HeaderName::Named(old)), Some(HeaderName::Named(new))) => unprefixed(old, new),
            (Some(HeaderName::Named(old)), Some(HeaderName::Nothing) | None) => {
                let name = old.strip_prefix("a/").unwrap_or(&old).to_owned();
                (name.clone(), name)
            }
            (Some(HeaderName::Nothing) | None, Some(HeaderName::Named(new))) => {
                let name = new.strip_prefix("b/").unwrap_or(&new).to_owned();
                (name.clone(), name)
            }
            (Some(HeaderName::Nothing) | None, Some(HeaderName::Nothing) | None) => {
                return Err(page.unreadable(self.at, "The headers name no file."));
            }
        };
        let same = old == new;
        let why = "The two names differ. For a move, add rename from and rename to lines.";
        same.then_some((old, new)).ok_or_else(|| page.unreadable(self.at, why))
    }
}

/// Two names without the `a/` and `b/` that stand for before and after.
fn unprefixed(old: String, new: String) -> (String, String) {
    // A diff that git was asked to turn round has them the other way.
    if let (Some(old), Some(new)) = (old.strip_prefix("b/"), new.strip_prefix("a/"))
        && old == new
    {
        return (old.to_owned(), new.to_owned());
    }
    match (old.strip_prefix("a/"), new.strip_prefix("b/")) {
        (Some(old), Some(new)) => (old.to_owned(), new.to_owned()),
        (Some(short), None) if short == new => (new.clone(), new),
        (None, Some(short)) if short == old => (old.clone(), old),
        (Some(_), None) | (None, Some(_)) | (None, None) => (old, new),
    }
}

/// Turns what was read about a file into what is to be done to it.
fn finish(page: &PatchLines<'_>, section: Option<Section>, operations: &mut Vec<Operation>) -> Result<(), Fault> {
    let Some(section) = section else { return Ok(()) };
    let (path, to) = section.names(page)?;
    let is_new = section.is_new || section.old == Some(HeaderName::Nothing);
    let is_deleted = section.is_deleted || section.new == Some(HeaderName::Nothing);
    if is_new {
        let text = new_text(&section.pieces);
        let why = "A new file has only lines that begin with +.";
        let text = text.ok_or_else(|| page.unreadable(section.at, why))?;
        operations.push(Operation::Create { path, text });
        return Ok(());
    }
    let moves = path != to;
    if section.pieces.is_empty() && !is_deleted && !moves {
        return Err(page.unreadable(section.at, "The file is named, but no hunk follows."));
    }
    if !section.pieces.is_empty() {
        operations.push(Operation::Update { path: path.clone(), pieces: section.pieces });
    }
    if is_deleted {
        operations.push(Operation::Delete { path });
    } else if moves {
        operations.push(Operation::Move { path, to });
    }
    Ok(())
}

fn new_text(pieces: &[Piece]) -> Option<String> {
    let lines = pieces.iter().flat_map(|piece| &piece.lines);
    let text = lines.map(|line| match line {
        DiffLine::Add(text) => Some(text.as_str()),
        DiffLine::Keep(_) | DiffLine::Drop(_) => None,
    });
    text.collect()
}
