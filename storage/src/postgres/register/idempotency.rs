//! Which requests were answered, and how.
//!
//! The primary key (person and key) decides who begins. An answer is kept, and a request forgotten, only while it is under
//! way and by the worker that does it: the status is `UNDER_WAY` then, and the worker stands where the answer will.

use async_trait::async_trait;
use deadpool_postgres::Pool;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::{Begun, IdempotentRequests, KeptAnswer, KeyedRequest, PendingRequest};
use enza_runtime::seams::store::Failure;

use crate::columns::register::known;
use crate::fault::Fault;
use crate::postgres::Postgres;
use crate::postgres::connection::{all, first};

#[async_trait]
impl IdempotentRequests for Postgres {
    async fn begin(&self, request: &KeyedRequest) -> Result<Begun, Failure> {
        Ok(begin(&self.pool, request).await?)
    }

    async fn keep_answer(&self, request: &KeyedRequest, answer: &KeptAnswer) -> Result<(), Failure> {
        const KEEP: &str = "UPDATE answers SET status = $4, body = $5 \
             WHERE person = $1 AND key = $2 AND digest = $3 AND status = 0 AND body = $6";
        let KeyedRequest { person, key, digest, worker, .. } = request;
        let (status, worker) = (i32::from(answer.status), worker.as_bytes());
        all(&self.pool, KEEP, &[person, key, &digest.0.as_slice(), &status, &answer.body, &worker]).await?;
        Ok(())
    }

    async fn forget(&self, request: &KeyedRequest) -> Result<(), Failure> {
        const FORGET: &str = "DELETE FROM answers \
             WHERE person = $1 AND key = $2 AND digest = $3 AND status = 0 AND body = $4";
        let KeyedRequest { person, key, digest, worker, .. } = request;
        all(&self.pool, FORGET, &[person, key, &digest.0.as_slice(), &worker.as_bytes()]).await?;
        Ok(())
    }

    async fn take_over(&self, request: &KeyedRequest, seen: &PendingRequest) -> Result<bool, Failure> {
        const TAKE: &str = "UPDATE answers SET at = $4, status = 0, body = $5 \
             WHERE person = $1 AND key = $2 AND digest = $3 AND at = $6 AND body IS NOT DISTINCT FROM $7 \
             AND coalesce(status, 0) = 0 RETURNING 1";
        let KeyedRequest { person, key, digest, at, worker } = request;
        let (digest, worker, by) = (digest.0.as_slice(), worker.as_bytes(), seen.by.as_deref().map(str::as_bytes));
        let taken = first(&self.pool, TAKE, &[person, key, &digest, &at.0, &worker, &seen.since.0, &by]).await?;
        Ok(taken.is_some())
    }

    async fn abandon(&self, worker: &str) -> Result<u64, Failure> {
        const ABANDON: &str = "DELETE FROM answers WHERE status = 0 AND body = $1 RETURNING 1";
        Ok(all(&self.pool, ABANDON, &[&worker.as_bytes()]).await?.len() as u64)
    }

    async fn sweep(&self, before: Timestamp, now: Timestamp) -> Result<u64, Failure> {
        // What someone else is just changing is left for the next time: a sweep waits for nobody.
        const AHEAD: &str = "WITH ahead AS MATERIALIZED ( \
             SELECT person, key FROM answers WHERE at > $1 FOR UPDATE SKIP LOCKED) \
             UPDATE answers a SET at = $1 FROM ahead WHERE a.person = ahead.person AND a.key = ahead.key";
        const REQUESTS: &str = "WITH old AS MATERIALIZED ( \
             SELECT person, key FROM answers WHERE at < $1 FOR UPDATE SKIP LOCKED) \
             DELETE FROM answers a USING old WHERE a.person = old.person AND a.key = old.key RETURNING 1";
        const PASSES: &str = "WITH old AS MATERIALIZED ( \
             SELECT digest FROM passes WHERE expires_at <= $1 FOR UPDATE SKIP LOCKED) \
             DELETE FROM passes p USING old WHERE p.digest = old.digest RETURNING 1";
        all(&self.pool, AHEAD, &[&now.0]).await?;
        let requests = all(&self.pool, REQUESTS, &[&before.0]).await?.len();
        let passes = all(&self.pool, PASSES, &[&before.0]).await?.len();
        Ok((requests + passes) as u64)
    }
}

async fn begin(pool: &Pool, request: &KeyedRequest) -> Result<Begun, Fault> {
    const BEGIN: &str = "INSERT INTO answers (person, key, digest, at, status, body) VALUES ($1, $2, $3, $4, 0, $5) \
         ON CONFLICT (person, key) DO NOTHING RETURNING 1";
    const KNOWN: &str = "SELECT digest, at, status, body FROM answers WHERE person = $1 AND key = $2";
    let KeyedRequest { person, key, digest, at, worker } = request;
    loop {
        if first(pool, BEGIN, &[person, key, &digest.0.as_slice(), &at.0, &worker.as_bytes()]).await?.is_some() {
            return Ok(Begun::New);
        }
        if let Some(row) = first(pool, KNOWN, &[person, key]).await? {
            return Ok(known(&row)?.meets(request));
        }
        // The other one was forgotten in between: now it is ours to begin.
    }
}
