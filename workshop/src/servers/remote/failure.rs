//! Why an answer over HTTP did not come, or only a part, in words that end with the next step.
//!
//! Of an address only the host is named: a path or a question may be nobody's business.

use std::error::Error as _;

use super::super::settings_error::VARIABLE;
use crate::words::words;
use enza_kernel::limits::one_line;
use enza_kernel::text::Lang;
use reqwest::Url;

/// The most of what the system says about a connection, in letters.
const WORDS: usize = 200;

/// What went wrong on the way.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.say(Lang::En))]
pub enum HttpFailure {
    /// No connection came about.
    Unreachable { host: String, why: String },
    /// We are not let in.
    Refused {
        /// 401 or 403.
        status: u16,
        /// The variables that our headers come from.
        variables: Vec<String>,
    },
    /// It answered with an error of another kind.
    Answered { status: u16, said: String },
    /// It wants to be asked elsewhere.
    Moved {
        /// The house that it names, as an address begins.
        to: String,
    },
    /// What answers does not speak the protocol.
    Foreign { what: String },
    /// An answer had more bytes than it may have.
    Endless { most: usize },
    /// The connection broke in the middle. Whether it had done what was asked, nobody knows.
    CutOff,
    /// It took too long.
    Silent {
        /// How long it was given.
        seconds: u64,
    },
}

impl HttpFailure {
    /// No connection, for this reason. The address is left out of the reason.
    pub(super) fn unreachable(url: &Url, why: &reqwest::Error) -> Self {
        let mut cause = why.source();
        let mut last = "no connection".to_owned();
        while let Some(deeper) = cause {
            last = deeper.to_string();
            cause = deeper.source();
        }
        Self::Unreachable { host: place(url), why: one_line(&last, WORDS) }
    }

    /// What happened, and what to do next.
    pub fn say(&self, lang: Lang) -> String {
        match self {
            Self::Unreachable { host, why } => words(lang).fill("http.unreachable", &[("host", &host), ("why", &why)]),
            Self::Refused { status, variables } if variables.is_empty() => {
                words(lang).fill("http.refused_keyless", &[("status", status), ("variable", &VARIABLE)])
            }
            Self::Refused { status, variables } => {
                let variables = variables.join(", ");
                words(lang).fill("http.refused", &[("status", &status), ("variables", &variables)])
            }
            Self::Answered { status, said } => {
                words(lang).fill("http.answered", &[("status", &status), ("said", &said)])
            }
            Self::Moved { to } => words(lang).fill("http.moved", &[("to", &to)]),
            Self::Foreign { what } => words(lang).fill("http.foreign", &[("what", &what)]),
            Self::Endless { most } => words(lang).fill("http.endless", &[("most", &most)]),
            Self::CutOff => words(lang).say("http.cut_off").to_owned(),
            Self::Silent { seconds } => words(lang).fill("http.silent", &[("seconds", &seconds)]),
        }
    }
}

/// The host of an address, with its port where one is written.
fn place(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}
