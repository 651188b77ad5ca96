//! What is known of a topic: how it is set up, the run that is under way, and the debates that came of it.

use std::collections::{BTreeMap, BTreeSet};

use enza_deliberation_cast::NextTopic;
use enza_kernel::errand::Errand;
use enza_kernel::schedule::ScheduleState;
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::command::{DebateOutcome, TopicSettings};
use super::event::{Listing, RunName, SkipReason, TopicStatus};
use crate::Brief;

/// How many runs and ended debates are remembered.
pub(super) const REMEMBERED: usize = 20;

/// A topic.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TopicState {
    /// None before it has begun.
    pub listing: Option<Listing>,
    pub settings: TopicSettings,
    pub schedule: Option<ScheduleState>,
    /// The run that is under way.
    pub run: Option<Run>,
    pub debates: BTreeMap<String, DebateCard>,
    /// What debates proposed and nobody has decided about yet, by debate.
    pub proposals: BTreeMap<String, NextTopic>,
    /// The newest last.
    pub skipped: Vec<(RunName, SkipReason)>,
    /// Errands that have not ended.
    pub errands: Vec<Errand>,
}

/// A run: from the look for candidates until a debate is convened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub name: RunName,
    pub named: Vec<String>,
    pub turns: u32,
    /// The debate it is for, once candidates are drawn.
    pub debate: Option<String>,
    pub seed: [u64; 2],
    /// All candidates in the order of the lot.
    pub order: Vec<String>,
    pub wanted: usize,
    /// When whoever has not sat down is done without.
    pub until: Option<Timestamp>,
    /// Candidates who were not asked yet.
    pub queue: Vec<String>,
    /// Who was asked and has neither sat down nor declined.
    pub waiting: BTreeSet<String>,
    /// What those who sat down brought.
    pub briefs: Vec<Brief>,
}

/// A debate of the topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebateCard {
    pub debaters: Vec<String>,
    pub partners: usize,
    pub opened_at: Option<Timestamp>,
    /// None while it goes on.
    pub outcome: Option<DebateOutcome>,
    pub summary: String,
}

impl TopicState {
    /// Whether it has begun and is not over.
    pub fn is_active(&self) -> bool {
        self.listing.as_ref().is_some_and(|listing| listing.status == TopicStatus::Active)
    }

    /// Whether a debate of it is going on.
    pub fn has_debate_under_way(&self) -> bool {
        self.debates.values().any(|debate| debate.outcome.is_none())
    }

    /// What it is called; blank before it has begun.
    pub fn title(&self) -> &str {
        self.listing.as_ref().map_or("", |listing| &listing.title)
    }
}
