//! Which files a confined command may touch, as Landlock rules.
//!
//! It may read and execute what belongs to the system and to toolchains, and do as it likes in the folder of work and
//! in its private folder. Nothing else of the home folder can be opened, whatever it is called on the way there: a link,
//! `/proc/self/root` and `..` lead to the same file, and the file is what is guarded.
//!
//! Landlock can only add to what a folder above grants. So where a folder holds secret files, everything in it is
//! granted by itself and the folder only for writing. The price: what a command makes anew directly in such a folder,
//! it can write but not read back before its next run.
//!
//! Other limits, on purpose: whether a file exists, its size and its times can always be asked; what other processes
//! were called with can be read in `/proc`; a command may write what a person later runs (a Makefile), and what git
//! runs by itself in nested repositories is put back only when it is over (`files/guarded/`); `/dev/shm` stays closed, because
//! everyone's shared memory lies there, so Python's pools of processes do not work. Permissions, owners and times are kept by
//! `mounts.rs`.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use enza_work::pattern::path_fits;
use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, PathBeneath, Ruleset, RulesetAttr as _, RulesetCreated,
    RulesetCreatedAttr as _, RulesetStatus, Scope, make_bitflags,
};
use rustix::fs::{Dir, Mode, OFlags, openat};

use super::repository;
use super::secrets::{self, Closed};
use crate::files::Identity;
use crate::run::command_spec::CommandSpec;

/// What belongs to the system, to be read and executed. `/etc` is looked at more closely.
const SYSTEM: [&str; 18] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/snap",
    "/home/linuxbrew/.linuxbrew",
    "/proc",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
    "/run/systemd/resolve",
    "/run/current-system/sw",
];

/// Toolchains below the home folder that no variable leads to (`toolchains.rs`), to be read and executed. Each is a part that
/// never holds a key.
const TOOLCHAINS: [&str; 5] = [".deno/bin", ".sdkman/candidates", ".ghcup/bin", ".local/bin", ".local/lib"];

/// Cargo looks for these above every project; they are shown unless they speak of tokens.
const CARGO_SETTINGS: [&str; 2] = ["config.toml", "config"];

/// Devices that programs cannot do without.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Reading and executing.
const LOOK: BitFlags<AccessFs> = make_bitflags!(AccessFs::{Execute | ReadFile | ReadDir});

/// Raises the wall around the calling thread.
pub fn restrict_files(cell: &CommandSpec) -> io::Result<()> {
    let abi = ABI::from(i32::try_from(cell.abi).unwrap_or(i32::MAX));
    let mut rules = FileRules { rules: Some(ruleset(abi, cell.network)?), abi };
    rules.system(cell)?;
    rules.toolchains(cell)?;
    rules.programs(cell)?;
    rules.devices()?;
    for folder in repository::elsewhere(&cell.folder) {
        rules.grant_if_there(&folder, LOOK)?;
    }
    let (ruled, secret) = (|path: &Path| is_ruled(cell, path), |path: &Path| is_secret(cell, path));
    let has_rules = !cell.closed.is_empty() || !cell.aliases.is_empty();
    let closed = Closed { secret: &secret, ruled: has_rules.then_some(&ruled) };
    let outside = cell.granted.iter().filter(|path| !path.starts_with(&cell.folder));
    for path in cell.readable.iter().chain(outside) {
        rules.readable(path, &closed)?;
    }
    let work = rules.work();
    rules.grant(&File::open(&cell.scratch)?, work)?;
    let folder = File::open(&cell.folder)?;
    let writing = work & !make_bitflags!(AccessFs::{ReadFile | Execute});
    rules.around_secrets(&folder, &cell.folder, &closed, [work, writing])?;
    rules.close()
}

/// The files of the folder of work that are closed.
pub fn closed_files(cell: &CommandSpec) -> Vec<PathBuf> {
    let (ruled, secret) = (|path: &Path| is_ruled(cell, path), |path: &Path| is_secret(cell, path));
    let closed = Closed { secret: &secret, ruled: (!cell.closed.is_empty()).then_some(&ruled) };
    secrets::files(&cell.folder, &closed)
}

