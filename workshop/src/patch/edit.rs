//! Replacement edits: a piece of text gives way to another, where it is found exactly once or, if that is wanted, wherever
//! it stands; and lines that are added at the end.
//!
//! Nothing is guessed. What is not there, or there more often than said, is a fault that tells a model how to mend it. Line
//! endings are not compared, and the file's own are kept: models write `\n` whatever the file has.

use enza_work::{Fault, Replacement};

use super::lines::{end_with_returns, ending, split, usual_ending, with_newlines};
use super::locate::too_many;
use super::nearest::nearest;

/// The text after all the replacements, each of which sees what the ones before it did.
pub fn edit(path: &str, text: &str, replacements: &[Replacement]) -> Result<String, Fault> {
    let mut text = text.to_owned();
    for (piece, replacement) in (1..).zip(replacements) {
        let done = match end_with_returns(&text) {
            true => with_newlines(&text, |text| replaced(text, &with_plain_endings(replacement))),
            false => replaced(&text, replacement),
        };
        text = done.map_err(|why| Fault::DoesNotApply { path: path.to_owned(), piece, why })?;
    }
    Ok(text)
}

/// The same with `\n` for every ending.
fn with_plain_endings(replacement: &Replacement) -> Replacement {
    let plain = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    Replacement { old: plain(&replacement.old), new: plain(&replacement.new), all: replacement.all }
}

/// The text with lines of its own at the end, which end as the others do.
pub fn append(text: &str, content: &str) -> String {
    if end_with_returns(text) {
        return append(&text.replace('\r', "\n"), &content.replace('\r', "")).replace('\n', "\r");
    }
    let ending = usual_ending(text.split_inclusive('\n')).unwrap_or("\n");
    let content = content.replace("\r\n", "\n").replace('\n', ending);
    let between = if text.is_empty() || text.ends_with('\n') { "" } else { ending };
    let behind = if content.is_empty() || content.ends_with('\n') { "" } else { ending };
    [text, between, &content, behind].concat()
}

fn replaced(text: &str, replacement: &Replacement) -> Result<String, String> {
    let old = replacement.old.replace("\r\n", "\n");
    if old.is_empty() {
        let is_empty = text.is_empty().then(|| replacement.new.clone());
        return is_empty.ok_or_else(|| "The text to replace is empty, and the file is not.".to_owned());
    }
    let plain = Plain::of(text);
    let places = plain.places(&old);
    match places.as_slice() {
        [] => Err(format!("The text is not in the file. {}", nearest(&split(text), &sought(&old)))),
        [_, _, ..] if !replacement.all => {
            let line = |at: &usize| plain.text[..*at].matches('\n').count();
            let lines: Vec<usize> = places.iter().map(line).collect();
            Err(format!("{} Or set all to true to replace every one of them.", too_many(&lines)))
        }
        places => Ok(plain.replaced(text, places, old.len(), &replacement.new.replace("\r\n", "\n"))),
    }
}

/// The lines to look for something like, without the blank ones at the beginning.
fn sought(old: &str) -> Vec<&str> {
    split(old).into_iter().skip_while(|line| line.trim().is_empty()).collect()
}

/// How lines end around this place.
fn ending_at(text: &str, start: usize) -> &'static str {
    let line = text[start..].split_inclusive('\n').next().and_then(ending);
    line.or_else(|| usual_ending(text.split_inclusive('\n'))).unwrap_or("\n")
}

/// A text with `\n` for every line ending, and the way back.
struct Plain {
    text: String,
    /// Where a `\r` was left out.
    left_out: Vec<usize>,
}

impl Plain {
    fn of(text: &str) -> Self {
        let found = text.match_indices("\r\n").enumerate();
        let left_out = found.map(|(before, (at, _))| at - before).collect();
        Self { text: text.replace("\r\n", "\n"), left_out }
    }

    /// Every place where this stands, overlapping ones too.
    fn places(&self, sought: &str) -> Vec<usize> {
        let mut places = Vec::new();
        let mut from = 0;
        while let Some(found) = self.text[from..].find(sought) {
            places.push(from + found);
            from += found + sought.chars().next().map_or(1, char::len_utf8);
        }
        places
    }

    /// The text as it was, with something new at these places; one that begins inside the one before is part of it.
    fn replaced(&self, text: &str, places: &[usize], length: usize, new: &str) -> String {
        let (mut out, mut done) = (String::with_capacity(text.len()), 0);
        let mut free = 0;
        for &at in places {
            if at < free {
                continue;
            }
            let (start, end) = (self.origin(at), self.origin(at + length));
            out.push_str(&text[done..start]);
            out.push_str(&new.replace('\n', ending_at(text, start)));
            (done, free) = (end, at + length);
        }
        out.push_str(&text[done..]);
        out
    }

    /// The place in the text as it was.
    fn origin(&self, at: usize) -> usize {
        at + self.left_out.partition_point(|left_out| *left_out < at)
    }
}
