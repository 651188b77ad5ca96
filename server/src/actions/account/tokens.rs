//! Tokens: what lets a person's programs in.
//!
//! The secret is shown once, when the token is made; afterwards a token is known by the digest of its secret.

use std::time::Duration;

use enza_kernel::conversation::Digest;
use enza_kernel::limits;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::{Pass, PassKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::{Address, AuditEvent, Caller, Need, Secret, audit};
use crate::problem::Problem;
use crate::state::AppState;

/// What a token may be for.
pub const SCOPES: [&str; 3] = ["read", "write", "admin"];
/// The most tokens of a person.
const MOST: usize = 100;
/// The most days that a token with an end counts.
const MOST_DAYS: u32 = 3_650;

/// A token that is wished for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenWish {
    /// What to call it.
    #[schema(example = "nightly report")]
    pub label: String,
    /// What it may do: `read`, `write`, `admin`.
    #[schema(example = json!(["read"]))]
    pub scopes: Vec<String>,
    /// For how many days it counts; none for ever.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 3650)]
    pub days: Option<u32>,
}

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Token {
    /// What it is known by.
    #[schema(value_type = String)]
    pub id: Digest,
    /// What its owner calls it.
    pub label: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// When it was made, in milliseconds since 1970.
    #[schema(value_type = i64)]
    pub issued_at: Timestamp,
    /// When its time is over; none for never.
    #[schema(value_type = Option<i64>)]
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    #[schema(value_type = Option<i64>)]
    pub used_at: Option<Timestamp>,
}

/// A token that was just made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct NewToken {
    /// The secret, to be sent as `Authorization: Bearer …`. It is not shown again.
    #[schema(example = "enza_…")]
    pub secret: String,
    /// What lists show of it from now on.
    pub token: Token,
}

/// Makes a token.
pub async fn issue_token(
    app: &AppState,
    caller: &Caller,
    wish: &TokenWish,
    from: &Address,
) -> Result<NewToken, Problem> {
    let label = limits::NAME.check(&wish.label).map_err(Problem::Text)?;
    let scopes = fit_scopes(caller, &wish.scopes)?;
    if wish.days.is_some_and(|days| !(1..=MOST_DAYS).contains(&days)) {
        return Err(Problem::BodyUnfit(format!("days: 1 to {MOST_DAYS}")));
    }
    if app.register().passes(Some(caller.name()), PassKind::Token).await?.len() >= MOST {
        return Err(Problem::BodyUnfit(format!("a person has at most {MOST} tokens")));
    }
    let secret = Secret::draw("enza");
    let now = app.now();
    let pass = Pass {
        digest: secret.digest(),
        kind: PassKind::Token,
        person: Some(caller.name().to_owned()),
        label,
        scopes,
        issued_at: now,
        expires_at: wish.days.map(|days| now + Duration::from_secs(u64::from(days) * 24 * 60 * 60)),
        used_at: None,
    };
    audit(app, caller.name(), AuditEvent::TokenIssued, &pass.label, from).await?;
    app.register().issue(&pass).await?;
    Ok(NewToken { secret: secret.reveal().to_owned(), token: without_secret(pass) })
}

/// The caller's tokens, newest first.
pub async fn tokens(app: &AppState, caller: &Caller) -> Result<Vec<Token>, Problem> {
    let passes = app.register().passes(Some(caller.name()), PassKind::Token).await?;
    Ok(passes.into_iter().map(without_secret).collect())
}

/// Takes a token away, at once. Someone else's is not there.
pub async fn revoke_token(app: &AppState, caller: &Caller, id: &str, from: &Address) -> Result<(), Problem> {
    let digest = Digest::from_hex(id).ok_or(Problem::NothingHere)?;
    let pass = app.register().pass(&digest).await?;
    let is_mine = |pass: &Pass| pass.kind == PassKind::Token && pass.person.as_deref() == Some(caller.name());
    let pass = pass.filter(is_mine).ok_or(Problem::NothingHere)?;
    audit(app, caller.name(), AuditEvent::TokenRevoked, &pass.label, from).await?;
    app.register().take(&digest).await?;
    app.authenticator().forget(caller.name(), &digest);
    Ok(())
}

fn fit_scopes(caller: &Caller, wished: &[String]) -> Result<Vec<String>, Problem> {
    if let Some(unknown) = wished.iter().find(|scope| !SCOPES.contains(&scope.as_str())) {
        return Err(Problem::BodyUnfit(format!("scopes: {unknown:?} is none of {}", SCOPES.join(", "))));
    }
    let scopes: Vec<String> =
        SCOPES.iter().filter(|scope| wished.iter().any(|one| one == *scope)).map(|scope| (*scope).to_owned()).collect();
    if scopes.is_empty() {
        return Err(Problem::BodyUnfit(format!("scopes: at least one of {}", SCOPES.join(", "))));
    }
    if scopes.iter().any(|scope| scope == "admin") && !caller.may(Need::Run) {
        return Err(Problem::NotAllowed(Need::Run));
    }
    Ok(scopes)
}

fn without_secret(pass: Pass) -> Token {
    Token {
        id: pass.digest,
        label: pass.label,
        scopes: pass.scopes,
        issued_at: pass.issued_at,
        expires_at: pass.expires_at,
        used_at: pass.used_at,
    }
}
