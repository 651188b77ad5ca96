//! Folders of the machine that serves, in which the companion works: a seam that whoever starts the server fills.
//!
//! A session on a folder is never opened with what a browser or a program sends alone. The settings of this machine's user,
//! what the project says and what was carried over are put together here, so that a denial in them holds wherever a
//! session is begun. The same goes for words: files that they name are read on this side. Who may ask for any of it is
//! decided in `access`; what a session makes of it is the application's.

use async_trait::async_trait;
use enza_kernel::text::{Lang, Said};
use enza_runtime::seams::store::SessionId;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// What this machine adds to sessions in its folders. It reads files and may start servers of tools; it submits nothing,
/// so each verb may be called again after a crash.
#[async_trait]
pub trait Folders: Send + Sync {
    /// The whole command that opens a session, from the one that was sent.
    async fn opening(&self, session: &SessionId, sent: Value, lang: Lang) -> Result<Prepared, Unfit>;

    /// A command to a session as it is to be submitted, and what has to come before it.
    async fn hearing(&self, session: &SessionId, sent: Value, lang: Lang) -> Result<Prepared, Unfit>;

    /// Keeps what the next session in the folder is to know. Called after a command was accepted.
    async fn heard(&self, session: &SessionId);
}

/// A command as it is to be submitted.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// Commands that come before it: what this machine's user has denied since the session began.
    pub first: Vec<Value>,
    pub command: Value,
    /// What the person is told besides.
    pub remarks: Vec<Remark>,
}

/// Something that a person is told about what they asked for, which was done all the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Remark {
    /// How it is meant.
    pub kind: RemarkKind,
    /// The words.
    pub text: String,
}

/// How a remark is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RemarkKind)]
pub enum RemarkKind {
    /// Good to know.
    Note,
    /// Something was left out.
    Warning,
}

/// Why a command is not submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// It is not of the right shape; what is wrong with it.
    Command(String),
    /// The folder, or the settings for it, cannot be used.
    Folder(Said),
}