/// Whether a rule closes a path, by its name or by one that the same file had.
fn is_ruled(cell: &CommandSpec, path: &Path) -> bool {
    let fits = |name: &str| cell.closed.iter().any(|pattern| path_fits(pattern, name));
    let had = |name: &str| fits(name) || secrets::is_secret(&cell.folder.join(name));
    let is_alias = || {
        let about = path.symlink_metadata().ok().filter(|about| about.is_file());
        about.is_some_and(|about| cell.aliases.of(Identity::of(&about)).any(had))
    };
    let below = path.strip_prefix(&cell.folder).unwrap_or(path).to_string_lossy();
    !is_granted(cell, path) && (fits(&below) || (!cell.aliases.is_empty() && is_alias()))
}

fn is_secret(cell: &CommandSpec, path: &Path) -> bool {
    secrets::is_secret(path) && !is_granted(cell, path)
}

fn is_granted(cell: &CommandSpec, path: &Path) -> bool {
    cell.granted.iter().any(|granted| granted == path)
}

fn ruleset(abi: ABI, network: bool) -> io::Result<RulesetCreated> {
    let mut rules = Ruleset::default().handle_access(AccessFs::from_all(abi)).map_err(io::Error::other)?;
    if abi >= ABI::V4 && !network {
        rules = rules.handle_access(AccessNet::from_all(abi)).map_err(io::Error::other)?;
    }
    if abi >= ABI::V6 {
        rules = rules.scope(Scope::from_all(abi)).map_err(io::Error::other)?;
    }
    rules.create().map_err(io::Error::other)
}

struct FileRules {
    /// Only absent while a rule is being added.
    rules: Option<RulesetCreated>,
    abi: ABI,
}

impl FileRules {
    fn system(&mut self, cell: &CommandSpec) -> io::Result<()> {
        let home = cell.home.as_deref();
        // A home folder inside one of these would be opened with it.
        for path in SYSTEM.iter().filter(|path| !home.is_some_and(|home| home.starts_with(path))) {
            self.grant_if_there(Path::new(path), LOOK)?;
        }
        let etc = Path::new("/etc");
        match File::open(etc) {
            Ok(folder) => {
                let closed = Closed { secret: &secrets::is_of_the_system, ruled: None };
                self.around_secrets(&folder, etc, &closed, [LOOK, AccessFs::ReadDir.into()])
            }
            Err(_) => Ok(()),
        }
    }

    fn toolchains(&mut self, cell: &CommandSpec) -> io::Result<()> {
        let toolchains = cell.toolchains();
        let others = cell.home.iter().flat_map(|home| TOOLCHAINS.map(|path| home.join(path)));
        for path in toolchains.readable().into_iter().chain(others) {
            self.grant_if_there(&path, LOOK)?;
        }
        for path in toolchains.cargo_home().iter().flat_map(|cargo| CARGO_SETTINGS.map(|path| cargo.join(path))) {
            if std::fs::read_to_string(&path).is_ok_and(|text| !text.contains("token")) {
                self.grant_if_there(&path, LOOK)?;
            }
        }
        Ok(())
    }

    /// Where programs are looked for, they can be run; a folder that holds the home folder stays closed.
    fn programs(&mut self, cell: &CommandSpec) -> io::Result<()> {
        let holds_home = |folder: &Path| {
            let folder = folder.canonicalize();
            folder.is_ok_and(|folder| cell.home.as_ref().is_some_and(|home| home.starts_with(folder)))
        };
        for folder in &cell.path {
            if folder.is_dir() && !secrets::is_secret(folder) && !holds_home(folder) {
                self.grant_if_there(folder, LOOK)?;
            }
        }
        Ok(())
    }

    fn devices(&mut self) -> io::Result<()> {
        let access = make_bitflags!(AccessFs::{ReadFile | WriteFile | IoctlDev}) & AccessFs::from_all(self.abi);
        for path in DEVICES {
            self.grant_if_there(Path::new(path), access)?;
        }
        Ok(())
    }

