//! Applies a patch to texts that the caller hands over: all of it, or nothing.
//!
//! Each operation sees what the earlier ones did. What comes out is the sum: every path stands in at most one change,
//! as its beginning or as its end, so the changes can be made in any order. A file that moved to where nothing was, and
//! left nothing behind, is a move; everything else is what each path holds before and after.

use std::collections::BTreeMap;

use enza_work::Fault;

use super::fit::fit;
use super::{DiffLine, FileChange, Operation, Patch, Piece};

/// What the patch changes, where `read` tells what a file holds, or that it is not there.
pub fn apply(patch: &Patch, read: impl Fn(&str) -> Option<String>) -> Result<Vec<FileChange>, Fault> {
    let mut desk = WorkingSet { read, paths: Vec::new(), sheets: BTreeMap::new() };
    for operation in &patch.operations {
        match operation {
            Operation::Create { path, text } => desk.create(path, text)?,
            Operation::Update { path, pieces } => desk.update(path, pieces)?,
            Operation::Delete { path } => desk.delete(path)?,
            Operation::Move { path, to } => desk.rename(path, to)?,
        }
    }
    Ok(desk.changes())
}

/// The files that were touched, as they are now.
struct WorkingSet<R> {
    read: R,
    /// In the order in which they were first touched.
    paths: Vec<String>,
    sheets: BTreeMap<String, PatchedFile>,
}

/// One path: what it held, and what it holds.
#[derive(Default)]
struct PatchedFile {
    before: Option<String>,
    now: Option<String>,
    /// What the file at this path was called before the patch.
    origin: Option<String>,
}

impl<R: Fn(&str) -> Option<String>> WorkingSet<R> {
    fn create(&mut self, path: &str, text: &str) -> Result<(), Fault> {
        let sheet = self.sheet(path);
        if sheet.now.as_ref().is_some_and(|text| !text.is_empty()) {
            return Err(Fault::Exists { path: path.to_owned() });
        }
        sheet.now = Some(text.to_owned());
        Ok(())
    }

    fn update(&mut self, path: &str, pieces: &[Piece]) -> Result<(), Fault> {
        if self.sheet(path).now.is_none()
            && let Some(text) = all_new(pieces)
        {
            return self.create(path, &text);
        }
        let text = self.there(path)?;
        let text = fit(path, text, pieces)?;
        self.sheet(path).now = Some(text);
        Ok(())
    }

    fn delete(&mut self, path: &str) -> Result<(), Fault> {
        self.there(path)?;
        let sheet = self.sheet(path);
        sheet.now = None;
        sheet.origin = None;
        Ok(())
    }

    fn rename(&mut self, path: &str, to: &str) -> Result<(), Fault> {
        self.there(path)?;
        if path == to {
            return Ok(());
        }
        if self.sheet(to).now.is_some() {
            return Err(Fault::Exists { path: to.to_owned() });
        }
        let sheet = self.sheet(path);
        let (now, origin) = (sheet.now.take(), sheet.origin.take());
        let target = self.sheet(to);
        (target.now, target.origin) = (now, origin);
        Ok(())
    }

    fn there(&mut self, path: &str) -> Result<&str, Fault> {
        self.sheet(path).now.as_deref().ok_or_else(|| Fault::Missing { path: path.to_owned() })
    }

    fn sheet(&mut self, path: &str) -> &mut PatchedFile {
        if !self.sheets.contains_key(path) {
            let before = (self.read)(path);
            let origin = before.is_some().then(|| path.to_owned());
            self.paths.push(path.to_owned());
            self.sheets.insert(path.to_owned(), PatchedFile { now: before.clone(), before, origin });
        }
        self.sheets.entry(path.to_owned()).or_default()
    }

    fn changes(self) -> Vec<FileChange> {
        let moves: BTreeMap<&str, &str> =
            self.sheets.keys().filter_map(|to| Some((self.came_from(to)?, to.as_str()))).collect();
        let mut changes = Vec::new();
        for path in &self.paths {
            let sheet = &self.sheets[path];
            if let Some(to) = moves.get(path.as_str()) {
                let after = self.sheets[*to].now.clone();
                changes.push(FileChange {
                    path: path.clone(),
                    to: Some((*to).to_owned()),
                    before: sheet.before.clone(),
                    after,
                });
            } else if self.came_from(path).is_none() && sheet.before != sheet.now {
                let (before, after) = (sheet.before.clone(), sheet.now.clone());
                changes.push(FileChange { path: path.clone(), to: None, before, after });
            }
        }
        changes
    }

    /// The path that a file left for this one, if that is all that happened to the two paths.
    fn came_from(&self, to: &str) -> Option<&str> {
        let target = &self.sheets[to];
        let origin = target.origin.as_deref().filter(|origin| *origin != to)?;
        let has_left = self.sheets[origin].now.is_none();
        (target.before.is_none() && target.now.is_some() && has_left).then_some(origin)
    }
}

/// The whole text, where there is nothing but new and blank lines: models write a new file as an update of nothing.
fn all_new(pieces: &[Piece]) -> Option<String> {
    let [only] = pieces else { return None };
    if only.old().iter().any(|line| !line.trim().is_empty()) {
        return None;
    }
    let new = only.lines.iter().filter_map(|line| match line {
        DiffLine::Add(text) | DiffLine::Keep(text) => Some(text.as_str()),
        DiffLine::Drop(_) => None,
    });
    Some(new.collect())
}
