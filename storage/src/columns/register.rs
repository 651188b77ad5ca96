//! Rows of the register as the types of its seam, and what both dialects and memory say of a request that is known.
//!
//! A word or number that our own writes could not have left is damage, and is said to be: a pass that cannot be read
//! lets nobody in.

use enza_kernel::conversation::Digest;
use enza_kernel::time::Timestamp;
use enza_runtime::engine::{Allowance, Limit};
use enza_runtime::seams::register::{
    AuditEntry, Begun, KeptAnswer, KeyedRequest, NewAuditEntry, Pass, PassKind, PendingRequest, Person,
};
use serde_json::Value;

use super::{Columns, count, whole};
use crate::fault::{Fault, unexpected};

/// The columns that `person` reads.
pub(crate) const PERSON: &str = "name, display, password, is_admin, is_blocked, lang, tokens_in_all, tokens_per_day, \
     money_in_all, money_per_day, added_at";

/// A person, from `PERSON`.
pub(crate) fn person(row: &impl Columns) -> Result<Person, Fault> {
    let lang = row.maybe_text(5)?.map(|word| word.parse().map_err(unexpected)).transpose()?;
    let limit =
        |place| Ok::<_, Fault>(Limit { in_all: maybe_count(row, place)?, per_day: maybe_count(row, place + 1)? });
    Ok(Person {
        name: row.text(0)?,
        display: row.text(1)?,
        password: row.maybe_text(2)?,
        is_admin: row.flag(3)?,
        is_blocked: row.flag(4)?,
        lang,
        allowance: Allowance { tokens: limit(6)?, money: limit(8)? },
        added_at: Timestamp(row.number(10)?),
    })
}

/// An allowance on its way into its four columns.
pub(crate) fn limits(allowance: &Allowance) -> [Option<i64>; 4] {
    let Allowance { tokens, money } = allowance;
    [tokens.in_all, tokens.per_day, money.in_all, money.per_day].map(|limit| limit.map(whole))
}

/// The columns that `pass` reads.
pub(crate) const PASS: &str = "digest, kind, person, label, scopes, issued_at, expires_at, used_at";

/// A pass, from `PASS`.
pub(crate) fn pass(row: &impl Columns) -> Result<Pass, Fault> {
    let word = row.text(1)?;
    Ok(Pass {
        digest: digest(row, 0)?,
        kind: PassKind::from_word(&word).ok_or_else(|| unexpected(format!("a pass's kind is {word:?}")))?,
        person: row.maybe_text(2)?,
        label: row.text(3)?,
        scopes: serde_json::from_str(&row.text(4)?)
            .map_err(|why| unexpected(format!("a pass's scopes are no list of words: {why}")))?,
        issued_at: Timestamp(row.number(5)?),
        expires_at: row.maybe_number(6)?.map(Timestamp),
        used_at: row.maybe_number(7)?.map(Timestamp),
    })
}

/// Scopes on their way into a column.
pub(crate) fn scopes(pass: &Pass) -> String {
    Value::from(pass.scopes.clone()).to_string()
}

/// The columns that `noted` reads.
pub(crate) const NOTED: &str = "line, at, by_whom, act, on_what, from_where";

/// A line of the journal, from `NOTED`.
pub(crate) fn noted(row: &impl Columns) -> Result<AuditEntry, Fault> {
    let note = NewAuditEntry {
        at: Timestamp(row.number(1)?),
        by: row.text(2)?,
        act: row.text(3)?,
        on: row.text(4)?,
        from: row.text(5)?,
    };
    Ok(AuditEntry { line: count(row, 0)?, note })
}

/// The status of a request that is under way, in whose body the worker stands that does it. No answer has it; without
/// any status a request is under way that an older Enza began.
pub(crate) const UNDER_WAY: i64 = 0;

/// What is kept of a request with an idempotency key.
#[derive(Debug)]
pub(crate) struct Known {
    pub digest: Digest,
    pub since: Timestamp,
    pub outcome: RequestProgress,
}

/// How far a request has come.
#[derive(Debug)]
pub(crate) enum RequestProgress {
    UnderWay { by: Option<String> },
    Answered(KeptAnswer),
}

impl Known {
    /// What this makes of a request with the same key.
    pub fn meets(&self, request: &KeyedRequest) -> Begun {
        if self.digest != request.digest {
            return Begun::OtherRequest;
        }
        match &self.outcome {
            RequestProgress::Answered(answer) => Begun::Answered(answer.clone()),
            RequestProgress::UnderWay { by } => Begun::UnderWay(PendingRequest { since: self.since, by: by.clone() }),
        }
    }
}

/// What is kept of a request, from `digest, at, status, body`.
pub(crate) fn known(row: &impl Columns) -> Result<Known, Fault> {
    let outcome = match (row.maybe_number(2)?, row.maybe_bytes(3)?) {
        (Some(UNDER_WAY), Some(worker)) => {
            let worker = String::from_utf8(worker).map_err(|_| unexpected("a worker's name is no text"))?;
            RequestProgress::UnderWay { by: Some(worker) }
        }
        (Some(status), Some(body)) => {
            let status = u16::try_from(status).map_err(|_| unexpected("an answer's status is out of range"))?;
            RequestProgress::Answered(KeptAnswer { status, body })
        }
        _ => RequestProgress::UnderWay { by: None },
    };
    Ok(Known { digest: digest(row, 0)?, since: Timestamp(row.number(1)?), outcome })
}

/// A document, from `content`.
pub(crate) fn document(row: &impl Columns) -> Result<Value, Fault> {
    serde_json::from_str(&row.text(0)?).map_err(|why| unexpected(format!("the settings are not JSON: {why}")))
}

fn digest(row: &impl Columns, place: usize) -> Result<Digest, Fault> {
    row.bytes(place)?.try_into().map(Digest).map_err(|_| unexpected("a digest has not 32 bytes"))
}

fn maybe_count(row: &impl Columns, place: usize) -> Result<Option<u64>, Fault> {
    Ok(row.maybe_number(place)?.map(|number| number.max(0).cast_unsigned()))
}
