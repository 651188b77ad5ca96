//! Who is looking at a session: where its page lives for them, what the voices in it are called, and what they may do.
//!
//! Every component of the page takes a `Viewer`. None writes an address or decides what is shown by itself, so that a page
//! is another's by another `Viewer` alone. What somebody really may do is decided by `access` and by whoever lets guests in;
//! here it is only what is worth showing to them.

use enza_runtime::seams::store::SessionId;

use crate::words::Words;

/// Who is looking.
#[derive(Debug, Clone)]
pub struct Viewer {
    /// The reader's words.
    pub words: Words,
    kind: ViewerKind,
    /// Where the page lives; its news, its feed and what its forms are sent to lie below.
    at: String,
    voices: Voices,
    /// What is said where there is nothing left to look at.
    gone: &'static str,
    /// What is said where they are let in no longer.
    signed_out: &'static str,
}

/// How somebody came to be looking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ViewerKind {
    /// Whose session it is.
    Owner {
        /// Whether files can be read here, to be written anew at a gate.
        reads_files: bool,
    },
    /// Who has a part in it.
    SeatHolder {
        /// Whether they may send commands.
        commands: bool,
    },
    /// Who watches it.
    Spectator {
        /// Whether they may send commands, where an application lets its audience take part.
        commands: bool,
    },
    /// Somebody without an account, who was let in by an application's own page.
    Guest,
}

/// What the voices of a conversation are called.
#[derive(Debug, Clone, Copy)]
pub(super) enum Voices {
    /// Each by its own name.
    Own,
    /// One voice for all agents, and one for the session.
    Sides(GuestVoices),
}

/// What a guest hears of those who speak: that they are asked, and by what. Which agent it is, is nothing to them.
#[derive(Debug, Clone, Copy)]
pub struct GuestVoices {
    /// Whoever asks.
    pub agents: &'static str,
    /// What speaks where nobody does.
    pub session: &'static str,
    /// Said while agents are at work.
    pub at_work: &'static str,
    /// Said where there is nothing left to look at.
    pub gone: &'static str,
}

/// What a page may offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Send the commands that the floor carries.
    Command,
    /// Answer a gate by its form.
    AnswerGates,
    /// Write a file anew at a gate.
    EditFiles,
    /// Look inside, fork, take along, delete.
    Manage,
    /// Know what it has cost and which model answers.
    SeeCost,
}

/// How long the browser keeps what was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keeping {
    /// Until it was sent: it is the person's own browser.
    Browser,
    /// As long as the tab is open: it may be anybody's.
    Tab,
}

impl Viewer {
    /// The session's owner.
    pub fn owner(words: Words, session: &SessionId, reads_files: bool) -> Self {
        Self::of_session(words, session, ViewerKind::Owner { reads_files })
    }

    /// Somebody who holds a seat in it, and whether they may send commands.
    pub fn seat_holder(words: Words, session: &SessionId, commands: bool) -> Self {
        Self::of_session(words, session, ViewerKind::SeatHolder { commands })
    }

    /// Somebody who watches it, and whether they may send commands.
    pub fn spectator(words: Words, session: &SessionId, commands: bool) -> Self {
        Self::of_session(words, session, ViewerKind::Spectator { commands })
    }

    fn of_session(words: Words, session: &SessionId, kind: ViewerKind) -> Self {
        Self {
            words,
            kind,
            at: format!("/sessions/{session}"),
            voices: Voices::Own,
            gone: words.say("session.gone"),
            signed_out: words.say("session.signed_out"),
        }
    }

    /// A guest, whose page lives at this address.
    pub fn guest(words: Words, at: String, voices: GuestVoices) -> Self {
        let gone = voices.gone;
        Self { words, kind: ViewerKind::Guest, at, voices: Voices::Sides(voices), gone, signed_out: gone }
    }

    /// Whether the page offers this to them.
    pub fn may(&self, act: Act) -> bool {
        match (self.kind, act) {
            (ViewerKind::Owner { reads_files }, Act::EditFiles) => reads_files,
            (ViewerKind::Owner { .. }, Act::Command | Act::AnswerGates | Act::Manage | Act::SeeCost) => true,
            (
                ViewerKind::SeatHolder { commands } | ViewerKind::Spectator { commands },
                Act::Command | Act::AnswerGates,
            ) => commands,
            // What it costs, and everything that a session can be made into, is its owner's.
            (
                ViewerKind::SeatHolder { .. } | ViewerKind::Spectator { .. },
                Act::EditFiles | Act::Manage | Act::SeeCost,
            ) => false,
            // An application's own page says what its guests may do, in forms of its own.
            (ViewerKind::Guest, Act::Command | Act::AnswerGates | Act::EditFiles | Act::Manage | Act::SeeCost) => false,
        }
    }

    /// The page itself.
    pub fn page(&self) -> &str {
        &self.at
    }

    /// Where orders are sent.
    pub fn orders(&self) -> String {
        match self.kind {
            ViewerKind::Owner { .. } | ViewerKind::SeatHolder { .. } | ViewerKind::Spectator { .. } => {
                self.below("commands")
            }
            ViewerKind::Guest => self.at.clone(),
        }
    }

    /// An address below the page.
    pub fn below(&self, rest: &str) -> String {
        format!("{}/{rest}", self.at)
    }

    pub(super) fn voices(&self) -> Voices {
        self.voices
    }

    pub(super) fn keeping(&self) -> Keeping {
        match self.kind {
            ViewerKind::Owner { .. } | ViewerKind::SeatHolder { .. } | ViewerKind::Spectator { .. } => Keeping::Browser,
            ViewerKind::Guest => Keeping::Tab,
        }
    }

    pub(super) fn gone(&self) -> &'static str {
        self.gone
    }

    pub(super) fn signed_out(&self) -> &'static str {
        self.signed_out
    }
}

impl Keeping {
    /// As scripts read it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Tab => "tab",
        }
    }
}
