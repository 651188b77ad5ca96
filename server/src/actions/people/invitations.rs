//! Invitations: links with which someone may register, once.

use std::time::Duration;

use enza_kernel::conversation::Digest;
use enza_kernel::limits;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::{Pass, PassKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::{Address, AuditEvent, Caller, Registration, Rules, Secret, audit, is_pass_valid};
use crate::problem::Problem;
use crate::state::{Accounts, AppState};

/// The most days that an invitation counts.
pub const MOST_DAYS: u32 = 90;
/// The most invitations that are open at a time.
const MOST: usize = 1_000;

/// An invitation that is wished for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationWish {
    /// For whom it is meant, as a reminder; it may be empty.
    #[serde(default)]
    #[schema(example = "Ada")]
    pub label: String,
    /// For how many days it counts.
    #[serde(default = "a_week")]
    #[schema(minimum = 1, maximum = 90)]
    pub days: u32,
}

fn a_week() -> u32 {
    7
}

/// An open invitation, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Invitation {
    /// What it is known by.
    #[schema(value_type = String)]
    pub id: Digest,
    /// For whom it is meant.
    pub label: String,
    /// When it was made, in milliseconds since 1970.
    #[schema(value_type = i64)]
    pub issued_at: Timestamp,
    /// When its time is over.
    #[schema(value_type = Option<i64>)]
    pub expires_at: Option<Timestamp>,
}

/// A link that was just made. It is not shown again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct NewLink {
    /// Where it leads; to be sent to whom it is for.
    pub address: String,
    /// When its time is over, in milliseconds since 1970.
    #[schema(value_type = i64)]
    pub expires_at: Timestamp,
}

/// Invites someone.
pub async fn invite(
    app: &AppState,
    caller: &Caller,
    wish: &InvitationWish,
    from: &Address,
) -> Result<NewLink, Problem> {
    let is_closed = Rules::read(app.register()).await?.registration == Registration::Closed;
    if app.accounts() == Accounts::Alone || is_closed {
        return Err(Problem::RegistrationClosed);
    }
    let label = limits::NAME.check_optional(&wish.label).map_err(Problem::Text)?;
    if !(1..=MOST_DAYS).contains(&wish.days) {
        return Err(Problem::BodyUnfit(format!("days: 1 to {MOST_DAYS}")));
    }
    if app.register().passes(None, PassKind::Invitation).await?.len() >= MOST {
        return Err(Problem::BodyUnfit(format!("there are at most {MOST} open invitations")));
    }
    let secret = Secret::draw("enza_invitation");
    let now = app.now();
    let expires_at = now + Duration::from_secs(u64::from(wish.days) * 24 * 60 * 60);
    let pass = Pass {
        digest: secret.digest(),
        kind: PassKind::Invitation,
        person: None,
        label,
        scopes: Vec::new(),
        issued_at: now,
        expires_at: Some(expires_at),
        used_at: None,
    };
    audit(app, caller.name(), AuditEvent::Invited, &pass.label, from).await?;
    app.register().issue(&pass).await?;
    let address = format!("{}/register?invitation={}", app.public(), secret.reveal());
    Ok(NewLink { address, expires_at })
}

/// The open invitations, newest first.
pub async fn invitations(app: &AppState) -> Result<Vec<Invitation>, Problem> {
    let now = app.now();
    let passes = app.register().passes(None, PassKind::Invitation).await?;
    let open = passes.into_iter().filter(|pass| is_pass_valid(pass, now));
    Ok(open
        .map(|pass| Invitation {
            id: pass.digest,
            label: pass.label,
            issued_at: pass.issued_at,
            expires_at: pass.expires_at,
        })
        .collect())
}

/// Takes an invitation back.
pub async fn revoke_invitation(app: &AppState, caller: &Caller, id: &str, from: &Address) -> Result<(), Problem> {
    let digest = Digest::from_hex(id).ok_or(Problem::NothingHere)?;
    let pass = app.register().pass(&digest).await?;
    let pass = pass.filter(|pass| pass.kind == PassKind::Invitation).ok_or(Problem::NothingHere)?;
    audit(app, caller.name(), AuditEvent::InvitationRevoked, &pass.label, from).await?;
    app.register().take(&digest).await?;
    Ok(())
}
