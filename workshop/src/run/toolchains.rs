//! Toolchains that lie outside the folder: which may be read, and the variables that lead to them.
//!
//! They are followed as the programs themselves do. A virtual environment is known by its `pyvenv.cfg`, which says where
//! the Python behind it is; an interpreter that is found in `PATH` brings the folders around it, wherever links lead; and
//! variables such as `CARGO_HOME` say where a toolchain's home is. The variables are the person's, read at the edge.
//!
//! What lies in the folder of work may have been written by a command, and so decides nothing by itself: the Python that a
//! `pyvenv.cfg` names is opened only where there really is one. Never opened are a home folder, whatever lies above it, and
//! the parts of a toolchain's home that hold keys.

use std::path::{Path, PathBuf};

use super::sandbox;

/// Variables that lead to toolchains, what each means below the home folder if it is not set (nothing where that cannot be
/// told), and which parts of it may be read; no parts for all of it.
const HOMES: [(&str, &str, &[&str]); 14] = [
    ("CARGO_HOME", ".cargo", &["bin", "env", "git", "registry"]),
    ("RUSTUP_HOME", ".rustup", &["settings.toml", "toolchains"]),
    ("PYENV_ROOT", ".pyenv", &["bin", "completions", "libexec", "plugins", "pyenv.d", "shims", "version", "versions"]),
    ("RBENV_ROOT", ".rbenv", &["bin", "libexec", "shims", "version", "versions"]),
    ("NVM_DIR", ".nvm", &["alias", "nvm.sh", "versions"]),
    ("VOLTA_HOME", ".volta", &["bin", "tools"]),
    ("FNM_DIR", ".local/share/fnm", &["aliases", "node-versions"]),
    ("ASDF_DATA_DIR", ".asdf", &["installs", "shims"]),
    ("MISE_DATA_DIR", ".local/share/mise", &["installs", "shims"]),
    ("UV_PYTHON_INSTALL_DIR", ".local/share/uv/python", &[]),
    ("BUN_INSTALL", ".bun", &["bin"]),
    ("GOROOT", "", &[]),
    ("GOMODCACHE", "go/pkg/mod", &[]),
    ("JAVA_HOME", "", &[]),
];

/// Variables that lead to an environment, and what is in every one.
const ENVIRONMENTS: [(&str, &str); 2] = [("VIRTUAL_ENV", PYVENV), ("CONDA_PREFIX", "conda-meta")];
const PYVENV: &str = "pyvenv.cfg";

/// Variables that a command sees. Others lead to where a tool would also write.
const SEEN: [&str; 10] = [
    "RUSTUP_HOME",
    "PYENV_ROOT",
    "RBENV_ROOT",
    "NVM_DIR",
    "VOLTA_HOME",
    "GOMODCACHE",
    "GOROOT",
    "JAVA_HOME",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
];

/// Programs that need what lies around them.
const INTERPRETERS: [&str; 8] = ["python3", "python", "node", "ruby", "perl", "go", "java", "deno"];

/// What such programs need of it. Never all of it: a program may lie in the `bin` of somebody's work.
const AROUND: [&str; 13] =
    ["bin", "conda-meta", "conf", "etc", "include", "jmods", "lib", "lib64", "libexec", "pkg", PYVENV, "share", "ssl"];

/// Every variable that is followed.
pub fn variables() -> impl Iterator<Item = &'static str> {
    HOMES.iter().map(|(name, ..)| *name).chain(ENVIRONMENTS.map(|(name, _)| name))
}

/// What is known of the person's toolchains.
pub struct Toolchains<'a> {
    /// Where commands may write, and so nothing is believed.
    pub folder: &'a Path,
    pub home: Option<&'a Path>,
    /// Where programs are looked for.
    pub path: &'a [PathBuf],
    /// The person's variables, as far as they are set.
    pub set: &'a [(String, PathBuf)],
}

