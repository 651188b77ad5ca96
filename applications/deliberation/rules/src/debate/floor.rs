//! What somebody finds on coming to a debate: made for one reader, with nothing in it that is not theirs.

use enza_kernel::floor::{Floor, Offer, Progress, Weight};
use enza_kernel::panel::{Fact, ItemAction, ListItem, Panel};
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use serde_json::json;

use super::command::{Choice, DebateCommand};
use super::event::{Direction, Status};
use super::state::{DebateState, Seat, Stage};
use crate::DIRECTION;
use crate::words::words;

pub(super) fn floor(state: &DebateState, reader: &Reader, lang: Lang) -> Floor {
    if state.stage == Stage::Unopened {
        return Floor::default();
    }
    let held = || state.present().filter(|seat| reader.holds(&seat.word));
    let mut panels = vec![about(state, lang), seats(state, reader, lang)];
    panels.extend(held().map(|seat| own(state, seat, lang)));
    panels.push(statements(state, lang));
    let done = state.turns.iter().filter(|turn| turn.row.completed_at.is_some()).count();
    let progress = Progress { done, total: state.card.max_turns as usize };
    Floor { offers: offers(state, reader, lang), progress: Some(progress), panels, ..Floor::default() }
}

/// What may be done now: owners first, then the host.
fn offers(state: &DebateState, reader: &Reader, lang: Lang) -> Vec<Offer> {
    let words = words(lang);
    let press = |label: &str, command: DebateCommand, weight| Offer::Press {
        label: label.to_owned(),
        command: json!(command),
        weight,
    };
    let mut offers = Vec::new();
    if let Stage::Waiting { turn, .. } = state.stage {
        let held: Vec<&Seat> = state.present().filter(|seat| reader.holds(&seat.word)).collect();
        for seat in &held {
            let name = &seat.brief.name;
            let (text, debater) = (String::new(), seat.brief.debater.clone());
            match state.direction(turn, &seat.word) {
                None => offers.push(Offer::Say {
                    label: words.fill("floor.direct", &[("name", name), ("turn", &turn)]),
                    limit: DIRECTION,
                    command: json!(DebateCommand::Direct { debater, turn, text }),
                    place: "/direct/text".to_owned(),
                }),
                Some(Direction { id, .. }) => {
                    let command = DebateCommand::WithdrawDirection { direction: id.clone() };
                    offers.push(press(words.say("floor.withdraw_direction"), command, Weight::Plain));
                }
            }
        }
        if held.iter().any(|seat| !state.wanting.contains(&seat.word)) {
            offers.push(press(words.say("floor.speak_now"), DebateCommand::SpeakNow, Weight::Main));
        }
        if reader.is_host() && state.is_active() {
            offers.push(press(words.say("floor.advance"), DebateCommand::Advance, Weight::Plain));
        }
    }
    if reader.is_host() && state.stage != Stage::Over {
        offers.push(press(words.say("floor.cancel"), DebateCommand::Cancel, Weight::Grave));
    }
    offers
}

fn about(state: &DebateState, lang: Lang) -> Panel {
    let words = words(lang);
    let card = &state.card;
    let mode = enza_deliberation_cast::mode(&card.mode).map(|mode| mode.text(lang).name.clone());
    let until = match state.stage {
        Stage::Waiting { until, .. } if state.altered.is_none() => Some(until.0.to_string()),
        Stage::Unopened
        | Stage::Preparing { .. }
        | Stage::Waiting { .. }
        | Stage::Speaking { .. }
        | Stage::Closing
        | Stage::Over => None,
    };
    let next = state.outcome.next.as_ref().map(|next| next.title.clone());
    let mut facts = vec![
        fact(words.say("floor.topic"), Some(state.topic.title.clone())),
        fact(words.say("floor.mode"), mode),
        fact(words.say("floor.status"), Some(words.of("status", status(card.status)).to_owned())),
        fact(words.say("floor.turn"), Some(format!("{} / {}", card.current_turn, card.max_turns))),
    ];
    let later = [
        (words.say("floor.until"), until),
        (words.say("floor.summary"), card.summary.clone()),
        (words.say("floor.closing"), state.outcome.closing.clone()),
        (words.say("floor.next"), next),
    ];
    facts.extend(later.into_iter().filter(|(_, value)| value.is_some()).map(|(label, value)| fact(label, value)));
    Panel::facts("debate", words.say("floor.debate"), facts)
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Pending => "pending",
        Status::Active => "active",
        Status::Completed => "completed",
        Status::Cancelled => "cancelled",
    }
}