    /// A folder or file outside that may be read, but for what is closed in it.
    fn readable(&mut self, path: &Path, closed: &Closed<'_>) -> io::Result<()> {
        match File::open(path) {
            Ok(folder) if path.is_dir() => self.around_secrets(&folder, path, closed, [LOOK, AccessFs::ReadDir.into()]),
            Ok(_) if closed.is(Path::new("/"), path) => Ok(()),
            Ok(_) => self.grant_if_there(path, LOOK),
            Err(_) => Ok(()),
        }
    }

    /// Everything that may be done in the folder of work.
    fn work(&self) -> BitFlags<AccessFs> {
        AccessFs::from_all(self.abi) & !make_bitflags!(AccessFs::{MakeChar | MakeBlock | IoctlDev})
    }

    /// Grants `whole` on a folder, or, where something in it is closed, `part` on the folder and `whole` on the rest.
    fn around_secrets(
        &mut self,
        folder: &File,
        path: &Path,
        closed: &Closed<'_>,
        [whole, part]: [BitFlags<AccessFs>; 2],
    ) -> io::Result<()> {
        let split = secrets::holders(path, closed);
        let is_closed = |below: &Path| closed.is(path, below);
        self.divide(folder, path, &is_closed, &split, [whole, part])
    }

    fn divide(
        &mut self,
        folder: &File,
        path: &Path,
        closed: &dyn Fn(&Path) -> bool,
        split: &BTreeSet<PathBuf>,
        [whole, part]: [BitFlags<AccessFs>; 2],
    ) -> io::Result<()> {
        if !split.contains(path) {
            return self.grant(folder, whole);
        }
        self.grant(folder, part)?;
        for entry in Dir::read_from(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let below = path.join(&name);
            if name == "." || name == ".." || closed(&below) {
                continue;
            }
            // From the open folder and without following a link: what is granted is what was looked at.
            let flags = OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let Ok(handle) = openat(folder, entry.file_name(), flags | OFlags::PATH, Mode::empty()) else { continue };
            let handle = File::from(handle);
            let kind = handle.metadata()?.file_type();
            if kind.is_symlink() {
                continue;
            }
            if kind.is_dir() && split.contains(&below) {
                let flags = flags | OFlags::RDONLY | OFlags::DIRECTORY;
                let Ok(inner) = openat(folder, entry.file_name(), flags, Mode::empty()) else { continue };
                self.divide(&File::from(inner), &below, closed, split, [whole, part])?;
            } else {
                self.grant(&handle, whole)?;
            }
        }
        Ok(())
    }

    fn grant_if_there(&mut self, path: &Path, access: BitFlags<AccessFs>) -> io::Result<()> {
        let opened = OpenOptions::new().read(true).custom_flags(OFlags::PATH.bits().cast_signed()).open(path);
        opened.map_or(Ok(()), |file| self.grant(&file, access))
    }

    fn grant(&mut self, file: &File, access: BitFlags<AccessFs>) -> io::Result<()> {
        let kind = file.metadata()?.file_type();
        if kind.is_socket() {
            return Ok(());
        }
        let access = if kind.is_dir() { access } else { access & AccessFs::from_file(self.abi) };
        let Some(rules) = self.rules.take() else { return Err(io::Error::other("the rules are gone")) };
        if access.is_empty() {
            self.rules = Some(rules);
            return Ok(());
        }
        self.rules = Some(rules.add_rule(PathBeneath::new(file, access)).map_err(io::Error::other)?);
        Ok(())
    }

    fn close(self) -> io::Result<()> {
        let Some(rules) = self.rules else { return Err(io::Error::other("the rules are gone")) };
        let status = rules.restrict_self().map_err(io::Error::other)?;
        match status.ruleset {
            RulesetStatus::FullyEnforced if status.no_new_privs => Ok(()),
            RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced | RulesetStatus::NotEnforced => {
                Err(io::Error::other("the kernel raised the wall around files only in part"))
            }
        }
    }
}
