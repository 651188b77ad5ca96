//! The register in memory.
//!
//! It is under the same lock as the sessions, so that each verb is one step for everybody else.

use std::collections::BTreeMap;
use std::ops::Bound;

use async_trait::async_trait;
use enza_kernel::conversation::Digest;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::{
    Added, AuditEntry, AuditLog, Begun, IdempotentRequests, KeptAnswer, KeyedRequest, NewAuditEntry, Pass, PassKind,
    Passes, PendingRequest, People, Person, Removed, Settings,
};
use enza_runtime::seams::store::{Failure, SessionId};
use serde_json::Value;

use super::{Memory, Tables};
use crate::columns::register::{Known, RequestProgress};

/// What the register keeps.
#[derive(Debug, Default)]
pub(super) struct RegisterTables {
    people: BTreeMap<String, Person>,
    passes: BTreeMap<Digest, Pass>,
    /// Line n is at place n - 1.
    pub(super) journal: Vec<NewAuditEntry>,
    /// By person and key.
    answers: BTreeMap<(String, String), Known>,
    settings: Option<Value>,
}

impl RegisterTables {
    /// What was answered to its owner about a session may hold what is in it. That it was answered stays, so that nothing
    /// is done twice; what was said goes.
    pub(super) fn blank_answers(&mut self, owner: &str, session: &SessionId) {
        let id = session.as_str().as_bytes();
        for ((person, _), known) in &mut self.answers {
            if let RequestProgress::Answered(kept) = &mut known.outcome
                && person == owner
                && kept.body.windows(id.len().max(1)).any(|piece| piece == id)
            {
                kept.body.clear();
            }
        }
    }
}

#[async_trait]
impl People for Memory {
    async fn add(&self, person: &Person) -> Result<Added, Failure> {
        let people = &mut self.tables().ledger.people;
        if people.contains_key(&person.name) {
            return Ok(Added::NameTaken);
        }
        people.insert(person.name.clone(), person.clone());
        Ok(Added::Added)
    }

    async fn person(&self, name: &str) -> Result<Option<Person>, Failure> {
        Ok(self.tables().ledger.people.get(name).cloned())
    }

    async fn people(&self, after: Option<&str>, limit: usize) -> Result<Vec<Person>, Failure> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let books = self.tables();
        Ok(books
            .ledger
            .people
            .range::<str, _>((from, Bound::Unbounded))
            .take(limit)
            .map(|(_, one)| one.clone())
            .collect())
    }

    async fn change(&self, person: &Person) -> Result<bool, Failure> {
        let mut books = self.tables();
        let Some(known) = books.ledger.people.get_mut(&person.name) else { return Ok(false) };
        *known = Person { added_at: known.added_at, ..person.clone() };
        Ok(true)
    }

    async fn remove(&self, name: &str) -> Result<Removed, Failure> {
        Ok(self.tables().remove_person(name))
    }
}

#[async_trait]
impl Passes for Memory {
    async fn issue(&self, pass: &Pass) -> Result<(), Failure> {
        let ledger = &mut self.tables().ledger;
        if let Some(person) = &pass.person {
            ledger.insist_on(person)?;
        }
        if ledger.passes.contains_key(&pass.digest) {
            return Err(Failure::Other("there is a pass of that digest".to_owned()));
        }
        ledger.passes.insert(pass.digest, pass.clone());
        Ok(())
    }

    async fn pass(&self, digest: &Digest) -> Result<Option<Pass>, Failure> {
        Ok(self.tables().ledger.passes.get(digest).cloned())
    }

    async fn passes(&self, person: Option<&str>, kind: PassKind) -> Result<Vec<Pass>, Failure> {
        let books = self.tables();
        let asked_for = |pass: &&Pass| pass.kind == kind && (person.is_none() || pass.person.as_deref() == person);
        let mut found: Vec<_> = books.ledger.passes.values().filter(asked_for).cloned().collect();
        // Stable: those of one moment stay in the order of their digests.
        found.sort_by_key(|pass| std::cmp::Reverse(pass.issued_at));
        Ok(found)
    }

    async fn take(&self, digest: &Digest) -> Result<Option<Pass>, Failure> {
        Ok(self.tables().ledger.passes.remove(digest))
    }

    async fn take_all(&self, person: &str, kind: PassKind, but: Option<&Digest>) -> Result<u64, Failure> {
        let taken = |digest: &Digest, pass: &mut Pass| {
            pass.person.as_deref() == Some(person) && pass.kind == kind && Some(digest) != but
        };
        Ok(self.tables().ledger.passes.extract_if(.., taken).count() as u64)
    }

    async fn used(&self, digest: &Digest, at: Timestamp) -> Result<(), Failure> {
        if let Some(pass) = self.tables().ledger.passes.get_mut(digest) {
            pass.used_at = pass.used_at.max(Some(at));
        }
        Ok(())
    }
}

