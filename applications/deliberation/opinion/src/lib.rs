//! The mathematics of opinion: where people stand by how they vote, what unites and what divides them, and which of several
//! texts they would rather have.
//!
//! Pure: no I/O, no clock, no chance, no async. The same votes give the same figures, bit for bit, in whatever order people
//! came. Formulas and file formats are Polis', as its own mathematics and the Python package `red-dwarf` have them, so that
//! a map drawn here can be read beside theirs; `tests/peer` compares. Ranked choice is Schulze's method.
//!
//! Files come in as bytes and go out as text. Whose votes they are, who may see them and how a map is drawn on a page
//! belongs to others.

mod ballots;
mod components;
mod consensus;
mod divides;
mod export;
mod figures;
mod groups;
mod map;
mod polis;
mod representative;
mod schulze;
mod symmetric;
mod table;
mod votes;

pub use ballots::{Ballot, Ballots};
pub use components::Component;
pub use consensus::{Agreement, Consensus};
pub use divides::Divide;
pub use export::{History, PolisExport, PolisFile, Summary};
pub use figures::{Figures, GroupAware, GroupFigures, Leaning, Side, Tally, figures};
pub use groups::Grouping;
pub use map::{Group, OpinionMap, Place, Settings, StatementOnMap, draw, draw_with_groups};
pub use polis::{
    CommentGroups, ParticipantsVotes, PolisComment, PolisParticipant, PolisVote, Sign, read_comment_groups,
    read_comments, read_history, read_participants_votes, read_summary, read_votes, votes_of,
};
pub use representative::Representative;
pub use schulze::{Defeat, Ranked, Ranking, Tie, TieRule, rank};
pub use table::{Expected, ReadError};
pub use votes::{Statement, Vote, Votes};
