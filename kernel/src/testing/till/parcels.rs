//! The till's errands: parcels for other tills, branches that it opens, and a count of what all tills have taken.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Command, Event, Refusal, Till};
use crate::application::{Application as _, Draft, Row};
use crate::effect::{Effect, Key, Outcome};
use crate::errand::{Errand, ErrandKind, Look};
use crate::refusal::CommonRefusal;
use crate::time::Seq;

/// The table of parcels that were taken.
pub const PARCELS: &str = "parcels";

/// What is on its way, and what has come.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Parcels {
    /// Errands that have not ended, in the order in which they were sent.
    pub under_way: Vec<Errand>,
    pub arrived: u32,
    /// The codes of what was declined.
    pub declined: Vec<String>,
    pub taken: Vec<String>,
    /// What the last count came to.
    pub counted: Option<u32>,
}

impl Parcels {
    pub(super) fn evolve(&mut self, seq: Seq, event: &Event) {
        let mut send = |what| self.under_way.push(Errand { key: Key { seq, ordinal: 0 }, what });
        match event {
            Event::ParcelSent { to, parcel } => {
                let command = json!(Command::Take { parcel: parcel.clone() });
                send(ErrandKind::Tell { session: to.clone(), command });
            }
            Event::BranchPlanned { session } => send(ErrandKind::Open {
                session: session.clone(),
                application: Till::NAME.to_owned(),
                of: None,
                command: json!(Command::Open { budget: None, floor: String::new() }),
            }),
            Event::CountBegun => send(ErrandKind::Look(Look::at(PARCELS))),
            Event::ParcelArrived { key, .. } | Event::BranchOpened { key } => {
                self.under_way.retain(|errand| errand.key != *key);
                self.arrived += 1;
            }
            Event::ParcelCameBack { key, code, .. } => {
                self.under_way.retain(|errand| errand.key != *key);
                self.declined.push(code.clone());
            }
            Event::Counted { key, parcels } => {
                self.under_way.retain(|errand| errand.key != *key);
                self.counted = Some(*parcels);
            }
            Event::ParcelTaken { parcel, .. } => self.taken.push(parcel.clone()),
            Event::Closed { .. }
            | Event::Opened { .. }
            | Event::Spoke { .. }
            | Event::Agent(_)
            | Event::Noted
            | Event::GateOpened { .. }
            | Event::GateAnswered { .. }
            | Event::LeftUnknown { .. }
            | Event::Seats(_) => {}
        }
    }

    pub(super) fn due(&self) -> impl Iterator<Item = Effect> {
        self.under_way.iter().cloned().map(Effect::RunErrand)
    }
}

/// Sends another till a parcel, opens a branch or counts what was taken.
pub(super) fn send(draft: &mut Draft<'_, Till>, event: Event) -> Result<(), Refusal> {
    if draft.state.idle_at.is_none() {
        return Err(Refusal::Common(CommonRefusal::NotOpen));
    }
    draft.record(event);
    Ok(())
}

/// Takes a parcel, from another till alone.
pub(super) fn take(draft: &mut Draft<'_, Till>, parcel: String) -> Result<(), Refusal> {
    let from = draft.now().by.session_of(Till::NAME).map(str::to_owned);
    let from = from.ok_or(Refusal::Common(CommonRefusal::NotASession))?;
    send(draft, Event::ParcelTaken { parcel, from })
}

/// What came of an errand.
pub(super) fn settle(draft: &mut Draft<'_, Till>, errand: &Errand, outcome: Outcome) {
    let key = errand.key;
    let parcel = match &errand.what {
        ErrandKind::Tell { command, .. } => command["take"]["parcel"].as_str().unwrap_or_default().to_owned(),
        ErrandKind::Open { .. } | ErrandKind::Look(_) => String::new(),
    };
    let is_branch = matches!(errand.what, ErrandKind::Open { .. });
    draft.record(match outcome {
        Outcome::Delivered { .. } if is_branch => Event::BranchOpened { key },
        Outcome::Delivered { .. } => Event::ParcelArrived { key, parcel },
        Outcome::Declined { code, .. } => Event::ParcelCameBack { key, parcel, code },
        Outcome::Found { rows, .. } => Event::Counted { key, parcels: u32::try_from(rows.len()).unwrap_or(u32::MAX) },
        Outcome::Replied { .. }
        | Outcome::Unanswered { .. }
        | Outcome::TooLong { .. }
        | Outcome::CallsLost { .. }
        | Outcome::Starting { .. }
        | Outcome::Returned { .. }
        | Outcome::ToolFailed { .. }
        | Outcome::Unknown
        | Outcome::Rang => return,
    });
}

/// The row of a parcel that was taken.
pub(super) fn row(parcel: &str, from: &str) -> Row {
    Row { table: PARCELS.to_owned(), key: parcel.to_owned(), content: Some(json!({"from": from})) }
}
