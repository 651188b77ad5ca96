//! Deletes what is past its days, by the rules of each form.
//!
//! Days are counted from when a sheet was submitted, or else from its respondent's last answer, whatever else was written
//! since; they are never more than the respondent was told. What was promised to respondents holds whatever became of the delivery, and for the
//! copies that the owner made: they go with their sheet. One sheet that cannot be read or deleted keeps no other.

use std::collections::BTreeMap;

use enza_forms::Going;
use enza_interview::Interview;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::{Family, Filter, Rows, SessionId};
use enza_server::access::{Address, line};
use enza_server::problem::Problem;
use enza_server::state::AppState;

use super::change::remove_with_copies;
use super::sheet;
use crate::actions::forms::{self, FORM};

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;
/// Who did it, in the journal. No account can have this name.
const HOUSE: &str = "~house";
/// How many forms are looked at in one go.
const AT_A_TIME: usize = 100;

/// Looks through all forms and deletes what is past its days. Says how many sheets went. One form's trouble does not
/// keep the others from being looked at; the first is told at the end.
pub async fn sweep(app: &AppState) -> Result<u64, Problem> {
    let (mut gone, mut trouble, mut after) = (0, None, None);
    loop {
        let filter =
            Filter { application: Some(FORM.to_owned()), limit: AT_A_TIME, after: after.take(), ..Filter::default() };
        let forms = app.engine().store().list(&filter).await?;
        for form in &forms {
            match sweep_form(app, &form.id).await {
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

async fn sweep_form(app: &AppState, form: &SessionId) -> Result<u64, Problem> {
    let held = forms::read(app, form).await?;
    let family = app.engine().store().list(&Filter { family: Family::Of(form.clone()), ..Filter::default() }).await?;
    let told = days_told(app, form).await?;
    let rule = held.state.rules().keep_days;
    if rule.is_none() && told.is_empty() {
        return Ok(0);
    }
    let submitted: BTreeMap<SessionId, Timestamp> = sheet::all(app, form, &held.state)
        .await?
        .into_iter()
        .filter_map(|sheet| Some((sheet.session, sheet.submitted_at?)))
        .collect();
    let (mut past, mut trouble) = (Vec::new(), None);
    for row in family.iter().filter(|row| row.parent.is_none()) {
        let Some(days) = fewer(rule, told.get(&row.id).copied()) else { continue };
        let oldest = Timestamp(app.now().0 - i64::from(days) * DAY);
        let end = match submitted.get(&row.id) {
            Some(at) => *at,
            // The last answer lies between the two: most need not be read for it.
            None if row.changed_at < oldest => row.changed_at,
            None if row.opened_at >= oldest => continue,
            None => match last_answer(app, &row.id).await {
                Ok(at) => at,
                Err(problem) => {
                    trouble = trouble.or(Some(problem));
                    continue;
                }
            },
        };
        if end < oldest {
            past.push(row.id.clone());
        }
    }
    if past.is_empty() {
        return trouble.map_or(Ok(0), Err);
    }
    let mut line = Some(line(app, HOUSE, crate::SUBMISSIONS_EXPIRED, form.as_str(), &Address::default()));
    let mut gone = 0;
    for session in &past {
        match remove_with_copies(app, form, session, Going::Days, &mut line).await {
            Ok(count) => gone += count,
            Err(problem) => trouble = trouble.or(Some(problem)),
        }
    }
    tracing::info!(%form, gone, "submissions past their days were deleted");
    trouble.map_or(Ok(gone), Err)
}

/// How many days answers are kept: as the rule says now, and never longer than the respondent was told.
pub fn fewer(rule: Option<u32>, told: Option<u32>) -> Option<u32> {
    rule.into_iter().chain(told).min()
}

/// How many days each respondent of a form was told that answers are kept.
async fn days_told(app: &AppState, form: &SessionId) -> Result<BTreeMap<SessionId, u32>, Problem> {
    let rows = app.engine().store().rows("told", Rows::Family(form)).await?.into_iter();
    let days = rows.filter_map(|row| {
        let days = row.content["keepDays"].as_u64().and_then(|days| u32::try_from(days).ok())?;
        Some((row.session, days))
    });
    Ok(days.collect())
}

async fn last_answer(app: &AppState, session: &SessionId) -> Result<Timestamp, Problem> {
    Ok(app.engine().state::<Interview>(session).await?.1.last_answer())
}
