//! Rows of either database as the types of the seam, and the few values an append leaves to be worked out.
//!
//! Both dialects select the same columns in the same order, so that one function reads them. Numbers are `i64` in both;
//! the seam's are unsigned, and none of them comes near the difference.

pub(crate) mod register;

use std::collections::BTreeMap;

use enza_kernel::application::{Phase, Row, Standing, Stored};
use enza_kernel::conversation::Usage;
use enza_kernel::effect::Wake;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::store::{
    Append, HeldLease, Lease, OwnerSpent, Recorded, SessionId, SessionRow, Snapshot, TableRow, UsageRow,
};

use crate::checksum::of_snapshot;
use crate::fault::{Fault, unexpected};

/// One row of an answer, read by place.
pub(crate) trait Columns {
    fn text(&self, place: usize) -> Result<String, Fault>;
    fn maybe_text(&self, place: usize) -> Result<Option<String>, Fault>;
    fn number(&self, place: usize) -> Result<i64, Fault>;
    fn maybe_number(&self, place: usize) -> Result<Option<i64>, Fault>;
    fn flag(&self, place: usize) -> Result<bool, Fault>;
    fn bytes(&self, place: usize) -> Result<Vec<u8>, Fault>;
    fn maybe_bytes(&self, place: usize) -> Result<Option<Vec<u8>>, Fault>;
}

/// The columns that `session_row` reads, of `sessions s` with its parent `p`.
pub(crate) const SESSION: &str = "s.id, s.application, s.owner, s.head, s.phase, s.title, s.waiting_for, \
     s.opened_at, s.changed_at, p.id, s.parent_at, s.key, s.belongs_to, s.quiet";

/// A session's row, from `SESSION`.
pub(crate) fn session_row(row: &impl Columns) -> Result<SessionRow, Fault> {
    let word = row.text(4)?;
    let phase = Phase::from_word(&word).ok_or_else(|| unexpected(format!("a session's phase is {word:?}")))?;
    let parent = row.maybe_text(9)?.map(|id| Ok::<_, Fault>((SessionId::of(id), seq(row, 10)?))).transpose()?;
    Ok(SessionRow {
        id: SessionId::of(row.text(0)?),
        application: row.text(1)?,
        owner: row.text(2)?,
        of: row.maybe_text(12)?.map(SessionId::of),
        head: seq(row, 3)?,
        standing: Standing { phase, title: row.text(5)?, waiting_for: row.maybe_text(6)? },
        opened_at: Timestamp(row.number(7)?),
        changed_at: Timestamp(row.number(8)?),
        parent,
        quiet: row.flag(13)?,
    })
}

/// A session's key, from `SESSION`.
pub(crate) fn session_key(row: &impl Columns) -> Result<i64, Fault> {
    row.number(11)
}

/// An event, from `seq, at, kind, version, body`.
pub(crate) fn recorded(row: &impl Columns) -> Result<Recorded, Fault> {
    Ok(Recorded {
        seq: seq(row, 0)?,
        at: Timestamp(row.number(1)?),
        stored: Stored { kind: row.text(2)?, version: version(row, 3)?, body: row.text(4)? },
    })
}

/// A snapshot, from `seq, version, body, checksum`; none where it is not what was written. It is a cache: the events
/// say the same.
pub(crate) fn snapshot(row: &impl Columns) -> Result<Option<Snapshot>, Fault> {
    let snapshot = Snapshot { seq: seq(row, 0)?, version: version(row, 1)?, body: row.bytes(2)? };
    let is_sound = row.maybe_bytes(3)?.is_none_or(|kept| kept == of_snapshot(&snapshot));
    if !is_sound {
        tracing::warn!(seq = snapshot.seq.0, "a snapshot is not what was written; the events are read instead");
    }
    Ok(is_sound.then_some(snapshot))
}

/// A timer, from `name, at`.
pub(crate) fn wake(row: &impl Columns) -> Result<Wake, Fault> {
    Ok(Wake { name: row.text(0)?, at: Timestamp(row.number(1)?) })
}

/// A lease, from `session id, worker, end`.
pub(crate) fn held(row: &impl Columns) -> Result<HeldLease, Fault> {
    Ok(HeldLease { session: SessionId::of(row.text(0)?), worker: row.text(1)?, until: Timestamp(row.number(2)?) })
}

/// A table row, from `session id, key, content`.
pub(crate) fn table_row(row: &impl Columns) -> Result<TableRow, Fault> {
    let content = row.text(2)?;
    let content =
        serde_json::from_str(&content).map_err(|why| unexpected(format!("a table row is not JSON: {why}")))?;
    Ok(TableRow { session: SessionId::of(row.text(0)?), key: row.text(1)?, content })
}

