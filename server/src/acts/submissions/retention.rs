//! Deletes what is past its days, by the rules of each form.
//!
//! Days are counted from when a sheet was submitted, or else from when something last happened. What was promised to
//! respondents holds whatever became of the delivery. A sheet that the owner has forked stays until the forks are gone;
//! those have the same days. Texts that prompts shared are kept by content and by no session, and stay.

use std::collections::BTreeMap;

use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::{Family, Filter, SessionId, SessionRow};

use super::change::remove;
use super::sheet;
use crate::access::{Act, Address, note};
use crate::acts::forms::{self, FORM};
use crate::house::House;
use crate::problem::Problem;

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;
/// Who did it, in the journal. No account can have this name.
const HOUSE: &str = "~house";
/// How many forms are looked at in one go.
const AT_A_TIME: usize = 100;

/// Looks through all forms and deletes what is past its days. Says how many sheets went. One form's trouble does not
/// keep the others from being looked at; the first is told at the end.
pub async fn sweep(house: &House) -> Result<u64, Problem> {
    let (mut gone, mut trouble, mut after) = (0, None, None);
    loop {
        let filter =
            Filter { application: Some(FORM.to_owned()), limit: AT_A_TIME, after: after.take(), ..Filter::default() };
        let forms = house.engine().store().list(&filter).await?;
        for form in &forms {
            match sweep_form(house, &form.id).await {
                Ok(count) => gone += count,
                Err(problem) => trouble = trouble.or(Some(problem)),
            }
        }
        match forms.last().filter(|_| forms.len() == AT_A_TIME) {
            Some(last) => after = Some((last.changed_at, last.id.clone())),
            None => return trouble.map_or(Ok(gone), Err),
        }
    }
}

async fn sweep_form(house: &House, form: &SessionId) -> Result<u64, Problem> {
    let held = forms::read(house, form).await?;
    let Some(days) = held.state.rules().keep_days else { return Ok(0) };
    let oldest = Timestamp(house.now().0 - i64::from(days) * DAY);
    let submitted: BTreeMap<SessionId, Timestamp> = sheet::all(house, form, &held.state)
        .await?
        .into_iter()
        .filter_map(|sheet| Some((sheet.session, sheet.submitted_at?)))
        .collect();
    let end_of = |row: &SessionRow| submitted.get(&row.id).copied().unwrap_or(row.changed_at);
    let family = Filter { family: Family::Of(form.clone()), ..Filter::default() };
    let mut past = house.engine().store().list(&family).await?;
    past.retain(|row| end_of(row) < oldest);
    if past.is_empty() {
        return Ok(0);
    }
    note(house, HOUSE, Act::SubmissionsExpired, form.as_str(), &Address::default()).await?;
    let mut gone = 0;
    // A fork has to go before what it was forked from, and may have forks of its own.
    while !past.is_empty() {
        let mut kept = Vec::new();
        for row in &past {
            match remove(house, form, &row.id).await {
                Ok(()) => gone += 1,
                Err(Problem::HasForks(_)) => kept.push(row.clone()),
                Err(problem) => return Err(problem),
            }
        }
        if kept.len() == past.len() {
            break;
        }
        past = kept;
    }
    tracing::info!(%form, gone, "submissions past their days were deleted");
    Ok(gone)
}
