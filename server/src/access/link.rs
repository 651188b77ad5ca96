//! One-time links: each lets someone in once, for a while.
//!
//! A link with a person signs that person in. One without makes the first person of the house, an administrator; it
//! counts for nothing once there is one. Whoever starts the server or has a shell on its machine may make links.

use std::time::Duration;

use enza_kernel::time::Timestamp;
use enza_runtime::engine::Allowance;
use enza_runtime::seams::register::{Pass, PassKind, Person, Register};
use enza_runtime::seams::store::Failure;

use super::Secret;
use crate::state::LOCAL;

/// How long a link counts.
pub const LINK_LASTS: Duration = Duration::from_secs(60 * 60);

/// Makes a link for a person, or for the first one. The local owner is entered into the register where need be.
///
/// Whether the person exists is the caller's to know; a link for nobody signs nobody in.
pub async fn issue_link(register: &dyn Register, person: Option<&str>, now: Timestamp) -> Result<Secret, Failure> {
    if person == Some(LOCAL) && register.person(LOCAL).await?.is_none() {
        // Of two processes at once one is told that the name is taken, and that is as good.
        register.add(&local_owner(now)).await?;
    }
    let secret = Secret::draw("enza_link");
    let pass = Pass {
        digest: secret.digest(),
        kind: PassKind::Link,
        person: person.map(str::to_owned),
        label: String::new(),
        scopes: Vec::new(),
        issued_at: now,
        expires_at: Some(now + LINK_LASTS),
        used_at: None,
    };
    register.issue(&pass).await?;
    Ok(secret)
}

/// Where a link leads.
pub fn link_address(public: &str, secret: &Secret) -> String {
    format!("{public}/enter?link={}", secret.reveal())
}

/// Whether someone runs the house, besides whoever has its machine.
pub async fn has_administrator(register: &dyn Register) -> Result<bool, Failure> {
    Ok(count_administrators(register).await? > 0)
}

/// How many people run the house and may come in, besides whoever has its machine.
pub async fn count_administrators(register: &dyn Register) -> Result<usize, Failure> {
    let mut count = 0;
    let mut after: Option<String> = None;
    loop {
        let page = register.people(after.as_deref(), 500).await?;
        count += page.iter().filter(|one| one.is_admin && !one.is_blocked && one.name != LOCAL).count();
        match page.last() {
            Some(last) if page.len() == 500 => after = Some(last.name.clone()),
            _ => return Ok(count),
        }
    }
}

fn local_owner(now: Timestamp) -> Person {
    Person {
        name: LOCAL.to_owned(),
        display: LOCAL.to_owned(),
        password: None,
        is_admin: true,
        is_blocked: false,
        lang: None,
        allowance: Allowance::default(),
        added_at: now,
    }
}
