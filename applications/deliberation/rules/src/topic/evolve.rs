//! Takes recorded events into the state, and what they make the topic owe to others. Never fails: it has happened.

use std::collections::BTreeSet;
use std::time::Duration;

use enza_deliberation_cast::{mode, partners};
use enza_kernel::application::{Application as _, Entry};
use enza_kernel::effect::Key;
use enza_kernel::errand::{Errand, ErrandKind, Look};
use enza_kernel::schedule::{Schedule, ScheduleState};
use enza_kernel::text::Lang;
use enza_kernel::time::{Seq, Timestamp};
use serde_json::json;

use super::command::{DebateOutcome, TopicCommand, TopicSettings};
use super::event::{RunName, TopicEvent};
use super::state::{DebateCard, REMEMBERED, Run, TopicState};
use super::{DEBATERS, Topics};
use crate::debate::{self, DebateSettings, Debates, TopicCard};
use crate::messages::ToDebater;
use crate::{Brief, KnowledgeEntry, of_words};

pub(super) fn evolve(state: &mut TopicState, entry: &Entry<TopicEvent>) {
    let Entry { seq, at, event } = entry;
    let (seq, at) = (*seq, *at);
    match event {
        TopicEvent::Begun { listing, settings } => {
            state.listing = Some(listing.clone());
            state.settings = settings.clone();
            state.schedule = schedule_of(settings).map(|schedule| ScheduleState::new(schedule, at));
        }
        TopicEvent::Edited { listing } => state.listing = Some(listing.clone()),
        TopicEvent::Archived { listing } => {
            state.listing = Some(listing.clone());
            state.schedule = None;
        }
        TopicEvent::Configured { settings } => configured(state, settings, at),
        TopicEvent::Paused => state.schedule.iter_mut().for_each(|schedule| schedule.paused(at)),
        TopicEvent::Resumed => state.schedule.iter_mut().for_each(|schedule| schedule.resumed(at)),
        TopicEvent::RunBegun { run, since, named, turns } => {
            started(state, *run, at);
            run_begun(state, *run, named, *turns);
            owe(state, seq, [look(*since, named)]);
        }
        TopicEvent::Drawn { debate, seed, order, wanted, until } => {
            if let Some(run) = &mut state.run {
                run.debate = Some(debate.clone());
                run.seed = *seed;
                run.order.clone_from(order);
                run.queue.clone_from(order);
                run.wanted = *wanted;
                run.until = Some(*until);
            }
            state.errands.retain(|errand| !matches!(errand.what, ErrandKind::Look(_)));
        }
        TopicEvent::Summoned { debaters } => summoned(state, seq, debaters),
        TopicEvent::SummonAnswered { key, debater, declined } => {
            let of_run = state.run.as_ref().and_then(|run| run.debate.clone());
            let is_of_run = state.errands.iter().any(|errand| errand.key == *key && debate_of(errand) == of_run);
            state.errands.retain(|errand| errand.key != *key);
            // A summons of an earlier run may be answered while another one is under way.
            if let Some(run) = state.run.as_mut().filter(|_| is_of_run && declined.is_some()) {
                run.waiting.remove(debater);
            }
        }
        TopicEvent::BriefTaken { brief } => {
            if let Some(run) = &mut state.run {
                run.waiting.remove(&brief.debater);
                run.briefs.push(brief.clone());
            }
        }
        TopicEvent::GivenUp { debaters } => {
            let debate = state.run.as_ref().and_then(|run| run.debate.clone()).unwrap_or_default();
            if let Some(run) = &mut state.run {
                run.queue.clear();
                run.waiting.clear();
            }
            release(state, seq, &debate, debaters);
        }
        TopicEvent::RunSkipped { run, why, released } => {
            started(state, *run, at);
            if let Some(own) = state.run.take_if(|own| own.name == *run) {
                state.errands.retain(|errand| !matches!(errand.what, ErrandKind::Look(_)));
                release(state, seq, &own.debate.unwrap_or_default(), released);
            }
            state.skipped.push((*run, *why));
            let spare = state.skipped.len().saturating_sub(REMEMBERED);
            state.skipped.drain(..spare);
        }
        TopicEvent::Convened { debate, debaters, partners } => convened(state, seq, debate, debaters, *partners),
        TopicEvent::DebateOpened { key, debate } => {
            state.errands.retain(|errand| errand.key != *key);
            let Some(card) = state.debates.get_mut(debate) else { return };
            card.opened_at = Some(at);
            let debaters = card.debaters.clone();
            let news = || ToDebater::Seated { debate: debate.clone(), started_at: at };
            owe(state, seq, debaters.into_iter().map(|debater| tell(debater, &news())));
        }
        TopicEvent::DebateNotOpened { key, debate, .. } => {
            state.errands.retain(|errand| errand.key != *key);
            let debaters = state.debates.remove(debate).map(|card| card.debaters).unwrap_or_default();
            release(state, seq, debate, &debaters);
        }
        TopicEvent::DebateEnded { debate, outcome, summary, next } => {
            if let Some(card) = state.debates.get_mut(debate) {
                card.outcome = Some(*outcome);
                card.summary.clone_from(summary);
            }
            if let Some(next) = next.as_ref().filter(|_| *outcome == DebateOutcome::Completed) {
                state.proposals.insert(debate.clone(), next.clone());
            }
            forget_old(state);
        }
        TopicEvent::NextAccepted { debate, session, next, listing } => {
            state.proposals.remove(debate);
            state.schedule = None;
            let begin = TopicCommand::Begin {
                id: Some(session.clone()),
                title: next.title.clone(),
                description: next.description.clone(),
                lang: listing.lang,
                settings: Some(state.settings.clone()),
                owner: Some(listing.owner.clone()),
            };
            state.listing = Some(listing.clone());
            let application = Topics::NAME.to_owned();
            owe(
                state,
                seq,
                [ErrandKind::Open { session: session.clone(), application, of: None, command: json!(begin) }],
            );
        }
        TopicEvent::NextDropped { debate } => drop(state.proposals.remove(debate)),
        TopicEvent::ErrandEnded { key, .. } => state.errands.retain(|errand| errand.key != *key),
    }
}

