//! What the owner finds on coming to a debater: who it is, what it knows, what it asks, how it grew, and the ways on.
//!
//! An offer is made exactly where its command would be accepted. Adding knowledge wants two texts and is left to the pages.

use enza_kernel::floor::{Floor, Offer, Position, Weight};
use enza_kernel::moves::Table;
use enza_kernel::panel::{Fact, ItemAction, ListItem, Meter, Panel};
use enza_kernel::text::Lang;
use serde_json::{Value, json};

use super::command::DebaterCommand;
use super::event::{PersonaChange, TrialSide};
use super::growth_log;
use super::state::{CompletedDebate, DebaterState, FeedbackTrial, HeldSeat, Profile};
use crate::limits::{FEEDBACK, KNOWLEDGE_SLOTS};
use crate::words::words;

/// Changes that are shown, the newest first.
const CHANGES: usize = 10;

pub(super) fn floor(state: &DebaterState, table: &Table, lang: Lang) -> Floor {
    let Some(profile) = state.profile.as_ref().filter(|_| !state.is_retired) else { return Floor::default() };
    let position = |seat: &HeldSeat| Position {
        table: table.name().to_owned(),
        thing: seat.title.clone(),
        at: seat.at().to_owned(),
    };
    let positions = state.seats.iter().map(position).collect();
    Floor { offers: offers(state, lang), positions, panels: panels(state, profile, lang), ..Floor::default() }
}

fn offers(state: &DebaterState, lang: Lang) -> Vec<Offer> {
    let words = words(lang);
    let mut offers = Vec::new();
    if let Some(debate) = awaiting(state).next() {
        let id = || debate.seat.debate.clone();
        offers.push(Offer::Say {
            label: words.say("debater.give_feedback").to_owned(),
            limit: FEEDBACK,
            command: order(&DebaterCommand::GiveFeedback { debate: id(), content: String::new() }),
            place: "/give_feedback/content".to_owned(),
        });
        if state.trial.as_ref().is_none_or(FeedbackTrial::is_over) && state.persona.is_some() {
            offers.push(Offer::Say {
                label: words.say("debater.try_feedback").to_owned(),
                limit: FEEDBACK,
                command: order(&DebaterCommand::TryFeedback { debate: id(), content: String::new() }),
                place: "/try_feedback/content".to_owned(),
            });
        }
    }
    let can_retry = state.growth.failed.is_some() && !state.unapplied().is_empty();
    if can_retry && state.growth.under_way.is_none() {
        offers.push(Offer::Press {
            label: words.say("debater.retry_growth").to_owned(),
            command: order(&DebaterCommand::RetryGrowth),
            weight: Weight::Retry,
        });
    }
    offers
}

fn panels(state: &DebaterState, profile: &Profile, lang: Lang) -> Vec<Panel> {
    let words = words(lang);
    let used = Meter {
        label: words.say("debater.slots").to_owned(),
        used: state.knowledge.len() as u64,
        limit: KNOWLEDGE_SLOTS as u64,
    };
    vec![
        Panel::facts("profile", words.say("debater.profile"), facts(state, profile, lang)),
        Panel::meters("slots", words.say("debater.slots"), vec![used]),
        Panel::list("knowledge", words.say("debater.knowledge"), knowledge(state, lang)),
        Panel::list("feedback", words.say("debater.feedback"), feedback(state, lang)),
        Panel::list("trial", words.say("debater.trial"), trial(state, lang)),
        Panel::list("growth", words.say("debater.growth"), growth(state, lang)),
    ]
}

