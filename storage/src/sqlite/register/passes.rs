//! What lets people in.
//!
//! Found by the digest of a secret only. Taking a pass is one statement that deletes and returns it, so that nobody else
//! gets it too. Whether a pass is still good is for the server to say.

use async_trait::async_trait;
use enza_kernel::conversation::Digest;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::{Pass, PassKind, Passes};
use enza_runtime::seams::store::Failure;
use rusqlite::params;

use crate::columns::register::{PASS, pass, scopes};
use crate::fault::Fault;
use crate::sqlite::Sqlite;
use crate::sqlite::reader::{all, first};
use crate::sqlite::writer::WriteTransaction;

#[async_trait]
impl Passes for Sqlite {
    async fn issue(&self, pass: &Pass) -> Result<(), Failure> {
        let pass = pass.clone();
        self.writer.write(move |desk| issue(desk, &pass)).await
    }

    async fn pass(&self, digest: &Digest) -> Result<Option<Pass>, Failure> {
        let digest = *digest;
        let sql = format!("SELECT {PASS} FROM passes WHERE digest = ?1");
        self.readers.glance(move |reader| first(reader, &sql, [digest.0], |row| pass(row))).await
    }

    async fn passes(&self, person: Option<&str>, kind: PassKind) -> Result<Vec<Pass>, Failure> {
        let person = person.map(str::to_owned);
        let whose = if person.is_some() { "person = ?1" } else { "?1 IS NULL" };
        let sql = format!("SELECT {PASS} FROM passes WHERE {whose} AND kind = ?2 ORDER BY issued_at DESC, digest");
        self.readers.read(move |reader| all(reader, &sql, params![person, kind.word()], |row| pass(row))).await
    }

    async fn take(&self, digest: &Digest) -> Result<Option<Pass>, Failure> {
        let digest = *digest;
        self.writer.write(move |desk| take(desk, &digest)).await
    }

    async fn take_all(&self, person: &str, kind: PassKind, but: Option<&Digest>) -> Result<u64, Failure> {
        let (person, but) = (person.to_owned(), but.copied());
        self.writer.write(move |desk| take_all(desk, &person, kind, but)).await
    }

    async fn used(&self, digest: &Digest, at: Timestamp) -> Result<(), Failure> {
        let digest = *digest;
        self.writer.write(move |desk| used(desk, &digest, at)).await
    }
}

fn issue(desk: &WriteTransaction, pass: &Pass) -> Result<(), Fault> {
    let sql = format!("INSERT INTO passes ({PASS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    desk.connection.prepare_cached(&sql)?.execute(params![
        pass.digest.0,
        pass.kind.word(),
        pass.person,
        pass.label,
        scopes(pass),
        pass.issued_at.0,
        pass.expires_at.map(|at| at.0),
        pass.used_at.map(|at| at.0),
    ])?;
    Ok(())
}

fn take(desk: &WriteTransaction, digest: &Digest) -> Result<Option<Pass>, Fault> {
    let sql = format!("DELETE FROM passes WHERE digest = ?1 RETURNING {PASS}");
    first(&desk.connection, &sql, [digest.0], |row| pass(row))
}

fn take_all(desk: &WriteTransaction, person: &str, kind: PassKind, but: Option<Digest>) -> Result<u64, Fault> {
    const TAKE: &str = "DELETE FROM passes WHERE person = ?1 AND kind = ?2 AND (?3 IS NULL OR digest <> ?3)";
    let with = params![person, kind.word(), but.map(|digest| digest.0)];
    Ok(desk.connection.prepare_cached(TAKE)?.execute(with)? as u64)
}

fn used(desk: &WriteTransaction, digest: &Digest, at: Timestamp) -> Result<(), Fault> {
    const USED: &str = "UPDATE passes SET used_at = ?2 WHERE digest = ?1 AND (used_at IS NULL OR used_at < ?2)";
    desk.connection.prepare_cached(USED)?.execute(params![digest.0, at.0])?;
    Ok(())
}
