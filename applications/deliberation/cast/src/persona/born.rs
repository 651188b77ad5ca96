//! A persona by rule, out of three values and a seed: it stands in where a model is missing or failed.

use enza_kernel::text::Lang;

use super::Persona;
use super::ordered::Ordered;
use crate::chance::place;
use crate::values::Value;

impl Persona {
    /// A persona of version 1 around three values. The seed decides in which order they colour it, so that two debaters
    /// of the same values are not the same person.
    pub fn by_rule(lang: Lang, chosen: &[&Value; 3], seed: &str) -> Self {
        let mut order = *chosen;
        let turned = place(&["persona", seed], order.len());
        order.rotate_left(turned);
        if place(&["mirrored", seed], 2) == 1 {
            order.swap(1, 2);
        }
        let texts = order.map(|value| value.text(lang));
        let between = lang.pick("", " ");
        let thinking_style = texts.map(|text| text.thinks.as_str()).join(between);
        // The first value gives both of its traits, the others one each.
        let traits: Vec<String> = texts
            .iter()
            .enumerate()
            .flat_map(|(nth, text)| {
                let second = place(&["trait", seed, &text.name], text.traits.len());
                let (from, to) = if nth == 0 { (0, text.traits.len()) } else { (second, second + 1) };
                text.traits[from..to].iter().cloned()
            })
            .collect();
        let background = [texts[0].past.as_str(), texts[1].past.as_str()].join(between);
        let values = chosen.map(|value| value.text(lang).name.clone());
        Self::from_parts(&values, &thinking_style, &traits, &background, 1)
    }

    /// A persona whose parts are ours, in the usual order of keys.
    pub(crate) fn from_parts(
        core_values: &[String],
        thinking_style: &str,
        personality_traits: &[String],
        background: &str,
        version: u32,
    ) -> Self {
        let mut written = Ordered::Table(Vec::new());
        written.set_texts("core_values", core_values);
        written.set_text("thinking_style", thinking_style);
        written.set_texts("personality_traits", personality_traits);
        written.set_text("background", background);
        written.set_number("version", version);
        let (core_values, personality_traits) = (core_values.to_vec(), personality_traits.to_vec());
        let (thinking_style, background) = (thinking_style.to_owned(), background.to_owned());
        // Our own data fits, which `tests/persona.rs` shows for every choice of values.
        Self { raw: written.pretty(), written, core_values, thinking_style, personality_traits, background, version }
    }
}
