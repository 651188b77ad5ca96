//! Works out what remains of prepared changes where a person took some of their hunks, or wrote their own text.
//!
//! Both sides of a change are in the store; the new side goes there too, so that what is made afterwards is known by its
//! digest like everything else. Nothing in the folder is touched. A change of which nothing is left does not come out, be
//! it a move, an empty file or no text at all; what is taken whole comes out as it was prepared.

use std::collections::BTreeSet;

use enza_kernel::conversation::Digest;
use enza_work::hazard::mask;
use enza_work::{Change, ChosenChange, Fault, Finding, PreparedChange};

use super::text_change::diff;
use crate::patch::FileChange;
use crate::store::Store;

/// What remains.
pub fn choose(store: &Store, chosen: &[ChosenChange]) -> Result<Vec<PreparedChange>, Fault> {
    let mut prepared = Vec::new();
    for one in chosen {
        prepared.extend(remaining(store, one)?);
    }
    Ok(prepared)
}

fn remaining(store: &Store, chosen: &ChosenChange) -> Result<Option<PreparedChange>, Fault> {
    let ChosenChange { change, hunks, content } = chosen;
    if content.is_none() && hunks.as_ref().is_some_and(Vec::is_empty) {
        return Ok(None);
    }
    let is_whole = content.is_none() && hunks.is_none();
    let before = match text(store, change, change.before.as_ref()) {
        Err(Fault::NotText { .. }) if is_whole => return Ok(Some(without_diff(change))),
        before => before?,
    };
    let after = match text(store, change, change.after.as_ref()) {
        Err(Fault::NotText { .. }) if is_whole => return Ok(Some(without_diff(change))),
        after => after?,
    };
    let whole = FileChange { path: change.path.clone(), to: change.to.clone(), before, after };
    let after = match (content, hunks) {
        (Some(content), _) => Some(content.clone()),
        (None, Some(hunks)) => whole.choose(&hunks.iter().copied().collect::<BTreeSet<u32>>()).after,
        (None, None) => whole.after.clone(),
    };
    if after == whole.before && change.to.is_none() {
        return Ok(None);
    }
    let digest = after.as_ref().map(|after| store.put(after.as_bytes())).transpose()?;
    let diff = diff(&change.path, change.to.as_deref(), whole.before.as_deref(), after.as_deref());
    Ok(Some(PreparedChange {
        change: Change { after: digest, ..change.clone() },
        diff: mask(&diff.text).into_owned(),
        hunks: diff.hunks,
        added: diff.added,
        removed: diff.removed,
        findings: Vec::new(),
    }))
}

/// A change with a side that is no text: there are no lines of it to be shown.
fn without_diff(change: &Change) -> PreparedChange {
    let (diff, findings) = (String::new(), vec![Finding::Binary]);
    PreparedChange { change: change.clone(), diff, hunks: 0, added: 0, removed: 0, findings }
}

/// One side of a change, as a text.
fn text(store: &Store, change: &Change, digest: Option<&Digest>) -> Result<Option<String>, Fault> {
    let Some(digest) = digest else { return Ok(None) };
    let forgotten = || Fault::Forgotten { path: change.path.clone() };
    let bytes = store.read(digest)?.ok_or_else(forgotten)?;
    String::from_utf8(bytes).map(Some).map_err(|_| Fault::NotText { path: change.path.clone() })
}
