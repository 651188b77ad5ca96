//! A person's answer at a gate: yes or no, for how long, hunk by hunk, or with a content of their own.
//!
//! What is sent names what the person has seen; whether it still holds is decided by the rules. Anything that is not one
//! of the answers is talk, and leaves the question open.

use enza_companion::{Command, Companion, Decision, Scope, State, Task};
use enza_kernel::gate::{Gate, GateState, Given, Verdict, typed_answer};
use enza_work::PreparedChange;

/// An answer at a gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateAnswer {
    /// Yes, for so long.
    Yes(Scope),
    /// No, for so long, with what the person had to say about it.
    No(Scope, Option<String>),
    Hunks,
    /// With a content of one's own.
    Edit,
    /// Everything is shown.
    View,
}

/// Reads a line at a gate; none where it is something else. Yes and no are read as at every gate; what lasts longer, or looks
/// closer, is the companion's own, and so are the letters of those.
pub fn parse_answer(line: &str) -> Option<GateAnswer> {
    match typed_answer(line) {
        Some((Verdict::Yes, _)) => return Some(GateAnswer::Yes(Scope::Once)),
        Some((Verdict::No, note)) => return Some(GateAnswer::No(Scope::Once, note)),
        None => {}
    }
    let line = line.trim();
    let (first, rest) = line.split_once([' ', '　']).unwrap_or((line, ""));
    let note = Some(rest.trim().to_owned()).filter(|note| !note.is_empty());
    let answer = match (first.to_lowercase().as_str(), &note) {
        ("s" | "session", None) => GateAnswer::Yes(Scope::Session),
        ("p" | "project", None) => GateAnswer::Yes(Scope::Project),
        ("ns" | "no-session", _) => GateAnswer::No(Scope::Session, note),
        ("np" | "no-project", _) => GateAnswer::No(Scope::Project, note),
        ("h" | "hunks", None) => GateAnswer::Hunks,
        ("e" | "edit", None) => GateAnswer::Edit,
        ("v" | "view", None) => GateAnswer::View,
        _ => return None,
    };
    Some(answer)
}

/// The command that answers a gate.
pub fn command(gate: &Gate, given: Given) -> Command {
    let Given { verdict, note, scope, picks, left } = given;
    Command::Answer { gate: gate.id.clone(), verdict, note, scope, picks, left }
}

/// What would allow the same beforehand, as it is typed behind `--allow`; none where it is asked for every time.
pub fn beforehand(state: &State, gate: &Gate) -> Vec<String> {
    if Companion::asks_again(state, gate) { Vec::new() } else { Companion::lasting(state, gate) }
}

/// The changes that a gate is about, each with its place among all that are prepared.
pub fn prepared<'a>(state: &'a State, gate: &Gate) -> Vec<(u32, &'a PreparedChange)> {
    let asks = |desk: &&Task| desk.gate.as_ref().and_then(GateState::open).is_some_and(|open| open.id == gate.id);
    let Some(batch) = state.desks.iter().find(asks).and_then(|desk| desk.batch.as_ref()) else { return Vec::new() };
    let asked = |one: &PreparedChange| {
        let decided = batch.decisions.iter().enumerate();
        decided.filter(|(_, decision)| **decision == Decision::Asked).any(|(place, _)| batch.is_of(place, one))
    };
    (0..).zip(&batch.prepared).filter(|(_, one)| asked(one)).collect()
}

/// The hunks of a diff, each with its head.
pub fn hunks(diff: &str) -> Vec<String> {
    let mut hunks: Vec<String> = Vec::new();
    for line in diff.lines() {
        if line.starts_with("@@") {
            hunks.push(String::new());
        }
        if let Some(hunk) = hunks.last_mut() {
            *hunk += &format!("{line}\n");
        }
    }
    hunks
}

/// The line of the new file at which a hunk begins.
pub fn first_line(hunk: &str) -> Option<u32> {
    let (_, new) = hunk.lines().next()?.split_once(" +")?;
    new.split([',', ' ']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_answers_are_answers() {
        assert_eq!(parse_answer("y"), Some(GateAnswer::Yes(Scope::Once)));
        assert_eq!(parse_answer("はい"), Some(GateAnswer::Yes(Scope::Once)));
        assert_eq!(parse_answer("承認。"), Some(GateAnswer::Yes(Scope::Once)));
        assert_eq!(parse_answer("OK"), Some(GateAnswer::Yes(Scope::Once)));
        assert_eq!(parse_answer("拒否"), Some(GateAnswer::No(Scope::Once, None)));
        for talk in ["no, never mind", "no problem", "いいえ ではなく", "承認 する前に", "ok then"] {
            assert_eq!(parse_answer(talk), None, "{talk}");
        }
        assert_eq!(
            parse_answer("n use the other file"),
            Some(GateAnswer::No(Scope::Once, Some("use the other file".to_owned())))
        );
        assert_eq!(parse_answer("ns"), Some(GateAnswer::No(Scope::Session, None)));
        assert_eq!(parse_answer("NP 触らないで"), Some(GateAnswer::No(Scope::Project, Some("触らないで".to_owned()))));
        assert_eq!(parse_answer("never"), None);
        assert_eq!(parse_answer("yes but why"), None);
        assert_eq!(parse_answer("why?"), None);
    }

    #[test]
    fn a_diff_falls_into_its_hunks() {
        let diff = "--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n";
        assert_eq!(hunks(diff), ["@@ -1 +1 @@\n-a\n+b\n", "@@ -9 +9 @@\n-c\n"]);
        assert_eq!(first_line("@@ -9,2 +12,3 @@ fn a()\n-c\n"), Some(12));
    }
}
