//! Changing what was answered: deleting a sheet, sending one on again, trying the receiver.

use std::time::Duration;

use enza_forms::{Command as FormCommand, Going};
use enza_interview::Command;
use enza_kernel::text::Lang;
use enza_runtime::engine::Receipt;
use enza_runtime::seams::register::NewAuditEntry;
use enza_runtime::seams::store::{Deleted, SessionId, SessionRow};
use enza_server::access::{Caller, line};
use enza_server::actions::{IdempotencyKey, sessions};
use enza_server::problem::Problem;
use enza_server::state::AppState;
use serde_json::json;

use crate::actions::forms::{self, LoadedForm};
use crate::problem::FormProblem;
use crate::webhook::{self, Delivered, Undelivered};

/// What came of trying a receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// What it answered; none where nobody did.
    pub status: Option<u16>,
    /// How long it took, where it was taken.
    pub took: Option<Duration>,
    pub why: Option<Undelivered>,
}

/// Deletes a sheet for good, with its whole conversation.
pub async fn delete(app: &AppState, caller: &Caller, form: &str, session: &str) -> Result<(), Problem> {
    let (held, row) = find(app, caller, form, session).await?;
    let line = line(app, caller.name(), crate::SUBMISSION_DELETED, row.id.as_str(), &caller.from);
    match app.engine().delete_noted(&row.id, &mut Some(line)).await? {
        Deleted::Deleted | Deleted::Unknown => {}
        Deleted::HasForks(forks) => return Err(Problem::HasForks(forks)),
        Deleted::HasFamily(count) => return Err(Problem::HasFamily(count)),
    }
    forget(app, &held.row.id, &row.id, 0, Going::Owner).await
}

/// Sends a submission on again whose delivery was given up.
pub async fn retry(
    app: &AppState,
    caller: &Caller,
    form: &str,
    session: &str,
    once: IdempotencyKey,
) -> Result<Receipt, Problem> {
    let (_, row) = find(app, caller, form, session).await?;
    // There is nothing to remark on, in whatever language.
    let sent = json!(Command::RetryDelivery);
    Ok(sessions::command(app, caller, row.id.as_str(), sent, once, Lang::default()).await?.receipt)
}

/// Sends something harmless to the receiver.
pub async fn try_webhook(app: &AppState, caller: &Caller, form: &str) -> Result<Trial, Problem> {
    let held = forms::load(app, caller, form).await?;
    Ok(match webhook::ping(app, &held).await.ok_or(FormProblem::NoWebhook)? {
        Ok(Delivered { status, took }) => Trial { status: Some(status), took: Some(took), why: None },
        Err(Undelivered::Answered(status)) => {
            Trial { status: Some(status), took: None, why: Some(Undelivered::Answered(status)) }
        }
        Err(why) => Trial { status: None, took: None, why: Some(why) },
    })
}

/// An interview of a form of the caller's.
pub(super) async fn find(
    app: &AppState,
    caller: &Caller,
    form: &str,
    session: &str,
) -> Result<(LoadedForm, SessionRow), Problem> {
    let held = forms::load(app, caller, form).await?;
    let row = caller.session(app, session).await?;
    if row.of.as_ref() == Some(&held.row.id) { Ok((held, row)) } else { Err(Problem::NoSession) }
}

/// Removes an interview with the copies that its owner made of it, and tells its form. What the form remembers of one that
/// is gone already goes, too, so that a removal that was cut off in between is finished by the next. The line for the
/// journal is written with the first that goes. Says how many sessions went.
pub(in crate::actions) async fn remove_with_copies(
    app: &AppState,
    form: &SessionId,
    session: &SessionId,
    why: Going,
    line: &mut Option<NewAuditEntry>,
) -> Result<u64, Problem> {
    let (deleted, forks) = app.engine().delete_with_forks(session, line).await?;
    let itself = match deleted {
        Deleted::Deleted => 1,
        Deleted::Unknown => 0,
        Deleted::HasForks(forks) => return Err(Problem::HasForks(forks)),
        Deleted::HasFamily(count) => return Err(Problem::HasFamily(count)),
    };
    let copies = forks.len() as u64;
    forget(app, form, session, copies, why).await?;
    Ok(itself + copies)
}

async fn forget(app: &AppState, form: &SessionId, session: &SessionId, copies: u64, why: Going) -> Result<(), Problem> {
    let forget = FormCommand::Forget { session: session.to_string(), copies, why };
    forms::submit_as_runtime(app, form, &forget, format!("forget-{session}")).await.map(drop)
}
