//! Changing a session: commands, answers to gates, and its end.

use enza_kernel::gate::Given;
use enza_kernel::text::Lang;
use enza_runtime::engine::{Receipt, Submission};
use enza_runtime::seams::store::{Deleted, SessionRow};
use serde_json::Value;

use crate::access::{Act, Caller, line};
use crate::acts::Once;
use crate::acts::companion::{self, COMPANION};
use crate::folders::Remark;
use crate::house::House;
use crate::problem::Problem;

/// A command was accepted.
#[derive(Debug)]
pub struct Accepted {
    /// What it led to.
    pub receipt: Receipt,
    /// What the person is told besides.
    pub remarks: Vec<Remark>,
}

/// Asks a session to do something.
pub async fn command(
    house: &House,
    caller: &Caller,
    session: &str,
    command: Value,
    once: Once,
    lang: Lang,
) -> Result<Accepted, Problem> {
    let row = caller.session(house, session).await?;
    submit(house, caller, &row, command, once, lang).await
}

/// Answers a gate, whatever the application calls the command for it.
pub async fn answer_gate(
    house: &House,
    caller: &Caller,
    session: &str,
    gate: &str,
    given: Given,
    once: Once,
    lang: Lang,
) -> Result<Accepted, Problem> {
    let row = caller.session(house, session).await?;
    let host = house.engine().repertoire().find(&row.application).ok_or(Problem::NoApplication)?;
    let is_plain = given.clone().plain().is_some();
    // Nobody's "only this part" may be taken for a whole yes.
    let none = if is_plain { Problem::NothingHere } else { Problem::BodyUnfit("scope, picks".to_owned()) };
    let command = host.answer_gate(gate, given).ok_or(none)?;
    submit(house, caller, &row, command, once, lang).await
}

/// Deletes a session for good. Whoever watches is told.
pub async fn delete(house: &House, caller: &Caller, session: &str) -> Result<(), Problem> {
    let row = caller.session(house, session).await?;
    let line = line(house, caller.name(), Act::SessionDeleted, row.id.as_str(), &caller.from);
    match house.engine().delete_noted(&row.id, &mut Some(line)).await? {
        Deleted::Deleted => Ok(()),
        Deleted::Unknown => Err(Problem::NoSession),
        Deleted::HasForks(forks) => Err(Problem::HasForks(forks)),
        Deleted::HasFamily(count) => Err(Problem::HasFamily(count)),
    }
}

async fn submit(
    house: &House,
    caller: &Caller,
    row: &SessionRow,
    command: Value,
    once: Once,
    lang: Lang,
) -> Result<Accepted, Problem> {
    let submission = Submission { command, by: caller.actor(), key: once.key() };
    let (receipt, remarks) = match row.application == COMPANION {
        true => companion::submit(house, caller, row, submission, lang).await?,
        false => (house.engine().submit(&row.id, submission).await?, Vec::new()),
    };
    Ok(Accepted { receipt, remarks })
}
