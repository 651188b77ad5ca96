//! Appends of several sessions as one statement: one commit, one round trip, one sync of the server's disk.
//!
//! `append.sql` says what happens; here appends are laid out as its arrays. Each session is in a batch at most once.

use deadpool_postgres::Client;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Append, Appended, Lease, SessionId};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Row, Statement};

use super::link_cache::LinkCache;
use crate::checksum::{Link, links, of_snapshot};
use crate::columns::{Columns, by_key, by_model, by_name, day_of, first_moment, head_after, last_moment, seq, whole};
use crate::fault::{Fault, unexpected};

const APPEND: &str = include_str!("append.sql");

/// Runs a batch. The answers are in the order of the appends.
pub(super) async fn append(client: &Client, batch: &[&Append], links: &mut LinkCache) -> Result<Vec<Appended>, Fault> {
    let remembered: Vec<bool> = batch.iter().map(|append| links.knows(append)).collect();
    let mut answers = run(client, batch, links).await?;
    for ((append, answer), remembered) in batch.iter().zip(&mut answers).zip(remembered) {
        // A conflict on the very head that was decided on: the link may be that of an earlier session of this name.
        if remembered && *answer == (Appended::Conflict { head: append.expected }) {
            let again = run(client, &[append], links).await?;
            *answer = again.first().copied().unwrap_or(*answer);
        }
    }
    Ok(answers)
}

async fn run(client: &Client, batch: &[&Append], links: &mut LinkCache) -> Result<Vec<Appended>, Fault> {
    let statement = client.prepare_cached(APPEND).await?;
    let mut sheet = BatchColumns::default();
    let before = links.before(client, batch).await?;
    // After a failure nobody knows what took place.
    batch.iter().for_each(|append| links.forget(&append.session));
    for ((n, append), before) in (1..).zip(batch).zip(before) {
        sheet.add(n, append, before);
    }
    let rows = insist(client, &statement, &sheet.arrays()).await?;
    let mut answers: Vec<Option<Appended>> = vec![None; batch.len()];
    for row in &rows {
        let place = usize::try_from(row.number(0)? - 1).map_err(|_| unexpected("an answer has no place"))?;
        let duplicate: Option<i64> = row.try_get(2)?;
        answers[place] = match (row.try_get::<_, bool>(1)?, duplicate) {
            (true, _) => Some(Appended::Appended(head_after(batch[place]))),
            (false, Some(seq)) => Some(Appended::Duplicate { seq: Seq(seq.cast_unsigned()) }),
            (false, None) => None,
        };
    }
    for (place, append) in batch.iter().enumerate() {
        if let Some(Appended::Appended(head)) = answers[place] {
            links.remember(&append.session, head, sheet.head_links[place]);
        }
    }
    conflicts(client, batch, answers).await
}

/// Runs the statement; again where the server has undone it to end a deadlock, which only a session opened by two
/// workers at once can bring about, and where what a new session belongs to was deleted meanwhile: it then sees so.
async fn insist(client: &Client, sql: &Statement, with: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, Fault> {
    const TIMES: usize = 3;
    const PASSING: [SqlState; 2] = [SqlState::T_R_DEADLOCK_DETECTED, SqlState::FOREIGN_KEY_VIOLATION];
    for _ in 0..TIMES {
        match client.query(sql, with).await {
            Err(error) if error.code().is_some_and(|code| PASSING.contains(code)) => {}
            other => return Ok(other?),
        }
    }
    Ok(client.query(sql, with).await?)
}

/// The rest are conflicts; the heads they ran into are asked for now, since the statement saw them as it started.
async fn conflicts(client: &Client, batch: &[&Append], answers: Vec<Option<Appended>>) -> Result<Vec<Appended>, Fault> {
    let mut settled = Vec::with_capacity(answers.len());
    for (append, answer) in batch.iter().zip(answers) {
        settled.push(match answer {
            Some(answer) => answer,
            None => {
                let statement = client.prepare_cached("SELECT head FROM sessions WHERE id = $1").await?;
                let row = client.query_opt(&statement, &[&append.session.as_str()]).await?;
                let head = row.map(|row| seq(&row, 0)).transpose()?.unwrap_or(Seq::START);
                Appended::Conflict { head }
            }
        });
    }
    Ok(settled)
}

/// The arrays of the statement, one group of them after another. Their `n` says to which append a row belongs.
#[derive(Default)]
struct BatchColumns<'a> {
    asked: Asked<'a>,
    events: Events<'a>,
    timers: Timers<'a>,
    rows: Rows<'a>,
    usage: Spending<'a>,
    snapshots: Snapshots<'a>,
    /// The link of each session's head after its append.
    head_links: Vec<Option<Link>>,
}

#[derive(Default)]
struct Asked<'a> {
    id: Vec<&'a str>,
    expected: Vec<i64>,
    head: Vec<i64>,
    phase: Vec<&'static str>,
    title: Vec<&'a str>,
    waiting_for: Vec<Option<&'a str>>,
    changed_at: Vec<Option<i64>>,
    worker: Vec<Option<&'a str>>,
    now: Vec<Option<i64>>,
    until: Vec<Option<i64>>,
    application: Vec<Option<&'a str>>,
    owner: Vec<Option<&'a str>>,
    opened_at: Vec<Option<i64>>,
    accepted_key: Vec<Option<&'a str>>,
    accepted_seq: Vec<Option<i64>>,
    retimed: Vec<bool>,
    leaves: Vec<bool>,
    of: Vec<Option<&'a str>>,
    link_before: Vec<Option<Vec<u8>>>,
    link: Vec<Option<Vec<u8>>>,
}