impl Toolchains<'_> {
    /// Folders and files outside the folder of work that may be read and executed.
    pub fn readable(&self) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = Vec::new();
        for (name, _, parts) in HOMES {
            let Some(home) = self.variable(name) else { continue };
            match parts {
                [] => found.push(home),
                parts => found.extend(parts.iter().map(|part| home.join(part))),
            }
        }
        let said = ENVIRONMENTS.iter().filter_map(|(name, mark)| Some((self.variable(name)?, *mark)));
        let by_path = self.path.iter().filter_map(|folder| Some((folder.parent()?.to_owned(), PYVENV)));
        let within = [".venv", "venv", "env"].map(|name| (self.folder.join(name), PYVENV));
        for (environment, mark) in said.chain(by_path).chain(within) {
            if environment.join(mark).exists() {
                found.extend(python_behind(&environment));
                found.extend(AROUND.iter().map(|part| environment.join(part)));
            }
        }
        for name in INTERPRETERS {
            let program = self.path.iter().map(|folder| folder.join(name)).find(|file| file.is_file());
            let Some(prefix) = program.and_then(|program| prefix(&program)) else { continue };
            found.extend(AROUND.iter().map(|part| prefix.join(part)));
            // Go builds its own library from there.
            found.extend((name == "go").then(|| prefix.join("src")));
        }
        let mut real: Vec<PathBuf> = found.into_iter().filter_map(|path| path.canonicalize().ok()).collect();
        real.retain(|path| self.may_be_read(path));
        real.sort();
        real.dedup();
        real
    }

    /// The variables that a command sees: those that lead to something that is there.
    pub fn environment(&self) -> Vec<(&'static str, PathBuf)> {
        let named = SEEN.into_iter().filter_map(|name| Some((name, self.variable(name)?)));
        named.filter(|(_, home)| home.is_dir()).collect()
    }

    /// Where cargo keeps what it has downloaded.
    pub fn cargo_home(&self) -> Option<PathBuf> {
        self.variable("CARGO_HOME")
    }

    /// What the person has set, or what is meant where nothing is.
    fn variable(&self, name: &str) -> Option<PathBuf> {
        let set = self.set.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let usual = || {
            let (_, below, _) = HOMES.iter().find(|(known, below, _)| *known == name && !below.is_empty())?;
            Some(self.home?.join(below))
        };
        set.filter(|path| path.is_absolute()).or_else(usual)
    }

    /// A home folder and what lies above it stay closed, and so does a folder of secrets.
    fn may_be_read(&self, path: &Path) -> bool {
        let holds_home = self.home.is_some_and(|home| home.starts_with(path));
        let is_secret = path.ancestors().any(sandbox::is_secret);
        path.parent().is_some() && !holds_home && !is_secret && !path.starts_with(self.folder)
    }
}

/// The parts of the Python that an environment says it stands on, if there is one.
fn python_behind(environment: &Path) -> Vec<PathBuf> {
    let settings = std::fs::read_to_string(environment.join(PYVENV)).unwrap_or_default();
    let named = |key: &str| {
        let lines = settings.lines().filter_map(|line| line.split_once('='));
        lines.into_iter().find(|(name, _)| name.trim() == key).map(|(_, value)| PathBuf::from(value.trim()))
    };
    let Some(prefix) = named("home").and_then(|home| home.canonicalize().ok()?.parent().map(Path::to_owned)) else {
        return Vec::new();
    };
    if is_python(&prefix) { AROUND.iter().map(|part| prefix.join(part)).collect() } else { Vec::new() }
}

/// Whether a Python is installed there: its library tells.
fn is_python(prefix: &Path) -> bool {
    let folders = ["lib", "lib64"].into_iter().filter_map(|lib| std::fs::read_dir(prefix.join(lib)).ok());
    let mut libraries = folders.flatten().flatten().map(|entry| entry.path());
    libraries.any(|library| {
        let is_named = library.file_name().is_some_and(|name| name.to_string_lossy().starts_with("python"));
        is_named && library.join("os.py").is_file()
    })
}

/// The folder that has the `bin` in which a program really lies.
fn prefix(program: &Path) -> Option<PathBuf> {
    let real = program.canonicalize().ok()?;
    let bin = real.parent().filter(|folder| folder.ends_with("bin"))?;
    bin.parent().map(Path::to_owned)
}
