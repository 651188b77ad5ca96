//! What in a server's settings does not fit, in words that name the key and end with the next step.

use crate::words::words;
use enza_kernel::text::Lang;

/// What does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingsError {
    /// It has a command and a url.
    BothWays,
    /// It has neither.
    NoWay,
    HeadersOfCommand,
    /// It has a url, and variables of a program.
    EnvironmentOfUrl,
    /// The url is none that can be asked.
    NoAddress,
    SecretInUrl,
    /// A header cannot be sent.
    Header {
        name: String,
    },
    /// A header's value is a secret, and stands in the file.
    SecretInHeader {
        name: String,
    },
    /// Headers would cross the network readable by everyone.
    OpenRoad,
}

/// How a variable is written in the settings.
pub(super) const VARIABLE: &str = "${NAME}";

impl SettingsError {
    /// What does not fit, and what to write instead.
    pub fn say(&self, lang: Lang) -> String {
        match self {
            Self::BothWays => words(lang).say("settings.both_ways").to_owned(),
            Self::NoWay => words(lang).say("settings.no_way").to_owned(),
            Self::HeadersOfCommand => words(lang).say("settings.headers_of_command").to_owned(),
            Self::EnvironmentOfUrl => words(lang).fill("settings.environment_of_url", &[("variable", &VARIABLE)]),
            Self::NoAddress => words(lang).say("settings.no_address").to_owned(),
            Self::SecretInUrl => words(lang).fill("settings.secret_in_url", &[("variable", &VARIABLE)]),
            Self::Header { name } => words(lang).fill("settings.header", &[("name", name), ("variable", &VARIABLE)]),
            Self::SecretInHeader { name } => {
                words(lang).fill("settings.secret_in_header", &[("name", name), ("variable", &VARIABLE)])
            }
            Self::OpenRoad => words(lang).say("settings.open_road").to_owned(),
        }
    }
}
