//! Where a debater stands: who it is, what it knows, where it sits, and what is still to be heard and learnt.
//!
//! Bounded: ten pieces of knowledge, the seats that are held, as many completed debates as may still be spoken of, and the
//! newest changes of the persona. A feedback that is not applied is never forgotten.

use std::collections::BTreeMap;

use enza_deliberation_cast::Persona;
use enza_kernel::agent::Threads;
use enza_kernel::errand::Errand;
use enza_kernel::text::Lang;
use enza_kernel::time::{Seq, Timestamp};
use serde::{Deserialize, Serialize};

use super::event::{
    AgentCard, AskedReflection, DebaterCounts, DebaterLookUp, GivenFeedback, PersonaChange, SummonedBy, TrialSide,
};
use crate::brief::{Brief, FeedbackBrief, KnowledgeEntry, OwnStatement};
use crate::stable::{DebaterStatus, HouseRules};

/// Completed debates of which a debater keeps count.
pub(super) const DEBATES_KEPT: usize = 50;
/// Changes of the persona that can be looked at in its state; all of them stand in the table.
pub(super) const CHANGES_KEPT: usize = 20;

/// The states of a seat that is kept, as the table names them.
const HELD: &str = "held";
pub(super) const BEGUN: &str = "begun";

/// The state of a debater.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DebaterState {
    /// None until it is opened.
    pub(super) profile: Option<Profile>,
    pub(super) persona: Option<Persona>,
    /// Newest first.
    pub(super) knowledge: Vec<KnowledgeEntry>,
    pub(super) seats: Vec<HeldSeat>,
    /// In the order in which they were over.
    pub(super) completed: Vec<CompletedDebate>,
    /// The newest place in the log at which a seat of a debate was held that is not kept any more.
    pub(super) forgotten_hold: Seq,
    pub(super) last_feedback_at: Option<Timestamp>,
    pub(super) growth: GrowthState,
    /// The newest last.
    pub(super) changes: Vec<PersonaChange>,
    pub(super) trial: Option<FeedbackTrial>,
    pub(super) counts: DebaterCounts,
    /// When a thread is given up, by its name.
    pub(super) deadlines: BTreeMap<String, Timestamp>,
    pub(super) errands: Vec<Errand>,
    pub(super) is_retired: bool,
    pub(super) cast: Threads,
}

/// Who it is, whatever its persona.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    pub debater: String,
    pub owner: String,
    pub stable: String,
    pub name: String,
    /// The keys of the values it was raised around.
    pub values: [String; 3],
    pub lang: Lang,
    pub status: DebaterStatus,
    pub house: HouseRules,
    pub created_at: Timestamp,
}

/// A seat that is kept for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeldSeat {
    pub debate: String,
    pub title: String,
    pub run: Timestamp,
    pub by: SummonedBy,
    /// The place in the log at which it was held.
    pub held: Seq,
    /// None while the debate has not opened.
    pub started_at: Option<Timestamp>,
    pub is_briefed: bool,
}

/// A debate it took part in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompletedDebate {
    pub seat: HeldSeat,
    pub title: String,
    /// The place in the log at which it was told.
    pub told: Seq,
    pub completed_at: Timestamp,
    pub own: Vec<OwnStatement>,
    pub summary: String,
    pub highlights: Vec<String>,
    pub reflection: Option<AskedReflection>,
    pub feedback: Option<GivenFeedback>,
}

/// How far a growth is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GrowthState {
    /// The feedbacks by which it is growing now.
    pub under_way: Option<Vec<String>>,
    /// Why it last could not grow; for the log.
    pub failed: Option<String>,
    /// A debate ended meanwhile.
    pub is_wanted: bool,
}

/// A feedback that was tried and not given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedbackTrial {
    pub number: u64,
    pub debate: String,
    pub content: String,
    pub strategy: Option<String>,
    pub said: BTreeMap<TrialSide, String>,
    pub has_failed: bool,
}

impl HeldSeat {
    /// Where it stands in the table of `seat.toml`.
    pub fn at(&self) -> &'static str {
        if self.started_at.is_some() { BEGUN } else { HELD }
    }
}

impl FeedbackTrial {
    /// Whether everything is there, or will not be.
    pub fn is_over(&self) -> bool {
        self.has_failed || (self.strategy.is_some() && self.said.len() == 2)
    }
}

impl DebaterState {
    /// Who it is; none before it was opened.
    pub fn profile(&self) -> Option<&Profile> {
        self.profile.as_ref()
    }

    /// Its persona, once it is there.
    pub fn persona(&self) -> Option<&Persona> {
        self.persona.as_ref()
    }

    /// What it knows, newest first.
    pub fn knowledge(&self) -> &[KnowledgeEntry] {
        &self.knowledge
    }

    /// The seats that are kept for it.
    pub fn seats(&self) -> &[HeldSeat] {
        &self.seats
    }

