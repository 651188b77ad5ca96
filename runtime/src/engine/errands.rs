//! Errands: what one session has another do, run until the other has taken it or said no.
//!
//! The other session is told as by anyone else, with a key made of the errand's own name: however often an errand is run,
//! by whichever process, it is accepted once. Only here is a session the sender, and only as far as its application's
//! `Reach` goes. While the store is away, or others are faster, an errand is tried again; it is given up by nobody but
//! the session that owes it. A session whose log is damaged takes none.

use std::sync::Arc;
use std::time::Duration;

use enza_kernel::effect::Outcome;
use enza_kernel::errand::{Errand, ErrandKind, FoundRow, Look, Reach};
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use enza_kernel::time::Actor;
use serde_json::Value;

use super::slot::{LoadedSession, Origin, SessionSlot};
use super::{Declined, Engine, Receipt, Submission};
use crate::host::Refused;
use crate::seams::store::{Failure, Rows, SessionId, SessionOpening};

/// What the keys of errands begin with. Nobody else may use such a key.
const KEYS: &str = "errand:";

/// The session that owes an errand.
pub(super) struct Sender {
    session: SessionId,
    application: &'static str,
    owner: Arc<str>,
    reach: Reach,
    origin: Origin,
}

impl LoadedSession {
    /// The session as the sender of its errands.
    pub fn sender(&self, session: &SessionId) -> Sender {
        Sender {
            session: session.clone(),
            application: self.host.name(),
            owner: self.owner.clone(),
            reach: self.host.reach(),
            origin: self.origin,
        }
    }
}

impl Sender {
    fn submission(&self, errand: &Errand, command: Value) -> Submission {
        let by = Actor::Session { session: self.session.to_string(), application: self.application.to_owned() };
        Submission { command, by, key: Some(format!("{KEYS}{}:{}", self.session, errand.key)) }
    }

    fn may_tell(&self, application: &str) -> bool {
        self.reach.tells.contains(&application)
    }
}

/// Why an errand is tried again.
struct NotYet(Declined);

impl From<Failure> for NotYet {
    fn from(failure: Failure) -> Self {
        Self(Declined::Failed(failure))
    }
}

impl Engine {
    /// Runs an errand to its end; none where the session that owes it was deleted meanwhile.
    pub(super) async fn run_errand(&self, slot: &SessionSlot, sender: Sender, errand: &Errand) -> Option<Outcome> {
        match sender.origin {
            Origin::Own => {}
            Origin::Fork | Origin::QuietFork => {
                return Some(declined("fork-runs-no-errands", "a fork reaches no other session"));
            }
        }
        let mut gone = slot.gone.subscribe();
        let mut attempt = 0;
        loop {
            match self.try_errand(&sender, errand).await {
                Ok(outcome) => return Some(outcome),
                Err(NotYet(why)) => tracing::debug!(session = %slot.id, errand = %errand.key, ?why, "trying again"),
            }
            let pause = self.jittered(Duration::from_millis(100 << attempt));
            attempt = (attempt + 1).min(7);
            tokio::select! {
                biased;
                _ = gone.wait_for(|is_gone| *is_gone) => return None,
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    async fn try_errand(&self, sender: &Sender, errand: &Errand) -> Result<Outcome, NotYet> {
        match &errand.what {
            ErrandKind::Tell { session, command } => {
                let session = SessionId::of(session.as_str());
                let Some(row) = self.store().find(&session).await? else { return Ok(unknown()) };
                if session == sender.session || !sender.may_tell(&row.application) {
                    return Ok(out_of_reach());
                }
                told(self.submit_from_anyone(&session, sender.submission(errand, command.clone())).await)
            }
            ErrandKind::Open { session, application, of, command } => {
                if !sender.may_tell(application) {
                    return Ok(out_of_reach());
                }
                let of = of.as_deref().map(SessionId::of);
                let opening = SessionOpening { application: application.clone(), owner: sender.owner.to_string(), of };
                let submission = sender.submission(errand, command.clone());
                told(self.open_from_anyone(&SessionId::of(session.as_str()), opening, submission).await)
            }
            ErrandKind::Look(look) if sender.reach.looks.contains(&look.table.as_str()) => self.look(look).await,
            ErrandKind::Look(_) => Ok(out_of_reach()),
        }
    }

    async fn look(&self, look: &Look) -> Result<Outcome, NotYet> {
        let session = look.session.as_deref().map(SessionId::of);
        let of = session.as_ref().map_or(Rows::All, Rows::Session);
        let rows = self.store().rows(&look.table, of).await?;
        let found = rows.into_iter().filter(|row| look.takes(&row.content)).take(look.most);
        let found = found.map(|row| FoundRow { session: row.session.to_string(), key: row.key, content: row.content });
        let draw = {
            let mut chance = self.0.chance.lock().expect("chance");
            [chance.u64(..), chance.u64(..)]
        };
        Ok(Outcome::Found { rows: found.collect(), draw })
    }
}

impl Submission {
    /// What only an errand may be: sent by a session, or under an errand's key.
    pub(super) fn refuse_as_errand(&self) -> Result<(), Declined> {
        if matches!(self.by, Actor::Session { .. }) {
            return Err(Declined::Refused(Refused::from_reason(&CommonRefusal::NotAPerson)));
        }
        if self.key.as_ref().is_some_and(|key| key.starts_with(KEYS)) {
            return Err(Declined::Malformed(format!("an idempotency key may not begin with {KEYS:?}")));
        }
        Ok(())
    }
}

fn told(answer: Result<Receipt, Declined>) -> Result<Outcome, NotYet> {
    match answer {
        Ok(receipt) => Ok(Outcome::Delivered { at: receipt.seq }),
        Err(Declined::Refused(refused)) => Ok(declined(refused.code, &refused.say(Lang::En).message)),
        Err(Declined::UnknownSession(_)) => Ok(unknown()),
        Err(Declined::UnknownApplication(name)) => Ok(declined("application-unknown", &name)),
        Err(Declined::NameTaken(session)) => Ok(declined("session-exists", session.as_str())),
        Err(Declined::Malformed(why)) => Ok(declined("command-malformed", &why)),
        Err(Declined::TooLarge { bytes, most }) => {
            Ok(declined("command-too-large", &format!("{bytes} of at most {most} bytes")))
        }
        // Its log does not mend by itself, and whoever owes the errand must not wait for it for ever.
        Err(Declined::Failed(failure @ (Failure::Damaged(_) | Failure::EventDamaged { .. }))) => {
            Ok(declined(failure.code(), &failure.to_string()))
        }
        Err(why @ (Declined::Contended | Declined::Failed(_))) => Err(NotYet(why)),
    }
}

fn unknown() -> Outcome {
    declined("session-unknown", "there is no such session")
}

fn out_of_reach() -> Outcome {
    declined("errand-out-of-reach", "its application may not ask that")
}

fn declined(code: &str, why: &str) -> Outcome {
    Outcome::Declined { code: code.to_owned(), why: why.to_owned() }
}
