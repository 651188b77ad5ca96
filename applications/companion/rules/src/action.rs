//! What a model wants done, as it writes it in the list `actions` of its reply.
//!
//! One flat shape is read for every operation; what an operation needs is checked here and said by name where it is
//! missing. What a model is shown is a form for each (`shape`). No action is without a reason (DUCK-02): one
//! that gives none has the reply's.

use enza_kernel::text::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words::words;
use enza_work::{Invocation, Job, Proposal, Replacement, Run};

/// How many lines are read where nothing is said.
const USUAL_LINES: u32 = 400;
/// How deep a folder is listed where nothing is said.
const USUAL_DEPTH: u32 = 3;
/// How long a command may take where nothing is said, in seconds.
pub(super) const USUAL_SECONDS: u32 = 120;

/// One thing to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Action {
    /// What is to be done.
    pub operation: Operation,
    /// The file or folder, relative to the work folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// For move: the new path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// For write and create: the whole content. For edit: the new text. For append: what is added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// For edit: the exact old text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// For edit: whether it is replaced everywhere in the file; else it has to stand there once.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
    /// For patch: a unified diff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<String>,
    /// For search: what to look for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// For search: whether that is a regular expression.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub regex: bool,
    /// For run: the program and its arguments. For tool: the tool's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// For read: the first line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_line: Option<u32>,
    /// For tool: its arguments, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<serde_json::Value>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
}

/// What can be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Name what is in a folder.
    List,
    /// Read a file.
    Read,
    /// Find text in files.
    Search,
    /// Write a whole file.
    Write,
    /// Replace a piece of a file.
    Edit,
    /// Add to the end of a file.
    Append,
    /// Apply a patch.
    Patch,
    /// Make a new file.
    Create,
    /// Remove a file.
    Delete,
    /// Give a file another name.
    Move,
    /// Run a program.
    Run,
    /// Use a tool of a connected server.
    Tool,
}

/// What an action comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ParsedAction {
    Look(Job),
    Change(Proposal),
    /// A command is run.
    Run(Run),
    /// A tool of a connected server is used.
    Tool {
        name: String,
        arguments: serde_json::Value,
    },
}

impl Operation {
    /// Every one of them.
    pub const ALL: [Self; 12] = [
        Self::List,
        Self::Read,
        Self::Search,
        Self::Write,
        Self::Edit,
        Self::Append,
        Self::Patch,
        Self::Create,
        Self::Delete,
        Self::Move,
        Self::Run,
        Self::Tool,
    ];

    /// Its name, in rules, logs and gates.
    pub fn word(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Read => "read",
            Self::Search => "search",
            Self::Write => "write",
            Self::Edit => "edit",
            Self::Append => "append",
            Self::Patch => "patch",
            Self::Create => "create",
            Self::Delete => "delete",
            Self::Move => "move",
            Self::Run => "run",
            Self::Tool => "tool",
        }
    }

    /// What a person calls it.
    pub fn say(self, lang: Lang) -> &'static str {
        match self {
            Self::List => words(lang).say("action.list"),
            Self::Read => words(lang).say("action.read"),
            Self::Search => words(lang).say("action.search"),
            Self::Write => words(lang).say("action.write"),
            Self::Edit => words(lang).say("action.edit"),
            Self::Append => words(lang).say("action.append"),
            Self::Patch => words(lang).say("action.patch"),
            Self::Create => words(lang).say("action.create"),
            Self::Delete => words(lang).say("action.delete"),
            Self::Move => words(lang).say("action.move"),
            Self::Run => words(lang).say("action.run"),
            Self::Tool => words(lang).say("action.tool"),
        }
    }

    /// Whether it changes nothing.
    pub fn only_looks(self) -> bool {
        matches!(self, Self::List | Self::Read | Self::Search)
    }
}

impl Action {
    /// What it comes to, or what it lacks.
    pub(super) fn parse(&self) -> Result<ParsedAction, String> {
        let lacks = |what: &str| format!("{} needs \"{what}\".", self.operation.word());
        let path = || self.path.clone().filter(|path| !path.trim().is_empty()).ok_or_else(|| lacks("path"));
        let content = || self.content.clone().ok_or_else(|| lacks("content"));
        let wish = match self.operation {
            Operation::List => {
                ParsedAction::Look(Job::List { path: self.path.clone().unwrap_or_default(), depth: USUAL_DEPTH })
            }
            Operation::Read => ParsedAction::Look(Job::Read {
                path: path()?,
                from: self.from_line.unwrap_or(1).max(1),
                lines: USUAL_LINES,
            }),
            Operation::Search => {
                let pattern = self.pattern.clone().filter(|one| !one.is_empty()).ok_or_else(|| lacks("pattern"))?;
                ParsedAction::Look(Job::Search {
                    pattern,
                    regex: self.regex,
                    path: self.path.clone().unwrap_or_default(),
                })
            }
            Operation::Write => ParsedAction::Change(Proposal::Write { path: path()?, content: content()? }),
            Operation::Append => ParsedAction::Change(Proposal::Append { path: path()?, content: content()? }),
            Operation::Create => ParsedAction::Change(Proposal::Create { path: path()?, content: content()? }),
            Operation::Edit => {
                let old = self.old.clone().filter(|old| !old.is_empty()).ok_or_else(|| lacks("old"))?;
                let replacements = vec![Replacement { old, new: content()?, all: self.all }];
                ParsedAction::Change(Proposal::Edit { path: path()?, replacements })
            }
            Operation::Patch => {
                ParsedAction::Change(Proposal::Patch { text: self.patch.clone().ok_or_else(|| lacks("patch"))? })
            }
            Operation::Delete => ParsedAction::Change(Proposal::Delete { path: path()? }),
            Operation::Move => {
                ParsedAction::Change(Proposal::Move { path: path()?, to: self.to.clone().ok_or_else(|| lacks("to"))? })
            }
            Operation::Run => {
                let command = self.command.clone().filter(|words| !words.is_empty()).ok_or_else(|| lacks("command"))?;
                let at = self.path.clone().unwrap_or_default();
                ParsedAction::Run(Run {
                    command: Invocation::Words(command),
                    at,
                    seconds: USUAL_SECONDS,
                    network: false,
                })
            }
            Operation::Tool => {
                let name = self.command.iter().flatten().next().cloned().ok_or_else(|| lacks("command"))?;
                ParsedAction::Tool { name, arguments: self.arguments.clone().unwrap_or_else(|| serde_json::json!({})) }
            }
        };
        Ok(wish)
    }
}
