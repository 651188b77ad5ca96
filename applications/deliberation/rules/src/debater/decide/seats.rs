//! Seats: held when a topic summons, started when the debate opens, given back when it is not needed or cancelled, and
//! over with the debate.
//!
//! Holding a seat is what closes feedback, in the same decision; what is brought along is written down right there, so
//! that what was seated is what is used.

use enza_kernel::agent;
use enza_kernel::application::Draft;
use enza_kernel::moves::MoveKind;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::time::{Actor, Timestamp};

use super::{growth, living};
use crate::brief::OwnStatement;
use crate::debater::agents::{REFLECTION, reflection_thread};
use crate::debater::event::{DebaterEvent, SummonedBy};
use crate::debater::refusal::DebaterRefusal;
use crate::debater::state::{BEGUN, HeldSeat, Profile};
use crate::debater::{DEBATE, Debater, STABLE, TOPIC};
use crate::prompts;
use crate::stable::DebaterStatus;

/// The ends of a seat, as the table of `seat.toml` names them.
const OVER: &str = "over";
const UNUSED: &str = "unused";
const CANCELLED: &str = "cancelled";

/// How a debate ended, as far as one of those who sat in it is concerned.
pub(super) struct Ended {
    pub debate: String,
    pub title: String,
    pub completed_at: Timestamp,
    pub own: Vec<OwnStatement>,
    pub summary: String,
    pub highlights: Vec<String>,
}

pub(super) fn summon(
    draft: &mut Draft<'_, Debater>,
    debate: String,
    run: Timestamp,
    most_per_run: u32,
    title: String,
) -> Result<(), DebaterRefusal> {
    let by = summoner(draft)?;
    let profile = living(draft)?;
    let is_tutorial = by.application == STABLE;
    if is_tutorial && by.session != profile.stable {
        return Err(DebaterRefusal::Common(CommonRefusal::NotYourPart));
    }
    match profile.status {
        // The first steps are for every debater.
        DebaterStatus::Reserve if !is_tutorial => return Err(DebaterRefusal::InReserve),
        DebaterStatus::Active | DebaterStatus::Reserve => {}
    }
    if draft.state.seat(&debate).is_some() || draft.state.debate(&debate).is_some() {
        return Err(DebaterRefusal::AlreadySeated);
    }
    let seats = draft.state.seats.iter().chain(draft.state.completed.iter().map(|debate| &debate.seat));
    let in_run = seats.filter(|seat| seat.run == run && seat.by.application == TOPIC).count();
    if !is_tutorial && in_run >= most_per_run as usize {
        return Err(DebaterRefusal::RunFull { most_per_run });
    }
    draft.record(DebaterEvent::SeatHeld { debate, title, run, by });
    brief_waiting(draft);
    Ok(())
}

/// Writes down what it brings to every table that waits for it.
pub(super) fn brief_waiting(draft: &mut Draft<'_, Debater>) {
    let waiting: Vec<HeldSeat> = draft.state.seats.iter().filter(|seat| !seat.is_briefed).cloned().collect();
    for seat in waiting {
        if let Some(brief) = draft.state.brief() {
            draft.record(DebaterEvent::Briefed { debate: seat.debate, to: seat.by.session, brief });
        }
    }
}

pub(super) fn release(draft: &mut Draft<'_, Debater>, debate: String) -> Result<(), DebaterRefusal> {
    let by = summoner(draft)?;
    living(draft)?;
    let seat = held_by(draft, &debate, &by)?;
    must_move(draft, &seat, MoveKind::Error, UNUSED)?;
    draft.record(DebaterEvent::SeatReleased { debate });
    Ok(())
}

pub(super) fn seated(
    draft: &mut Draft<'_, Debater>,
    debate: String,
    started_at: Timestamp,
) -> Result<(), DebaterRefusal> {
    let by = summoner(draft)?;
    if draft.state.is_retired {
        // It left after its brief had gone out: the debate goes on without it.
        draft.record(DebaterEvent::SeatGivenUp { debate });
        return Ok(());
    }
    living(draft)?;
    let seat = held_by(draft, &debate, &by)?;
    if seat.at() != BEGUN {
        must_move(draft, &seat, MoveKind::Ordinary, BEGUN)?;
        draft.record(DebaterEvent::SeatStarted { debate, started_at });
    }
    Ok(())
}

pub(super) fn completed(draft: &mut Draft<'_, Debater>, ended: Ended) -> Result<(), DebaterRefusal> {
    let profile = from_the_debate(draft, &ended.debate, MoveKind::Ordinary, OVER)?;
    let Ended { debate, title, completed_at, own, summary, highlights } = ended;
    let thread = reflection_thread(&debate);
    let values = draft.state.persona.as_ref().map(|persona| persona.core_values().to_vec()).unwrap_or_default();
    let prompt = prompts::reflection(profile.lang, &values, &title, &summary, &highlights);
    draft.record(DebaterEvent::DebateCompleted { debate, title, completed_at, own, summary, highlights });
    agent::start(draft, &thread, REFLECTION, &prompt);
    growth::want(draft);
    Ok(())
}

pub(super) fn cancelled(draft: &mut Draft<'_, Debater>, debate: String) -> Result<(), DebaterRefusal> {
    from_the_debate(draft, &debate, MoveKind::Error, CANCELLED)?;
    draft.record(DebaterEvent::SeatReleased { debate });
    Ok(())
}

/// A debate speaks for itself alone, and of a seat that can go there.
fn from_the_debate(
    draft: &Draft<'_, Debater>,
    debate: &str,
    way: MoveKind,
    to: &str,
) -> Result<Profile, DebaterRefusal> {
    let by = draft.now().by.session_of(DEBATE).ok_or(DebaterRefusal::Common(CommonRefusal::NotASession))?;
    if by != debate {
        return Err(DebaterRefusal::Common(CommonRefusal::NotYourPart));
    }
    let profile = living(draft)?;
    let seat = draft.state.seat(debate).ok_or(DebaterRefusal::NoSuchSeat)?;
    must_move(draft, seat, way, to)?;
    Ok(profile)
}

fn must_move(draft: &Draft<'_, Debater>, seat: &HeldSeat, way: MoveKind, to: &str) -> Result<(), DebaterRefusal> {
    draft.app.seats.pass(way, seat.at(), to).map_err(DebaterRefusal::Move)
}

fn held_by(draft: &Draft<'_, Debater>, debate: &str, by: &SummonedBy) -> Result<HeldSeat, DebaterRefusal> {
    let seat = draft.state.seat(debate).filter(|seat| seat.by == *by);
    seat.cloned().ok_or(DebaterRefusal::NoSuchSeat)
}

/// A topic, or a stable for the tutorial.
fn summoner(draft: &Draft<'_, Debater>) -> Result<SummonedBy, DebaterRefusal> {
    match &draft.now().by {
        Actor::Session { session, application } if application == TOPIC || application == STABLE => {
            Ok(SummonedBy { session: session.clone(), application: application.clone() })
        }
        Actor::Session { .. } | Actor::Person(_) | Actor::Clock | Actor::Runtime => {
            Err(DebaterRefusal::Common(CommonRefusal::NotASession))
        }
    }
}
