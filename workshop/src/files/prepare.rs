//! Works out what proposals would do, file by file, and touches nothing.
//!
//! Every file comes out in at most one change, in the order in which the files were last turned; what ends as it began
//! does not come out at all. Diffs share what an order may give back, and are cut at the end of a line; whoever is asked can
//! have the whole of each from the store.

use std::collections::BTreeMap;

use enza_kernel::conversation::Digest;
use enza_work::hazard::mask;
use enza_work::{Change, Fault, Finding, PreparedChange, Proposal};

use super::access::Access;
use super::look::as_text;
use super::notes::{ChangedFile, findings, is_veiled};
use super::overlay::{Content, Overlay, OverlayFile};
use super::text_change::{Diff, diff};
use crate::store::Store;

/// What the proposals would do.
pub fn prepare(reach: &Access, store: &Store, proposals: &[Proposal]) -> Result<Vec<PreparedChange>, Fault> {
    let mut overlay = Overlay::new(reach, store);
    for proposal in proposals {
        overlay.propose(proposal)?;
    }
    let mut left = usize::try_from(reach.bounds.output).unwrap_or(usize::MAX);
    Ok(turned(&overlay).into_iter().map(|turned| turned.prepared(reach, &mut left)).collect())
}

/// A file that does not end as it began, or two between which it moved.
struct Turned<'a> {
    path: &'a str,
    sheet: &'a OverlayFile,
    to: Option<(&'a str, &'a OverlayFile)>,
}

fn turned<'a>(overlay: &'a Overlay<'_>) -> Vec<Turned<'a>> {
    let files = &overlay.files;
    let moved_to = |path: &str, sheet: &OverlayFile| {
        let is_gone = sheet.was.is_some() && sheet.now.is_none();
        let mut new = files.iter().filter(|(_, other)| other.was.is_none() && other.now.is_some());
        new.find(|(_, other)| is_gone && other.from.as_deref() == Some(path))
            .map(|(name, other)| (name.as_str(), other))
    };
    let is_moved_from = |sheet: &OverlayFile| {
        let origin = sheet.from.as_ref().and_then(|from| files.get(from));
        sheet.was.is_none() && origin.is_some_and(|origin| origin.was.is_some() && origin.now.is_none())
    };
    let digest = |content: &Option<Content>| content.as_ref().map(|content| content.digest);
    let changed = files.iter().filter(|(_, sheet)| digest(&sheet.was) != digest(&sheet.now) && !is_moved_from(sheet));
    let mut turned: Vec<_> = changed.map(|(path, sheet)| Turned { path, sheet, to: moved_to(path, sheet) }).collect();
    turned.sort_by_key(|turned| turned.to.map_or(turned.sheet.turned, |(_, sheet)| sheet.turned));
    turned
}

impl Turned<'_> {
    fn prepared(&self, reach: &Access, left: &mut usize) -> PreparedChange {
        let before = self.sheet.was.as_ref();
        let after = self.to.map_or(self.sheet, |(_, sheet)| sheet).now.as_ref();
        let change = Change {
            path: self.path.to_owned(),
            to: self.to.map(|(to, _)| to.to_owned()),
            before: before.map(|content| content.digest),
            after: after.map(|content| content.digest),
            mode: self.sheet.mode,
            folders: self.to.map_or(self.sheet.folders, |(_, sheet)| sheet.folders),
            seen: false,
        };
        let sides = [
            Some(ChangedFile { path: self.path, sheet: self.sheet }),
            self.to.map(|(path, sheet)| ChangedFile { path, sheet }),
        ];
        let sides: Vec<ChangedFile<'_>> = sides.into_iter().flatten().collect();
        let mut findings = findings(reach, &sides, before, after);
        let Diff { text, hunks, added, removed } = self.diff(before, after);
        let is_hidden = self.to.is_none() && self.sheet.from.as_ref().is_some_and(|from| is_veiled(reach, from));
        let texts = [before, after].map(|side| side.and_then(|content| content.text.as_deref()));
        let masked = without_secrets(reach, &change, &text, texts);
        let shown = cut(if is_hidden { veiled(&masked, &['@', '\\']) } else { masked }, *left);
        if shown.is_cut {
            findings.push(Finding::DiffCut);
            findings.sort();
        }
        *left -= shown.text.len();
        PreparedChange { change, diff: shown.text, hunks, added, removed, findings }
    }

    fn diff(&self, before: Option<&Content>, after: Option<&Content>) -> Diff {
        let is_text = |content: Option<&Content>| content.is_none_or(|content| content.text.is_some());
        if !is_text(before) || !is_text(after) {
            return Diff::default();
        }
        let text = |content: Option<&Content>| content.and_then(|content| content.text.clone());
        diff(self.path, self.to.map(|(to, _)| to), text(before).as_deref(), text(after).as_deref())
    }
}

