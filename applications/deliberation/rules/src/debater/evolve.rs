//! Takes recorded events into the state. Never fails: what is recorded has happened.

use std::collections::BTreeMap;
use std::time::Duration;

use enza_deliberation_cast::Persona;
use enza_kernel::application::Entry;
use enza_kernel::time::Timestamp;

use super::agents::{self, GROWTH, PORTRAIT};
use super::errands;
use super::event::{AgentCard, DebaterEvent, GivenFeedback, PersonaChange, TrialSide};
use super::state::{
    CHANGES_KEPT, CompletedDebate, DEBATES_KEPT, DebaterState, FeedbackTrial, GrowthState, HeldSeat, Profile,
};
use crate::stable::GrowthTime;

/// How long a persona, a question or a trial may be in the making.
const SOON: Duration = Duration::from_secs(60);
/// How long a growth may take.
const LATER: Duration = Duration::from_secs(300);

pub(super) fn evolve(state: &mut DebaterState, entry: &Entry<DebaterEvent>) {
    errands::evolve(state, entry);
    match &entry.event {
        DebaterEvent::Opened { .. } => opened(state, entry),
        DebaterEvent::Born { card, .. } => {
            take_card(state, card);
            end_thread(state, PORTRAIT);
        }
        DebaterEvent::Renamed { card, .. } | DebaterEvent::StatusSet { card, .. } => take_card(state, card),
        DebaterEvent::KnowledgeAdded { entry, .. } => state.knowledge.insert(0, entry.clone()),
        DebaterEvent::KnowledgeEdited { entry } => {
            if let Some(known) = state.knowledge.iter_mut().find(|known| known.id == entry.id) {
                *known = entry.clone();
            }
        }
        DebaterEvent::KnowledgeRemoved { entry, .. } => state.knowledge.retain(|known| known.id != entry.id),
        DebaterEvent::SeatHeld { debate, title, run, by } => state.seats.push(HeldSeat {
            debate: debate.clone(),
            title: title.clone(),
            run: *run,
            by: by.clone(),
            held: entry.seq,
            started_at: None,
            is_briefed: false,
        }),
        DebaterEvent::Briefed { debate, .. } => on_seat(state, debate, |seat| seat.is_briefed = true),
        DebaterEvent::SeatStarted { debate, started_at } => {
            on_seat(state, debate, |seat| seat.started_at = Some(*started_at));
        }
        DebaterEvent::SeatReleased { debate } => state.seats.retain(|seat| seat.debate != *debate),
        DebaterEvent::DebateCompleted { .. } => completed(state, entry),
        DebaterEvent::Reflected { reflection } => {
            state.counts.reflections = reflection.number;
            end_thread(state, &agents::reflection_thread(&reflection.debate));
            on_debate(state, &reflection.debate, |debate| debate.reflection = Some(reflection.clone()));
        }
        DebaterEvent::FeedbackGiven { feedback, answers, .. } => {
            state.counts.feedbacks = feedback.number;
            state.last_feedback_at = Some(feedback.created_at);
            on_debate(state, &feedback.debate, |debate| {
                debate.feedback = Some(feedback.clone());
                if answers.is_some() {
                    debate.reflection.clone_from(answers);
                }
            });
            let is_at_once = state.profile.as_ref().is_some_and(|profile| profile.house.growth == GrowthTime::AtOnce);
            state.growth.is_wanted |= is_at_once && state.growth.under_way.is_some();
        }
        DebaterEvent::FeedbackEdited { feedback } => take_feedback(state, feedback),
        DebaterEvent::GrowthBegun { feedbacks } => {
            state.growth.under_way = Some(feedbacks.clone());
            state.growth.failed = None;
            state.growth.is_wanted = false;
            state.deadlines.insert(GROWTH.to_owned(), entry.at + LATER);
        }
        DebaterEvent::Grown { change, feedbacks, card } => {
            state.growth.under_way = None;
            end_thread(state, GROWTH);
            feedbacks.iter().for_each(|feedback| take_feedback(state, feedback));
            take_change(state, change, card);
        }
        DebaterEvent::GrowthFailed { why } => {
            state.growth = GrowthState { failed: Some(why.clone()), ..GrowthState::default() };
            end_thread(state, GROWTH);
        }
        DebaterEvent::TakenBack { change, card } => take_change(state, change, card),
        DebaterEvent::TrialBegun { trial, debate, content } => trial_begun(state, entry.at, (*trial, debate, content)),
        DebaterEvent::TrialStrategy { strategy, .. } => {
            end_thread(state, agents::TRIAL_STRATEGY);
            on_trial(state, |trial| trial.strategy = Some(strategy.clone()));
        }
        DebaterEvent::TrialSaid { side, sentence, .. } => {
            end_thread(state, agents::trial_thread(*side));
            on_trial(state, |trial| drop(trial.said.insert(*side, sentence.clone())));
        }
        DebaterEvent::TrialFailed { .. } => on_trial(state, |trial| trial.has_failed = true),
        DebaterEvent::Retired { .. } => retired(state),
        DebaterEvent::ErrandEnded { .. } | DebaterEvent::SeatGivenUp { .. } => {}
        DebaterEvent::Stepped(step) => state.cast.evolve(entry.seq, step),
    }
    if state.trial.as_ref().is_some_and(FeedbackTrial::is_over) {
        end_trial(state);
    }
}

