//! Forks: a session that goes on from another's past, by itself or only to see how else it might have gone.
//!
//! Nothing is copied. A fork runs no errands (`errands.rs`). A quiet one is woken by no timer either and is at rest until it is
//! told something, so that nothing happens in it but what follows from the command it begins with.

use enza_kernel::application::Phase;
use enza_kernel::time::Seq;

use super::inspect::no_such_event;
use super::slot::{SlotState, timers_in};
use super::{Declined, Engine, Receipt, Submission};
use crate::seams::store::{Fork, Forked, SessionId};

/// A fork to make.
struct ForkOrder<'a> {
    parent: &'a SessionId,
    at: Option<Seq>,
    child: &'a SessionId,
    owner: &'a str,
    quiet: bool,
}

impl Engine {
    /// Forks a session at the end of the decision that an event belongs to, and says where that is; nothing is copied.
    pub async fn fork(
        &self,
        parent: &SessionId,
        at: Option<Seq>,
        child: &SessionId,
        owner: &str,
    ) -> Result<Seq, Declined> {
        // Held until it is known that the fork is new, so that it is not taken up here before that.
        let slot = self.slot(child);
        let mut state = slot.state.lock().await;
        self.make_fork(&mut state, ForkOrder { parent, at, child, owner, quiet: false }).await
    }

    /// Forks a session quietly and begins the fork with a command. Where that is declined, there is no fork.
    pub async fn what_if(
        &self,
        parent: &SessionId,
        at: Option<Seq>,
        child: &SessionId,
        owner: &str,
        submission: Submission,
    ) -> Result<Receipt, Declined> {
        let (parent, owner) = (parent.clone(), owner.to_owned());
        self.to_the_end(child, move |engine, slot| async move {
            let mut state = slot.state.lock().await;
            let order = ForkOrder { parent: &parent, at, child: &slot.id, owner: &owner, quiet: true };
            match engine.make_fork(&mut state, order).await {
                Ok(_) => {}
                // Asked for before, and it is not known what came of it: the command's key tells.
                Err(Declined::NameTaken(_)) if engine.is_quiet_fork_of(&slot.id, &parent).await? => {}
                Err(declined) => return Err(declined),
            }
            let answer = engine.command(&slot, &mut state, submission).await;
            drop(state);
            if answer.as_ref().is_err_and(is_final)
                && let Err(why) = engine.delete(&slot.id).await
            {
                tracing::warn!(session = %slot.id, ?why, "a fork that nothing came of stays, at rest");
            }
            answer
        })
        .await
    }

    async fn is_quiet_fork_of(&self, child: &SessionId, parent: &SessionId) -> Result<bool, Declined> {
        let row = self.row(child).await?;
        Ok(row.quiet && row.parent.is_some_and(|(its, _)| its == *parent))
    }

    async fn make_fork(&self, state: &mut SlotState, order: ForkOrder<'_>) -> Result<Seq, Declined> {
        let ForkOrder { parent, at, child, owner, quiet } = order;
        let row = self.row(parent).await?;
        let (head, quiet) = (row.head, quiet || row.quiet);
        let at = at.unwrap_or(head);
        if at > head || at == Seq::START {
            return Err(no_such_event(head, at));
        }
        let at = self.end_of_decision(parent, at).await?;
        let live = self.state_at(parent, Some(at)).await?;
        let due = live.due();
        let mut standing = live.standing_owing(&due);
        if quiet && standing.phase == Phase::Working {
            standing.phase = Phase::Waiting;
        }
        let fork = Fork {
            parent: parent.clone(),
            at,
            child: child.clone(),
            owner: owner.to_owned(),
            standing,
            timers: if quiet { Vec::new() } else { timers_in(&due) },
            quiet,
            now: self.0.setup.clock.now(),
        };
        match self.store().fork(&fork).await.map_err(Declined::Failed)? {
            Forked::Forked => {
                state.forked = true;
                Ok(at)
            }
            Forked::NoParent => Err(Declined::UnknownSession(parent.clone())),
            Forked::BeyondHead(head) => Err(no_such_event(head, at)),
            Forked::NameTaken => Err(Declined::NameTaken(child.clone())),
        }
    }

    /// The last event of the decision at a place. A state in the middle of one was never meant to be seen: a gate may
    /// be answered there, and its call not yet queued. The events of a decision have one time, which no other decision of
    /// the session has.
    async fn end_of_decision(&self, session: &SessionId, at: Seq) -> Result<Seq, Declined> {
        let mut end = at;
        let mut time = None;
        loop {
            let page = self.store().events(session, Seq(end.0 - u64::from(time.is_none())), 64).await;
            let page = page.map_err(Declined::Failed)?;
            for recorded in &page {
                if *time.get_or_insert(recorded.at) != recorded.at {
                    return Ok(end);
                }
                end = recorded.seq;
            }
            if page.len() < 64 {
                return Ok(end);
            }
        }
    }
}

/// Whether a command that was declined so is known not to have been accepted.
fn is_final(declined: &Declined) -> bool {
    match declined {
        Declined::Refused(_) | Declined::Malformed(_) | Declined::TooLarge { .. } => true,
        Declined::UnknownSession(_)
        | Declined::UnknownApplication(_)
        | Declined::NameTaken(_)
        | Declined::Contended
        | Declined::Failed(_) => false,
    }
}
