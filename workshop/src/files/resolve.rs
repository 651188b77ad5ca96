//! Walks a path step by step, on one ground, and never off it.
//!
//! Every step is one name in one open folder, so a path is never handed to the system as a whole and what was checked is
//! what is opened: a folder that is swapped for a link meanwhile leads nowhere (G24). Links are followed by hand, only
//! where that is asked for, and only while they stay on the ground. Which grounds there are is `reach`.

use std::collections::VecDeque;
use std::io;

use cap_std::fs::{Dir, Metadata, MetadataExt};
use enza_work::Fault;

use super::access::{Purpose, Root};
use super::folder_entry::FolderEntry;
use super::path::{PathPlace, parts, place};

/// A chain of links longer than this goes in a circle.
const MOST_LINKS: usize = 40;

/// Whether links on the way are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// While they stay on the ground.
    Followed,
    /// A path with a link in it is a fault.
    Refused,
}

/// What a path leads to.
pub(super) struct ResolvedPath {
    /// What it is really called: relative to the folder of work, or absolute outside it.
    pub path: String,
    /// What it was asked for by, where a link was on the way.
    pub asked: Option<String>,
    /// What it is called on the way through each link, the first as it was asked for; none where there is no link.
    pub ways: Vec<String>,
    /// Whether it is outside the folder of work.
    pub outside: bool,
    pub thing: Thing,
}

/// What is there.
pub(super) enum Thing {
    Nothing(FolderEntry),
    File(FolderEntry, Metadata),
    Folder(Dir),
}

/// A walk on its way.
pub(super) struct PathWalk<'a> {
    ground: &'a Root,
    asked: &'a str,
    purpose: Purpose,
    links: Links,
    ahead: VecDeque<String>,
    behind: Vec<(String, Dir)>,
    /// What the path was called at each link that was met.
    ways: Vec<String>,
}

impl<'a> PathWalk<'a> {
    /// A way over these parts, from the ground itself.
    pub fn on(ground: &'a Root, asked: &'a str, parts: Vec<String>, purpose: Purpose, links: Links) -> Self {
        Self { ground, asked, purpose, links, ahead: parts.into(), behind: Vec::new(), ways: Vec::new() }
    }

    /// What is at the end of it.
    pub fn walk(mut self) -> Result<ResolvedPath, Fault> {
        while let Some(part) = self.ahead.pop_front() {
            if part == ".." {
                // Only links can say so here.
                self.behind.pop().ok_or_else(|| outside(self.asked, self.purpose))?;
                continue;
            }
            let about = match self.here().symlink_metadata(&part) {
                Ok(about) => about,
                Err(why) if why.kind() == io::ErrorKind::NotFound => return self.nothing(part),
                Err(why) => return Err(self.refusal(&why)),
            };
            match () {
                () if about.is_symlink() => self.follow(&part)?,
                () if about.is_dir() => self.enter(part, &about)?,
                () if !about.is_file() => return Err(Fault::Special { path: self.called(&part) }),
                () if !self.ahead.is_empty() => return Err(Fault::NotAFolder { path: self.called(&part) }),
                () => {
                    let path = self.called(&part);
                    let folder = self.here().try_clone().map_err(|why| self.refusal(&why))?;
                    return Ok(self.found(path, Thing::File(FolderEntry::new(folder, Vec::new(), part), about)));
                }
            }
        }
        let path = self.behind.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join("/");
        let folder = self.here().try_clone().map_err(|why| self.refusal(&why))?;
        Ok(self.found(path, Thing::Folder(folder)))
    }

    /// Steps into a folder, if it still is the one that was looked at.
    fn enter(&mut self, name: String, about: &Metadata) -> Result<(), Fault> {
        let folder = self.here().open_dir(&name).map_err(|why| self.refusal(&why))?;
        let opened = folder.dir_metadata().map_err(|why| self.refusal(&why))?;
        if (opened.dev(), opened.ino()) != (about.dev(), about.ino()) {
            return Err(Fault::Changed { path: self.asked.to_owned() });
        }
        self.behind.push((name, folder));
        Ok(())
    }

    /// Puts what a link says before what is still ahead.
    fn follow(&mut self, name: &str) -> Result<(), Fault> {
        let out = || outside(self.asked, self.purpose);
        let called = [name].into_iter().chain(self.ahead.iter().map(String::as_str)).collect::<Vec<_>>().join("/");
        self.ways.push(self.called(&called));
        if self.links == Links::Refused {
            return Err(Fault::IsLink { path: self.called(name) });
        }
        if self.ways.len() > MOST_LINKS {
            return Err(Fault::UnusablePath { path: self.asked.to_owned() });
        }
        let target = self.here().read_link_contents(name).map_err(|why| self.refusal(&why))?;
        let target = target.to_str().ok_or_else(out)?;
        let onward = if target.starts_with('/') {
            let PathPlace::Inside(below) = place(target, &self.ground.known()).map_err(|_| out())? else {
                return Err(out());
            };
            self.behind.clear();
            below
        } else {
            parts(target)
        };
        self.ahead = onward.into_iter().chain(self.ahead.drain(..)).collect();
        Ok(())
    }

    /// The way ends where there is nothing yet.
    fn nothing(mut self, part: String) -> Result<ResolvedPath, Fault> {
        if self.ahead.iter().any(|part| part == "..") {
            return Err(Fault::Missing { path: self.asked.to_owned() });
        }
        let mut missing: Vec<String> = [part].into_iter().chain(self.ahead.drain(..)).collect();
        let path = self.called(&missing.join("/"));
        let name = missing.pop().expect("at least this part is missing");
        let folder = self.here().try_clone().map_err(|why| self.refusal(&why))?;
        Ok(self.found(path, Thing::Nothing(FolderEntry::new(folder, missing, name))))
    }

    fn found(self, path: String, thing: Thing) -> ResolvedPath {
        let asked = (!self.ways.is_empty()).then(|| self.asked.to_owned());
        ResolvedPath { path, asked, ways: self.ways, outside: false, thing }
    }

    fn here(&self) -> &Dir {
        self.behind.last().map_or(&self.ground.dir, |(_, folder)| folder)
    }

    /// What something below here is really called.
    fn called(&self, below: &str) -> String {
        self.behind.iter().map(|(name, _)| name.as_str()).chain([below]).collect::<Vec<_>>().join("/")
    }

    fn refusal(&self, why: &io::Error) -> Fault {
        // The library's own word for a step that would have left the folder.
        if why.kind() == io::ErrorKind::PermissionDenied && why.raw_os_error().is_none() {
            return outside(self.asked, self.purpose);
        }
        let path = self.asked.to_owned();
        match why.kind() {
            io::ErrorKind::InvalidFilename => Fault::UnusablePath { path },
            // It was there a moment ago.
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Fault::Changed { path },
            _ => Fault::System { path, why: why.to_string() },
        }
    }
}

/// That a path leads out.
pub(super) fn outside(path: &str, purpose: Purpose) -> Fault {
    let path = path.to_owned();
    match purpose {
        Purpose::Reading => Fault::OutsideToRead { path },
        Purpose::Writing => Fault::OutsideToWrite { path },
    }
}
