//! What runs and what is stuck, in everyone's sessions, and what everyone has spent.
//!
//! An administrator sees whose a session is and why it cannot go on, never its title or a word of what was said: those
//! are its owner's. Trying again is the one thing an administrator may do in someone's session, and only by an offer
//! that the session itself makes for it.

use std::collections::BTreeMap;

use enza_kernel::application::Phase;
use enza_kernel::conversation::Usage;
use enza_kernel::floor::{Offer, Weight};
use enza_kernel::reader::Reader;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Timestamp};
use enza_runtime::engine::Submission;
use enza_runtime::seams::store::{Filter, SessionId, SessionRow, UsageQuery};
use serde::Serialize;
use utoipa::ToSchema;

use crate::access::{Address, AuditEvent, Caller, audit};
use crate::problem::Problem;
use crate::state::AppState;

/// The most sessions on a page.
pub const PAGE: usize = 100;
/// The most days of usage at a time.
pub const MOST_DAYS: u32 = 366;
/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// A session that runs or is stuck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Running {
    /// By which every other route about sessions knows it.
    pub id: String,
    /// The name of the account that it belongs to.
    pub owner: String,
    /// The application's word.
    pub application: String,
    /// `working` or `stuck`.
    #[schema(value_type = String)]
    pub phase: Phase,
    /// Why it cannot go on, where it cannot.
    pub stuck_because: Option<String>,
    /// When it last changed, in milliseconds since 1970.
    #[schema(value_type = i64)]
    pub changed_at: Timestamp,
}

/// What someone spent on a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Spending {
    /// Days since 1970-01-01 UTC.
    pub day: i64,
    /// The name of the account whose sessions spent it.
    pub owner: String,
    /// Model calls.
    pub calls: u64,
    /// Tokens read by the model.
    pub input: u64,
    /// Tokens written by the model.
    pub output: u64,
    /// Of the input, read from the provider's cache.
    pub cache_read: u64,
    /// In millionths of a US dollar.
    pub cost: u64,
}

/// Sessions of everyone that run or are stuck, newest change first; those after one that was seen.
pub async fn running(app: &AppState, after: Option<(Timestamp, String)>) -> Result<Vec<Running>, Problem> {
    let filter = Filter {
        phases: vec![Phase::Working, Phase::Stuck],
        after: after.map(|(changed, id)| (changed, SessionId::of(id))),
        limit: PAGE,
        ..Filter::default()
    };
    let rows = app.engine().store().list(&filter).await?;
    Ok(rows.into_iter().map(without_content).collect())
}

/// Lets a stuck session try again, on its owner's behalf.
pub async fn retry(app: &AppState, caller: &Caller, id: &str, from: &Address) -> Result<(), Problem> {
    let session = SessionId::of(id);
    let row = app.engine().store().find(&session).await?.ok_or(Problem::NoSession)?;
    if row.standing.phase != Phase::Stuck {
        return Err(CommonRefusal::NothingToRetry.into());
    }
    let floor = app.engine().state_at(&session, None).await?.floor(&Reader::host(), Lang::En);
    let offered = floor.offers.into_iter().find_map(|offer| match offer {
        Offer::Press { command, weight: Weight::Retry, .. } => Some(command),
        Offer::Press { weight: Weight::Main | Weight::Plain | Weight::Grave, .. } | Offer::Say { .. } => None,
    });
    let command = offered.ok_or(CommonRefusal::NothingToRetry)?;
    audit(app, caller.name(), AuditEvent::SessionRetried, id, from).await?;
    // The head in the key: of two administrators who press at once, one is enough.
    let key = Some(format!("retry-{}", row.head));
    app.engine().submit(&session, Submission { command, by: Actor::Person(row.owner), key }).await?;
    Ok(())
}

/// What everyone spent on each of the last days, newest day first.
pub async fn spending(app: &AppState, days: u32) -> Result<Vec<Spending>, Problem> {
    let today = app.now().0.div_euclid(DAY);
    let from_day = today - i64::from(days.clamp(1, MOST_DAYS)) + 1;
    let query = UsageQuery { from_day: Some(from_day), ..UsageQuery::default() };
    let mut sums: BTreeMap<(i64, String), (u64, Usage)> = BTreeMap::new();
    for row in app.engine().store().usage(&query).await? {
        let (calls, sum) = sums.entry((-row.day, row.owner)).or_default();
        *calls += row.calls;
        *sum = sum.plus(row.usage);
    }
    let lines = sums.into_iter().map(|((day, owner), (calls, sum))| Spending {
        day: -day,
        owner,
        calls,
        input: sum.input,
        output: sum.output,
        cache_read: sum.cache_read,
        cost: sum.cost,
    });
    Ok(lines.collect())
}

fn without_content(row: SessionRow) -> Running {
    let stuck = row.standing.phase == Phase::Stuck;
    Running {
        id: row.id.to_string(),
        owner: row.owner,
        application: row.application,
        phase: row.standing.phase,
        stuck_because: row.standing.waiting_for.filter(|_| stuck),
        changed_at: row.changed_at,
    }
}
