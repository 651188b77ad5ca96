//! SEARCH/REPLACE blocks: lines to be found, and what takes their place.
//!
//! The file is named on the line before the block, before or on its fence, or behind SEARCH; a block without a name goes
//! on with the file of the block before it. Nothing to search for means a new file. Lines that stand on both sides are
//! lines that stay, so the file keeps their bytes.

use enza_work::Fault;

use super::names::{dressed, on_fence, plain};
use super::{Form, PatchLines, push_update};
use crate::patch::diff::turning;
use crate::patch::{Anchor, DiffLine, Operation, Piece};

/// Reads all the blocks.
pub(super) fn read(page: &PatchLines<'_>) -> Result<Vec<Operation>, Fault> {
    let mut operations = Vec::new();
    let mut path: Option<String> = None;
    let (mut at, mut prose) = (0, 0);
    while let Some(line) = page.bare(at) {
        page.no_other_form(at, Form::Blocks)?;
        if !is_search(line) {
            if is_replace(line) {
                return Err(page.unreadable(at, "No <<<<<<< SEARCH stands before this line."));
            }
            at += 1;
            continue;
        }
        path = named(page, prose, at).or(path);
        let path =
            path.as_deref().ok_or_else(|| page.unreadable(at, "No file is named on the line before the block."))?;
        let block = block(page, at)?;
        if block.search.is_empty() {
            operations.push(Operation::Create { path: path.to_owned(), text: block.replace.concat() });
        } else if block.search == block.replace {
            return Err(page.unreadable(at, "Both sides of the block are the same."));
        } else {
            push_update(&mut operations, path, block.piece());
        }
        (at, prose) = (block.end, block.end);
    }
    Ok(operations)
}

/// `<<<<<<< SEARCH`, perhaps with the file behind it.
pub(super) fn is_search(line: &str) -> bool {
    after_run(line, '<').is_some_and(|rest| rest.starts_with("SEARCH") || rest == "ORIGINAL")
}

fn is_replace(line: &str) -> bool {
    after_run(line, '>').is_some_and(|rest| rest == "REPLACE" || rest == "UPDATED")
}

fn is_divider(line: &str) -> bool {
    after_run(line, '=').is_some_and(str::is_empty)
}

/// What stands behind a run of five to nine of these letters, the number of which models cannot count.
fn after_run(line: &str, letter: char) -> Option<&str> {
    let rest = line.trim_start_matches(letter);
    (5..=9).contains(&(line.len() - rest.len())).then(|| rest.trim())
}

/// The file of the block at this line, if it is named since the block before.
fn named(page: &PatchLines<'_>, since: usize, at: usize) -> Option<String> {
    let behind = page.bare(at).and_then(|line| line.split_once("SEARCH")).map(|(_, name)| plain(name));
    if let Some(name) = behind.filter(|name| !name.is_empty()) {
        return Some(name);
    }
    let mut above = (since..at).rev().filter_map(|at| page.bare(at)).filter(|line| !line.trim().is_empty());
    let nearest = above.next()?;
    if !nearest.starts_with("```") {
        return dressed(nearest);
    }
    on_fence(nearest).or_else(|| above.next().filter(|line| !line.starts_with("```")).and_then(dressed))
}

struct Block<'a> {
    search: Vec<&'a str>,
    replace: Vec<&'a str>,
    end: usize,
}

/// The block whose SEARCH is at this line.
fn block<'a>(page: &PatchLines<'a>, start: usize) -> Result<Block<'a>, Fault> {
    let unclosed = || page.unreadable(start, "The block is not closed by >>>>>>> REPLACE. It may be cut short.");
    let find = |from: usize, is_mark: fn(&str) -> bool| {
        (from..page.lines.len()).find(|at| page.bare(*at).is_some_and(is_mark)).ok_or_else(unclosed)
    };
    let close = find(start + 1, is_replace)?;
    let divider = find(start + 1, is_divider)?;
    if divider > close {
        return Err(page.unreadable(close, "No ======= stands between SEARCH and REPLACE."));
    }
    for at in (start + 1..close).filter(|at| *at != divider) {
        let line = page.bare(at).unwrap_or_default();
        if is_divider(line) || is_search(line) {
            return Err(
                page.unreadable(at, "A second mark stands inside this block, so its sides cannot be told apart.")
            );
        }
    }
    let lines = &page.lines;
    Ok(Block {
        search: lines[start + 1..divider].to_vec(),
        replace: lines[divider + 1..close].to_vec(),
        end: close + 1,
    })
}

impl Block<'_> {
    fn piece(&self) -> Piece {
        let lines: Vec<DiffLine> = turning(&self.search, &self.replace);
        Piece { place: Anchor::Anywhere, at_end: false, lines }
    }
}
