//! How the companion behaves in a session: pinned when the session is opened, so that a log means the same for ever.
//!
//! The edge makes it from the user's and the project's files. A project's file may tighten what the user's allows and
//! never loosen it: `allow` rules and check commands of a project count only once the user trusts the project.

use enza_kernel::text::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::consent::Rule;
use super::flow::wants::command_line;
use super::risk::RiskTable;
use crate::words::words;
use enza_work::hazard::ExtensionLists;
use enza_work::{Bounds, ResourceLimits};

const MIB: u64 = 1 << 20;

/// Everything that can be set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How careful it is, from 1 to 4, each with everything before (G22).
    pub safety_phase: u8,
    /// What happens to changes.
    pub mode: Mode,
    /// The most tokens of each layer of a prompt (DUCK-103).
    pub tokens: Tokens,
    /// The wording of the prompts.
    pub template: Template,
    /// What is allowed, asked for and denied; a denial wins.
    pub rules: Vec<Rule>,
    /// Commands that are run after changes.
    pub checks: Vec<CheckCommand>,
    /// How often failed checks and failed work go back to the model, for each task (G14).
    pub recoveries: u32,
    /// How many model calls a task may take without a word from a person.
    pub rounds: u32,
    /// The largest file that may be written, in bytes.
    pub write_bytes: u64,
    /// The largest file that may be read, in bytes.
    pub read_bytes: u64,
    /// The most text that an operation gives back, in bytes.
    pub output_bytes: u64,
    /// Folders outside the work folder that may be read.
    pub readable: Vec<String>,
    /// Endings that are never written.
    pub dangerous_endings: Vec<String>,
    /// Endings that need no question of their own.
    pub safe_endings: Vec<String>,
    /// How long a command may take, in seconds.
    pub command_seconds: u32,
    /// How much memory a command may take with everything it starts, in MiB.
    pub command_memory_mb: u64,
    /// How many processes a command may have at once.
    pub command_processes: u32,
    /// How much room on the disk a command may take, in MiB.
    pub command_disk_mb: u64,
    /// Whether the kernel cannot keep commands from changing permissions, owners and times of files outside the folder. Found
    /// out when a session is opened; gates say it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unsealed: bool,
    /// Whether commands may use the network.
    pub network: bool,
    /// Whether an accepted result is committed, where the folder is under git.
    pub commit: bool,
    /// A line that ends the message of every commit, such as `Assisted-by: Enza`. None where nobody wants one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribution: Option<String>,
    /// Tokens that the session and all its tasks may spend together.
    pub budget: Option<u64>,
    /// Tokens that a conversation may grow to before what was read is left out of it, and then its older half.
    pub window: u64,
    /// What makes an operation risky (G31).
    pub risk: RiskTable,
}

/// What happens to changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Each is asked for, unless a rule allows it.
    #[default]
    Ask,
    /// None is made: only looked at and planned.
    Plan,
    /// Those of low risk inside the folder are made without asking.
    AcceptEdits,
}

/// The most tokens of each layer of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Tokens {
    /// The base prompt.
    pub base_max_tokens: u64,
    /// The main prompt.
    pub main_max_tokens: u64,
    /// A procedure.
    pub specialized_max_tokens: u64,
}

/// The wording of the prompts (G33).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Template {
    /// The full one.
    #[default]
    Standard,
    /// The short one.
    Compact,
}

/// A command that is run after changes: a linter, the tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckCommand {
    /// What it is called.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        let bounds = Bounds::default();
        Self {
            safety_phase: 4,
            mode: Mode::default(),
            tokens: Tokens::default(),
            template: Template::default(),
            rules: Vec::new(),
            checks: Vec::new(),
            recoveries: 3,
            rounds: 30,
            write_bytes: bounds.write,
            read_bytes: bounds.read,
            output_bytes: bounds.output,
            readable: Vec::new(),
            dangerous_endings: bounds.endings.dangerous,
            safe_endings: bounds.endings.safe,
            command_seconds: super::action::USUAL_SECONDS,
            command_memory_mb: bounds.most.memory / MIB,
            command_processes: bounds.most.processes,
            command_disk_mb: bounds.most.disk / MIB,
            unsealed: false,
            network: false,
            commit: false,
            attribution: None,
            budget: None,
            window: 24_000,
            risk: RiskTable::default(),
        }
    }
}

impl Default for Tokens {
    fn default() -> Self {
        Self { base_max_tokens: 500, main_max_tokens: 800, specialized_max_tokens: 1200 }
    }
}

impl Settings {
    /// What a person has set otherwise than usual and a model should know, in one line each (DUCK-14).
    pub(super) fn said(&self, lang: Lang) -> Vec<String> {
        let usual = Self::default();
        let mut said = Vec::new();
        if self.mode != usual.mode {
            said.push(words(lang).fill("settings.mode", &[("mode", &self.mode.say(lang))]));
        }
        let checks: Vec<&str> = self.checks.iter().map(|check| check.name.as_str()).collect();
        if !checks.is_empty() {
            let checks = checks.join(", ");
            said.push(words(lang).fill("settings.checks", &[("checks", &checks)]));
        }
        if self.network {
            said.push(words(lang).say("settings.network").to_owned());
        }
        if self.commit {
            said.push(words(lang).say("settings.commits").to_owned());
        }
        said
    }

    /// How far the workshop may go under these rules.
    pub fn bounds_under(&self, rules: &[Rule]) -> Bounds {
        let lower = |list: &[String]| list.iter().map(|ending| ending.to_lowercase()).collect();
        let endings = ExtensionLists { dangerous: lower(&self.dangerous_endings), safe: lower(&self.safe_endings) };
        Bounds {
            write: self.write_bytes,
            read: self.read_bytes,
            output: self.output_bytes,
            readable: self.readable.clone(),
            closed: rules.iter().filter_map(Rule::closes).collect(),
            endings,
            most: ResourceLimits {
                memory: self.command_memory_mb.saturating_mul(MIB),
                processes: self.command_processes,
                disk: self.command_disk_mb.saturating_mul(MIB),
            },
            unsealed: self.unsealed,
        }
    }
}

impl CheckCommand {
    /// The command as one types it.
    pub fn typed(&self) -> String {
        command_line(&self.command, None)
    }

    /// The command with what it is called, where that says more.
    pub(super) fn named(&self) -> String {
        let typed = self.typed();
        if self.name.is_empty() || typed.contains(&self.name) { typed } else { format!("{typed} ({})", self.name) }
    }
}

impl Mode {
    /// The one after it, in a circle.
    pub fn next(self) -> Self {
        match self {
            Self::Ask => Self::Plan,
            Self::Plan => Self::AcceptEdits,
            Self::AcceptEdits => Self::Ask,
        }
    }

    /// What a person calls it.
    pub fn say(self, lang: Lang) -> &'static str {
        match self {
            Self::Ask => words(lang).say("settings.mode_ask"),
            Self::Plan => words(lang).say("settings.mode_plan"),
            Self::AcceptEdits => words(lang).say("settings.mode_accept_edits"),
        }
    }
}
