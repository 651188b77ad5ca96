//! The words of the journal: every way in and out, every administrative act, and everything that was deleted or taken
//! along.
//!
//! A line says who, what, on whom and from where. It never holds a secret: of a pass there is the label, of a failed
//! sign-in only a name that could be one, since people type passwords into the wrong field.

use enza_runtime::seams::register::NewAuditEntry;
use enza_runtime::seams::store::Failure;

use super::Address;
use crate::state::AppState;

/// Something that is noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditEvent {
    /// Made an account.
    Registered,
    /// Signed in with a password.
    SignedIn,
    /// Tried to, with a wrong one.
    SignInFailed,
    /// Signed in with a one-time link.
    EnteredByLink,
    SignedOut,
    SignedOutEverywhere,
    PasswordChanged,
    /// Made a token.
    TokenIssued,
    /// Took a token away.
    TokenRevoked,
    /// Took all of their data along.
    Exported,
    /// Took a whole session along.
    SessionExported,
    SessionDeleted,
    /// Deleted their account.
    AccountDeleted,
    Invited,
    /// Took an invitation back.
    InvitationRevoked,
    /// Blocked a person.
    Blocked,
    /// Let a person in again.
    Unblocked,
    /// Made a person an administrator.
    AdministratorMade,
    /// Made an administrator a person like others.
    AdministratorUnmade,
    /// Took a person's password away and made a link instead.
    PasswordReset,
    /// Removed a person with everything of theirs.
    PersonRemoved,
    /// Changed what a person may spend.
    LimitsChanged,
    /// Changed the rules of the house.
    RulesChanged,
    /// Let a stuck session of someone's try again.
    SessionRetried,
    /// Chose another model for everyone.
    ModelChosen,
    /// Something that only an application knows, by its word in the journal; its part brings the sentence.
    OfPart(&'static str),
}

impl AuditEvent {
    /// The word in the journal.
    pub fn word(self) -> &'static str {
        match self {
            Self::Registered => "registered",
            Self::SignedIn => "signed-in",
            Self::SignInFailed => "sign-in-failed",
            Self::EnteredByLink => "entered-by-link",
            Self::SignedOut => "signed-out",
            Self::SignedOutEverywhere => "signed-out-everywhere",
            Self::PasswordChanged => "password-changed",
            Self::TokenIssued => "token-issued",
            Self::TokenRevoked => "token-revoked",
            Self::Exported => "exported",
            Self::SessionExported => "session-exported",
            Self::SessionDeleted => "session-deleted",
            Self::AccountDeleted => "account-deleted",
            Self::Invited => "invited",
            Self::InvitationRevoked => "invitation-revoked",
            Self::Blocked => "blocked",
            Self::Unblocked => "unblocked",
            Self::AdministratorMade => "administrator-made",
            Self::AdministratorUnmade => "administrator-unmade",
            Self::PasswordReset => "password-reset",
            Self::PersonRemoved => "person-removed",
            Self::LimitsChanged => "limits-changed",
            Self::RulesChanged => "rules-changed",
            Self::SessionRetried => "session-retried",
            Self::ModelChosen => "model-chosen",
            Self::OfPart(word) => word,
        }
    }
}

/// Writes a line. It is written before the act takes effect wherever that can be: what was done is never missing. What may
/// still be refused after that would leave a line of something that was not done; so a deletion is given its `line`
/// instead, which is written in the same transaction.
pub async fn audit(app: &AppState, by: &str, act: AuditEvent, on: &str, from: &Address) -> Result<(), Failure> {
    app.register().note(&line(app, by, act, on, from)).await
}

/// A line that is written by whoever does what it says.
pub fn line(app: &AppState, by: &str, act: AuditEvent, on: &str, from: &Address) -> NewAuditEntry {
    NewAuditEntry {
        at: app.now(),
        by: by.to_owned(),
        act: act.word().to_owned(),
        on: on.to_owned(),
        from: from.to_string(),
    }
}
