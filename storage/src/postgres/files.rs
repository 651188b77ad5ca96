//! Files by the session that took them in, in parts.
//!
//! Whoever sets room aside holds the owner's lock, so of two at once the second counts the first. Whoever removes a content
//! locks it before looking whether a file still has it, in a statement of its own: only then is a file seen that another
//! transaction has just given the same content.

use deadpool_postgres::{GenericClient, Pool};
use enza_kernel::conversation::Digest;
use enza_runtime::seams::store::{FileKey, FileUsage, Reservation, Reserved, SessionId};
use tokio_postgres::error::SqlState;

use super::connection::first;
use crate::columns::{Columns, count, whole};
use crate::fault::Fault;

/// How much overdue room is given back in one go.
const OVERDUE_AT_ONCE: i64 = 100;

/// Sets room aside, unless it would go past a quota.
pub(super) async fn reserve(pool: &Pool, room: &Reservation) -> Result<Reserved, Fault> {
    give_back_overdue(pool, room).await?;
    let mut connection = pool.get().await?;
    let transaction = connection.transaction().await?;
    let id = room.session.as_str();
    let owner = transaction.query_opt("SELECT owner FROM sessions WHERE id = $1", &[&id]).await?;
    let Some(owner) = owner.map(|row| row.text(0)).transpose()? else { return Ok(Reserved::Unknown) };
    transaction.execute("SELECT pg_advisory_xact_lock(hashtextextended('enza files ' || $1, 0))", &[&owner]).await?;
    let session = transaction.query_opt("SELECT key FROM sessions WHERE id = $1 FOR KEY SHARE", &[&id]).await?;
    let Some(session) = session.map(|row| row.number(0)).transpose()? else { return Ok(Reserved::Unknown) };
    let row = transaction.query_one(KEPT, &[&session, &room.link]).await?;
    let kept =
        FileUsage { session: count(&row, 0)?, link: count(&row, 1)?, family: count(&row, 2)?, owner: count(&row, 3)? };
    if let Some(quota) = room.quotas.exceeded(&kept, room.most) {
        return Ok(Reserved::Full(quota));
    }
    const ROOM: &str = "WITH content AS (INSERT INTO contents (size) VALUES ($2) RETURNING key) \
         INSERT INTO files (session, content, size, link, until) SELECT $1, key, $2, $3, $4 FROM content RETURNING key";
    let file = transaction.query_one(ROOM, &[&session, &whole(room.most), &room.link, &room.until.0]).await?;
    let file = FileKey(file.number(0)?);
    transaction.commit().await?;
    Ok(Reserved::Reserved(file))
}

/// What there is of a session's files and of those that share a quota with it.
const KEPT: &str = "SELECT \
     (SELECT coalesce(sum(size), 0)::bigint FROM files WHERE session = s.key), \
     (SELECT coalesce(sum(size), 0)::bigint FROM files WHERE link = $2), \
     (SELECT coalesce(sum(f.size), 0)::bigint FROM sessions m JOIN files f ON f.session = m.key \
      WHERE m.belongs_to = s.belongs_to), \
     (SELECT coalesce(sum(f.size), 0)::bigint FROM sessions m JOIN files f ON f.session = m.key \
      WHERE m.owner = s.owner) \
     FROM sessions s WHERE s.key = $1";

async fn give_back_overdue(pool: &Pool, room: &Reservation) -> Result<(), Fault> {
    const AHEAD: &str = "WITH ahead AS MATERIALIZED (SELECT key FROM files WHERE until > $1 FOR UPDATE SKIP LOCKED) \
         UPDATE files f SET until = $1 FROM ahead WHERE f.key = ahead.key";
    const OVERDUE: &str = "SELECT key FROM files WHERE until < $1 ORDER BY content LIMIT $2 FOR UPDATE SKIP LOCKED";
    let mut connection = pool.get().await?;
    let transaction = connection.transaction().await?;
    transaction.execute(AHEAD, &[&room.until.0]).await?;
    for row in transaction.query(OVERDUE, &[&room.now.0, &OVERDUE_AT_ONCE]).await? {
        remove(&transaction, row.number(0)?).await?;
    }
    Ok(transaction.commit().await?)
}

/// Writes a part of a file that is coming.
pub(super) async fn write_part(pool: &Pool, file: FileKey, place: u32, bytes: &[u8]) -> Result<bool, Fault> {
    const WRITE: &str = "INSERT INTO content_parts (content, place, bytes) \
         SELECT content, $2, $3 FROM files WHERE key = $1 AND until IS NOT NULL \
         ON CONFLICT (content, place) DO UPDATE SET bytes = excluded.bytes";
    let connection = pool.get().await?;
    let statement = connection.prepare_cached(WRITE).await?;
    match connection.execute(&statement, &[&file.0, &i64::from(place), &bytes]).await {
        // It was given up at the same moment.
        Err(error) if error.code() == Some(&SqlState::FOREIGN_KEY_VIOLATION) => Ok(false),
        written => Ok(written? == 1),
    }
}

