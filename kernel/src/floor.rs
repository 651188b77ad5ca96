//! What people see of a session, and what they may do in it next, whatever the application.
//!
//! A `Line` is made from one event and no state, so any stretch of a log can be shown by itself. A `Floor` is made from
//! state: who may speak, with which words, what is known so far. An offer carries the command it stands for; whether
//! the command is accepted is still decided by the application alone, so a stale offer does no harm.
//!
//! Drawing any of this belongs to whoever shows it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::gate::{Gate, Leeway};
use crate::limits::Limit;

/// A line of the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    pub who: Who,
    pub tone: Tone,
    pub text: String,
    /// The question that it puts, where only a yes or a no ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
}

/// Whose line it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// A person; by name where there are several, without where it is plain who.
    Person(Option<String>),
    /// An agent, by its name.
    Agent(String),
    /// The session itself.
    Session,
}

/// How a line is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    Said,
    /// Noted along the way; it may be shown small or left out.
    Note,
    /// Something ended well.
    Done,
    /// Something went wrong, and says what to do.
    Trouble,
}

/// What a person finds on coming to a session.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Floor {
    /// The gate that waits.
    pub gate: Option<Gate>,
    /// What may be decided there beyond yes and no.
    pub leeway: Leeway,
    /// What may be done now, the likeliest first.
    pub offers: Vec<Offer>,
    /// How far it has come, where that can be counted.
    pub progress: Option<Progress>,
    /// What has been gathered so far, in order.
    pub known: Vec<Known>,
    /// Where everything that moves by a table stands.
    pub positions: Vec<Position>,
    /// How the session behaves, where that can be switched.
    pub switches: Vec<Switch>,
    /// What there is to look through: what is under way, what was done, what holds.
    pub lists: Vec<List>,
    /// What is used up, as far as there is a limit.
    pub meters: Vec<Meter>,
}

/// Something a person may do now.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "offer")]
pub enum Offer {
    Say {
        label: String,
        limit: Limit,
        /// The command, with a hole where the words go.
        command: Value,
        /// Where the hole is, as a JSON pointer.
        place: String,
    },
    /// Press a button.
    Press {
        label: String,
        command: Value,
        /// How much it asks for attention.
        weight: Weight,
    },
}

/// How much a button asks for attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// The likely next step.
    Main,
    /// One way among others.
    Plain,
    /// Not to be taken lightly: it is asked once more.
    Grave,
    /// Lets something that failed try again.
    Retry,
}

/// How far a session has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Steps done.
    pub done: usize,
    pub total: usize,
}

/// Something that has been gathered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Known {
    pub label: String,
    /// What is known of it; none while nothing is.
    pub value: Option<String>,
    /// A remark: what is lacking, where it stands.
    pub remark: Option<String>,
    /// What is being spoken of now.
    pub current: bool,
    /// The command that changes it, where it may be changed now.
    pub change: Option<Value>,
}

/// One of several ways in which a session behaves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Switch {
    pub label: String,
    /// The ways, in order.
    pub ways: Vec<SwitchOption>,
}

/// One way of a switch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SwitchOption {
    pub label: String,
    pub about: String,
    /// Whether it is the present one.
    pub current: bool,
    /// The command that switches to it.
    pub command: Value,
}

/// Things of one kind, the most important first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct List {
    pub title: String,
    pub things: Vec<ListItem>,
}

/// One thing of a list, and what may be done about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListItem {
    pub text: String,
    /// Where it stands, or what belongs to it.
    pub remark: Option<String>,
    /// Whether it is what is being worked on.
    pub current: bool,
    /// What may be done about it.
    pub deeds: Vec<ItemAction>,
}

/// Something that may be done about one thing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemAction {
    pub label: String,
    /// What it comes to, said before it is done; where there is such a sentence, it is asked once more.
    pub about: Option<String>,
    pub command: Value,
}

/// How much of something is used up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Meter {
    pub label: String,
    pub used: u64,
    pub limit: u64,
}

/// Where one thing stands in a table of moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Position {
    pub table: String,
    pub thing: String,
    pub at: String,
}

/// A ready-made way to begin a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Opening {
    /// Its name among the openings of the application.
    pub name: String,
    pub title: String,
    pub about: String,
    /// The command that opens the session.
    pub command: Value,
}

/// Puts a person's words into the hole of a command. A place that is not there leaves the command as it is.
pub fn put_words(command: &Value, place: &str, words: &str) -> Value {
    let mut command = command.clone();
    if let Some(hole) = command.pointer_mut(place) {
        *hole = Value::String(words.to_owned());
    }
    command
}
