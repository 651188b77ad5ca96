//! Rules for the project are written down where its next sessions find them.
//!
//! A person's answer may count for every session in a folder, wherever it was given: at a terminal, in a browser, in an
//! editor. So writing it down is owed by the session, as everything is that must not be forgotten; where the user keeps
//! their settings is known to whoever carries it out, by the tool named here. Writing the same rule twice changes nothing.

use enza_kernel::application::Draft;
use enza_kernel::effect::{Effect, Key, Outcome, RunTool, Safety};
use serde::{Deserialize, Serialize};

use super::Companion;
use super::consent::Rule;
use super::event::Event;
use super::state::State;

/// A rule that is still to be written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingRule {
    /// Its name as an effect.
    pub key: Key,
    pub rule: Rule,
}

/// What is handed to the tool that writes a rule down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeepRule {
    /// The folder that it holds for.
    pub folder: String,
    pub rule: Rule,
}

impl KeepRule {
    /// The name of the tool. What it returns is where the rule now stands.
    pub const TOOL: &'static str = "keep_rule";
}

/// The rules that are to be written down.
pub(super) fn due(state: &State) -> impl Iterator<Item = Effect> {
    state.unwritten.iter().map(|PendingRule { key, rule }| {
        let keep = KeepRule { folder: state.folder.clone(), rule: rule.clone() };
        Effect::RunTool(RunTool {
            key: *key,
            tool: KeepRule::TOOL.to_owned(),
            arguments: serde_json::to_value(keep).unwrap_or_default(),
            safety: Safety::Settled,
            started: None,
            reserve: 0,
        })
    })
}

/// Takes in what came of it.
pub(super) fn settle(draft: &mut Draft<'_, Companion>, order: Key, outcome: Outcome) {
    match outcome {
        Outcome::Returned { text } => draft.record(Event::RuleWritten { order, at: text }),
        Outcome::ToolFailed { why } => draft.record(Event::RuleNotWritten { order, why }),
        Outcome::Starting { .. }
        | Outcome::Unknown
        | Outcome::Replied { .. }
        | Outcome::Unanswered { .. }
        | Outcome::TooLong { .. }
        | Outcome::CallsLost { .. }
        | Outcome::Delivered { .. }
        | Outcome::Declined { .. }
        | Outcome::Found { .. }
        | Outcome::Rang => {}
    }
}
