//! Checksums of what is kept, so that a changed byte is noticed.
//!
//! Every event carries a link: a digest over the link before it and over everything that is kept of the event. A log is
//! therefore sound only as a whole and in its order. A fork goes on from its parent's link at the place where it left. A
//! snapshot carries a digest of its own.
//!
//! Events that an older Enza wrote have no link. They are accepted up to the first event that has one; from there on
//! each must.

use enza_kernel::application::Stored;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::store::{Failure, NewEvent, Recorded, SessionId, Snapshot};
use sha2::{Digest as _, Sha256};

use crate::fault::Fault;

/// The checksum of an event and all before it: the first half of a SHA-256.
pub(crate) type Link = [u8; 16];

/// The links of events that are appended after one with the link `before`.
pub(crate) fn links(before: Option<Link>, expected: Seq, events: &[NewEvent]) -> Vec<Link> {
    let mut last = before;
    let mut made = Vec::with_capacity(events.len());
    for (place, event) in (expected.0 + 1..).zip(events) {
        let link = link(last, Seq(place), event.at, &event.stored);
        made.push(link);
        last = Some(link);
    }
    made
}

fn link(before: Option<Link>, seq: Seq, at: Timestamp, stored: &Stored) -> Link {
    let mut sum = Sha256::new();
    sum.update([u8::from(before.is_some())]);
    sum.update(before.unwrap_or_default());
    sum.update(seq.0.to_le_bytes());
    sum.update(at.0.to_le_bytes());
    sum.update(stored.version.to_le_bytes());
    // Where a word ends must count too.
    sum.update((stored.kind.len() as u64).to_le_bytes());
    sum.update(&stored.kind);
    sum.update(&stored.body);
    half(&sum.finalize())
}

/// The checksum of a snapshot.
pub(crate) fn of_snapshot(snapshot: &Snapshot) -> Link {
    let mut sum = Sha256::new();
    sum.update(snapshot.seq.0.to_le_bytes());
    sum.update(snapshot.version.to_le_bytes());
    sum.update(&snapshot.body);
    half(&sum.finalize())
}

fn half(whole: &[u8]) -> Link {
    let mut half = Link::default();
    half.copy_from_slice(&whole[..size_of::<Link>()]);
    half
}

/// A link as it is kept; one of another length is damage.
pub(crate) fn read(kept: Option<Vec<u8>>) -> Result<Option<Link>, Vec<u8>> {
    kept.map(TryInto::try_into).transpose()
}

/// Follows a log event by event and says where it is not what was written.
#[derive(Debug, Clone)]
pub(crate) struct Follow {
    last: Option<Link>,
    at: Seq,
    /// Events without a link so far.
    pub unlinked: u64,
}

impl Follow {
    /// From an event whose link is known, or from the beginning.
    pub fn after(at: Seq, last: Option<Link>) -> Self {
        Self { last, at, unlinked: 0 }
    }

    /// The link of the last event.
    pub fn last(&self) -> Option<Link> {
        self.last
    }

    /// Takes the next event. An error is the place that is missing or was changed.
    pub fn take(&mut self, event: &Recorded, kept: Option<Vec<u8>>) -> Result<(), Seq> {
        let due = self.at.next();
        if event.seq != due {
            return Err(due);
        }
        let kept = read(kept).map_err(|_| due)?;
        match kept {
            None if self.last.is_some() => return Err(due),
            None => self.unlinked += 1,
            Some(kept) => {
                if link(self.last, due, event.at, &event.stored) != kept {
                    return Err(due);
                }
            }
        }
        (self.last, self.at) = (kept.or(self.last), due);
        Ok(())
    }

    /// Insists that the log has come to its head.
    pub fn ends_at(&self, head: Seq) -> Result<(), Seq> {
        if self.at < head { Err(self.at.next()) } else { Ok(()) }
    }
}

/// The failure of a session whose log was changed at a place.
pub(crate) fn damaged(session: &SessionId, seq: Seq) -> Fault {
    Fault(Failure::EventDamaged { session: session.clone(), seq })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log() -> Vec<Recorded> {
        let event = |seq: u64| Recorded {
            seq: Seq(seq),
            at: Timestamp(7),
            stored: Stored { kind: "Said".to_owned(), version: 1, body: format!("{{\"n\":{seq}}}") },
        };
        (1..=5).map(event).collect()
    }

    fn linked(log: &[Recorded]) -> Vec<Option<Vec<u8>>> {
        let new: Vec<_> = log.iter().map(|one| NewEvent { at: one.at, stored: one.stored.clone() }).collect();
        links(None, Seq::START, &new).into_iter().map(|link| Some(link.to_vec())).collect()
    }

    fn follow(log: &[Recorded], kept: &[Option<Vec<u8>>]) -> Result<(), Seq> {
        let mut follow = Follow::after(Seq::START, None);
        log.iter().zip(kept).try_for_each(|(event, kept)| follow.take(event, kept.clone()))?;
        follow.ends_at(Seq(5))
    }

    #[test]
    fn every_change_to_an_event_is_noticed_at_its_place() {
        let whole = log();
        let kept = linked(&whole);
        assert_eq!(follow(&whole, &kept), Ok(()));
        let changes: [fn(&mut Recorded); 4] = [
            |event| event.at.0 += 1,
            |event| event.stored.version = 2,
            |event| event.stored.kind.push('!'),
            |event| event.stored.body = event.stored.body.replace('n', "m"),
        ];
        for change in changes {
            let mut log = whole.clone();
            change(&mut log[2]);
            assert_eq!(follow(&log, &kept), Err(Seq(3)));
        }
        let without = |place: usize| [&whole[..place], &whole[place + 1..]].concat();
        let links_without = |place: usize| [&kept[..place], &kept[place + 1..]].concat();
        assert_eq!(follow(&without(1), &links_without(1)), Err(Seq(2)), "one in the middle is gone");
        assert_eq!(follow(&without(4), &links_without(4)), Err(Seq(5)), "the last one is gone");
    }

    #[test]
    fn events_from_before_there_were_links_are_accepted_up_to_the_first_that_has_one() {
        let whole = log();
        let new: Vec<_> = whole[2..].iter().map(|one| NewEvent { at: one.at, stored: one.stored.clone() }).collect();
        let later = links(None, Seq(2), &new).into_iter().map(|link| Some(link.to_vec()));
        let mut kept: Vec<_> = [None, None].into_iter().chain(later).collect();
        assert_eq!(follow(&whole, &kept), Ok(()));
        kept[3] = None;
        assert_eq!(follow(&whole, &kept), Err(Seq(4)), "a link that went missing is damage");
    }
}
