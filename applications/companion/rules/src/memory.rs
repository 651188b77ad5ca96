//! What is carried from one session in a folder to the next (DUCK-14 to DUCK-16, DUCK-61).
//!
//! It is small, bounded, and made by rule from what happened: files made, operations that came off, what a person
//! settled, a line for each of the latest conversations, and where the work stood. The edge keeps it between sessions.

use enza_kernel::limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many conversations are summarised in the base prompt.
pub(super) const CONVERSATIONS: usize = 5;
/// How long each summary is, in characters.
pub(super) const SUMMARY: usize = 100;
const MOST_EXPERIENCES: usize = 10;

/// What is carried over.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Memory {
    /// Files made.
    pub total_files: u64,
    /// Operations that came off.
    pub successful_operations: u64,
    /// What was learned about this project.
    pub learned_patterns: Vec<String>,
    /// What came off and what did not, in one line each.
    pub experiences: Vec<String>,
    /// What the person wants in every session.
    pub user_settings: Vec<String>,
    /// How many conversations there were.
    pub total_conversations: u64,
    /// The latest conversations, a line each, the newest last.
    pub recent: Vec<String>,
    /// What the person forbade and has not lifted.
    pub constraints: Vec<String>,
    /// Where the work stood.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<Unfinished>,
}

/// Work that was not finished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unfinished {
    /// What was to be reached.
    pub goal: String,
    /// Why.
    pub why_now: String,
    /// The next moves.
    pub plan_brief: Vec<String>,
    /// What was not settled.
    pub open_questions: Vec<String>,
    /// What had to be kept to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// What was settled, in the order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decision_log: Vec<String>,
}

impl Memory {
    /// Takes in one exchange.
    pub(super) fn hear(&mut self, said: &str, replied: &str) {
        self.total_conversations += 1;
        push(&mut self.recent, exchange(said, replied), CONVERSATIONS);
    }

    /// Takes in what was last said in an exchange that had another end before: it stays one.
    pub(super) fn hear_again(&mut self, said: &str, before: &str, replied: &str) {
        let before = exchange(said, before);
        if let Some(line) = self.recent.iter_mut().rev().find(|line| **line == before) {
            *line = exchange(said, replied);
        }
    }

    /// Takes in something about this project, once.
    pub(super) fn learn(&mut self, line: String) {
        let line = limits::one_line(&line, SUMMARY);
        self.learned_patterns.retain(|known| *known != line);
        push(&mut self.learned_patterns, line, MOST_EXPERIENCES);
    }

    /// Takes in what another session of the folder remembers. `counted` is what of it was taken in before, so that nothing
    /// counts twice. What is forbidden and where the work stood is not a matter of counting, and left to the edge.
    pub fn take_in(&mut self, now: &Self, counted: &Self) {
        self.total_files += now.total_files.saturating_sub(counted.total_files);
        self.successful_operations += now.successful_operations.saturating_sub(counted.successful_operations);
        self.total_conversations += now.total_conversations.saturating_sub(counted.total_conversations);
        add(&mut self.learned_patterns, &now.learned_patterns, &counted.learned_patterns, MOST_EXPERIENCES);
        add(&mut self.experiences, &now.experiences, &counted.experiences, MOST_EXPERIENCES);
        add(&mut self.recent, &now.recent, &counted.recent, CONVERSATIONS);
        // Made from the settings whenever a session is opened: the latest are those that hold.
        self.user_settings.clone_from(&now.user_settings);
    }

    /// Takes in what came of a task.
    pub(super) fn experience(&mut self, line: String) {
        push(&mut self.experiences, limits::one_line(&line, SUMMARY), MOST_EXPERIENCES);
    }
}

/// A conversation in one line.
fn exchange(said: &str, replied: &str) -> String {
    let half = SUMMARY / 2 - 2;
    format!("{} → {}", limits::one_line(said, half), limits::one_line(replied, half))
}

/// Adds the lines that were not counted before.
fn add(list: &mut Vec<String>, now: &[String], counted: &[String], most: usize) {
    for line in now.iter().filter(|line| !counted.contains(line)) {
        list.retain(|known| known != line);
        push(list, line.clone(), most);
    }
}

fn push(list: &mut Vec<String>, line: String, most: usize) {
    list.push(line);
    let surplus = list.len().saturating_sub(most);
    list.drain(..surplus);
}
