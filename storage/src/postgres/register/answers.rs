//! Which requests were answered, and how.
//!
//! The primary key (person and key) decides who begins. An answer is kept, and a request forgotten, only while it is under
//! way and by whoever asks the same.

use async_trait::async_trait;
use deadpool_postgres::Pool;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::{Answers, Asked, Begun, Kept};
use enza_runtime::seams::store::Failure;

use crate::columns::register::known;
use crate::fault::Fault;
use crate::postgres::Postgres;
use crate::postgres::connection::{all, first};

#[async_trait]
impl Answers for Postgres {
    async fn begin(&self, request: &Asked) -> Result<Begun, Failure> {
        Ok(begin(&self.pool, request).await?)
    }

    async fn keep_answer(&self, request: &Asked, answer: &Kept) -> Result<(), Failure> {
        const KEEP: &str = "UPDATE answers SET status = $4, body = $5 \
             WHERE person = $1 AND key = $2 AND digest = $3 AND status IS NULL";
        let Asked { person, key, digest, .. } = request;
        let status = i32::from(answer.status);
        all(&self.pool, KEEP, &[person, key, &digest.0.as_slice(), &status, &answer.body]).await?;
        Ok(())
    }

    async fn forget(&self, request: &Asked) -> Result<(), Failure> {
        const FORGET: &str = "DELETE FROM answers WHERE person = $1 AND key = $2 AND digest = $3 AND status IS NULL";
        let Asked { person, key, digest, .. } = request;
        all(&self.pool, FORGET, &[person, key, &digest.0.as_slice()]).await?;
        Ok(())
    }

    async fn sweep(&self, before: Timestamp) -> Result<u64, Failure> {
        // What someone else is just changing is left for the next time: a sweep waits for nobody.
        const REQUESTS: &str = "WITH old AS MATERIALIZED ( \
             SELECT person, key FROM answers WHERE at < $1 FOR UPDATE SKIP LOCKED) \
             DELETE FROM answers a USING old WHERE a.person = old.person AND a.key = old.key RETURNING 1";
        const PASSES: &str = "WITH old AS MATERIALIZED ( \
             SELECT digest FROM passes WHERE expires_at <= $1 FOR UPDATE SKIP LOCKED) \
             DELETE FROM passes p USING old WHERE p.digest = old.digest RETURNING 1";
        let requests = all(&self.pool, REQUESTS, &[&before.0]).await?.len();
        let passes = all(&self.pool, PASSES, &[&before.0]).await?.len();
        Ok((requests + passes) as u64)
    }
}

async fn begin(pool: &Pool, request: &Asked) -> Result<Begun, Fault> {
    const BEGIN: &str = "INSERT INTO answers (person, key, digest, at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (person, key) DO NOTHING RETURNING 1";
    const KNOWN: &str = "SELECT digest, at, status, body FROM answers WHERE person = $1 AND key = $2";
    let Asked { person, key, digest, at } = request;
    loop {
        if first(pool, BEGIN, &[person, key, &digest.0.as_slice(), &at.0]).await?.is_some() {
            return Ok(Begun::New);
        }
        if let Some(row) = first(pool, KNOWN, &[person, key]).await? {
            return Ok(known(&row)?.meets(request));
        }
        // The other one was forgotten in between: now it is ours to begin.
    }
}
