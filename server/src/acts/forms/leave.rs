//! Deleting a form with everything that belongs to it.
//!
//! The interviews go first, since a session stays as long as others belong to it; an interview that was cut off in the
//! middle is deleted by asking again. Forks go before what they were taken from.

use enza_runtime::seams::store::{Deleted, Family, Filter, SessionId};

use super::hold;
use crate::access::{Act, Caller, note};
use crate::house::House;
use crate::problem::Problem;

/// How many interviews are looked at in one go.
const AT_A_TIME: usize = 100;

/// How many sessions belong to a form of the caller's; counted up to a limit.
pub async fn count_family(house: &House, id: &SessionId, most: usize) -> Result<usize, Problem> {
    let filter = Filter { family: Family::Of(id.clone()), limit: most, ..Filter::default() };
    Ok(house.engine().store().list(&filter).await?.len())
}

/// Deletes a form of the caller's, and the interviews that belong to it.
pub async fn delete(house: &House, caller: &Caller, id: &str) -> Result<(), Problem> {
    let held = hold(house, caller, id).await?;
    note(house, caller.name(), Act::FormDeleted, held.row.id.as_str(), &caller.from).await?;
    delete_family(house, &held.row.id).await?;
    match house.engine().delete(&held.row.id).await? {
        Deleted::Deleted | Deleted::Unknown => Ok(()),
        Deleted::HasForks(forks) => Err(Problem::HasForks(forks)),
        Deleted::HasFamily(count) => Err(Problem::HasFamily(count)),
    }
}

async fn delete_family(house: &House, form: &SessionId) -> Result<(), Problem> {
    let filter = Filter { family: Family::Of(form.clone()), limit: AT_A_TIME, ..Filter::default() };
    loop {
        let rows = house.engine().store().list(&filter).await?;
        if rows.is_empty() {
            return Ok(());
        }
        let (mut gone, mut held_by) = (0, Vec::new());
        for row in &rows {
            match house.engine().delete(&row.id).await? {
                Deleted::Deleted | Deleted::Unknown => gone += 1,
                Deleted::HasForks(forks) => held_by.extend(forks),
                Deleted::HasFamily(count) => return Err(Problem::HasFamily(count)),
            }
        }
        // A fork that is not among these stands behind: it is deleted by its own name before the next round.
        for fork in held_by {
            if let Deleted::Deleted = house.engine().delete(&fork).await? {
                gone += 1;
            }
        }
        if gone == 0 {
            let forks = rows.into_iter().map(|row| row.id).collect();
            return Err(Problem::HasForks(forks));
        }
    }
}
