//! One side of a comparison: what a session did on its own, and what that used.

use enza_kernel::agent::ThreadEvent;
use enza_kernel::conversation::Usage;
use enza_kernel::floor::Line;
use enza_kernel::time::Seq;
use enza_runtime::engine::SeenEvent;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::drawing::timeline::{step_of, step_word};
use crate::pages::inspector::ReadPast;
use crate::words::Words;

/// An event, as far as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedEvent {
    pub seq: Seq,
    /// What happened; the places of two sessions differ, so this is what is compared.
    pub content: Content,
}

/// What is compared of an event.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Content {
    /// The event's kind.
    pub kind: String,
    pub step: Option<&'static str>,
    pub text: String,
}

/// Sums over a stretch of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LogTotals {
    pub events: u64,
    /// Model replies.
    pub replies: u64,
    pub usage: Usage,
}

/// Two events beside each other, or one beside nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pair<'a> {
    /// The same on both sides.
    Same(&'a ComparedEvent, &'a ComparedEvent),
    /// In the same place, and different.
    Differ(&'a ComparedEvent, &'a ComparedEvent),
    /// On the first side only.
    First(&'a ComparedEvent),
    /// On the second side only.
    Second(&'a ComparedEvent),
}

/// What a session did after an event.
pub fn events_after(words: Words, past: &ReadPast, after: Seq) -> Vec<ComparedEvent> {
    let own = past.events.iter().filter(|seen| seen.seq() > after);
    own.map(|seen| ComparedEvent { seq: seen.seq(), content: content(seen, seen.line(words.0)) }).collect()
}

/// What the events after `after`, up to and with `upto`, add up to.
pub fn sum(past: &ReadPast, after: Seq, upto: Seq) -> LogTotals {
    let mut sum = LogTotals::default();
    for seen in past.events.iter().filter(|seen| seen.seq() > after && seen.seq() <= upto) {
        sum.events += 1;
        if let Some(ThreadEvent::Replied { usage, .. }) = seen.recorded().and_then(step_of).map(|step| step.what) {
            sum.replies += 1;
            sum.usage = sum.usage.plus(usage);
        }
    }
    sum
}

/// Puts two lists beside each other, so that what is the same on both stands in one row.
pub fn aligned<'a>(a: &'a [ComparedEvent], b: &'a [ComparedEvent]) -> Vec<Pair<'a>> {
    let (left, right): (Vec<&Content>, Vec<&Content>) =
        (a.iter().map(|deed| &deed.content).collect(), b.iter().map(|deed| &deed.content).collect());
    let mut pairs = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &left, &right) {
        match op {
            DiffOp::Equal { old_index, new_index, len } => {
                pairs.extend((0..len).map(|nth| Pair::Same(&a[old_index + nth], &b[new_index + nth])));
            }
            DiffOp::Delete { old_index, old_len, .. } => {
                pairs.extend(a[old_index..old_index + old_len].iter().map(Pair::First));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                pairs.extend(b[new_index..new_index + new_len].iter().map(Pair::Second));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                let both = old_len.min(new_len);
                pairs.extend((0..both).map(|nth| Pair::Differ(&a[old_index + nth], &b[new_index + nth])));
                pairs.extend(a[old_index + both..old_index + old_len].iter().map(Pair::First));
                pairs.extend(b[new_index + both..new_index + new_len].iter().map(Pair::Second));
            }
        }
    }
    pairs
}

fn content(seen: &SeenEvent, line: Option<Line>) -> Content {
    let step = seen.recorded().and_then(step_of);
    let said = match (&step.as_ref().map(|step| &step.what), line) {
        (_, Some(line)) => line.text,
        (Some(ThreadEvent::Replied { text, calls, .. }), None) => {
            let calls = calls.iter().map(|call| format!("{}({})", call.tool, call.arguments));
            let said = (!text.is_empty()).then(|| text.to_string());
            said.into_iter().chain(calls).collect::<Vec<_>>().join("\n")
        }
        (Some(ThreadEvent::CallEnded { text, .. }), None) => text.to_string(),
        (Some(_) | None, None) => String::new(),
    };
    Content { kind: seen.outline().stored.kind, step: step.map(|step| step_word(&step.what)), text: said }
}

#[cfg(test)]
mod tests {
    use super::{ComparedEvent, Content, Pair, Seq, aligned};

    fn deeds(words: &[&str]) -> Vec<ComparedEvent> {
        let content = |text: &str| Content { kind: "Said".to_owned(), step: None, text: text.to_owned() };
        words
            .iter()
            .enumerate()
            .map(|(place, text)| ComparedEvent { seq: Seq(place as u64 + 1), content: content(text) })
            .collect()
    }

    #[test]
    fn what_both_did_stands_in_one_row_and_nothing_is_lost() {
        let (a, b) = (deeds(&["x", "one", "same", "end"]), deeds(&["y", "same", "more", "end"]));
        let pairs = aligned(&a, &b);
        assert_eq!(
            pairs,
            [
                Pair::Differ(&a[0], &b[0]),
                Pair::First(&a[1]),
                Pair::Same(&a[2], &b[1]),
                Pair::Second(&b[2]),
                Pair::Same(&a[3], &b[3]),
            ]
        );
    }
}
