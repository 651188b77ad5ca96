//! A small repository and a model that plays by script, for the companion's tests.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::behaviour::models_provider::{Answer, Asked, KEY_VARIABLE, Provider};
use crate::house::{House, Run, finished};

/// A house with a project in it, and a model that gives these replies one after the other.
pub struct ScriptedProject {
    pub house: House,
    /// The folder of work.
    pub project: PathBuf,
    provider: Provider,
}

impl ScriptedProject {
    /// With these replies; what is asked beyond them is refused.
    pub fn with(replies: impl IntoIterator<Item = Value>) -> Self {
        Self::answering(replies.into_iter().map(|reply| Answer::Words(reply.to_string())))
    }

    /// With these answers of the provider; what is asked beyond them is refused.
    pub fn answering(answers: impl IntoIterator<Item = Answer>) -> Self {
        let answers: Mutex<VecDeque<Answer>> = Mutex::new(answers.into_iter().collect());
        let over = || Answer::Refusal(400, "the script is over".to_owned());
        Self::by(move |_| answers.lock().unwrap().pop_front().unwrap_or_else(over))
    }

    /// With a model that answers by what it is asked.
    pub fn by(script: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        let provider = Provider::by(script);
        let house = House::new();
        provider.moves_into(&house, "stage");
        let project = PathBuf::from(house.file("project/README.md", "# Small\n")).parent().unwrap().to_owned();
        std::fs::create_dir_all(project.join(".git")).unwrap();
        house.file("project/src/greet.txt", "hello\nworld\n");
        Self { house, project: project.canonicalize().unwrap(), provider }
    }

    /// The companion in the project, without a terminal.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.house.command(&[&["companion"], arguments].concat());
        self.furnish(&mut command);
        command.current_dir(&self.project);
        command
    }

    /// Lets a command that starts the binary by itself meet the same model.
    pub fn furnish(&self, command: &mut Command) {
        command.env("ENZA_MODEL", "stage/actor").env(KEY_VARIABLE, "a-key");
    }

    /// Runs it to its end.
    pub fn enza(&self, arguments: &[&str]) -> Run {
        finished(&mut self.command(arguments))
    }

    /// Every file of the project with its content.
    pub fn tree(&self) -> Vec<(PathBuf, String)> {
        let mut found = Vec::new();
        walk(&self.project, &mut found);
        found.sort();
        found
    }

    /// A file of the project.
    pub fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.project.join(path)).unwrap()
    }

    /// How often the model was asked.
    pub fn asked(&self) -> usize {
        self.provider.asked().len()
    }

    /// What the model was last asked, as text.
    pub fn last_heard(&self) -> String {
        self.provider.asked().last().map(|asked| asked.body.to_string()).unwrap_or_default()
    }

    /// Everything the model was asked, as text.
    pub fn heard(&self) -> String {
        self.provider.asked().iter().map(|asked| asked.body.to_string()).collect()
    }
}

fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, found);
        } else {
            found.push((path.clone(), String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned()));
        }
    }
}

/// A reply that only talks.
pub fn talk(text: &str) -> Value {
    reply("done", json!({ "reply": text }))
}

/// A reply that wants the greeting changed.
pub fn change() -> Value {
    let edit = json!({
        "operation": "edit", "path": "src/greet.txt", "old": "world", "content": "moon", "rationale": "as asked",
    });
    reply("done", json!({ "reply": "I will greet the moon.", "actions": [edit] }))
}

/// A review that is content.
pub fn approval() -> Value {
    let review = json!({ "rating": "good", "problems": [], "proposals": [], "approval": "approved" });
    reply("done", json!({ "reply": "It greets the moon.", "step": "REVIEW", "review": review }))
}

/// A reply that goes on like this, with whatever else it has.
pub fn reply(next: &str, more: Value) -> Value {
    let mut reply = json!({
        "rationale": "the person asked", "goal_consistency": "yes", "constraint_check": "yes", "next_step": next,
        "step": "PLANNING", "prompt_pattern": "base_main",
    });
    for (key, value) in more.as_object().unwrap() {
        reply[key] = value.clone();
    }
    reply
}
