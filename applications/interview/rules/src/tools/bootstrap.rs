//! The tools of the beginning: where the respondent is at home, and the order of the fields.

use enza_kernel::agent::CallVerdict;
use enza_kernel::application::Draft;
use enza_kernel::conversation::{ToolCall, ToolSpec};
use enza_kernel::schema::Check;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CREATE_PLAN, SET_COUNTRY, SET_LANGUAGE, SET_TIMEZONE, read, spec};
use crate::command::Bootstrap;
use crate::event::DecidedBy;
use crate::flow::start;
use crate::plan::{Plan, Planned};
use crate::{Interview, greeter_tasks, locale};

/// The language to speak.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetLanguage {
    /// BCP 47: en, ja, pt-BR.
    #[schemars(length(max = 60))]
    language: String,
}

/// The country of residence.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetCountry {
    /// ISO 3166-1 alpha-2: JP, US.
    #[schemars(length(max = 60))]
    country: String,
}

/// The time zone. It follows from the country.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetTimezone {
    /// IANA, only for a country that has several: America/Chicago.
    #[schemars(length(max = 60))]
    #[serde(default)]
    timezone: Option<String>,
}

/// The order of the fields.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CreatePlan {
    /// Every field exactly once; field_id alone is enough.
    #[schemars(length(max = 50))]
    fields: Vec<Planned>,
}

impl Check for SetLanguage {}
impl Check for SetCountry {}
impl Check for SetTimezone {}
impl Check for CreatePlan {}

pub(super) fn greeter_specs() -> [ToolSpec; 3] {
    [
        spec::<SetLanguage>(SET_LANGUAGE, "Keeps the language that the respondent wants to speak."),
        spec::<SetCountry>(SET_COUNTRY, "Keeps the country that the respondent lives in."),
        spec::<SetTimezone>(SET_TIMEZONE, "Keeps the time zone. It follows from the country; do not ask for it."),
    ]
}

pub(super) fn architect_spec() -> ToolSpec {
    spec::<CreatePlan>(CREATE_PLAN, "Keeps the order in which the fields are asked.")
}

pub(super) fn set_language(draft: &mut Draft<'_, Interview>, call: &ToolCall) -> Result<CallVerdict, String> {
    let SetLanguage { language } = read(call)?;
    let language = locale::read_language(&language)
        .ok_or_else(|| format!("{language:?} is no language. Give a BCP 47 tag, such as en or ja."))?;
    settled(draft, |known| Bootstrap { language: Some(language), ..known })
}

pub(super) fn set_country(draft: &mut Draft<'_, Interview>, call: &ToolCall) -> Result<CallVerdict, String> {
    let SetCountry { country } = read(call)?;
    let country = locale::read_country(&country)
        .ok_or_else(|| format!("{country:?} is no country. Give its ISO 3166-1 code, such as US or JP."))?;
    settled(draft, |known| Bootstrap { country: Some(country), timezone: None, ..known })
}

pub(super) fn set_timezone(draft: &mut Draft<'_, Interview>, call: &ToolCall) -> Result<CallVerdict, String> {
    let SetTimezone { timezone } = read(call)?;
    let Some(country) = draft.state.bootstrap.country.clone() else {
        return Err("The time zone follows from the country. Set the country using set_country first.".to_owned());
    };
    if let Some(zone) = timezone.as_deref().filter(|zone| !locale::is_zone_of(&country, zone)) {
        let zones = locale::zones_of(&country).join(", ");
        return Err(format!("{zone:?} is no time zone of {country}. Leave it out, or give one of: {zones}."));
    }
    settled(draft, |known| Bootstrap { timezone: timezone.or(known.timezone.clone()), ..known })
}

/// Takes in what became known. Once all is, the architect has the word.
fn settled(
    draft: &mut Draft<'_, Interview>,
    change: impl FnOnce(Bootstrap) -> Bootstrap,
) -> Result<CallVerdict, String> {
    let known = change(draft.state.bootstrap.clone());
    start::settle(draft, known, DecidedBy::Agent);
    if start::is_settled(&draft.state.bootstrap) {
        start::plan(draft).map_err(|stay| stay.to_string())?;
        return Ok(CallVerdict::Finish);
    }
    Ok(CallVerdict::Answer(format!("Kept. You still need to: {}", greeter_tasks(&draft.state).join("; "))))
}

pub(super) fn create_plan(draft: &mut Draft<'_, Interview>, call: &ToolCall) -> Result<CallVerdict, String> {
    let CreatePlan { fields } = read(call)?;
    let ids: Vec<&str> = fields.iter().map(|field| field.field_id.as_str()).collect();
    let plan = Plan::ordered(&draft.state.form, &ids)?;
    start::planned(draft, plan, DecidedBy::Agent).map_err(|stay| stay.to_string())?;
    Ok(CallVerdict::Finish)
}
