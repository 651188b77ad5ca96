//! Looking after one's account: what others see, the language, one's own limits, the password.

use enza_kernel::limits;
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::{PassKind, Person};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::{Address, AuditEvent, AuthMethod, Caller, Limits, Rules, audit, password};
use crate::problem::Problem;
use crate::state::{AppState, LOCAL};

/// An account, as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Account {
    /// The name that is signed in with.
    pub name: String,
    /// What others see.
    pub display: String,
    /// `ja` or `en`; none to follow the browser.
    #[schema(value_type = Option<String>, example = "en")]
    pub lang: Option<Lang>,
    /// Whether this is an administrator.
    pub is_admin: bool,
    /// Whether there is a password.
    pub has_password: bool,
    /// The limits that the person has set.
    pub own_limits: Limits,
    /// The limits of the house for this person. Of each limit the lower counts.
    pub house_limits: Limits,
    /// When the account was made, in milliseconds since 1970.
    #[schema(value_type = i64)]
    pub added_at: Timestamp,
}

/// What is to change. What is left out stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Changes {
    /// What others see.
    pub display: Option<String>,
    /// `ja`, `en`, or `browser` to follow the browser.
    pub lang: Option<LangWish>,
    /// One's own limits, all of them.
    pub own_limits: Option<Limits>,
}

/// The language to read in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LangWish {
    /// 日本語
    Ja,
    /// English
    En,
    /// Whatever the browser asks for.
    Browser,
}

/// The caller's account.
pub async fn account(app: &AppState, caller: &Caller) -> Result<Account, Problem> {
    let person = myself(app, caller).await?;
    describe(app, person).await
}

/// Changes what is asked, and says what the account is then.
pub async fn change(app: &AppState, caller: &Caller, changes: Changes) -> Result<Account, Problem> {
    let _pen = app.register_lock().await;
    let mut person = myself(app, caller).await?;
    if let Some(display) = changes.display {
        person.display = limits::NAME.check(&display).map_err(Problem::Text)?;
    }
    if let Some(wish) = changes.lang {
        person.lang = match wish {
            LangWish::Ja => Some(Lang::Ja),
            LangWish::En => Some(Lang::En),
            LangWish::Browser => None,
        };
    }
    if let Some(own) = changes.own_limits {
        person.allowance = fit(own)?.allowance();
    }
    write(app, &person).await?;
    app.allowances().refresh().await?;
    describe(app, person).await
}

/// Changes the password; every other browser has to sign in again, and no token counts any more: whoever changes a
/// password because somebody has got hold of it wants them out. The old one is needed where there is one.
pub async fn change_password(
    app: &AppState,
    caller: &Caller,
    old: &str,
    new: &str,
    from: &Address,
) -> Result<(), Problem> {
    let person = myself(app, caller).await?;
    if person.name == LOCAL {
        // The local owner is whoever has this machine; a password would promise something else.
        return Err(Problem::PasswordUnfit);
    }
    if person.password.is_some() {
        app.rate_limiter().name(&person.name, from, app.now())?;
        let is_right = password::is_right(old, person.password.as_deref()).await;
        if !is_right.inspect_err(|_| app.rate_limiter().give_back(&person.name, from))? {
            audit(app, caller.name(), AuditEvent::SignInFailed, caller.name(), from).await?;
            return Err(Problem::WrongPassword);
        }
        app.rate_limiter().went_well(&person.name, from);
    }
    password::check_password(&person.name, new)?;
    let hash = password::hash(new).await?;
    let _pen = app.register_lock().await;
    let before = person.password;
    let mut person = myself(app, caller).await?;
    if person.password != before {
        // Someone else has changed it in the meantime; what was typed as the old one no longer is.
        return Err(Problem::WrongPassword);
    }
    person.password = Some(hash);
    audit(app, caller.name(), AuditEvent::PasswordChanged, "", from).await?;
    write(app, &person).await?;
    let this_one = match &caller.way {
        AuthMethod::Browser { digest } => Some(digest),
        AuthMethod::Token { .. } => None,
    };
    app.register().take_all(&person.name, PassKind::SignIn, this_one).await?;
    for kind in [PassKind::Token, PassKind::Link] {
        app.register().take_all(&person.name, kind, None).await?;
    }
    app.authenticator().forget_person(&person.name);
    Ok(())
}

/// The caller as the register has them now, not as the door remembers them.
pub(super) async fn myself(app: &AppState, caller: &Caller) -> Result<Person, Problem> {
    app.register().person(caller.name()).await?.ok_or(Problem::NotSignedIn)
}

/// Limits that can be kept.
pub(in crate::actions) fn fit(limits: Limits) -> Result<Limits, Problem> {
    if limits.can_be_kept() { Ok(limits) } else { Err(Problem::BodyUnfit("a limit is too large".to_owned())) }
}

async fn write(app: &AppState, person: &Person) -> Result<(), Problem> {
    let is_there = app.register().change(person).await?;
    app.authenticator().forget_person(&person.name);
    if is_there { Ok(()) } else { Err(Problem::NotSignedIn) }
}

async fn describe(app: &AppState, person: Person) -> Result<Account, Problem> {
    let rules = Rules::read(app.register()).await?;
    Ok(Account {
        house_limits: rules.of(&person.name),
        own_limits: Limits::of(person.allowance),
        has_password: person.password.is_some(),
        lang: person.lang,
        is_admin: person.is_admin,
        added_at: person.added_at,
        display: person.display,
        name: person.name,
    })
}
