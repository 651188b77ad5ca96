//! What is taken of what an agent says, and what takes its place where nothing can be.
//!
//! What a model thinks stands in a block of its own and is kept apart from what it says (DEL-C11). One statement for each
//! turn and seat, whoever replies twice (DEL-C6).

use enza_kernel::agent::ThreadFailure;
use enza_kernel::application::Draft;
use enza_kernel::effect::Outcome;
use enza_kernel::limits::Limit;

use super::agents::previous_summary;
use super::event::{Author, DebateEvent, Statement, Strategy, TurnRow};
use super::state::DebateState;
use super::work::Work;
use super::{Debates, closing, redraw};
use crate::of_words;

/// What a model may say at most; longer ones are sent back.
pub(super) const STATEMENT: Limit = Limit { name: "statement", graphemes: 2_000, bytes: 32 * 1024 };
const STRATEGY: Limit = Limit { name: "strategy", graphemes: 2_000, bytes: 32 * 1024 };
const SUMMARY: Limit = Limit { name: "summary", graphemes: 4_000, bytes: 64 * 1024 };

/// Takes what an agent said, or says what is wrong with it.
pub(super) fn said(draft: &mut Draft<'_, Debates>, thread: &str, text: &str) -> Result<(), String> {
    let Some(work) = Work::of(thread) else { return Ok(()) };
    match &work {
        Work::Strategy { seat } => strategy_said(draft, seat, text),
        Work::Speak { turn, seat } => {
            let spoken = spoken(&draft.state, seat, text)?;
            speak(draft, *turn, seat, spoken);
            Ok(())
        }
        Work::Redraw { way, turn, seat } => {
            let spoken = spoken(&draft.state, seat, text)?;
            redraw::drawn(draft, *way, *turn, seat, Some(spoken.content));
            Ok(())
        }
        Work::TurnSummary { turn } => {
            let text = SUMMARY.check(without_thinking(text).1.as_str()).map_err(|unfit| format!("{unfit}."))?;
            turn_summed(draft, *turn, text, Author::Model);
            Ok(())
        }
        Work::Summary | Work::Verdict | Work::Candidates | Work::Ranking { .. } | Work::Next => {
            closing::said(draft, &work, &without_thinking(text).1)
        }
    }
}

/// An agent could not go on: something else takes the place of what it was asked for.
pub(super) fn failed(draft: &mut Draft<'_, Debates>, thread: &str, failure: &ThreadFailure) {
    let Some(work) = Work::of(thread) else { return };
    match &work {
        Work::Strategy { .. } => strategy_failed(draft, &work, &failure.to_string()),
        Work::Speak { turn, seat } => {
            if let Some(statement) = statement_of(&draft.state, *turn, seat, String::new(), draft.now().time.0) {
                draft.record(DebateEvent::SpeakerFailed { statement });
            }
        }
        Work::Redraw { way, turn, seat } => redraw::drawn(draft, *way, *turn, seat, None),
        Work::TurnSummary { turn } => {
            let state = &draft.state;
            let said = state.said_before(turn + 1);
            let previous = previous_summary(state, *turn);
            let text = enza_deliberation_cast::turn_summary(state.lang(), *turn, &said, previous);
            turn_summed(draft, *turn, text, Author::Rule);
        }
        Work::Summary | Work::Verdict | Work::Candidates | Work::Ranking { .. } | Work::Next => {
            closing::fall_back(draft, &work);
        }
    }
}

fn strategy_said(draft: &mut Draft<'_, Debates>, word: &str, text: &str) -> Result<(), String> {
    let text = STRATEGY.check(&without_thinking(text).1).map_err(|unfit| format!("{unfit}."))?;
    let Some(seat) = draft.state.seat(word) else { return Ok(()) };
    let strategy = Strategy {
        id: of_words(&["strategy", &draft.state.settings.debate, word]),
        seat: word.to_owned(),
        debater: seat.brief.debater.clone(),
        feedback_id: seat.brief.feedback.as_ref().map(|feedback| feedback.id.clone()),
        text,
        created_at: draft.now().time.0,
    };
    draft.record(DebateEvent::StrategyMade { strategy });
    Ok(())
}

/// It is recorded with the debater's id, and nobody waits for it (DEL-70).
pub(super) fn strategy_failed(draft: &mut Draft<'_, Debates>, work: &Work, why: &str) {
    let Some(seat) = work.seat().and_then(|seat| draft.state.seat(seat)) else { return };
    let (seat, debater) = (seat.word.clone(), seat.brief.debater.clone());
    draft.record(DebateEvent::StrategyFailed { seat, debater, why: why.to_owned() });
}