/// The whole diff of a change that was prepared, from its two sides in the store: what was shown of it may have been cut.
pub fn whole_diff(reach: &Access, store: &Store, change: &Change) -> Result<String, Fault> {
    let side = |digest: Option<&Digest>| -> Result<Option<String>, Fault> {
        let Some(digest) = digest else { return Ok(None) };
        let path = || change.path.clone();
        let bytes = store.read(digest)?.ok_or_else(|| Fault::Forgotten { path: path() })?;
        as_text(bytes).map(Some).ok_or_else(|| Fault::NotText { path: path() })
    };
    let (before, after) = (side(change.before.as_ref())?, side(change.after.as_ref())?);
    let texts = [before.as_deref(), after.as_deref()];
    let Diff { text, .. } = diff(&change.path, change.to.as_deref(), texts[0], texts[1]);
    Ok(without_secrets(reach, change, &text, texts))
}

/// A diff of these two sides as it may be shown.
fn without_secrets(reach: &Access, change: &Change, diff: &str, sides: [Option<&str>; 2]) -> String {
    let masked = masked(diff, sides);
    let mut paths = std::iter::once(&change.path).chain(&change.to);
    if paths.any(|path| is_veiled(reach, path)) { veiled(&masked, &['+', '@', '\\']) } else { masked }
}

/// A diff with secrets masked as they are in the whole texts: a few lines out of a private key do not say that they are
/// of one.
fn masked(diff: &str, sides: [Option<&str>; 2]) -> String {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for text in sides.into_iter().flatten() {
        let shown = mask(text);
        let lines = text.lines().zip(shown.lines()).filter(|(line, shown)| line != shown);
        known.extend(lines.map(|(line, shown)| (line.to_owned(), shown.to_owned())));
    }
    let mut masked = String::with_capacity(diff.len());
    for line in diff.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let (sign, body) = bare.split_at(bare.len().min(usize::from(bare.starts_with(['+', '-', ' ']))));
        match known.get(body) {
            Some(shown) => masked.extend([sign, shown, &line[bare.len()..]]),
            None => masked.push_str(&mask(line)),
        }
    }
    masked
}

/// A diff of a secret file that nobody has granted: below its head only lines that begin so are shown. What comes is
/// among them where the proposal says it already; what was moved over another file is not.
fn veiled(diff: &str, shown: &[char]) -> String {
    let mut veiled = String::new();
    let mut is_head = true;
    for line in diff.split_inclusive('\n') {
        is_head &= !line.starts_with('@');
        match is_head || line.starts_with(shown) {
            true => veiled.push_str(line),
            false => veiled.extend([&line[..line.len().min(1)], "…\n"]),
        }
    }
    veiled
}

struct Cut {
    text: String,
    is_cut: bool,
}

fn cut(mut text: String, most: usize) -> Cut {
    if text.len() <= most {
        return Cut { text, is_cut: false };
    }
    let end = text[..text.floor_char_boundary(most)].rfind('\n').map_or(0, |end| end + 1);
    text.truncate(end);
    Cut { text, is_cut: true }
}
