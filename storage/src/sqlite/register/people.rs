//! The people.
//!
//! A removal looks for sessions and deletes in one transaction: nobody leaves while a session of theirs stays, and nothing
//! of theirs stays but the journal. Deciding who may be removed is the server's business.

use async_trait::async_trait;
use enza_runtime::seams::register::{Added, People, Person, Removed};
use enza_runtime::seams::store::Failure;
use rusqlite::params;

use crate::columns::register::{PERSON, limits, person};
use crate::columns::{Columns, at_most};
use crate::fault::Fault;
use crate::sqlite::Sqlite;
use crate::sqlite::reader::{all, first};
use crate::sqlite::writer::WriteTransaction;

#[async_trait]
impl People for Sqlite {
    async fn add(&self, person: &Person) -> Result<Added, Failure> {
        let person = person.clone();
        self.writer.write(move |desk| add(desk, &person)).await
    }

    async fn person(&self, name: &str) -> Result<Option<Person>, Failure> {
        let name = name.to_owned();
        let sql = format!("SELECT {PERSON} FROM people WHERE name = ?1");
        self.readers.glance(move |reader| first(reader, &sql, [name], |row| person(row))).await
    }

    async fn people(&self, after: Option<&str>, limit: usize) -> Result<Vec<Person>, Failure> {
        let after = after.map(str::to_owned);
        let sql = format!("SELECT {PERSON} FROM people WHERE ?1 IS NULL OR name > ?1 ORDER BY name LIMIT ?2");
        self.readers.read(move |reader| all(reader, &sql, params![after, at_most(limit)], |row| person(row))).await
    }

    async fn change(&self, person: &Person) -> Result<bool, Failure> {
        let person = person.clone();
        self.writer.write(move |desk| change(desk, &person)).await
    }

    async fn remove(&self, name: &str) -> Result<Removed, Failure> {
        let name = name.to_owned();
        self.writer.write(move |desk| remove(desk, &name)).await
    }
}

fn add(desk: &WriteTransaction, person: &Person) -> Result<Added, Fault> {
    let sql = format!(
        "INSERT INTO people ({PERSON}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
         ON CONFLICT (name) DO NOTHING"
    );
    let [tokens_in_all, tokens_per_day, money_in_all, money_per_day] = limits(&person.allowance);
    let added = desk.connection.prepare_cached(&sql)?.execute(params![
        person.name,
        person.display,
        person.password,
        person.is_admin,
        person.is_blocked,
        person.lang.map(|lang| lang.to_string()),
        tokens_in_all,
        tokens_per_day,
        money_in_all,
        money_per_day,
        person.added_at.0,
    ])?;
    Ok(if added == 1 { Added::Added } else { Added::NameTaken })
}

fn change(desk: &WriteTransaction, person: &Person) -> Result<bool, Fault> {
    const CHANGE: &str = "UPDATE people SET display = ?2, password = ?3, is_admin = ?4, is_blocked = ?5, lang = ?6, \
         tokens_in_all = ?7, tokens_per_day = ?8, money_in_all = ?9, money_per_day = ?10 WHERE name = ?1";
    let [tokens_in_all, tokens_per_day, money_in_all, money_per_day] = limits(&person.allowance);
    let changed = desk.connection.prepare_cached(CHANGE)?.execute(params![
        person.name,
        person.display,
        person.password,
        person.is_admin,
        person.is_blocked,
        person.lang.map(|lang| lang.to_string()),
        tokens_in_all,
        tokens_per_day,
        money_in_all,
        money_per_day,
    ])?;
    Ok(changed == 1)
}

fn remove(desk: &mut WriteTransaction, name: &str) -> Result<Removed, Fault> {
    const LOOK: &str = "SELECT (SELECT count(*) FROM sessions WHERE owner = ?1) FROM people WHERE name = ?1";
    match first(&desk.connection, LOOK, [name], |row| row.number(0))? {
        None => return Ok(Removed::Unknown),
        Some(0) => {}
        Some(sessions) => return Ok(Removed::OwnsSessions(sessions.cast_unsigned())),
    }
    for (table, column) in [("passes", "person"), ("answers", "person"), ("usage", "owner"), ("people", "name")] {
        desk.connection.execute(&format!("DELETE FROM {table} WHERE {column} = ?1"), [name])?;
    }
    desk.deleted = true;
    Ok(Removed::Removed)
}
