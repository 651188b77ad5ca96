//! A house of one's own: data, config and models folders, and the binary run in them.
//!
//! Nothing of the developer's gets in: no key, no config file, no weights, no proxy. The understudy plays unless a test
//! says otherwise, so no test here can cost anything or depend on who runs it.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use enza_models::providers::Providers;
use serde_json::Value;

/// Variables that change what the binary does, besides the keys of providers.
const MEDDLING: [&str; 18] = [
    "ENZA_DATA",
    "ENZA_DATABASE",
    "ENZA_LOG",
    "HF_ENDPOINT",
    "LC_ALL",
    "LC_MESSAGES",
    "NO_COLOR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "ALL_PROXY",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "all_proxy",
    "https_proxy",
    "http_proxy",
    "NO_PROXY",
    "no_proxy",
    "RUST_LOG",
];

/// A data folder.
pub struct House {
    folder: tempfile::TempDir,
}

/// What a run left behind.
#[derive(Debug)]
pub struct Run {
    /// The exit status.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl House {
    /// An empty one.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The config folder.
    pub fn config(&self) -> PathBuf {
        self.folder.path().join("config")
    }

    /// The models folder.
    pub fn models(&self) -> PathBuf {
        self.folder.path().join("models")
    }

    /// A file in the house; folders on the way to it are made.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// The binary in this house, without a terminal, in English.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = bare(arguments);
        self.furnish(&mut command);
        command
    }

    /// Lets a command that starts the binary by itself start it in this house.
    pub fn furnish(&self, command: &mut Command) {
        shut_out(command);
        command.env("ENZA_DATA", self.data()).env("ENZA_CONFIG", self.config()).env("ENZA_MODELS", self.models());
    }

    /// Runs it to its end.
    pub fn enza(&self, arguments: &[&str]) -> Run {
        finished(&mut self.command(arguments))
    }

    /// Runs it with `--json`; standard output must be one JSON value, and nothing else.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let run = self.enza(&[&["--json"], arguments].concat());
        assert_eq!(run.status, 0, "{run:?}");
        run.json()
    }

    /// An interview that has come to its end; its session.
    pub fn finished_interview(&self) -> String {
        let answers = self.file("answers.txt", "The lamp flickers since Monday\nHall 2, by the door\n/skip\n");
        let value = self.json(&["interview", "run", "--answers", &answers, "--yes"]);
        value["session"].as_str().unwrap().to_owned()
    }

    /// An interview that stands at its gate; its session.
    pub fn interview_at_gate(&self) -> String {
        let answers = self.file("answers.txt", "The lamp flickers since Monday\nHall 2, by the door\n/skip\n");
        let run = self.enza(&["--json", "interview", "run", "--answers", &answers]);
        assert_eq!(run.status, 4, "{run:?}");
        run.json()["error"]["session"].as_str().unwrap().to_owned()
    }
}

impl Run {
    /// Standard output as one JSON value.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|why| panic!("{why}: {self:?}"))
    }

    /// Standard output as JSON lines.
    pub fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}"))).collect()
    }

    /// Insists on how it failed, and that it says what to do next and where to read more.
    pub fn failed(&self, status: i32, code: &str, next: &str) {
        assert_eq!(self.status, status, "{self:?}");
        assert!(self.err.contains(&format!("docs/errors/{code}.md")), "{self:?}");
        assert!(self.err.contains(next), "{next:?} is not in {self:?}");
    }
}

/// The binary without a data folder, and with config and models folders that are not there.
pub fn bare(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_enza"));
    shut_out(&mut command);
    command.env("ENZA_CONFIG", "/nowhere/config").env("ENZA_MODELS", "/nowhere/models");
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Keeps out what the developer has set.
fn shut_out(command: &mut Command) {
    let keys = Providers::built_in();
    let keys = keys.iter().filter_map(|provider| provider.key_variable.as_deref());
    for name in keys.chain(MEDDLING) {
        command.env_remove(name);
    }
    command.env("LANG", "en_US.UTF-8").env("ENZA_MODEL", "understudy");
}

/// Runs a command to its end.
pub fn finished(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    Run {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
