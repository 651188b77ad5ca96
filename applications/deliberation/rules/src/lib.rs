//! Debaters that people raise and steer, and the debates they meet in.
//!
//! Four kinds of session share the work, and each rule is decided by one log. A *stable* (one for each person) says how many
//! debaters there are and which are active. A *debater* is the sole judge of its knowledge, its seats, its feedback and its
//! growth. A *topic* draws who sits down and when. A *debate* holds seats, strategies, turns, directions and statements. They
//! reach each other by errands (`enza_kernel::errand`).

mod brief;
pub mod debate;
mod debater;
mod limits;
mod messages;
mod names;
mod prompts;
mod stable;
pub mod topic;
mod words;

pub use brief::{Brief, FeedbackBrief, KnowledgeEntry, OwnStatement};
pub use debate::Debates;
pub use debater::{
    AgentCard, AskedReflection, CompletedDebate, DEBATER_CODES, DEBATERS, Debater, DebaterCommand, DebaterCounts,
    DebaterEvent, DebaterLookUp, DebaterRefusal, DebaterState, FeedbackTrial, GivenFeedback, GrowthState, HeldSeat,
    PersonaAuthor, PersonaChange, Profile, SummonedBy, TrialSide,
};
pub use limits::{
    DEBATER_NAME, DIRECTION, FEEDBACK, KNOWLEDGE_CONTENT, KNOWLEDGE_SLOTS, KNOWLEDGE_TITLE, STRATEGY_TOKENS,
    TOPIC_DESCRIPTION, TOPIC_TITLE,
};
pub use messages::ToDebater;
pub use names::{of_chance, of_words, stable_of};
pub use stable::{
    DebaterStatus, GrowthTime, HouseRules, KeptDebater, STABLE_CODES, Stable, StableCommand, StableEvent,
    StableRefusal, StableState, Tutorial, TutorialOutcome, TutorialStep,
};
pub use topic::Topics;
