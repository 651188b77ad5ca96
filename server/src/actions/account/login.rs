//! Coming in and going out: registering, signing in with a password or a one-time link, signing out.
//!
//! Every try is counted, by name and by address, before anything is looked up. A wrong password and a name that nobody
//! has look the same from outside. A secret is handed back once and kept only as a digest.

use std::time::Duration;

use enza_kernel::limits;
use enza_kernel::text::Lang;
use enza_runtime::engine::Allowance;
use enza_runtime::seams::register::{Added, Pass, PassKind, Person};
use enza_runtime::seams::store::Failure;

use crate::access::{
    Address, AuditEvent, AuthMethod, Caller, Registration, Rules, Secret, audit, cookie, has_administrator,
    is_pass_valid, password,
};
use crate::problem::Problem;
use crate::state::{Accounts, AppState, LOCAL};

/// Someone who has just come in.
#[derive(Debug)]
pub struct SignedIn {
    pub person: Person,
    /// The secret of the browser's cookie.
    pub secret: Secret,
}

/// What someone who registers has typed.
#[derive(Debug, Clone, Copy)]
pub struct NewAccount<'a> {
    /// The name to sign in with.
    pub name: &'a str,
    /// What others see; the name where it is empty.
    pub display: &'a str,
    pub password: &'a str,
    /// The secret of an invitation, or of the link that makes the first person.
    pub invitation: Option<&'a str>,
    /// The language they read now.
    pub lang: Option<Lang>,
    /// What they came with, for the list of sign-ins.
    pub browser: &'a str,
}

/// What a one-time link leads to.
#[derive(Debug)]
pub enum LinkOutcome {
    /// The person was signed in, and the link is spent.
    SignedIn(SignedIn),
    /// The first person of the house may register with it; it is not spent yet.
    First,
}

/// Makes an account and signs in.
pub async fn register(app: &AppState, asked: NewAccount<'_>, from: &Address) -> Result<SignedIn, Problem> {
    app.rate_limiter().address(from, app.now())?;
    let is_admin = may_register(app, asked.invitation).await?;
    let name = asked.name;
    password::check_name(name)?;
    password::check_password(name, asked.password)?;
    let display = limits::NAME.check_optional(asked.display).map_err(Problem::Text)?;
    if app.register().person(name).await?.is_some() {
        return Err(Problem::NameTaken);
    }
    let hash = password::hash(asked.password).await?;
    let person = Person {
        name: name.to_owned(),
        display: if display.is_empty() { name.to_owned() } else { display },
        password: Some(hash),
        is_admin,
        is_blocked: false,
        lang: asked.lang,
        allowance: Allowance::default(),
        added_at: app.now(),
    };
    // From here on nobody else may spend the invitation; a name that was taken meanwhile gives it back.
    let spent = match asked.invitation {
        Some(secret) => Some(take_counting(app, secret).await?),
        None => None,
    };
    let added = app.register().add(&person).await;
    if !matches!(added, Ok(Added::Added)) {
        give_back(app, name, spent, &added).await?;
        return Err(added.map_or_else(Problem::Store, |_| Problem::NameTaken));
    }
    audit(app, name, AuditEvent::Registered, if is_admin { "administrator" } else { "" }, from).await?;
    let secret = issue_sign_in(app, name, asked.browser).await?;
    Ok(SignedIn { person, secret })
}

/// Gives an invitation back that led to no account. After a failure that may have come too late, the register is asked.
async fn give_back(
    app: &AppState,
    name: &str,
    spent: Option<Pass>,
    added: &Result<Added, Failure>,
) -> Result<(), Problem> {
    let Some(pass) = spent else { return Ok(()) };
    if added.is_ok() || app.register().person(name).await?.is_none() {
        app.register().issue(&pass).await?;
    }
    Ok(())
}

/// Signs in with a password.
pub async fn sign_in(
    app: &AppState,
    name: &str,
    typed: &str,
    browser: &str,
    from: &Address,
) -> Result<SignedIn, Problem> {
    let name = name.trim();
    let could_be_a_name = password::check_name(name).is_ok();
    let counted = if could_be_a_name { name } else { "" };
    app.rate_limiter().name(counted, from, app.now())?;
    let found = if could_be_a_name { app.register().person(name).await? } else { None };
    let kept = found.as_ref().and_then(|person| person.password.as_deref());
    let is_right = password::is_right(typed, kept).await;
    let is_right = is_right.inspect_err(|_| app.rate_limiter().give_back(counted, from))?;
    let Some(person) = found.filter(|_| is_right) else {
        audit(app, "", AuditEvent::SignInFailed, counted, from).await?;
        return Err(Problem::WrongPassword);
    };
    if person.is_blocked {
        audit(app, "", AuditEvent::SignInFailed, name, from).await?;
        return Err(Problem::Blocked);
    }
    app.rate_limiter().went_well(name, from);
    audit(app, name, AuditEvent::SignedIn, "", from).await?;
    let secret = issue_sign_in(app, name, browser).await?;
    Ok(SignedIn { person, secret })
}

