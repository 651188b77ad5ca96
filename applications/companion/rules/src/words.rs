//! What the rules say, to the person and to the model, by key, in both languages.
//!
//! The sentences are the files in `words/`; the functions here choose among them where there is something to choose. The
//! test below fails on a key that is missing or never used.

use std::sync::LazyLock;

use enza_kernel::text::{Lang, unpunctuated};
use enza_kernel::words::{Catalogue, Sentences};

use super::action::Operation;
use super::batch::OrderKind;
use super::consent;
use super::flow::closed_paths::ClosedWay;
use super::note::Note;
use super::task::Procedure;
use enza_work::{Fault, Finding};

/// What the companion and its agents are called.
pub(crate) static ABOUT: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::built_in(&[include_str!("../words/about.toml")]));

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::built_in(&[
        include_str!("../words/refusal.toml"),
        include_str!("../words/said.toml"),
        include_str!("../words/summary.toml"),
        include_str!("../words/told.toml"),
    ])
});

/// The sentences in one language.
pub(crate) fn words(lang: Lang) -> Sentences {
    CATALOGUE.words(lang)
}

/// The word with which a procedure is asked for.
pub(super) fn procedure(lang: Lang, procedure: Procedure) -> &'static str {
    match procedure {
        Procedure::Planning => words(lang).say("told.procedure_planning"),
        Procedure::Execution => words(lang).say("told.procedure_execution"),
        Procedure::Review => words(lang).say("told.procedure_review"),
    }
}

/// The word with which what was just carried out goes to the reviewer.
pub(super) fn review(lang: Lang, told: &str) -> String {
    format!("{told}\n\n{}", procedure(lang, Procedure::Review))
}

/// The word with which work goes on.
pub(super) fn go_on(lang: Lang, told: &str) -> String {
    words(lang).fill("told.go_on", &[("told", &told)])
}

/// The word for a model whose changes could not be worked out. Its reply stands in the thread as if they had been made.
pub(super) fn not_done(lang: Lang, told: &str) -> String {
    words(lang).fill("told.not_done", &[("told", &told)])
}

/// The word for a model that asks to see the same again.
pub(super) fn seen_before(lang: Lang, told: &str) -> String {
    words(lang).fill("told.seen_before", &[("told", &told)])
}

/// The word for a model that goes on without doing anything.
pub(super) fn do_something(lang: Lang) -> &'static str {
    words(lang).say("told.do_something")
}

/// The word for a model of whose change a person took only a part, or another wording.
pub(super) fn taken_in_part(lang: Lang) -> &'static str {
    words(lang).say("told.taken_in_part")
}

/// The word for the model when a person said something with their yes.
pub(super) fn agreed(lang: Lang, note: &str) -> String {
    words(lang).fill("told.agreed", &[("note", &note)])
}

/// The word for the model when the person has stopped it, in the middle of this.
pub(super) fn stopped(lang: Lang, under_way: Option<OrderKind>) -> String {
    let middle = match under_way {
        Some(OrderKind::Run(_) | OrderKind::Check(_)) => words(lang).say("told.stopped_run"),
        Some(OrderKind::Tool(_)) => words(lang).say("told.stopped_tool"),
        Some(OrderKind::Make | OrderKind::PutBack(_)) => words(lang).say("told.stopped_make"),
        Some(OrderKind::Look(_) | OrderKind::Prepare | OrderKind::Choose | OrderKind::Recover(_)) | None => "",
    };
    let stopped = words(lang).say("told.stopped");
    format!("{stopped} {middle}").trim_end().to_owned()
}

/// The word for the model when changes were taken back.
pub(super) fn taken_back(lang: Lang, paths: &[String]) -> String {
    words(lang).fill("told.taken_back", &[("paths", &lang.list(paths))])
}

/// The word for the model when a move was refused, and with it what it wanted.
pub(super) fn move_refused(lang: Lang, to: &str, why: &str) -> String {
    words(lang).fill("told.move_refused", &[("to", &to), ("why", &why)])
}

/// The word with which something is to be mended.
pub(super) fn mend(lang: Lang, error: &str) -> String {
    words(lang).fill("told.mend", &[("error", &error)])
}

/// The question where the model itself has a doubt.
pub(super) fn shall_i(lang: Lang, doubt: &str) -> String {
    words(lang).fill("said.shall_i", &[("doubt", &doubt)])
}

/// What is heard where a bare choice takes something that was offered.
pub(super) fn chosen(lang: Lang, said: &str, offer: &str) -> String {
    words(lang).fill("told.chosen", &[("said", &said), ("offer", &offer)])
}

/// A person said no.
pub(super) fn refused(lang: Lang, note: Option<&str>) -> String {
    let why = note.map(|note| format!(" {note}")).unwrap_or_default();
    words(lang).fill("told.refused", &[("why", &why)])
}

