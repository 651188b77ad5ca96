//! Sessions as things, tables that follow events, and tokens spent.

use enza_kernel::time::Seq;
use enza_runtime::seams::register::NewAuditEntry;
use enza_runtime::seams::store::{
    Deleted, Family, Filter, Fork, Forked, OwnerSpent, Rows, SessionId, SessionRow, TableRow, UsageQuery, UsageRow,
};
use rusqlite::{Connection, params};

use super::append::set_timers;
use super::files;
use super::reader::{all, first};
use super::register::audit_log;
use super::writer::WriteTransaction;
use crate::checksum::Link;
use crate::columns::{
    Columns, SESSION, USAGE, at_most, day_sum, owner_spent, seq, session_row, table_row, usage_row, whole,
};
use crate::fault::Fault;

/// Sessions by last change, newest first.
pub(super) fn list(reader: &Connection, filter: &Filter) -> Result<Vec<SessionRow>, Fault> {
    let words: Vec<_> = filter.phases.iter().map(|phase| phase.word()).collect();
    let phases = (!words.is_empty()).then(|| format!("[\"{}\"]", words.join("\",\"")));
    let title = filter.title_part.as_ref().map(|part| part.to_ascii_lowercase());
    let (time, id) = filter.after.as_ref().map(|(time, id)| (time.0, id.as_str())).unzip();
    let limit = if filter.limit == 0 { -1 } else { at_most(filter.limit) };
    let family = filter.family.session().map(SessionId::as_str);
    let with = params![filter.application, filter.owner, phases, filter.id_part, title, time, id, limit, family];
    all(reader, &listing(filter), with, |row| session_row(row))
}

/// The query of a list. An owner, a family and a place to go on from are written out where they are given: only then does
/// SQLite see that `sessions_alone` or `sessions_by_family` has the rows in this order. Its `lower` knows ASCII letters
/// only, which is what we want.
fn listing(filter: &Filter) -> String {
    let owner = if filter.owner.is_some() { "s.owner = ?2" } else { "?2 IS NULL" };
    let family = match filter.family {
        Family::Anyone => "?9 IS NULL",
        Family::Alone => "s.belongs_to IS NULL AND ?9 IS NULL",
        Family::Of(_) => "s.belongs_to = ?9",
    };
    let after = if filter.after.is_some() {
        "s.changed_at <= ?6 AND (s.changed_at < ?6 OR s.id > ?7)"
    } else {
        "?6 IS NULL AND ?7 IS NULL"
    };
    format!(
        "SELECT {SESSION} FROM sessions s LEFT JOIN sessions p ON p.key = s.parent \
         WHERE (?1 IS NULL OR s.application = ?1) AND {owner} AND {family} \
         AND (?3 IS NULL OR s.phase IN (SELECT value FROM json_each(?3))) \
         AND (?4 IS NULL OR substr(s.id, 1, length(?4)) = ?4 OR substr(s.id, -length(?4)) = ?4) \
         AND (?5 IS NULL OR instr(lower(s.title), ?5) > 0) \
         AND {after} ORDER BY s.changed_at DESC, s.id LIMIT ?8"
    )
}

/// Makes a fork.
pub(super) fn fork(desk: &mut WriteTransaction, fork: &Fork) -> Result<Forked, Fault> {
    const PARENT: &str = "SELECT key, head FROM sessions WHERE id = ?1";
    const FORK: &str = "INSERT INTO sessions (id, application, owner, parent, parent_at, opened_at, changed_at, head, \
         phase, title, waiting_for, belongs_to, link, quiet) \
         SELECT ?2, application, ?3, key, ?4, opened_at, ?5, ?4, ?6, ?7, ?8, belongs_to, ?9, ?10 FROM sessions WHERE key = ?1";
    let parent = first(&desk.connection, PARENT, [fork.parent.as_str()], |row| Ok((row.number(0)?, seq(row, 1)?)))?;
    let Some((parent, head)) = parent else { return Ok(Forked::NoParent) };
    if fork.at > head {
        return Ok(Forked::BeyondHead(head));
    }
    if first(&desk.connection, PARENT, [fork.child.as_str()], |_| Ok(()))?.is_some() {
        return Ok(Forked::NameTaken);
    }
    let link = link_at(&desk.connection, parent, fork.at)?;
    desk.connection.prepare_cached(FORK)?.execute(params![
        parent,
        fork.child.as_str(),
        fork.owner,
        whole(fork.at.0),
        fork.now.0,
        fork.standing.phase.word(),
        fork.standing.title,
        fork.standing.waiting_for,
        link,
        fork.quiet,
    ])?;
    let key = desk.connection.last_insert_rowid();
    desk.remember(&fork.child, key);
    set_timers(desk, key, &fork.timers)?;
    Ok(Forked::Forked)
}

