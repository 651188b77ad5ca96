//! Whether an operation may be done, must be asked for, or is denied.
//!
//! Rules go by operation and by path or command. A denial wins over everything; what is always asked afresh (deleting,
//! secrets, files outside, high risk: DUCK-88, G23) is not lifted by any allowance; of the rest, an allowance counts
//! wherever it comes from. Where no rule speaks, a person is asked: nothing but a person's answer is consent.

use enza_kernel::gate::Risk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::action::Operation;
use super::settings::Mode;

/// A standing decision about operations of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What it says.
    pub verdict: Ruling,
    /// The operation: `write`, `run`, `tool` …, or `*`; `change` for every change to files.
    pub operation: String,
    /// A path with `*` and `**`, the beginning of a command with `*`, or a tool's name. Empty for any.
    #[serde(default)]
    pub pattern: String,
}

/// What a rule says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// It may be done.
    Allow,
    /// It must be asked for.
    Ask,
    /// It may not be done.
    Deny,
}

/// How long an answer at a gate counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// For this operation alone.
    #[default]
    Once,
    /// For this session.
    Session,
    /// For every session in this project.
    Project,
}

impl Scope {
    /// Its name, in logs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Session => "session",
            Self::Project => "project",
        }
    }
}

/// An operation as consent looks at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject<'a> {
    /// What is done.
    pub operation: Operation,
    /// The path, the command as one line, or the tool's name.
    pub target: &'a str,
    /// How much is at stake.
    pub risk: Risk,
    /// Whether it is one of those that are always asked afresh.
    pub always_asked: bool,
}

/// What may happen to an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It is done; by the rule in these words.
    Allowed(String),
    /// A person is asked.
    Asked,
    /// It is not done; by the rule in these words.
    Denied(String),
}

/// Decides about one operation.
pub fn decide(subject: &Subject<'_>, rules: &[Rule], mode: Mode) -> Decision {
    let speaks = |ruling: Ruling| rules.iter().find(|rule| rule.verdict == ruling && rule.is_about(subject));
    if let Some(rule) = speaks(Ruling::Deny) {
        return Decision::Denied(rule.say());
    }
    if subject.operation.only_looks() {
        return if subject.always_asked { Decision::Asked } else { Decision::Allowed("look".to_owned()) };
    }
    if mode == Mode::Plan {
        return Decision::Denied("mode = plan".to_owned());
    }
    if subject.always_asked || speaks(Ruling::Ask).is_some() || subject.risk >= Risk::High {
        return Decision::Asked;
    }
    if let Some(rule) = speaks(Ruling::Allow) {
        return Decision::Allowed(rule.say());
    }
    if mode == Mode::AcceptEdits && is_change(subject.operation) && subject.risk == Risk::Low {
        return Decision::Allowed("mode = accept_edits".to_owned());
    }
    Decision::Asked
}

/// Whether an operation changes files by itself.
pub(super) fn is_change(operation: Operation) -> bool {
    match operation {
        Operation::Write
        | Operation::Edit
        | Operation::Patch
        | Operation::Create
        | Operation::Delete
        | Operation::Move => true,
        Operation::List | Operation::Read | Operation::Search | Operation::Run | Operation::Tool => false,
    }
}

impl Rule {
    /// Whether it speaks of this operation.
    fn is_about(&self, subject: &Subject<'_>) -> bool {
        let operation = match self.operation.as_str() {
            "*" => true,
            "change" => is_change(subject.operation),
            word => word == subject.operation.word(),
        };
        operation && (self.pattern.is_empty() || matches(&self.pattern, subject))
    }

    /// In one line, for logs and gates.
    pub fn say(&self) -> String {
        let verdict = match self.verdict {
            Ruling::Allow => "allow",
            Ruling::Ask => "ask",
            Ruling::Deny => "deny",
        };
        format!("{verdict} {} {}", self.operation, self.pattern).trim_end().to_owned()
    }
}

fn matches(pattern: &str, subject: &Subject<'_>) -> bool {
    match subject.operation {
        Operation::Run => command_fits(pattern, subject.target),
        Operation::Tool => fits(pattern.as_bytes(), subject.target.as_bytes(), false),
        Operation::List
        | Operation::Read
        | Operation::Search
        | Operation::Write
        | Operation::Edit
        | Operation::Patch
        | Operation::Create
        | Operation::Delete
        | Operation::Move => path_fits(pattern, subject.target),
    }
}

/// Whether a path fits a pattern. A pattern without a slash is held against the last part alone; one that names a
/// folder holds for everything in it. Upper and lower case are one, so that a denial cannot be got round by spelling.
pub(super) fn path_fits(pattern: &str, path: &str) -> bool {
    let (pattern, path) =
        (pattern.trim_start_matches("./").to_lowercase(), path.trim_start_matches("./").to_lowercase());
    let below = format!("{}/**", pattern.trim_end_matches('/'));
    let whole = |pattern: &str| fits(pattern.as_bytes(), path.as_bytes(), true);
    let last = path.rsplit('/').next().unwrap_or(&path);
    whole(&pattern) || whole(&below) || (!pattern.contains('/') && fits(pattern.as_bytes(), last.as_bytes(), true))
}

/// Whether a command fits a pattern: word by word, and `*` at the end for whatever follows. Anything that a shell would
/// read as a second command never fits.
pub(super) fn command_fits(pattern: &str, command: &str) -> bool {
    if command.contains(['\n', ';', '|', '&', '`', '>', '<']) || command.contains("$(") {
        return false;
    }
    let pattern: Vec<&str> = pattern.split_whitespace().collect();
    let words: Vec<&str> = command.split_whitespace().collect();
    match pattern.split_last() {
        Some((&"*", before)) => words.len() >= before.len() && before.iter().zip(&words).all(|(one, word)| one == word),
        _ => pattern == words,
    }
}

/// Whether bytes fit a pattern: `*` for anything but `/`, `**` for anything, `?` for one.
fn fits(pattern: &[u8], text: &[u8], by_parts: bool) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'*', b'*', b'/', rest @ ..] if fits(rest, text, by_parts) => true,
        [b'*', b'*', rest @ ..] => (0..=text.len()).any(|place| fits(rest, &text[place..], by_parts)),
        [b'*', rest @ ..] => {
            let end =
                if by_parts { text.iter().position(|byte| *byte == b'/').unwrap_or(text.len()) } else { text.len() };
            (0..=end).any(|place| fits(rest, &text[place..], by_parts))
        }
        [b'?', rest @ ..] => text.first().is_some_and(|byte| *byte != b'/') && fits(rest, &text[1..], by_parts),
        [one, rest @ ..] => text.first() == Some(one) && fits(rest, &text[1..], by_parts),
    }
}
