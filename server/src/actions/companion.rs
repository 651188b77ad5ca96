//! What a session of the companion needs of the machine that serves, before a command reaches the engine and after.
//!
//! Every way to begin one, and everything that is said or answered in one, comes by here, from pages and from programs:
//! so nothing is begun with weaker rules than the settings of this machine have.

use enza_companion::Companion;
use enza_kernel::application::Application as _;
use enza_kernel::text::Lang;
use enza_runtime::engine::{Receipt, Submission};
use enza_runtime::seams::store::{SessionId, SessionRow};
use serde_json::{Value, json};

use crate::access::{Caller, to_begin_in_folders, to_go_on_in_folders};
use crate::folders::{Prepared, Remark};
use crate::problem::Problem;
use crate::state::AppState;

/// The application's name.
pub const COMPANION: &str = Companion::NAME;

/// The command that opens a session in a folder, before anything is added to it.
pub fn in_folder(folder: &str) -> Value {
    json!({ "open": { "folder": folder.trim() } })
}

/// The whole command that opens a session, and what the person is told of it.
pub async fn opening(
    app: &AppState,
    caller: &Caller,
    session: &SessionId,
    sent: Value,
    lang: Lang,
) -> Result<(Value, Vec<Remark>), Problem> {
    let folders = to_begin_in_folders(app, caller)?;
    let Prepared { command, remarks, .. } = folders.opening(session, sent, lang).await?;
    Ok((command, remarks))
}

/// Submits a command to a session in a folder, behind what was denied since it began.
pub async fn submit(
    app: &AppState,
    caller: &Caller,
    row: &SessionRow,
    submission: Submission,
    lang: Lang,
) -> Result<(Receipt, Vec<Remark>), Problem> {
    let folders = to_go_on_in_folders(app, caller)?;
    let Prepared { first, command, remarks } = folders.hearing(&row.id, submission.command, lang).await?;
    for command in first {
        let by = submission.by.clone();
        app.engine().submit(&row.id, Submission { command, by, key: None }).await?;
    }
    let receipt = app.engine().submit(&row.id, Submission { command, ..submission }).await?;
    folders.heard(&row.id).await;
    Ok((receipt, remarks))
}
