//! Submissions that have not arrived yet: why, and when they are tried again.

use enza_interview::{Event, Interview};
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::store::SessionId;
use enza_server::problem::Problem;
use enza_server::state::AppState;

use super::sheet::{Sheet, Status};

/// How many are shown; who has more has a receiver that is down, and the first say it all.
const MOST: usize = 100;
/// How many events at the end of a log are looked through for the last failure.
const TAIL: u64 = 64;

/// A submission that is still owed to the receiver.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingDelivery {
    pub sheet: Sheet,
    /// Why the last attempt failed; none before the first.
    pub why: Option<String>,
    /// When it is tried again by itself.
    pub again: Option<Timestamp>,
    /// Whether it was given up, and waits to be told.
    pub is_given_up: bool,
}

/// What is owed of these sheets, the oldest last.
pub async fn pending_deliveries(app: &AppState, sheets: Vec<Sheet>) -> Result<Vec<PendingDelivery>, Problem> {
    let open = sheets.into_iter().filter(|sheet| sheet.status == Status::Submitted && !sheet.delivered);
    let mut all = Vec::new();
    for sheet in open.take(MOST) {
        let (row, state) = app.engine().state::<Interview>(&sheet.session).await?;
        all.push(PendingDelivery {
            why: last_failure(app, &sheet.session, row.head).await?,
            again: state.delivers_again(),
            is_given_up: state.is_undelivered(),
            sheet,
        });
    }
    Ok(all)
}

async fn last_failure(app: &AppState, session: &SessionId, head: Seq) -> Result<Option<String>, Problem> {
    let after = Seq(head.0.saturating_sub(TAIL));
    let tail = app.engine().store().events(session, after, TAIL as usize).await?;
    Ok(tail.iter().rev().find_map(|recorded| match recorded.event::<Interview>() {
        Ok(Event::DeliveryFailed { why, .. }) => Some(why),
        Ok(_) | Err(_) => None,
    }))
}
