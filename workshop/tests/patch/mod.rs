//! Patches and diffs, by example and by property.
//!
//! The issue asks for two properties above all: applying a diff gives back the text it was made for, and a piece that
//! does not fit changes nothing.

mod apply_patch;
mod blocks;
mod diffs;
mod edits;
mod envelope;
mod printers;
mod properties;
mod unified;

use enza_work::Fault;
use enza_workshop::patch::{FileChange, apply, read};

/// Applies a patch to these files.
fn patched(files: &[(&str, &str)], patch: &str) -> Result<Vec<FileChange>, Fault> {
    let there = |path: &str| files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned());
    apply(&read(patch)?, there)
}

/// Applies a patch to one file, which neither moves nor goes.
fn patched_text(before: &str, patch: &str) -> Result<String, Fault> {
    let changes = patched(&[("a.txt", before)], patch)?;
    match changes.as_slice() {
        [FileChange { path, to: None, after: Some(after), .. }] if path == "a.txt" => Ok(after.clone()),
        [] => Ok(before.to_owned()),
        other => panic!("one change to a.txt was expected: {other:#?}"),
    }
}

fn change(path: &str, before: Option<&str>, after: Option<&str>) -> FileChange {
    FileChange { path: path.to_owned(), to: None, before: before.map(str::to_owned), after: after.map(str::to_owned) }
}

fn moved(path: &str, to: &str, before: &str, after: &str) -> FileChange {
    FileChange { to: Some(to.to_owned()), ..change(path, Some(before), Some(after)) }
}

fn does_not_apply(piece: u32, why: &str) -> Fault {
    Fault::DoesNotApply { path: "a.txt".to_owned(), piece, why: why.to_owned() }
}

fn unreadable(line: u32, why: &str) -> Fault {
    Fault::UnreadablePatch { line, why: why.to_owned() }
}
