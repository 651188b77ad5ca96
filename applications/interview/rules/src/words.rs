//! What the interview itself says, by key, in both languages. What the agents say is theirs.
//!
//! The sentences are the files in `words/`; the functions here choose among them where there is something to choose. The
//! test below fails on a key that is missing or never used.

use std::fmt::Write as _;
use std::sync::LazyLock;

use enza_kernel::agent::ThreadFailure;
use enza_kernel::gate::Points;
use enza_kernel::text::Lang;
use enza_kernel::words::{Catalogue, Sentences};

use super::form::{Form, Group};
use super::phrase::{is_sentence, joined, listed, quoted, unpunctuated};
use super::state::{FieldRecord, State};
use super::values::{Absence, show};

/// What interviews and their agents are called.
pub(crate) static ABOUT: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::built_in(&[include_str!("../words/about.toml")]));

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::built_in(&[
        include_str!("../words/form.toml"),
        include_str!("../words/prompt.toml"),
        include_str!("../words/refusal.toml"),
        include_str!("../words/said.toml"),
        include_str!("../words/values.toml"),
    ])
});

/// The sentences in one language.
pub(crate) fn words(lang: Lang) -> Sentences {
    CATALOGUE.words(lang)
}

/// The rounds are used up and the field has no value: what is lacking, and how it can go on.
pub(super) fn ask_for_help(lang: Lang, label: &str, required: bool, lacking: &[String]) -> String {
    let name = quoted(lang, label);
    let Lacking { facts, reasons } = Lacking::of(lacking).beside(label);
    let how = words(lang).say(if required { "said.help_how_required" } else { "said.help_how" });
    let what = match (facts.is_empty(), reasons.is_empty()) {
        (false, true | false) => {
            let facts = listed(lang, facts);
            words(lang).fill("said.help_facts", &[("quoted", &name), ("facts", &facts)])
        }
        (true, false) => {
            let reasons = joined(lang, reasons);
            words(lang).fill("said.help_reasons", &[("quoted", &name), ("reasons", &reasons)])
        }
        (true, true) => words(lang).fill("said.help_nothing", &[("quoted", &name)]),
    };
    joined(lang, [what.as_str(), how])
}

/// What a review found to be lacking: facts to be named in a sentence, and reasons that are sentences already.
struct Lacking<'a> {
    facts: Vec<&'a str>,
    reasons: Vec<&'a str>,
}

impl<'a> Lacking<'a> {
    /// Why there is no answer is neither: the respondent has just said it.
    fn of(lacking: &'a [String]) -> Self {
        let told = lacking.iter().map(String::as_str).filter(|text| !is_absence(text));
        let (reasons, facts) = told.partition(|text| is_sentence(text));
        Self { facts, reasons }
    }

    /// The same without the field's own name, which is said already.
    fn beside(mut self, label: &str) -> Self {
        let is_more = |text: &&str| unpunctuated(text) != unpunctuated(label);
        self.facts.retain(is_more);
        self.reasons.retain(is_more);
        self
    }
}

/// Whether a text says only that there is no answer: in our words, or by the word that older logs have for it.
fn is_absence(text: &str) -> bool {
    let is_unanswered = [Lang::Ja, Lang::En].iter().any(|lang| text == unanswered(*lang));
    is_unanswered || Absence::ALL.into_iter().any(|absence| is_word_of(text, absence))
}

fn is_word_of(text: &str, absence: Absence) -> bool {
    text == absence.word() || [Lang::Ja, Lang::En].iter().any(|lang| text == needed(*lang, absence))
}

/// Why a field that cannot be left empty is asked again.
pub(super) fn needed(lang: Lang, absence: Absence) -> &'static str {
    match absence {
        Absence::Skipped => words(lang).say("said.needed_skipped"),
        Absence::Declined => words(lang).say("said.needed_declined"),
        Absence::Unknown => words(lang).say("said.needed_unknown"),
        Absence::NotApplicable => words(lang).say("said.needed_not_applicable"),
    }
}

/// The same, asked for by name.
pub(super) fn needed_again(lang: Lang, label: &str, absence: Absence) -> String {
    let name = quoted(lang, label);
    match absence {
        Absence::Skipped => words(lang).fill("said.needed_again_skipped", &[("quoted", &name)]),
        Absence::Declined => words(lang).fill("said.needed_again_declined", &[("quoted", &name)]),
        Absence::Unknown => words(lang).fill("said.needed_again_unknown", &[("quoted", &name)]),
        Absence::NotApplicable => words(lang).fill("said.needed_again_not_applicable", &[("quoted", &name)]),
    }
}

