//! Reads a write-ahead log as SQLite would, and goes on where SQLite would stop.
//!
//! SQLite takes a log up to the first frame that does not fit its checksum, and drops the rest without a word. That is
//! right for the unfinished end that a crash leaves, and wrong where acknowledged transactions follow. The two are told
//! apart by what only an acknowledged transaction can leave behind:
//!
//! - A frame that follows a commit. With durability `full` nobody writes on before a commit is on the disk, so a broken
//!   transaction with another after it was acknowledged. A single broken transaction at the end may be one that a power
//!   cut tore before anyone was told of it, and is none of our business.
//! - The index beside the log (`-shm`), which a killed process leaves behind: it counts the frames up to the last
//!   commit, and is written after that commit is on the disk.
//!
//! A frame that SQLite wrote in an older round of the log has other salts, and one of a transaction that was taken back
//! has no commit after it; neither is counted.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// The bytes of page 1 that are looked at: the file's header, and that of the page itself.
pub(super) const HEAD: usize = 112;

const HEADER: usize = 32;
const FRAME: usize = 24;
const VERSION: u32 = 3_007_000;

/// What a log holds.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The frames up to the last commit before anything is broken.
    pub committed: u32,
    /// Pages of the database after that commit.
    pub pages: u32,
    /// The beginning of page 1 after that commit, where it is in the log.
    pub head: Option<Vec<u8>>,
    /// Every page in those frames.
    pub written: HashSet<u32>,
    /// The bytes of the log that are sound.
    pub sound_bytes: u64,
    /// The first frame that is broken; 0 is the log's own header.
    pub broken_at: Option<u32>,
    /// Commits after the broken frame that were acknowledged for certain.
    pub acknowledged: u32,
    salts: Option<[u8; 8]>,
}

/// The index that a process left beside the log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Index {
    salts: [u8; 8],
    frames: u32,
    /// Of those, the ones that are in the database file already.
    moved: u32,
}

impl Log {
    /// What was acknowledged and cannot be read, in words; none where nothing is known to be lost.
    pub fn loss(&self, index: Option<&Index>) -> Option<String> {
        let counted = index.filter(|index| match self.salts {
            Some(salts) => salts == index.salts,
            None => index.frames > index.moved,
        });
        let missing = counted.map_or(0, |index| index.frames.saturating_sub(self.committed));
        if missing == 0 && self.acknowledged == 0 {
            return None;
        }
        let committed = self.committed;
        Some(match (self.broken_at, self.acknowledged) {
            (Some(at), 0) => format!("frame {at} is broken, and {missing} frames after {committed} were acknowledged"),
            (Some(at), commits) => {
                let follow = if commits == 1 { "transaction follows" } else { "transactions follow" };
                format!("frame {at} is broken, and at least {commits} acknowledged {follow} it")
            }
            (None, _) => format!("it ends after frame {committed}, and {missing} acknowledged frames are gone"),
        })
    }
}

/// Reads a log. One that is not there, or was just begun, is empty.
pub(super) fn read(path: &Path, page_size: u32) -> io::Result<Log> {
    // Another process may begin the log anew while it is read; it writes the header first.
    const TIMES: usize = 5;
    let mut log = Log::default();
    for _ in 0..TIMES {
        let Some(header) = header_of(path)? else { return Ok(Log::default()) };
        log = scan(path, &header, page_size)?;
        if header_of(path)? == Some(header) {
            break;
        }
    }
    Ok(log)
}

fn header_of(path: &Path) -> io::Result<Option<[u8; HEADER]>> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(why),
    };
    let mut header = [0; HEADER];
    Ok(fill(&mut file, &mut header)?.then_some(header))
}

fn scan(path: &Path, header: &[u8; HEADER], page_size: u32) -> io::Result<Log> {
    let mut file = BufReader::with_capacity(1 << 18, File::open(path)?);
    file.read_exact(&mut [0; HEADER])?;
    let mut scan = Scan::begin(header, page_size);
    let mut frame = vec![0; FRAME + scan.page_size];
    while fill(&mut file, &mut frame)? {
        scan.take(&frame);
    }
    Ok(scan.log)
}

/// Reads until the buffer is full; says no at the end of the file.
fn fill(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(why) if why.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(why) => Err(why),
    }
}

struct Scan {
    log: Log,
    page_size: usize,
    big_endian: bool,
    frames: u32,
    /// The checksum that the frame before says it has.
    before: [u32; 2],
    /// Whether the frame before says that it ends a transaction of this log.
    after_commit: bool,
    /// Pages of the transaction under way, and page 1 in it.
    pending: (HashSet<u32>, Option<Vec<u8>>),
}

