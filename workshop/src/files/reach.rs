//! Finds what a path means, and whether an order may touch it.
//!
//! There are three grounds on which paths are walked, and none may be left: the folder of work; outside it, folders that
//! may be read; and the whole machine, for single paths that were granted letter by letter. A granted path is walked from
//! the root and through no link at all, so that it is what the person saw. What belongs to the system is never written.
//! The walk itself is `way`.

use std::io;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use enza_applications::companion::work::hazard::belongs_to_system;
use enza_applications::companion::work::{Bounds, Fault, Order};

use super::path::{Place, normal, place};
use super::way::{Found, Links, Way, outside};

/// What a path is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To be read.
    Reading,
    /// To be changed.
    Writing,
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
pub(super) struct Ground {
    pub dir: Dir,
    /// The absolute paths it is known by; the first is the one it was asked for by.
    names: Vec<String>,
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
            Place::Inside(parts) => return Way::on(&self.home, path, parts, purpose, links).walk(),
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
            let found = Way::on(&ground, path, parts, purpose, links).walk()?;
            let path = [folder.as_str(), found.path.as_str()].join("/").trim_end_matches('/').to_owned();
            return Ok(Found { path, outside: true, ..found });
        }
        if !is_granted || (purpose == Purpose::Writing && belongs_to_system(&meant)) {
            return Err(outside(&meant, purpose));
        }
        let root = Ground::open("/")?;
        let found = Way::on(&root, &meant, parts, purpose, Links::Refused).walk()?;
        Ok(Found { path: meant, outside: true, ..found })
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

    pub fn known(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }
}