/// A message was no answer, and nobody has said what is lacking.
pub(super) fn unanswered(lang: Lang) -> &'static str {
    words(lang).say("said.unanswered")
}

/// Whether a group has another item.
pub(super) fn one_more(lang: Lang, group: &Group, after: u32) -> String {
    let item = &group.item;
    match after {
        0 => words(lang).fill("said.one_more_first", &[("item", &item)]),
        _ => words(lang).fill("said.one_more", &[("item", &item)]),
    }
}

/// The question before a submission.
pub(super) fn submission(state: &State) -> Points {
    let lang = state.lang();
    let title = quoted(lang, &state.form.title);
    Points {
        intent: words(lang).fill("said.submission_intent", &[("title", &title)]),
        grounds: words(lang).say("said.submission_grounds").to_owned(),
        impact: words(lang).say("said.submission_impact").to_owned(),
        alternatives: vec![
            words(lang).say("said.submission_change").to_owned(),
            words(lang).say("said.submission_give_up").to_owned(),
        ],
        diff: Some(values(state)),
    }
}

/// The question after a delivery that was cut off.
pub(super) fn redelivery(state: &State) -> Points {
    let lang = state.lang();
    Points {
        intent: words(lang).say("said.redelivery_intent").to_owned(),
        grounds: words(lang).say("said.redelivery_grounds").to_owned(),
        impact: words(lang).say("said.redelivery_impact").to_owned(),
        alternatives: vec![words(lang).say("said.redelivery_arrived").to_owned()],
        diff: Some(values(state)),
    }
}

/// The values as a person reads them.
fn values(state: &State) -> String {
    let lang = state.lang();
    let mut out = String::new();
    for (field, record) in state.fields() {
        if field.hidden || record.asks_for_more() || !state.applies(record) {
            continue;
        }
        let value = shown(state, record).unwrap_or_else(|| words(lang).say("said.values_left_empty").to_owned());
        let mark = if record.is_incomplete() { words(lang).say("said.values_incomplete") } else { "" };
        let _ = writeln!(out, "{}: {value}{mark}", unpunctuated(&state.label(record)));
    }
    out
}

/// What a field has, as a person reads it: its value, or why there is none.
pub(super) fn shown(state: &State, record: &FieldRecord) -> Option<String> {
    let lang = state.lang();
    match (record.value(), record.absence()) {
        (Some(value), _) => Some(show(state.field_of(record), value, lang)),
        (None, Some(absence)) => Some(absence.say(lang).to_owned()),
        (None, None) => None,
    }
}

/// Why an agent cannot go on, and what to do.
pub(super) fn stuck(lang: Lang, failure: &ThreadFailure) -> String {
    let what = match failure {
        ThreadFailure::RoundsExhausted { .. } => words(lang).say("said.stuck_rounds_exhausted"),
        ThreadFailure::Malformed { .. } => words(lang).say("said.stuck_malformed"),
        ThreadFailure::Unanswered { .. } => words(lang).say("said.stuck_unanswered"),
        ThreadFailure::BudgetExhausted { .. } => words(lang).say("said.stuck_budget_exhausted"),
    };
    let next = match failure {
        ThreadFailure::BudgetExhausted { .. } => words(lang).say("said.stuck_next_budget"),
        ThreadFailure::RoundsExhausted { .. } | ThreadFailure::Malformed { .. } | ThreadFailure::Unanswered { .. } => {
            words(lang).say("said.stuck_next")
        }
    };
    let kept = words(lang).say("said.stuck_kept");
    lang.pick(format!("{what}{kept}{next}"), format!("{what} {kept} {next}"))
}

/// The delivery failed.
pub(super) fn undelivered(lang: Lang) -> String {
    words(lang).say("said.undelivered").to_owned()
}

/// The respondent looks at the whole and has not yet said what is to be different.
pub(super) fn which_field(lang: Lang, missing: &[String]) -> String {
    if missing.is_empty() {
        return words(lang).say("said.which_field").to_owned();
    }
    still_missing(lang, missing)
}

/// Required fields have no answer.
pub(super) fn still_missing(lang: Lang, missing: &[String]) -> String {
    let missing = listed(lang, missing.iter().map(String::as_str));
    words(lang).fill("said.still_missing", &[("missing", &missing)])
}

