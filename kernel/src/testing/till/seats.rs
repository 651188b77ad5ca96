//! Several people at one till: seats with notes of their own, and who else may look.
//!
//! Whoever holds a seat jots down notes, which go to a thread of that seat: neither the owner nor the other seat ever reads
//! them, in whatever form. A till at which nobody was given a seat and nobody else looks is its owner's alone, and shows
//! everything.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{AUDITOR, CLERK, Command, Event, Refusal, State, Till};
use crate::agent::{self, Step, ThreadEvent};
use crate::application::Draft;
use crate::floor::{Floor, Line, Offer, Tone, Who};
use crate::limits::MESSAGE;
use crate::panel::{Fact, Panel};
use crate::reader::{Following, Reader, ReaderRole};
use crate::refusal::CommonRefusal;
use crate::text::Lang;

/// A seat at the till. Its word names its thread, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seat {
    Cashier,
    Porter,
}

/// Who may look besides the owner and those who hold a seat.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    #[default]
    Nobody,
    /// Everyone who is signed in.
    People,
    /// Anybody at all.
    Anybody,
}

/// Who is at the till.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Seats {
    /// Who holds which seat.
    pub held: BTreeMap<Seat, String>,
    pub audience: Audience,
    /// What each seat jotted down last.
    pub jotted: BTreeMap<Seat, String>,
}

/// What changed about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatEvent {
    /// A seat was given to a person, or taken away.
    Given {
        seat: Seat,
        person: Option<String>,
    },
    Admitted {
        audience: Audience,
    },
    /// A note was jotted down; the seat's thread hears it.
    Jotted {
        seat: Seat,
        text: String,
    },
}

/// What may be asked for about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatCommand {
    /// Give a seat to a person, or take it away.
    Give { seat: Seat, person: Option<String> },
    /// Say who else may look.
    Admit { audience: Audience },
    /// Jot down a note that only this seat reads.
    Jot { text: String },
}

impl Seat {
    /// Its name, and its thread's.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cashier => "cashier",
            Self::Porter => "porter",
        }
    }
}

impl Seats {
    /// Takes an event in.
    pub(super) fn evolve(&mut self, event: &SeatEvent) {
        match event {
            SeatEvent::Given { seat, person: Some(person) } => drop(self.held.insert(*seat, person.clone())),
            SeatEvent::Given { seat, person: None } => drop(self.held.remove(seat)),
            SeatEvent::Admitted { audience } => self.audience = *audience,
            SeatEvent::Jotted { seat, text } => drop(self.jotted.insert(*seat, text.clone())),
        }
    }

    /// Whether it is a till of one person, as it is until somebody else is let in.
    fn is_alone(&self) -> bool {
        *self == Self::default()
    }

    fn of(&self, person: &str) -> Vec<Seat> {
        self.held.iter().filter(|(_, holder)| *holder == person).map(|(seat, _)| *seat).collect()
    }
}

/// Who a person is at the till.
pub(super) fn reader(seats: &Seats, person: Option<&str>, is_owner: bool) -> Option<Reader> {
    let held = person.map(|person| seats.of(person)).unwrap_or_default();
    let held: Vec<String> = held.into_iter().map(|seat| seat.word().to_owned()).collect();
    if is_owner {
        return Some(Reader { seats: held, ..Reader::host() });
    }
    if !held.is_empty() {
        return Some(Reader::seat_holder(held));
    }
    let may_look = match seats.audience {
        Audience::Nobody => false,
        Audience::People => person.is_some(),
        Audience::Anybody => true,
    };
    may_look.then(Reader::spectator)
}

/// Turns away whoever asks for what is the owner's to ask. At a till of one person nobody is asked who they are.
pub(super) fn only_the_owner(draft: &Draft<'_, Till>) -> Result<(), Refusal> {
    let State { owner, seats, .. } = &draft.state;
    match draft.now().by.person() {
        Some(person) if !seats.is_alone() && person != owner => Err(Refusal::Common(CommonRefusal::NotYourPart)),
        Some(_) | None => Ok(()),
    }
}

/// Decides a command about the seats.
pub(super) fn decide(draft: &mut Draft<'_, Till>, command: SeatCommand) -> Result<(), Refusal> {
    if draft.state.idle_at.is_none() {
        return Err(Refusal::Common(CommonRefusal::NotOpen));
    }
    let person = draft.now().by.person().unwrap_or_default().to_owned();
    if let SeatCommand::Jot { text } = &command {
        return jot(draft, &person, text);
    }
    if person != draft.state.owner {
        return Err(Refusal::Common(CommonRefusal::NotYourPart));
    }
    draft.record(Event::Seats(match command {
        SeatCommand::Give { seat, person } => SeatEvent::Given { seat, person },
        SeatCommand::Admit { audience } => SeatEvent::Admitted { audience },
        SeatCommand::Jot { .. } => return Ok(()),
    }));
    Ok(())
}

