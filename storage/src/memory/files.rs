//! Files by the session that took them in, in parts, in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;
use enza_kernel::conversation::Digest;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::{Failure, FileKey, FileUsage, Files, Reservation, Reserved, SessionId};

use super::{Memory, Tables};

/// A file that is here or on its way.
#[derive(Debug)]
pub(super) struct FileEntry {
    session: SessionId,
    link: Option<String>,
    size: u64,
    /// Until when it has to be whole; none once it is.
    until: Option<Timestamp>,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Coming(BTreeMap<u32, Vec<u8>>),
    Whole(Digest),
}

#[async_trait]
impl Files for Memory {
    async fn reserve(&self, room: &Reservation) -> Result<Reserved, Failure> {
        Ok(self.tables().reserve(room))
    }

    async fn write_part(&self, file: FileKey, place: u32, bytes: &[u8]) -> Result<bool, Failure> {
        let mut books = self.tables();
        let Some(Content::Coming(parts)) = books.files.get_mut(&file).map(|taken| &mut taken.content) else {
            return Ok(false);
        };
        parts.insert(place, bytes.to_vec());
        Ok(true)
    }

    async fn finish(&self, file: FileKey, digest: &Digest, size: u64) -> Result<bool, Failure> {
        let mut books = self.tables();
        let Some(taken) = books.files.get_mut(&file).filter(|taken| taken.until.is_some()) else { return Ok(false) };
        (taken.until, taken.size) = (None, size);
        if let Content::Coming(parts) = std::mem::replace(&mut taken.content, Content::Whole(*digest)) {
            books.contents.entry(*digest).or_insert((size, parts));
        }
        Ok(true)
    }

    async fn discard(&self, file: FileKey) -> Result<(), Failure> {
        self.tables().discard(|key, _| *key == file);
        Ok(())
    }

    async fn file_size(&self, session: &SessionId, digest: &Digest) -> Result<Option<u64>, Failure> {
        Ok(self.tables().content(session, digest).map(|(size, _)| *size))
    }

    async fn read_part(&self, session: &SessionId, digest: &Digest, place: u32) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.tables().content(session, digest).and_then(|(_, parts)| parts.get(&place).cloned()))
    }
}

impl Tables {
    fn reserve(&mut self, room: &Reservation) -> Reserved {
        self.files.values_mut().for_each(|taken| taken.until = taken.until.map(|until| until.min(room.until)));
        self.discard(|_, taken| taken.until.is_some_and(|until| until < room.now));
        let Some(book) = self.sessions.get(&room.session) else { return Reserved::Unknown };
        let mut kept = FileUsage::default();
        for taken in self.files.values() {
            let Some(other) = self.sessions.get(&taken.session) else { continue };
            let sum = |sum: &mut u64, counts: bool| *sum += if counts { taken.size } else { 0 };
            sum(&mut kept.session, taken.session == room.session);
            sum(&mut kept.link, room.link.is_some() && taken.link == room.link);
            sum(&mut kept.family, book.row.of.is_some() && other.row.of == book.row.of);
            sum(&mut kept.owner, other.row.owner == book.row.owner);
        }
        if let Some(quota) = room.quotas.exceeded(&kept, room.most) {
            return Reserved::Full(quota);
        }
        self.last_file += 1;
        let taken = FileEntry {
            session: room.session.clone(),
            link: room.link.clone(),
            size: room.most,
            until: Some(room.until),
            content: Content::Coming(BTreeMap::new()),
        };
        self.files.insert(FileKey(self.last_file), taken);
        Reserved::Reserved(FileKey(self.last_file))
    }

    /// Removes the files of a session that goes.
    pub(super) fn delete_files_of(&mut self, session: &SessionId) {
        self.discard(|_, taken| taken.session == *session);
    }

    /// Removes files, and what they hold where no other has the same.
    fn discard(&mut self, is_meant: impl Fn(&FileKey, &FileEntry) -> bool) {
        self.files.retain(|key, taken| !is_meant(key, taken));
        let files = &self.files;
        let has = |digest: &Digest| {
            files.values().any(|taken| matches!(&taken.content, Content::Whole(one) if one == digest))
        };
        self.contents.retain(|digest, _| has(digest));
    }

    fn content(&self, session: &SessionId, digest: &Digest) -> Option<&(u64, BTreeMap<u32, Vec<u8>>)> {
        let is_it = |taken: &&FileEntry| {
            taken.session == *session && matches!(&taken.content, Content::Whole(one) if one == digest)
        };
        self.files.values().find(is_it).and_then(|_| self.contents.get(digest))
    }
}
