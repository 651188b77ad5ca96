//! A folder of work with a canary beside it and a store, for one test.
//!
//! The canary is a folder outside the folder of work. Whatever a test asks for, it must stay as it is and must not be
//! read: every one of its files holds the word `canary`.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};

use enza_work::{Bounds, Change, Fault, Job, Order, PreparedChange, Proposal, RestoreResult};
use enza_workshop::files::{self, Access};
use enza_workshop::store::Store;
use tempfile::TempDir;

pub struct TestProject {
    _all: TempDir,
    pub top: PathBuf,
    pub work: PathBuf,
    pub granted: Vec<String>,
    pub bounds: Bounds,
    pub store: Store,
}

/// Everything below a folder: what each path is and holds.
pub type Tree = BTreeMap<String, String>;

impl TestProject {
    /// A folder of work with these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let all = tempfile::Builder::new().prefix("ws-files-").tempdir().unwrap();
        let top = all.path().canonicalize().unwrap();
        let work = top.join("work");
        fs::create_dir(&work).unwrap();
        fs::create_dir_all(top.join("beside/deep")).unwrap();
        fs::create_dir_all(top.join("workshop")).unwrap();
        for name in ["beside/one.txt", "beside/deep/two.txt", "workshop/x.txt"] {
            fs::write(top.join(name), "canary\n").unwrap();
        }
        let store = Store::open(&top.join("store"), Store::MOST).unwrap();
        let yard = Self { _all: all, top, work, granted: Vec::new(), bounds: Bounds::default(), store };
        for (name, text) in files {
            yard.write(name, text);
        }
        yard
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.work.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn link(&self, target: impl AsRef<Path>, name: &str) {
        symlink(target, self.work.join(name)).unwrap();
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.work.join(name)).unwrap()
    }

    pub fn order(&self, task: Job) -> Order {
        Order {
            folder: self.work.to_str().unwrap().to_owned(),
            task,
            bounds: self.bounds.clone(),
            granted: self.granted.clone(),
        }
    }

    pub fn reach(&self) -> Access {
        Access::of(&self.order(Job::List { path: String::new(), depth: 1 }))
            .unwrap()
            .governed_by(&["companion.toml".to_owned()])
    }

    pub fn prepare(&self, proposals: &[Proposal]) -> Result<Vec<PreparedChange>, Fault> {
        files::prepare(&self.reach(), &self.store, proposals)
    }

    /// The changes that proposals come to.
    pub fn changes(&self, proposals: &[Proposal]) -> Vec<Change> {
        self.prepare(proposals).unwrap().into_iter().map(|prepared| prepared.change).collect()
    }

    pub fn make(&self, changes: &[Change]) -> Result<Vec<Change>, Fault> {
        files::make(&self.reach(), &self.store, changes)
    }

    pub fn restore(&self, changes: &[Change]) -> RestoreResult {
        files::restore(&self.reach(), &self.store, changes).unwrap()
    }

    /// Everything in the folder of work.
    pub fn tree(&self) -> Tree {
        tree(&self.work)
    }

    /// Everything beside the folder of work.
    pub fn canary(&self) -> Tree {
        let mut all = tree(&self.top.join("beside"));
        all.extend(tree(&self.top.join("workshop")).into_iter().map(|(path, held)| (format!("workshop/{path}"), held)));
        all
    }
}

pub fn tree(folder: &Path) -> Tree {
    let mut all = Tree::new();
    walk(folder, "", &mut all);
    all
}

fn walk(folder: &Path, path: &str, all: &mut Tree) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = format!("{path}{}", entry.file_name().to_string_lossy());
        let about = entry.metadata().unwrap();
        if about.is_dir() {
            all.insert(format!("{name}/"), String::new());
            walk(&entry.path(), &format!("{name}/"), all);
        } else if about.is_symlink() {
            all.insert(name, format!("-> {}", fs::read_link(entry.path()).unwrap().display()));
        } else if about.is_file() {
            let text = String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned();
            all.insert(name, format!("{:o} {text}", about.mode() & 0o777));
        } else {
            all.insert(name, "special".to_owned());
        }
    }
}

pub fn put(path: &str, content: &str) -> Proposal {
    Proposal::Write { path: path.to_owned(), content: content.to_owned() }
}

pub fn delete(path: &str) -> Proposal {
    Proposal::Delete { path: path.to_owned() }
}

pub fn rename(path: &str, to: &str) -> Proposal {
    Proposal::Move { path: path.to_owned(), to: to.to_owned() }
}
