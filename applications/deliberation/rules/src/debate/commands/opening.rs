//! A debate is opened by the topic that convened it, or by a stable for a tutorial. What was seated is what is used.

use std::collections::BTreeSet;

use enza_deliberation_cast::{Persona, mode};
use enza_kernel::application::Draft;
use enza_kernel::refusal::CommonRefusal;

use crate::debate::command::{DebateSettings, TopicCard};
use crate::debate::event::{Card, DebateEvent, Status};
use crate::debate::refusal::{DebateRefusal, OpeningFault};
use crate::debate::state::Stage;
use crate::debate::work::Work;
use crate::debate::{Debates, turns};
use crate::{Brief, of_words};

const SEATS: std::ops::RangeInclusive<usize> = 2..=8;
const TURNS: std::ops::RangeInclusive<u32> = 1..=20;

/// What it is opened with.
pub(super) struct Opening {
    pub topic: TopicCard,
    pub mode: String,
    pub turns: u32,
    pub seats: Vec<Brief>,
    pub window: u64,
    pub settings: DebateSettings,
}

pub(super) fn open(draft: &mut Draft<'_, Debates>, opening: Opening) -> Result<(), DebateRefusal> {
    let by = &draft.now().by;
    let topic = by.session_of("debate-topic").map(str::to_owned);
    if topic.is_none() && by.session_of("debate-stable").is_none() {
        return Err(DebateRefusal::Common(CommonRefusal::NotASession));
    }
    if draft.state.stage != Stage::Unopened {
        return Err(DebateRefusal::Common(CommonRefusal::AlreadyOpen));
    }
    check(&opening).map_err(DebateRefusal::Opening)?;
    let Opening { topic: card, mode, turns, seats, window, mut settings } = opening;
    settings.is_tutorial |= topic.is_none();
    // Whoever sends it is the topic, whatever the card says.
    let card_id = topic.unwrap_or(card.id);
    let topic = TopicCard { id: card_id, ..card };
    let debate = settings.debate.clone();
    draft.record(DebateEvent::Opened {
        card: Card {
            topic_id: topic.id.clone(),
            topic_title: topic.title.clone(),
            mode,
            status: Status::Pending,
            max_turns: turns,
            participant_count: seats.len(),
            is_tutorial: settings.is_tutorial,
            created_at: draft.now().time.0,
            ..Card::default()
        },
        topic,
        settings,
        window,
        strategies_until: draft.now().time + turns::STRATEGIES,
    });
    let mut names = BTreeSet::new();
    for (place, mut brief) in (1..).zip(seats) {
        brief.name = distinct(&mut names, brief.name);
        let seat = format!("s{place}");
        draft.record(DebateEvent::SeatTaken { id: of_words(&["seat", &debate, &seat]), seat, brief });
    }
    let coached = draft.state.seats.iter().filter(|seat| seat.brief.feedback.is_some());
    let coached: Vec<Work> = coached.map(|seat| Work::Strategy { seat: seat.word.clone() }).collect();
    for work in &coached {
        turns::begin(draft, work);
    }
    Ok(())
}

fn check(opening: &Opening) -> Result<(), OpeningFault> {
    let debaters: BTreeSet<&str> = opening.seats.iter().map(|brief| brief.debater.as_str()).collect();
    let is_readable = |brief: &Brief| Persona::read(&brief.persona).is_ok();
    match opening {
        _ if opening.settings.debate.is_empty() => Err(OpeningFault::Name),
        _ if !SEATS.contains(&opening.seats.len()) || debaters.len() != opening.seats.len() => Err(OpeningFault::Seats),
        _ if !TURNS.contains(&opening.turns) => Err(OpeningFault::Turns),
        _ if mode(&opening.mode).is_none() => Err(OpeningFault::Mode),
        _ if !opening.seats.iter().all(is_readable) => Err(OpeningFault::Persona),
        _ => Ok(()),
    }
}

/// A name that nobody else at the table has: what was said is told apart by it.
fn distinct(taken: &mut BTreeSet<String>, name: String) -> String {
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
    let free = free.unwrap_or(name);
    taken.insert(free.clone());
    free
}
