//! What can go wrong with folders. The words of a folder that is closed are in `words/frame.toml`, under its code; what is
//! wrong with a folder is said by whoever looked at it.

use axum::http::StatusCode;
use enza_server::problem::{PartProblem, Problem};

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FolderProblem {
    /// The folders of this machine are not for this person.
    Closed,
}

impl FolderProblem {
    /// The outward code; it has a page in `docs/errors/`.
    fn code(&self) -> &'static str {
        match self {
            Self::Closed => "folder-closed",
        }
    }
}

impl From<FolderProblem> for Problem {
    fn from(problem: FolderProblem) -> Self {
        Self::OfPart(PartProblem { code: problem.code(), status: StatusCode::FORBIDDEN, said: None })
    }
}
