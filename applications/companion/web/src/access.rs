//! Who may work in folders of the machine that serves.
//!
//! Whoever may, reads and changes files as the account that runs the server. So it is for those who run the house: the
//! owner where there are no accounts, administrators where there are. To begin in a folder, a token needs the scope
//! `admin`; to go on in a session that was begun, `write` is enough. Whoever is no administrator any more goes on in none.

use enza_server::access::{Caller, Need};

use crate::CompanionWeb;
use crate::folders::Folders;
use crate::problem::FolderProblem;

impl CompanionWeb {
    /// The folders, for a caller who may begin a session in one.
    pub(crate) fn to_begin(&self, caller: &Caller) -> Result<&dyn Folders, FolderProblem> {
        self.folders.as_deref().filter(|_| caller.may(Need::Run)).ok_or(FolderProblem::Closed)
    }

    /// The folders, for a caller who may go on in a session of theirs.
    pub(crate) fn to_go_on(&self, caller: &Caller) -> Result<&dyn Folders, FolderProblem> {
        self.folders.as_deref().filter(|_| caller.person.is_admin).ok_or(FolderProblem::Closed)
    }
}
