//! Files as uploads bring them, for tests.

use enza_kernel::conversation::Digest;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::{FileKey, PART, Quotas, Reservation, Reserved, Store};

use super::id;

pub const NOW: Timestamp = Timestamp(1_000_000);
pub const LATER: Timestamp = Timestamp(2_000_000);
pub const WIDE: Quotas = Quotas { session: 1 << 40, link: 1 << 40, family: 1 << 40, owner: 1 << 40 };

/// Room for a file of a session, under wide quotas.
pub fn room(session: &str, most: u64) -> Reservation {
    Reservation { session: id(session), link: None, most, now: NOW, until: LATER, quotas: WIDE }
}

/// Room for a file, as an upload takes it first.
pub async fn reserved(store: &dyn Store, room: &Reservation) -> FileKey {
    match store.reserve(room).await {
        Ok(Reserved::Reserved(file)) => file,
        other => panic!("{other:?}"),
    }
}

/// Takes a file in, as an upload does.
pub async fn take(store: &dyn Store, session: &str, bytes: &[u8]) -> (FileKey, Digest) {
    let file = reserved(store, &room(session, bytes.len() as u64)).await;
    for (place, part) in (0..).zip(bytes.chunks(PART)) {
        assert_eq!(store.write_part(file, place, part).await, Ok(true));
    }
    let digest = Digest::of(bytes);
    assert_eq!(store.finish(file, &digest, bytes.len() as u64).await, Ok(true));
    (file, digest)
}
