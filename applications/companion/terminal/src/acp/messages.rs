//! What an editor asks and answers: the messages of the Agent Client Protocol, version 1, that we read.
//!
//! Only what we need of them is here; fields that we do not know are passed over, as the protocol asks. What an editor is
//! told is in `updates`. That the shapes are right is shown by the protocol's own library (`applications/companion/editor/`).

use serde::{Deserialize, Serialize};

/// The version of the protocol.
pub const VERSION: u16 = 1;

/// `session/new`, `session/load` and `session/resume`: where, and with which servers.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionRequest {
    /// The session, where it is one that exists.
    #[serde(default)]
    pub session_id: Option<String>,
    /// The folder of work, absolute.
    pub cwd: String,
    /// Servers that the editor lends.
    #[serde(default)]
    pub mcp_servers: Option<Vec<LentServer>>,
}

/// A server that the editor lends. One that is neither a program nor over HTTP is reached in a way that we do not speak.
#[derive(Debug, Deserialize)]
pub struct LentServer {
    pub name: String,
    /// How it is reached, where it is no program: `http`, or the older `sse`.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    #[serde(default)]
    pub url: Option<String>,
    /// The headers of every request to it.
    #[serde(default)]
    pub headers: Vec<Variable>,
    #[serde(default)]
    pub command: Option<String>,
    #[serde(default)]
    pub args: Vec<String>,
    #[serde(default)]
    pub env: Vec<Variable>,
}

/// A variable, or a header, with its value.
#[derive(Debug, Deserialize)]
pub struct Variable {
    pub name: String,
    pub value: String,
}

/// `session/list`.
#[derive(Debug, Deserialize)]
pub struct ListRequest {
    /// Of this folder only.
    #[serde(default)]
    pub cwd: Option<String>,
    /// Where the last page ended.
    #[serde(default)]
    pub cursor: Option<String>,
}

/// `session/cancel` and `session/close`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionRef {
    pub session_id: String,
}

/// `session/set_mode`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetModeRequest {
    pub session_id: String,
    pub mode_id: String,
}

/// `session/prompt`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptRequest {
    pub session_id: String,
    /// What the person says and shows.
    pub prompt: Vec<Block>,
}

/// A piece of what a person says and shows.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    Text {
        text: String,
    },
    /// A picture, which we cannot see.
    Image {},
    /// A sound, which we cannot hear.
    Audio {},
    /// A file by its name.
    ResourceLink {
        uri: String,
        #[serde(default)]
        name: String,
    },
    /// A file with its content.
    Resource {
        resource: EmbeddedResource,
    },
}

/// A file with its content; one without text is no text.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct EmbeddedResource {
    pub uri: String,
    #[serde(default)]
    pub text: Option<String>,
}

/// Why a turn ended. There is no `refusal`: what a rule denies is said in words, and a provider that refuses has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    EndTurn,
    /// The budget of tokens is used up.
    MaxTokens,
    /// It went on for as many calls as it may, or in circles.
    MaxTurnRequests,
    /// The person cancelled it.
    Cancelled,
}

/// What the person answered.
#[derive(Debug, Deserialize)]
pub struct PermissionResponse {
    pub outcome: PermissionOutcome,
}

/// What the person answered.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum PermissionOutcome {
    /// The turn was cancelled before.
    Cancelled,
    /// One of the options.
    Selected { option_id: String },
}
