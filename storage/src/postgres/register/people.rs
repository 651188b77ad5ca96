//! The people.
//!
//! A removal looks for sessions and deletes in one transaction: nobody leaves while a session of theirs stays, and nothing
//! of theirs stays but the journal. Deciding who may be removed is the server's business.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Pool};
use enza_runtime::seams::register::{Added, People, Person, Removed};
use enza_runtime::seams::store::Failure;

use crate::columns::register::{PERSON, limits, person};
use crate::columns::{Columns, at_most};
use crate::fault::Fault;
use crate::postgres::Postgres;
use crate::postgres::connection::{all, first};

#[async_trait]
impl People for Postgres {
    async fn add(&self, person: &Person) -> Result<Added, Failure> {
        Ok(add(&self.pool, person).await?)
    }

    async fn person(&self, name: &str) -> Result<Option<Person>, Failure> {
        let sql = format!("SELECT {PERSON} FROM people WHERE name = $1");
        Ok(first(&self.pool, &sql, &[&name]).await?.map(|row| person(&row)).transpose()?)
    }

    async fn people(&self, after: Option<&str>, limit: usize) -> Result<Vec<Person>, Failure> {
        let sql = format!("SELECT {PERSON} FROM people WHERE $1::text IS NULL OR name > $1 ORDER BY name LIMIT $2");
        let rows = all(&self.pool, &sql, &[&after, &at_most(limit)]).await?;
        Ok(rows.iter().map(person).collect::<Result<_, _>>()?)
    }

    async fn change(&self, person: &Person) -> Result<bool, Failure> {
        Ok(change(&self.pool, person).await?)
    }

    async fn remove(&self, name: &str) -> Result<Removed, Failure> {
        Ok(remove(&self.pool, name).await?)
    }
}

async fn add(pool: &Pool, person: &Person) -> Result<Added, Fault> {
    let sql = format!(
        "INSERT INTO people ({PERSON}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT (name) DO NOTHING RETURNING name"
    );
    let [tokens_in_all, tokens_per_day, money_in_all, money_per_day] = limits(&person.allowance);
    let added = first(
        pool,
        &sql,
        &[
            &person.name,
            &person.display,
            &person.password,
            &person.is_admin,
            &person.is_blocked,
            &person.lang.map(|lang| lang.to_string()),
            &tokens_in_all,
            &tokens_per_day,
            &money_in_all,
            &money_per_day,
            &person.added_at.0,
        ],
    )
    .await?;
    Ok(if added.is_some() { Added::Added } else { Added::NameTaken })
}

async fn change(pool: &Pool, person: &Person) -> Result<bool, Fault> {
    const CHANGE: &str = "UPDATE people SET display = $2, password = $3, is_admin = $4, is_blocked = $5, lang = $6, \
         tokens_in_all = $7, tokens_per_day = $8, money_in_all = $9, money_per_day = $10 WHERE name = $1 RETURNING name";
    let [tokens_in_all, tokens_per_day, money_in_all, money_per_day] = limits(&person.allowance);
    let changed = first(
        pool,
        CHANGE,
        &[
            &person.name,
            &person.display,
            &person.password,
            &person.is_admin,
            &person.is_blocked,
            &person.lang.map(|lang| lang.to_string()),
            &tokens_in_all,
            &tokens_per_day,
            &money_in_all,
            &money_per_day,
        ],
    )
    .await?;
    Ok(changed.is_some())
}

async fn remove(pool: &Pool, name: &str) -> Result<Removed, Fault> {
    // Waits for appends under way and holds up new ones for a moment: one of them may be opening a session of theirs.
    const NO_NEW_SESSIONS: &str = "LOCK TABLE sessions IN SHARE MODE";
    // Whoever is giving the person a pass finds nobody to give it to.
    const PERSON: &str = "SELECT 1 FROM people WHERE name = $1 FOR UPDATE";
    const PASSES: &str = "SELECT 1 FROM passes WHERE person = $1 ORDER BY digest FOR UPDATE";
    let mut connection = pool.get().await?;
    let transaction = connection.transaction().await?;
    transaction.batch_execute(NO_NEW_SESSIONS).await?;
    if transaction.query_opt(PERSON, &[&name]).await?.is_none() {
        return Ok(Removed::Unknown);
    }
    let sessions =
        transaction.query_one("SELECT count(*) FROM sessions WHERE owner = $1", &[&name]).await?.number(0)?;
    if sessions > 0 {
        return Ok(Removed::OwnsSessions(sessions.cast_unsigned()));
    }
    transaction.query(PASSES, &[&name]).await?;
    for (table, column) in [("passes", "person"), ("answers", "person"), ("usage", "owner"), ("people", "name")] {
        transaction.execute(&format!("DELETE FROM {table} WHERE {column} = $1"), &[&name]).await?;
    }
    transaction.commit().await?;
    Ok(Removed::Removed)
}
