//! Commits files of the folder of work, where it is under git.
//!
//! Git itself runs confined, as every command does, so that a hook of the project reaches no further than the project.
//! Whoever commits is whom the person's own settings name; they are asked for outside, since the home folder is closed
//! inside. Only the named files are in the commit: what the person has staged besides stays staged. A name is a name and
//! never a pattern, and what git says about names is read letter by letter: a deleted file is known by nothing else.

use std::path::Path;

use enza_work::{Fault, Invocation, Order, Run, RunEnd, RunResult};

use crate::run::Runner;

/// How long each step may take, in seconds.
const SECONDS: u32 = 120;

/// Commits these files with this message; gives the commit's short name.
pub async fn commit(runner: &Runner, order: &Order, paths: &[String], message: &str) -> Result<String, Fault> {
    let git = Git { runner, order, who: who(runner).await };
    let tracked = git.lines(&["ls-files", "-z", "--"], paths).await?;
    let ignored = git.lines(&["ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--"], paths).await?;
    let is_there = |path: &str| Path::new(&order.folder).join(path).symlink_metadata().is_ok();
    let is_known = |path: &str| tracked.iter().any(|known| known == path);
    let is_ours = |path: &&String| is_known(path) || (is_there(path) && !ignored.contains(path));
    let paths: Vec<String> = paths.iter().filter(is_ours).cloned().collect();
    if paths.is_empty() {
        return Err(Fault::NothingToCommit { why: "git has none of these files".to_owned() });
    }
    git.done(&["add", "-A", "--"], &paths).await?;
    git.done(&["commit", "--quiet", "-m", message, "--"], &paths).await?;
    let name = git.done(&["rev-parse", "--short", "HEAD"], &[]).await?;
    Ok(name.trim().to_owned())
}

struct Git<'a> {
    runner: &'a Runner,
    order: &'a Order,
    /// `user.name=…` and `user.email=…`, where the person has set them.
    who: Vec<String>,
}

impl Git<'_> {
    async fn run(&self, words: &[&str], paths: &[String]) -> Result<RunResult, Fault> {
        let run = self.command(words, paths);
        self.runner.run(self.order, &run).await
    }

    fn command(&self, words: &[&str], paths: &[String]) -> Run {
        let mut command = vec!["git".to_owned(), "--literal-pathspecs".to_owned()];
        command.extend(self.who.iter().flat_map(|setting| ["-c".to_owned(), setting.clone()]));
        command.extend(words.iter().map(|word| (*word).to_owned()).chain(paths.iter().cloned()));
        Run { command: Invocation::Words(command), at: String::new(), seconds: SECONDS, network: false }
    }

    /// What git printed, if it came off.
    async fn done(&self, words: &[&str], paths: &[String]) -> Result<String, Fault> {
        let ran = self.run(words, paths).await?;
        if ran.ended == RunEnd::Status(0) { Ok(ran.output) } else { Err(failed(&ran)) }
    }

    /// The paths that git printed.
    async fn lines(&self, words: &[&str], paths: &[String]) -> Result<Vec<String>, Fault> {
        let (ended, printed) = self.runner.run_plainly(self.order, &self.command(words, paths)).await?;
        if ended != RunEnd::Status(0) {
            // Why is read as it is shown.
            return Err(failed(&self.run(words, paths).await?));
        }
        let names = printed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }
}

fn failed(ran: &RunResult) -> Fault {
    let last: Vec<&str> = ran.output.lines().filter(|line| !line.trim().is_empty()).collect();
    let from = last.len().saturating_sub(4);
    Fault::NothingToCommit { why: last[from..].join(" / ") }
}

/// Whom the person's own settings name. Read away from the folder, so that nothing in it has a say.
async fn who(runner: &Runner) -> Vec<String> {
    let mut who = Vec::new();
    for key in ["user.name", "user.email"] {
        let mut git = tokio::process::Command::new("git");
        git.args(["config", "--global", "--get", key]).current_dir("/").env_clear().env("PATH", &runner.path);
        if let Some(home) = &runner.home {
            git.env("HOME", home);
        }
        let Ok(told) = git.stdin(std::process::Stdio::null()).kill_on_drop(true).output().await else { continue };
        let value = String::from_utf8_lossy(&told.stdout).trim().to_owned();
        if !value.is_empty() {
            who.push(format!("{key}={value}"));
        }
    }
    who
}
