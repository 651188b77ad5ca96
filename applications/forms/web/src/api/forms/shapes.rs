//! What forms look like to programs.

use enza_forms::{self as forms, AskLocale, LinkKind, LinkUse, Rules};
use enza_interview::Form;
use enza_kernel::application::Reason as _;
use enza_kernel::text::Lang;
use enza_server::state::AppState;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

use crate::actions::forms::{LinkTo, LoadedForm, address_of};

/// A form, as lists show it.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormCard {
    /// The session that it is, as `/api/forms/{id}` wants it.
    id: String,
    /// What it is called.
    title: String,
    /// The newest version; 0 where none was published.
    version: u64,
    /// Whether answers are taken.
    open: bool,
    /// How often the draft was replaced.
    edition: u64,
    /// How many respondents were let in.
    admitted: u64,
    /// How many submissions arrived.
    received: u64,
    /// When it last changed, in milliseconds since 1970.
    changed_at: i64,
}

/// A form.
#[derive(Debug, Serialize, ToSchema)]
pub struct WholeForm {
    #[serde(flatten)]
    card: FormCard,
    /// Whether the architect is writing a draft.
    writing: bool,
    /// Why the architect could not go on, if it could not.
    failure: Option<String>,
    /// The draft, which may be faulty. Its keys are those of form files.
    #[schema(value_type = Object)]
    draft: Form,
    /// What keeps the draft from being published, in words.
    problems: Vec<String>,
    /// The newest version.
    #[schema(value_type = Option<Object>)]
    published: Option<Form>,
    /// When it closes, how many answers it takes and how long they are kept.
    rules: RulesShape,
    /// Where submissions are sent on to.
    webhook: Option<String>,
}

/// What holds for everyone who answers.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RulesShape {
    /// From when on nobody is let in, in milliseconds since 1970.
    closes: Option<i64>,
    /// How many submissions are taken.
    #[schema(minimum = 1)]
    most_answers: Option<u64>,
    /// After how many days a submission is deleted.
    #[schema(minimum = 1, maximum = 3650)]
    keep_days: Option<u32>,
    /// The most tokens that one interview may spend.
    #[schema(minimum = 1)]
    budget: Option<u64>,
    /// How the respondent's language and country are found out.
    locale: LocaleShape,
}

/// How the respondent's language and country are found out.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LocaleShape {
    /// From the browser.
    #[default]
    Infer,
    /// By asking.
    Ask,
}

/// How often a link counts.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkKindShape {
    /// For whoever has it.
    Public,
    /// For one respondent, once.
    #[default]
    Single,
}

/// A way in.
#[derive(Debug, Serialize, ToSchema)]
pub struct LinkShape {
    /// What names it, and what `/api/f/{link}` takes: the part of the address behind `/f/`.
    link: String,
    /// The address to hand round.
    address: String,
    /// How often it counts.
    kind: LinkKindShape,
    /// What the owner calls it.
    note: String,
    /// Values that are known beforehand, by field id.
    prefill: BTreeMap<String, String>,
    /// When it was made, in milliseconds since 1970.
    made_at: i64,
    /// Whether it was used; a public link never is.
    used: bool,
    /// Whether it was withdrawn.
    revoked: bool,
}

impl FormCard {
    pub(super) fn of(held: &LoadedForm) -> Self {
        let card = held.state.card();
        Self {
            id: held.row.id.to_string(),
            title: card.title.clone(),
            version: card.version,
            open: card.is_open,
            edition: card.edition,
            admitted: held.state.admitted(),
            received: held.state.received(),
            changed_at: held.row.changed_at.0,
        }
    }
}

impl WholeForm {
    pub(super) fn of(held: &LoadedForm, lang: Lang) -> Self {
        let state = &held.state;
        let say = |fault: &enza_interview::FormFault| fault.say(lang).in_one();
        Self {
            card: FormCard::of(held),
            writing: state.is_writing(),
            failure: state.failure().and(held.row.standing.waiting_for.clone()),
            draft: (**state.draft()).clone(),
            problems: forms::problems(state.draft()).iter().map(say).collect(),
            published: state.published().map(|published| (*published.form).clone()),
            rules: RulesShape::of(state.rules()),
            webhook: state.webhook().map(|webhook| webhook.url.clone()),
        }
    }
}

impl RulesShape {
    fn of(rules: &Rules) -> Self {
        Self {
            closes: rules.closes.map(|at| at.0),
            most_answers: rules.most_answers,
            keep_days: rules.keep_days,
            budget: rules.budget,
            locale: match rules.locale {
                AskLocale::Infer => LocaleShape::Infer,
                AskLocale::Ask => LocaleShape::Ask,
            },
        }
    }

    pub(super) fn into_rules(self) -> Rules {
        Rules {
            closes: self.closes.map(enza_kernel::time::Timestamp),
            most_answers: self.most_answers,
            keep_days: self.keep_days,
            budget: self.budget,
            locale: match self.locale {
                LocaleShape::Infer => AskLocale::Infer,
                LocaleShape::Ask => AskLocale::Ask,
            },
        }
    }
}

impl LinkKindShape {
    pub(super) fn kind(self) -> LinkKind {
        match self {
            Self::Public => LinkKind::Public,
            Self::Single => LinkKind::Single,
        }
    }
}

impl LinkShape {
    pub(super) fn of(app: &AppState, held: &LoadedForm, token: &str) -> Option<Self> {
        let made = held.state.links().get(token)?;
        Some(Self {
            address: address_of(app, &held.row.id, token),
            link: LinkTo { form: held.row.id.clone(), token: token.to_owned() }.to_string(),
            kind: match made.kind {
                LinkKind::Public => LinkKindShape::Public,
                LinkKind::Single => LinkKindShape::Single,
            },
            note: made.note.clone(),
            prefill: made.prefill.clone(),
            made_at: made.made_at.0,
            used: made.used != LinkUse::No,
            revoked: made.is_revoked,
        })
    }
}
