//! Why a server's tool could not be used, in words that end with the next step.

use std::time::Duration;

use enza_kernel::text::Lang;

use super::{HttpFailure, SettingsError};
use crate::words::words;

/// What went wrong with a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerError {
    /// The session has no such server.
    NoServer { name: String },
    /// The settings leave this tool out.
    NotAllowed {
        /// `server/tool`.
        tool: String,
    },
    /// The arguments are no JSON object.
    NoArguments,
    /// Its settings do not fit.
    Unfit(SettingsError),
    /// It is reached over HTTP, and no answer came.
    Lost(HttpFailure),
    /// A variable that it needs is not set.
    NoVariable { name: String },
    /// It could not be started.
    NotStarted {
        why: String,
        /// What it said last.
        last_words: String,
    },
    /// It ended in the middle. Whether it had done what was asked, nobody knows.
    Died {
        /// What it said last.
        last_words: String,
    },
    /// It took too long and was ended.
    Slow {
        /// How long it was given.
        seconds: u64,
        /// What it said last.
        last_words: String,
    },
    /// It speaks something else.
    Nonsense { what: String },
    /// It, or its tool, said no.
    Said { what: String },
    /// It has fallen too often and is not started again.
    Fallen {
        /// What it said last.
        last_words: String,
    },
}

impl ServerError {
    /// It took longer than this.
    pub(super) fn slow(patience: Duration) -> Self {
        Self::Slow { seconds: patience.as_secs(), last_words: String::new() }
    }

    /// The same of a server over HTTP.
    pub(super) fn silent(patience: Duration) -> Self {
        Self::Lost(HttpFailure::Silent { seconds: patience.as_secs() })
    }

    /// The same, with what the server said last.
    pub(super) fn with(self, words: &str) -> Self {
        let last_words = words.to_owned();
        match self {
            Self::NotStarted { why, .. } => Self::NotStarted { why, last_words },
            Self::Died { .. } => Self::Died { last_words },
            Self::Slow { seconds, .. } => Self::Slow { seconds, last_words },
            Self::Fallen { .. } => Self::Fallen { last_words },
            Self::NoServer { .. }
            | Self::NotAllowed { .. }
            | Self::NoArguments
            | Self::Unfit(_)
            | Self::Lost(_)
            | Self::NoVariable { .. }
            | Self::Nonsense { .. }
            | Self::Said { .. } => self,
        }
    }

    /// What the server said last, as far as it is known.
    pub(super) fn last_words(&self) -> &str {
        match self {
            Self::NotStarted { last_words, .. }
            | Self::Died { last_words }
            | Self::Slow { last_words, .. }
            | Self::Fallen { last_words } => last_words,
            Self::NoServer { .. }
            | Self::NotAllowed { .. }
            | Self::NoArguments
            | Self::Unfit(_)
            | Self::Lost(_)
            | Self::NoVariable { .. }
            | Self::Nonsense { .. }
            | Self::Said { .. } => "",
        }
    }

    /// What happened, and what to do next.
    pub fn say(&self, lang: Lang) -> String {
        let text = match self {
            Self::NoServer { name } => words(lang).fill("server.no_server", &[("name", &name)]),
            Self::NotAllowed { tool } => words(lang).fill("server.not_allowed", &[("tool", &tool)]),
            Self::NoArguments => words(lang).say("server.no_arguments").to_owned(),
            Self::Unfit(unfit) => unfit.say(lang),
            Self::Lost(lost) => lost.say(lang),
            Self::NoVariable { name } => words(lang).fill("server.no_variable", &[("name", &name)]),
            Self::NotStarted { why, .. } => words(lang).fill("server.not_started", &[("why", &why)]),
            Self::Died { .. } => words(lang).say("server.died").to_owned(),
            Self::Slow { seconds, .. } => words(lang).fill("server.slow", &[("seconds", &seconds)]),
            Self::Nonsense { what } => words(lang).fill("server.nonsense", &[("what", &what)]),
            Self::Said { what } => words(lang).fill("server.said", &[("what", &what)]),
            Self::Fallen { .. } => words(lang).say("server.fallen").to_owned(),
        };
        let last_words = self.last_words();
        if last_words.is_empty() {
            return text;
        }
        words(lang).fill("server.last_words", &[("text", &text), ("last_words", &last_words)])
    }
}

impl From<SettingsError> for ServerError {
    fn from(unfit: SettingsError) -> Self {
        Self::Unfit(unfit)
    }
}

impl From<HttpFailure> for ServerError {
    fn from(lost: HttpFailure) -> Self {
        Self::Lost(lost)
    }
}