fn turn_summed(draft: &mut Draft<'_, Debates>, turn: u32, text: String, by: Author) {
    let Some(turn) = draft.state.turn(turn) else { return };
    let row = TurnRow { summary: Some(text), ..turn.row.clone() };
    draft.record(DebateEvent::TurnSummed { turn: row, by });
}

/// A statement, and what was thought with it.
struct Spoken {
    content: String,
    thinking: String,
}

fn speak(draft: &mut Draft<'_, Debates>, turn: u32, seat: &str, spoken: Spoken) {
    // One statement per turn and seat, held by the log.
    if draft.state.statement(turn, seat).is_some() {
        return;
    }
    let Some(statement) = statement_of(&draft.state, turn, seat, spoken.content, draft.now().time.0) else { return };
    draft.record(DebateEvent::Spoke { statement: statement.clone() });
    if !spoken.thinking.is_empty() {
        draft.record(DebateEvent::Thought { statement, thinking: spoken.thinking });
    }
}

/// What the provider tells of a model's thoughts, apart from its words.
pub(super) fn thoughts_in(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Replied { reply, .. } => reply.thoughts.trim().to_owned(),
        Outcome::Unanswered { .. }
        | Outcome::TooLong { .. }
        | Outcome::CallsLost { .. }
        | Outcome::Starting { .. }
        | Outcome::Returned { .. }
        | Outcome::ToolFailed { .. }
        | Outcome::Unknown
        | Outcome::Delivered { .. }
        | Outcome::Declined { .. }
        | Outcome::Found { .. }
        | Outcome::Rang => String::new(),
    }
}

/// Keeps them with the statement that they led to, where it was taken and has none in its own words.
pub(super) fn keep_thoughts(draft: &mut Draft<'_, Debates>, thread: &str, thinking: String) {
    let Some(Work::Speak { turn, seat }) = Work::of(thread).filter(|_| !thinking.is_empty()) else { return };
    let Some(statement) = draft.state.statement(turn, &seat).cloned() else { return };
    if !statement.content.is_empty() && !draft.state.thoughts.contains_key(&statement.id) {
        draft.record(DebateEvent::Thought { statement, thinking });
    }
}

fn statement_of(state: &DebateState, turn: u32, word: &str, content: String, at: i64) -> Option<Statement> {
    let seat = state.seat(word)?;
    Some(Statement {
        id: of_words(&["statement", &state.settings.debate, &turn.to_string(), word]),
        // By turn and seat, so that it does not depend on who was quicker.
        number: (turn - 1) * state.seats.len() as u32 + state.place(word) as u32 + 1,
        turn_id: state.turn(turn)?.row.id.clone(),
        turn,
        seat: word.to_owned(),
        debater: seat.brief.debater.clone(),
        name: seat.brief.name.clone(),
        content,
        created_at: at,
    })
}

/// What a speaker said, apart from what it thought; or what is wrong with it.
fn spoken(state: &DebateState, word: &str, text: &str) -> Result<Spoken, String> {
    let own = state.seat(word).map(|seat| seat.brief.name.as_str()).unwrap_or_default();
    let (thinking, mut content) = without_thinking(text);
    let others = state.seats.iter().map(|seat| seat.brief.name.as_str()).filter(|name| *name != own);
    if let Some(other) = others.into_iter().find(|name| after_name(&content, name).is_some()) {
        return Err(format!("it speaks as {other}, and you are {own}. Speak as yourself, without a name in front."));
    }
    if let Some(rest) = after_name(&content, own) {
        content = rest.to_owned();
    }
    let content =
        STATEMENT.check(&content).map_err(|unfit| format!("{unfit}. Say your statement after </thinking>."))?;
    Ok(Spoken { content, thinking })
}

/// What follows a name and a colon at the beginning of a text.
fn after_name<'a>(content: &'a str, name: &str) -> Option<&'a str> {
    if name.is_empty() {
        return None;
    }
    let rest = content.trim_start_matches(['「', '*', '[', '【']).strip_prefix(name)?;
    rest.trim_start_matches(['」', '*', ']', '】', ' ']).strip_prefix([':', '：']).map(str::trim_start)
}

/// A reply as its thinking block and the rest. A block that is never closed takes everything with it.
fn without_thinking(text: &str) -> (String, String) {
    let (mut thinking, mut rest) = (Vec::new(), text.to_owned());
    for (open, close) in [("<thinking>", "</thinking>"), ("<think>", "</think>")] {
        while let Some(start) = rest.find(open) {
            let inside = start + open.len();
            let (end, after) = match rest[inside..].find(close) {
                Some(length) => (inside + length, inside + length + close.len()),
                None => (rest.len(), rest.len()),
            };
            thinking.push(rest[inside..end].trim().to_owned());
            rest.replace_range(start..after, "");
        }
    }
    (thinking.join("\n"), rest.trim().to_owned())
}