/// The columns that `usage_row` reads, of `usage u` with its session `s`.
pub(crate) const USAGE: &str = "u.owner, u.day, u.application, u.model, s.id, u.calls, u.input, u.output, \
     u.cache_read, u.cache_write, u.cost";

/// A line of usage, from `USAGE`.
pub(crate) fn usage_row(row: &impl Columns) -> Result<UsageRow, Fault> {
    Ok(UsageRow {
        owner: row.text(0)?,
        day: row.number(1)?,
        application: row.text(2)?,
        model: row.text(3)?,
        session: row.maybe_text(4)?.map(SessionId::of),
        calls: count(row, 5)?,
        usage: usage(row, 6)?,
    })
}

/// Whether a sum is of the day in question, and the sum: from `1 or 0, input, output, cache_read, cache_write, cost`.
pub(crate) fn day_sum(row: &impl Columns) -> Result<(bool, Usage), Fault> {
    Ok((row.number(0)? == 1, usage(row, 1)?))
}

/// What an owner has spent, from sums of the day in question and of others.
pub(crate) fn owner_spent(sums: impl IntoIterator<Item = (bool, Usage)>) -> OwnerSpent {
    let mut spent = OwnerSpent::default();
    for (is_that_day, usage) in sums {
        spent.in_all = spent.in_all.plus(usage);
        if is_that_day {
            spent.on_day = spent.on_day.plus(usage);
        }
    }
    spent
}

/// Tokens and their cost, from `input, output, cache_read, cache_write, cost` at a place and on.
fn usage(row: &impl Columns, at: usize) -> Result<Usage, Fault> {
    Ok(Usage {
        input: count(row, at)?,
        output: count(row, at + 1)?,
        cache_read: count(row, at + 2)?,
        cache_write: count(row, at + 3)?,
        cost: count(row, at + 4)?,
    })
}

/// A number that is never negative.
pub(crate) fn count(row: &impl Columns, place: usize) -> Result<u64, Fault> {
    Ok(row.number(place)?.max(0).cast_unsigned())
}

/// A place in a log.
pub(crate) fn seq(row: &impl Columns, place: usize) -> Result<Seq, Fault> {
    u64::try_from(row.number(place)?).map(Seq).map_err(|_| unexpected("a place in a log is negative"))
}

fn version(row: &impl Columns, place: usize) -> Result<u16, Fault> {
    u16::try_from(row.number(place)?).map_err(|_| unexpected("a version is out of range"))
}

/// A count or place on its way into a column.
pub(crate) fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A limit on its way into a query.
pub(crate) fn at_most(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// The head after an append.
pub(crate) fn head_after(append: &Append) -> Seq {
    append.expected.plus(append.events.len())
}

/// When an append's first and last event were decided. One without events has only its lease to tell the time by.
pub(crate) fn first_moment(append: &Append) -> Option<Timestamp> {
    append.events.first().map(|event| event.at).or_else(|| leased_at(append))
}

/// See `first_moment`.
pub(crate) fn last_moment(append: &Append) -> Option<Timestamp> {
    append.events.last().map(|event| event.at).or_else(|| leased_at(append))
}

fn leased_at(append: &Append) -> Option<Timestamp> {
    match &append.lease {
        Lease::Hold { now, .. } => Some(*now),
        Lease::Free | Lease::Leave => None,
    }
}

/// The day on which an append's tokens count: days since 1970-01-01 UTC.
pub(crate) fn day_of(append: &Append) -> i64 {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    last_moment(append).unwrap_or_default().0.div_euclid(DAY)
}

/// What an append spent, by model, in the order of the columns: calls, the four kinds of tokens, the cost.
pub(crate) fn by_model(append: &Append) -> BTreeMap<&str, [i64; 6]> {
    let mut sums = BTreeMap::new();
    for spent in &append.usage {
        let (calls, usage) = sums.entry(spent.model.as_str()).or_insert((0, Usage::default()));
        *calls += spent.calls;
        *usage = usage.plus(spent.usage);
    }
    let numbers = |(calls, usage): (u64, Usage)| {
        [calls, usage.input, usage.output, usage.cache_read, usage.cache_write, usage.cost].map(whole)
    };
    sums.into_iter().map(|(model, sum)| (model, numbers(sum))).collect()
}

/// Timers by name: the last of one name is the one that is set.
pub(crate) fn by_name(timers: &[Wake]) -> BTreeMap<&str, Timestamp> {
    timers.iter().map(|wake| (wake.name.as_str(), wake.at)).collect()
}

/// Changes to table rows, by table and key: the last of one key is the one that stays.
pub(crate) fn by_key(rows: &[Row]) -> BTreeMap<(&str, &str), Option<String>> {
    rows.iter()
        .map(|row| ((row.table.as_str(), row.key.as_str()), row.content.as_ref().map(ToString::to_string)))
        .collect()
}
