//! A folder in memory in place of the workshop: it looks, prepares, makes and takes back, all at once or not at all.
//!
//! It outlives the workers, as files do, and now and then a person changes something in it by hand. At the end it is held
//! against the log: what the log says was made and taken back, and nothing else, accounts for what is in it.

use std::collections::{BTreeMap, BTreeSet};

use enza_companion::{Companion, Event, OrderKind, State};
use enza_kernel::application::{Application as _, Entry};
use enza_kernel::conversation::Digest;
use enza_kernel::effect::{Key, RunTool};
use enza_runtime::seams::store::Recorded;
use enza_runtime::simulation::ToolWorld;
use enza_work::{
    Change, ChosenChange, Fault, Finding, Job, Listing, NotRestored, Order, PreparedChange, Proposal, ReadLines,
    Receipt, RestoreResult, RunEnd, RunResult, SearchResult, SideEffects,
};

use super::{FORBIDDEN, OUTSIDE, event};

type Files = BTreeMap<String, String>;

/// The folder.
pub struct Folder {
    files: Files,
    kept: BTreeMap<Digest, String>,
    /// Paths that a person has changed by hand.
    by_hand: BTreeSet<String>,
    /// Paths outside that are open to the order under way.
    granted: Vec<String>,
    commands: u64,
}

fn at_first() -> Files {
    let files = [("src/a.py", "x = 1\n"), ("src/b.py", "y = 2\n"), ("docs/a.md", "x\n"), ("README.md", "# x\n")];
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    files.chain([(format!("{FORBIDDEN}/key.txt"), "x\n".to_owned()), (OUTSIDE.to_owned(), "x\n".to_owned())]).collect()
}

impl Folder {
    /// As it is at first.
    pub fn new() -> Self {
        Self { files: at_first(), kept: BTreeMap::new(), by_hand: BTreeSet::new(), granted: Vec::new(), commands: 0 }
    }
}

impl ToolWorld for Folder {
    fn run(&mut self, run: &RunTool, draw: u64) -> String {
        let Ok(order) = serde_json::from_value::<Order>(run.arguments.clone()) else {
            return "done".to_owned();
        };
        if draw.is_multiple_of(23) {
            self.by_hand(draw / 23);
        }
        self.granted = order.granted;
        let receipt = match order.task {
            Job::List { .. } => self.list(),
            Job::Read { path, from, .. } => self.read(&path, from),
            Job::Search { .. } => {
                Receipt::Found(SearchResult { text: "README.md:1: x".to_owned(), matches: 1, more: false })
            }
            Job::Prepare { proposals } => self.prepare(proposals).map_or_else(Receipt::Refused, Receipt::Prepared),
            Job::Choose { chosen } => {
                Receipt::Prepared(chosen.into_iter().filter_map(|one| self.choose(one)).collect())
            }
            Job::Make { changes } => self.make(changes),
            Job::Restore { changes } => self.restore(&changes),
            Job::Run(_) => self.command(draw),
            // A command is over at once here; its receipt is only late.
            Job::Halt { .. } => Receipt::Halted,
            // What it wrote is not known here, and is told as such.
            Job::Recover { .. } => Receipt::Ran(RunResult {
                ended: RunEnd::Unseen,
                beyond: SideEffects { others: true, ..SideEffects::default() },
                ..RunResult::stopped_before_it_began()
            }),
            Job::Commit { .. } => Receipt::Committed("abc1234".to_owned()),
        };
        serde_json::to_string(&receipt).expect("a receipt is JSON")
    }

    fn broken_rules(&self, log: &[Recorded]) -> Vec<String> {
        let (told, perhaps) = as_told(log, &self.kept);
        let paths: BTreeSet<&String> = self.files.keys().chain(told.keys()).collect();
        // What a command whose end nobody saw has written is not known, and is told as such.
        let is_known = |path: &&&String| {
            !self.by_hand.contains(**path) && !perhaps.contains(**path) && !path.starts_with("build/")
        };
        let differ = paths.iter().filter(is_known).copied();
        let differ: Vec<&str> =
            differ.filter(|path| self.files.get(*path) != told.get(*path)).map(String::as_str).collect();
        let mut broken = Vec::new();
        if !differ.is_empty() {
            let both: Vec<String> = differ
                .iter()
                .map(|path| format!("{path} {:?}, told {:?}", self.files.get(*path), told.get(*path)))
                .collect();
            broken.push(format!("the folder is not what the log tells: {}; {}", both.join(", "), trail(log)));
        }
        let forbidden = format!("{FORBIDDEN}/key.txt");
        if !self.by_hand.contains(&forbidden) && self.files.get(&forbidden) != at_first().get(&forbidden) {
            broken.push("a forbidden file was changed".to_owned());
        }
        broken
    }
}

