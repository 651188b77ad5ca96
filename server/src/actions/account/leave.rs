//! Taking everything along, and leaving.
//!
//! An export is JSON Lines, each an object with one field that says what it is; the last is `end`, so that a file that
//! was cut off is known as such. Leaving deletes every session, forks before what they were forked from and families
//! before what they belong to, and then the person with every pass and line of usage. Should it be cut off, the person is
//! still there and can do it again.

use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::engine::Declined;
use enza_runtime::seams::register::Removed;
use enza_runtime::seams::store::{Deleted, Failure, Family, Filter, SessionId, UsageQuery};
use serde::Serialize;
use serde_json::json;
use tokio::sync::mpsc;

use super::profile::{account, myself};
use super::tokens::tokens;
use crate::access::{Address, AuditEvent, Caller, Rules, audit, count_administrators, password};
use crate::problem::Problem;
use crate::state::{AppState, LOCAL};

/// How many sessions, events or lines are read at a time.
const PAGE: usize = 200;
/// How many lines wait for a slow reader before the reading waits too.
const AHEAD: usize = 64;
/// How often to look for sessions that were opened while the others were being deleted.
const ROUNDS: usize = 16;

/// How someone shows that they mean it.
#[derive(Debug, Clone, Copy)]
pub struct DeletionProof<'a> {
    /// The password; needed where there is one.
    pub password: &'a str,
    /// The person's own name, typed; needed where there is no password.
    pub name: &'a str,
}

/// Deletes the caller's account with everything in it.
pub async fn delete(
    app: &AppState,
    caller: &Caller,
    farewell: DeletionProof<'_>,
    from: &Address,
) -> Result<(), Problem> {
    let person = myself(app, caller).await?;
    match person.password.as_deref() {
        None if farewell.name.trim() == person.name => {}
        None => return Err(Problem::WrongPassword),
        Some(kept) => {
            app.rate_limiter().name(&person.name, from, app.now())?;
            let is_right = password::is_right(farewell.password, Some(kept)).await;
            if !is_right.inspect_err(|_| app.rate_limiter().give_back(&person.name, from))? {
                return Err(Problem::WrongPassword);
            }
            app.rate_limiter().went_well(&person.name, from);
        }
    }
    remove_with_everything(app, &person.name, caller.name(), AuditEvent::AccountDeleted, from).await
}

/// Removes a person with everything of theirs. The last administrator stays while there are others to look after.
pub async fn remove_with_everything(
    app: &AppState,
    name: &str,
    by: &str,
    act: AuditEvent,
    from: &Address,
) -> Result<(), Problem> {
    let _pen = app.register_lock().await;
    let person = app.register().person(name).await?.ok_or(Problem::NoPerson)?;
    let runs_the_house = person.is_admin && !person.is_blocked && name != LOCAL;
    if runs_the_house && count_administrators(app.register()).await? == 1 && has_others(app, name).await? {
        return Err(Problem::LastAdmin);
    }
    audit(app, by, act, name, from).await?;
    for _ in 0..ROUNDS {
        delete_sessions(app, name).await?;
        match app.register().remove(name).await? {
            Removed::Removed | Removed::Unknown => {
                app.authenticator().forget_person(name);
                return forget_limits(app, name).await;
            }
            Removed::OwnsSessions(_) => {}
        }
    }
    Err(Problem::Contended)
}

async fn has_others(app: &AppState, name: &str) -> Result<bool, Problem> {
    // Of any three at least one is neither this person nor the local owner.
    let some = app.register().people(None, 3).await?;
    Ok(some.iter().any(|one| one.name != name && one.name != LOCAL))
}

async fn forget_limits(app: &AppState, name: &str) -> Result<(), Problem> {
    let mut rules = Rules::read(app.register()).await?;
    if rules.people.remove(name).is_some() {
        rules.write(app.register()).await?;
    }
    app.allowances().refresh().await?;
    Ok(())
}

async fn delete_sessions(app: &AppState, owner: &str) -> Result<(), Problem> {
    loop {
        let filter = Filter { owner: Some(owner.to_owned()), limit: PAGE, ..Filter::default() };
        let rows = app.engine().store().list(&filter).await?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in rows {
            delete_after_others(app, owner, row.id).await?;
        }
    }
}

