//! A folder of work, a decoy home with a key in it, and something outside both.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use enza_work::{Bounds, Fault, Invocation, Job, Order, ResourceLimits, Run, RunEnd, RunResult};
use enza_workshop::run::Runner;
use tempfile::TempDir;

/// What must never be seen by a command.
pub const KEY: &str = "the-key-of-the-house";

/// Long enough for anything that works.
pub const LONG: u32 = 300;

pub struct RunFixture {
    pub root: TempDir,
    pub runner: Runner,
    pub granted: Vec<String>,
    pub readable: Vec<String>,
    pub closed: Vec<String>,
    pub most: ResourceLimits,
    pub unsealed: bool,
    elsewhere: Option<PathBuf>,
}

impl RunFixture {
    pub fn new() -> Self {
        let root = TempDir::new().unwrap();
        for folder in ["work", "outside", "scratch", "home/.ssh"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        let home = root.path().join("home");
        fs::write(home.join(".ssh/id_ed25519"), KEY).unwrap();
        let mut runner = Runner::new(Some(home), "/usr/local/bin:/usr/bin:/bin".into());
        runner.program = PathBuf::from(env!("CARGO_BIN_EXE_confined"));
        runner.scratch = root.path().join("scratch");
        Self {
            root,
            runner,
            granted: Vec::new(),
            readable: Vec::new(),
            closed: Vec::new(),
            most: ResourceLimits::default(),
            unsealed: false,
            elsewhere: None,
        }
    }

    /// With the home folder and the toolchains of whoever runs the tests.
    pub fn at_home() -> Self {
        let mut stage = Self::new();
        stage.runner.path = std::env::var_os("PATH").expect("the tests need a PATH");
        stage.runner.home = Some(std::env::var_os("HOME").expect("the tests need a HOME").into());
        stage
    }

    /// The same folders as another stage, which has them at `root`.
    pub fn stand_in(&mut self, root: PathBuf) {
        self.runner.scratch = root.join("scratch");
        self.runner.home = Some(root.join("home"));
        self.elsewhere = Some(root);
    }

    /// Where everything is.
    pub fn top(&self) -> &Path {
        self.elsewhere.as_deref().unwrap_or(self.root.path())
    }

    pub fn folder(&self) -> PathBuf {
        self.top().join("work")
    }

    pub fn outside(&self) -> PathBuf {
        self.root.path().join("outside")
    }

    pub fn key(&self) -> PathBuf {
        self.root.path().join("home/.ssh/id_ed25519")
    }

    /// What is left of private folders.
    pub fn scratch(&self) -> Vec<OsString> {
        fs::read_dir(&self.runner.scratch).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.folder().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub async fn line(&self, line: &str) -> RunResult {
        self.run(&Self::quiet(line)).await.unwrap()
    }

    pub async fn python(&self, script: &str) -> RunResult {
        self.write("script.py", script);
        self.line("python3 script.py").await
    }

    pub async fn words(&self, words: &[&str]) -> Result<RunResult, Fault> {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        self.run(&Run { command: Invocation::Words(words), ..Self::quiet("") }).await
    }

    pub async fn run(&self, run: &Run) -> Result<RunResult, Fault> {
        self.runner.run(&self.order(run), run).await
    }

    pub fn order(&self, run: &Run) -> Order {
        Order {
            folder: self.folder().to_str().unwrap().to_owned(),
            task: Job::Run(run.clone()),
            bounds: Bounds {
                readable: self.readable.clone(),
                closed: self.closed.clone(),
                most: self.most,
                unsealed: self.unsealed,
                ..Bounds::default()
            },
            granted: self.granted.clone(),
        }
    }

    /// A line for the shell, without the network.
    pub fn quiet(line: &str) -> Run {
        Run { command: Invocation::Line(line.to_owned()), at: String::new(), seconds: LONG, network: false }
    }

    /// A program that does `before` and then is the keeper.
    pub fn keeper_after(&mut self, before: &str) {
        let script = self.root.path().join("keeper");
        let confined = env!("CARGO_BIN_EXE_confined");
        fs::write(&script, format!("#!/bin/bash\nexport PATH=/usr/bin:/bin\n{before} {confined} \"$@\"\n")).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        self.runner.program = script;
    }
}

/// How a command ended and what it printed.
pub fn told(ran: &RunResult) -> (RunEnd, &str) {
    (ran.ended, ran.output.as_str())
}

/// Whether a process is there; one that only waits to be taken note of is not.
pub fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(pid.trim()).join("stat"));
    stat.is_ok_and(|stat| !stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('Z')))
}
