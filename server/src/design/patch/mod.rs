//! A change to files as someone else has written it down: a sheet for each file, its hunks, and both sides' line numbers.
//!
//! What comes and what goes is told by a sign, by elements and by colour, in this order of importance. Long lines wrap and
//! long files are folded behind a line that says how much is there; nothing is left out. What stands beside a file or a
//! hunk to decide about it is the page's.

mod highlight;
mod read;

pub use highlight::letters;
pub use read::{FilePatch, Hunk, Row, RowKind, read};

use maud::{Markup, html};

use crate::words::Words;
use highlight::{marked, marks};

/// How many lines of a file are shown before the rest is folded.
const FIRST: usize = 120;

/// The sheet of one file.
pub struct FileSheet<'a> {
    pub path: &'a str,
    /// Where it goes, if it moves.
    pub to: Option<&'a str>,
    /// Lines that come and lines that go, where they are known.
    pub counts: Option<(u32, u32)>,
    /// What a person should know of it.
    pub remarks: &'a [String],
    /// The diff: the head is not shown, since the sheet has one.
    pub hunks: &'a [Hunk<'a>],
    /// What decides about the file, beside its name.
    pub beside: Markup,
    /// What decides about a hunk, by its number from 1.
    pub beside_hunk: &'a dyn Fn(usize) -> Markup,
    /// What can be done with the file, below it.
    pub below: Markup,
}

/// A change as a patch says it, file by file.
pub fn patch(words: Words, text: &str) -> Markup {
    html! { @for file in read(text) { (plain(words, &file)) } }
}

fn plain(words: Words, file: &FilePatch<'_>) -> Markup {
    let name = |sign: &str| file.head.iter().find_map(|line| line.strip_prefix(sign));
    let (old, new) = (name("--- ").map(without_side), name("+++ ").map(without_side));
    let path = match (old, new) {
        (Some("/dev/null") | None, Some(new)) => new,
        (Some(old), _) => old,
        (None, None) => "",
    };
    if path.is_empty() {
        return html! {
            @if !file.head.is_empty() { pre.file-plain { (letters(&file.head.join("\n"))) } }
            @if !file.hunks.is_empty() { section.file-change { (hunks(words, &file.hunks, &|_| html! {})) } }
        };
    }
    let rows = || file.hunks.iter().flat_map(|hunk| &hunk.rows);
    let count = |kind: RowKind| rows().filter(|row| row.kind == kind).count() as u32;
    let sheet = FileSheet {
        path,
        to: new.filter(|new| *new != path && *new != "/dev/null"),
        counts: Some((count(RowKind::Added), count(RowKind::Removed))),
        remarks: &[],
        hunks: &file.hunks,
        beside: html! {},
        beside_hunk: &|_| html! {},
        below: html! {},
    };
    file_sheet(words, &sheet)
}

/// A name as it stands above hunks: `a/src/main.rs`, perhaps with a tab behind it.
fn without_side(name: &str) -> &str {
    let name = name.trim_end_matches('\t');
    name.strip_prefix("a/").or_else(|| name.strip_prefix("b/")).unwrap_or(name)
}

/// A file that changes.
pub fn file_sheet(words: Words, sheet: &FileSheet<'_>) -> Markup {
    html! {
        section.file-change {
            header.file-head {
                (sheet.beside)
                p.file-name { (letters(sheet.path)) @if let Some(to) = sheet.to { span.arrow { " → " } (letters(to)) } }
                @if let Some((added, removed)) = sheet.counts {
                    p.file-counts { span.comes { "+" (added) } " " span.goes { "−" (removed) } }
                }
                @for remark in sheet.remarks { p.file-remark { (letters(remark)) } }
            }
            (hunks(words, sheet.hunks, sheet.beside_hunk))
            (sheet.below)
        }
    }
}

/// The hunks of a file; what is beyond the first lines is folded.
fn hunks(words: Words, hunks: &[Hunk<'_>], beside: &dyn Fn(usize) -> Markup) -> Markup {
    let (mut shown, mut folded, mut lines) = (Vec::new(), Vec::new(), 0);
    let mut room = FIRST;
    for (place, one) in hunks.iter().enumerate() {
        if room > 0 {
            shown.push(hunk(words, one, place + 1, room, beside));
        } else {
            folded.push(hunk(words, one, place + 1, one.rows.len(), beside));
            lines += one.rows.len();
        }
        room = room.saturating_sub(one.rows.len());
    }
    html! {
        @for one in shown { (one) }
        @if !folded.is_empty() { (fold(words, lines, html! { @for one in folded { (one) } })) }
    }
}

fn hunk(words: Words, hunk: &Hunk<'_>, number: usize, room: usize, beside: &dyn Fn(usize) -> Markup) -> Markup {
    let marks = marks(&hunk.rows);
    let drawn = |from: usize, to: usize| html! { @for at in from..to { (row(&hunk.rows[at], marks[at])) } };
    let first = room.min(hunk.rows.len());
    html! {
        div.hunk {
            div.hunk-head { (beside(number)) code { (letters(hunk.head)) } }
            div.rows { (drawn(0, first)) }
            @if first < hunk.rows.len() {
                (fold(words, hunk.rows.len() - first, html! { div.rows { (drawn(first, hunk.rows.len())) } }))
            }
        }
    }
}

fn fold(words: Words, lines: usize, body: Markup) -> Markup {
    let label = words.fill("design.show_all", &[("lines", &lines.to_string())]);
    html! { details.file-fold { summary { (label) } (body) } }
}

fn row(row: &Row<'_>, mark: highlight::ChangedSpan) -> Markup {
    let number =
        |number: Option<u32>| html! { span.number aria-hidden="true" { @if let Some(one) = number { (one) } } };
    let body = |sign: &str| {
        html! { (number(row.old)) (number(row.new)) span.sign { (sign) } span.code { (marked(row.text, mark)) } }
    };
    match row.kind {
        RowKind::Same => html! { div.line { (body(" ")) } },
        RowKind::Added => html! { ins.line { (body("+")) } },
        RowKind::Removed => html! { del.line { (body("−")) } },
        RowKind::Remark => html! { div.line.aside { (body("\\")) } },
    }
}
