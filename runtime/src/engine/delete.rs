//! Deleting a session while it may be loaded, at work and watched.
//!
//! What it has spent so far is saved first, since that stays. Then it goes from the store, from memory, and whoever watches
//! is told. Model calls under way for it are given up and count as spent; a tool under way runs to its end, because half
//! of what it does may be done, and what comes of it is dropped.

use std::sync::Arc;

use super::slot::SessionSlot;
use super::{Declined, Engine};
use crate::seams::register::NewAuditEntry;
use crate::seams::store::{Deleted, SessionId};

impl Engine {
    /// Removes a session with everything that was forked from it, however deep, forks first. Says what became of it,
    /// and which forks went. One that others belong to stays, and so does whatever a fork of that kind was forked from.
    /// What was cut off in the middle is finished by asking again. The line for the journal is written with the first that
    /// goes, and taken then: it is there as soon as anything is gone, and not where nothing is.
    pub async fn delete_with_forks(
        &self,
        session: &SessionId,
        line: &mut Option<NewAuditEntry>,
    ) -> Result<(Deleted, Vec<SessionId>), Declined> {
        let (mut waiting, mut gone) = (vec![session.clone()], Vec::new());
        loop {
            let next = waiting.last().cloned().unwrap_or_else(|| session.clone());
            match self.delete_noted(&next, line).await? {
                // A fork that is made meanwhile is named when its parent is asked for again.
                Deleted::HasForks(forks) => waiting.extend(forks),
                Deleted::HasFamily(count) => return Ok((Deleted::HasFamily(count), gone)),
                deleted @ (Deleted::Deleted | Deleted::Unknown) => {
                    waiting.pop();
                    if waiting.is_empty() {
                        return Ok((deleted, gone));
                    }
                    gone.extend((deleted == Deleted::Deleted).then_some(next));
                }
            }
        }
    }

    /// Removes a session and everything kept for it. One with forks stays, and one that others belong to.
    pub async fn delete(&self, session: &SessionId) -> Result<Deleted, Declined> {
        self.delete_noted(session, &mut None).await
    }

    /// The same, with a line for the journal that is written, and taken, if the session goes.
    pub async fn delete_noted(
        &self,
        session: &SessionId,
        line: &mut Option<NewAuditEntry>,
    ) -> Result<Deleted, Declined> {
        let deleted = self.delete_and_write(session, line.clone()).await?;
        if deleted == Deleted::Deleted {
            *line = None;
        }
        Ok(deleted)
    }

    async fn delete_and_write(&self, session: &SessionId, line: Option<NewAuditEntry>) -> Result<Deleted, Declined> {
        self.to_the_end(session, |engine, slot| async move {
            let mut state = slot.state.lock().await;
            engine.save_leftovers(&slot, &mut state).await;
            let deleted = engine.store().delete_noted(&slot.id, line.as_ref()).await.map_err(Declined::Failed)?;
            match &deleted {
                Deleted::Deleted | Deleted::Unknown => {
                    state.clear();
                    slot.gone.send_replace(true);
                    engine.leave(&slot);
                    engine.0.feeds.gone(&slot.id);
                }
                Deleted::HasForks(_) | Deleted::HasFamily(_) => {}
            }
            Ok(deleted)
        })
        .await
    }

    fn leave(&self, slot: &Arc<SessionSlot>) {
        let mut slots = self.0.slots.lock().expect("slots");
        if slots.get(&slot.id).is_some_and(|known| Arc::ptr_eq(known, slot)) {
            slots.remove(&slot.id);
        }
    }
}
