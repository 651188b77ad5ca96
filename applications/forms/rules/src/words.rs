//! What a form itself says, by key, in both languages. What the architect writes is its own.
//!
//! The sentences are the files in `words/`; the functions here choose among them where there is something to choose. The
//! test below fails on a key that is missing or never used.

use std::sync::LazyLock;

use enza_kernel::agent::ThreadFailure;
use enza_kernel::text::Lang;
use enza_kernel::words::{Catalogue, Sentences};

use super::event::{Card, CloseReason, Going};
use super::link::LinkKind;
use enza_interview::{Form, unpunctuated};

/// What forms and their agent are called.
pub(crate) static ABOUT: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::built_in(&[include_str!("../words/about.toml")]));

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::built_in(&[
        include_str!("../words/prompt.toml"),
        include_str!("../words/refusal.toml"),
        include_str!("../words/said.toml"),
    ])
});

/// The sentences in one language.
pub(crate) fn words(lang: Lang) -> Sentences {
    CATALOGUE.words(lang)
}

/// Where a form stands that owes nothing.
pub(super) fn standing(lang: Lang, card: &Card) -> String {
    match (card.version, card.is_open) {
        (0, _) => unpublished(lang),
        (_, true) => words(lang).say("said.standing_open").to_owned(),
        (_, false) => words(lang).say("said.standing_closed").to_owned(),
    }
}

/// What a draft waits for.
pub(super) fn unpublished(lang: Lang) -> String {
    words(lang).say("said.unpublished").to_owned()
}

/// Why the architect cannot go on, and what to do.
pub(super) fn stuck(lang: Lang, failure: &ThreadFailure) -> String {
    let what = match failure {
        ThreadFailure::RoundsExhausted { .. } => words(lang).say("said.stuck_rounds_exhausted"),
        ThreadFailure::Malformed { .. } => words(lang).say("said.stuck_malformed"),
        ThreadFailure::Unanswered { .. } => words(lang).say("said.stuck_unanswered"),
        ThreadFailure::BudgetExhausted { .. } => words(lang).say("said.stuck_budget_exhausted"),
    };
    let next = words(lang).say("said.stuck_next");
    lang.pick(format!("{what}{next}"), format!("{what} {next}"))
}

/// The form began.
pub(super) fn begun(lang: Lang, title: &str) -> String {
    match title {
        "" => words(lang).say("said.begun").to_owned(),
        _ => words(lang).fill("said.begun_titled", &[("title", &title)]),
    }
}

/// The owner replaced the draft.
pub(super) fn edited(lang: Lang, card: &Card) -> String {
    let edition = card.edition;
    words(lang).fill("said.edited", &[("edition", &edition)])
}

/// The architect wrote a draft.
pub(super) fn written(lang: Lang, form: &Form, card: &Card) -> String {
    let (title, edition) = (&card.title, card.edition);
    let labels: Vec<&str> = form.fields.iter().map(|field| unpunctuated(&field.label)).collect();
    let labels = lang.list(&labels);
    words(lang).fill("said.written", &[("title", &title), ("edition", &edition), ("labels", &labels)])
}

/// A version was frozen.
pub(super) fn published(lang: Lang, card: &Card) -> String {
    let version = card.version;
    words(lang).fill("said.published", &[("version", &version)])
}

/// No more answers are taken.
pub(super) fn closed(lang: Lang, why: CloseReason) -> String {
    match why {
        CloseReason::Owner => words(lang).say("said.closed_owner"),
        CloseReason::Date => words(lang).say("said.closed_date"),
    }
    .to_owned()
}

/// Answers are taken again.
pub(super) fn reopened(lang: Lang) -> String {
    words(lang).say("said.reopened").to_owned()
}

/// The rules are others now.
pub(super) fn rules_set(lang: Lang) -> String {
    words(lang).say("said.rules_set").to_owned()
}

/// Submissions are sent on to this host, or to nobody.
pub(super) fn webhook_set(lang: Lang, host: Option<&str>) -> String {
    match host {
        Some(host) => words(lang).fill("said.webhook_set", &[("host", &host)]),
        None => words(lang).say("said.webhook_unset").to_owned(),
    }
}

/// A way in was made.
pub(super) fn link_made(lang: Lang, kind: LinkKind, note: &str) -> String {
    let what = match kind {
        LinkKind::Public => words(lang).say("said.link_made_public"),
        LinkKind::Single => words(lang).say("said.link_made_single"),
    };
    with_note(lang, what, note)
}

/// A way in was withdrawn.
pub(super) fn link_revoked(lang: Lang, note: &str) -> String {
    with_note(lang, words(lang).say("said.link_revoked"), note)
}

/// A submission arrived.
pub(super) fn received(lang: Lang, count: u64) -> String {
    words(lang).fill("said.received", &[("count", &count)])
}

/// Copies that the owner had made of an interview went with it; the owner's own deletions say nothing.
pub(super) fn copies_gone(lang: Lang, copies: u64, why: Going) -> Option<String> {
    match why {
        Going::Owner => None,
        Going::Respondent => Some(words(lang).fill("said.copies_gone_respondent", &[("copies", &copies)])),
        Going::Days => Some(words(lang).fill("said.copies_gone_days", &[("copies", &copies)])),
    }
}

fn with_note(lang: Lang, what: &str, note: &str) -> String {
    match note {
        "" => lang.pick(format!("{what}。"), format!("{what}.")),
        _ => lang.pick(format!("{what}({})。", unpunctuated(note)), format!("{what}: {}.", unpunctuated(note))),
    }
}

#[cfg(test)]
mod tests {
    use enza_kernel::testing::words::{Checked, check_about};

    use super::*;
    use crate::Forms;
    use crate::state::ARCHITECT;

    #[test]
    fn every_sentence_is_there_and_every_sentence_is_shown() {
        Checked {
            own: &CATALOGUE,
            frame: None,
            home: env!("CARGO_MANIFEST_DIR"),
            shared: &[],
            plain: &["copies", "edition", "host", "labels"],
        }
        .check();
    }

    #[test]
    fn every_agent_and_every_tool_has_a_name_and_the_application_says_what_it_is_for() {
        check_about::<Forms>(&[ARCHITECT], &[]);
    }
}
