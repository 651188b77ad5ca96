//! Which requests were answered, and how.
//!
//! The primary key (person and key) decides who begins. An answer is kept, and a request forgotten, only while it is under
//! way and by whoever asks the same.

use async_trait::async_trait;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::{Answers, Asked, Begun, Kept};
use enza_runtime::seams::store::Failure;
use rusqlite::params;

use crate::columns::register::known;
use crate::fault::Fault;
use crate::sqlite::Sqlite;
use crate::sqlite::reader::first;
use crate::sqlite::writer::Desk;

#[async_trait]
impl Answers for Sqlite {
    async fn begin(&self, request: &Asked) -> Result<Begun, Failure> {
        let request = request.clone();
        self.writer.write(move |desk| begin(desk, &request)).await
    }

    async fn keep_answer(&self, request: &Asked, answer: &Kept) -> Result<(), Failure> {
        let (request, answer) = (request.clone(), answer.clone());
        self.writer.write(move |desk| keep_answer(desk, &request, &answer)).await
    }

    async fn forget(&self, request: &Asked) -> Result<(), Failure> {
        let request = request.clone();
        self.writer.write(move |desk| forget(desk, &request)).await
    }

    async fn sweep(&self, before: Timestamp) -> Result<u64, Failure> {
        self.writer.write(move |desk| sweep(desk, before)).await
    }
}

fn begin(desk: &Desk, request: &Asked) -> Result<Begun, Fault> {
    const KNOWN: &str = "SELECT digest, at, status, body FROM answers WHERE person = ?1 AND key = ?2";
    const BEGIN: &str = "INSERT INTO answers (person, key, digest, at) VALUES (?1, ?2, ?3, ?4)";
    let Asked { person, key, digest, at } = request;
    if let Some(known) = first(&desk.connection, KNOWN, params![person, key], |row| known(row))? {
        return Ok(known.meets(request));
    }
    desk.connection.prepare_cached(BEGIN)?.execute(params![person, key, digest.0, at.0])?;
    Ok(Begun::New)
}

fn keep_answer(desk: &Desk, request: &Asked, answer: &Kept) -> Result<(), Fault> {
    const KEEP: &str = "UPDATE answers SET status = ?4, body = ?5 \
         WHERE person = ?1 AND key = ?2 AND digest = ?3 AND status IS NULL";
    let with = params![request.person, request.key, request.digest.0, answer.status, answer.body];
    desk.connection.prepare_cached(KEEP)?.execute(with)?;
    Ok(())
}

fn forget(desk: &Desk, request: &Asked) -> Result<(), Fault> {
    const FORGET: &str = "DELETE FROM answers WHERE person = ?1 AND key = ?2 AND digest = ?3 AND status IS NULL";
    desk.connection.prepare_cached(FORGET)?.execute(params![request.person, request.key, request.digest.0])?;
    Ok(())
}

fn sweep(desk: &mut Desk, before: Timestamp) -> Result<u64, Fault> {
    let requests = desk.connection.execute("DELETE FROM answers WHERE at < ?1", [before.0])?;
    let passes = desk.connection.execute("DELETE FROM passes WHERE expires_at <= ?1", [before.0])?;
    desk.deleted |= requests > 0;
    Ok((requests + passes) as u64)
}
