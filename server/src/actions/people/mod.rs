//! Administration of people: who is here, who may come, who runs the house, what everyone may spend.
//!
//! An administrator looks after accounts and never into conversations. Every act is noted before it takes effect. The
//! local owner belongs to the machine and not to this list. Someone always runs the house: the last administrator can
//! be neither blocked nor unmade nor removed by these acts.

mod invitations;
mod rules;

pub use invitations::{Invitation, InvitationWish, NewLink, invitations, invite, revoke_invitation};
pub use rules::{HouseRules, LINES, change_rules, choose_model, journal, rules};

use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::{PassKind, Person};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::account::remove_with_everything;
use crate::access::{
    Address, AuditEvent, Caller, LINK_LASTS, Limits, Rules, audit, count_administrators, issue_link, link_address,
};
use crate::actions::account::fit;
use crate::problem::Problem;
use crate::state::{AppState, LOCAL};

/// The most people on a page.
pub const PAGE: usize = 100;

/// A person, as an administrator sees them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Listed {
    /// What this person signs in with; it never changes.
    pub name: String,
    /// What others see.
    pub display: String,
    /// Whether this is an administrator.
    pub is_admin: bool,
    /// Whether the person is kept out.
    pub is_blocked: bool,
    /// What the house lets this person spend, where that differs from everyone.
    pub limits: Option<Limits>,
    /// When the account was made, in milliseconds since 1970.
    #[schema(value_type = i64)]
    pub added_at: Timestamp,
}

/// What is to change about a person. What is left out stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PersonChanges {
    /// Whether the person is kept out. Blocking ends every sign-in and takes every token away.
    pub is_blocked: Option<bool>,
    /// Whether the person runs the house.
    pub is_admin: Option<bool>,
    /// What the house lets this person spend instead of what everyone may.
    pub limits: Option<Limits>,
    /// Whether to forget such limits, so that those of everyone hold.
    pub limits_of_everyone: bool,
}

/// At most a page of people by name, those after a name.
pub async fn people(app: &AppState, after: Option<&str>) -> Result<Vec<Listed>, Problem> {
    // One more, because the local owner may be among them.
    let found = app.register().people(after, PAGE + 1).await?;
    let rules = Rules::read(app.register()).await?;
    let listed = found.into_iter().filter(|person| person.name != LOCAL).take(PAGE);
    Ok(listed.map(|person| listed_as(person, &rules)).collect())
}

/// One person.
pub async fn person(app: &AppState, name: &str) -> Result<Listed, Problem> {
    let person = someone(app, name).await?;
    Ok(listed_as(person, &Rules::read(app.register()).await?))
}

/// Changes what is asked about a person, and says how they stand then.
pub async fn change_person(
    app: &AppState,
    caller: &Caller,
    name: &str,
    changes: PersonChanges,
    from: &Address,
) -> Result<Listed, Problem> {
    let _pen = app.register_lock().await;
    let before = someone(app, name).await?;
    let mut after = before.clone();
    after.is_blocked = changes.is_blocked.unwrap_or(before.is_blocked);
    after.is_admin = changes.is_admin.unwrap_or(before.is_admin);
    let limits = changes.limits.map(fit).transpose()?;
    if runs_the_house(&before) && !runs_the_house(&after) && count_administrators(app.register()).await? == 1 {
        return Err(Problem::LastAdmin);
    }
    for act in acts_of(&before, &after) {
        audit(app, caller.name(), act, name, from).await?;
    }
    if after != before && !app.register().change(&after).await? {
        return Err(Problem::NoPerson);
    }
    if after.is_blocked && !before.is_blocked {
        take_every_pass(app, name).await?;
    }
    app.authenticator().forget_person(name);
    if limits.is_some() || changes.limits_of_everyone {
        audit(app, caller.name(), AuditEvent::LimitsChanged, name, from).await?;
        set_limits(app, name, limits).await?;
    }
    Ok(listed_as(after, &Rules::read(app.register()).await?))
}

/// Takes a person's password, sign-ins and tokens away, and makes a link with which they can choose a new one.
pub async fn reset(app: &AppState, caller: &Caller, name: &str, from: &Address) -> Result<NewLink, Problem> {
    let _pen = app.register_lock().await;
    let mut person = someone(app, name).await?;
    audit(app, caller.name(), AuditEvent::PasswordReset, name, from).await?;
    person.password = None;
    if !app.register().change(&person).await? {
        return Err(Problem::NoPerson);
    }
    take_every_pass(app, name).await?;
    app.authenticator().forget_person(name);
    let now = app.now();
    let secret = issue_link(app.register(), Some(name), now).await?;
    Ok(NewLink { address: link_address(app.public(), &secret), expires_at: now + LINK_LASTS })
}

/// Removes a person with everything of theirs.
pub async fn remove(app: &AppState, caller: &Caller, name: &str, from: &Address) -> Result<(), Problem> {
    someone(app, name).await?;
    remove_with_everything(app, name, caller.name(), AuditEvent::PersonRemoved, from).await
}

async fn someone(app: &AppState, name: &str) -> Result<Person, Problem> {
    let found = if name == LOCAL { None } else { app.register().person(name).await? };
    found.ok_or(Problem::NoPerson)
}

fn runs_the_house(person: &Person) -> bool {
    person.is_admin && !person.is_blocked
}

fn acts_of(before: &Person, after: &Person) -> Vec<AuditEvent> {
    let blocking = match (before.is_blocked, after.is_blocked) {
        (false, true) => Some(AuditEvent::Blocked),
        (true, false) => Some(AuditEvent::Unblocked),
        (true, true) | (false, false) => None,
    };
    let making = match (before.is_admin, after.is_admin) {
        (false, true) => Some(AuditEvent::AdministratorMade),
        (true, false) => Some(AuditEvent::AdministratorUnmade),
        (true, true) | (false, false) => None,
    };
    blocking.into_iter().chain(making).collect()
}

async fn take_every_pass(app: &AppState, name: &str) -> Result<(), Problem> {
    for kind in [PassKind::SignIn, PassKind::Token, PassKind::Link] {
        app.register().take_all(name, kind, None).await?;
    }
    Ok(())
}

async fn set_limits(app: &AppState, name: &str, limits: Option<Limits>) -> Result<(), Problem> {
    let mut rules = Rules::read(app.register()).await?;
    match limits {
        Some(limits) => rules.people.insert(name.to_owned(), limits),
        None => rules.people.remove(name),
    };
    rules.write(app.register()).await?;
    app.allowances().refresh().await?;
    Ok(())
}

fn listed_as(person: Person, rules: &Rules) -> Listed {
    Listed {
        limits: rules.people.get(&person.name).copied(),
        is_admin: person.is_admin,
        is_blocked: person.is_blocked,
        added_at: person.added_at,
        display: person.display,
        name: person.name,
    }
}
