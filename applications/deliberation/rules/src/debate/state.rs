//! What is known of a debate: what its rules and its next prompts need, and what is shown of it.

use std::collections::{BTreeMap, BTreeSet};

use enza_deliberation_cast::{Candidate, NextTopic, Utterance, Verdict};
use enza_kernel::agent::Threads;
use enza_kernel::errand::Errand;
use enza_kernel::text::Lang;
use enza_kernel::time::{Seq, Timestamp};
use serde::{Deserialize, Serialize};

use super::command::{Choice, DebateSettings, TopicCard};
use super::event::{Card, Direction, Redraw, Statement, Status, Strategy, TurnRow};
use crate::Brief;

/// A debate.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DebateState {
    pub card: Card,
    pub topic: TopicCard,
    pub settings: DebateSettings,
    /// How long a turn waits for directions, in milliseconds.
    pub window: u64,
    pub stage: Stage,
    pub seats: Vec<Seat>,
    pub turns: Vec<Turn>,
    /// In the order in which they were made; those that failed are blank.
    pub statements: Vec<Statement>,
    /// What was thought with a statement, by its id.
    pub thoughts: BTreeMap<String, String>,
    pub directions: Vec<Direction>,
    /// Seats whose owner looks at the open turn.
    pub arrived: BTreeSet<String>,
    /// Seats whose owner wants it to begin.
    pub wanting: BTreeSet<String>,
    pub outcome: Outcomes,
    /// By statement, then by person.
    pub votes: BTreeMap<String, BTreeMap<String, Choice>>,
    pub redraws: Vec<DrawnAgain>,
    /// The turn from which on it goes as it might have gone.
    pub altered: Option<u32>,
    /// Errands that have not ended.
    pub errands: Vec<Errand>,
    pub cast: Threads,
}

/// What a debate is doing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    #[default]
    Unopened,
    /// Strategies are made.
    Preparing {
        until: Timestamp,
    },
    /// A turn waits for directions.
    Waiting {
        turn: u32,
        until: Timestamp,
    },
    /// Everybody speaks.
    Speaking {
        turn: u32,
    },
    /// The outcome is worked out.
    Closing,
    Over,
}

/// Somebody who takes part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// `s1` and so on: what readers' seats are called.
    pub word: String,
    /// The row's id.
    pub id: String,
    pub brief: Brief,
    pub strategy: Option<Strategy>,
    pub is_withdrawn: bool,
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    pub row: TurnRow,
    /// The event that settled its directions: a fork that changes one of them begins right before it.
    pub frozen_at: Option<Seq>,
    /// The turn whose rolling summary stands for the oldest ones in its prompts.
    pub summary_of: Option<u32>,
}

/// What came of a debate.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Outcomes {
    pub summary: Option<String>,
    pub verdict: Option<Verdict>,
    pub candidates: Option<Vec<Candidate>>,
    /// The places of the candidates as each seat would have them.
    pub rankings: BTreeMap<String, Vec<usize>>,
    pub closing: Option<String>,
    pub next: Option<NextTopic>,
}

/// A statement that was asked for once more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawnAgain {
    pub turn: u32,
    pub seat: String,
    /// What came of each way; none while nothing has.
    pub texts: BTreeMap<Redraw, Option<String>>,
}

/// Questions.
impl DebateState {
    /// What is spoken.
    pub fn lang(&self) -> Lang {
        self.topic.lang
    }

    /// The seat of a word.
    pub fn seat(&self, word: &str) -> Option<&Seat> {
        self.seats.iter().find(|seat| seat.word == word)
    }

    /// Those who are still there, in the order of speaking.
    pub fn present(&self) -> impl Iterator<Item = &Seat> {
        self.seats.iter().filter(|seat| !seat.is_withdrawn)
    }

    /// The seats of a person's debaters.
    pub fn seats_of<'a>(&'a self, person: &'a str) -> impl Iterator<Item = &'a Seat> {
        self.present().filter(move |seat| seat.brief.owner.as_deref() == Some(person))
    }

    /// A turn that has been opened.
    pub fn turn(&self, number: u32) -> Option<&Turn> {
        self.turns.iter().find(|turn| turn.row.turn_number == number)
    }

    /// The direction that counts for a seat's statement.
    pub fn direction(&self, turn: u32, seat: &str) -> Option<&Direction> {
        self.directions.iter().find(|one| one.turn == turn && one.seat == seat && !one.is_late)
    }

    /// What a seat said in a turn, or that it failed to.
    pub fn statement(&self, turn: u32, seat: &str) -> Option<&Statement> {
        self.statements.iter().find(|one| one.turn == turn && one.seat == seat)
    }

    /// Everything that was said before a turn, as it can be read by all.
    pub fn said_before(&self, turn: u32) -> Vec<Utterance> {
        let spoken = |one: &&Statement| one.turn < turn && !one.content.is_empty();
        let mut said: Vec<&Statement> = self.statements.iter().filter(spoken).collect();
        // By turn and seat, not by who was quicker: prompts are the same whatever order replies arrive in.
        said.sort_by_key(|one| (one.turn, self.place(&one.seat)));
        let utterance = |one: &Statement| Utterance {
            number: one.number,
            turn: one.turn,
            speaker: one.name.clone(),
            text: one.content.clone(),
        };
        said.into_iter().map(utterance).collect()
    }

    /// Everything that was said.
    pub fn all_said(&self) -> Vec<Utterance> {
        self.said_before(u32::MAX)
    }

    /// A seat's place among all, from 0.
    pub fn place(&self, seat: &str) -> usize {
        self.seats.iter().position(|one| one.word == seat).unwrap_or_default()
    }

    /// Whether directions are taken and turns go on.
    pub fn is_active(&self) -> bool {
        self.card.status == Status::Active
    }

    /// Where a fork has to begin in which a direction of a turn is another one.
    pub fn fork_before(&self, turn: u32) -> Option<Seq> {
        let frozen = self.turn(turn)?.frozen_at?;
        Some(Seq(frozen.0.saturating_sub(1)))
    }

    /// The statements of two courses of a debate that differ, from a turn on: how far a change reached.
    pub fn differing_from(&self, other: &Self, turn: u32) -> usize {
        let differs =
            |one: &&Statement| other.statement(one.turn, &one.seat).is_none_or(|theirs| theirs.content != one.content);
        self.statements.iter().filter(|one| one.turn >= turn).filter(differs).count()
    }
}