/// What is recorded was checked before.
fn schedule_of(settings: &TopicSettings) -> Option<Schedule> {
    settings.check().ok().flatten()
}

fn configured(state: &mut TopicState, settings: &TopicSettings, at: Timestamp) {
    state.settings = settings.clone();
    match (schedule_of(settings), &mut state.schedule) {
        (Some(schedule), Some(known)) => known.changed(schedule, at),
        (Some(schedule), known) => *known = Some(ScheduleState::new(schedule, at)),
        (None, known) => *known = None,
    }
}

/// The schedule has come this far, whatever becomes of the run.
fn started(state: &mut TopicState, run: RunName, at: Timestamp) {
    let Some(schedule) = &mut state.schedule else { return };
    match run.start {
        Some(start) => schedule.started(start, at),
        None => schedule.ran_now(at),
    }
}

fn run_begun(state: &mut TopicState, name: RunName, named: &[String], turns: u32) {
    state.run = Some(Run {
        name,
        named: named.to_vec(),
        turns,
        debate: None,
        seed: [0; 2],
        order: Vec::new(),
        wanted: 0,
        until: None,
        queue: Vec::new(),
        waiting: BTreeSet::new(),
        briefs: Vec::new(),
    });
}

/// Active debaters for whom something was done lately. Where they were named, only chance is needed of the look.
fn look(since: Timestamp, named: &[String]) -> ErrandKind {
    let look = Look::at(DEBATERS).where_equal("status", "active").where_at_least("active_at", since.0);
    ErrandKind::Look(if named.is_empty() { look } else { Look { most: 1, ..look } })
}

fn summoned(state: &mut TopicState, seq: Seq, debaters: &[String]) {
    let title = state.title().to_owned();
    let most_per_run = state.settings.most_per_run;
    let Some(run) = &mut state.run else { return };
    run.queue.retain(|one| !debaters.contains(one));
    run.waiting.extend(debaters.iter().cloned());
    let debate = run.debate.clone().unwrap_or_default();
    let summon = ToDebater::Summon { debate, run: run.name.at, most_per_run, title };
    owe(state, seq, debaters.iter().map(|debater| tell(debater.clone(), &summon)));
}