fn facts(state: &DebaterState, profile: &Profile, lang: Lang) -> Vec<Fact> {
    let words = words(lang);
    let fact = |label: &str, value: Option<String>| Fact {
        label: label.to_owned(),
        value,
        remark: None,
        current: false,
        change: None,
    };
    let persona = state.persona.as_ref();
    vec![
        fact(words.say("debater.name"), Some(profile.name.clone())),
        fact(words.say("debater.level"), persona.map(|persona| format!("Lv.{}", persona.version()))),
        fact(words.say("debater.status"), Some(profile.status.called(lang).to_owned())),
        fact(words.say("debater.values"), persona.map(|persona| lang.list(persona.core_values()))),
        fact(words.say("debater.thinking_style"), persona.map(|persona| persona.thinking_style().to_owned())),
        fact(words.say("debater.traits"), persona.map(|persona| lang.list(persona.personality_traits()))),
        fact(words.say("debater.background"), persona.map(|persona| persona.background().to_owned())),
    ]
}

fn knowledge(state: &DebaterState, lang: Lang) -> Vec<ListItem> {
    let entry = |entry: &crate::brief::KnowledgeEntry| ListItem {
        text: entry.title.clone(),
        remark: Some(entry.content.clone()),
        current: false,
        deeds: vec![ItemAction {
            label: words(lang).say("debater.remove_knowledge").to_owned(),
            about: Some(words(lang).say("debater.remove_knowledge_about").to_owned()),
            command: order(&DebaterCommand::RemoveKnowledge { id: entry.id.clone() }),
        }],
    };
    state.knowledge.iter().map(entry).collect()
}

/// The debates on which feedback can be given, each with the question that was asked, and those on which it was given.
fn feedback(state: &DebaterState, lang: Lang) -> Vec<ListItem> {
    let item = |debate: &CompletedDebate| {
        let given = debate.feedback.as_ref();
        let asked = debate.reflection.as_ref().map(|asked| asked.question.clone());
        let is_open = given.is_none() && state.is_open_for_feedback(debate);
        let applied = given.filter(|given| given.applied_at.is_some()).map(|_| words(lang).say("debater.applied"));
        let remark = match given {
            Some(given) => Some(lang.list([given.content.as_str()].into_iter().chain(applied))),
            None if is_open => asked,
            None => Some(words(lang).say("debater.closed").to_owned()),
        };
        ListItem { text: debate.title.clone(), remark, current: is_open, deeds: Vec::new() }
    };
    state.completed.iter().rev().map(item).collect()
}

fn trial(state: &DebaterState, lang: Lang) -> Vec<ListItem> {
    let Some(trial) = &state.trial else { return Vec::new() };
    let words = words(lang);
    let item = |label: &str, text: Option<&String>| ListItem {
        text: label.to_owned(),
        remark: text.cloned(),
        current: false,
        deeds: Vec::new(),
    };
    vec![
        item(words.say("debater.trial_of"), Some(&trial.content)),
        item(words.say("debater.trial_strategy"), trial.strategy.as_ref()),
        item(words.say("debater.trial_without"), trial.said.get(&TrialSide::Without)),
        item(words.say("debater.trial_with"), trial.said.get(&TrialSide::With)),
    ]
}

fn growth(state: &DebaterState, lang: Lang) -> Vec<ListItem> {
    let last = state.last_growth().filter(|_| state.growth.under_way.is_none()).map(|change| &change.id);
    let item = |change: &PersonaChange| {
        let diff = growth_log::diff(change)?;
        let take_back = ItemAction {
            label: words(lang).say("debater.take_back").to_owned(),
            about: Some(words(lang).say("debater.take_back_about").to_owned()),
            command: order(&DebaterCommand::TakeBack { change: change.id.clone() }),
        };
        Some(ListItem {
            text: growth_log::step(&diff),
            remark: Some(growth_log::lines(&diff, lang).join("\n")).filter(|lines| !lines.is_empty()),
            current: false,
            deeds: if last == Some(&change.id) { vec![take_back] } else { Vec::new() },
        })
    };
    state.changes.iter().rev().take(CHANGES).filter_map(item).collect()
}

/// The debates on which feedback can be given now, the newest first.
fn awaiting(state: &DebaterState) -> impl Iterator<Item = &CompletedDebate> {
    let debates = state.completed.iter().rev();
    debates.filter(|debate| debate.feedback.is_none() && state.is_open_for_feedback(debate))
}

fn order(command: &DebaterCommand) -> Value {
    json!(command)
}
