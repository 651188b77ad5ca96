//! Which requests were answered, and how.
//!
//! The primary key (person and key) decides who begins. An answer is kept, and a request forgotten, only while it is under
//! way and by the worker that does it: the status is `UNDER_WAY` then, and the worker stands where the answer will.

use async_trait::async_trait;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::{Begun, IdempotentRequests, KeptAnswer, KeyedRequest, PendingRequest};
use enza_runtime::seams::store::Failure;
use rusqlite::params;

use crate::columns::register::{UNDER_WAY, known};
use crate::fault::Fault;
use crate::sqlite::Sqlite;
use crate::sqlite::reader::first;
use crate::sqlite::writer::WriteTransaction;

#[async_trait]
impl IdempotentRequests for Sqlite {
    async fn begin(&self, request: &KeyedRequest) -> Result<Begun, Failure> {
        let request = request.clone();
        self.writer.write(move |desk| begin(desk, &request)).await
    }

    async fn keep_answer(&self, request: &KeyedRequest, answer: &KeptAnswer) -> Result<(), Failure> {
        let (request, answer) = (request.clone(), answer.clone());
        self.writer.write(move |desk| keep_answer(desk, &request, &answer)).await
    }

    async fn forget(&self, request: &KeyedRequest) -> Result<(), Failure> {
        let request = request.clone();
        self.writer.write(move |desk| forget(desk, &request)).await
    }

    async fn take_over(&self, request: &KeyedRequest, seen: &PendingRequest) -> Result<bool, Failure> {
        let (request, seen) = (request.clone(), seen.clone());
        self.writer.write(move |desk| take_over(desk, &request, &seen)).await
    }

    async fn abandon(&self, worker: &str) -> Result<u64, Failure> {
        let worker = worker.to_owned();
        self.writer.write(move |desk| abandon(desk, &worker)).await
    }

    async fn sweep(&self, before: Timestamp, now: Timestamp) -> Result<u64, Failure> {
        self.writer.write(move |desk| sweep(desk, before, now)).await
    }
}

fn begin(desk: &WriteTransaction, request: &KeyedRequest) -> Result<Begun, Fault> {
    const KNOWN: &str = "SELECT digest, at, status, body FROM answers WHERE person = ?1 AND key = ?2";
    const BEGIN: &str = "INSERT INTO answers (person, key, digest, at, status, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let KeyedRequest { person, key, digest, at, worker } = request;
    if let Some(known) = first(&desk.connection, KNOWN, params![person, key], |row| known(row))? {
        return Ok(known.meets(request));
    }
    desk.connection.prepare_cached(BEGIN)?.execute(params![
        person,
        key,
        digest.0,
        at.0,
        UNDER_WAY,
        worker.as_bytes()
    ])?;
    Ok(Begun::New)
}

fn keep_answer(desk: &WriteTransaction, request: &KeyedRequest, answer: &KeptAnswer) -> Result<(), Fault> {
    const KEEP: &str = "UPDATE answers SET status = ?4, body = ?5 \
         WHERE person = ?1 AND key = ?2 AND digest = ?3 AND status = ?6 AND body = ?7";
    let KeyedRequest { person, key, digest, worker, .. } = request;
    let with = params![person, key, digest.0, answer.status, answer.body, UNDER_WAY, worker.as_bytes()];
    desk.connection.prepare_cached(KEEP)?.execute(with)?;
    Ok(())
}

fn forget(desk: &WriteTransaction, request: &KeyedRequest) -> Result<(), Fault> {
    const FORGET: &str = "DELETE FROM answers \
         WHERE person = ?1 AND key = ?2 AND digest = ?3 AND status = ?4 AND body = ?5";
    let KeyedRequest { person, key, digest, worker, .. } = request;
    desk.connection.prepare_cached(FORGET)?.execute(params![person, key, digest.0, UNDER_WAY, worker.as_bytes()])?;
    Ok(())
}

fn take_over(desk: &WriteTransaction, request: &KeyedRequest, seen: &PendingRequest) -> Result<bool, Fault> {
    const TAKE: &str = "UPDATE answers SET at = ?4, status = ?5, body = ?6 \
         WHERE person = ?1 AND key = ?2 AND digest = ?3 AND at = ?7 AND body IS ?8 AND coalesce(status, ?5) = ?5";
    let KeyedRequest { person, key, digest, at, worker } = request;
    let (worker, by) = (worker.as_bytes(), seen.by.as_deref().map(str::as_bytes));
    let with = params![person, key, digest.0, at.0, UNDER_WAY, worker, seen.since.0, by];
    Ok(desk.connection.prepare_cached(TAKE)?.execute(with)? == 1)
}

fn abandon(desk: &WriteTransaction, worker: &str) -> Result<u64, Fault> {
    const ABANDON: &str = "DELETE FROM answers WHERE status = ?1 AND body = ?2";
    Ok(desk.connection.execute(ABANDON, params![UNDER_WAY, worker.as_bytes()])? as u64)
}

fn sweep(desk: &mut WriteTransaction, before: Timestamp, now: Timestamp) -> Result<u64, Fault> {
    desk.connection.execute("UPDATE answers SET at = ?1 WHERE at > ?1", [now.0])?;
    let requests = desk.connection.execute("DELETE FROM answers WHERE at < ?1", [before.0])?;
    let passes = desk.connection.execute("DELETE FROM passes WHERE expires_at <= ?1", [before.0])?;
    desk.deleted |= requests > 0;
    Ok((requests + passes) as u64)
}
