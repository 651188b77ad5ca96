//! A thread as servers insist on it: every call with its result right behind it, nothing empty, a user's word last.
//!
//! Servers are strict where a log is not. A call whose result never came gets one that says so, a result whose call was
//! compacted away becomes plain words, and names and arguments that a model made up are brought into a form that the
//! server takes back. The order of everything else is kept, so that one prompt is the beginning of the next.

use std::borrow::Cow;

use enza_kernel::conversation::{Message, Part, Role, ToolCall};
use serde_json::{Value, json};

/// What stands for the result of a call that never got one.
const NO_RESULT: &str = "(no result: the call was not carried out)";
/// What is said to a model that spoke last and is to go on.
pub(crate) const GO_ON: &str = "Go on.";

/// A piece of a thread that stands on its own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Turn<'a> {
    /// Words to the model.
    Said { by: Speaker, text: Cow<'a, str> },
    /// What the model replied, with the results of its calls.
    Replied {
        /// What it said; may be empty if it called.
        text: &'a str,
        calls: Vec<Answered<'a>>,
    },
}

/// Who speaks to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// The session itself.
    Session,
    /// A person, or what is to be taken as such.
    Person,
}

/// A call and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answered<'a> {
    pub call: &'a ToolCall,
    pub result: &'a str,
}

/// The turns of a thread.
pub(crate) fn turns(messages: &[Message]) -> Vec<Turn<'_>> {
    let mut turns = Vec::with_capacity(messages.len());
    for (place, message) in messages.iter().enumerate() {
        let text: &str = &message.text;
        match message.role {
            Role::Session => said(&mut turns, Speaker::Session, text.into()),
            Role::Person => said(&mut turns, Speaker::Person, text.into()),
            Role::Agent if message.calls.is_empty() && text.trim().is_empty() => {}
            Role::Agent => {
                let answer =
                    |call| Answered { call, result: result_of(call, &messages[place + 1..]).unwrap_or(NO_RESULT) };
                turns.push(Turn::Replied { text, calls: message.calls.iter().map(answer).collect() });
            }
            Role::Tool if answers_an_earlier_call(message, &messages[..place]) => {}
            Role::Tool => said(&mut turns, Speaker::Session, format!("The result of an earlier call: {text}").into()),
        }
    }
    turns
}

fn said<'a>(turns: &mut Vec<Turn<'a>>, by: Speaker, text: Cow<'a, str>) {
    if !text.trim().is_empty() {
        turns.push(Turn::Said { by, text });
    }
}

fn result_of<'a>(call: &ToolCall, later: &'a [Message]) -> Option<&'a str> {
    let answers =
        |message: &&Message| message.role == Role::Tool && message.answers.as_deref() == Some(call.id.as_str());
    later.iter().find(answers).map(|message| &*message.text)
}

fn answers_an_earlier_call(result: &Message, earlier: &[Message]) -> bool {
    let id = result.answers.as_deref();
    earlier.iter().any(|message| message.calls.iter().any(|call| Some(call.id.as_str()) == id))
}

/// A section that changes with every call, under its name: agents' rules speak of sections by name.
pub(crate) fn section(part: &Part) -> String {
    if part.text.trim().is_empty() { String::new() } else { format!("# {}\n{}", part.name, part.text) }
}

/// A call's arguments as an object: what the model wrote, or its text under a name that says it could not be read.
pub(crate) fn arguments(call: &ToolCall) -> Cow<'_, Value> {
    match &call.arguments {
        Value::Object(_) => Cow::Borrowed(&call.arguments),
        Value::String(raw) => Cow::Owned(json!({ "unreadable": raw })),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
            Cow::Owned(json!({ "unreadable": call.arguments.to_string() }))
        }
    }
}

/// A name or an id in the letters that every server takes. A model may have made it up, and a server that refuses it
/// would refuse the thread from then on.
pub(crate) fn plain(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || "_-".contains(letter) { letter } else { '_' };
    let name: String = name.chars().take(64).map(plain).collect();
    if name.is_empty() { "unnamed".into() } else { name }
}