fn release(state: &mut TopicState, seq: Seq, debate: &str, debaters: &[String]) {
    let release = ToDebater::Release { debate: debate.to_owned() };
    owe(state, seq, debaters.iter().map(|debater| tell(debater.clone(), &release)));
}

/// The debate is opened with what everybody brought; the topic keeps none of it.
fn convened(state: &mut TopicState, seq: Seq, debate: &str, debaters: &[String], partners: usize) {
    let Some(mut run) = state.run.take() else { return };
    let Some(listing) = state.listing.clone() else { return };
    let place = |brief: &Brief| run.order.iter().position(|one| *one == brief.debater);
    run.briefs.sort_by_key(place);
    let mut seats = run.briefs;
    seats.extend(house(listing.lang).into_iter().take(partners));
    let of_mode = mode(&state.settings.mode).and_then(|mode| mode.window_seconds);
    let window = Duration::from_secs(of_mode.unwrap_or(state.settings.window_seconds).into());
    let open = debate::DebateCommand::Open {
        topic: TopicCard {
            id: listing.session.clone().unwrap_or_default(),
            title: listing.title,
            description: listing.description,
            lang: listing.lang,
        },
        mode: state.settings.mode.clone(),
        turns: run.turns,
        seats,
        window: window.as_millis() as u64,
        settings: DebateSettings {
            debate: debate.to_owned(),
            host: listing.owner,
            seed: format!("{:016x}{:016x}", run.seed[0], run.seed[1]),
            budget: state.settings.budget,
            is_tutorial: false,
        },
    };
    let card =
        DebateCard { debaters: debaters.to_vec(), partners, opened_at: None, outcome: None, summary: String::new() };
    state.debates.insert(debate.to_owned(), card);
    owe(
        state,
        seq,
        [ErrandKind::Open {
            session: debate.to_owned(),
            application: Debates::NAME.to_owned(),
            of: listing.session,
            command: json!(open),
        }],
    );
}

/// The partners of the house as they sit down.
pub fn house(lang: Lang) -> Vec<Brief> {
    let brief = |partner: &enza_deliberation_cast::Partner| {
        let text = partner.text(lang);
        let known = text.knowledge.iter().map(|known| KnowledgeEntry {
            id: of_words(&["partner", &partner.key, &known.title]),
            title: known.title.clone(),
            content: known.content.clone(),
            created_at: 0,
        });
        let persona = partner.persona(lang);
        Brief {
            debater: partner.key.clone(),
            owner: None,
            name: text.name.clone(),
            persona: persona.raw().to_owned(),
            persona_version: persona.version(),
            knowledge: known.collect(),
            feedback: None,
        }
    };
    partners().iter().map(brief).collect()
}

fn forget_old(state: &mut TopicState) {
    let mut ended: Vec<(Option<Timestamp>, String)> = state
        .debates
        .iter()
        .filter(|(_, card)| card.outcome.is_some())
        .map(|(debate, card)| (card.opened_at, debate.clone()))
        .collect();
    ended.sort();
    let spare = ended.len().saturating_sub(REMEMBERED);
    for (_, debate) in ended.into_iter().take(spare) {
        state.debates.remove(&debate);
        state.proposals.remove(&debate);
    }
}

/// The debate that a summons is for.
fn debate_of(errand: &Errand) -> Option<String> {
    let ErrandKind::Tell { command, .. } = &errand.what else { return None };
    command.pointer("/summon/debate")?.as_str().map(str::to_owned)
}

fn tell(session: String, command: &ToDebater) -> ErrandKind {
    ErrandKind::Tell { session, command: json!(command) }
}

fn owe(state: &mut TopicState, seq: Seq, errands: impl IntoIterator<Item = ErrandKind>) {
    let errands = errands.into_iter().zip(0..).map(|(what, ordinal)| Errand { key: Key { seq, ordinal }, what });
    state.errands.extend(errands);
}
