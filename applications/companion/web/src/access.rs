//! Who may work in folders of the machine that serves.
//!
//! Whoever may, reads and changes files as the account that runs the server. So it is for those who run the house: the
//! owner where there are no accounts, administrators where there are. To begin in a folder, a token needs the scope
//! `admin`; to go on in a session that was begun, `write` is enough. Whoever is no administrator any more goes on in none.
//! Where the machine looks up nothing for the application, nobody may.

use enza_server::AppState;
use enza_server::access::{Caller, Need};

use crate::COMPANION;
use crate::problem::FolderProblem;

/// Whether a caller may begin a session in a folder, or go on in one.
pub(crate) fn allows(app: &AppState, caller: &Caller, opens: bool) -> Result<(), FolderProblem> {
    let may = if opens { caller.may(Need::Run) } else { caller.person.is_admin };
    if may && app.prepare_of(COMPANION).is_some() { Ok(()) } else { Err(FolderProblem::Closed) }
}