/// Other ways, for a gate.
pub(super) fn alternatives(lang: Lang) -> Vec<String> {
    let words = words(lang);
    let ways = [words.say("said.way_some"), words.say("said.way_edit"), words.say("said.way_other")];
    ways.map(str::to_owned).to_vec()
}

/// What a person should know about a change.
pub(super) fn finding(lang: Lang, finding: &Finding) -> String {
    match finding {
        Finding::Outside => words(lang).say("said.finding_outside").to_owned(),
        Finding::System => words(lang).say("said.finding_system").to_owned(),
        Finding::SecretFile => words(lang).say("said.finding_secret_file").to_owned(),
        Finding::SecretText { kind } => words(lang).fill("said.finding_secret_text", &[("kind", &kind)]),
        Finding::Governs => words(lang).say("said.finding_governs").to_owned(),
        Finding::Dangerous => words(lang).say("said.finding_dangerous").to_owned(),
        Finding::UnknownEnding => words(lang).say("said.finding_unknown_ending").to_owned(),
        Finding::Large { bytes } => words(lang).fill("said.finding_large", &[("bytes", &bytes)]),
        Finding::Binary => words(lang).say("said.finding_binary").to_owned(),
        Finding::Ignored => words(lang).say("said.finding_ignored").to_owned(),
        Finding::Link { asked } => words(lang).fill("said.finding_link", &[("asked", &asked)]),
        Finding::HardLinked { .. } => words(lang).say("said.finding_hard_linked").to_owned(),
        Finding::Masked => words(lang).say("said.finding_masked").to_owned(),
        Finding::DiffCut => words(lang).say("said.finding_diff_cut").to_owned(),
    }
}

/// The question whether a closed path may be opened, in the document's words (DUCK-90).
pub(super) fn opens(lang: Lang, operation: Operation, path: &str, fault: &Fault) -> String {
    let why = match fault {
        Fault::Secret { .. } => words(lang).say("said.opens_secret"),
        Fault::KeptFrom { .. } => words(lang).say("said.opens_kept_from"),
        Fault::Closed { .. } => words(lang).say("said.opens_closed"),
        _ => words(lang).say("said.opens_outside"),
    };
    let operation = operation.word();
    words(lang).fill("said.opens", &[("operation", &operation), ("path", &path), ("why", &why)])
}

/// What opening a path comes to.
pub(super) fn opened_once(lang: Lang, changes: bool) -> &'static str {
    if changes { words(lang).say("said.opened_once_change") } else { words(lang).say("said.opened_once_read") }
}

/// What opening a path to a command comes to.
pub(super) fn opened_to_command(lang: Lang) -> &'static str {
    words(lang).say("said.opened_to_command")
}

/// A person did not open a path to a command; with what came of it.
pub(super) fn not_opened(lang: Lang, told: &str) -> String {
    words(lang).fill("told.not_opened", &[("told", &told)])
}

/// Other ways than to open a path, for a gate.
pub(super) fn other_ways_than_opening(lang: Lang) -> Vec<String> {
    let words = words(lang);
    [words.say("said.way_inside"), words.say("said.way_paste")].map(str::to_owned).to_vec()
}

/// How far a command can reach; `unsealed` where the kernel leaves more open.
pub(super) fn reach(lang: Lang, unsealed: bool) -> &'static str {
    if unsealed {
        return words(lang).say("said.reach_unsealed");
    }
    words(lang).say("said.reach")
}

/// How far a server's tool can reach.
pub(super) fn tools_reach(lang: Lang) -> &'static str {
    words(lang).say("said.tools_reach")
}

/// Why a tool that nobody offered is not used.
pub(super) fn no_such_tool(lang: Lang) -> &'static str {
    words(lang).say("said.no_such_tool")
}

/// Why something was not done, from the log's word for it, with the setting that would have it otherwise.
pub fn denial(lang: Lang, why: &str) -> String {
    let said = match why {
        consent::PLAN_ONLY => words(lang).say("said.denial_plan_only"),
        consent::ASIDE => words(lang).say("said.denial_aside"),
        consent::NOBODY => words(lang).say("said.denial_nobody"),
        consent::NOBODY_EVER => words(lang).say("said.denial_nobody_ever"),
        consent::LEFT_OUT => words(lang).say("said.denial_left_out"),
        consent::TURNED_DOWN => words(lang).say("said.denial_turned_down"),
        rule if rule.starts_with("deny ") => {
            return words(lang).fill("said.denial_rule", &[("rule", &rule)]);
        }
        other => other,
    };
    said.to_owned()
}

/// Why a closed path stays closed, with what would open it.
pub(super) fn closed(lang: Lang, fault: &Fault, way: ClosedWay) -> String {
    let message = fault.say(lang).message;
    let message = unpunctuated(&message);
    let key = match way {
        ClosedWay::Read => "said.closed_read",
        ClosedWay::Write => "said.closed_write",
        ClosedWay::Never => "said.closed_never",
        ClosedWay::NotAside => "said.closed_aside",
        ClosedWay::None => return message.to_owned(),
    };
    words(lang).fill(key, &[("message", &message)])
}

