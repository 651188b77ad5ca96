//! What a debate's events say to whom: the lines of its conversation, and whose eyes an event is for.
//!
//! What belongs to a seat is its owner's alone. The host, those who watch and the other seats read what was said, and
//! nothing of how it came about (DEL-C11, DEL-C22).

use enza_kernel::floor::{Line, Tone, Who};
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;

use super::event::{CancelReason, DebateEvent, Redraw};
use super::work::Work;
use crate::words::words;

/// Whose an event is.
enum Audience<'a> {
    Everybody,
    /// Whoever holds one of these seats.
    Seat(&'a str),
    Seats(&'a [String]),
    Host,
    Nobody,
}

fn audience(event: &DebateEvent) -> Audience<'_> {
    match event {
        DebateEvent::Stepped(step) => match Work::of(&step.thread) {
            // The seat's name is the end of the thread's.
            Some(work) if work.seat().is_some() => {
                Audience::Seat(step.thread.rsplit_once('/').map_or("", |(_, seat)| seat))
            }
            Some(_) => Audience::Host,
            None => Audience::Nobody,
        },
        DebateEvent::SeatTaken { seat, .. }
        | DebateEvent::StrategyFailed { seat, .. }
        | DebateEvent::DirectionWithdrawn { seat, .. }
        | DebateEvent::RedrawAsked { seat, .. }
        | DebateEvent::Redrawn { seat, .. }
        | DebateEvent::SeatWithdrawn { seat, .. }
        | DebateEvent::CounterfactualBegun { seat, .. } => Audience::Seat(seat),
        DebateEvent::StrategyMade { strategy } => Audience::Seat(&strategy.seat),
        DebateEvent::DirectionGiven { direction } | DebateEvent::DirectionChanged { direction } => {
            Audience::Seat(&direction.seat)
        }
        DebateEvent::Thought { statement, .. } => Audience::Seat(&statement.seat),
        DebateEvent::Arrived { seats } | DebateEvent::WantedNow { seats } => Audience::Seats(seats),
        DebateEvent::VoteCast { .. } => Audience::Nobody,
        DebateEvent::Opened { .. } | DebateEvent::ErrandEnded { .. } => Audience::Host,
        DebateEvent::TurnOpened { .. }
        | DebateEvent::TurnFrozen { .. }
        | DebateEvent::Spoke { .. }
        | DebateEvent::SpeakerFailed { .. }
        | DebateEvent::TurnClosed { .. }
        | DebateEvent::TurnSummed { .. }
        | DebateEvent::ClosingBegun
        | DebateEvent::SummaryWritten { .. }
        | DebateEvent::VerdictGiven { .. }
        | DebateEvent::CandidatesWritten { .. }
        | DebateEvent::SeatRanked { .. }
        | DebateEvent::NextProposed { .. }
        | DebateEvent::Completed { .. }
        | DebateEvent::Cancelled { .. } => Audience::Everybody,
    }
}

/// Whether a reader may see an event as it stands in the log.
pub(super) fn shows(event: &DebateEvent, reader: &Reader) -> bool {
    match audience(event) {
        Audience::Everybody => true,
        Audience::Seat(seat) => reader.holds(seat),
        Audience::Seats(seats) => seats.iter().any(|seat| reader.holds(seat)),
        Audience::Host => reader.is_host(),
        Audience::Nobody => false,
    }
}

/// Whether the prompts of a thread, and its replies as they are written, are this reader's.
pub(super) fn shows_thread(thread: &str, reader: &Reader) -> bool {
    match Work::of(thread) {
        Some(work) => work.seat().map_or_else(|| reader.is_host(), |seat| reader.holds(seat)),
        None => false,
    }
}

