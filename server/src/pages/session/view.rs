//! A session as its page needs it: where it stands, what may be done, who is at work, what it cost, what was said.
//!
//! Everything is read from the log and the store as they are now; nothing is kept between requests.

use enza_kernel::conversation::Usage;
use enza_kernel::effect::Effect;
use enza_kernel::floor::{Floor, Line};
use enza_kernel::text::Lang;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::host::Host;
use enza_runtime::seams::store::{SessionId, SessionRow, UsageQuery};

use crate::access::Caller;
use crate::house::House;
use crate::problem::Problem;

/// How many events to read at a time.
const STRETCH: u64 = 256;
/// How many lines a page shows before the older ones are asked for.
const LINES: usize = 60;

/// A session now.
pub(super) struct View {
    /// Its row.
    pub row: SessionRow,
    /// What a person finds.
    pub floor: Floor,
    /// The agents and tools at work.
    pub at_work: Vec<String>,
    /// What it has cost.
    pub spent: Spent,
    /// The last event that all of this has seen.
    pub head: Seq,
}

/// What a session has cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Spent {
    /// Tokens and money.
    pub usage: Usage,
    /// Model calls.
    pub calls: u64,
}

/// A line with its place.
pub(super) struct Shown {
    /// Its place in the log.
    pub seq: Seq,
    /// When.
    pub at: Timestamp,
    /// The line.
    pub line: Line,
}

/// A stretch of the conversation.
pub(super) struct Stretch {
    /// Its lines, in order.
    pub lines: Vec<Shown>,
    /// Where the older ones end, if there are any.
    pub older: Option<Seq>,
}

impl View {
    /// One of the caller's sessions, as it is now.
    pub async fn of(house: &House, caller: &Caller, id: &str, lang: Lang) -> Result<Self, Problem> {
        let row = caller.session(house, id).await?;
        let live = house.engine().state_at(&row.id, None).await?;
        let at_work = live.due().iter().filter_map(name_of).collect();
        let spent = spent(house, &row).await?;
        Ok(Self { floor: live.floor(lang), head: live.seq(), at_work, spent, row })
    }
}

/// The last lines before a place.
pub(super) async fn lines_before(house: &House, row: &SessionRow, end: Seq, lang: Lang) -> Result<Stretch, Problem> {
    let host = host_of(house, row)?;
    let mut lines = Vec::new();
    let mut start = end;
    while start > Seq::START && lines.len() < LINES {
        let from = Seq(start.0.saturating_sub(STRETCH));
        let mut earlier = lines_between(house, &*host, &row.id, from, start, lang).await?;
        earlier.append(&mut lines);
        lines = earlier;
        start = from;
    }
    let surplus = lines.len().saturating_sub(LINES);
    let kept = lines.split_off(surplus);
    let is_all = surplus == 0 && start == Seq::START;
    let older = kept.first().filter(|_| !is_all).map(|first| Seq(first.seq.0 - 1));
    Ok(Stretch { lines: kept, older })
}

/// Every line after a place, up to another.
pub(super) async fn lines_after(
    house: &House,
    row: &SessionRow,
    after: Seq,
    end: Seq,
    lang: Lang,
) -> Result<Vec<Shown>, Problem> {
    lines_between(house, &*host_of(house, row)?, &row.id, after, end, lang).await
}

async fn lines_between(
    house: &House,
    host: &dyn Host,
    session: &SessionId,
    mut after: Seq,
    end: Seq,
    lang: Lang,
) -> Result<Vec<Shown>, Problem> {
    let mut lines = Vec::new();
    while after < end {
        let page = house.engine().store().events(session, after, STRETCH as usize).await?;
        let Some(last) = page.last() else { break };
        after = last.seq;
        let upto = page.iter().filter(|recorded| recorded.seq <= end);
        lines.extend(upto.filter_map(|recorded| {
            Some(Shown { seq: recorded.seq, at: recorded.at, line: host.line(recorded, lang)? })
        }));
    }
    Ok(lines)
}

fn host_of(house: &House, row: &SessionRow) -> Result<std::sync::Arc<dyn Host>, Problem> {
    house.engine().repertoire().find(&row.application).ok_or(Problem::NothingHere)
}

async fn spent(house: &House, row: &SessionRow) -> Result<Spent, Problem> {
    let query = UsageQuery { owner: Some(row.owner.clone()), session: Some(row.id.clone()), ..UsageQuery::default() };
    let rows = house.engine().store().usage(&query).await?;
    Ok(rows
        .iter()
        .fold(Spent::default(), |sum, row| Spent { usage: sum.usage.plus(row.usage), calls: sum.calls + row.calls }))
}

/// Who is at work on an effect; nobody on a timer.
fn name_of(effect: &Effect) -> Option<String> {
    match effect {
        Effect::AskModel(ask) => Some(ask.agent.clone()),
        Effect::RunTool(run) => Some(run.tool.clone()),
        Effect::Wake(_) => None,
    }
}