fn jot(draft: &mut Draft<'_, Till>, person: &str, text: &str) -> Result<(), Refusal> {
    let seat = draft.state.seats.of(person).first().copied();
    let seat = seat.ok_or(Refusal::Common(CommonRefusal::NotYourPart))?;
    let text = MESSAGE.check(text).map_err(Refusal::Unfit)?;
    let listens =
        draft.state.cast.threads.get(seat.word()).map(|thread| thread.standing == agent::ThreadState::Resting);
    if listens == Some(false) {
        return Err(Refusal::NotYourTurn);
    }
    draft.record(Event::Seats(SeatEvent::Jotted { seat, text: text.clone() }));
    match listens {
        Some(_) => agent::hear(draft, seat.word(), &text),
        None => agent::start(draft, seat.word(), CLERK, &text),
    }
    Ok(())
}

/// The seat whose thread this is; none where it is the clerk's or the auditor's.
fn seat_of(thread: &str) -> Option<&str> {
    Some(thread).filter(|thread| *thread != CLERK && *thread != AUDITOR)
}

/// A thread whose tools are not at hand: a seat's own.
pub(super) fn is_a_seats(thread: &str) -> bool {
    seat_of(thread).is_some()
}

pub(super) fn shows(event: &Event, reader: &Reader) -> bool {
    match event {
        Event::Agent(step) => shows_thread(&step.thread, reader),
        Event::Seats(SeatEvent::Jotted { seat, .. }) => reader.holds(seat.word()),
        Event::Seats(SeatEvent::Given { .. } | SeatEvent::Admitted { .. })
        | Event::Opened { .. }
        | Event::Spoke { .. }
        | Event::Noted
        | Event::GateOpened { .. }
        | Event::GateAnswered { .. }
        | Event::LeftUnknown { .. }
        | Event::ParcelSent { .. }
        | Event::BranchPlanned { .. }
        | Event::CountBegun
        | Event::ParcelArrived { .. }
        | Event::ParcelCameBack { .. }
        | Event::BranchOpened { .. }
        | Event::Counted { .. }
        | Event::ParcelTaken { .. }
        | Event::Closed { .. } => reader.is_host(),
    }
}

/// A state has the notes of all in it.
pub(super) fn shows_state(seats: &Seats, reader: &Reader) -> bool {
    seats.is_alone() && reader.is_host()
}

/// Whether the prompts and the replies of a thread are this reader's.
pub(super) fn shows_thread(thread: &str, reader: &Reader) -> bool {
    seat_of(thread).map_or(reader.is_host(), |seat| reader.holds(seat))
}

pub(super) fn follows(thread: &str, reader: &Reader) -> Following {
    match (shows_thread(thread, reader), reader.role) {
        (true, _) => Following::Whole,
        (false, ReaderRole::SeatHolder | ReaderRole::Spectator) if thread == CLERK => Following::Spoken,
        (false, ReaderRole::Host | ReaderRole::SeatHolder | ReaderRole::Spectator | ReaderRole::Guest) => {
            Following::Nothing
        }
    }
}

/// A line of a seat's own thread, for whoever holds the seat.
pub(super) fn line(step: &Step, reader: &Reader) -> Option<Line> {
    let said = |who, text: &str| Some(Line { who, tone: Tone::Note, text: text.to_owned(), gate: None });
    if !shows_thread(&step.thread, reader) {
        return None;
    }
    match &step.what {
        ThreadEvent::Began { text, .. } | ThreadEvent::Heard { text } => {
            said(Who::Person(Some(step.thread.clone())), text)
        }
        ThreadEvent::Replied { text, .. } => said(Who::Agent(CLERK.to_owned()), text),
        _ => None,
    }
}

/// What somebody who is not the owner finds: a place to jot, and what they jotted last, where they hold a seat.
pub(super) fn floor(seats: &Seats, reader: &Reader, lang: Lang) -> Floor {
    let held = seats.held.keys().filter(|seat| reader.holds(seat.word()));
    let jotted = held.map(|seat| Fact {
        label: seat.word().to_owned(),
        value: seats.jotted.get(seat).cloned(),
        remark: None,
        current: false,
        change: None,
    });
    let panels = vec![Panel::facts("jotted", lang.pick("自分のメモ", "Your notes"), jotted.collect())];
    let offer = Offer::Say {
        label: lang.pick("メモする", "Jot down").to_owned(),
        limit: MESSAGE,
        command: json!(Command::Seats(SeatCommand::Jot { text: String::new() })),
        place: "/seats/jot/text".to_owned(),
    };
    let offers = if reader.seats.is_empty() { Vec::new() } else { vec![offer] };
    Floor { offers, panels, ..Floor::default() }
}
