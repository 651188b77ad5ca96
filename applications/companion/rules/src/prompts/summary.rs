//! What a piece of work comes to in a few lines: for a thread that was shortened, for talk that goes on at another place, and
//! for the other pieces of work.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use enza_kernel::application::Reason as _;
use enza_kernel::gate::{Gate, GateState};
use enza_kernel::prompt::fence;
use enza_kernel::text::Lang;

use super::super::state::{Exchange, State};
use super::super::task::Task;
use super::super::words;
use crate::words::words;

/// How much of the latest exchanges is told, in characters.
const LONGEST_TALK: usize = 6_000;
/// The longest diff of an open question that is told, in characters.
const LONGEST_DIFF: usize = 6_000;

/// What must survive when a conversation is shortened, and what talk at another place starts from: what is held in mind about
/// the work, the latest exchanges, what was changed, and what the person is being asked (G44).
pub(in super::super) fn summary(state: &State, task: Option<&Task>) -> String {
    let lang = state.lang();
    let mut out = format!("# {}\n", words(lang).say("summary.summary_so_far"));
    if let Some(task) = task {
        let mind = &task.mind;
        let _ = writeln!(out, "{}: {} / {}", words(lang).say("summary.state"), task.step().word(), task.status.word());
        for (label, text) in [
            (words(lang).say("summary.goal"), mind.goal.clone()),
            (words(lang).say("summary.why_now"), mind.why_now.clone()),
            (words(lang).say("summary.constraints"), mind.constraints.join("; ")),
            (words(lang).say("summary.next_moves"), mind.plan_brief.join("; ")),
            (words(lang).say("summary.open_questions"), mind.open_questions.join("; ")),
            (words(lang).say("summary.decided"), mind.decision_log.join("; ")),
            (words(lang).say("summary.referred"), mind.context_refs.join("; ")),
            (words(lang).say("summary.latest_change"), mind.last_delta.clone()),
        ] {
            if !text.is_empty() {
                let _ = writeln!(out, "{label}: {text}");
            }
        }
    }
    for exchange in latest(state) {
        let _ = writeln!(out, "- {} → {}", exchange.said, exchange.replied);
    }
    let changed: BTreeSet<&str> =
        state.turns.iter().flat_map(|turn| &turn.changes).map(|change| change.path.as_str()).collect();
    if !changed.is_empty() {
        let changed: Vec<&str> = changed.into_iter().collect();
        let _ = writeln!(out, "{}: {}", words(lang).say("summary.files_changed"), changed.join(", "));
    }
    if let Some(gate) = task.and_then(|task| task.gate.as_ref()).and_then(GateState::open) {
        out.push_str(&asked(lang, gate));
    }
    out
}

/// The latest exchanges, the oldest first, as far as there is room (G38).
fn latest(state: &State) -> Vec<&Exchange> {
    let mut room = LONGEST_TALK;
    let fits = |exchange: &&Exchange| {
        let takes = exchange.said.chars().count() + exchange.replied.chars().count();
        room = room.saturating_sub(takes);
        room > 0
    };
    let mut latest: Vec<&Exchange> = state.talk.iter().rev().map(Arc::as_ref).take_while(fits).collect();
    latest.reverse();
    latest
}

/// What the person is being asked. What they say meanwhile may be about it, and is no answer.
fn asked(lang: Lang, gate: &Gate) -> String {
    let heading = words(lang).say("summary.asked");
    let diff = gate.ask.diff.as_deref().unwrap_or_default();
    let shown: String = diff.chars().take(LONGEST_DIFF).collect();
    format!("{heading}:\n{}\n", fence("gate", &format!("{}\n{}\n{shown}", gate.ask.intent, gate.ask.impact)))
}

/// The other pieces of work, each in a line, so that talk knows what goes on beside it (DUCK-48); and the last move that was
/// refused (G16).
pub(super) fn beside(state: &State, task: &Task) -> String {
    let lang = state.lang();
    let mut out = String::new();
    let others = state.desks.iter().filter(|one| one.id != task.id && !one.aside);
    for other in others.filter(|one| one.task.is_some()) {
        if out.is_empty() {
            let _ = writeln!(out, "# {}", words(lang).say("summary.beside"));
        }
        let title = other.task.as_ref().map_or("", |work| work.title.as_str());
        let _ = writeln!(out, "- {title}: {} / {}", other.step().word(), other.status.word());
    }
    if let Some((to, why)) = &task.refused {
        let _ = writeln!(out, "{}", words::move_refused(lang, to, &why.say(lang).message));
    }
    out
}
