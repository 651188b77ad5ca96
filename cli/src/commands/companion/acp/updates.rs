//! What an editor is told and asked: the messages of the Agent Client Protocol, version 1, that we write on our own account.
//!
//! That the shapes are right is shown by the protocol's own library (`cli/editor/`).

use serde::Serialize;
use serde_json::Value;

/// `session/update`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionUpdate<'a> {
    /// The session.
    pub session_id: &'a str,
    /// What happened.
    pub update: &'a Update,
}

/// What happened in a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "sessionUpdate", rename_all_fields = "camelCase")]
pub enum Update {
    /// The person said something, long ago.
    #[serde(rename = "user_message_chunk")]
    Heard {
        /// The words.
        content: TextBlock,
    },
    /// The companion says something.
    #[serde(rename = "agent_message_chunk")]
    Said {
        /// The words.
        content: TextBlock,
    },
    /// The rules note something along the way.
    #[serde(rename = "agent_thought_chunk")]
    Noted {
        /// The words.
        content: TextBlock,
    },
    /// An operation is wanted.
    #[serde(rename = "tool_call")]
    Wanted(Call),
    /// An operation has come further.
    #[serde(rename = "tool_call_update")]
    Further(Call),
    /// There is a plan, or it has come further.
    #[serde(rename = "plan")]
    Plan {
        /// Its steps.
        entries: Vec<PlanStep>,
    },
    /// What can be typed behind a slash.
    #[serde(rename = "available_commands_update")]
    Orders {
        /// The orders.
        available_commands: Vec<AvailableCommand>,
    },
    /// Changes are treated otherwise from now on.
    #[serde(rename = "current_mode_update")]
    Mode {
        /// How.
        current_mode_id: &'static str,
    },
}

/// Words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "text")]
pub struct TextBlock {
    /// Them.
    pub text: String,
}

/// An operation, or what is new about it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// Its name.
    pub tool_call_id: String,
    /// In one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Of which kind it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// How far it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<CallStatus>,
    /// What is shown of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Vec<CallContent>>,
    /// The files it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<Location>>,
    /// What a tool is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_input: Option<Value>,
}

/// How far an operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallStatus {
    /// It waits.
    Pending,
    /// It is being done.
    InProgress,
    /// It is done.
    Completed,
    /// It was not done, or not well.
    Failed,
}

/// What is shown of an operation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum CallContent {
    /// Words.
    Content {
        /// Them.
        content: TextBlock,
    },
    /// A file before and after.
    Diff {
        /// The file, absolute.
        path: String,
        /// What it holds before; none where there is no file.
        old_text: Option<String>,
        /// What it holds after.
        new_text: String,
    },
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Location {
    /// Absolute.
    pub path: String,
}

/// A step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanStep {
    /// What is done.
    pub content: String,
    /// How much it matters.
    pub priority: &'static str,
    /// How far it is.
    pub status: &'static str,
}

/// What can be typed behind a slash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AvailableCommand {
    /// The word, without the slash.
    pub name: String,
    /// What it does.
    pub description: &'static str,
    /// What may follow it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<CommandHint>,
}

/// What may follow an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommandHint {
    /// In a word.
    pub hint: &'static str,
}

/// `session/request_permission`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PermissionRequest<'a> {
    /// The session.
    pub session_id: &'a str,
    /// What is to be done.
    pub tool_call: Call,
    /// What may be answered.
    pub options: Vec<PermissionOption>,
}

/// An answer that may be given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PermissionOption {
    /// Its name.
    pub option_id: &'static str,
    /// What the person reads.
    pub name: &'static str,
    /// Of which kind it is.
    pub kind: &'static str,
}

impl TextBlock {
    /// These words.
    pub fn of(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}
