//! What has to be looked up on this machine before a command of an application is decided: a seam that the application
//! fills once, for whoever takes commands from people.
//!
//! A session that works on a machine is never opened with what a browser, a program or a person at the keyboard sends
//! alone: settings, what was carried over, and the files that words name belong to it. The server and the terminal ask the
//! same implementation. Who may ask is decided before, by whoever knows the caller (`WebPart::allows`).

use async_trait::async_trait;
use enza_kernel::text::{Lang, Said};
use enza_runtime::seams::store::SessionId;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// What one application looks up.
#[async_trait]
pub trait Prepare: Send + Sync {
    /// The application's word.
    fn application(&self) -> &'static str;

    /// The command as it is to be submitted. Every command that a person sends to a session of the application comes by
    /// here. It submits nothing, so it may be called again.
    async fn prepare(&self, sent: SentCommand<'_>) -> Result<Prepared, Unfit>;

    /// A command to a session that was open was accepted.
    async fn accepted(&self, session: &SessionId);
}

/// A command as a person sent it.
#[derive(Debug, Clone)]
pub struct SentCommand<'a> {
    pub session: &'a SessionId,
    /// Whether it begins the session.
    pub opens: bool,
    pub command: Value,
    /// The sender's language.
    pub lang: Lang,
}

/// A command as it is to be submitted.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// Commands that come before it, to a session that is open.
    pub first: Vec<Value>,
    pub command: Value,
    /// What the person is told besides.
    pub remarks: Vec<Remark>,
}

impl Prepared {
    /// A command to be submitted as it was sent.
    pub fn plain(command: Value) -> Self {
        Self { first: Vec::new(), command, remarks: Vec::new() }
    }
}

/// Why a command is not submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// It is not of the right shape; what is wrong with it.
    Command(String),
    /// What it needs of this machine is not there or cannot be used.
    Machine {
        /// The outward code; it has a page in `docs/errors/`.
        code: &'static str,
        said: Said,
    },
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
