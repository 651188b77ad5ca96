//! Holds what came of an interview against what its respondent meant.
//!
//! Values are compared as they are kept. A free text is right where it has every word that matters; a field without a
//! value is right where the reason is. What was made up, a value that nobody meant, is wrong too.

use enza_interview::{Absence, State, SubmittedAnswer};
use serde::Serialize;

use super::script::Script;

/// A field that is not as it was meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Miss {
    pub field: String,
    pub meant: String,
    pub came: String,
}

/// Every field that is not as it was meant, in the order of the form.
pub fn misses(script: &Script, state: &State) -> Vec<Miss> {
    let answers = state.submission().answers;
    let mut misses: Vec<Miss> = answers.iter().filter_map(|answer| miss(script, answer)).collect();
    let meant = script.truth.keys().chain(script.truth_words.keys()).chain(script.truth_absence.keys());
    for id in meant.filter(|id| !answers.iter().any(|answer| answer.field_id == **id)) {
        misses.push(Miss { field: id.clone(), meant: meaning(script, id).unwrap_or_default(), came: String::new() });
    }
    misses
}

fn miss(script: &Script, answer: &SubmittedAnswer) -> Option<Miss> {
    let id = &answer.field_id;
    let value = answer.value.as_deref();
    let is_right = if let Some(meant) = script.truth.get(id) {
        value == Some(meant)
    } else if let Some(words) = script.truth_words.get(id) {
        let value = value.unwrap_or_default().to_lowercase();
        words.iter().all(|word| value.contains(&word.to_lowercase()))
    } else if let Some(absence) = script.truth_absence.get(id) {
        value.is_none() && answer.absence == Some(*absence)
    } else {
        value.is_none()
    };
    let came = || value.map_or_else(|| nothing(answer.absence), str::to_owned);
    (!is_right).then(|| Miss { field: id.clone(), meant: meaning(script, id).unwrap_or_default(), came: came() })
}

fn meaning(script: &Script, id: &str) -> Option<String> {
    let words = script.truth_words.get(id).map(|words| words.join(" … "));
    let absence = script.truth_absence.get(id).map(|absence| nothing(Some(*absence)));
    script.truth.get(id).cloned().or(words).or(absence)
}

fn nothing(absence: Option<Absence>) -> String {
    absence.map_or_else(String::new, |absence| format!("({})", absence.word()))
}
