//! Deleting a form with everything that belongs to it.
//!
//! The interviews go first, since a session stays as long as others belong to it; an interview that was cut off in the
//! middle is deleted by asking again. Forks go before what they were taken from.

use enza_runtime::seams::register::NewAuditEntry;
use enza_runtime::seams::store::{Deleted, Family, Filter, SessionId};
use enza_server::access::{Caller, line};
use enza_server::problem::Problem;
use enza_server::state::AppState;

use super::load;

/// How many interviews are looked at in one go.
const AT_A_TIME: usize = 100;

/// How many sessions belong to a form of the caller's; counted up to a limit.
pub async fn count_family(app: &AppState, id: &SessionId, most: usize) -> Result<usize, Problem> {
    let filter = Filter { family: Family::Of(id.clone()), limit: most, ..Filter::default() };
    Ok(app.engine().store().list(&filter).await?.len())
}

/// Deletes a form of the caller's, and the interviews that belong to it.
pub async fn delete(app: &AppState, caller: &Caller, id: &str) -> Result<(), Problem> {
    let held = load(app, caller, id).await?;
    let mut line = Some(line(app, caller.name(), crate::FORM_DELETED, held.row.id.as_str(), &caller.from));
    // A form that stays because of its forks keeps its answers, so it is asked first.
    if delete_alone(app, &held.row.id, &mut line).await?.is_none() {
        return Ok(());
    }
    delete_family(app, &held.row.id, &mut line).await?;
    delete_alone(app, &held.row.id, &mut line).await?.map_or(Ok(()), |count| Err(Problem::HasFamily(count)))
}

/// Deletes a form to which nothing belongs any more; says how much does otherwise.
async fn delete_alone(
    app: &AppState,
    form: &SessionId,
    line: &mut Option<NewAuditEntry>,
) -> Result<Option<u64>, Problem> {
    match app.engine().delete_noted(form, line).await? {
        Deleted::Deleted | Deleted::Unknown => Ok(None),
        Deleted::HasForks(forks) => Err(Problem::HasForks(forks)),
        Deleted::HasFamily(count) => Ok(Some(count)),
    }
}

async fn delete_family(app: &AppState, form: &SessionId, line: &mut Option<NewAuditEntry>) -> Result<(), Problem> {
    let filter = Filter { family: Family::Of(form.clone()), limit: AT_A_TIME, ..Filter::default() };
    loop {
        let rows = app.engine().store().list(&filter).await?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in &rows {
            match app.engine().delete_with_forks(&row.id, line).await?.0 {
                Deleted::Deleted | Deleted::Unknown => {}
                Deleted::HasForks(forks) => return Err(Problem::HasForks(forks)),
                Deleted::HasFamily(count) => return Err(Problem::HasFamily(count)),
            }
        }
    }
}
