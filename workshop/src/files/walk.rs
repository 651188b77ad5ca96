//! Walks over a folder in order, through handles, and no further than it is told.
//!
//! Entries come sorted by name, so the same folder always gives the same walk. Links are named and never walked into.
//! Whatever could not be walked, because there was too much or the system said no, is remembered in `cut`.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use cap_std::fs::Dir;

use super::folder_entry::open_folder;
use super::ignored::{Ignored, join};

/// Folders deeper than this are not walked into; each takes a handle.
const DEEPEST: u32 = 100;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    Link,
    /// A device, a pipe, a socket.
    Special,
}

/// One entry on a walk.
pub(super) struct Entry<'a> {
    pub path: &'a str,
    pub folder: &'a Dir,
    pub name: &'a str,
    pub kind: Kind,
}

/// A walk, and how much of it is left.
pub(super) struct Walk {
    /// How many entries may still be looked at.
    left: u32,
    /// How many levels down it goes.
    depth: u32,
    /// What is not walked over; none for everything.
    ignored: Option<Ignored>,
    /// Whether something was not walked over that should have been.
    pub cut: bool,
    /// What was ignored, each by its topmost name.
    pub ignores: BTreeSet<String>,
}

impl Walk {
    pub fn new(most: u32, depth: u32, ignored: Option<Ignored>) -> Self {
        Self { left: most, depth: depth.min(DEEPEST), ignored, cut: false, ignores: BTreeSet::new() }
    }

    /// Walks over a folder that is called `path`.
    pub fn over<B>(
        &mut self,
        dir: &Dir,
        path: &str,
        visit: &mut dyn FnMut(&Entry<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.level(dir, path, 1, visit)
    }

    fn level<B>(
        &mut self,
        dir: &Dir,
        path: &str,
        level: u32,
        visit: &mut dyn FnMut(&Entry<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if let Some(ignored) = &mut self.ignored {
            ignored.enter(dir, path);
        }
        for (name, kind) in self.names(dir) {
            let here = join(path, &name);
            let is_folder = kind == Kind::Folder;
            if self.ignored.as_ref().is_some_and(|ignored| ignored.names(&here, is_folder)) {
                self.ignores.insert(here);
                continue;
            }
            if self.left == 0 {
                self.cut = true;
                break;
            }
            self.left -= 1;
            visit(&Entry { path: &here, folder: dir, name: &name, kind })?;
            if !is_folder || level >= self.depth {
                self.cut |= is_folder && level >= DEEPEST;
                continue;
            }
            match open_folder(dir, &name) {
                Ok(below) => self.level(&below, &here, level + 1, visit)?,
                Err(_) => self.cut = true,
            }
        }
        if let Some(ignored) = &mut self.ignored {
            ignored.leave();
        }
        ControlFlow::Continue(())
    }

    /// The entries of one folder, sorted by name.
    fn names(&mut self, dir: &Dir) -> Vec<(String, Kind)> {
        // More than may be looked at, since some will be ignored; but a folder without end must end.
        let most = (self.left as usize).saturating_mul(2).saturating_add(1000);
        let Ok(entries) = dir.entries() else {
            self.cut = true;
            return Vec::new();
        };
        let mut names = Vec::new();
        for entry in entries {
            let known = entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?)));
            // A name that is no text cannot be asked for either.
            let named = known.ok().and_then(|(name, kind)| Some((name.into_string().ok()?, kind)));
            let Some((name, kind)) = named.filter(|_| names.len() < most) else {
                self.cut = true;
                continue;
            };
            let kind = match () {
                () if kind.is_file() => Kind::File,
                () if kind.is_dir() => Kind::Folder,
                () if kind.is_symlink() => Kind::Link,
                () => Kind::Special,
            };
            names.push((name, kind));
        }
        names.sort_by(|(one, _), (other, _)| one.cmp(other));
        names
    }
}