#[async_trait]
impl AuditLog for Memory {
    async fn note(&self, note: &NewAuditEntry) -> Result<(), Failure> {
        self.tables().ledger.journal.push(note.clone());
        Ok(())
    }

    async fn notes(&self, person: Option<&str>, before: Option<u64>, limit: usize) -> Result<Vec<AuditEntry>, Failure> {
        let books = self.tables();
        Ok((1..)
            .zip(&books.ledger.journal)
            .take_while(|(line, _)| before.is_none_or(|before| *line < before))
            .filter(|(_, note)| person.is_none_or(|person| note.by == person))
            .map(|(line, note)| AuditEntry { line, note: note.clone() })
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .take(limit)
            .collect())
    }
}

#[async_trait]
impl IdempotentRequests for Memory {
    async fn begin(&self, request: &KeyedRequest) -> Result<Begun, Failure> {
        let ledger = &mut self.tables().ledger;
        if let Some(known) = ledger.answers.get(&name(request)) {
            return Ok(known.meets(request));
        }
        ledger.insist_on(&request.person)?;
        ledger.answers.insert(name(request), begun(request));
        Ok(Begun::New)
    }

    async fn take_over(&self, request: &KeyedRequest, seen: &PendingRequest) -> Result<bool, Failure> {
        let answers = &mut self.tables().ledger.answers;
        let Some(known) = answers.get_mut(&name(request)) else { return Ok(false) };
        if known.meets(request) != Begun::UnderWay(seen.clone()) {
            return Ok(false);
        }
        *known = begun(request);
        Ok(true)
    }

    async fn keep_answer(&self, request: &KeyedRequest, answer: &KeptAnswer) -> Result<(), Failure> {
        if let Some(known) = self.tables().ledger.answers.get_mut(&name(request))
            && is_of(known, request)
        {
            known.outcome = RequestProgress::Answered(answer.clone());
        }
        Ok(())
    }

    async fn forget(&self, request: &KeyedRequest) -> Result<(), Failure> {
        let answers = &mut self.tables().ledger.answers;
        if let Some(known) = answers.get(&name(request))
            && is_of(known, request)
        {
            answers.remove(&name(request));
        }
        Ok(())
    }

    async fn abandon(&self, worker: &str) -> Result<u64, Failure> {
        let answers = &mut self.tables().ledger.answers;
        let of_worker = |_: &_, known: &mut Known| matches!(&known.outcome, RequestProgress::UnderWay { by } if by.as_deref() == Some(worker));
        Ok(answers.extract_if(.., of_worker).count() as u64)
    }

    async fn sweep(&self, before: Timestamp, now: Timestamp) -> Result<u64, Failure> {
        let ledger = &mut self.tables().ledger;
        ledger.answers.values_mut().for_each(|known| known.since = known.since.min(now));
        let requests = ledger.answers.extract_if(.., |_, known| known.since < before).count();
        let over = |_: &Digest, pass: &mut Pass| pass.expires_at.is_some_and(|end| end <= before);
        Ok((requests + ledger.passes.extract_if(.., over).count()) as u64)
    }
}

#[async_trait]
impl Settings for Memory {
    async fn settings(&self) -> Result<Option<Value>, Failure> {
        Ok(self.tables().ledger.settings.clone())
    }

    async fn set_settings(&self, settings: &Value) -> Result<(), Failure> {
        self.tables().ledger.settings = Some(settings.clone());
        Ok(())
    }
}

impl Tables {
    fn remove_person(&mut self, name: &str) -> Removed {
        let ledger = &mut self.ledger;
        if !ledger.people.contains_key(name) {
            return Removed::Unknown;
        }
        let sessions = self.sessions.values().filter(|book| book.row.owner == name).count();
        if sessions > 0 {
            return Removed::OwnsSessions(sessions as u64);
        }
        ledger.people.remove(name);
        ledger.passes.retain(|_, pass| pass.person.as_deref() != Some(name));
        ledger.answers.retain(|(person, _), _| person != name);
        self.usage.retain(|line, _| line.owner != name);
        Removed::Removed
    }
}

impl RegisterTables {
    /// What is a person's is kept for people who are there only.
    fn insist_on(&self, person: &str) -> Result<(), Failure> {
        let unknown = || Failure::Other(format!("there is nobody of the name {person:?}"));
        self.people.contains_key(person).then_some(()).ok_or_else(unknown)
    }
}

fn begun(request: &KeyedRequest) -> Known {
    let outcome = RequestProgress::UnderWay { by: Some(request.worker.clone()) };
    Known { digest: request.digest, since: request.at, outcome }
}

/// Whether a request is under way, and the worker's that asks.
fn is_of(known: &Known, request: &KeyedRequest) -> bool {
    match known.meets(request) {
        Begun::UnderWay(under_way) => under_way.by.as_ref() == Some(&request.worker),
        Begun::New | Begun::Answered(_) | Begun::OtherRequest => false,
    }
}

fn name(request: &KeyedRequest) -> (String, String) {
    (request.person.clone(), request.key.clone())
}