/// The line that an event adds to a reader's conversation.
pub(super) fn line(event: &DebateEvent, reader: &Reader, lang: Lang) -> Option<Line> {
    let words = words(lang);
    let line = |who: Who, tone: Tone, text: String| Some(Line { who, tone, text, gate: None });
    let note = |text: String| line(Who::Session, Tone::Note, text);
    let is_public =
        matches!(event, DebateEvent::Opened { .. } | DebateEvent::SeatTaken { .. } | DebateEvent::SeatWithdrawn { .. });
    if !is_public && !shows(event, reader) {
        return None;
    }
    match event {
        DebateEvent::Opened { .. } => note(words.say("said.opened").to_owned()),
        DebateEvent::SeatTaken { brief, .. } => note(words.fill("said.sat_down", &[("name", &brief.name)])),
        DebateEvent::StrategyMade { strategy } => {
            note(words.fill("said.strategy_made", &[("strategy", &strategy.text)]))
        }
        DebateEvent::StrategyFailed { .. } => {
            line(Who::Session, Tone::Trouble, words.say("said.strategy_failed").to_owned())
        }
        DebateEvent::TurnOpened { turn, .. } => note(words.fill("said.turn_opened", &[("turn", &turn.turn_number)])),
        DebateEvent::TurnFrozen { turn, .. } => note(words.fill("said.turn_frozen", &[("turn", &turn.turn_number)])),
        DebateEvent::TurnClosed { turn } => note(words.fill("said.turn_closed", &[("turn", &turn.turn_number)])),
        DebateEvent::DirectionGiven { direction } | DebateEvent::DirectionChanged { direction } => {
            let (turn, content) = (direction.turn, &direction.content);
            note(match direction.is_late {
                true => words.fill("said.direction_late", &[("turn", &turn), ("direction", content)]),
                false => words.fill("said.direction", &[("turn", &turn), ("direction", content)]),
            })
        }
        DebateEvent::DirectionWithdrawn { .. } => note(words.say("said.direction_withdrawn").to_owned()),
        DebateEvent::Spoke { statement } => {
            line(Who::Agent(statement.name.clone()), Tone::Said, statement.content.clone())
        }
        DebateEvent::Thought { statement, thinking } => {
            let text = words.fill("said.thought", &[("thinking", thinking)]);
            line(Who::Agent(statement.name.clone()), Tone::Note, text)
        }
        DebateEvent::SpeakerFailed { statement } => {
            let text = words.fill("said.speaker_failed", &[("name", &statement.name)]);
            line(Who::Session, Tone::Trouble, text)
        }
        DebateEvent::ClosingBegun => note(words.say("said.closing_begun").to_owned()),
        DebateEvent::Completed { closing, .. } => line(
            Who::Session,
            Tone::Done,
            match closing {
                Some(closing) => words.fill("said.completed_with", &[("closing", closing)]),
                None => words.say("said.completed").to_owned(),
            },
        ),
        DebateEvent::Cancelled { why, .. } => line(
            Who::Session,
            Tone::Trouble,
            match why {
                CancelReason::Host => words.say("said.cancelled_host"),
                CancelReason::Withdrawn => words.say("said.cancelled_withdrawn"),
            }
            .to_owned(),
        ),
        DebateEvent::SeatWithdrawn { .. } => note(words.say("said.withdrawn").to_owned()),
        DebateEvent::Redrawn { way, text, .. } => note(match (way, text) {
            (_, None) => words.say("said.redrawn_failed").to_owned(),
            (Redraw::Without, Some(text)) => words.fill("said.redrawn_without", &[("text", text)]),
            (Redraw::Unchanged, Some(text)) => words.fill("said.redrawn_unchanged", &[("text", text)]),
        }),
        DebateEvent::CounterfactualBegun { turn, .. } => note(words.fill("said.counterfactual", &[("turn", turn)])),
        DebateEvent::Stepped(_)
        | DebateEvent::Arrived { .. }
        | DebateEvent::WantedNow { .. }
        | DebateEvent::TurnSummed { .. }
        | DebateEvent::SummaryWritten { .. }
        | DebateEvent::VerdictGiven { .. }
        | DebateEvent::CandidatesWritten { .. }
        | DebateEvent::SeatRanked { .. }
        | DebateEvent::NextProposed { .. }
        | DebateEvent::VoteCast { .. }
        | DebateEvent::RedrawAsked { .. }
        | DebateEvent::ErrandEnded { .. } => None,
    }
}