/// Why something is never done.
pub(super) fn never(lang: Lang, why: &str) -> &'static str {
    match why {
        "system" => words(lang).say("said.never_system"),
        "dangerous" => words(lang).say("said.never_dangerous"),
        "masked" => words(lang).say("said.never_masked"),
        _ => words(lang).say("said.never_outside"),
    }
}

impl Note {
    /// What a person is told by it.
    pub fn say(&self, lang: Lang) -> String {
        note(lang, self)
    }
}

/// Nobody knows how an order ended.
pub(super) fn lost(lang: Lang) -> &'static str {
    words(lang).say("told.lost")
}

/// What may not be changed was changed.
pub(super) fn put_back(lang: Lang, paths: &[String]) -> String {
    words(lang).fill("told.put_back", &[("paths", &lang.list(paths))])
}

/// There was nothing to do.
pub(super) fn nothing(lang: Lang) -> &'static str {
    words(lang).say("told.nothing")
}

/// The budget has no room for another call: what was spent, and what to do.
pub fn budget_ended(lang: Lang, spent: u64, limit: u64, need: u64) -> String {
    let more = limit.saturating_add(need.max(limit));
    words(lang).fill("said.budget_ended", &[("limit", &limit), ("spent", &spent), ("need", &need), ("more", &more)])
}

/// What a person is told by the rules. Acts are called by their names: what is pressed or typed for them is known to the
/// page and to the terminal.
pub(super) fn note(lang: Lang, note: &Note) -> String {
    match note {
        Note::Mismatch(mismatch) => mismatch.say(lang).to_owned(),
        Note::Doubt(doubt) => words(lang).fill("said.note_doubt", &[("doubt", &doubt)]),
        Note::Denied { lines } => lines.join("\n"),
        Note::Failed { text } => text.clone(),
        Note::Loop => words(lang).say("said.note_loop").to_owned(),
        Note::RoundsSpent { rounds } => words(lang).fill("said.note_rounds_spent", &[("rounds", &rounds)]),
        Note::GivenUp { error, recoveries: None } => words(lang).fill("said.note_given_up", &[("error", &error)]),
        Note::GivenUp { error, recoveries: Some(recoveries) } => {
            words(lang).fill("said.note_given_up_after", &[("error", &error), ("recoveries", &recoveries)])
        }
        Note::NoModel { why } => {
            let why = why.trim_end_matches(['.', '。', ' ']);
            words(lang).fill("said.note_no_model", &[("why", &why)])
        }
        Note::Unknown { what, changed } if changed.is_empty() => {
            words(lang).fill("said.note_unknown", &[("what", &what)])
        }
        Note::Unknown { what, changed } => {
            words(lang).fill("said.note_unknown_changed", &[("what", &what), ("changed", &lang.list(changed))])
        }
        Note::ChangedSince { path } => words(lang).fill("said.note_changed_since", &[("path", &path)]),
        Note::PutBack { paths } => put_back(lang, paths),
        Note::ChecksFailed { checks } => words(lang).fill("said.note_checks_failed", &[("checks", &lang.list(checks))]),
        Note::BudgetEnded { spent, limit, need } => budget_ended(lang, *spent, *limit, *need),
        Note::Took { offer } => words(lang).fill("said.note_took", &[("offer", &offer)]),
        Note::AwaitsAcceptance => words(lang).say("said.note_awaits_acceptance").to_owned(),
        Note::PlanAwaits => words(lang).say("said.note_plan_awaits").to_owned(),
        Note::Idle => words(lang).say("said.note_idle").to_owned(),
        Note::NotKept { text } => words(lang).fill("said.note_not_kept", &[("text", &text)]),
        Note::TooLong { layer, tokens } => {
            words(lang).fill("said.note_too_long", &[("layer", &layer), ("tokens", &tokens)])
        }
        Note::PatternMissing => words(lang).say("said.note_pattern_missing").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use enza_kernel::testing::words::{Checked, check_about};
    use enza_work::Order;

    use super::*;
    use crate::{COMMANDER, Companion};

    #[test]
    fn every_sentence_is_there_and_every_sentence_is_shown() {
        Checked {
            own: &CATALOGUE,
            frame: None,
            home: env!("CARGO_MANIFEST_DIR"),
            shared: &[],
            plain: &[
                "changed",
                "file",
                "left",
                "need",
                "rule",
                "said.budget_ended.more",
                "shown",
                "taken",
                "transcript.rule_written.at",
            ],
        }
        .check();
    }

    #[test]
    fn every_agent_and_every_tool_has_a_name_and_the_application_says_what_it_is_for() {
        let roles = [Procedure::Planning, Procedure::Execution, Procedure::Review].map(Procedure::role);
        check_about::<Companion>(&[&[COMMANDER], roles.as_slice()].concat(), &[Order::REPEATABLE, Order::ONCE]);
    }
}