    /// The debates it took part in, the newest last.
    pub fn completed(&self) -> &[CompletedDebate] {
        &self.completed
    }

    /// The newest changes of its persona, the newest last.
    pub fn changes(&self) -> &[PersonaChange] {
        &self.changes
    }

    /// How far its growth is.
    pub fn growth(&self) -> &GrowthState {
        &self.growth
    }

    /// The feedback that was tried last.
    pub fn trial(&self) -> Option<&FeedbackTrial> {
        self.trial.as_ref()
    }

    /// Its threads.
    pub fn threads(&self) -> &Threads {
        &self.cast
    }

    /// Whether it left for good.
    pub fn is_retired(&self) -> bool {
        self.is_retired
    }

    /// Whether feedback on a debate can still be given or changed: no seat was held, and none began, after it was over.
    pub fn is_open_for_feedback(&self, debate: &CompletedDebate) -> bool {
        let is_later = |seat: &HeldSeat| {
            seat.debate != debate.seat.debate
                && (seat.held > debate.told || seat.started_at.is_some_and(|at| at > debate.completed_at))
        };
        let seats = self.seats.iter().chain(self.completed.iter().map(|other| &other.seat));
        self.forgotten_hold <= debate.told && !seats.into_iter().any(is_later)
    }

    /// The questions that wait for the owner, the newest first.
    pub fn open_questions(&self) -> impl Iterator<Item = &AskedReflection> {
        let open = self.completed.iter().rev().filter(|debate| self.is_open_for_feedback(debate));
        open.filter_map(|debate| debate.reflection.as_ref()).filter(|reflection| !reflection.is_answered)
    }

    /// The debate that was over last; feedback on it shapes the next strategy (DEL-66).
    pub fn latest(&self) -> Option<&CompletedDebate> {
        self.completed.iter().max_by_key(|debate| (debate.completed_at, debate.told))
    }

    /// What it has not learnt from yet, in the order in which it was said.
    pub fn unapplied(&self) -> Vec<&GivenFeedback> {
        let feedbacks = self.completed.iter().filter_map(|debate| debate.feedback.as_ref());
        let mut open: Vec<_> = feedbacks.filter(|feedback| feedback.applied_at.is_none()).collect();
        open.sort_by_key(|feedback| (feedback.created_at, feedback.number));
        open
    }

    /// The growth that can be taken back: the newest that was not.
    pub fn last_growth(&self) -> Option<&PersonaChange> {
        let mut stack: Vec<&PersonaChange> = Vec::new();
        for change in &self.changes {
            match change.undoes {
                None => stack.push(change),
                Some(_) => drop(stack.pop()),
            }
        }
        stack.pop()
    }

    /// What it brings to a debate now. None while it has no persona.
    pub fn brief(&self) -> Option<Brief> {
        let (profile, persona) = (self.profile.as_ref()?, self.persona.as_ref()?);
        let feedback = self.latest().and_then(|debate| {
            let feedback = debate.feedback.as_ref()?;
            Some(FeedbackBrief {
                id: feedback.id.clone(),
                debate: feedback.debate.clone(),
                content: feedback.content.clone(),
                own: debate.own.clone(),
            })
        });
        Some(Brief {
            debater: profile.debater.clone(),
            owner: Some(profile.owner.clone()),
            name: profile.name.clone(),
            persona: persona.raw().to_owned(),
            persona_version: persona.version(),
            knowledge: self.knowledge.clone(),
            feedback,
        })
    }

    /// What the table `agents` shows of it, with this persona.
    pub(super) fn card(&self, profile: &Profile, persona: &Persona, now: Timestamp) -> AgentCard {
        AgentCard {
            user_id: profile.owner.clone(),
            name: profile.name.clone(),
            status: profile.status,
            persona: persona.raw().to_owned(),
            created_at: profile.created_at,
            updated_at: now,
        }
    }

    /// What a topic looks at, with this knowledge and a feedback of this time.
    pub(super) fn look_up(
        &self,
        profile: &Profile,
        knowledge: &[KnowledgeEntry],
        feedback: Option<Timestamp>,
    ) -> DebaterLookUp {
        let learnt = knowledge.iter().map(|entry| Timestamp(entry.created_at)).max();
        let active_at =
            [learnt, feedback, self.last_feedback_at].into_iter().flatten().fold(profile.created_at, Ord::max);
        DebaterLookUp { owner: profile.owner.clone(), name: profile.name.clone(), status: profile.status, active_at }
    }

    pub(super) fn debate(&self, debate: &str) -> Option<&CompletedDebate> {
        self.completed.iter().find(|known| known.seat.debate == debate)
    }

    pub(super) fn seat(&self, debate: &str) -> Option<&HeldSeat> {
        self.seats.iter().find(|seat| seat.debate == debate)
    }

    pub(super) fn lang(&self) -> Lang {
        self.profile.as_ref().map_or(Lang::En, |profile| profile.lang)
    }
}
