//! Finds what a path means, and whether an order may touch it.
//!
//! There are three grounds on which paths are walked, and none may be left: the folder of work; outside it, folders that
//! may be read; and the whole machine, for single paths that were granted letter by letter. A granted path is walked from
//! the root and through no link at all, so that it is what the person saw. What belongs to the system is never written.
//! The walk itself is `way`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, MetadataExt as _};
use enza_work::hazard::{belongs_to_system, names_secrets};
use enza_work::pattern::path_fits;
use enza_work::{Bounds, Fault, Order};

use super::aliases::{Aliases, Identity};
use super::path::{PathPlace, normal, parts, place};
use super::resolve::{Links, PathWalk, ResolvedPath, outside};
use crate::run::closed_files;

/// What a path is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Reading,
    /// To be changed.
    Writing,
}

/// What an order may touch.
#[derive(Debug)]
pub struct Access {
    home: Root,
    granted: Vec<String>,
    pub(super) bounds: Bounds,
    /// Closed files that may have other names by now.
    aliases: Aliases,
    persons: Option<PathBuf>,
    /// Names of files that say what may be done here, wherever they are.
    governing: Vec<String>,
    /// Closed files that have several names, once it matters.
    linked: OnceLock<Aliases>,
}

/// A folder from which paths are walked and which none may leave.
#[derive(Debug)]
pub(super) struct Root {
    pub dir: Dir,
    /// The absolute paths it is known by; the first is the one it was asked for by.
    names: Vec<String>,
}

impl Access {
    /// What this order may touch.
    pub fn of(order: &Order) -> Result<Self, Fault> {
        let home = Root::open(&order.folder)?;
        let mut granted: Vec<String> = Vec::new();
        for path in &order.granted {
            granted.push(match place(path, &home.known())? {
                PathPlace::Inside(parts) => parts.join("/"),
                PathPlace::Outside(parts) => format!("/{}", parts.join("/")),
            });
        }
        let closed = by_real_names(Path::new(home.names.last().expect("a ground has a name")), &order.bounds.closed);
        Ok(Self {
            home,
            granted,
            bounds: Bounds { closed, ..order.bounds.clone() },
            aliases: Aliases::default(),
            persons: None,
            governing: Vec::new(),
            linked: OnceLock::new(),
        })
    }

    /// The same, where these files are known to have been closed, for a person with this home folder.
    pub(crate) fn knowing(self, aliases: Aliases, home: Option<PathBuf>) -> Self {
        Self { aliases, persons: home, ..self }
    }

    /// The same, where files of these names say what may be done, wherever they are.
    pub fn governed_by(self, names: &[String]) -> Self {
        Self { governing: names.to_vec(), ..self }
    }

    /// Whether a file of this name says what may be done.
    pub(super) fn governs(&self, name: &str) -> bool {
        self.governing.iter().any(|governing| governing == name)
    }

    /// Closed files that have several names.
    fn linked(&self) -> &Aliases {
        let look = || {
            let (folder, home) = (Path::new(self.folder()), self.persons.as_deref());
            Aliases::default().and_linked(folder, closed_files(folder, home, &self.bounds.closed))
        };
        self.linked.get_or_init(look)
    }

    /// Whether a file is another name of one that is closed by its own, and nobody has opened it.
    pub(super) fn is_alias(&self, path: &str, about: &Metadata) -> bool {
        let file = Identity::new(about.dev(), about.ino(), about.created().ok().map(|born| born.into_std()));
        let is_closed = |name: &str| {
            let is_secret = names_secrets(&self.absolute(name)) && !self.is_granted(name);
            name != path && (is_secret || self.is_closed(name))
        };
        let is_linked = || about.nlink() > 1 && self.linked().of(file).any(is_closed);
        !self.is_granted(path) && (self.aliases.of(file).any(is_closed) || is_linked())
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

    /// Whether a rule keeps this path closed, and nobody has opened it.
    pub(super) fn is_closed(&self, path: &str) -> bool {
        !path.is_empty() && !self.is_granted(path) && self.bounds.closed.iter().any(|pattern| path_fits(pattern, path))
    }

    /// The same for a file that was asked for through links: by what it is really called and by every name on the way.
    /// What was granted is granted by its real name.
    pub(super) fn closes(&self, path: &str, ways: &[String]) -> bool {
        self.is_closed(path) || (!self.is_granted(path) && ways.iter().any(|way| self.is_closed(way)))
    }

    /// The absolute form of what a path is really called.
    pub(super) fn absolute(&self, path: &str) -> String {
        if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", self.folder()) }
    }

    /// What a path leads to, if it may be touched for this purpose.
    pub(super) fn find(&self, path: &str, purpose: Purpose, links: Links) -> Result<ResolvedPath, Fault> {
        let parts = match place(path, &self.home.known())? {
            PathPlace::Inside(parts) => {
                let found = PathWalk::on(&self.home, path, parts, purpose, links).walk()?;
                if purpose == Purpose::Reading && self.closes(&found.path, &found.ways) {
                    return Err(Fault::Closed { path: found.path });
                }
                return Ok(found);
            }
            PathPlace::Outside(parts) => parts,
        };
        let meant = format!("/{}", parts.join("/"));
        let is_granted = self.is_granted(&meant);
        if purpose == Purpose::Reading && !is_granted {
            let readable = self.bounds.readable.iter().map(|folder| normal(folder));
            let below = readable.filter(|folder| meant == *folder || meant.starts_with(&format!("{folder}/")));
            let Some(folder) = below.max_by_key(String::len) else { return Err(outside(&meant, purpose)) };
            let ground = Root::open(&folder)?;
            let PathPlace::Inside(parts) = place(&meant, &ground.known())? else {
                return Err(outside(&meant, purpose));
            };
            let found = PathWalk::on(&ground, path, parts, purpose, links).walk()?;
            let below = |path: &str| [folder.as_str(), path].join("/").trim_end_matches('/').to_owned();
            let path = below(&found.path);
            let ways: Vec<String> = found.ways.iter().map(|way| below(way)).collect();
            if self.closes(&path, &ways) {
                return Err(Fault::Closed { path });
            }
            return Ok(ResolvedPath { path, ways, outside: true, ..found });
        }
        if !is_granted || (purpose == Purpose::Writing && belongs_to_system(&meant)) {
            return Err(outside(&meant, purpose));
        }
        let root = Root::open("/")?;
        let found = PathWalk::on(&root, &meant, parts, purpose, Links::Refused).walk()?;
        Ok(ResolvedPath { path: meant, outside: true, ..found })
    }
}

/// These patterns, and where one begins with a link to somewhere in the folder, the same by what is really there.
pub(crate) fn by_real_names(folder: &Path, patterns: &[String]) -> Vec<String> {
    let real = |pattern: &String| {
        let parts: Vec<String> = parts(pattern);
        let plain = parts.iter().take_while(|part| !part.contains(['*', '?'])).count();
        let named = folder.join(parts[..plain].join("/"));
        let really = named.canonicalize().ok().filter(|really| plain > 0 && *really != named)?;
        let below = really.strip_prefix(folder).ok()?.to_str()?;
        let whole = [below].into_iter().chain(parts[plain..].iter().map(String::as_str)).collect::<Vec<_>>().join("/");
        // With a slash, so that it means this one place and nothing of the same name elsewhere.
        (!below.is_empty()).then(|| format!("./{whole}"))
    };
    patterns.iter().cloned().chain(patterns.iter().filter_map(real)).collect()
}

impl Root {
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
