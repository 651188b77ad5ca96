//! How a debate ends: a summary, a verdict, closing statements that the seats put in order, a topic to go on with. What no
//! model writes, a rule does.

use std::collections::BTreeSet;

use enza_deliberation_cast as cast;
use enza_deliberation_cast::{Axis, AxisScore, Candidate, NextTopic, Persona, Utterance, Verdict};
use enza_kernel::application::Draft;
use enza_kernel::limits::one_line;
use enza_kernel::schema::{self, Check};
use enza_opinion::Ballots;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::{Author, Card, DebateEvent, Status};
use super::replies::STATEMENT;
use super::state::DebateState;
use super::work::Work;
use super::{Debates, turns};

/// How long a proposed topic may be, in characters.
const NEXT_TITLE: usize = 30;
const NEXT_DESCRIPTION: usize = 120;
const SUMMARY: usize = 4_000;

/// A verdict as a model writes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct VerdictReply {
    /// Each of the seven axes once.
    pub axes: Vec<AxisReply>,
    /// In a few sentences.
    pub summary: String,
    /// At most three short quotations.
    pub highlights: Vec<String>,
    /// What was agreed on.
    pub consensus: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct AxisReply {
    /// quality, cooperation, convergence, novelty, inclusiveness, transformation or cross_reference.
    pub axis: String,
    /// From 1 to 10.
    pub score: u8,
    pub reason: String,
    pub example: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct CandidatesReply {
    /// Three statements.
    pub candidates: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct RankingReply {
    /// Every number once, the most wanted first.
    pub order: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct NextReply {
    pub title: String,
    pub description: String,
}

impl Check for VerdictReply {
    fn check(&self) -> Result<(), String> {
        for axis in Axis::ALL {
            let scores: Vec<u8> = self.axes.iter().filter(|one| one.axis == axis.word()).map(|one| one.score).collect();
            match scores[..] {
                [1..=10] => {}
                [_] => return Err(format!("axes: the score of {} must be from 1 to 10", axis.word())),
                _ => return Err(format!("axes: {} must be there once", axis.word())),
            }
        }
        Ok(())
    }
}

impl Check for CandidatesReply {
    fn check(&self) -> Result<(), String> {
        let different: BTreeSet<&str> = self.candidates.iter().map(|one| one.trim()).collect();
        let fits = self.candidates.iter().all(|one| STATEMENT.check(one).is_ok());
        let is_three = self.candidates.len() == 3 && different.len() == 3;
        if is_three && fits { Ok(()) } else { Err("candidates: write three different statements".to_owned()) }
    }
}

impl Check for RankingReply {}

impl Check for NextReply {
    fn check(&self) -> Result<(), String> {
        let is_blank = self.title.trim().is_empty() || self.description.trim().is_empty();
        if is_blank { Err("title and description must say something".to_owned()) } else { Ok(()) }
    }
}

impl VerdictReply {
    pub(super) fn of(verdict: &Verdict) -> Self {
        let axis = |one: &AxisScore| AxisReply {
            axis: one.axis.word().to_owned(),
            score: one.score,
            reason: one.reason.clone(),
            example: one.example.clone(),
        };
        Self {
            axes: verdict.axes.iter().map(axis).collect(),
            summary: verdict.summary.clone(),
            highlights: verdict.highlights.clone(),
            consensus: verdict.consensus.clone(),
        }
    }

    fn into_verdict(self, said: &[Utterance]) -> Verdict {
        let find = |axis: Axis| {
            let one = self.axes.iter().find(|one| one.axis == axis.word())?;
            let holds = |said: &&Utterance| !one.example.trim().is_empty() && said.text.contains(one.example.trim());
            Some(AxisScore {
                axis,
                score: one.score,
                reason: one.reason.trim().to_owned(),
                example: one.example.trim().to_owned(),
                statement: said.iter().find(holds).map(|said| said.number),
            })
        };
        Verdict {
            axes: Axis::ALL.into_iter().filter_map(find).collect(),
            summary: self.summary.trim().to_owned(),
            highlights: self.highlights.iter().take(3).map(|one| one.trim().to_owned()).collect(),
            consensus: self.consensus.trim().to_owned(),
        }
    }
}

/// The last turn is over: everything that needs nothing else is asked for at once.
pub(super) fn begin(draft: &mut Draft<'_, Debates>) {
    draft.record(DebateEvent::ClosingBegun);
    let mut works = vec![Work::Summary, Work::Verdict, Work::Candidates];
    // A tutorial's topic is the house's and does not go on.
    if !draft.state.settings.is_tutorial {
        works.push(Work::Next);
    }
    for work in works {
        turns::begin(draft, &work);
    }
}

/// Has the seats put the candidates in order once there are any, and ends the debate once everything is there.
pub(super) fn go_on(draft: &mut Draft<'_, Debates>) {
    let state = &draft.state;
    let outcome = &state.outcome;
    let threads = &state.cast.threads;
    if outcome.candidates.is_some() {
        let is_new = |work: &Work| !threads.contains_key(&work.thread());
        let unasked = state.present().filter(|seat| !outcome.rankings.contains_key(&seat.word));
        let unasked: Vec<Work> = unasked.map(|seat| Work::Ranking { seat: seat.word.clone() }).filter(is_new).collect();
        for work in unasked {
            turns::begin(draft, &work);
        }
    }
    let state = &draft.state;
    let outcome = &state.outcome;
    let is_ranked =
        outcome.candidates.is_some() && state.present().all(|seat| outcome.rankings.contains_key(&seat.word));
    let has_next = outcome.next.is_some() || state.settings.is_tutorial;
    if is_ranked && has_next && outcome.summary.is_some() && outcome.verdict.is_some() {
        complete(draft);
    }
}

fn complete(draft: &mut Draft<'_, Debates>) {
    let rolling: Vec<String> = draft.state.cast.threads.keys().cloned().collect();
    for thread in rolling.iter().filter(|thread| matches!(Work::of(thread), Some(Work::TurnSummary { .. }))) {
        turns::close_thread(draft, thread);
    }
    let closing = chosen(&draft.state);
    let card = Card {
        status: Status::Completed,
        completed_at: Some(draft.now().time.0),
        summary: draft.state.outcome.summary.clone(),
        ..draft.state.card.clone()
    };
    draft.record(DebateEvent::Completed { card, closing });
}

/// The candidate that the seats would rather have than any other, by Schulze's method.
fn chosen(state: &DebateState) -> Option<String> {
    let candidates = state.outcome.candidates.as_ref()?;
    let names = || (0..candidates.len()).map(|place| place.to_string());
    let ballot = |(seat, order): (&String, &Vec<usize>)| {
        (seat.clone(), order.iter().map(|place| vec![place.to_string()]).collect())
    };
    let ranking = enza_opinion::rank(&Ballots::gather(names(), state.outcome.rankings.iter().map(ballot)));
    let first = ranking.chosen.or_else(|| ranking.order.into_iter().next().map(|one| one.candidate))?;
    candidates.get(first.parse::<usize>().ok()?).map(|one| one.text.clone())
}

/// Takes an outcome that a model wrote.
pub(super) fn said(draft: &mut Draft<'_, Debates>, work: &Work, text: &str) -> Result<(), String> {
    let by = Author::Model;
    let said = draft.state.all_said();
    let event = match work {
        Work::Summary if text.trim().is_empty() => return Err("there is nothing in it".to_owned()),
        Work::Summary => DebateEvent::SummaryWritten { text: one_piece(text), by },
        Work::Verdict => DebateEvent::VerdictGiven { verdict: read::<VerdictReply>(text)?.into_verdict(&said), by },
        Work::Candidates => {
            let candidates = read::<CandidatesReply>(text)?.candidates.into_iter();
            let candidates = candidates.map(|text| Candidate { text: text.trim().to_owned(), statements: Vec::new() });
            DebateEvent::CandidatesWritten { candidates: candidates.collect(), by }
        }
        Work::Ranking { seat } => {
            let order = read::<RankingReply>(text)?.order;
            let count = draft.state.outcome.candidates.as_ref().map_or(0, Vec::len);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if sorted != (1..=count).collect::<Vec<_>>() {
                return Err(format!("order: write every number from 1 to {count} once"));
            }
            let order = order.into_iter().map(|number| number - 1).collect();
            DebateEvent::SeatRanked { seat: seat.clone(), order, by }
        }
        Work::Next => {
            let NextReply { title, description } = read(text)?;
            let title = one_line(&title, NEXT_TITLE);
            DebateEvent::NextProposed {
                next: NextTopic { title, description: one_line(&description, NEXT_DESCRIPTION) },
                by,
            }
        }
        Work::Strategy { .. } | Work::Speak { .. } | Work::Redraw { .. } | Work::TurnSummary { .. } => return Ok(()),
    };
    draft.record(event);
    Ok(())
}

/// Writes an outcome by rule.
pub(super) fn fall_back(draft: &mut Draft<'_, Debates>, work: &Work) {
    let by = Author::Rule;
    let state = &draft.state;
    let (lang, title, said) = (state.lang(), &state.topic.title, state.all_said());
    let event = match work {
        Work::Summary => DebateEvent::SummaryWritten { text: cast::summary(lang, title, &said), by },
        Work::Verdict => DebateEvent::VerdictGiven { verdict: cast::verdict(lang, title, &said), by },
        Work::Candidates => {
            DebateEvent::CandidatesWritten { candidates: cast::closing_candidates(lang, title, &said), by }
        }
        Work::Ranking { seat } => {
            let candidates = state.outcome.candidates.as_deref().unwrap_or_default();
            let brief = state.seat(seat).map(|seat| &seat.brief);
            let persona = brief.and_then(|brief| Persona::read(&brief.persona).ok());
            let own: Vec<Utterance> =
                said.into_iter().filter(|one| brief.is_some_and(|brief| brief.name == one.speaker)).collect();
            let order = match persona {
                Some(persona) => cast::ranking(&persona, &own, candidates, &state.settings.seed),
                None => (0..candidates.len()).collect(),
            };
            DebateEvent::SeatRanked { seat: seat.clone(), order, by }
        }
        Work::Next => DebateEvent::NextProposed { next: cast::next_topic(lang, title, &said), by },
        Work::Strategy { .. } | Work::Speak { .. } | Work::Redraw { .. } | Work::TurnSummary { .. } => return,
    };
    draft.record(event);
}

fn read<T: serde::de::DeserializeOwned + JsonSchema + Check>(text: &str) -> Result<T, String> {
    schema::parse(text).map_err(|malformed| malformed.to_string())
}

fn one_piece(text: &str) -> String {
    text.trim().chars().take(SUMMARY).collect()
}
