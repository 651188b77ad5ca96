//! Puts values into the fixed texts, and makes a text fit its limits.
//!
//! A value is put in once and never looked at again (DUCK-19, G55). What does not fit is left out in the fixed order
//! (DUCK-106): summaries of the talk, then open questions, then the moves of the plan from the last; goal, reason,
//! constraints and the form of the output always stay, and what is then still too long is reported and not cut.

use enza_kernel::conversation::{Cut, estimate_tokens};

/// Replaces every `{name}` that has a value, in one pass. Other braces are ordinary text.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find('{') {
        let (before, opened) = rest.split_at(start);
        out.push_str(before);
        let named = opened.find('}').and_then(|end| {
            let (_, value) = values.iter().find(|(name, _)| *name == &opened[1..end])?;
            Some((end, value))
        });
        match named {
            Some((end, value)) => {
                out.push_str(value);
                rest = &opened[end + 1..];
            }
            None => {
                out.push('{');
                rest = &opened[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// A list that may be shortened: its name in the record of cuts, its items, and from which end they go.
#[derive(Debug, Clone)]
pub(super) struct ShrinkableList {
    pub name: &'static str,
    pub items: Vec<String>,
    pub oldest_first: bool,
}

/// How long a text may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextLimit {
    pub tokens: u64,
    pub characters: usize,
}

impl TextLimit {
    fn holds(self, text: &str) -> bool {
        estimate_tokens(text) <= self.tokens && text.chars().count() <= self.characters
    }
}

/// A text that was made to fit.
#[derive(Debug, Clone, Default)]
pub(super) struct FittedText {
    pub text: String,
    /// What was left out.
    pub cuts: Vec<Cut>,
    /// By how many tokens it is too long all the same.
    pub over: u64,
}

/// The text that `write` makes of the lists, with items left out in the order of the lists until it fits. A text that fits is
/// returned as it is (DUCK-105).
pub(super) fn fit(
    mut lists: Vec<ShrinkableList>,
    room: TextLimit,
    write: impl Fn(&[ShrinkableList]) -> String,
) -> FittedText {
    let mut cuts: Vec<Cut> = Vec::new();
    loop {
        let text = write(&lists);
        if room.holds(&text) {
            return FittedText { text, cuts, over: 0 };
        }
        let Some(list) = lists.iter_mut().find(|list| !list.items.is_empty()) else {
            let over = estimate_tokens(&text).saturating_sub(room.tokens).max(1);
            return FittedText { text, cuts, over };
        };
        let gone = if list.oldest_first { list.items.remove(0) } else { list.items.pop().unwrap_or_default() };
        let tokens = estimate_tokens(&gone);
        match cuts.iter_mut().find(|cut| cut.section == list.name) {
            Some(cut) => cut.tokens += tokens,
            None => cuts.push(Cut { section: list.name.to_owned(), tokens }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ShrinkableList, TextLimit, fill, fit};

    /// DUCK-19, G55: what a person writes into a value is never expanded.
    #[test]
    fn a_value_is_put_in_once_and_never_looked_at_again() {
        let filled = fill("{goal} {\"a\": 1} {unknown} {why}", &[("goal", "{why}"), ("why", "now")]);
        assert_eq!(filled, "{why} {\"a\": 1} {unknown} now");
    }

    /// DUCK-105, DUCK-106: a text that fits stays; else summaries go first, then questions, then the last moves.
    #[test]
    fn what_does_not_fit_is_left_out_in_the_fixed_order() {
        let list = |name, items: &[&str], oldest_first| ShrinkableList {
            name,
            items: items.iter().map(|item| (*item).to_owned()).collect(),
            oldest_first,
        };
        let lists = || {
            vec![
                list("summaries", &["s1", "s2"], true),
                list("questions", &["q"], true),
                list("plan", &["p1", "p2"], false),
            ]
        };
        let write =
            |lists: &[ShrinkableList]| lists.iter().flat_map(|list| list.items.clone()).collect::<Vec<_>>().join(" ");
        let at = |characters| fit(lists(), TextLimit { tokens: 1_000, characters }, write).text;
        assert_eq!([at(100), at(11), at(8), at(5), at(2)], ["s1 s2 q p1 p2", "s2 q p1 p2", "q p1 p2", "p1 p2", "p1"]);
        let cuts = fit(lists(), TextLimit { tokens: 1_000, characters: 5 }, write).cuts;
        let names: Vec<&str> = cuts.iter().map(|cut| cut.section.as_str()).collect();
        assert_eq!(names, ["summaries", "questions"]);
    }
}