impl Scan {
    fn begin(header: &[u8; HEADER], page_size: u32) -> Self {
        let magic = number(header, 0);
        let big_endian = magic & 1 == 1;
        let said = [number(header, 24), number(header, 28)];
        let is_sound = magic & !1 == 0x377f_0682
            && number(header, 4) == VERSION
            && sum(big_endian, [0, 0], &header[..24]) == said
            && (512..=65536).contains(&number(header, 8));
        let page_size = if is_sound { number(header, 8) } else { page_size };
        let salts = is_sound.then(|| bytes_at(header, 16));
        let log = Log {
            broken_at: (!is_sound).then_some(0),
            sound_bytes: if is_sound { HEADER as u64 } else { 0 },
            salts,
            ..Log::default()
        };
        // A header that is broken says nothing; our own logs have the order of this machine.
        let big_endian = if is_sound { big_endian } else { cfg!(target_endian = "big") };
        let page_size = usize::try_from(page_size).unwrap_or(4096).max(512);
        Self { log, page_size, big_endian, frames: 0, before: said, after_commit: false, pending: Default::default() }
    }

    fn take(&mut self, frame: &[u8]) {
        self.frames += 1;
        let salts = bytes_at(frame, 8);
        let is_ours = *self.log.salts.get_or_insert(salts) == salts;
        let said = [number(frame, 16), number(frame, 20)];
        let fits = is_ours && {
            let head = sum(self.big_endian, self.before, &frame[..8]);
            sum(self.big_endian, head, &frame[FRAME..]) == said
        };
        let (page, pages) = (number(frame, 0), number(frame, 4));
        if self.log.broken_at.is_none() && !fits {
            self.log.broken_at = Some(self.frames);
        }
        if self.log.broken_at.is_none() {
            self.accept(page, pages, &frame[FRAME..]);
        } else if fits && self.after_commit {
            self.log.acknowledged += 1;
        }
        self.before = said;
        // A commit before the broken frame proves nothing about what comes after it.
        self.after_commit = is_ours && pages != 0 && self.log.broken_at.is_some();
    }

    fn accept(&mut self, page: u32, pages: u32, content: &[u8]) {
        self.pending.0.insert(page);
        if page == 1 {
            self.pending.1 = content.get(..HEAD).map(<[u8]>::to_vec);
        }
        if pages == 0 {
            return;
        }
        let (written, head) = std::mem::take(&mut self.pending);
        self.log.written.extend(written);
        self.log.head = head.or(self.log.head.take());
        (self.log.committed, self.log.pages) = (self.frames, pages);
        self.log.sound_bytes = (HEADER + (FRAME + self.page_size) * self.frames as usize) as u64;
    }
}

/// Reads the index beside a log; none where there is none that is whole.
pub(super) fn read_index(path: &Path) -> Option<Index> {
    const ONE: usize = 48;
    let mut both = [0; 2 * ONE + 4];
    File::open(path).ok()?.read_exact(&mut both).ok()?;
    let (first, second) = (&both[..ONE], &both[ONE..2 * ONE]);
    let native = |place: usize| u32::from_ne_bytes(bytes_at(&both, place));
    let is_sound = first == second
        && native(0) == VERSION
        && first[12] == 1
        && sum(cfg!(target_endian = "big"), [0, 0], &first[..40]) == [native(40), native(44)];
    is_sound.then(|| Index { salts: bytes_at(first, 32), frames: native(16), moved: native(2 * ONE) })
}

/// SQLite's checksum, going on from an earlier one.
fn sum(big_endian: bool, from: [u32; 2], bytes: &[u8]) -> [u32; 2] {
    let word = |bytes: &[u8]| match big_endian {
        true => u32::from_be_bytes(bytes_at(bytes, 0)),
        false => u32::from_le_bytes(bytes_at(bytes, 0)),
    };
    bytes.chunks_exact(8).fold(from, |[one, two], pair| {
        let one = one.wrapping_add(word(&pair[..4])).wrapping_add(two);
        [one, two.wrapping_add(word(&pair[4..])).wrapping_add(one)]
    })
}

/// A number of SQLite's files, which have the greatest byte first.
pub(super) fn number(bytes: &[u8], place: usize) -> u32 {
    u32::from_be_bytes(bytes_at(bytes, place))
}

fn bytes_at<const N: usize>(bytes: &[u8], place: usize) -> [u8; N] {
    let mut found = [0; N];
    found.copy_from_slice(&bytes[place..place + N]);
    found
}
