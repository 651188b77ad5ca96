//! Words about what is forbidden: what was said, when, and whether it holds or was lifted.
//!
//! Every session of a folder has its own log; of all words about one thing the last in time counts, whichever session it
//! was said in. So it does not matter in which order sessions are heard, or how often. What a session was opened with
//! counts as said when it was opened.

use enza_companion::{Companion, Constraint, Event, State};
use enza_kernel::application::Application as _;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::Recorded;
use serde::{Deserialize, Serialize};

/// How many things are remembered that were lifted; what was lifted before them may be said again by an old session.
const MOST_LIFTED: usize = 200;

/// The kinds of events from which it follows what is forbidden.
const TELLING: [&str; 3] = ["Opened", "Forbidden", "Lifted"];

/// The last word about something that was forbidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProhibitionStatus {
    pub text: String,
    pub at: Timestamp,
    /// Whether it holds, or was lifted.
    pub holds: bool,
}

/// Whether an event says something about what is forbidden.
pub fn is_said_in(event: &Event) -> bool {
    matches!(event, Event::Forbidden { .. } | Event::Lifted { .. })
}

/// What an event says about it. `forbidden` is what was forbidden in its session before, and is afterwards.
pub(super) fn said(forbidden: &mut Vec<Constraint>, recorded: &Recorded) -> Vec<ProhibitionStatus> {
    // Most of a log is about something else, and long.
    if !TELLING.contains(&recorded.stored.kind.as_str()) {
        return Vec::new();
    }
    let Ok(entry) = recorded.entry::<Companion>() else { return Vec::new() };
    let before = std::mem::take(forbidden);
    // The rules know best what follows from it.
    let mut state = State { constraints: before.clone(), ..State::default() };
    Companion::evolve(&mut state, &entry);
    *forbidden = state.constraints;
    let word = |one: &Constraint, holds| ProhibitionStatus { text: one.text.clone(), at: entry.at, holds };
    let gone = before.iter().filter(|one| !forbidden.contains(one)).map(|one| word(one, false));
    let mut said: Vec<ProhibitionStatus> = gone.collect();
    // One that is said again moves to the end, and is said.
    let is_again = |one: &Constraint| matches!(&entry.event, Event::Forbidden { constraint } if constraint == one);
    said.extend(forbidden.iter().filter(|one| !before.contains(one) || is_again(one)).map(|one| word(one, true)));
    said
}

/// Takes a word in, unless there is a later one.
pub(super) fn take_in(words: &mut Vec<ProhibitionStatus>, word: ProhibitionStatus) {
    match words.iter_mut().find(|known| known.text == word.text) {
        Some(known) if known.at > word.at => {}
        Some(known) => *known = word,
        None => words.push(word),
    }
    let surplus = words.iter().filter(|word| !word.holds).count().saturating_sub(MOST_LIFTED);
    if surplus > 0 {
        words.sort_by_key(|word| (word.holds, word.at));
        words.drain(..surplus);
    }
}
