//! A tool that a connected server offers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A tool of a connected server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Offered {
    /// `server/tool`.
    pub name: String,
    /// What it does.
    pub about: String,
    /// JSON Schema of its arguments.
    #[serde(default)]
    pub arguments: serde_json::Value,
}
