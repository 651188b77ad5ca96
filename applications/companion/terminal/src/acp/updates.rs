//! What an editor is told and asked: the messages of the Agent Client Protocol, version 1, that we write on our own account.
//!
//! That the shapes are right is shown by the protocol's own library (`applications/companion/editor/`).

use serde::Serialize;
use serde_json::Value;

/// `session/update`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionUpdate<'a> {
    pub session_id: &'a str,
    pub update: &'a Update,
}

/// What happened in a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "sessionUpdate", rename_all_fields = "camelCase")]
pub enum Update {
    /// The person said something, long ago.
    #[serde(rename = "user_message_chunk")]
    Heard { content: TextBlock },
    /// The companion says something.
    #[serde(rename = "agent_message_chunk")]
    Said { content: TextBlock },
    /// The rules note something along the way.
    #[serde(rename = "agent_thought_chunk")]
    Noted { content: TextBlock },
    /// An operation is wanted.
    #[serde(rename = "tool_call")]
    Wanted(Call),
    /// An operation has come further.
    #[serde(rename = "tool_call_update")]
    Further(Call),
    /// There is a plan, or it has come further.
    #[serde(rename = "plan")]
    Plan { entries: Vec<PlanStep> },
    /// What can be typed behind a slash.
    #[serde(rename = "available_commands_update")]
    Orders { available_commands: Vec<AvailableCommand> },
    /// Changes are treated otherwise from now on.
    #[serde(rename = "current_mode_update")]
    Mode { current_mode_id: &'static str },
}

/// Words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "text")]
pub struct TextBlock {
    pub text: String,
}

/// An operation, or what is new about it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    pub tool_call_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<CallStatus>,
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
    Content { content: TextBlock },
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
    pub path: String,
}

/// A step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanStep {
    pub content: String,
    /// How much it matters.
    pub priority: &'static str,
    pub status: &'static str,
}

/// What can be typed behind a slash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AvailableCommand {
    /// The word, without the slash.
    pub name: String,
    pub description: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<CommandHint>,
}

/// What may follow an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommandHint {
    pub hint: &'static str,
}

/// `session/request_permission`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PermissionRequest<'a> {
    pub session_id: &'a str,
    pub tool_call: Call,
    pub options: Vec<PermissionOption>,
}

/// An answer that may be given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PermissionOption {
    pub option_id: &'static str,
    /// What the person reads.
    pub name: &'static str,
    pub kind: &'static str,
}

impl TextBlock {
    /// These words.
    pub fn of(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}
