//! Takes recorded events into the state. Never fails: what is recorded has happened.

use std::collections::BTreeMap;

use enza_kernel::application::Entry;
use enza_kernel::budget::Ledger;
use enza_kernel::effect::Key;
use enza_kernel::errand::{Errand, ErrandKind};
use enza_kernel::time::{Seq, Timestamp};
use serde_json::{Value, json};

use super::event::{Card, DebateEvent, Status, TurnRow};
use super::state::{DebateState, DrawnAgain, Seat, Stage, Turn};
use crate::OwnStatement;
use crate::messages::ToDebater;
use crate::topic::{self, DebateOutcome};

pub(super) fn evolve(state: &mut DebateState, entry: &Entry<DebateEvent>) {
    match &entry.event {
        DebateEvent::Opened { card, topic, settings, window, strategies_until } => {
            state.card = card.clone();
            state.topic = topic.clone();
            state.settings = settings.clone();
            state.window = *window;
            state.stage = Stage::Preparing { until: *strategies_until };
            state.cast.ledger = settings.budget.map_or_else(Ledger::default, Ledger::limited);
        }
        DebateEvent::SeatTaken { seat, id, brief } => state.seats.push(Seat {
            word: seat.clone(),
            id: id.clone(),
            brief: brief.clone(),
            strategy: None,
            is_withdrawn: false,
        }),
        DebateEvent::Stepped(step) => state.cast.evolve(entry.seq, step),
        DebateEvent::StrategyMade { strategy } => {
            if let Some(seat) = seat_mut(state, &strategy.seat) {
                seat.strategy = Some(strategy.clone());
            }
        }
        DebateEvent::TurnOpened { card, turn, until } => turn_opened(state, card, turn, *until),
        DebateEvent::DirectionGiven { direction } => state.directions.push(direction.clone()),
        DebateEvent::DirectionChanged { direction } => {
            if let Some(one) = state.directions.iter_mut().find(|one| one.id == direction.id) {
                one.clone_from(direction);
            }
        }
        DebateEvent::DirectionWithdrawn { id, .. } => state.directions.retain(|one| one.id != *id),
        DebateEvent::Arrived { seats } => state.arrived.extend(seats.iter().cloned()),
        DebateEvent::WantedNow { seats } => {
            state.arrived.extend(seats.iter().cloned());
            state.wanting.extend(seats.iter().cloned());
        }
        DebateEvent::TurnFrozen { turn, summary_of } => {
            state.stage = Stage::Speaking { turn: turn.turn_number };
            if let Some(one) = turn_mut(state, turn) {
                one.frozen_at = Some(entry.seq);
                one.summary_of = *summary_of;
            }
        }
        DebateEvent::Spoke { statement } | DebateEvent::SpeakerFailed { statement } => {
            state.statements.push(statement.clone());
        }
        DebateEvent::Thought { statement, thinking } => {
            state.thoughts.insert(statement.id.clone(), thinking.clone());
        }
        DebateEvent::TurnClosed { turn } | DebateEvent::TurnSummed { turn, .. } => drop(turn_mut(state, turn)),
        DebateEvent::ClosingBegun => state.stage = Stage::Closing,
        DebateEvent::SummaryWritten { text, .. } => state.outcome.summary = Some(text.clone()),
        DebateEvent::VerdictGiven { verdict, .. } => state.outcome.verdict = Some(verdict.clone()),
        DebateEvent::CandidatesWritten { candidates, .. } => state.outcome.candidates = Some(candidates.clone()),
        DebateEvent::SeatRanked { seat, order, .. } => drop(state.outcome.rankings.insert(seat.clone(), order.clone())),
        DebateEvent::NextProposed { next, .. } => state.outcome.next = Some(next.clone()),
        DebateEvent::Completed { card, closing } => {
            state.outcome.closing.clone_from(closing);
            over(state, card, entry.seq);
        }
        DebateEvent::Cancelled { card, .. } => over(state, card, entry.seq),
        DebateEvent::SeatWithdrawn { seat, directions, .. } => withdrawn(state, seat, directions),
        DebateEvent::VoteCast { statement, person, choice } => {
            state.votes.entry(statement.clone()).or_default().insert(person.clone(), *choice);
        }
        DebateEvent::RedrawAsked { turn, seat } => {
            state.redraws.retain(|one| one.turn != *turn || one.seat != *seat);
            state.redraws.push(DrawnAgain { turn: *turn, seat: seat.clone(), texts: BTreeMap::new() });
        }
        DebateEvent::Redrawn { turn, seat, way, text } => {
            if let Some(one) = state.redraws.iter_mut().find(|one| one.turn == *turn && one.seat == *seat) {
                one.texts.insert(*way, text.clone());
            }
        }
        DebateEvent::CounterfactualBegun { turn, seat, direction } => {
            state.altered = Some(*turn);
            state.directions.retain(|one| one.turn != *turn || one.seat != *seat);
            state.directions.extend(direction.clone());
        }
        DebateEvent::ErrandEnded { key, .. } => state.errands.retain(|errand| errand.key != *key),
        DebateEvent::StrategyFailed { .. } => {}
    }
}