/// The link of a session's event; it is kept with the nearest session of its line that did not leave before it.
pub(super) fn link_at(reader: &Connection, key: i64, at: Seq) -> Result<Option<Link>, Fault> {
    const LINK: &str = "WITH RECURSIVE line (key, parent) AS ( \
         SELECT key, iif(parent_at >= ?2, parent, NULL) FROM sessions WHERE key = ?1 UNION ALL \
         SELECT s.key, iif(s.parent_at >= ?2, s.parent, NULL) FROM sessions s JOIN line ON s.key = line.parent) \
         SELECT e.link FROM line JOIN events e ON e.session = line.key AND e.seq = ?2 WHERE line.parent IS NULL";
    Ok(first(reader, LINK, params![key, whole(at.0)], |row| Ok(row.get::<_, Option<Link>>(0)?))?.flatten())
}

/// Removes a session and everything kept for it; what it spent stays in its owner's sums.
pub(super) fn delete(
    desk: &mut WriteTransaction,
    session: &SessionId,
    line: Option<&NewAuditEntry>,
) -> Result<Deleted, Fault> {
    desk.forget(session);
    let Some(key) = desk.key(session)? else { return Ok(Deleted::Unknown) };
    let forks = all(&desk.connection, "SELECT id FROM sessions WHERE parent = ?1 ORDER BY id", [key], |row| {
        Ok(SessionId::of(row.text(0)?))
    })?;
    if !forks.is_empty() {
        return Ok(Deleted::HasForks(forks));
    }
    const FAMILY: &str = "SELECT count(*) FROM sessions WHERE belongs_to = ?1";
    let family = first(&desk.connection, FAMILY, [session.as_str()], |row| row.number(0))?.unwrap_or(0);
    if family > 0 {
        return Ok(Deleted::HasFamily(family.cast_unsigned()));
    }
    const HAND_OVER: &str = "INSERT INTO usage \
         (session, owner, day, application, model, calls, input, output, cache_read, cache_write, cost) \
         SELECT 0, owner, day, application, model, calls, input, output, cache_read, cache_write, cost \
         FROM usage WHERE session = ?1 \
         ON CONFLICT (session, owner, day, application, model) DO UPDATE SET calls = calls + excluded.calls, \
         input = input + excluded.input, output = output + excluded.output, \
         cache_read = cache_read + excluded.cache_read, cache_write = cache_write + excluded.cache_write, \
         cost = cost + excluded.cost";
    desk.connection.execute(HAND_OVER, [key])?;
    for table in ["events", "snapshots", "accepted", "timers", "rows", "usage"] {
        desk.connection.execute(&format!("DELETE FROM {table} WHERE session = ?1"), [key])?;
    }
    files::delete_of(desk, key)?;
    desk.connection.execute(BLANK, [session.as_str()])?;
    desk.connection.execute("DELETE FROM sessions WHERE key = ?1", [key])?;
    if let Some(line) = line {
        audit_log::add(desk, line)?;
    }
    desk.forget(session);
    desk.deleted = true;
    Ok(Deleted::Deleted)
}

/// What was answered to its owner about a session may hold what is in it. That it was answered stays, so that nothing is done
/// twice; what was said goes.
const BLANK: &str = "UPDATE answers SET body = x'' WHERE instr(body, CAST(?1 AS BLOB)) > 0 \
     AND person = (SELECT owner FROM sessions WHERE id = ?1)";

/// The rows of a table, by session and key; `whose` is one of `rows_of`.
pub(super) fn rows(
    reader: &Connection,
    whose: &str,
    table: &str,
    session: Option<&SessionId>,
) -> Result<Vec<TableRow>, Fault> {
    all(reader, whose, params![table, session.map(SessionId::as_str)], |row| table_row(row))
}