/// What is in the folder if the log is all that happened; and the paths of which it tells only that something with them
/// failed, perhaps after it had been done by an attempt that a crash cut short.
///
/// A piece of work that goes on behind belongs to an older turn than what is done meanwhile, so what is taken back with a
/// turn is not everything since: each change that is taken back leaves what was there before that change.
fn as_told(log: &[Recorded], kept: &BTreeMap<Digest, String>) -> (Files, BTreeSet<String>) {
    let (mut files, mut perhaps) = (at_first(), BTreeSet::new());
    let mut state = State::default();
    for recorded in log {
        let Some(event) = event(recorded) else { continue };
        match &event {
            Event::OrderEnded { order, receipt } => match &**receipt {
                Receipt::Made(changes) => changes.iter().for_each(|change| apply(&mut files, change, kept)),
                Receipt::Ran(ran) => ran.changes.iter().for_each(|change| apply(&mut files, change, kept)),
                Receipt::Restored(restored) => take_back(&mut files, &of_order(&state, *order), restored, kept),
                Receipt::Refused(Fault::HalfMade { left, .. }) => {
                    let stays = |change: &&Change| left.contains(change.to.as_ref().unwrap_or(&change.path));
                    of_order(&state, *order).iter().filter(stays).for_each(|one| apply(&mut files, one, kept));
                }
                Receipt::Refused(Fault::System { .. }) => perhaps.extend(paths(&of_order(&state, *order))),
                Receipt::Listed(_)
                | Receipt::Read(_)
                | Receipt::Found(_)
                | Receipt::Prepared(_)
                | Receipt::Halted
                | Receipt::Used(_)
                | Receipt::Committed(_)
                | Receipt::Refused(_) => {}
            },
            Event::TakenBack { restored, .. } => {
                let changes = state.taking_back.as_ref().map(|back| back.changes.clone()).unwrap_or_default();
                // Nothing was taken back and nothing kept: that is how a failure is told, and it can be tried again.
                if *restored == RestoreResult::default() {
                    perhaps.extend(paths(&changes));
                }
                take_back(&mut files, &changes, restored, kept);
            }
            _ => {}
        }
        Companion::evolve(&mut state, &Entry { seq: recorded.seq, at: recorded.at, event });
    }
    (files, perhaps)
}

/// What an order makes or takes back.
fn of_order(state: &State, order: Key) -> Vec<Change> {
    if let Some(leaving) = state.leaving.iter().find(|one| one.key == order) {
        return leaving.changes.clone();
    }
    let batches = || state.desks.iter().filter_map(|task| task.batch.as_ref());
    let found = batches().find_map(|batch| Some((batch, batch.orders.iter().find(|one| one.key == order)?.does)));
    match found {
        Some((batch, OrderKind::Make)) => batch.prepared.iter().map(|one| one.change.clone()).collect(),
        Some((batch, OrderKind::PutBack(from))) => batch.put_back.get(from as usize..).unwrap_or_default().to_vec(),
        Some(_) | None => Vec::new(),
    }
}

fn paths(changes: &[Change]) -> Vec<String> {
    changes.iter().flat_map(|change| std::iter::once(&change.path).chain(&change.to)).cloned().collect()
}

/// The last first, as far as it was taken back.
fn take_back(files: &mut Files, changes: &[Change], restored: &RestoreResult, kept: &BTreeMap<Digest, String>) {
    for change in changes.iter().rev().filter(|change| restored.restored.contains(&change.path)) {
        if let Some(to) = &change.to {
            files.remove(to);
        }
        match &change.before {
            Some(digest) => files.insert(change.path.clone(), kept.get(digest).cloned().unwrap_or_default()),
            None => files.remove(&change.path),
        };
    }
}

/// What was made and taken back, in a few words: for whoever looks into a seed.
fn trail(log: &[Recorded]) -> String {
    let word = |recorded: &Recorded| match event(recorded)? {
        Event::OrderEnded { receipt, .. } => match *receipt {
            Receipt::Made(changes) => Some(format!("{} made {changes:?}", recorded.seq)),
            Receipt::Refused(fault) => Some(format!("{} refused {fault:?}", recorded.seq)),
            _ => None,
        },
        Event::Closed => Some(format!("{} closed", recorded.seq)),
        Event::TakingBack { turn, changes } => Some(format!("{} taking back {turn}: {changes:?}", recorded.seq)),
        Event::TakenBack { restored, .. } => Some(format!("{} taken back: {restored:?}", recorded.seq)),
        Event::BatchEnded { .. } => Some(format!("{} over", recorded.seq)),
        Event::CarriedOn { .. } => Some(format!("{} carried on", recorded.seq)),
        _ => None,
    };
    log.iter().filter_map(word).collect::<Vec<_>>().join("; ")
}

