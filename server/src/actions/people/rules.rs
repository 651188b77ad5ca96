//! What holds for the whole house: who may register, what everyone may spend, which model answers; and the journal.

use enza_kernel::text::Lang;
use enza_runtime::seams::register::AuditEntry;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::{Address, AuditEvent, Caller, FileLimits, Limits, Registration, Rules, audit};
use crate::actions::account::fit;
use crate::problem::Problem;
use crate::state::AppState;

/// The most lines of the journal on a page.
pub const LINES: usize = 200;

/// The rules of the house, but for what is said of single people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HouseRules {
    /// Who may register.
    pub registration: Registration,
    /// What everyone may spend, where nothing else is said of them.
    pub limits: Limits,
    /// How much of guests' files is kept, in bytes; what is left out of a change stays as it is.
    #[serde(default)]
    pub files: Option<FileLimits>,
}

/// The rules as they are.
pub async fn rules(app: &AppState) -> Result<HouseRules, Problem> {
    let rules = Rules::read(app.register()).await?;
    Ok(HouseRules { registration: rules.registration, limits: rules.everyone, files: Some(rules.files) })
}

/// Replaces them.
pub async fn change_rules(
    app: &AppState,
    caller: &Caller,
    wished: HouseRules,
    from: &Address,
) -> Result<HouseRules, Problem> {
    let limits = fit(wished.limits)?;
    if wished.files.is_some_and(|files| !files.can_be_kept()) {
        return Err(Problem::BodyUnfit(format!("files: 0…{}", i64::MAX)));
    }
    let _pen = app.register_lock().await;
    let mut rules = Rules::read(app.register()).await?;
    rules.registration = wished.registration;
    rules.everyone = limits;
    rules.files = wished.files.unwrap_or(rules.files);
    audit(app, caller.name(), AuditEvent::RulesChanged, "", from).await?;
    rules.write(app.register()).await?;
    app.allowances().refresh().await?;
    Ok(HouseRules { files: Some(rules.files), ..wished })
}

/// Lets another model answer, for everyone.
pub async fn choose_model(
    app: &AppState,
    caller: &Caller,
    name: &str,
    lang: Lang,
    from: &Address,
) -> Result<(), Problem> {
    app.models().choose(name, lang).await.map_err(Problem::Model)?;
    audit(app, caller.name(), AuditEvent::ModelChosen, name, from).await?;
    Ok(())
}

/// At most a page of the journal, newest first, those before a line; with a person, only that person's.
pub async fn journal(app: &AppState, person: Option<&str>, before: Option<u64>) -> Result<Vec<AuditEntry>, Problem> {
    Ok(app.register().notes(person, before, LINES).await?)
}
