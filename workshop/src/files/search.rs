//! Finds lines in files that are not ignored.
//!
//! Patterns are regular expressions that take time in proportion to the text, with a bound on how large they may grow, so
//! that no pattern stops the workshop. What is binary, too large or secret is passed over. A line is held against the
//! pattern as it would be shown, secrets masked: otherwise a search could spell a secret letter by letter.

use std::ops::ControlFlow;

use enza_work::hazard::{mask, names_secrets};
use enza_work::{Fault, SearchResult};
use regex::{Regex, RegexBuilder};

use super::access::{Access, Purpose};
use super::folder_entry::FolderEntry;
use super::ignored::Ignored;
use super::look::{LinePage, as_text, below};
use super::path::on_one_line;
use super::resolve::{Links, ResolvedPath as There, Thing};
use super::walk::{Kind, Walk};

/// The most entries that one search looks at.
const MOST_ENTRIES: u32 = 50_000;
/// The most that one search reads.
const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// The most lines that one search finds.
const MOST_MATCHES: u32 = 500;
/// Longer lines are cut around what was found.
const LONGEST_LINE: usize = 300;
/// The longest pattern.
const LONGEST_PATTERN: usize = 2000;

/// Finds lines below a path.
pub fn search(reach: &Access, pattern: &str, is_regex: bool, path: &str) -> Result<SearchResult, Fault> {
    let pattern = compile(pattern, is_regex)?;
    let There { path, outside, thing, ways, .. } = reach.find(path, Purpose::Reading, Links::Followed)?;
    let mut search =
        Search { reach, pattern, page: LinePage::of(reach.bounds.output), matches: 0, read: 0, more: false };
    match thing {
        Thing::Nothing(_) => return Err(Fault::Missing { path }),
        Thing::File(spot, _) => {
            let _ = search.look_at(&path, &ways, &spot);
        }
        Thing::Folder(dir) => {
            let ignored = if outside { Ignored::nothing() } else { Ignored::down_to(reach.home(), &path) };
            let mut walk = Walk::new(MOST_ENTRIES, u32::MAX, Some(ignored));
            let _ = walk.over(&dir, &path, &mut |entry| {
                if entry.kind != Kind::File {
                    return ControlFlow::Continue(());
                }
                let Ok(folder) = entry.folder.try_clone() else { return ControlFlow::Continue(()) };
                let ways = below(&ways, &path, entry.path);
                search.look_at(entry.path, &ways, &FolderEntry::new(folder, Vec::new(), entry.name.to_owned()))
            });
            search.more |= walk.cut;
        }
    }
    Ok(SearchResult { text: search.page.text, matches: search.matches, more: search.more || search.page.is_full })
}

fn compile(pattern: &str, is_regex: bool) -> Result<Regex, Fault> {
    if pattern.is_empty() || pattern.len() > LONGEST_PATTERN {
        let why = format!("it has {} bytes; 1 to {LONGEST_PATTERN} are possible", pattern.len());
        return Err(Fault::UnreadablePattern { why });
    }
    let pattern = if is_regex { pattern.to_owned() } else { regex::escape(pattern) };
    let built = RegexBuilder::new(&pattern).size_limit(1 << 20).dfa_size_limit(1 << 20).nest_limit(50).build();
    built.map_err(|why| Fault::UnreadablePattern { why: why.to_string() })
}

struct Search<'a> {
    reach: &'a Access,
    pattern: Regex,
    page: LinePage,
    matches: u32,
    read: u64,
    more: bool,
}

impl Search<'_> {
    /// Looks at one file; breaks off when enough was found or read.
    fn look_at(&mut self, path: &str, ways: &[String], spot: &FolderEntry) -> ControlFlow<()> {
        if names_secrets(&self.reach.absolute(path)) && !self.reach.is_granted(path) || self.reach.closes(path, ways) {
            return ControlFlow::Continue(());
        }
        if spot.open().is_ok_and(|(_, about)| self.reach.is_alias(path, &about)) {
            return ControlFlow::Continue(());
        }
        // What cannot be read is passed over, as what is too large.
        let Ok(bytes) = spot.read(path, self.reach.bounds.read) else { return ControlFlow::Continue(()) };
        self.read += bytes.len() as u64;
        let Some(text) = as_text(bytes) else { return ControlFlow::Continue(()) };
        if self.pattern.is_match(&text) || text.lines().any(|line| self.pattern.is_match(line)) {
            for (number, line) in (1..).zip(mask(&text).lines()) {
                self.hold(path, number, line);
            }
        }
        if self.matches >= MOST_MATCHES || self.read > MOST_BYTES {
            self.more = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn hold(&mut self, path: &str, number: u32, line: &str) {
        let Some(place) = self.pattern.find(line) else { return };
        if self.matches >= MOST_MATCHES {
            self.more = true;
            return;
        }
        self.matches += 1;
        self.page.add(&format!("{}:{number}: ", on_one_line(path)), &around(line, place.start()));
    }
}

/// A line, cut around a place where it is long.
fn around(line: &str, place: usize) -> String {
    if line.len() <= LONGEST_LINE {
        return line.to_owned();
    }
    let start = line.floor_char_boundary(place.saturating_sub(LONGEST_LINE / 3));
    let end = line.floor_char_boundary((start + LONGEST_LINE).min(line.len()));
    let (before, after) = (if start > 0 { "…" } else { "" }, if end < line.len() { "…" } else { "" });
    format!("{before}{}{after}", &line[start..end])
}
