//! One line of a conversation.
//!
//! It is keyed by its place in the log, so that a page can tell what it shows already. How it is meant is said by form
//! and words; a note stands small, trouble says so.

use enza_kernel::floor::Tone;
use enza_kernel::time::{Seq, Timestamp};
use maud::{Markup, html};

use super::time::time;
use crate::words::Words;

/// A line of a conversation, ready to be shown.
#[derive(Debug, Clone, Copy)]
pub struct Message<'a> {
    pub who: Speaker,
    /// The speaker's name.
    pub name: &'a str,
    pub tone: Tone,
    pub text: &'a str,
    pub at: Timestamp,
    /// Its place in the log.
    pub seq: Seq,
}

/// Who sits in the circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    Person,
    Agent,
    /// The session itself.
    Session,
}

/// The line.
pub fn message(words: Words, message: &Message<'_>) -> Markup {
    let who = match message.who {
        Speaker::Person => "person",
        Speaker::Agent => "agent",
        Speaker::Session => "session",
    };
    let tone = match message.tone {
        Tone::Said => "said",
        Tone::Note => "note",
        Tone::Done => "done",
        Tone::Trouble => "trouble",
    };
    html! {
        article class={ "message " (who) " " (tone) } data-seq=(message.seq) {
            header { span.seat aria-hidden="true" {} span.name { (message.name) } " " (time(words, message.at)) }
            div.words { (message.text) }
        }
    }
}