fn opened(state: &mut DebaterState, entry: &Entry<DebaterEvent>) {
    let DebaterEvent::Opened { debater, owner, stable, name, values, lang, status, house } = &entry.event else {
        return;
    };
    state.deadlines.insert(PORTRAIT.to_owned(), entry.at + SOON);
    state.profile = Some(Profile {
        debater: debater.clone(),
        owner: owner.clone(),
        stable: stable.clone(),
        name: name.clone(),
        values: values.clone(),
        lang: *lang,
        status: *status,
        house: *house,
        created_at: entry.at,
    });
}

fn take_card(state: &mut DebaterState, card: &AgentCard) {
    if let Some(profile) = &mut state.profile {
        profile.name.clone_from(&card.name);
        profile.status = card.status;
    }
    // Whatever was recorded was read before; a persona that this build cannot read stays what it was.
    if let Ok(persona) = Persona::read(&card.persona) {
        state.persona = Some(persona);
    }
}

fn take_change(state: &mut DebaterState, change: &PersonaChange, card: &AgentCard) {
    state.counts.changes = change.number;
    take_card(state, card);
    state.changes.push(change.clone());
    let spare = state.changes.len().saturating_sub(CHANGES_KEPT);
    state.changes.drain(..spare);
}

fn completed(state: &mut DebaterState, entry: &Entry<DebaterEvent>) {
    let DebaterEvent::DebateCompleted { debate, title, completed_at, own, summary, highlights } = &entry.event else {
        return;
    };
    let Some(place) = state.seats.iter().position(|seat| seat.debate == *debate) else { return };
    state.deadlines.insert(agents::reflection_thread(debate), entry.at + SOON);
    let has_more = |used: &Vec<String>| state.unapplied().iter().any(|feedback| !used.contains(&feedback.id));
    state.growth.is_wanted |= state.growth.under_way.as_ref().is_some_and(has_more);
    state.completed.push(CompletedDebate {
        seat: state.seats.remove(place),
        title: title.clone(),
        told: entry.seq,
        completed_at: *completed_at,
        own: own.clone(),
        summary: summary.clone(),
        highlights: highlights.clone(),
        reflection: None,
        feedback: None,
    });
    while state.completed.len() > DEBATES_KEPT {
        let is_spare =
            |debate: &CompletedDebate| debate.feedback.as_ref().is_none_or(|feedback| feedback.applied_at.is_some());
        let Some(spare) = state.completed[..DEBATES_KEPT].iter().position(is_spare) else { break };
        let gone = state.completed.remove(spare);
        state.forgotten_hold = state.forgotten_hold.max(gone.seat.held);
        end_thread(state, &agents::reflection_thread(&gone.seat.debate));
    }
}

fn take_feedback(state: &mut DebaterState, feedback: &GivenFeedback) {
    on_debate(state, &feedback.debate, |debate| debate.feedback = Some(feedback.clone()));
}

fn trial_begun(state: &mut DebaterState, at: Timestamp, (trial, debate, content): (u64, &str, &str)) {
    state.counts.trials = trial;
    state.deadlines.insert(agents::TRIAL.to_owned(), at + SOON + SOON);
    state.trial = Some(FeedbackTrial {
        number: trial,
        debate: debate.to_owned(),
        content: content.to_owned(),
        strategy: None,
        said: BTreeMap::new(),
        has_failed: false,
    });
}

/// What still runs for a trial is given up, and nobody waits for it.
fn end_trial(state: &mut DebaterState) {
    let sides = [TrialSide::With, TrialSide::Without].map(agents::trial_thread);
    for thread in sides.into_iter().chain([agents::TRIAL_STRATEGY, agents::TRIAL]) {
        end_thread(state, thread);
    }
}

fn retired(state: &mut DebaterState) {
    state.is_retired = true;
    state.cast.threads.clear();
    state.deadlines.clear();
    state.seats.clear();
    state.completed.clear();
    state.knowledge.clear();
    state.changes.clear();
    state.trial = None;
    state.growth = GrowthState::default();
}

fn end_thread(state: &mut DebaterState, thread: &str) {
    state.cast.threads.remove(thread);
    state.deadlines.remove(thread);
}

fn on_seat(state: &mut DebaterState, debate: &str, change: impl FnOnce(&mut HeldSeat)) {
    if let Some(seat) = state.seats.iter_mut().find(|seat| seat.debate == debate) {
        change(seat);
    }
}

fn on_debate(state: &mut DebaterState, debate: &str, change: impl FnOnce(&mut CompletedDebate)) {
    if let Some(known) = state.completed.iter_mut().find(|known| known.seat.debate == debate) {
        change(known);
    }
}

fn on_trial(state: &mut DebaterState, change: impl FnOnce(&mut FeedbackTrial)) {
    if let Some(trial) = &mut state.trial {
        change(trial);
    }
}
