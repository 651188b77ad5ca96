//! Changing a session: commands, answers to gates, and its end.

use enza_kernel::gate::Given;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use enza_runtime::engine::{Receipt, Submission};
use enza_runtime::seams::store::{Deleted, SessionRow};
use serde_json::Value;

use crate::access::{AuditEvent, Caller, line};
use crate::actions::IdempotencyKey;
use crate::prepare::{Prepared, Remark, SentCommand};
use crate::problem::Problem;
use crate::state::AppState;

use super::begin::prepared;

/// A command was accepted.
#[derive(Debug)]
pub struct AcceptedCommand {
    pub receipt: Receipt,
    /// What the person is told besides.
    pub remarks: Vec<Remark>,
}

/// Asks a session to do something.
pub async fn command(
    app: &AppState,
    caller: &Caller,
    session: &str,
    command: Value,
    once: IdempotencyKey,
    lang: Lang,
) -> Result<AcceptedCommand, Problem> {
    let row = commanded(app, caller, session).await?;
    submit(app, caller, &row, command, once, lang).await
}

/// A session that takes commands of the caller. Which of them is for the application to decide; it is told whose they are.
async fn commanded(app: &AppState, caller: &Caller, session: &str) -> Result<SessionRow, Problem> {
    let reading = caller.session_as_reader(app, session).await?;
    if reading.may_command() { Ok(reading.row) } else { Err(CommonRefusal::NotYourPart.into()) }
}

/// Answers a gate, whatever the application calls the command for it.
pub async fn answer_gate(
    app: &AppState,
    caller: &Caller,
    session: &str,
    gate: &str,
    given: Given,
    once: IdempotencyKey,
    lang: Lang,
) -> Result<AcceptedCommand, Problem> {
    let row = commanded(app, caller, session).await?;
    let host = app.engine().applications().find(&row.application).ok_or(Problem::NoApplication)?;
    let is_plain = given.clone().plain().is_some();
    // Nobody's "only this part" may be taken for a whole yes.
    let none = if is_plain { Problem::NothingHere } else { Problem::BodyUnfit("scope, picks".to_owned()) };
    let command = host.answer_gate(gate, given).ok_or(none)?;
    submit(app, caller, &row, command, once, lang).await
}

/// Deletes a session for good. Whoever watches is told.
pub async fn delete(app: &AppState, caller: &Caller, session: &str) -> Result<(), Problem> {
    let row = caller.session(app, session).await?;
    let line = line(app, caller.name(), AuditEvent::SessionDeleted, row.id.as_str(), &caller.from);
    match app.engine().delete_noted(&row.id, &mut Some(line)).await? {
        Deleted::Deleted => Ok(()),
        Deleted::Unknown => Err(Problem::NoSession),
        Deleted::HasForks(forks) => Err(Problem::HasForks(forks)),
        Deleted::HasFamily(count) => Err(Problem::HasFamily(count)),
    }
}

async fn submit(
    app: &AppState,
    caller: &Caller,
    row: &SessionRow,
    command: Value,
    once: IdempotencyKey,
    lang: Lang,
) -> Result<AcceptedCommand, Problem> {
    let sent = SentCommand { session: &row.id, opens: false, command, lang };
    let Prepared { first, command, remarks } = prepared(app, caller, &row.application, sent).await?;
    for command in first {
        app.engine().submit(&row.id, Submission { command, by: caller.actor(), key: None }).await?;
    }
    let receipt = app.engine().submit(&row.id, Submission { command, by: caller.actor(), key: once.key() }).await?;
    if let Some(prepare) = app.prepare_of(&row.application) {
        prepare.accepted(&row.id).await;
    }
    Ok(AcceptedCommand { receipt, remarks })
}
