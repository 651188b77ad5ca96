//! Folders of the machine that serves, in which the companion works: a seam that whoever starts the server fills.
//!
//! A session on a folder is never opened with what a browser or a program sends alone. The settings of this machine's user,
//! what the project says and what was carried over are put together here, so that a denial in them holds wherever a
//! session is begun. The same goes for words: files that they name are read on this side. Who may ask for any of it is
//! decided in `access`; what a session makes of it is the application's.

use async_trait::async_trait;
use enza_kernel::text::{Lang, Said};
use enza_runtime::seams::store::SessionId;
use serde_json::Value;

pub use enza_server::part::{Prepared, Remark, RemarkKind};

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

/// Why a command is not submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// It is not of the right shape; what is wrong with it.
    Command(String),
    /// The folder, or the settings for it, cannot be used.
    Folder(Said),
}
