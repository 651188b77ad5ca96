//! What can go wrong with folders. The words of a folder that is closed are in `words/frame.toml`, under its code; what is
//! wrong with a folder is said by whoever looked at it.

use axum::http::StatusCode;
use enza_kernel::text::Said;
use enza_server::problem::{PartProblem, Problem};

use crate::folders::Unfit;

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FolderProblem {
    /// The folders of this machine are not for this person.
    Closed,
    /// The folder, or the settings for it, cannot be used.
    Unfit(Said),
}

impl FolderProblem {
    /// The outward code; it has a page in `docs/errors/`.
    fn code(&self) -> &'static str {
        match self {
            Self::Closed => "folder-closed",
            Self::Unfit(_) => "folder-unfit",
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Closed => StatusCode::FORBIDDEN,
            Self::Unfit(_) => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }
}

impl From<FolderProblem> for Problem {
    fn from(problem: FolderProblem) -> Self {
        let (code, status) = (problem.code(), problem.status());
        let said = match problem {
            FolderProblem::Closed => None,
            FolderProblem::Unfit(said) => Some(said),
        };
        Self::OfPart(PartProblem { code, status, said })
    }
}

impl From<Unfit> for Problem {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::Command(why) => Self::BodyUnfit(why),
            Unfit::Folder(said) => FolderProblem::Unfit(said).into(),
        }
    }
}
