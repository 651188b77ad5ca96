//! The shapes a database has had, oldest first.
//!
//! Version n is what the first n files make. A file that has been released is never edited: the next change is the next
//! file. Running them belongs to each store; all at once and in one transaction, or not at all.

use enza_runtime::seams::store::Failure;

/// For SQLite.
pub(crate) const SQLITE: &[&str] = &[
    include_str!("../migrations/sqlite/1.sql"),
    include_str!("../migrations/sqlite/2.sql"),
    include_str!("../migrations/sqlite/3.sql"),
    include_str!("../migrations/sqlite/4.sql"),
    include_str!("../migrations/sqlite/5.sql"),
    include_str!("../migrations/sqlite/6.sql"),
    include_str!("../migrations/sqlite/7.sql"),
    include_str!("../migrations/sqlite/8.sql"),
];

/// For PostgreSQL.
pub(crate) const POSTGRES: &[&str] = &[
    include_str!("../migrations/postgres/1.sql"),
    include_str!("../migrations/postgres/2.sql"),
    include_str!("../migrations/postgres/3.sql"),
    include_str!("../migrations/postgres/4.sql"),
    include_str!("../migrations/postgres/5.sql"),
    include_str!("../migrations/postgres/6.sql"),
    include_str!("../migrations/postgres/7.sql"),
    include_str!("../migrations/postgres/8.sql"),
];

/// The files still to run on a database of version `found`.
pub(crate) fn pending<'a>(all: &'a [&'a str], found: i64) -> Result<&'a [&'a str], Failure> {
    usize::try_from(found).ok().and_then(|done| all.get(done..)).ok_or(Failure::Newer { found, known: newest(all) })
}

/// The version that all files together make.
pub(crate) fn newest(all: &[&str]) -> i64 {
    i64::try_from(all.len()).unwrap_or(i64::MAX)
}