/// Signs in with a one-time link.
pub async fn sign_in_by_link(
    app: &AppState,
    link: &str,
    browser: &str,
    from: &Address,
) -> Result<LinkOutcome, Problem> {
    app.rate_limiter().address(from, app.now())?;
    let Some(name) = look_at_link(app, link).await? else { return Ok(LinkOutcome::First) };
    let person = app.register().person(&name).await?.ok_or(Problem::LinkSpent)?;
    if person.is_blocked {
        return Err(Problem::Blocked);
    }
    // The door first and the link last: whatever breaks in between, the link still counts.
    let secret = issue_sign_in(app, &name, browser).await?;
    if let Err(spent) = take_counting(app, link).await {
        app.register().take(&secret.digest()).await?;
        return Err(spent);
    }
    audit(app, &name, AuditEvent::EnteredByLink, "", from).await?;
    Ok(LinkOutcome::SignedIn(SignedIn { person, secret }))
}

/// Whom a link is for; none where it makes the first person.
pub async fn look_at_link(app: &AppState, link: &str) -> Result<Option<String>, Problem> {
    let pass = app.register().pass(&Secret::brought(link).digest()).await?;
    let pass =
        pass.filter(|pass| pass.kind == PassKind::Link && is_pass_valid(pass, app.now())).ok_or(Problem::LinkSpent)?;
    if pass.person.is_none() && has_administrator(app.register()).await? {
        return Err(Problem::LinkSpent);
    }
    Ok(pass.person)
}

/// Signs this browser out.
pub async fn sign_out(app: &AppState, caller: &Caller, from: &Address) -> Result<(), Problem> {
    let AuthMethod::Browser { digest } = &caller.way else { return Ok(()) };
    audit(app, caller.name(), AuditEvent::SignedOut, "", from).await?;
    app.register().take(digest).await?;
    app.authenticator().forget(caller.name(), digest);
    Ok(())
}

/// Signs every browser of this person out, this one as well. Tokens stay.
pub async fn sign_out_everywhere(app: &AppState, caller: &Caller, from: &Address) -> Result<(), Problem> {
    audit(app, caller.name(), AuditEvent::SignedOutEverywhere, "", from).await?;
    app.register().take_all(caller.name(), PassKind::SignIn, None).await?;
    app.authenticator().forget_person(caller.name());
    Ok(())
}

/// Whether someone may register, and whether as an administrator.
pub async fn may_register(app: &AppState, invitation: Option<&str>) -> Result<bool, Problem> {
    if app.accounts() == Accounts::Alone {
        return Err(Problem::RegistrationClosed);
    }
    let Some(secret) = invitation else {
        let rules = Rules::read(app.register()).await?;
        let is_open = rules.registration == Registration::Open && has_administrator(app.register()).await?;
        return if is_open { Ok(false) } else { Err(Problem::RegistrationClosed) };
    };
    let pass = app.register().pass(&Secret::brought(secret).digest()).await?;
    let pass = pass.filter(|pass| is_pass_valid(pass, app.now())).ok_or(Problem::LinkSpent)?;
    match pass.kind {
        PassKind::Invitation => match Rules::read(app.register()).await?.registration {
            Registration::Open | Registration::Invitation => Ok(false),
            Registration::Closed => Err(Problem::RegistrationClosed),
        },
        PassKind::Link if pass.person.is_none() && !has_administrator(app.register()).await? => Ok(true),
        PassKind::Link | PassKind::SignIn | PassKind::Token => Err(Problem::LinkSpent),
    }
}

/// Takes a pass that counts once. Of two who come with the same, one finds it spent.
async fn take_counting(app: &AppState, secret: &str) -> Result<Pass, Problem> {
    let taken = app.register().take(&Secret::brought(secret).digest()).await?;
    taken.filter(|pass| is_pass_valid(pass, app.now())).ok_or(Problem::LinkSpent)
}

async fn issue_sign_in(app: &AppState, name: &str, browser: &str) -> Result<Secret, Problem> {
    let secret = Secret::draw("enza_browser");
    let now = app.now();
    let pass = Pass {
        digest: secret.digest(),
        kind: PassKind::SignIn,
        person: Some(name.to_owned()),
        label: browser.chars().filter(|letter| !letter.is_control()).take(200).collect(),
        scopes: Vec::new(),
        issued_at: now,
        expires_at: Some(now + Duration::from_secs(cookie::SIGNED_IN_FOR)),
        used_at: Some(now),
    };
    app.register().issue(&pass).await?;
    Ok(secret)
}

/// Whether a person has to choose a password before anything else: whoever was let in by a link after a reset.
pub fn lacks_password(person: &Person) -> bool {
    person.password.is_none() && person.name != LOCAL
}