/// The file is whole: what it holds is kept once, under its digest.
pub(super) async fn finish(pool: &Pool, file: FileKey, digest: &Digest, size: u64) -> Result<bool, Fault> {
    match finish_once(pool, file, digest, size).await {
        // Another brought the same bytes at the same moment: there is a content to share now.
        Err(Unfinished::Raced) => match finish_once(pool, file, digest, size).await {
            Err(Unfinished::Raced) => Ok(false),
            Err(Unfinished::Fault(fault)) => Err(fault),
            Ok(finished) => Ok(finished),
        },
        Err(Unfinished::Fault(fault)) => Err(fault),
        Ok(finished) => Ok(finished),
    }
}

enum Unfinished {
    Raced,
    Fault(Fault),
}

impl<E: Into<Fault>> From<E> for Unfinished {
    fn from(error: E) -> Self {
        Self::Fault(error.into())
    }
}

async fn finish_once(pool: &Pool, file: FileKey, digest: &Digest, size: u64) -> Result<bool, Unfinished> {
    const COMING: &str = "SELECT content FROM files WHERE key = $1 AND until IS NOT NULL FOR UPDATE";
    const KNOWN: &str = "SELECT key FROM contents WHERE digest = $1 FOR KEY SHARE";
    const SETTLE: &str = "UPDATE contents SET digest = $2, size = $3 WHERE key = $1";
    const FINISH: &str = "UPDATE files SET content = $2, size = $3, until = NULL WHERE key = $1";
    let mut connection = pool.get().await?;
    let transaction = connection.transaction().await?;
    let Some(coming) = transaction.query_opt(COMING, &[&file.0]).await? else { return Ok(false) };
    let content = coming.number(0)?;
    let (digest, size) = (digest.0.as_slice(), whole(size));
    let known = transaction.query_opt(KNOWN, &[&digest]).await?.map(|row| row.number(0)).transpose()?;
    transaction.execute(FINISH, &[&file.0, &known.unwrap_or(content), &size]).await?;
    match known {
        Some(_) => forget_content(&transaction, content).await?,
        None => match transaction.execute(SETTLE, &[&content, &digest, &size]).await {
            Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => return Err(Unfinished::Raced),
            settled => drop(settled?),
        },
    }
    transaction.commit().await?;
    Ok(true)
}

/// Gives a file up, and what it holds where no other has the same.
pub(super) async fn discard(pool: &Pool, file: FileKey) -> Result<(), Fault> {
    let mut connection = pool.get().await?;
    let transaction = connection.transaction().await?;
    remove(&transaction, file.0).await?;
    Ok(transaction.commit().await?)
}

/// Removes the files of a session that goes. In the order of their contents, so that two who share some cannot deadlock.
pub(super) async fn delete_of(transaction: &impl GenericClient, session: i64) -> Result<(), Fault> {
    const FILES: &str = "SELECT key FROM files WHERE session = $1 ORDER BY content, key";
    for row in transaction.query(FILES, &[&session]).await? {
        remove(transaction, row.number(0)?).await?;
    }
    Ok(())
}

/// The size of a file that a session took in.
pub(super) async fn size(pool: &Pool, session: &SessionId, digest: &Digest) -> Result<Option<u64>, Fault> {
    const SIZE: &str = "SELECT c.size FROM contents c JOIN files f ON f.content = c.key \
         JOIN sessions s ON s.key = f.session WHERE c.digest = $2 AND s.id = $1 LIMIT 1";
    let row = first(pool, SIZE, &[&session.as_str(), &digest.0.as_slice()]).await?;
    row.map(|row| count(&row, 0)).transpose()
}

/// A part of a file that a session took in.
pub(super) async fn read_part(
    pool: &Pool,
    session: &SessionId,
    digest: &Digest,
    place: u32,
) -> Result<Option<Vec<u8>>, Fault> {
    const PART: &str = "SELECT p.bytes FROM contents c JOIN content_parts p ON p.content = c.key \
         WHERE c.digest = $2 AND p.place = $3 AND EXISTS \
         (SELECT 1 FROM files f JOIN sessions s ON s.key = f.session WHERE f.content = c.key AND s.id = $1)";
    let row = first(pool, PART, &[&session.as_str(), &digest.0.as_slice(), &i64::from(place)]).await?;
    row.map(|row| row.bytes(0)).transpose()
}

async fn remove(transaction: &impl GenericClient, file: i64) -> Result<(), Fault> {
    let gone = transaction.query_opt("DELETE FROM files WHERE key = $1 RETURNING content", &[&file]).await?;
    match gone {
        Some(row) => forget_content(transaction, row.number(0)?).await,
        None => Ok(()),
    }
}

/// Removes a content that no file has any more.
async fn forget_content(transaction: &impl GenericClient, content: i64) -> Result<(), Fault> {
    transaction.execute("SELECT key FROM contents WHERE key = $1 FOR UPDATE", &[&content]).await?;
    let has_it = transaction.query_opt("SELECT 1 FROM files WHERE content = $1 LIMIT 1", &[&content]).await?;
    if has_it.is_none() {
        transaction.execute("DELETE FROM content_parts WHERE content = $1", &[&content]).await?;
        transaction.execute("DELETE FROM contents WHERE key = $1", &[&content]).await?;
    }
    Ok(())
}
