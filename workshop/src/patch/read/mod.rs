//! Reads a patch as a model wrote it: finds out its form, and leaves out fences and prose around it.
//!
//! We forgive what can only mean one thing: wrong counts, missing numbers, blank lines without their space. What could
//! mean two things, or looks cut short, is refused with its line: a patch half understood is worse than none.

mod blocks;
mod body;
mod envelope;
mod names;
mod unified;

use enza_work::Fault;

use super::lines::{bare, end_with_returns, split};
use super::{Operation, Patch};

/// The ways of writing a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `---`, `+++`, `@@ -1,2 +1,3 @@`.
    Unified,
    /// `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`.
    Blocks,
    /// `*** Begin Patch`, `*** Update File: …`, `*** End Patch`.
    Envelope,
}

/// What a patch asks for, or the first line of it that cannot be read.
pub fn read(text: &str) -> Result<Patch, Fault> {
    let unreturned = without_returns(text);
    let page = PatchLines { lines: split(&unreturned) };
    let unindented = match page.form() {
        Some(Form::Unified | Form::Blocks) => None,
        Some(Form::Envelope) | None => envelope::unindented(&unreturned),
    };
    let page = unindented.as_deref().map_or(page, |text| PatchLines { lines: split(text) });
    let form = page.form();
    let operations = match form {
        Some(Form::Unified) => unified::read(&page)?,
        Some(Form::Blocks) => blocks::read(&page)?,
        Some(Form::Envelope) => envelope::read(&page)?,
        None => {
            let why = "There is no unified diff, no SEARCH/REPLACE block and no *** Begin Patch here.";
            return Err(page.unreadable(0, why));
        }
    };
    Ok(Patch { operations })
}

/// A patch that was sent with `\r\n`, or with a lone `\r`, throughout says nothing about the files; their own endings then
/// decide.
fn without_returns(text: &str) -> String {
    if end_with_returns(text) {
        return text.replace('\r', "\n");
    }
    match text.split_inclusive('\n').all(|line| line.ends_with("\r\n") || !line.ends_with('\n')) {
        true => text.replace("\r\n", "\n"),
        false => text.to_owned(),
    }
}

/// The lines of a patch, by their numbers from 0.
struct PatchLines<'a> {
    lines: Vec<&'a str>,
}

impl<'a> PatchLines<'a> {
    /// A line without its ending; none past the end.
    fn bare(&self, at: usize) -> Option<&'a str> {
        self.lines.get(at).map(|line| bare(line))
    }

    /// The form that the first line in any of them has.
    fn form(&self) -> Option<Form> {
        (0..self.lines.len()).find_map(|at| self.form_at(at))
    }

    /// A line that begins a patch in some form, or goes on with one.
    fn form_at(&self, at: usize) -> Option<Form> {
        let line = self.bare(at)?;
        if envelope::is_mark(line) {
            Some(Form::Envelope)
        } else if blocks::is_search(line) {
            Some(Form::Blocks)
        } else if unified::is_header(self, at) || unified::is_numbered(line) {
            Some(Form::Unified)
        } else {
            None
        }
    }

    /// Refuses a line between the parts of a patch that belongs to another form: it would be left out in silence.
    fn no_other_form(&self, at: usize, form: Form) -> Result<(), Fault> {
        match self.form_at(at) {
            Some(other) if other != form => Err(self.unreadable(at, "Two forms of patch are mixed. Use only one.")),
            Some(_) | None => Ok(()),
        }
    }

    fn unreadable(&self, at: usize, why: &str) -> Fault {
        let line = u32::try_from(at.min(self.lines.len().saturating_sub(1)) + 1).unwrap_or(u32::MAX);
        Fault::UnreadablePatch { line, why: why.to_owned() }
    }
}

/// Adds pieces to what is done to this file already, if that was the last thing done, so that they are counted on.
fn push_update(operations: &mut Vec<Operation>, to: &str, piece: super::Piece) {
    if let Some(Operation::Update { path, pieces }) = operations.last_mut()
        && path == to
    {
        pieces.push(piece);
        return;
    }
    operations.push(Operation::Update { path: to.to_owned(), pieces: vec![piece] });
}
