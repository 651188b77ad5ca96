//! A data folder of its own, and the binary run in it.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

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

    /// A file beside it.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// The binary in this house, without a terminal, in English.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = bare(arguments);
        command.env("ENZA_DATA", self.data());
        command
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

/// The binary without a data folder.
pub fn bare(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_enza"));
    for name in ["ENZA_DATA", "ENZA_DATABASE", "LC_ALL", "LC_MESSAGES", "NO_COLOR", "XDG_DATA_HOME"] {
        command.env_remove(name);
    }
    command.args(arguments).env("LANG", "en_US.UTF-8").stdin(Stdio::null());
    command
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