/// Everyone at the table, by the names of debaters; never by those of owners.
fn seats(state: &DebateState, reader: &Reader, lang: Lang) -> Panel {
    let words = words(lang);
    let thing = |seat: &Seat| ListItem {
        text: if seat.is_withdrawn { words.say("said.deleted").to_owned() } else { seat.brief.name.clone() },
        remark: match (seat.brief.owner.is_none(), reader.holds(&seat.word)) {
            (true, _) => Some(words.say("floor.partner").to_owned()),
            (false, true) => Some(words.say("floor.own").to_owned()),
            (false, false) => None,
        },
        current: reader.holds(&seat.word),
        deeds: Vec::new(),
    };
    Panel::list("seats", words.say("floor.seats"), state.seats.iter().map(thing).collect())
}

/// What one owner sees of a seat of theirs: the strategy and every direction with what came of it.
fn own(state: &DebateState, seat: &Seat, lang: Lang) -> Panel {
    let words = words(lang);
    let strategy = seat.strategy.as_ref().map(|strategy| strategy.text.clone());
    let mut facts = vec![fact(words.say("floor.strategy"), strategy)];
    for direction in state.directions.iter().filter(|one| one.seat == seat.word) {
        let is_frozen = state.turn(direction.turn).is_some_and(|turn| turn.frozen_at.is_some());
        let remark = match (direction.is_late, is_frozen) {
            (true, _) => words.say("floor.late"),
            (false, true) => words.say("floor.reflected"),
            (false, false) => words.say("floor.waiting"),
        };
        let label = words.fill("floor.direction_label", &[("turn", &direction.turn)]);
        facts.push(Fact { remark: Some(remark.to_owned()), ..fact(&label, Some(direction.content.clone())) });
    }
    Panel::facts(&format!("seat-{}", seat.word), words.say("floor.yours"), facts)
}

/// What was said, with how many agree, and the way to vote.
fn statements(state: &DebateState, lang: Lang) -> Panel {
    let words = words(lang);
    let vote = |statement: &str, label: &str, choice: Choice| ItemAction {
        label: label.to_owned(),
        about: None,
        command: json!(DebateCommand::Vote { statement: statement.to_owned(), choice }),
    };
    let things = state.statements.iter().filter(|one| !one.content.is_empty()).map(|one| {
        let count = |choice| {
            state.votes.get(&one.id).map_or(0, |votes| votes.values().filter(|given| **given == choice).count())
        };
        let choices = [Choice::Agree, Choice::Disagree, Choice::Pass];
        let labels = [words.say("floor.agree"), words.say("floor.disagree"), words.say("floor.pass")];
        let counted = labels.iter().zip(choices).map(|(label, choice)| format!("{label} {}", count(choice)));
        let is_gone = state.seat(&one.seat).is_some_and(|seat| seat.is_withdrawn);
        let name = if is_gone { words.say("said.deleted") } else { &one.name };
        ListItem {
            text: format!("{name} ({}): {}", one.turn, one.content),
            remark: Some(counted.collect::<Vec<_>>().join(" / ")),
            current: false,
            deeds: labels.iter().zip(choices).map(|(label, choice)| vote(&one.id, label, choice)).collect(),
        }
    });
    Panel::list("statements", words.say("floor.statements"), things.collect())
}

fn fact(label: &str, value: Option<String>) -> Fact {
    Fact { label: label.to_owned(), value, remark: None, current: false, change: None }
}
