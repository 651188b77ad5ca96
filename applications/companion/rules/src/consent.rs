//! Whether an operation may be done, must be asked for, or is denied.
//!
//! Rules go by operation and by path or command. A denial wins over everything; what is always asked afresh (deleting,
//! secrets, files outside, high risk: DUCK-88, G23) is not lifted by any allowance; of the rest, an allowance counts
//! wherever it comes from. Where no rule speaks, a person is asked: nothing but a person's answer is consent.

use enza_kernel::gate::Risk;
pub use enza_kernel::gate::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::action::Operation;
use super::settings::Mode;
use enza_work::pattern::{command_fits, command_runs_into, name_fits, path_fits};

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

/// An operation as consent looks at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject<'a> {
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

/// Why something is denied, in the log: these have words for people (`words::denial`).
pub(super) const PLAN_ONLY: &str = "mode = plan";
pub(super) const ASIDE: &str = "aside";
pub(super) const NOBODY: &str = "nobody to ask";
/// The same where no allowance would have helped.
pub(super) const NOBODY_EVER: &str = "nobody to ask what is always asked";
pub(super) const LEFT_OUT: &str = "left out";
pub(super) const TURNED_DOWN: &str = "turned down";

/// Decides about one operation.
pub fn decide(subject: &Subject<'_>, rules: &[Rule], mode: Mode) -> Decision {
    let speaks = |ruling: Ruling| rules.iter().find(|rule| rule.verdict == ruling && rule.is_about(subject));
    if let Some(rule) = speaks(Ruling::Deny) {
        return Decision::Denied(rule.say());
    }
    if subject.operation.only_looks() {
        let must_ask = subject.always_asked || speaks(Ruling::Ask).is_some();
        return if must_ask { Decision::Asked } else { Decision::Allowed("look".to_owned()) };
    }
    if mode == Mode::Plan {
        return Decision::Denied(PLAN_ONLY.to_owned());
    }
    if subject.always_asked || speaks(Ruling::Ask).is_some() || subject.risk >= Risk::High {
        return Decision::Asked;
    }
    // Standing consent is for changes of low risk (G23); a command or a tool has no lower risk than it has.
    let may_stand = subject.risk == Risk::Low || !is_change(subject.operation);
    if let Some(rule) = speaks(Ruling::Allow).filter(|_| may_stand) {
        return Decision::Allowed(rule.say());
    }
    if mode == Mode::AcceptEdits && is_change(subject.operation) && subject.risk == Risk::Low {
        return Decision::Allowed("mode = accept_edits".to_owned());
    }
    Decision::Asked
}

/// Whether an operation changes files by itself.
pub fn is_change(operation: Operation) -> bool {
    match operation {
        Operation::Write
        | Operation::Edit
        | Operation::Append
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
        operation && (self.pattern.is_empty() || self.fits(subject))
    }

    fn fits(&self, subject: &Subject<'_>) -> bool {
        match (subject.operation, self.verdict) {
            (Operation::Run, Ruling::Allow) => command_fits(&self.pattern, subject.target),
            (Operation::Run, Ruling::Ask | Ruling::Deny) => command_runs_into(&self.pattern, subject.target),
            (Operation::Tool, _) => name_fits(&self.pattern, subject.target),
            (
                Operation::List
                | Operation::Read
                | Operation::Search
                | Operation::Write
                | Operation::Edit
                | Operation::Append
                | Operation::Patch
                | Operation::Create
                | Operation::Delete
                | Operation::Move,
                _,
            ) => path_fits(&self.pattern, subject.target),
        }
    }

    /// Whether it denies changes to a path.
    pub(super) fn denies_change(&self, path: &str) -> bool {
        let subject = Subject { operation: Operation::Write, target: path, risk: Risk::Low, always_asked: false };
        self.verdict == Ruling::Deny && self.is_about(&subject)
    }

    /// The pattern of what it keeps from being read unasked, if it does.
    pub(super) fn closes(&self) -> Option<String> {
        let is_about_reading = matches!(self.operation.as_str(), "*" | "read" | "search" | "list");
        let pattern = if self.pattern.is_empty() { "**" } else { &self.pattern };
        (self.verdict != Ruling::Allow && is_about_reading).then(|| pattern.to_owned())
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
