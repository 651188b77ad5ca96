//! The operations of a reply as an editor sees them: one call for each, with files before and after.
//!
//! A call goes by the event in which it was wanted and its place there, so it has the same name when a session is shown
//! again. Contents of files come from the workshop's store; where they are no longer there, are no text or very long, the
//! diff that the log has is shown instead.

use std::collections::BTreeSet;
use std::path::Path;

use enza_companion::{Action, Batch, Decision, Operation, Want, denial, is_change};
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_work::{PreparedChange, Receipt, RunEnd};
use enza_workshop::store::Store;

use super::updates::{Call, CallContent, CallStatus, Location, TextBlock};
use crate::words::acp as words;

/// The longest side of a file that is handed to an editor, in bytes.
const LONGEST: usize = 1 << 20;

/// The calls of one piece of work's operations.
#[derive(Debug, Default)]
pub struct Calls {
    wanted_at: Seq,
    titles: Vec<String>,
    /// Those that have not come to their end.
    open: BTreeSet<u32>,
}

impl Calls {
    /// Operations are wanted.
    pub fn wanted(lang: Lang, folder: &str, at: Seq, wants: &[Want], actions: Option<&[Action]>) -> (Self, Vec<Call>) {
        let titles = wants.iter().map(|want| words::call(lang, want.operation, &want.target)).collect();
        let calls = Self { wanted_at: at, titles, open: (0..wants.len() as u32).collect() };
        let begun = wants.iter().zip(0..).map(|(want, place)| {
            let action = actions.and_then(|actions| actions.get(place as usize));
            let looks = want.operation.only_looks();
            Call {
                title: calls.title(place),
                kind: Some(kind(want.operation)),
                status: Some(if looks { CallStatus::InProgress } else { CallStatus::Pending }),
                locations: file_of(want).map(|path| vec![location(folder, path)]),
                raw_input: action.and_then(|action| action.arguments.clone()),
                ..calls.named(place)
            }
        });
        let begun = begun.collect();
        (calls, begun)
    }

    /// Changes are worked out: the files before and after.
    pub fn prepared(&self, folder: &str, contents: &Path, batch: &Batch, prepared: &[PreparedChange]) -> Vec<Call> {
        let store = Store::open(contents, Store::MOST).ok();
        let changes = self.changes(batch);
        let shown = changes.into_iter().map(|place| {
            let own: Vec<&PreparedChange> = prepared.iter().filter(|one| batch.is_of(place as usize, one)).collect();
            Call {
                content: Some(own.iter().map(|one| sides(folder, store.as_ref(), one)).collect()),
                locations: Some(own.iter().map(|one| location(folder, &one.change.path)).collect()),
                ..self.named(place)
            }
        });
        shown.collect()
    }

    /// What may be done is decided: what is denied comes to its end.
    pub fn decided(&mut self, lang: Lang, decisions: &[Decision]) -> Vec<Call> {
        let mut ended = Vec::new();
        for (decision, place) in decisions.iter().zip(0..) {
            match decision {
                Decision::Denied(why) => {
                    ended.extend(self.end(place, CallStatus::Failed, words::denied(lang, &denial(lang, why))));
                }
                Decision::Allowed(_) | Decision::Asked => {}
            }
        }
        ended
    }

    /// It is being done.
    pub fn begun(&self) -> Vec<Call> {
        // The question to the person may have given it another title.
        let begun = |place: &u32| Call {
            title: self.title(*place),
            status: Some(CallStatus::InProgress),
            ..self.named(*place)
        };
        self.open.iter().map(begun).collect()
    }

    /// One came to its end by itself.
    pub fn ended(&mut self, lang: Lang, place: u32, receipt: &Receipt) -> Option<Call> {
        let (status, text) = outcome(lang, receipt);
        self.end(place, status, text)
    }

    /// All changes came to their end at once.
    pub fn made(&mut self, lang: Lang, batch: &Batch, receipt: &Receipt) -> Vec<Call> {
        let (status, text) = outcome(lang, receipt);
        let places = self.changes(batch);
        let ended = places.into_iter().filter_map(|place| match status {
            // What is shown of it is the diff, and stays.
            CallStatus::Completed => self.end(place, status, String::new()),
            CallStatus::Failed | CallStatus::Pending | CallStatus::InProgress => self.end(place, status, text.clone()),
        });
        ended.collect()
    }

    /// All that are left come to nothing.
    pub fn given_up(&mut self, why: &str) -> Vec<Call> {
        let left: Vec<u32> = self.open.iter().copied().collect();
        left.into_iter().filter_map(|place| self.end(place, CallStatus::Failed, why.to_owned())).collect()
    }