/// A required field is left for later.
pub(super) fn set_aside(lang: Lang, label: &str) -> String {
    let label = quoted(lang, label);
    words(lang).fill("said.set_aside", &[("label", &label)])
}

/// The interview began.
pub(super) fn opened(lang: Lang, form: &Form) -> String {
    let title = quoted(lang, &form.title);
    // What is never asked is nothing to announce.
    let count = form.fields.iter().filter(|field| !field.hidden).count();
    match count {
        1 => words(lang).fill("said.opened_one", &[("title", &title)]),
        _ => words(lang).fill("said.opened", &[("title", &title), ("count", &count)]),
    }
}

/// A review sent the answer back: which facts are not known. Reasons are left to the question that follows, and whoever
/// has said that they do not know is not told so.
pub(super) fn still_lacking(lang: Lang, lacking: &[String]) -> Option<String> {
    let Lacking { facts, .. } = Lacking::of(lacking);
    let facts = Some(listed(lang, facts)).filter(|facts| !facts.is_empty())?;
    Some(words(lang).fill("said.still_lacking", &[("facts", &facts)]))
}

/// What is lacking of an answer, whole, for where no question follows.
pub(super) fn lacking(lang: Lang, lacking: &[String]) -> Option<String> {
    let says = |absence: &Absence| lacking.iter().any(|text| is_word_of(text, *absence));
    if let Some(absence) = Absence::ALL.into_iter().find(says) {
        return Some(needed(lang, absence).to_owned());
    }
    let (reasons, facts): (Vec<&str>, Vec<&str>) =
        lacking.iter().map(String::as_str).partition(|text| is_sentence(text));
    let facts = Some(listed(lang, facts)).filter(|facts| !facts.is_empty());
    let facts = facts.map(|facts| words(lang).fill("said.lacking", &[("facts", &facts)]));
    let said = joined(lang, facts.as_deref().into_iter().chain(reasons));
    (!said.is_empty()).then_some(said)
}

/// A field is answered again.
pub(super) fn reopened(lang: Lang, label: &str, because_of: Option<&str>) -> String {
    let label = quoted(lang, label);
    match because_of {
        None => words(lang).fill("said.reopened", &[("label", &label)]),
        Some(_) => words(lang).fill("said.reopened_since", &[("label", &label)]),
    }
}

/// The respondent said yes.
pub(super) fn submitted(lang: Lang) -> String {
    words(lang).say("said.submitted").to_owned()
}

/// The submission has arrived.
pub(super) fn delivered(lang: Lang) -> String {
    words(lang).say("said.delivered").to_owned()
}

/// More may be spent.
pub(super) fn budget_raised(lang: Lang, budget: u64) -> String {
    words(lang).fill("said.budget_raised", &[("budget", &budget)])
}

/// The respondent gave up.
pub(super) fn given_up(lang: Lang) -> String {
    words(lang).say("said.given_up").to_owned()
}

/// Nobody came back.
pub(super) fn gone_quiet(lang: Lang) -> String {
    words(lang).say("said.gone_quiet").to_owned()
}

/// What the sample form is for.
pub(super) fn sample(lang: Lang) -> String {
    words(lang).say("said.sample").to_owned()
}

#[cfg(test)]
mod tests {
    use enza_kernel::testing::words::{Checked, check_about};

    use super::*;
    use crate::state::{ARCHITECT, GREETER, INTERVIEWER, REVIEWER};
    use crate::{DELIVER, Interview};

    #[test]
    fn every_sentence_is_there_and_every_sentence_is_shown() {
        Checked {
            own: &CATALOGUE,
            frame: None,
            home: env!("CARGO_MANIFEST_DIR"),
            shared: &[],
            plain: &[
                "call",
                "fact_key",
                "facts",
                "field",
                "field_id",
                "form-fault.unreadable.why",
                "group",
                "labels",
                "missing",
                "most_items",
                "need",
                "other",
                "place",
                "quoted",
                "rest",
                "to",
                "value-fault.several_options.options",
                "weekday",
            ],
        }
        .check();
    }

    #[test]
    fn every_agent_and_every_tool_has_a_name_and_the_application_says_what_it_is_for() {
        check_about::<Interview>(&[GREETER, ARCHITECT, INTERVIEWER, REVIEWER], &[DELIVER]);
    }
}
