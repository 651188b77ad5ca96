//! Sessions as things, tables that follow events, and tokens spent.

use deadpool_postgres::{GenericClient, Pool};
use enza_kernel::time::Seq;
use enza_runtime::seams::register::NewAuditEntry;
use enza_runtime::seams::store::{
    Deleted, Family, Filter, Fork, Forked, OwnerSpent, Rows, SessionId, SessionRow, TableRow, UsageQuery, UsageRow,
};

use super::connection::all;
use super::files;
use super::register::audit_log;
use crate::columns::{
    Columns, SESSION, USAGE, at_most, by_name, day_sum, owner_spent, seq, session_row, table_row, usage_row, whole,
};
use crate::fault::Fault;

/// Sessions by last change, newest first.
pub(super) async fn list(pool: &Pool, filter: &Filter) -> Result<Vec<SessionRow>, Fault> {
    let phases: Vec<_> = filter.phases.iter().map(|phase| phase.word()).collect();
    let title = filter.title_part.as_ref().map(|part| part.to_ascii_lowercase());
    let (time, id) = filter.after.as_ref().map(|(time, id)| (time.0, id.as_str())).unzip();
    let limit = (filter.limit > 0).then(|| at_most(filter.limit));
    let family = filter.family.session().map(SessionId::as_str);
    let rows = all(
        pool,
        &listing(filter),
        &[&filter.application, &filter.owner, &phases, &filter.id_part, &title, &time, &id, &limit, &family],
    )
    .await?;
    rows.iter().map(session_row).collect()
}

/// The query of a list. An owner, a family and a place to go on from are written out where they are given: only then does
/// the server see that `sessions_alone` or `sessions_by_family` has the rows in this order. In the collation "C", `lower`
/// knows ASCII letters only.
fn listing(filter: &Filter) -> String {
    let owner = if filter.owner.is_some() { "s.owner = $2" } else { "$2::text IS NULL" };
    let family = match filter.family {
        Family::Anyone => "$9::text IS NULL",
        Family::Alone => "s.belongs_to IS NULL AND $9::text IS NULL",
        Family::Of(_) => "s.belongs_to = $9",
    };
    let after = if filter.after.is_some() {
        "s.changed_at <= $6 AND (s.changed_at < $6 OR s.id > $7)"
    } else {
        "$6::bigint IS NULL AND $7::text IS NULL"
    };
    format!(
        "SELECT {SESSION} FROM sessions s LEFT JOIN sessions p ON p.key = s.parent \
         WHERE ($1::text IS NULL OR s.application = $1) AND {owner} AND {family} \
         AND (cardinality($3::text[]) = 0 OR s.phase = ANY ($3)) \
         AND ($4::text IS NULL OR starts_with(s.id, $4) OR right(s.id, length($4)) = $4) \
         AND ($5::text IS NULL OR strpos(lower(s.title COLLATE \"C\"), $5) > 0) \
         AND {after} ORDER BY s.changed_at DESC, s.id LIMIT $8"
    )
}

/// Makes a fork.
pub(super) async fn fork(pool: &Pool, fork: &Fork) -> Result<Forked, Fault> {
    const PARENT: &str = "SELECT key, head FROM sessions WHERE id = $1 FOR KEY SHARE";
    const FORK: &str = "INSERT INTO sessions (id, application, owner, parent, parent_at, opened_at, changed_at, head, \
         phase, title, waiting_for, belongs_to, link, quiet) \
         SELECT $2, application, $3, key, $4, opened_at, $5, $4, $6, $7, $8, belongs_to, $9, $10 \
         FROM sessions WHERE key = $1 \
         ON CONFLICT (id) DO NOTHING RETURNING key";
    const TIMERS: &str = "INSERT INTO timers (session, name, at) SELECT $1, * FROM unnest($2::text[], $3::bigint[])";
    let mut connection = pool.get().await?;
    let transaction = connection.transaction().await?;
    let parent = transaction.query_opt(PARENT, &[&fork.parent.as_str()]).await?;
    let Some(parent) = parent else { return Ok(Forked::NoParent) };
    let head = seq(&parent, 1)?;
    if fork.at > head {
        return Ok(Forked::BeyondHead(head));
    }
    let standing = &fork.standing;
    let link = link_at(&transaction, parent.number(0)?, fork.at).await?;
    let child = transaction
        .query_opt(
            FORK,
            &[
                &parent.number(0)?,
                &fork.child.as_str(),
                &fork.owner,
                &whole(fork.at.0),
                &fork.now.0,
                &standing.phase.word(),
                &standing.title,
                &standing.waiting_for,
                &link,
                &fork.quiet,
            ],
        )
        .await?;
    let Some(child) = child else { return Ok(Forked::NameTaken) };
    let (names, times): (Vec<_>, Vec<_>) = by_name(&fork.timers).into_iter().map(|(name, at)| (name, at.0)).unzip();
    transaction.execute(TIMERS, &[&child.number(0)?, &names, &times]).await?;
    transaction.commit().await?;
    Ok(Forked::Forked)
}

/// The link of a session's event; it is kept with the nearest session of its line that did not leave before it.
pub(super) async fn link_at(client: &impl GenericClient, key: i64, at: Seq) -> Result<Option<Vec<u8>>, Fault> {
    const LINK: &str = "WITH RECURSIVE line (key, parent) AS ( \
         SELECT key, CASE WHEN parent_at >= $2 THEN parent END FROM sessions WHERE key = $1 UNION ALL \
         SELECT s.key, CASE WHEN s.parent_at >= $2 THEN s.parent END FROM sessions s JOIN line ON s.key = line.parent) \
         SELECT e.link FROM line JOIN events e ON e.session = line.key AND e.seq = $2 WHERE line.parent IS NULL";
    let row = client.query_opt(LINK, &[&key, &whole(at.0)]).await?;
    Ok(row.map(|row| row.maybe_bytes(0)).transpose()?.flatten())
}

