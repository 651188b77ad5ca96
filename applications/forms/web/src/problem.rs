//! What can go wrong with forms alone. The words are in `words/frame.toml`, under the codes.

use axum::http::StatusCode;
use enza_runtime::seams::store::Quota;
use enza_server::problem::{PartProblem, Problem};

/// The outward codes, in alphabetical order.
pub const CODES: &[&str] = &["file-too-large", "files-full", "form-files-full", "no-webhook"];

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormProblem {
    /// The form has no receiver.
    NoWebhook,
    /// The file is too large.
    FileTooLarge,
    /// There is no room for more files.
    FilesFull(Quota),
}

impl FormProblem {
    /// The outward code; it has a page in `docs/errors/`.
    fn code(&self) -> &'static str {
        match self {
            Self::NoWebhook => "no-webhook",
            Self::FileTooLarge => "file-too-large",
            Self::FilesFull(Quota::Session) => "files-full",
            Self::FilesFull(Quota::Link | Quota::Family | Quota::Owner) => "form-files-full",
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::NoWebhook => StatusCode::CONFLICT,
            Self::FileTooLarge | Self::FilesFull(Quota::Session) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::FilesFull(Quota::Link | Quota::Family | Quota::Owner) => StatusCode::INSUFFICIENT_STORAGE,
        }
    }
}

impl From<FormProblem> for Problem {
    fn from(problem: FormProblem) -> Self {
        Self::OfPart(PartProblem { code: problem.code(), status: problem.status(), said: None })
    }
}
