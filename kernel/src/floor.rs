//! What people see of a session, and what they may do in it next, whatever the application.
//!
//! Both are made for one reader. A `Line` is made from one event and no state, so any stretch of a log can be shown by itself.
//! A `Floor` is made from state: who may speak, with which words, what is known so far. An offer carries the command it
//! stands for; whether the command is accepted is still decided by the application alone, so a stale offer does no harm.
//!
//! Drawing any of this belongs to whoever shows it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::gate::{Gate, Leeway};
use crate::limits::Limit;
use crate::panel::Panel;

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

/// What a person finds on coming to a session. How programs read it is in `panel.rs`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Floor {
    /// The gate that waits.
    pub gate: Option<Gate>,
    /// What may be decided there beyond yes and no.
    pub leeway: Leeway,
    /// What may be done now, the likeliest first.
    pub offers: Vec<Offer>,
    /// How far it has come, where that can be counted.
    pub progress: Option<Progress>,
    /// Where everything that moves by a table stands.
    pub positions: Vec<Position>,
    /// How the session behaves, where that can be switched.
    pub switches: Vec<Switch>,
    /// What stands beside the conversation, in order: what is known, what is under way, what is used up.
    pub panels: Vec<Panel>,
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
