//! Finds what a path means in the folder of work, step by step, and whether an order may touch it.
//!
//! Every step is one name in one open folder, so a path is never handed to the system as a whole and what was checked is
//! what is opened: a folder that is swapped for a link meanwhile leads nowhere (G24). Links are followed by hand, only for
//! looking, and only while they stay on the ground they began on. Outside the folder there are two other grounds: folders
//! that may be read, and single paths that were granted; those are walked from the root and through no link at all.

use std::collections::VecDeque;
use std::io;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, MetadataExt};
use enza_applications::companion::work::hazard::belongs_to_system;
use enza_applications::companion::work::{Bounds, Fault, Order};

use super::path::{Place, normal, parts, place};
use super::spot::Spot;

/// A chain of links longer than this goes in a circle.
const MOST_LINKS: u32 = 40;

/// What a path is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To be read.
    Reading,
    /// To be changed.
    Writing,
}

/// Whether links on the way are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// While they stay on the ground.
    Followed,
    /// A path with a link in it is a fault.
    Refused,
}

/// What an order may touch.
#[derive(Debug)]
pub struct Reach {
    home: Ground,
    granted: Vec<String>,
    pub(super) bounds: Bounds,
}

/// A folder from which paths are walked and which none may leave.
#[derive(Debug)]
struct Ground {
    dir: Dir,
    /// The absolute paths it is known by; the first is the one it was asked for by.
    names: Vec<String>,
}

/// What a path leads to.
pub(super) struct Found {
    /// What it is really called: relative to the folder of work, or absolute outside it.
    pub path: String,
    /// What it was asked for by, where a link was on the way.
    pub asked: Option<String>,
    /// Whether it is outside the folder of work.
    pub outside: bool,
    pub thing: Thing,
}

/// What is there.
pub(super) enum Thing {
    Nothing(Spot),
    File(Spot, Metadata),
    Folder(Dir),
}

impl Reach {
    /// What this order may touch.
    pub fn of(order: &Order) -> Result<Self, Fault> {
        let home = Ground::open(&order.folder)?;
        let mut granted: Vec<String> = Vec::new();
        for path in &order.granted {
            granted.push(match place(path, &home.known())? {
                Place::Inside(parts) => parts.join("/"),
                Place::Outside(parts) => format!("/{}", parts.join("/")),
            });
        }
        Ok(Self { home, granted, bounds: order.bounds.clone() })
    }

    /// The handle to the folder of work.
    pub(super) fn home(&self) -> &Dir {
        &self.home.dir
    }

    /// The folder of work by its real name.
    pub fn folder(&self) -> &str {
        self.home.names.last().expect("a ground has a name")
    }

    /// Whether a person has granted this path, by what it is really called.
    pub(super) fn is_granted(&self, path: &str) -> bool {
        self.granted.iter().any(|granted| granted == path)
    }

    /// The absolute form of what a path is really called.
    pub(super) fn absolute(&self, path: &str) -> String {
        if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", self.folder()) }
    }

    /// What a path leads to, if it may be touched for this purpose.
    pub(super) fn find(&self, path: &str, purpose: Purpose, links: Links) -> Result<Found, Fault> {
        let parts = match place(path, &self.home.known())? {
            Place::Inside(parts) => return self.home.walk(path, parts, purpose, links),
            Place::Outside(parts) => parts,
        };
        let meant = format!("/{}", parts.join("/"));
        let is_granted = self.is_granted(&meant);
        if purpose == Purpose::Reading && !is_granted {
            let readable = self.bounds.readable.iter().map(|folder| normal(folder));
            let below = readable.filter(|folder| meant == *folder || meant.starts_with(&format!("{folder}/")));
            let Some(folder) = below.max_by_key(String::len) else { return Err(outside(&meant, purpose)) };
            let ground = Ground::open(&folder)?;
            let Place::Inside(parts) = place(&meant, &ground.known())? else { return Err(outside(&meant, purpose)) };
            let found = ground.walk(path, parts, purpose, links)?;
            let path = [folder.as_str(), found.path.as_str()].join("/").trim_end_matches('/').to_owned();
            return Ok(Found { path, outside: true, ..found });
        }
        if !is_granted || (purpose == Purpose::Writing && belongs_to_system(&meant)) {
            return Err(outside(&meant, purpose));
        }
        let found = Ground::open("/")?.walk(&meant, parts, purpose, Links::Refused)?;
        Ok(Found { path: meant, outside: true, ..found })
    }
}

fn outside(path: &str, purpose: Purpose) -> Fault {
    let path = path.to_owned();
    match purpose {
        Purpose::Reading => Fault::OutsideToRead { path },
        Purpose::Writing => Fault::OutsideToWrite { path },
    }
}

