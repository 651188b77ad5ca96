//! What holds for the whole house: who may register, what everyone may spend, which model answers; and the journal.

use enza_kernel::text::Lang;
use enza_runtime::seams::register::Noted;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::{Act, Address, Caller, FileLimits, Limits, Registration, Rules, note};
use crate::acts::account::fit;
use crate::house::House;
use crate::problem::Problem;

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
    /// How much of respondents' files is kept, in bytes; what is left out of a change stays as it is.
    #[serde(default)]
    pub files: Option<FileLimits>,
}

/// The rules as they are.
pub async fn rules(house: &House) -> Result<HouseRules, Problem> {
    let rules = Rules::read(house.register()).await?;
    Ok(HouseRules { registration: rules.registration, limits: rules.everyone, files: Some(rules.files) })
}

/// Replaces them.
pub async fn change_rules(
    house: &House,
    caller: &Caller,
    wished: HouseRules,
    from: &Address,
) -> Result<HouseRules, Problem> {
    let limits = fit(wished.limits)?;
    if wished.files.is_some_and(|files| !files.can_be_kept()) {
        return Err(Problem::BodyUnfit(format!("files: 0…{}", i64::MAX)));
    }
    let _pen = house.pen().await;
    let mut rules = Rules::read(house.register()).await?;
    rules.registration = wished.registration;
    rules.everyone = limits;
    rules.files = wished.files.unwrap_or(rules.files);
    note(house, caller.name(), Act::RulesChanged, "", from).await?;
    rules.write(house.register()).await?;
    house.allowances().refresh().await?;
    Ok(HouseRules { files: Some(rules.files), ..wished })
}

/// Lets another model answer, for everyone.
pub async fn choose_model(
    house: &House,
    caller: &Caller,
    name: &str,
    lang: Lang,
    from: &Address,
) -> Result<(), Problem> {
    house.models().choose(name, lang).await.map_err(Problem::Model)?;
    note(house, caller.name(), Act::ModelChosen, name, from).await?;
    Ok(())
}

/// At most a page of the journal, newest first, those before a line; with a person, only that person's.
pub async fn journal(house: &House, person: Option<&str>, before: Option<u64>) -> Result<Vec<Noted>, Problem> {
    Ok(house.register().notes(person, before, LINES).await?)
}