fn apply(files: &mut Files, change: &Change, kept: &BTreeMap<Digest, String>) {
    files.remove(&change.path);
    if let Some(digest) = &change.after {
        let path = change.to.as_ref().unwrap_or(&change.path);
        files.insert(path.clone(), kept.get(digest).cloned().unwrap_or_default());
    }
}

impl Folder {
    fn by_hand(&mut self, draw: u64) {
        let paths: Vec<String> = self.files.keys().cloned().collect();
        if let Some(path) = paths.get(draw as usize % paths.len().max(1)) {
            self.files.insert(path.clone(), format!("by hand {draw}\n"));
            self.by_hand.insert(path.clone());
        }
    }

    fn list(&self) -> Receipt {
        let text = self.files.keys().cloned().collect::<Vec<_>>().join("\n");
        Receipt::Listed(Listing { text, entries: self.files.len() as u32, more: false })
    }

    fn read(&self, path: &str, from: u32) -> Receipt {
        let found = real(&self.granted, path).map_err(to_read).and_then(|path| {
            let text = self.files.get(&path).cloned().ok_or(Fault::Missing { path: path.clone() })?;
            Ok(ReadLines { digest: Digest::of(text.as_bytes()), of: 1, path, text, from, more: false })
        });
        found.map_or_else(Receipt::Refused, Receipt::Read)
    }

    /// Each proposal sees what the ones before it did, as in the workshop; a file that several touch is prepared once.
    fn prepare(&mut self, proposals: Vec<Proposal>) -> Result<Vec<PreparedChange>, Fault> {
        let mut after = self.files.clone();
        let mut asked: BTreeMap<String, Option<String>> = BTreeMap::new();
        let mut moved: Vec<(String, String)> = Vec::new();
        for proposal in proposals {
            let (path, text) = match proposal {
                Proposal::Create { path, .. } if after.contains_key(&real(&self.granted, &path)?) => {
                    return Err(Fault::Exists { path });
                }
                Proposal::Write { path, content } | Proposal::Create { path, content } => (path, Some(content)),
                Proposal::Append { path, content } => {
                    let text = after.get(&real(&self.granted, &path)?).ok_or(Fault::Missing { path: path.clone() })?;
                    let appended = format!("{text}{content}");
                    (path, Some(appended))
                }
                Proposal::Edit { path, replacements } => {
                    let text = after.get(&real(&self.granted, &path)?).ok_or(Fault::Missing { path: path.clone() })?;
                    let edited =
                        replacements.iter().fold(text.clone(), |text, one| text.replacen(&one.old, &one.new, 1));
                    (path, Some(edited))
                }
                Proposal::Patch { text } => (text, Some("patched\n".to_owned())),
                Proposal::Delete { path } => (path, None),
                Proposal::Move { path, to } => {
                    let (from, to) = (real(&self.granted, &path)?, real(&self.granted, &to)?);
                    let text = after.remove(&from).ok_or(Fault::Missing { path: from.clone() })?;
                    if after.insert(to.clone(), text).is_some() {
                        return Err(Fault::Exists { path: to });
                    }
                    moved.push((from, to));
                    continue;
                }
            };
            let name = real(&self.granted, &path)?;
            let was = match text {
                Some(text) => after.insert(name.clone(), text),
                None => after.remove(&name),
            };
            if was.is_none() && !after.contains_key(&name) {
                return Err(Fault::Missing { path: name });
            }
            asked.insert(name.clone(), (name != path).then_some(path));
        }
        // A move together with other changes to the same files is more than is pretended here.
        if moved.iter().any(|(from, to)| asked.contains_key(from) || asked.contains_key(to)) || moved.len() > 1 {
            return Err(Fault::UnusablePath { path: "moves".to_owned() });
        }
        let mut prepared: Vec<PreparedChange> = Vec::new();
        for (path, spelled) in asked {
            let change = self.change(&path, None, after.get(&path).cloned());
            prepared.push(of(change, spelled));
        }
        for (from, to) in moved {
            let change = self.change(&from, Some(&to), after.get(&to).cloned());
            prepared.push(of(change, None));
        }
        Ok(prepared)
    }

    fn change(&mut self, path: &str, to: Option<&str>, after: Option<String>) -> Change {
        let before = self.files.get(path).cloned();
        let mut keep = |text: String| {
            let digest = Digest::of(text.as_bytes());
            self.kept.insert(digest, text);
            digest
        };
        let (before, after) = (before.map(&mut keep), after.map(&mut keep));
        Change { path: path.to_owned(), to: to.map(str::to_owned), before, after, mode: None, folders: 0, seen: false }
    }

    fn choose(&mut self, chosen: ChosenChange) -> Option<PreparedChange> {
        let mut change = chosen.change;
        if let Some(content) = chosen.content {
            let digest = Digest::of(content.as_bytes());
            self.kept.insert(digest, content);
            change.after = Some(digest);
        } else if chosen.hunks.is_some_and(|hunks| hunks.is_empty()) {
            return None;
        }
        Some(of(change, None))
    }

