//! What somebody finds on coming to a topic: what it is about, its debates, and what its owner may do.

use enza_kernel::floor::{Floor, Offer, Weight};
use enza_kernel::panel::{Fact, ItemAction, ListItem, Panel};
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use serde_json::json;

use super::command::{DebateOutcome, TopicCommand};
use super::event::TopicStatus;
use super::state::TopicState;
use super::transcript;
use crate::words::words;

pub(super) fn floor(state: &TopicState, reader: &Reader, lang: Lang) -> Floor {
    let Some(listing) = &state.listing else { return Floor::default() };
    let words = words(lang);
    let fact = |label: &str, value: Option<String>| Fact {
        label: label.to_owned(),
        value,
        remark: None,
        current: false,
        change: None,
    };
    let status = match listing.status {
        TopicStatus::Active => words.say("topic_floor.active"),
        TopicStatus::Archived => words.say("topic_floor.archived"),
    };
    let schedule = state.schedule.as_ref().map(|schedule| schedule.schedule().describe(lang));
    let mut facts = vec![
        fact(words.say("topic_floor.title"), Some(listing.title.clone())),
        fact(words.say("topic_floor.description"), Some(listing.description.clone())),
        fact(words.say("topic_floor.status"), Some(status.to_owned())),
        fact(words.say("topic_floor.schedule"), schedule),
    ];
    if reader.is_host()
        && let Some((_, why)) = state.skipped.last()
    {
        facts.push(fact(words.say("topic_floor.skipped"), Some(transcript::skipped(lang, *why))));
    }
    let mut panels = vec![Panel::facts("topic", words.say("topic_floor.topic"), facts), debates(state, lang)];
    if reader.is_host() && state.is_active() {
        panels.push(proposals(state, lang));
    }
    Floor { offers: if reader.is_host() { offers(state, lang) } else { Vec::new() }, panels, ..Floor::default() }
}

/// What would be accepted now, and change something.
fn offers(state: &TopicState, lang: Lang) -> Vec<Offer> {
    let words = words(lang);
    if !state.is_active() {
        return Vec::new();
    }
    let press = |label: &str, command: TopicCommand, weight| Offer::Press {
        label: label.to_owned(),
        command: json!(command),
        weight,
    };
    let mut offers = Vec::new();
    if state.run.is_none() {
        offers.push(press(words.say("topic_floor.run_now"), TopicCommand::RunNow, Weight::Main));
    }
    match state.schedule.as_ref().map(|schedule| schedule.paused_at().is_some()) {
        Some(true) => offers.push(press(words.say("topic_floor.resume"), TopicCommand::Resume, Weight::Plain)),
        Some(false) => offers.push(press(words.say("topic_floor.pause"), TopicCommand::Pause, Weight::Plain)),
        None => {}
    }
    offers.push(press(words.say("topic_floor.archive"), TopicCommand::Archive, Weight::Grave));
    offers
}

fn debates(state: &TopicState, lang: Lang) -> Panel {
    let words = words(lang);
    let things = state.debates.iter().filter(|(_, card)| card.opened_at.is_some()).map(|(debate, card)| ListItem {
        text: debate.clone(),
        remark: Some(
            match card.outcome {
                None => words.say("topic_floor.going_on"),
                Some(DebateOutcome::Completed) => words.say("topic_floor.completed"),
                Some(DebateOutcome::Cancelled) => words.say("topic_floor.cancelled"),
            }
            .to_owned(),
        ),
        current: card.outcome.is_none(),
        deeds: Vec::new(),
    });
    Panel::list("debates", words.say("topic_floor.debates"), things.collect())
}

/// What debates proposed to go on with.
fn proposals(state: &TopicState, lang: Lang) -> Panel {
    let words = words(lang);
    let deed = |label: &str, command: TopicCommand| ItemAction {
        label: label.to_owned(),
        about: None,
        command: json!(command),
    };
    let things = state.proposals.iter().map(|(debate, next)| ListItem {
        text: next.title.clone(),
        remark: Some(next.description.clone()),
        current: false,
        deeds: vec![
            deed(words.say("topic_floor.accept"), TopicCommand::AcceptNext { debate: debate.clone() }),
            deed(words.say("topic_floor.drop"), TopicCommand::DropNext { debate: debate.clone() }),
        ],
    });
    Panel::list("proposals", words.say("topic_floor.proposals"), things.collect())
}
