//! Files by the session that took them in, in parts. The one writer makes counting and setting aside one step.

use enza_kernel::conversation::Digest;
use enza_runtime::seams::store::{FileKey, FileUsage, Reservation, Reserved, SessionId};
use rusqlite::{Connection, params};

use super::reader::{all, first};
use super::writer::WriteTransaction;
use crate::columns::{Columns, count, whole};
use crate::fault::Fault;

/// Sets room aside, unless it would go past a quota.
pub(super) fn reserve(desk: &mut WriteTransaction, room: &Reservation) -> Result<Reserved, Fault> {
    const AHEAD: &str = "UPDATE files SET until = ?1 WHERE until > ?1";
    const OVERDUE: &str = "SELECT key FROM files WHERE until < ?1";
    desk.connection.execute(AHEAD, [room.until.0])?;
    for late in all(&desk.connection, OVERDUE, [room.now.0], |row| row.number(0))? {
        discard(desk, FileKey(late))?;
    }
    let Some(session) = desk.key(&room.session)? else { return Ok(Reserved::Unknown) };
    // What is remembered of a session may be gone: another process deleted it.
    let Some(kept) = first(&desk.connection, KEPT, params![session, room.link], |row| kept(row))? else {
        return Ok(Reserved::Unknown);
    };
    if let Some(quota) = room.quotas.exceeded(&kept, room.most) {
        return Ok(Reserved::Full(quota));
    }
    let most = whole(room.most);
    desk.connection.prepare_cached("INSERT INTO contents (size) VALUES (?1)")?.execute([most])?;
    let content = desk.connection.last_insert_rowid();
    desk.connection
        .prepare_cached("INSERT INTO files (session, content, size, link, until) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![session, content, most, room.link, room.until.0])?;
    Ok(Reserved::Reserved(FileKey(desk.connection.last_insert_rowid())))
}

/// What there is of a session's files and of those that share a quota with it.
const KEPT: &str = "SELECT \
     (SELECT coalesce(sum(size), 0) FROM files WHERE session = s.key), \
     (SELECT coalesce(sum(size), 0) FROM files WHERE link = ?2), \
     (SELECT coalesce(sum(f.size), 0) FROM sessions m CROSS JOIN files f ON f.session = m.key \
      WHERE m.belongs_to = s.belongs_to), \
     (SELECT coalesce(sum(f.size), 0) FROM sessions m CROSS JOIN files f ON f.session = m.key \
      WHERE m.owner = s.owner) \
     FROM sessions s WHERE s.key = ?1";

fn kept(row: &impl Columns) -> Result<FileUsage, Fault> {
    Ok(FileUsage { session: count(row, 0)?, link: count(row, 1)?, family: count(row, 2)?, owner: count(row, 3)? })
}

/// Writes a part of a file that is coming.
pub(super) fn write_part(desk: &mut WriteTransaction, file: FileKey, place: u32, bytes: &[u8]) -> Result<bool, Fault> {
    const WRITE: &str = "INSERT INTO content_parts (content, place, bytes) VALUES (?1, ?2, ?3) \
         ON CONFLICT (content, place) DO UPDATE SET bytes = excluded.bytes";
    let Some(content) = coming(desk, file)? else { return Ok(false) };
    desk.connection.prepare_cached(WRITE)?.execute(params![content, place, bytes])?;
    Ok(true)
}

/// The file is whole: what it holds is kept once, under its digest.
pub(super) fn finish(desk: &mut WriteTransaction, file: FileKey, digest: &Digest, size: u64) -> Result<bool, Fault> {
    let Some(content) = coming(desk, file)? else { return Ok(false) };
    let known = first(&desk.connection, "SELECT key FROM contents WHERE digest = ?1", [digest.0], |row| row.number(0))?;
    let kept = known.unwrap_or(content);
    let finish = "UPDATE files SET content = ?2, size = ?3, until = NULL WHERE key = ?1";
    desk.connection.execute(finish, params![file.0, kept, whole(size)])?;
    match known {
        Some(_) => forget_content(desk, content)?,
        None => {
            let settle = "UPDATE contents SET digest = ?2, size = ?3 WHERE key = ?1";
            desk.connection.execute(settle, params![content, digest.0, whole(size)])?;
        }
    }
    Ok(true)
}

/// Gives a file up, and what it holds where no other has the same.
pub(super) fn discard(desk: &mut WriteTransaction, file: FileKey) -> Result<(), Fault> {
    let content = first(&desk.connection, "SELECT content FROM files WHERE key = ?1", [file.0], |row| row.number(0))?;
    desk.connection.execute("DELETE FROM files WHERE key = ?1", [file.0])?;
    content.map_or(Ok(()), |content| forget_content(desk, content))
}

/// Removes the files of a session that goes.
pub(super) fn delete_of(desk: &mut WriteTransaction, session: i64) -> Result<(), Fault> {
    let files = all(&desk.connection, "SELECT key FROM files WHERE session = ?1", [session], |row| row.number(0))?;
    files.into_iter().try_for_each(|file| discard(desk, FileKey(file)))
}

/// The size of a file that a session took in.
pub(super) fn size(reader: &Connection, session: &SessionId, digest: &Digest) -> Result<Option<u64>, Fault> {
    const SIZE: &str = "SELECT c.size FROM contents c JOIN files f ON f.content = c.key \
         JOIN sessions s ON s.key = f.session WHERE c.digest = ?2 AND s.id = ?1 LIMIT 1";
    first(reader, SIZE, params![session.as_str(), digest.0], |row| count(row, 0))
}

/// A part of a file that a session took in.
pub(super) fn read_part(
    reader: &Connection,
    session: &SessionId,
    digest: &Digest,
    place: u32,
) -> Result<Option<Vec<u8>>, Fault> {
    const PART: &str = "SELECT p.bytes FROM contents c JOIN content_parts p ON p.content = c.key \
         WHERE c.digest = ?2 AND p.place = ?3 AND EXISTS \
         (SELECT 1 FROM files f JOIN sessions s ON s.key = f.session WHERE f.content = c.key AND s.id = ?1)";
    first(reader, PART, params![session.as_str(), digest.0, place], |row| row.bytes(0))
}

/// What a file that is still coming is written to.
fn coming(desk: &WriteTransaction, file: FileKey) -> Result<Option<i64>, Fault> {
    const COMING: &str = "SELECT content FROM files WHERE key = ?1 AND until IS NOT NULL";
    first(&desk.connection, COMING, [file.0], |row| row.number(0))
}

/// Removes a content that no file has any more.
fn forget_content(desk: &mut WriteTransaction, content: i64) -> Result<(), Fault> {
    let has_it = first(&desk.connection, "SELECT 1 FROM files WHERE content = ?1 LIMIT 1", [content], |_| Ok(()))?;
    if has_it.is_none() {
        desk.connection.execute("DELETE FROM content_parts WHERE content = ?1", [content])?;
        desk.connection.execute("DELETE FROM contents WHERE key = ?1", [content])?;
        desk.deleted = true;
    }
    Ok(())
}
