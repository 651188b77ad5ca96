//! Deleting a session while it may be loaded, at work and watched.
//!
//! What it has spent so far is saved first, since that stays. Then it goes from the store, from memory, and whoever watches
//! is told. Model calls under way for it are given up and count as spent; a tool under way runs to its end, because half
//! of what it does may be done, and what comes of it is dropped.

use std::sync::Arc;

use super::place::Slot;
use super::{Declined, Engine};
use crate::seams::store::{Deleted, SessionId};

impl Engine {
    /// Removes a session and everything kept for it. One with forks stays, and one that others belong to.
    pub async fn delete(&self, session: &SessionId) -> Result<Deleted, Declined> {
        self.to_the_end(session, |engine, slot| async move {
            let mut place = slot.place.lock().await;
            engine.save_leftovers(&slot, &mut place).await;
            let deleted = engine.store().delete(&slot.id).await.map_err(Declined::Failed)?;
            match &deleted {
                Deleted::Deleted | Deleted::Unknown => {
                    place.clear();
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

    fn leave(&self, slot: &Arc<Slot>) {
        let mut slots = self.0.slots.lock().expect("slots");
        if slots.get(&slot.id).is_some_and(|known| Arc::ptr_eq(known, slot)) {
            slots.remove(&slot.id);
        }
    }
}
