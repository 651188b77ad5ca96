//! Names and texts of a schema, as a form can have them.
//!
//! A property may be called anything; a field's id is for machines, and no two are alike.

use std::collections::BTreeSet;

use enza_kernel::limits::{self, Limit};
use enza_kernel::text::Lang;

use super::super::remark::{Loss, Remark};

/// The id for a property behind these names, the outermost first.
pub(in super::super) fn id_of(path: &[&str]) -> String {
    let is_fit = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    let fit = path.iter().filter(|name| name.chars().any(is_fit));
    let id = fit.map(|name| name.replace(|letter| !is_fit(letter), "_")).collect::<Vec<_>>().join("_");
    if id.is_empty() { "field".to_owned() } else { id.chars().take(limits::NAME.graphemes).collect() }
}

/// The ids that are taken.
#[derive(Default)]
pub(super) struct Ids {
    taken: BTreeSet<String>,
}

impl Ids {
    /// An id for the last of these names: its own, with those before it where that is taken, else with a number.
    pub(super) fn take(&mut self, path: &[&str]) -> String {
        let own = id_of(&path[path.len().saturating_sub(1)..]);
        let whole = id_of(path);
        let numbered = (2..).map(|number| {
            let number = format!("_{number}");
            let room = limits::NAME.graphemes - number.len();
            whole.chars().take(room).chain(number.chars()).collect()
        });
        let mut candidates = [own, whole.clone()].into_iter().chain(numbered);
        let id = candidates.find(|id: &String| !self.taken.contains(id)).unwrap_or(whole);
        self.taken.insert(id.clone());
        id
    }
}

/// The text, cut where it is too long.
pub(super) fn fitted(limit: Limit, place: &str, keyword: &str, text: &str, remarks: &mut Vec<Remark>) -> String {
    if let Ok(text) = limit.check_optional(text) {
        return text;
    }
    remarks.push(Remark::new(place, keyword, Loss::Shortened));
    let mut cut = String::new();
    // A cluster has at least one letter, so that many letters are never too many clusters.
    for letter in text.trim().chars().take(limit.graphemes) {
        if cut.len() + letter.len_utf8() > limit.bytes {
            break;
        }
        cut.push(letter);
    }
    cut.trim().to_owned()
}

/// The language that a text seems to be in.
pub(super) fn language_of<'a>(mut texts: impl Iterator<Item = &'a str>) -> Lang {
    let is_japanese = |letter: char| matches!(letter, '\u{3041}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}');
    if texts.any(|text| text.chars().any(is_japanese)) { Lang::Ja } else { Lang::En }
}