/// Removes a session and everything kept for it; what it spent stays in its owner's sums.
pub(super) async fn delete(pool: &Pool, session: &SessionId, line: Option<&NewAuditEntry>) -> Result<Deleted, Fault> {
    // In the order of the key, so that two deletions at once cannot deadlock.
    const HAND_OVER: &str = "INSERT INTO usage \
         (session, owner, day, application, model, calls, input, output, cache_read, cache_write, cost) \
         SELECT 0, owner, day, application, model, calls, input, output, cache_read, cache_write, cost \
         FROM usage WHERE session = $1 ORDER BY owner, day, application, model \
         ON CONFLICT (session, owner, day, application, model) DO UPDATE SET calls = usage.calls + excluded.calls, \
         input = usage.input + excluded.input, output = usage.output + excluded.output, \
         cache_read = usage.cache_read + excluded.cache_read, \
         cache_write = usage.cache_write + excluded.cache_write, cost = usage.cost + excluded.cost";
    let mut connection = pool.get().await?;
    let transaction = connection.transaction().await?;
    let found =
        transaction.query_opt("SELECT key FROM sessions WHERE id = $1 FOR UPDATE", &[&session.as_str()]).await?;
    let Some(key) = found.map(|row| row.number(0)).transpose()? else { return Ok(Deleted::Unknown) };
    let forks = transaction.query("SELECT id FROM sessions WHERE parent = $1 ORDER BY id", &[&key]).await?;
    if !forks.is_empty() {
        return Ok(Deleted::HasForks(
            forks.iter().map(|row| row.text(0).map(SessionId::of)).collect::<Result<_, _>>()?,
        ));
    }
    const FAMILY: &str = "SELECT count(*) FROM sessions WHERE belongs_to = $1";
    let family = transaction.query_one(FAMILY, &[&session.as_str()]).await?.number(0)?;
    if family > 0 {
        return Ok(Deleted::HasFamily(family.cast_unsigned()));
    }
    transaction.execute(HAND_OVER, &[&key]).await?;
    for table in ["events", "snapshots", "accepted", "timers", "rows", "usage"] {
        transaction.execute(&format!("DELETE FROM {table} WHERE session = $1"), &[&key]).await?;
    }
    files::delete_of(&transaction, key).await?;
    // What was answered to its owner about a session may hold what is in it. That it was answered stays, so that nothing is
    // done twice; what was said goes.
    const BLANK: &str = "UPDATE answers SET body = ''::bytea WHERE position(convert_to($1, 'UTF8') IN body) > 0 \
         AND person = (SELECT owner FROM sessions WHERE id = $1)";
    transaction.execute(BLANK, &[&session.as_str()]).await?;
    transaction.execute("DELETE FROM sessions WHERE key = $1", &[&key]).await?;
    if let Some(NewAuditEntry { at, by, act, on, from }) = line {
        transaction.execute(audit_log::ADD, &[&at.0, by, act, on, from]).await?;
    }
    transaction.commit().await?;
    Ok(Deleted::Deleted)
}

/// The rows of a table, by session and key.
pub(super) async fn rows(pool: &Pool, table: &str, of: Rows<'_>) -> Result<Vec<TableRow>, Fault> {
    let whose = match of {
        Rows::All => "$2::text IS NULL",
        Rows::Session(_) => "s.id = $2",
        Rows::Family(_) => "s.belongs_to = $2",
    };
    let sql = format!(
        "SELECT s.id, r.key, r.content::text FROM rows r JOIN sessions s ON s.key = r.session \
         WHERE r.\"table\" = $1 AND {whose} ORDER BY s.id, r.key"
    );
    let rows = all(pool, &sql, &[&table, &of.session().map(SessionId::as_str)]).await?;
    rows.iter().map(table_row).collect()
}

/// What an owner has spent, in all and on a day.
pub(super) async fn spent(pool: &Pool, owner: &str, day: i64) -> Result<OwnerSpent, Fault> {
    const SPENT: &str = "SELECT CASE WHEN day = $2 THEN 1::bigint ELSE 0 END, sum(input)::bigint, \
         sum(output)::bigint, sum(cache_read)::bigint, sum(cache_write)::bigint, sum(cost)::bigint \
         FROM usage WHERE owner = $1 GROUP BY day";
    let sums: Vec<_> = all(pool, SPENT, &[&owner, &day]).await?.iter().map(day_sum).collect::<Result<_, _>>()?;
    Ok(owner_spent(sums))
}

/// What was spent, in lines.
pub(super) async fn usage(pool: &Pool, query: &UsageQuery) -> Result<Vec<UsageRow>, Fault> {
    let session = if query.session.is_some() { "s.id = $2" } else { "$2::text IS NULL" };
    let family = if query.family.is_some() { "s.belongs_to = $5" } else { "$5::text IS NULL" };
    let sql = format!(
        "SELECT {USAGE} FROM usage u LEFT JOIN sessions s ON s.key = u.session \
         WHERE ($1::text IS NULL OR u.owner = $1) AND {session} AND {family} \
         AND ($3::bigint IS NULL OR u.day >= $3) AND ($4::bigint IS NULL OR u.day <= $4) \
         ORDER BY u.owner, u.day, u.application, u.model, s.id NULLS FIRST"
    );
    let session = query.session.as_ref().map(SessionId::as_str);
    let family = query.family.as_ref().map(SessionId::as_str);
    let rows = all(pool, &sql, &[&query.owner, &session, &query.from_day, &query.to_day, &family]).await?;
    rows.iter().map(usage_row).collect()
}