/// Deletes a session after its forks and its family, however deep they go.
async fn delete_after_others(app: &AppState, owner: &str, session: SessionId) -> Result<(), Problem> {
    let mut waiting = vec![session];
    while let Some(next) = waiting.last() {
        match app.engine().delete(next).await? {
            Deleted::Deleted | Deleted::Unknown => {
                waiting.pop();
            }
            Deleted::HasForks(forks) => {
                for fork in &forks {
                    let row = app.engine().store().find(fork).await?;
                    if row.is_some_and(|row| row.owner != owner) {
                        return Err(Problem::HasForks(forks));
                    }
                }
                waiting.extend(forks);
            }
            Deleted::HasFamily(count) => {
                let filter = Filter { family: Family::Of(next.clone()), limit: PAGE, ..Filter::default() };
                let members = app.engine().store().list(&filter).await?;
                if members.iter().any(|row| row.owner != owner) {
                    return Err(Problem::HasFamily(count));
                }
                waiting.extend(members.into_iter().map(|row| row.id));
            }
        }
    }
    Ok(())
}

/// Everything of the caller's, as lines. A failure on the way is the last thing that comes.
pub async fn export(
    app: &AppState,
    caller: &Caller,
    from: &Address,
) -> Result<mpsc::Receiver<Result<String, Failure>>, Problem> {
    audit(app, caller.name(), AuditEvent::Exported, "", from).await?;
    let account = account(app, caller).await?;
    let tokens = tokens(app, caller).await?;
    let (out, lines) = mpsc::channel(AHEAD);
    let (app, since) = (app.clone(), account.added_at);
    tokio::spawn(async move {
        let mut writer = Writer { out, written: 0 };
        let told = tell(&mut writer, &app, &account.name, since, json!({ "account": account, "tokens": tokens }));
        if let Err(Stopped::Failed(failure)) = told.await {
            tracing::warn!(%failure, "an export was cut off");
            let _ = writer.out.send(Err(failure)).await;
        }
    });
    Ok(lines)
}

struct Writer {
    out: mpsc::Sender<Result<String, Failure>>,
    written: u64,
}

enum Stopped {
    Failed(Failure),
    /// Whoever was reading has gone away.
    Left,
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Writer {
    async fn line(&mut self, line: &impl Serialize) -> Result<(), Stopped> {
        let mut text = serde_json::to_string(line).expect("plain data always serialises");
        text.push('\n');
        self.written += 1;
        self.out.send(Ok(text)).await.map_err(|_| Stopped::Left)
    }
}

fn unread(declined: Declined) -> Stopped {
    match declined {
        Declined::Failed(failure) => Stopped::Failed(failure),
        other => Stopped::Failed(Failure::Unreadable(format!("{other:?}"))),
    }
}

async fn tell(
    writer: &mut Writer,
    app: &AppState,
    name: &str,
    since: Timestamp,
    person: serde_json::Value,
) -> Result<(), Stopped> {
    let store = app.engine().store();
    writer.line(&json!({ "person": person })).await?;
    let mut filter = Filter { owner: Some(name.to_owned()), limit: PAGE, ..Filter::default() };
    loop {
        let rows = store.list(&filter).await?;
        let Some(last) = rows.last() else { break };
        filter.after = Some((last.changed_at, last.id.clone()));
        for row in rows {
            writer.line(&json!({ "session": row })).await?;
            let Some(reading) = app.engine().read_as(&row.id, Some(name)).await.map_err(unread)? else { continue };
            let mut after = Seq::START;
            loop {
                let mut events = store.events(&row.id, after, PAGE).await?;
                // Who they are in it was worked out as of this event; somebody who reads slowly may be another one later.
                events.retain(|event| event.seq <= reading.row.head);
                let Some(last) = events.last() else { break };
                after = last.seq;
                for event in events {
                    let (session, seen) = (&row.id, reading.event(event));
                    // What others in the session keep to themselves has its place and its time, and no more.
                    let recorded = match seen.recorded() {
                        Some(recorded) => json!(recorded),
                        None => json!({ "seq": seen.seq(), "at": seen.at() }),
                    };
                    writer.line(&json!({ "event": { "session": session, "recorded": recorded } })).await?;
                }
            }
        }
    }
    let query = UsageQuery { owner: Some(name.to_owned()), ..UsageQuery::default() };
    for row in store.usage(&query).await? {
        writer.line(&json!({ "usage": row })).await?;
    }
    let mut before = None;
    loop {
        let lines = app.register().notes(Some(name), before, PAGE).await?;
        let Some(last) = lines.last() else { break };
        before = Some(last.line);
        // Someone else may have had the name before.
        for line in lines.iter().filter(|line| line.note.at >= since) {
            writer.line(&json!({ "journal": line })).await?;
        }
    }
    let written = writer.written;
    writer.line(&json!({ "end": { "lines_before": written } })).await
}
