//! What a person took at a gate, where they did not take all of it: by file and by operation, as the log keeps it.
//!
//! An operation of which nothing is left counts as refused, whatever was said to the rest.

use enza_kernel::text::Lang;
use serde::{Deserialize, Serialize};

use super::batch::Batch;
use super::command::Pick;
use super::consent::is_change;
use super::flow::report;
use crate::words::words;
use enza_work::PreparedChange;

/// What was taken of one thing that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The file, or the operation with what it is about.
    pub what: String,
    pub taken: Taken,
}

/// How much was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Taken {
    Whole,
    /// Some hunks, counted from 1.
    Hunks {
        hunks: Vec<u32>,
        of: u32,
    },
    /// In the person's own words.
    Edited,
    /// None of it.
    Nothing,
}

/// What is taken of everything that is asked for; nothing to tell where that is all of it.
pub(super) fn shares(batch: &Batch, picks: &[Pick], left: &[u32]) -> Vec<Share> {
    if picks.is_empty() && left.is_empty() {
        return Vec::new();
    }
    let is_asked = |one: &PreparedChange| batch.asked().any(|place| batch.is_of(place, one));
    let files = batch.prepared.iter().enumerate().filter(|(_, one)| is_asked(one));
    let file = |(place, one): (usize, &PreparedChange)| {
        let pick = picks.iter().find(|pick| pick.file as usize == place);
        Share { what: one.change.path.clone(), taken: pick.map_or(Taken::Whole, |pick| of_file(pick, one.hunks)) }
    };
    let others = batch.asked().filter(|place| !is_change(batch.wants[*place].operation));
    let other = |place: usize| {
        let is_left = left.contains(&(place as u32));
        let taken = if is_left { Taken::Nothing } else { Taken::Whole };
        Share { what: report::want_line(batch, place), taken }
    };
    files.map(file).chain(others.map(other)).collect()
}

fn of_file(pick: &Pick, of: u32) -> Taken {
    match (&pick.content, &pick.hunks) {
        (Some(_), _) => Taken::Edited,
        (None, None) => Taken::Whole,
        (None, Some(hunks)) if hunks.is_empty() => Taken::Nothing,
        (None, Some(hunks)) if hunks.len() as u32 == of => Taken::Whole,
        (None, Some(hunks)) => Taken::Hunks { hunks: hunks.clone(), of },
    }
}

/// The places of everything asked for of which nothing is taken.
pub(super) fn left_out(batch: &Batch, picks: &[Pick], left: &[u32]) -> Vec<u32> {
    let takes_nothing = |one: &PreparedChange| {
        let place = batch.prepared.iter().position(|known| std::ptr::eq(known, one));
        let pick = picks.iter().find(|pick| Some(pick.file as usize) == place);
        pick.is_some_and(|pick| of_file(pick, one.hunks) == Taken::Nothing)
    };
    let is_left = |place: &usize| {
        let mut changes = batch.changes_of(*place).peekable();
        let nothing = changes.peek().is_some() && changes.all(takes_nothing);
        nothing || left.contains(&(*place as u32))
    };
    batch.asked().filter(is_left).map(|place| place as u32).collect()
}

/// What was taken and what was left, for people.
pub fn say(lang: Lang, by: Option<&str>, shares: &[Share]) -> String {
    let taken = lang.list(shares.iter().filter_map(|share| share.say(lang)));
    let left = shares.iter().filter(|share| share.taken == Taken::Nothing).map(|share| share.what.as_str());
    let left: Vec<&str> = left.collect();
    let head = match by {
        None => words(lang).fill("share.yours", &[("taken", &taken)]),
        Some(by) => words(lang).fill("share.theirs", &[("by", &by), ("taken", &taken)]),
    };
    if left.is_empty() {
        return head;
    }
    let left = lang.list(left);
    words(lang).fill("share.left_out", &[("head", &head), ("left", &left)])
}

impl Share {
    /// What was taken of it; none where nothing was.
    fn say(&self, lang: Lang) -> Option<String> {
        let what = &self.what;
        match &self.taken {
            Taken::Whole => Some(what.clone()),
            Taken::Hunks { hunks, of } => {
                let numbers = lang.list(hunks.iter().map(u32::to_string));
                Some(words(lang).fill("share.hunks", &[("what", &what), ("of", &of), ("numbers", &numbers)]))
            }
            Taken::Edited => Some(words(lang).fill("share.edited", &[("what", &what)])),
            Taken::Nothing => None,
        }
    }
}
