//! Who may work in folders of the machine that serves.
//!
//! Whoever may, reads and changes files as the account that runs the server. So it is for those who run the house: the
//! owner where there are no accounts, administrators where there are. To begin in a folder, a token needs the scope
//! `admin`; to go on in a session that was begun, `write` is enough. Whoever is no administrator any more goes on in none.

use std::sync::Arc;

use super::{Caller, Need};
use crate::folders::Folders;
use crate::problem::Problem;
use crate::state::AppState;

/// The folders, for a caller who may begin a session in one.
pub fn to_begin_in_folders(app: &AppState, caller: &Caller) -> Result<Arc<dyn Folders>, Problem> {
    app.folders().filter(|_| caller.may(Need::Run)).ok_or(Problem::FolderClosed)
}

/// The folders, for a caller who may go on in a session of theirs.
pub fn to_go_on_in_folders(app: &AppState, caller: &Caller) -> Result<Arc<dyn Folders>, Problem> {
    app.folders().filter(|_| caller.person.is_admin).ok_or(Problem::FolderClosed)
}