/// The query of rows. A family comes first and then each one's rows, which `CROSS JOIN` insists on: the other way round
/// would read everyone's.
pub(super) fn rows_of(of: Rows<'_>) -> &'static str {
    match of {
        Rows::All => {
            "SELECT s.id, r.key, r.content FROM rows r JOIN sessions s ON s.key = r.session \
             WHERE r.\"table\" = ?1 AND ?2 IS NULL ORDER BY s.id, r.key"
        }
        Rows::Session(_) => {
            "SELECT s.id, r.key, r.content FROM sessions s CROSS JOIN rows r ON r.session = s.key \
             WHERE r.\"table\" = ?1 AND s.id = ?2 ORDER BY r.key"
        }
        Rows::Family(_) => {
            "SELECT s.id, r.key, r.content FROM sessions s CROSS JOIN rows r ON r.session = s.key \
             WHERE r.\"table\" = ?1 AND s.belongs_to = ?2 ORDER BY s.id, r.key"
        }
    }
}

/// What an owner has spent, in all and on a day.
pub(super) fn spent(reader: &Connection, owner: &str, day: i64) -> Result<OwnerSpent, Fault> {
    // By day, because the index has them in that order: nothing needs sorting.
    const SPENT: &str = "SELECT day = ?2, sum(input), sum(output), sum(cache_read), sum(cache_write), sum(cost) \
         FROM usage WHERE owner = ?1 GROUP BY day";
    Ok(owner_spent(all(reader, SPENT, params![owner, day], |row| day_sum(row))?))
}

/// What was spent, in lines.
pub(super) fn usage(reader: &Connection, query: &UsageQuery) -> Result<Vec<UsageRow>, Fault> {
    let session = query.session.as_ref().map(SessionId::as_str);
    let family = query.family.as_ref().map(SessionId::as_str);
    let with = params![query.owner, session, query.from_day, query.to_day, family];
    all(reader, &spending(query), with, |row| usage_row(row))
}

/// The query of usage: from the sessions that are meant, where some are.
fn spending(query: &UsageQuery) -> String {
    const OF_ALL: &str = "usage u LEFT JOIN sessions s ON s.key = u.session";
    const OF_SOME: &str = "sessions s CROSS JOIN usage u ON u.session = s.key";
    let from = if query.session.is_some() || query.family.is_some() { OF_SOME } else { OF_ALL };
    let session = if query.session.is_some() { "s.id = ?2" } else { "?2 IS NULL" };
    let family = if query.family.is_some() { "s.belongs_to = ?5" } else { "?5 IS NULL" };
    format!(
        "SELECT {USAGE} FROM {from} WHERE {session} AND {family} AND (?1 IS NULL OR u.owner = ?1) \
         AND (?3 IS NULL OR u.day >= ?3) AND (?4 IS NULL OR u.day <= ?4) \
         ORDER BY u.owner, u.day, u.application, u.model, s.id"
    )
}

#[cfg(test)]
mod tests {
    use enza_kernel::time::Timestamp;

    use super::*;
    use crate::migrations::SQLITE;

    fn plan(sql: &str) -> Vec<String> {
        let connection = Connection::open_in_memory().unwrap();
        SQLITE.iter().for_each(|step| connection.execute_batch(step).unwrap());
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let unbound = rusqlite::params_from_iter(vec![None::<i64>; statement.parameter_count()]);
        let steps = statement.query_map(unbound, |row| row.get(3)).unwrap();
        steps.collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn a_page_of_a_list_is_read_from_an_index_in_its_order() {
        let owner = || Some("ada".to_owned());
        let alone = Filter { owner: owner(), family: Family::Alone, ..Filter::default() };
        let family = Filter { family: Family::Of(SessionId::of("family")), ..Filter::default() };
        let own_family = Filter { owner: owner(), ..family.clone() };
        for (first, index, column) in [
            (alone, "sessions_alone", "owner"),
            (family, "sessions_by_family", "belongs_to"),
            (own_family, "sessions_by_family", "belongs_to"),
        ] {
            let next = Filter { after: Some((Timestamp(7), SessionId::of("a"))), ..first.clone() };
            for (filter, and) in [(first, ""), (next, " AND changed_at<?")] {
                let plan = plan(&listing(&filter));
                assert_eq!(plan[0], format!("SEARCH s USING INDEX {index} ({column}=?{and})"));
                assert!(!plan.iter().any(|step| step.contains("ORDER BY")), "nothing is left to sort: {plan:#?}");
            }
        }
    }

    #[test]
    fn all_of_an_owners_sessions_are_found_without_reading_everyones() {
        let plan = plan(&listing(&Filter { owner: Some("ada".to_owned()), ..Filter::default() }));
        assert_eq!(plan[0], "SEARCH s USING INDEX sessions_by_owner (owner=?)");
    }

    #[test]
    fn what_a_family_wrote_and_spent_is_read_without_reading_everyones() {
        let form = SessionId::of("family");
        let spent = UsageQuery { family: Some(form.clone()), ..UsageQuery::default() };
        for (sql, then) in [
            (rows_of(Rows::Family(&form)).to_owned(), "SEARCH r USING INDEX rows_by_table (table=? AND session=?)"),
            (spending(&spent), "SEARCH u USING PRIMARY KEY (session=?)"),
        ] {
            let plan = plan(&sql);
            let first = "SEARCH s USING COVERING INDEX sessions_by_family (belongs_to=?)";
            assert_eq!(plan[..2], [first, then], "{plan:#?}");
        }
    }
}
