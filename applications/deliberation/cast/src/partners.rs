//! The three partners of the house: an optimist, a realist and an idea maker. They sit in every tutorial and fill empty
//! seats where a topic allows it; wherever they are shown, they are shown as the house's.

use std::sync::LazyLock;

use enza_kernel::text::Lang;
use serde::Deserialize;

use crate::data;
use crate::persona::Persona;
use crate::values::value;
use crate::voice::Knowledge;

/// A partner of the house.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Partner {
    pub key: String,
    /// The keys of its values.
    pub values: [String; 3],
    pub ja: PartnerText,
    pub en: PartnerText,
}

/// A partner in one language.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartnerText {
    pub name: String,
    /// The label beside the name.
    pub role: String,
    thinking_style: String,
    traits: Vec<String>,
    background: String,
    /// What it knows.
    pub knowledge: Vec<Knowledge>,
}

#[derive(Deserialize)]
struct PartnersFile {
    partner: Vec<Partner>,
}

static PARTNERS: LazyLock<Vec<Partner>> = LazyLock::new(|| {
    data::sound(data::read::<PartnersFile>("partners.toml", include_str!("../data/partners.toml"))).partner
});

/// All three, in the order in which they are seated.
pub fn partners() -> &'static [Partner] {
    &PARTNERS
}

impl Partner {
    /// The partner in one language.
    pub fn text(&self, lang: Lang) -> &PartnerText {
        lang.pick(&self.ja, &self.en)
    }

    /// Its persona, which never grows: version 0.
    pub fn persona(&self, lang: Lang) -> Persona {
        let names: Vec<String> =
            self.values.iter().filter_map(|key| value(key)).map(|value| value.text(lang).name.clone()).collect();
        let PartnerText { thinking_style, traits, background, name: _, role: _, knowledge: _ } = self.text(lang);
        Persona::from_parts(&names, thinking_style, traits, background, 0)
    }
}
