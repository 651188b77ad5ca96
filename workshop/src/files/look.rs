//! Names what is in folders, and reads lines of texts.
//!
//! Both give back no more than an order may, end on the end of a line, and say when there is more. Secrets are masked in
//! the whole text before lines are chosen, so that a page which begins inside a private key shows nothing of it.

use std::convert::Infallible;
use std::ops::ControlFlow;

use enza_kernel::conversation::Digest;
use enza_work::hazard::{mask, names_secrets};
use enza_work::{Fault, Listing, ReadLines};

use super::access::{Access, Purpose};
use super::ignored::{Ignored, join};
use super::path::on_one_line;
use super::resolve::{Links, ResolvedPath, Thing};
use super::walk::{Kind, Walk};

/// The most entries that one order looks at.
const MOST_ENTRIES: u32 = 20_000;

/// Names what is in a folder, so many levels down.
pub fn list(reach: &Access, path: &str, depth: u32) -> Result<Listing, Fault> {
    let found = reach.find(path, Purpose::Reading, Links::Followed)?;
    let ResolvedPath { path, outside, thing, ways, .. } = found;
    let dir = match thing {
        Thing::Folder(dir) => dir,
        Thing::File(..) => return Err(Fault::NotAFolder { path }),
        Thing::Nothing(_) => return Err(Fault::Missing { path }),
    };
    let ignored = if outside { Ignored::nothing() } else { Ignored::down_to(reach.home(), &path) };
    let mut walk = Walk::new(MOST_ENTRIES, depth.max(1), Some(ignored));
    let mut page = LinePage::of(reach.bounds.output);
    let mut entries = 0;
    let _: ControlFlow<Infallible> = walk.over(&dir, &path, &mut |entry| {
        if reach.closes(entry.path, &below(&ways, &path, entry.path)) {
            return ControlFlow::Continue(());
        }
        entries += 1;
        page.add(&on_one_line(entry.path), if entry.kind == Kind::Folder { "/" } else { "" });
        ControlFlow::Continue(())
    });
    Ok(Listing { text: page.text, entries, more: walk.cut || page.is_full })
}

/// What an entry of a folder is called by every name that the folder was asked for by.
pub(super) fn below(ways: &[String], folder: &str, entry: &str) -> Vec<String> {
    let rest = entry.strip_prefix(folder).unwrap_or(entry).trim_start_matches('/');
    ways.iter().map(|way| join(way, rest)).collect()
}

/// Reads lines of a text.
pub fn read(reach: &Access, path: &str, from: u32, lines: u32) -> Result<ReadLines, Fault> {
    let ResolvedPath { path, thing, .. } = reach.find(path, Purpose::Reading, Links::Followed)?;
    let (spot, about) = match thing {
        Thing::File(spot, about) => (spot, about),
        Thing::Folder(_) => return Err(Fault::IsFolder { path }),
        Thing::Nothing(_) => return Err(Fault::Missing { path }),
    };
    if (names_secrets(&reach.absolute(&path)) && !reach.is_granted(&path)) || reach.is_alias(&path, &about) {
        return Err(Fault::Secret { path });
    }
    let bytes = spot.read(&path, reach.bounds.read)?;
    let digest = Digest::of(&bytes);
    let text = as_text(bytes).ok_or_else(|| Fault::NotText { path: path.clone() })?;
    let masked = mask(&text);
    let of = masked.lines().count() as u32;
    let from = from.max(1);
    let mut page = LinePage::of(reach.bounds.output);
    for line in masked.split_inclusive('\n').skip(from as usize - 1).take(lines as usize) {
        page.add(line.strip_suffix('\n').unwrap_or(line), "");
    }
    let last = from.saturating_sub(1).saturating_add(page.lines);
    Ok(ReadLines { path, digest, text: page.text, from, of, more: last < of })
}

/// Bytes as a text, if they are one.
pub(super) fn as_text(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// Lines, while they fit.
pub(super) struct LinePage {
    pub text: String,
    pub lines: u32,
    pub is_full: bool,
    most: usize,
}

impl LinePage {
    pub fn of(most: u64) -> Self {
        Self { text: String::new(), lines: 0, is_full: false, most: usize::try_from(most).unwrap_or(usize::MAX) }
    }

    /// Adds a line in two parts, if it fits. One that alone is too long is cut, so that there is a way past it.
    pub fn add(&mut self, line: &str, end: &str) {
        if self.is_full {
            return;
        }
        let fits = self.text.len() + line.len() + end.len() < self.most;
        if fits {
            self.text.extend([line, end, "\n"]);
            self.lines += 1;
        } else if self.lines == 0 {
            self.text.push_str(&line[..line.floor_char_boundary(self.most.saturating_sub(4))]);
            self.text.push_str("…\n");
            self.lines += 1;
            self.is_full = true;
        } else {
            self.is_full = true;
        }
    }
}
