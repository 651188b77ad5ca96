//! Operations that a model wants, as they are remembered, shown and held against rules.
//!
//! The same wish again and again is a circle, whatever reasons are given for it, and ends the turn; with an answer, where
//! the model gave one and only wanted to look once more.

use enza_kernel::application::Draft;
use enza_kernel::conversation::Digest;
use enza_kernel::limits;

use super::super::Companion;
use super::super::action::{Action, Operation};
use super::super::agent_state::Mismatch;
use super::super::batch::Want;
use super::super::consent::is_change;
use super::super::event::Event;
use super::super::note::Note;
use super::super::steps::Status;
use super::super::verdict::Verdict;
use super::{leave_to_person, set_status};

/// The same wish so often, and it goes in circles.
const MOST_ALIKE: usize = 3;

/// Operations are wanted: they go their way, unless the same was wanted again and again.
pub(super) fn record(draft: &mut Draft<'_, Companion>, id: u32, verdict: &Verdict) {
    let wants: Vec<Want> = verdict.actions.iter().map(|action| want_of(action, &verdict.rationale)).collect();
    // Other reasons for the same do not make it another.
    let bare: Vec<Action> = verdict.actions.iter().map(|one| Action { rationale: None, ..one.clone() }).collect();
    let json = serde_json::to_string(&bare).unwrap_or_default();
    let trace = Digest::of(json.as_bytes()).to_string()[..16].to_owned();
    let before = draft.state.task(id).map_or(0, |task| task.wanted(&trace));
    if before > 0 && is_an_answer(draft, id, verdict) {
        return set_status(draft, id, Status::Success);
    }
    if before + 1 >= MOST_ALIKE {
        return leave_to_person(draft, id, Note::Loop);
    }
    let mind = draft.state.task(id).map(|task| &task.mind);
    let against = |want: &Want| is_change(want.operation) && mind.is_some_and(|mind| mind.forbids(&want.target));
    if wants.iter().any(against) {
        draft.record(Event::Noted { desk: id, note: Note::Mismatch(Mismatch::ActionAgainstConstraint) });
    }
    draft.record(Event::Wanted { desk: id, wants, trace });
}

/// Whether a reply that wants to see what it has seen is an answer all the same: in talk, and with words for the person.
fn is_an_answer(draft: &Draft<'_, Companion>, id: u32, verdict: &Verdict) -> bool {
    let has_words = verdict.reply.as_deref().is_some_and(|reply| !reply.trim().is_empty());
    let only_looks = verdict.actions.iter().all(|action| action.operation.only_looks());
    has_words && only_looks && draft.state.task(id).is_some_and(|task| task.task.is_none())
}

fn want_of(action: &Action, rationale: &str) -> Want {
    let target = match action.operation {
        Operation::Run => command_line(action.command.as_deref().unwrap_or_default(), action.path.as_deref()),
        // The name alone: that is what rules are about, and what is used.
        Operation::Tool => action.command.iter().flatten().next().cloned().unwrap_or_default(),
        Operation::Patch => patched(action),
        Operation::Search => action.pattern.clone().unwrap_or_default(),
        Operation::List
        | Operation::Read
        | Operation::Write
        | Operation::Edit
        | Operation::Append
        | Operation::Create
        | Operation::Delete
        | Operation::Move => action.path.clone().unwrap_or_default(),
    };
    let why = action.rationale.as_deref().filter(|why| !why.trim().is_empty()).unwrap_or(rationale);
    Want { operation: action.operation, target, why: limits::one_line(why, 200) }
}

/// The files that a patch says it is about, as it names them.
fn patched(action: &Action) -> String {
    const HEADS: [&str; 4] = ["+++ ", "*** Add File: ", "*** Update File: ", "*** Delete File: "];
    let lines = action.patch.iter().flat_map(|patch| patch.lines()).map(str::trim);
    let named = lines.filter_map(|line| HEADS.iter().find_map(|head| line.strip_prefix(head)));
    let plain = named.map(|name| name.split('\t').next().unwrap_or(name).trim()).filter(|name| *name != "/dev/null");
    let mut names: Vec<&str> = plain.map(|name| name.strip_prefix("b/").unwrap_or(name)).collect();
    names.dedup();
    let names = if names.is_empty() { action.path.clone().unwrap_or_default() } else { names.join(", ") };
    if names.is_empty() { "patch".to_owned() } else { limits::one_line(&names, 200) }
}

/// A command as one would type it: it says where its words end and in which folder it is run, so that no two commands look
/// alike.
pub(in super::super) fn command_line(words: &[String], folder: Option<&str>) -> String {
    let quoted = |word: &str| {
        let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:=,+@%^".contains(letter);
        match !word.is_empty() && word.chars().all(is_plain) {
            true => word.to_owned(),
            false => format!("'{}'", word.replace('\'', "'\\''")),
        }
    };
    let line = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    match folder.map(|folder| folder.trim_matches('/')).filter(|folder| !matches!(*folder, "" | ".")) {
        Some(folder) => format!("cd {} && {line}", quoted(folder)),
        None => line,
    }
}