    /// What a person is asked: everything in one call, named after the first.
    pub fn asked(
        &self,
        lang: Lang,
        folder: &str,
        contents: &Path,
        batch: &Batch,
        gate: &enza_kernel::gate::Gate,
    ) -> Call {
        let store = Store::open(contents, Store::MOST).ok();
        let is_asked = |place: u32| batch.decisions.get(place as usize) == Some(&Decision::Asked);
        let asked: Vec<u32> = (0..batch.wants.len() as u32).filter(|place| is_asked(*place)).collect();
        let first = asked.first().copied().unwrap_or_default();
        let own = |one: &&PreparedChange| asked.iter().any(|place| batch.is_of(*place as usize, one));
        let own: Vec<&PreparedChange> = batch.prepared.iter().filter(own).collect();
        let mut content = vec![says(words::points(lang, gate))];
        content.extend(own.iter().map(|one| sides(folder, store.as_ref(), one)));
        Call {
            title: Some(gate.ask.intent.replace('\n', "; ")),
            kind: batch.wants.get(first as usize).map(|want| kind(want.operation)),
            status: Some(CallStatus::Pending),
            content: Some(content),
            locations: Some(own.iter().map(|one| location(folder, &one.change.path)).collect()),
            ..self.named(first)
        }
    }

    fn end(&mut self, place: u32, status: CallStatus, text: String) -> Option<Call> {
        let content = (!text.is_empty()).then(|| vec![says(text)]);
        let is_open = self.open.remove(&place);
        is_open.then(|| Call { title: self.title(place), status: Some(status), content, ..self.named(place) })
    }

    fn title(&self, place: u32) -> Option<String> {
        self.titles.get(place as usize).cloned()
    }

    /// The open calls that change files.
    fn changes(&self, batch: &Batch) -> Vec<u32> {
        let is_change = |place: &u32| batch.wants.get(*place as usize).is_some_and(|want| is_change(want.operation));
        self.open.iter().copied().filter(is_change).collect()
    }

    fn named(&self, place: u32) -> Call {
        Call { tool_call_id: format!("{}-{place}", self.wanted_at), ..Call::default() }
    }
}

/// One of the project's own checks, which nobody wanted in so many words.
pub fn check(lang: Lang, id: String, name: &str, receipt: &Receipt) -> Call {
    let (status, text) = outcome(lang, receipt);
    Call {
        tool_call_id: id,
        title: Some(name.to_owned()),
        kind: Some("execute"),
        status: Some(status),
        content: Some(vec![says(text)]),
        ..Call::default()
    }
}

/// How it ended, and what is shown of that.
fn outcome(lang: Lang, receipt: &Receipt) -> (CallStatus, String) {
    match receipt {
        Receipt::Listed(listed) => (CallStatus::Completed, listed.text.clone()),
        Receipt::Read(read) => (CallStatus::Completed, read.text.clone()),
        Receipt::Found(found) => (CallStatus::Completed, found.text.clone()),
        Receipt::Used(text) => (CallStatus::Completed, text.clone()),
        Receipt::Ran(ran) => {
            let status = if ran.ended == RunEnd::Status(0) { CallStatus::Completed } else { CallStatus::Failed };
            (status, crate::words::ran(lang, ran))
        }
        Receipt::Prepared(_) | Receipt::Made(_) | Receipt::Restored(_) | Receipt::Halted | Receipt::Committed(_) => {
            (CallStatus::Completed, String::new())
        }
        Receipt::Refused(fault) => {
            let said = fault.say(lang);
            (CallStatus::Failed, said.in_one())
        }
    }
}

/// A file before and after; where there is no text to show, its diff in words.
fn sides(folder: &str, store: Option<&Store>, prepared: &PreparedChange) -> CallContent {
    let change = &prepared.change;
    let text = |digest: &Option<_>| match digest {
        None => Some(None),
        Some(digest) => {
            let bytes = store?.read(digest).ok()?.filter(|bytes| bytes.len() <= LONGEST)?;
            String::from_utf8(bytes).ok().map(Some)
        }
    };
    match (&change.to, text(&change.before), text(&change.after)) {
        (None, Some(old_text), Some(new_text)) => {
            CallContent::Diff { path: absolute(folder, &change.path), old_text, new_text: new_text.unwrap_or_default() }
        }
        (Some(to), _, _) => says(format!("{} → {to}\n{}", change.path, prepared.diff)),
        (None, _, _) => says(prepared.diff.clone()),
    }
}

fn kind(operation: Operation) -> &'static str {
    match operation {
        Operation::List | Operation::Read => "read",
        Operation::Search => "search",
        Operation::Write | Operation::Edit | Operation::Append | Operation::Patch | Operation::Create => "edit",
        Operation::Delete => "delete",
        Operation::Move => "move",
        Operation::Run => "execute",
        Operation::Tool => "other",
    }
}

/// The file that an operation names, if it does.
fn file_of(want: &Want) -> Option<&str> {
    let names_one = want.operation == Operation::Read || is_change(want.operation);
    (names_one && want.operation != Operation::Patch && !want.target.is_empty()).then_some(want.target.as_str())
}

fn location(folder: &str, path: &str) -> Location {
    Location { path: absolute(folder, path) }
}

fn absolute(folder: &str, path: &str) -> String {
    Path::new(folder).join(path).display().to_string()
}

fn says(text: impl Into<String>) -> CallContent {
    CallContent::Content { content: TextBlock::of(text) }
}