fn seat_mut<'a>(state: &'a mut DebateState, word: &str) -> Option<&'a mut Seat> {
    state.seats.iter_mut().find(|seat| seat.word == word)
}

/// The turn of a row, with the row as it is now.
fn turn_mut<'a>(state: &'a mut DebateState, row: &TurnRow) -> Option<&'a mut Turn> {
    let turn = state.turns.iter_mut().find(|turn| turn.row.id == row.id)?;
    turn.row = row.clone();
    Some(turn)
}

fn turn_opened(state: &mut DebateState, card: &Card, row: &TurnRow, until: Timestamp) {
    state.card = card.clone();
    state.stage = Stage::Waiting { turn: row.turn_number, until };
    state.turns.push(Turn { row: row.clone(), frozen_at: None, summary_of: None });
    state.arrived.clear();
    state.wanting.clear();
}

fn withdrawn(state: &mut DebateState, word: &str, directions: &[String]) {
    state.directions.retain(|one| !directions.contains(&one.id));
    state.redraws.retain(|one| one.seat != word);
    state.arrived.remove(word);
    state.wanting.remove(word);
    if let Some(seat) = seat_mut(state, word) {
        seat.is_withdrawn = true;
        seat.strategy = None;
        // Its owner has deleted it: nothing of what it brought is kept here.
        seat.brief.knowledge.clear();
        seat.brief.feedback = None;
    }
}

/// It is over: the topic and the debaters are owed the news.
fn over(state: &mut DebateState, card: &Card, seq: Seq) {
    state.card = card.clone();
    state.stage = Stage::Over;
    // What only might have gone so reaches nobody.
    if state.altered.is_some() {
        return;
    }
    let mut news = Vec::new();
    if !card.is_tutorial {
        news.push((state.topic.id.clone(), topic_news(state)));
    }
    for seat in state.present().filter(|seat| seat.brief.owner.is_some()) {
        news.push((seat.brief.debater.clone(), json!(debater_news(state, seat))));
    }
    let errands = news.into_iter().zip(0..).map(|((session, command), ordinal)| Errand {
        key: Key { seq, ordinal },
        what: ErrandKind::Tell { session, command },
    });
    state.errands.extend(errands);
}

fn topic_news(state: &DebateState) -> Value {
    let outcome = match state.card.status {
        Status::Completed => DebateOutcome::Completed,
        Status::Pending | Status::Active | Status::Cancelled => DebateOutcome::Cancelled,
    };
    json!(topic::TopicCommand::Ended {
        debate: state.settings.debate.clone(),
        outcome,
        summary: state.outcome.summary.clone().unwrap_or_default(),
        next: state.outcome.next.clone(),
    })
}

fn debater_news(state: &DebateState, seat: &Seat) -> ToDebater {
    let debate = state.settings.debate.clone();
    let Some(completed_at) = state.card.completed_at.filter(|_| state.card.status == Status::Completed) else {
        return ToDebater::Released { debate };
    };
    let own = state.statements.iter().filter(|one| one.seat == seat.word && !one.content.is_empty());
    let own = own.map(|one| OwnStatement { turn: one.turn, content: one.content.clone() });
    ToDebater::Completed {
        debate,
        title: state.topic.title.clone(),
        completed_at: Timestamp(completed_at),
        own: own.collect(),
        summary: state.outcome.summary.clone().unwrap_or_default(),
        highlights: state.outcome.verdict.as_ref().map(|verdict| verdict.highlights.clone()).unwrap_or_default(),
    }
}