impl Ground {
    fn open(folder: &str) -> Result<Self, Fault> {
        let name = normal(folder);
        let missing = |why: &io::Error| match why.kind() {
            io::ErrorKind::NotFound => Fault::Missing { path: name.clone() },
            io::ErrorKind::NotADirectory => Fault::NotAFolder { path: name.clone() },
            _ => Fault::System { path: name.clone(), why: why.to_string() },
        };
        if !folder.starts_with('/') {
            return Err(Fault::UnusablePath { path: folder.to_owned() });
        }
        let really = Path::new(&name).canonicalize().map_err(|why| missing(&why))?;
        let dir = Dir::open_ambient_dir(&really, ambient_authority()).map_err(|why| missing(&why))?;
        let really = really.to_string_lossy().into_owned();
        let names = if really == name { vec![name] } else { vec![name, really] };
        Ok(Self { dir, names })
    }

    fn known(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// Walks one part after the other; never above this ground, whatever links say.
    fn walk(&self, asked: &str, way: Vec<String>, purpose: Purpose, links: Links) -> Result<Found, Fault> {
        let system = |why: io::Error| self.refusal(asked, purpose, &why);
        let mut ahead: VecDeque<String> = way.into();
        let mut behind: Vec<(String, Dir)> = Vec::new();
        let mut met = 0;
        let found = |path: String, met: u32, thing: Thing| {
            let asked = (met > 0).then(|| asked.to_owned());
            Found { path, asked, outside: false, thing }
        };
        while let Some(part) = ahead.pop_front() {
            if part == ".." {
                // Only links can say so here.
                behind.pop().ok_or_else(|| outside(asked, purpose))?;
                continue;
            }
            let here = behind.last().map_or(&self.dir, |(_, dir)| dir);
            let path =
                || behind.iter().map(|(name, _)| name.as_str()).chain([part.as_str()]).collect::<Vec<_>>().join("/");
            let about = match here.symlink_metadata(&part) {
                Ok(about) => about,
                Err(why) if why.kind() == io::ErrorKind::NotFound => {
                    if ahead.iter().any(|part| part == "..") {
                        return Err(Fault::Missing { path: asked.to_owned() });
                    }
                    let mut missing: Vec<String> = [part.clone()].into_iter().chain(ahead).collect();
                    let start = path().len() - part.len();
                    let path = format!("{}{}", &path()[..start], missing.join("/"));
                    let name = missing.pop().expect("at least this part is missing");
                    let spot = Spot::new(here.try_clone().map_err(system)?, missing, name);
                    return Ok(found(path, met, Thing::Nothing(spot)));
                }
                Err(why) => return Err(system(why)),
            };
            if about.is_symlink() {
                met += 1;
                if links == Links::Refused {
                    return Err(Fault::IsLink { path: path() });
                }
                if met > MOST_LINKS {
                    return Err(Fault::UnusablePath { path: asked.to_owned() });
                }
                let target = here.read_link_contents(&part).map_err(system)?;
                let target = target.to_str().ok_or_else(|| outside(asked, purpose))?;
                let mut onward = parts(target);
                if target.starts_with('/') {
                    let Place::Inside(below) = place(target, &self.known())? else {
                        return Err(outside(asked, purpose));
                    };
                    onward = below;
                    behind.clear();
                }
                onward.extend(ahead);
                ahead = onward.into();
            } else if about.is_dir() {
                let dir = here.open_dir(&part).map_err(system)?;
                // Swapped between the look and the step: what is open now is not what was looked at.
                let opened = dir.dir_metadata().map_err(system)?;
                if (opened.dev(), opened.ino()) != (about.dev(), about.ino()) {
                    return Err(Fault::Changed { path: asked.to_owned() });
                }
                behind.push((part, dir));
            } else if !about.is_file() {
                return Err(Fault::Special { path: path() });
            } else if !ahead.is_empty() {
                return Err(Fault::NotAFolder { path: path() });
            } else {
                let path = path();
                let spot = Spot::new(here.try_clone().map_err(system)?, Vec::new(), part);
                return Ok(found(path, met, Thing::File(spot, about)));
            }
        }
        let path = behind.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join("/");
        let dir = behind.pop().map_or_else(|| self.dir.try_clone(), |(_, dir)| Ok(dir)).map_err(system)?;
        Ok(found(path, met, Thing::Folder(dir)))
    }

    fn refusal(&self, path: &str, purpose: Purpose, why: &io::Error) -> Fault {
        // The library's own word for a step that would have left the folder.
        if why.kind() == io::ErrorKind::PermissionDenied && why.raw_os_error().is_none() {
            return outside(path, purpose);
        }
        match why.kind() {
            io::ErrorKind::InvalidFilename => Fault::UnusablePath { path: path.to_owned() },
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Fault::Changed { path: path.to_owned() },
            _ => Fault::System { path: path.to_owned(), why: why.to_string() },
        }
    }
}