#[derive(Default)]
struct Events<'a> {
    n: Vec<i64>,
    seq: Vec<i64>,
    at: Vec<i64>,
    kind: Vec<&'a str>,
    version: Vec<i32>,
    body: Vec<&'a str>,
    link: Vec<Vec<u8>>,
}

#[derive(Default)]
struct Timers<'a> {
    n: Vec<i64>,
    name: Vec<&'a str>,
    at: Vec<i64>,
}

#[derive(Default)]
struct Rows<'a> {
    n: Vec<i64>,
    table: Vec<&'a str>,
    key: Vec<&'a str>,
    content: Vec<Option<String>>,
}

#[derive(Default)]
struct Spending<'a> {
    n: Vec<i64>,
    day: Vec<i64>,
    model: Vec<&'a str>,
    /// As `by_model` orders them.
    numbers: [Vec<i64>; 6],
}

#[derive(Default)]
struct Snapshots<'a> {
    n: Vec<i64>,
    seq: Vec<i64>,
    version: Vec<i32>,
    body: Vec<&'a [u8]>,
    checksum: Vec<Vec<u8>>,
}

impl<'a> BatchColumns<'a> {
    fn add(&mut self, n: i64, append: &'a Append, before: Option<Link>) {
        let links = links(before, append.expected, &append.events);
        self.asked.add(append);
        self.asked.link_before.push(before.map(Into::into));
        let head = links.last().copied().or(before);
        self.head_links.push(head);
        self.asked.link.push(head.map(Into::into));
        for ((place, event), link) in (whole(append.expected.0) + 1..).zip(&append.events).zip(links) {
            self.events.link.push(link.into());
            self.events.n.push(n);
            self.events.seq.push(place);
            self.events.at.push(event.at.0);
            self.events.kind.push(&event.stored.kind);
            self.events.version.push(event.stored.version.into());
            self.events.body.push(&event.stored.body);
        }
        for (name, at) in append.timers.as_deref().map(by_name).unwrap_or_default() {
            self.timers.n.push(n);
            self.timers.name.push(name);
            self.timers.at.push(at.0);
        }
        for ((table, key), content) in by_key(&append.rows) {
            self.rows.n.push(n);
            self.rows.table.push(table);
            self.rows.key.push(key);
            self.rows.content.push(content);
        }
        for (model, numbers) in by_model(append) {
            self.usage.n.push(n);
            self.usage.day.push(day_of(append));
            self.usage.model.push(model);
            self.usage.numbers.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
        }
        if let Some(snapshot) = &append.snapshot {
            self.snapshots.n.push(n);
            self.snapshots.seq.push(whole(snapshot.seq.0));
            self.snapshots.version.push(snapshot.version.into());
            self.snapshots.body.push(&snapshot.body);
            self.snapshots.checksum.push(of_snapshot(snapshot).into());
        }
    }

    /// In the order of the statement's parameters.
    #[rustfmt::skip]
    fn arrays(&self) -> Vec<&(dyn ToSql + Sync)> {
        let Self { asked: a, events: e, timers: t, rows: r, usage: u, snapshots: s, head_links: _ } = self;
        let [calls, input, output, cache_read, cache_write, cost] = &u.numbers;
        vec![
            &a.id, &a.expected, &a.head, &a.phase, &a.title, &a.waiting_for, &a.changed_at,
            &a.worker, &a.now, &a.until, &a.application, &a.owner, &a.opened_at,
            &a.accepted_key, &a.accepted_seq, &a.retimed,
            &e.n, &e.seq, &e.at, &e.kind, &e.version, &e.body,
            &t.n, &t.name, &t.at,
            &r.n, &r.table, &r.key, &r.content,
            &u.n, &u.day, calls, input, output, cache_read, cache_write,
            &s.n, &s.seq, &s.version, &s.body,
            &a.leaves, &u.model, cost, &a.of,
            &a.link_before, &a.link, &e.link, &s.checksum,
        ]
    }
}

impl<'a> Asked<'a> {
    fn add(&mut self, append: &'a Append) {
        let (worker, now, until) = match &append.lease {
            Lease::Hold { worker, now, until } => (Some(worker.as_str()), Some(now.0), Some(until.0)),
            Lease::Free | Lease::Leave => (None, None, None),
        };
        self.id.push(append.session.as_str());
        self.expected.push(whole(append.expected.0));
        self.head.push(whole(head_after(append).0));
        self.phase.push(append.standing.phase.word());
        self.title.push(&append.standing.title);
        self.waiting_for.push(append.standing.waiting_for.as_deref());
        self.changed_at.push(last_moment(append).map(|at| at.0));
        self.worker.push(worker);
        self.now.push(now);
        self.until.push(until);
        self.application.push(append.opening.as_ref().map(|one| one.application.as_str()));
        self.owner.push(append.opening.as_ref().map(|one| one.owner.as_str()));
        self.opened_at.push(first_moment(append).map(|at| at.0));
        self.accepted_key.push(append.accepted.as_ref().map(|one| one.key.as_str()));
        self.accepted_seq.push(append.accepted.as_ref().map(|one| whole(one.seq.0)));
        self.retimed.push(append.timers.is_some());
        self.leaves.push(append.lease == Lease::Leave);
        self.of.push(append.opening.as_ref().and_then(|one| one.of.as_ref()).map(SessionId::as_str));
    }
}
