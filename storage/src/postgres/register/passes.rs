//! What lets people in.
//!
//! Found by the digest of a secret only. Taking a pass is one statement that deletes and returns it, so that nobody else
//! gets it too. Whether a pass is still good is for the server to say.

use async_trait::async_trait;
use enza_kernel::conversation::Digest;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::{Pass, PassKind, Passes};
use enza_runtime::seams::store::Failure;

use crate::columns::register::{PASS, pass, scopes};
use crate::postgres::Postgres;
use crate::postgres::connection::{all, first};

#[async_trait]
impl Passes for Postgres {
    async fn issue(&self, pass: &Pass) -> Result<(), Failure> {
        let sql = format!("INSERT INTO passes ({PASS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)");
        all(
            &self.pool,
            &sql,
            &[
                &pass.digest.0.as_slice(),
                &pass.kind.word(),
                &pass.person,
                &pass.label,
                &scopes(pass),
                &pass.issued_at.0,
                &pass.expires_at.map(|at| at.0),
                &pass.used_at.map(|at| at.0),
            ],
        )
        .await?;
        Ok(())
    }

    async fn pass(&self, digest: &Digest) -> Result<Option<Pass>, Failure> {
        let sql = format!("SELECT {PASS} FROM passes WHERE digest = $1");
        Ok(first(&self.pool, &sql, &[&digest.0.as_slice()]).await?.map(|row| pass(&row)).transpose()?)
    }

    async fn passes(&self, person: Option<&str>, kind: PassKind) -> Result<Vec<Pass>, Failure> {
        let whose = if person.is_some() { "person = $1" } else { "$1::text IS NULL" };
        let sql = format!("SELECT {PASS} FROM passes WHERE {whose} AND kind = $2 ORDER BY issued_at DESC, digest");
        let rows = all(&self.pool, &sql, &[&person, &kind.word()]).await?;
        Ok(rows.iter().map(pass).collect::<Result<_, _>>()?)
    }

    async fn take(&self, digest: &Digest) -> Result<Option<Pass>, Failure> {
        let sql = format!("DELETE FROM passes WHERE digest = $1 RETURNING {PASS}");
        Ok(first(&self.pool, &sql, &[&digest.0.as_slice()]).await?.map(|row| pass(&row)).transpose()?)
    }

    async fn take_all(&self, person: &str, kind: PassKind, but: Option<&Digest>) -> Result<u64, Failure> {
        const TAKE: &str = "WITH theirs AS MATERIALIZED ( \
             SELECT digest FROM passes WHERE person = $1 AND kind = $2 AND ($3::bytea IS NULL OR digest <> $3) \
             ORDER BY digest FOR UPDATE) \
             DELETE FROM passes p USING theirs WHERE p.digest = theirs.digest RETURNING 1";
        let but = but.map(|digest| digest.0.as_slice());
        Ok(all(&self.pool, TAKE, &[&person, &kind.word(), &but]).await?.len() as u64)
    }

    async fn used(&self, digest: &Digest, at: Timestamp) -> Result<(), Failure> {
        const USED: &str = "UPDATE passes SET used_at = $2 WHERE digest = $1 AND (used_at IS NULL OR used_at < $2)";
        all(&self.pool, USED, &[&digest.0.as_slice(), &at.0]).await?;
        Ok(())
    }
}
