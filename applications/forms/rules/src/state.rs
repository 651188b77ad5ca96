//! Where a form stands: the draft, the newest version, the rules and the ways in.
//!
//! Bounded: one draft and one version, at most `MOST_LINKS` links, and two counts instead of a list of respondents.
//! Interviews are sessions of their own and know their form; here only a single link remembers who used it. That
//! a submission is counted once rests on the idempotency key of `Receive`, which the engine keeps: whoever sends it
//! again after a crash must send the same key.

use std::collections::BTreeMap;
use std::sync::Arc;

use enza_kernel::agent::{ThreadFailure, ThreadState as ThreadStanding, Threads};
use enza_kernel::limits;
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::event::Card;
use super::link::{Link, LinkKind, LinkUse};
use super::refusal::Refusal;
use super::rules::Rules;
use super::webhook::Webhook;
use enza_interview::Form;

/// The agent that writes drafts, and its thread.
pub(super) const ARCHITECT: &str = "architect";

/// The state of a form.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct State {
    /// None while the form has not begun.
    pub(super) owner: Option<String>,
    pub(super) card: Card,
    /// Shared, like all that is large here: every decision starts from a copy of the state.
    pub(super) draft: Arc<Form>,
    pub(super) published: Option<Published>,
    pub(super) rules: Rules,
    pub(super) webhook: Option<Webhook>,
    pub(super) links: Arc<BTreeMap<String, Link>>,
    pub(super) admitted: u64,
    pub(super) received: u64,
    /// What the architect was last asked to write from, until there is a draft.
    pub(super) sentence: Option<String>,
    pub(super) cast: Threads,
}

/// The newest version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    /// Its number, from 1.
    pub version: u64,
    /// The form, checked.
    pub form: Arc<Form>,
    pub at: Timestamp,
}

/// How somebody who comes by a link is received.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Admission<'a> {
    /// To answer this version, by this link.
    New { published: &'a Published, link: &'a Link },
    /// The interview was let in before, by this single link.
    Again,
}

impl State {
    /// Whose it is; none while it has not begun.
    pub fn owner(&self) -> Option<&str> {
        self.owner.as_deref()
    }

    /// What lists show: title, version, edition, whether it is open.
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// The draft, which may be faulty.
    pub fn draft(&self) -> &Arc<Form> {
        &self.draft
    }

    /// The newest version.
    pub fn published(&self) -> Option<&Published> {
        self.published.as_ref()
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Where submissions are sent on to.
    pub fn webhook(&self) -> Option<&Webhook> {
        self.webhook.as_ref()
    }

    /// The ways in, by token.
    pub fn links(&self) -> &BTreeMap<String, Link> {
        &self.links
    }

    /// How many respondents were let in.
    pub fn admitted(&self) -> u64 {
        self.admitted
    }

    /// How many submissions arrived.
    pub fn received(&self) -> u64 {
        self.received
    }

    /// The architect's thread, what it used and what it may use.
    pub fn threads(&self) -> &Threads {
        &self.cast
    }

    /// Whether the architect is writing.
    pub fn is_writing(&self) -> bool {
        self.cast.threads.values().any(|thread| !thread.standing.is_failed())
    }

    /// Why the architect cannot go on, if it cannot.
    pub fn failure(&self) -> Option<&ThreadFailure> {
        self.cast.threads.values().find_map(|thread| match &thread.standing {
            ThreadStanding::Failed { failure } => Some(failure),
            ThreadStanding::Resting | ThreadStanding::Asking { .. } | ThreadStanding::Acting { .. } => None,
        })
    }

    /// How somebody who comes by this link now is received, or why not. The session is the interview that is to be let
    /// in, where there is one already; a page that only greets has none.
    pub fn admission(&self, token: &str, session: Option<&str>, now: Timestamp) -> Result<Admission<'_>, Refusal> {
        let link = self.links.get(token).ok_or(Refusal::LinkUnknown)?;
        if matches!(&link.used, LinkUse::By(known) if Some(known.as_str()) == session) {
            return Ok(Admission::Again);
        }
        if link.is_revoked {
            return Err(Refusal::LinkRevoked);
        }
        let published = self.published.as_ref().ok_or(Refusal::Unpublished)?;
        if !self.card.is_open || self.rules.has_closed(now) {
            return Err(Refusal::Closed);
        }
        if self.rules.most_answers.is_some_and(|most| self.received >= most) {
            return Err(Refusal::Full);
        }
        match (link.kind, &link.used) {
            (LinkKind::Public, _) | (LinkKind::Single, LinkUse::No) => Ok(Admission::New { published, link }),
            (LinkKind::Single, LinkUse::By(_) | LinkUse::ByAForgotten) => Err(Refusal::LinkUsed),
        }
    }

    /// The next version, if the draft can be asked and says something else than the newest one.
    pub fn publishable(&self) -> Result<Form, Refusal> {
        let form = Form::clone(&self.draft).checked().map_err(Refusal::Form)?;
        if self.published.as_ref().is_some_and(|published| *published.form == form) {
            return Err(Refusal::NothingToPublish { is_open: self.card.is_open });
        }
        Ok(form)
    }

    /// The card with another draft on it.
    pub(super) fn card_of(&self, form: &Form) -> Card {
        Card { title: short_title(&form.title), ..self.card.clone() }
    }
}

/// A title for lists, which a draft's own may be too long for.
fn short_title(title: &str) -> String {
    let seen = title.trim().chars().take(limits::TITLE.graphemes);
    seen.map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
