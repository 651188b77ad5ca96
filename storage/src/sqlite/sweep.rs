//! Sweeps what was deleted out of the files.
//!
//! `secure_delete` overwrites what is deleted, but not every trace: when SQLite moves rows from one page to another it
//! leaves the old bytes in the unused middle of the page, and the write-ahead log holds earlier pages until it is begun
//! anew. So after a deletion the log is emptied and the unused part of every page is filled with zeros.
//!
//! The unused part is overwritten in the file itself, a stretch of pages at a time, under SQLite's write lock and while
//! the log is empty: then nobody else writes to the file, and what is in a page's unused part is nobody's. That a sweep
//! is owed is written with the deletion, so that a crash cannot forget it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::Duration;

use enza_runtime::seams::store::Failure;
use rusqlite::Connection;

use super::preflight::{beside, page_size};
use super::wal::number;
use crate::fault::Fault;

/// Pages in one stretch: other writers wait this long, a few milliseconds.
const STRETCH: u32 = 1024;
/// Beyond this an overflow page could be taken for another kind; 128 gigabytes are more than one file should hold.
const MOST_PAGES: u32 = 0x0200_0000;

/// How far a sweep has come.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    /// The last page that was swept.
    done: u32,
}

/// What came of a stretch.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Swept {
    /// There are more pages.
    Some,
    /// That was the last page.
    All,
    /// Others read from the log; it cannot be emptied now.
    NotNow,
}

impl Sweep {
    /// Sweeps the next pages. The connection is in no transaction.
    pub fn go_on(&mut self, connection: &Connection, path: &Path, file: &File) -> Result<Swept, Fault> {
        if !empty_log(connection)? {
            return Ok(Swept::NotNow);
        }
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let swept = match fs::metadata(beside(path, "-wal")) {
            // Somebody was faster with a commit.
            Ok(log) if log.len() > 0 => Ok(Swept::NotNow),
            Ok(_) | Err(_) => self.stretch(file).map_err(|why| Failure::Unreachable(why.to_string())),
        };
        // What the connection remembers of the pages has the traces in it, and would be written back.
        let forgotten = connection.execute_batch("PRAGMA shrink_memory; ROLLBACK");
        let swept = swept?;
        forgotten?;
        Ok(swept)
    }

    fn stretch(&mut self, file: &File) -> io::Result<Swept> {
        let mut header = [0; 100];
        file.read_exact_at(&mut header, 0)?;
        let page_size = page_size(&header) as usize;
        let usable = page_size - usize::from(header[20]);
        let pages = u32::try_from(file.metadata()?.len() / page_size as u64).unwrap_or(u32::MAX);
        // With auto-vacuum some pages are maps, which look like those of trees. Ours have none.
        let has_maps = number(&header, 52) != 0;
        if pages >= MOST_PAGES || has_maps {
            return Ok(Swept::All);
        }
        let mut page = vec![0; page_size];
        if self.done == 0 {
            sweep_free_pages(file, number(&header, 32), pages, &mut page)?;
        }
        let last = pages.min(self.done.saturating_add(STRETCH));
        for number in self.done + 1..=last {
            let place = u64::from(number - 1) * page_size as u64;
            file.read_exact_at(&mut page, place)?;
            let head = if number == 1 { 100 } else { 0 };
            if clear_unused(&mut page[..usable], head) {
                file.write_all_at(&page, place)?;
            }
        }
        file.sync_data()?;
        self.done = last;
        Ok(if last == pages { Swept::All } else { Swept::Some })
    }
}

/// Moves the log into the file and empties it; says no while others read from it.
pub(super) fn empty_log(connection: &Connection) -> Result<bool, Fault> {
    connection.busy_timeout(Duration::ZERO)?;
    let busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    connection.busy_timeout(super::connection::PATIENCE)?;
    match busy.map_err(Fault::from) {
        Ok(busy) => Ok(busy == 0),
        Err(Fault(Failure::Unreachable(_))) => Ok(false),
        Err(other) => Err(other),
    }
}

/// Fills the pages on the free list with zeros: a database from before `secure_delete` has old rows in them.
fn sweep_free_pages(file: &File, first: u32, pages: u32, page: &mut [u8]) -> io::Result<()> {
    let zeros = vec![0; page.len()];
    let (mut trunk, mut trunks) = (first, 0);
    while (1..=pages).contains(&trunk) && trunks <= pages {
        file.read_exact_at(page, u64::from(trunk - 1) * zeros.len() as u64)?;
        let count = usize::try_from(number(page, 4)).unwrap_or(0).min(page.len() / 4 - 2);
        for leaf in (0..count).map(|leaf| number(page, 8 + 4 * leaf)) {
            if (2..=pages).contains(&leaf) {
                file.write_all_at(&zeros, u64::from(leaf - 1) * zeros.len() as u64)?;
            }
        }
        (trunk, trunks) = (number(page, 0), trunks + 1);
    }
    Ok(())
}

/// Fills the unused parts of a page of a tree with zeros; says whether there was anything but zeros. A page that is not
/// of a tree, or whose parts do not fit together, is left alone.
fn clear_unused(page: &mut [u8], head: usize) -> bool {
    let short = |page: &[u8], place: usize| usize::from(u16::from_be_bytes([page[place], page[place + 1]]));
    let header = match page[head] {
        2 | 5 => 12,
        10 | 13 => 8,
        _ => return false,
    };
    let cells = short(page, head + 3);
    let content = match short(page, head + 5) {
        0 => 65536,
        place => place,
    };
    let cells_end = head + header + 2 * cells;
    if content > page.len() || cells_end > content {
        return false;
    }
    let mut unused = Vec::from([(cells_end, content)]);
    let mut block = short(page, head + 1);
    let mut from = content;
    while block != 0 {
        if block < from || block + 4 > page.len() {
            return false;
        }
        let (next, size) = (short(page, block), short(page, block + 2));
        if size < 4 || block + size > page.len() {
            return false;
        }
        unused.push((block + 4, block + size));
        (block, from) = (next, block + size);
    }
    let mut changed = false;
    for (from, to) in unused {
        let part = &mut page[from..to];
        changed |= part.iter().any(|byte| *byte != 0);
        part.fill(0);
    }
    changed
}