    fn digest(&self, path: &str) -> Option<Digest> {
        self.files.get(path).map(|text| Digest::of(text.as_bytes()))
    }

    fn is_made(&self, change: &Change) -> bool {
        let place = change.to.as_ref().unwrap_or(&change.path);
        self.digest(place) == change.after && (change.to.is_none() || self.digest(&change.path).is_none())
    }

    fn is_undone(&self, change: &Change, earlier: &[Change]) -> bool {
        let now = self.digest(&change.path);
        let is_before = |one: &Change| one.path == change.path && one.before == now;
        let is_gone = change.to.as_ref().is_none_or(|to| !self.files.contains_key(to));
        is_gone && (is_before(change) || earlier.iter().any(is_before))
    }

    /// As the workshop does it: where one file is no longer as it was shown, nothing is touched; and where an attempt that
    /// nobody heard of has made the others, that is told.
    fn make(&mut self, changes: Vec<Change>) -> Receipt {
        let is_as_shown = |change: &&Change| {
            let is_free = change.to.as_ref().is_none_or(|to| !self.files.contains_key(to));
            self.is_made(change) || (self.digest(&change.path) == change.before && is_free)
        };
        if let Some(changed) = changes.iter().find(|change| !is_as_shown(change)) {
            let why = Fault::Changed { path: changed.path.clone() };
            let is_left =
                |change: &&Change| self.is_made(change) && (change.to.is_some() || change.before != change.after);
            let left: Vec<Change> = changes.iter().filter(is_left).cloned().collect();
            let half = |left| Fault::HalfMade { why: Box::new(why.clone()), left };
            return Receipt::Refused(if left.is_empty() { why } else { half(paths(&left)) });
        }
        for change in &changes {
            apply(&mut self.files, change, &self.kept);
        }
        Receipt::Made(changes)
    }

    /// As the workshop does it: the last first, where the file is as the change left it; what is already as it was counts
    /// as taken back, since a worker that died after it had taken back is followed by one that finds it done.
    fn restore(&mut self, changes: &[Change]) -> Receipt {
        let mut came = RestoreResult::default();
        for (place, change) in changes.iter().enumerate().rev() {
            if self.is_made(change) && (change.to.is_some() || change.before != change.after) {
                self.files.remove(change.to.as_ref().unwrap_or(&change.path));
                if let Some(digest) = &change.before {
                    self.files.insert(change.path.clone(), self.kept.get(digest).cloned().unwrap_or_default());
                }
            } else if !self.is_undone(change, &changes[..place]) {
                came.kept.push((change.path.clone(), NotRestored::ChangedSince));
                continue;
            }
            came.restored.extend(change.to.clone());
            came.restored.push(change.path.clone());
        }
        Receipt::Restored(came)
    }

    /// A command, which may write a file of its own.
    fn command(&mut self, draw: u64) -> Receipt {
        self.commands += 1;
        let status = i32::from(draw.is_multiple_of(4));
        let path = format!("build/{}.txt", draw % 3);
        let change = self.change(&path, None, Some(format!("run {}\n", self.commands)));
        let changes = if draw.is_multiple_of(2) { vec![change] } else { Vec::new() };
        for change in &changes {
            apply(&mut self.files, change, &self.kept);
        }
        let (ended, beyond) = (RunEnd::Status(status), SideEffects::default());
        Receipt::Ran(RunResult {
            command: String::new(),
            ended,
            output: String::new(),
            cut: false,
            millis: 1,
            changes,
            beyond,
            kept_from: None,
        })
    }
}

/// The same fault, where something is only looked at.
fn to_read(fault: Fault) -> Fault {
    match fault {
        Fault::OutsideToWrite { path } => Fault::OutsideToRead { path },
        other => other,
    }
}

/// What a path really leads to, for an order to which these paths outside are open.
fn real(granted: &[String], path: &str) -> Result<String, Fault> {
    if granted.iter().any(|one| one == path) {
        return Ok(path.to_owned());
    }
    if path.starts_with('/') || path.starts_with("../") {
        return Err(Fault::OutsideToWrite { path: path.to_owned() });
    }
    if path == "link" {
        return Ok(format!("{FORBIDDEN}/key.txt"));
    }
    Ok(path.split('/').filter(|part| !part.is_empty() && *part != ".").collect::<Vec<_>>().join("/"))
}

fn of(change: Change, asked: Option<String>) -> PreparedChange {
    let mut findings: Vec<Finding> = asked.map(|asked| Finding::Link { asked }).into_iter().collect();
    if change.path.ends_with(".sh") {
        findings.push(Finding::Dangerous);
    }
    PreparedChange { diff: format!("~ {}\n", change.path), change, hunks: 1, added: 1, removed: 1, findings }
}
